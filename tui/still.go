package tui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
)

// Still is the screen without a terminal and without a clock of its own: it moves only by Step and Press. It
// draws the pictures of documents and of support bundles.
type Still struct{ app *app }

// NewStill returns the screen before the first answer; Options' streams are not used.
func NewStill(ctx context.Context, opts Options) *Still {
	if opts.Env == nil {
		opts.Env = func(string) string { return "" }
	}
	return &Still{newApp(ctx, opts)}
}

// Step takes one step of the monitor and returns why it failed; the screen then says so too.
func (s *Still) Step() error {
	m := s.app
	m.now = m.opts.Clock()
	m.Update(m.loop.step(m.ctx, m.now)())
	return m.loop.link.err
}

// Press presses keys by their names, such as "enter", "shift+tab" or "e".
func (s *Still) Press(keys ...string) error {
	for _, name := range keys {
		msg := keyNamed(name)
		if msg.String() != name {
			return fmt.Errorf("no key is called %q", name)
		}
		s.app.Update(msg)
	}
	return nil
}

// Frame returns the screen: as many lines as it is high, each as wide as it is, with the sequences of its
// colours.
func (s *Still) Frame() string {
	s.app.now = s.app.opts.Clock()
	return s.app.View()
}

// keyNamed is the message of a key with such a name, of letters where none is called so.
func keyNamed(name string) tea.KeyMsg {
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	const first, last = -100, 127 // of Bubble Tea's types: its own names below 0, the control characters above
	for k := tea.KeyType(first); k <= last; k++ {
		if msg := (tea.KeyMsg{Type: k}); k != tea.KeyRunes && msg.String() == name {
			return msg
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}
