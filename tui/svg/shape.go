package svg

import "fmt"

// arms are the strokes of a line character from the middle of its cell to its edges, each 0 for none, 1 for
// light or 2 for heavy.
type arms struct{ up, right, down, left int }

// lineOf returns the strokes of a character of straight lines.
func lineOf(r rune) (arms, bool) {
	a, ok := map[rune]arms{
		'─': {0, 1, 0, 1}, '│': {1, 0, 1, 0}, '━': {0, 2, 0, 2}, '┃': {2, 0, 2, 0},
		'┌': {0, 1, 1, 0}, '┐': {0, 0, 1, 1}, '└': {1, 1, 0, 0}, '┘': {1, 0, 0, 1},
		'┏': {0, 2, 2, 0}, '┓': {0, 0, 2, 2}, '┗': {2, 2, 0, 0}, '┛': {2, 0, 0, 2},
		'├': {1, 1, 1, 0}, '┤': {1, 0, 1, 1}, '┬': {0, 1, 1, 1}, '┴': {1, 1, 0, 1}, '┼': {1, 1, 1, 1},
		'┣': {2, 2, 2, 0}, '┫': {2, 0, 2, 2}, '┳': {0, 2, 2, 2}, '┻': {2, 2, 0, 2}, '╋': {2, 2, 2, 2},
		'┝': {1, 2, 1, 0}, '┠': {2, 1, 2, 0}, '┥': {1, 0, 1, 2}, '┨': {2, 0, 2, 1},
		'┯': {0, 2, 1, 2}, '┰': {0, 1, 2, 1}, '┷': {1, 2, 0, 2}, '┸': {2, 1, 0, 1},
		'┿': {1, 2, 1, 2}, '╂': {2, 1, 2, 1}, '╴': {0, 0, 0, 1}, '╵': {1, 0, 0, 0}, '╶': {0, 1, 0, 0},
		'╷': {0, 0, 1, 0}, '╸': {0, 0, 0, 2}, '╹': {2, 0, 0, 0}, '╺': {0, 2, 0, 0}, '╻': {0, 0, 2, 0},
	}[r]
	return a, ok
}

// cornerOf returns the path of a rounded corner from the upper left corner of its cell.
func cornerOf(r rune) (string, bool) {
	path, ok := map[rune]string{
		'╭': "m9 9.5q-4.5 0 -4.5 4.5v4", '╮': "m0 9.5q4.5 0 4.5 4.5v4",
		'╰': "m9 9.5q-4.5 0 -4.5 -4.5v-5", '╯': "m0 9.5q4.5 0 4.5 -4.5v-5",
	}[r]
	return path, ok
}

// area is a part of a cell, in eighths of its width and height.
type area struct{ x, y, w, h int }

// blockOf returns the parts of a block character that are filled, and how densely.
func blockOf(r rune) (parts []area, density float64) {
	quadrants := [...]area{{0, 0, 4, 4}, {4, 0, 4, 4}, {0, 4, 4, 4}, {4, 4, 4, 4}}
	switch {
	case r == '▀':
		return []area{{0, 0, 8, 4}}, 1
	case r >= '▁' && r <= '█':
		n := int(r-'▁') + 1
		return []area{{0, 8 - n, 8, n}}, 1
	case r >= '▉' && r <= '▏':
		return []area{{0, 0, 7 - int(r-'▉'), 8}}, 1
	case r == '▐':
		return []area{{4, 0, 4, 8}}, 1
	case r >= '░' && r <= '▓':
		return []area{{0, 0, 8, 8}}, 0.25 * float64(r-'░'+1)
	case r == '▔':
		return []area{{0, 0, 8, 1}}, 1
	case r == '▕':
		return []area{{7, 0, 1, 8}}, 1
	case r >= '▖' && r <= '▟':
		// The bits of each: upper left, upper right, lower left, lower right.
		bits := [...]int{4, 8, 1, 13, 9, 7, 11, 2, 6, 14}[r-'▖']
		for i, q := range quadrants {
			if bits&(1<<i) != 0 {
				parts = append(parts, q)
			}
		}
		return parts, 1
	}
	return nil, 0
}

// dots returns the path of a braille character from the upper left corner of its cell, empty for any other.
func dots(r rune) string {
	if r <= 0x2800 || r > 0x28ff {
		return ""
	}
	path := ""
	// Bit by bit, in the order of Unicode: three down the left, three down the right, then the fourth row.
	for bit, at := range [...][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}} {
		if (r-0x2800)&(1<<bit) != 0 {
			x, y := 1.25+4.5*float64(at[0]), 1.25+4.5*float64(at[1])
			path += fmt.Sprintf("m%g %gh2v2h-2zm%g %g", x, y, -x, -y)
		}
	}
	return path
}
