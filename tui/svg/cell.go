package svg

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// look is how a cell is drawn. Colours are #rrggbb, empty for the picture's own.
type look struct {
	fore, back                      string
	bold, faint, italic, underlined bool
	reverse                         bool
}

// cell is one place of the grid: a character with the marks that belong to it. One that takes two places
// leaves the second empty, with a width of 0.
type cell struct {
	text  string
	width int
	look  look
}

// read takes a frame apart: lines of text with colours and attributes. Every other control sequence is
// dropped.
func read(frame string) [][]cell {
	var now look
	p := ansi.NewParser()
	var rows [][]cell
	for text := range strings.SplitSeq(strings.ToValidUTF8(frame, "?"), "\n") {
		var row []cell
		var state byte
		for text != "" {
			seq, width, n, next := ansi.DecodeSequence(text, state, p)
			state, text = next, text[n:]
			switch {
			case width > 0:
				row = append(row, cell{printable(seq), width, now})
				for range width - 1 {
					row = append(row, cell{look: now})
				}
			case ansi.Cmd(p.Command()) == 'm' && strings.HasPrefix(seq, "\x1b["):
				now.apply(p.Params())
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// printable replaces what XML cannot hold.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r&0xfffe == 0xfffe {
			return '?'
		}
		return r
	}, text)
}

// apply takes in the numbers of one sequence that selects colours and attributes (SGR).
func (l *look) apply(params ansi.Params) {
	if len(params) == 0 {
		*l = look{}
	}
	for i := 0; i < len(params); i++ {
		switch n := params[i].Param(0); n {
		case 0:
			*l = look{}
		case 1:
			l.bold = true
		case 2:
			l.faint = true
		case 22:
			l.bold, l.faint = false, false
		case 3, 23:
			l.italic = n == 3
		case 4, 24:
			l.underlined = n == 4
		case 7, 27:
			l.reverse = n == 7
		default:
			i += l.colour(params[i:])
		}
	}
}

// colour takes in the number at the head of params where it selects a colour, and returns how many more it
// used.
func (l *look) colour(params ansi.Params) int {
	switch n := params[0].Param(0); {
	case n >= 30 && n <= 37:
		l.fore = hex(ansi.BasicColor(n - 30)) //nolint:gosec // 0 to 7
	case n >= 90 && n <= 97:
		l.fore = hex(ansi.BasicColor(n - 90 + 8)) //nolint:gosec // 8 to 15
	case n >= 40 && n <= 47:
		l.back = hex(ansi.BasicColor(n - 40)) //nolint:gosec // 0 to 7
	case n >= 100 && n <= 107:
		l.back = hex(ansi.BasicColor(n - 100 + 8)) //nolint:gosec // 8 to 15
	case n == 39:
		l.fore = ""
	case n == 49:
		l.back = ""
	case n == 38 || n == 48:
		c, used := deep(params[1:])
		if n == 38 {
			l.fore = c
		} else {
			l.back = c
		}
		return used
	}
	return 0
}

// deep reads what follows a 38 or 48: a place in the table of 256 colours, or red, green and blue. It returns
// how many numbers it used, all of them where they make no colour.
func deep(params ansi.Params) (colour string, used int) {
	at := func(i int) uint8 { return uint8(min(max(params[i].Param(0), 0), 255)) } //nolint:gosec // in its range
	switch {
	case len(params) >= 2 && params[0].Param(0) == 5:
		return hex(ansi.IndexedColor(at(1))), 2
	case len(params) >= 4 && params[0].Param(0) == 2:
		return hex(color.RGBA{at(1), at(2), at(3), 255}), 4
	}
	return "", len(params)
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
