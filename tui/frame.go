package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Rect is a rectangle of cells; X and Y count from the upper left corner of the screen.
type Rect struct{ X, Y, W, H int }

// empty tells whether r has no cell.
func (r Rect) empty() bool { return r.W <= 0 || r.H <= 0 }

// fill returns exactly r.H lines of exactly r.W cells: rows, cut or filled up.
func (th *Theme) fillRect(rows []line, r Rect) []string {
	out := make([]string, max(r.H, 0))
	for y := range out {
		var l line
		if y < len(rows) {
			l = rows[y]
		}
		out[y] = th.paint(l, max(r.W, 0))
	}
	return out
}

// fillRows returns exactly r.H of rows that are painted r.W cells wide, and blank ones where there are fewer.
func (th *Theme) fillRows(rows []string, r Rect) []string {
	rows = rows[:min(len(rows), max(r.H, 0))]
	for len(rows) < r.H {
		rows = append(rows, th.paint(nil, r.W))
	}
	return rows
}

// boxed is a frame with words in its border and rows inside.
type boxed struct {
	border     border
	tone       tone
	title      line
	right      line
	foot       line
	footRight  line
	rows       []line
	innerBlank int // cells left free inside at both sides
}

// lines returns exactly r.H lines of the box; inside is what fits between its borders.
func (th *Theme) box(b boxed, r Rect) []line {
	if r.W < 4 || r.H < 2 {
		return nil
	}
	out := make([]line, 0, r.H)
	out = append(out, th.rim(b.border.topLeft, b.border.top, b.border.topRight, b.title, b.right, b.tone, r.W))
	inner := r.W - 2 - 2*b.innerBlank
	margin := span{tonePlain, blank(b.innerBlank)}
	side := span{b.tone, b.border.side}
	const around = 5 // pieces of a row: the borders, the margins, and what fills up
	room := around * (r.H - 2)
	for _, row := range b.rows {
		room += len(row)
	}
	l := make(line, 0, room) // of all rows, one behind the other
	for y := range r.H - 2 {
		var row line
		if y < len(b.rows) {
			row = b.rows[y]
		}
		from := len(l)
		l = append(fitOnto(append(l, side, margin), row, inner, th.ellipsis), margin, side)
		out = append(out, l[from:len(l):len(l)])
	}
	e := b.border
	return append(out, th.rim(e.bottomLeft, e.top, e.bottomRight, b.foot, b.footRight, b.tone, r.W))
}

// rim draws a horizontal border with words set into it at its left and right end.
func (th *Theme) rim(first, fill, last string, left, right line, t tone, w int) line {
	inner := w - 4
	if right.width() > 0 && left.width()+right.width()+5 > inner {
		right = nil
	}
	const around = 7 // the ends, the fill, and blanks
	out := append(make(line, 0, len(left)+len(right)+around), span{t, first}, span{t, fill})
	used := 0
	if left.width() > 0 {
		used = min(left.width(), max(inner-2, 0))
		out = append(fitOnto(append(out, say(t, " ")), left, used, th.ellipsis), say(t, " "))
		used += 2
	}
	tail := 0
	if right.width() > 0 {
		tail = right.width() + 2
	}
	out = append(out, span{t, th.run(fill, inner-used-tail)})
	if tail > 0 {
		out = append(append(append(out, say(t, " ")), right...), say(t, " "))
	}
	return append(out, span{t, fill}, span{t, last})
}

// part is one pane's lines at its place.
type part struct {
	rect  Rect
	lines []string
}

// compose lays parts that tile the screen into one frame of h lines; parts beside each other are given from
// left to right.
func compose(parts []part, h int) string {
	rows := make([]string, h)
	for _, p := range parts {
		for y, l := range p.lines {
			if at := p.rect.Y + y; at < h {
				rows[at] += l
			}
		}
	}
	return strings.Join(rows, "\n")
}

// overlay lays painted lines, each r.W cells wide, over a frame at r.
func overlay(frame string, lines []string, r Rect) string {
	const plain = "\x1b[0m"
	rows := strings.Split(frame, "\n")
	for i, l := range lines {
		y := r.Y + i
		if y < 0 || y >= len(rows) {
			continue
		}
		w, reset := ansi.StringWidth(rows[y]), ""
		if strings.Contains(rows[y], "\x1b") {
			reset = plain
		}
		left := exact(ansi.Truncate(rows[y], r.X, ""), r.X, "")
		from := r.X + r.W
		right := ansi.TruncateLeft(rows[y], from, "")
		if ansi.StringWidth(right) > max(w-from, 0) { // a wide character lies across the edge
			right = ansi.TruncateLeft(rows[y], from+1, "")
		}
		right = blank(w-from-ansi.StringWidth(right)) + right
		rows[y] = left + reset + l + right
	}
	return strings.Join(rows, "\n")
}
