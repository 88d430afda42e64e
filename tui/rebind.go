package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Rebind returns the key table with other keys for some of its actions. Their names are those of [KeyName].
func Rebind(actions []Action, with map[ActionID][]string) []Action {
	out := slices.Clone(actions)
	for i, a := range out {
		keys, ok := with[a.ID]
		if !ok {
			continue
		}
		labels := make([]string, len(keys))
		for k, name := range keys {
			labels[k] = keyLabel(name)
		}
		out[i].Binding = bind(strings.Join(labels, "/"), a.Binding.Help().Desc, keys...)
	}
	return out
}

// keyLabel is what people call a key.
func keyLabel(name string) string {
	label, ok := map[string]string{
		" ": "space", "up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn",
	}[name]
	if ok {
		return label
	}
	return name
}

// KeyName returns the name under which a key that a person writes arrives, such as "ctrl+p", "f5", "Q" or
// "space"; it is not ok where no terminal sends such a key.
func KeyName(written string) (name string, ok bool) {
	switch written {
	case "space":
		return " ", true
	case "pgdn":
		return "pgdown", true
	}
	bare := strings.TrimPrefix(written, "alt+")
	if len([]rune(bare)) == 1 && !strings.ContainsFunc(bare, isControl) {
		return written, true
	}
	if bare != "" && keyNamed(bare).Type != tea.KeyRunes {
		return written, true
	}
	return "", false
}

// Clash is one key that would do two things on the same screen.
type Clash struct {
	Key           string
	First, Second ActionID
}

// Clashes returns the keys of a table that mean two things on one screen.
func Clashes(actions []Action) []Clash {
	var out []Clash
	for i, a := range actions {
		for _, b := range actions[i+1:] {
			for _, k := range a.Binding.Keys() {
				if a.Scope&b.Scope != 0 && slices.Contains(b.Binding.Keys(), k) {
					out = append(out, Clash{k, a.ID, b.ID})
				}
			}
		}
	}
	return out
}
