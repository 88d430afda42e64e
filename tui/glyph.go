package tui

import "culprit/tui/dag"

// glyphs are the characters that the screen is drawn with: one set for UTF-8 terminals, one for the others.
// Every field that stands alone takes one cell.
type glyphs struct {
	ellipsis, arrow, bullet, dash   string
	hit, clear, unknown, skip, warn string
	culprit, held, starved, fine    string
	finished, pointer, up, down     string
	sortUp, sortDown                string   // beside the name of the column that a list is sorted by
	fill, pressed, empty            string   // of a meter: busy, backpressured, the rest
	halves                          []string // partial meter cells, rising; may be empty
	bars                            []string // spark levels, rising
	thin, heavy                     border
	nobody                          string
	about                           string    // before what was seen at a glance
	parts                           [4]string // start delay, alignment, sync, async of a checkpoint
	interval, timeout, trend        string    // limits and the trend line across its bars
}

// border is a set of box characters.
type border struct {
	topLeft, top, topRight, side, bottomLeft, bottomRight string
}

func unicodeGlyphs() glyphs {
	return glyphs{
		ellipsis: "…", arrow: "→", bullet: "·", dash: "-",
		hit: "●", clear: "○", unknown: "?", skip: "–", warn: "▲",
		culprit: "◆", held: "‖", starved: "◇", fine: "✓", finished: "■",
		pointer: "❯", up: "▲", down: "▼",
		sortUp: "▲", sortDown: "▼",
		fill: "█", pressed: "▒", empty: "░",
		halves: []string{"▏", "▎", "▍", "▌", "▋", "▊", "▉"},
		bars:   []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
		thin:   border{"╭", "─", "╮", "│", "╰", "╯"},
		heavy:  border{"┏", "━", "┓", "┃", "┗", "┛"},
		nobody: "·", about: "≈",
		parts: [4]string{"▒", "▓", "█", "▄"},

		interval: "╎", timeout: "┃", trend: "◦",
	}
}

func asciiGlyphs() glyphs {
	return glyphs{
		ellipsis: "~", arrow: "->", bullet: "|", dash: "-",
		hit: "*", clear: "o", unknown: "?", skip: "-", warn: "!",
		culprit: "@", held: "=", starved: "v", fine: "+", finished: ".",
		pointer: ">", up: "^", down: "v",
		sortUp: "*", sortDown: "*",
		fill: "#", pressed: "=", empty: ".",
		bars:   []string{"_", ".", "-", "=", "+", "*", "%", "#"},
		thin:   border{"+", "-", "+", "|", "+", "+"},
		heavy:  border{"#", "=", "#", "#", "#", "#"},
		nobody: ".", about: "~",
		parts: [4]string{"d", "a", "s", "u"},

		interval: ":", timeout: "|", trend: "x",
	}
}

// charset is the set that edges are drawn with.
func (g *glyphs) charset() dag.Charset {
	if len(g.halves) == 0 {
		return dag.ASCII
	}
	return dag.Unicode
}
