package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"culprit/tui/dag"
)

// spell returns text as the terminal can show it: where that has no UTF-8, nothing beyond ASCII is left, also
// of names. Every character keeps its width.
func (th *Theme) spell(text string) string {
	if th.charset() != dag.ASCII || strings.IndexFunc(text, beyondASCII) < 0 {
		return text
	}
	twins := map[string]string{"↑": "^", "↓": "v", "←": "<", "→": ">", "…": "~", "·": "|", "–": "-"}
	var b strings.Builder
	var state byte
	for text != "" {
		seq, width, n, next := ansi.DecodeSequence(text, state, nil)
		state, text = next, text[n:]
		switch twin, ok := twins[seq]; {
		case ok:
			b.WriteString(twin)
		case strings.IndexFunc(seq, beyondASCII) >= 0:
			b.WriteString(strings.Repeat("?", width))
		default:
			b.WriteString(seq)
		}
	}
	return b.String()
}

func beyondASCII(r rune) bool { return r > '~' }
