package tui

import (
	"strings"
	"testing"
	"testing/synctest"
)

func TestPaletteFindsAndDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, manyVertices), 100, 40)
		s.wants(s.press(":"), "commands", "enter does it", "❯ open")
		s.wants(s.press("e", "v", "i", "d"), ":evid", "❯ evidence", "of ")
		screen := s.press("enter")
		s.wants(screen, "evidence: ")
		s.lacks(screen, "enter does it")
		// A vertex is found by a few letters of its name, from any screen.
		s.wants(s.press("ctrl+p", "d", "e", "d", "u", "p", "enter"), "❯ dedupe x16")
		// ... and a theme.
		s.wants(s.press(":", "t", "h", "m", "o", "n", "o"), "❯ theme monochrome")
		s.wants(s.press("enter"), "theme monochrome: nothing changes, as this terminal shows no colours")
		// What is not in a name may be in what is said of it.
		s.wants(s.press(":", "l", "a", "g"), "❯ sources", "lag, rate")
		s.press("esc")
		s.wants(s.press(":", "x", "y", "z", "z", "y"), "nothing is called like this")
		s.lacks(s.press("enter"), "commands ━")
		s.press(":", "q")
		s.lacks(s.press("esc"), "enter does it")
		s.press(":")
		s.quit("ctrl+c")
	})
}

// The palette shows the keys as a configuration has bound them, and they work.
func TestKeysFromTheConfiguration(t *testing.T) {
	actions := Rebind(Actions(), map[ActionID][]string{
		ActionEvidence: {"f5"}, ActionPalette: {"ctrl+k"}, ActionFreeze: {"Z", " "},
	})
	m := mounted(t, slowSink(), 100, 30, plainLook())
	m.actions = actions
	press(m, "e")
	if m.screen() != screenGraph {
		t.Error("e still opens the evidence")
	}
	press(m, "f5")
	if m.screen() != screenEvidence {
		t.Error("f5 does not open the evidence")
	}
	press(m, "ctrl+k", "f", "r", "e", "e")
	if frame := m.View(); !strings.Contains(frame, "Z/space") {
		t.Errorf("the palette does not name the keys:\n%s", frame)
	}
}

func TestKeyNames(t *testing.T) {
	for written, want := range map[string]string{
		"q": "q", "Q": "Q", "space": " ", "ctrl+p": "ctrl+p", "f5": "f5", "alt+x": "alt+x", "shift+tab": "shift+tab",
		"pgdn": "pgdown", "ä": "ä", "alt+enter": "alt+enter", ":": ":",
		"": "", "ctrl+pause": "", "enterr": "", "\x1b": "", "alt+": "",
	} {
		if got, ok := KeyName(written); got != want || ok != (want != "") {
			t.Errorf("%q arrives as %q, %v, want %q", written, got, ok, want)
		}
	}
	if got := Clashes(Rebind(Actions(), map[ActionID][]string{ActionQuit: {"w"}})); len(got) != 1 ||
		got[0] != (Clash{"w", ActionWhyNot, ActionQuit}) {
		t.Errorf("clashes are %+v", got)
	}
	if got := Clashes(Actions()); len(got) != 0 {
		t.Errorf("the table itself clashes: %+v", got)
	}
}
