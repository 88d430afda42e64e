package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func TestFilterIsEditedLikeALineOfText(t *testing.T) {
	m := mounted(t, manyVertices(), 100, 40, plainLook())
	press(m, "/", "s", "i", "n", "k")
	for _, c := range []struct{ key, want string }{
		{"left", "sink"},
		{"backspace", "sik"},
		{"home", "sik"},
		{"delete", "ik"},
		{"end", "ik"},
		{" ", "ik "},
		{"x", "ik x"},
		{"ctrl+w", "ik "},
		{"ctrl+v", "ik "}, // no clipboard program is asked
		{"ctrl+u", ""},
	} {
		if press(m, c.key); m.input.Value() != c.want {
			t.Errorf("after %s the filter is %q, want %q", c.key, m.input.Value(), c.want)
		}
	}
}

// A terminal that pastes sends the text itself, which may hold anything.
func TestPasteIntoTheFilter(t *testing.T) {
	m := mounted(t, manyVertices(), 80, 24, plainLook())
	press(m, "/")
	for _, text := range hostile() {
		_, cmd := m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
		if cmd != nil {
			t.Errorf("pasting %q starts something", text)
		}
		sized(t, m.View(), 80, 24)
		press(m, "left", "left")
		sized(t, m.View(), 80, 24)
		press(m, "enter")
		sized(t, m.View(), 80, 24)
		press(m, "/")
	}
	if n := len([]rune(m.input.Value())); n != filterLimit {
		t.Errorf("the filter has %d characters, want it full at %d", n, filterLimit)
	}
}

// While a filter is typed the screen wakes no more often than else: no key starts a clock for the cursor.
func TestTypingStartsNoClock(t *testing.T) {
	m := mounted(t, manyVertices(), 80, 24, plainLook())
	for _, k := range []string{"/", "s", "left", "i", "end", "backspace", "down", "ctrl+v", "enter", "/", "esc"} {
		if _, cmd := m.Update(keyNamed(k)); cmd != nil {
			t.Errorf("%s starts something", k)
		}
	}
}

func TestArrowsSelectWhileTyping(t *testing.T) {
	m := mounted(t, manyVertices(), 100, 40, plainLook())
	press(m, "/", "s", "i", "n", "k", "down")
	has(t, m.View(), "❯ Sink: iceberg", "/sink")
	press(m, "enter")
	has(t, m.View(), "❯ Sink: iceberg", "/sink  esc clear")
}
