package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"
)

// shortHelp names as many keys as fit into w cells, and what they do in a word; a w of 0 is no limit. Where
// not even its ellipsis fits, the component goes beyond its width: then the last keys are left out.
func (th *Theme) shortHelp(w int, bindings []key.Binding) string {
	var says strings.Builder
	for _, b := range bindings {
		says.WriteString(b.Help().Key)
		says.WriteByte(0)
		says.WriteString(b.Help().Desc)
		says.WriteByte(0)
	}
	key := keyLine{w, says.String()}
	text, ok := th.keyLines[key]
	if !ok {
		const most = 100 // far more than there are screens
		if len(th.keyLines) > most {
			clear(th.keyLines)
		}
		text = th.keyLine(w, bindings)
		th.keyLines[key] = text
	}
	return text
}

// keyLine tells lines of keys apart by their width and what they say.
type keyLine struct {
	w    int
	says string
}

func (th *Theme) keyLine(w int, bindings []key.Binding) string {
	m := th.help
	m.Width = w
	for n := len(bindings); n > 0; n-- {
		if text := m.ShortHelpView(bindings[:n]); w == 0 || ansi.StringWidth(text) <= w {
			return text
		}
	}
	return ""
}

// fullHelp says of every action in a sentence what it does, in painted rows of w cells at the most. The keys
// take label cells, a blank behind them included.
func (th *Theme) fullHelp(w, label int, actions []Action) []string {
	bindings := make([]key.Binding, len(actions))
	for i, a := range actions {
		does := wrap(a.Does, max(w-label, 1), len(a.Does), th.ellipsis)
		name := pad(a.Binding.Help().Key, label-1, th.ellipsis) + strings.Repeat("\n", max(len(does)-1, 0))
		bindings[i] = bind(name, strings.Join(does, "\n"), a.Binding.Keys()...)
	}
	return strings.Split(th.help.FullHelpView([][]key.Binding{bindings}), "\n")
}

// typingHelp are the keys of the line that is being typed.
func typingHelp() []key.Binding {
	return []key.Binding{bind("enter", "keep", "enter"), bind("esc", "clear", "esc")}
}

// momentHelp are the keys of the line on which a moment is typed, and what can be typed.
func momentHelp(sc *scene) []key.Binding {
	from, to := sc.replay.Span()
	return []key.Binding{
		bind("enter", "go to a time from "+spanOf(from, to, sc.zone), "enter"), bind("esc", "stay", "esc"),
	}
}

// bindingsOf returns the bindings of some actions, in the order of the table.
func bindingsOf(actions []Action, ids ...ActionID) []key.Binding {
	var out []key.Binding
	for _, a := range actions {
		for _, id := range ids {
			if a.ID == id {
				out = append(out, a.Binding)
			}
		}
	}
	return out
}

// keyOf is the label of the first key of an action; empty where it has none.
func keyOf(actions []Action, id ActionID) string {
	for _, a := range actions {
		if keys := a.Binding.Keys(); a.ID == id && len(keys) > 0 {
			return keyLabel(keys[0])
		}
	}
	return ""
}

// hint names the first key of an action and what it does here, as "[ earlier"; empty where it has none.
func (sc *scene) hint(id ActionID, does string) string {
	label := keyOf(sc.actions, id)
	if label == "" {
		return ""
	}
	return label + does
}

// panHint names the keys that move the window on the graph: "HJKL move".
func (sc *scene) panHint() string {
	var keys []string
	gap := ""
	for _, id := range []ActionID{ActionPanLeft, ActionPanDown, ActionPanUp, ActionPanRight} {
		key := keyOf(sc.actions, id)
		if key == "" {
			continue
		}
		if keys = append(keys, key); cells(key) > 1 {
			gap = " "
		}
	}
	if len(keys) == 0 {
		return ""
	}
	return strings.Join(keys, gap) + " move"
}

// hints sets keys and what they do side by side; the empty ones are left out.
func hints(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(h string) bool { return h == "" }), "  ")
}

// spaced sets a hint apart from what is before it; nothing where it is empty.
func spaced(hint string) string {
	if hint == "" {
		return ""
	}
	return "  " + hint
}
