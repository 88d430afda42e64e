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
	press(m, "v", "/", "s", "i", "n", "k", "down")
	has(t, m.View(), "❯ Sink: iceberg", "/sink")
	press(m, "enter")
	has(t, m.View(), "❯ Sink: iceberg", "/sink  esc clear")
}

// On the graph a filter hides nothing: it marks, and the arrows go from match to match.
func TestArrowsGoFromMatchToMatchOnTheGraph(t *testing.T) {
	m := mounted(t, manyVertices(), 100, 40, plainLook())
	press(m, "/", "s", "i", "n", "k")
	has(t, m.View(), "│ 2 victims", "2 matches")
	press(m, "down")
	has(t, m.View(), "❯ Sink: kafka", "1 of 2 matches")
	press(m, "down", "enter")
	has(t, m.View(), "❯ Sink: iceberg", "2 of 2 matches", "/sink  esc clear")
	press(m, "n")
	has(t, m.View(), "❯ Sink: kafka", "│ 2 victims")
	press(m, "N", "N")
	has(t, m.View(), "❯ Sink: kafka")
	press(m, "esc", "n")
	has(t, m.View(), "type / and a part of a name first")
}
