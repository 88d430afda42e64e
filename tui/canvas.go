package tui

import "github.com/rivo/uniseg"

// canvas is a window on a larger drawing, in cells. A cluster of two cells leaves the second one empty.
type canvas struct {
	w, h, x, y int
	cells      []span
}

// newCanvas returns a blank window of w by h cells whose upper left corner shows the cell x, y of the
// drawing.
func newCanvas(w, h, x, y int) *canvas {
	c := &canvas{w: w, h: h, x: x, y: y, cells: make([]span, w*h)}
	for i := range c.cells {
		c.cells[i].text = " "
	}
	return c
}

// sees tells whether a part of a rectangle of the drawing lies in the window.
func (c *canvas) sees(x, y, w, h int) bool {
	return x-c.x < c.w && x-c.x+w > 0 && y-c.y < c.h && y-c.y+h > 0
}

// put writes a line at a cell of the drawing, as far as the window shows it.
func (c *canvas) put(x, y int, l line) {
	y -= c.y
	x -= c.x
	if y < 0 || y >= c.h {
		return
	}
	for _, s := range l {
		for rest, state := clean(s.text), -1; rest != ""; {
			var cluster string
			cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
			n := cells(cluster)
			switch {
			case n == 0:
			case x >= 0 && x+n <= c.w:
				c.cells[y*c.w+x] = span{s.tone, cluster}
				for k := 1; k < n; k++ {
					c.cells[y*c.w+x+k] = span{s.tone, ""}
				}
			default: // a half-visible cluster leaves a blank
				for k := max(x, 0); k < min(x+n, c.w); k++ {
					c.cells[y*c.w+k] = span{s.tone, " "}
				}
			}
			x += n
		}
	}
}

// set writes one character of one cell at a cell of the drawing.
func (c *canvas) set(x, y int, t tone, glyph string) {
	if c.sees(x, y, 1, 1) {
		c.cells[(y-c.y)*c.w+x-c.x] = span{t, glyph}
	}
}

// drawn counts the cells of a row of the drawing, w cells from x, that are not blank.
func (c *canvas) drawn(x, y, w int) int {
	n := 0
	for i := range w {
		if c.sees(x+i, y, 1, 1) && c.cells[(y-c.y)*c.w+x+i-c.x].text != " " {
			n++
		}
	}
	return n
}

// paint returns the window's lines as text for the terminal.
func (c *canvas) paint(th *Theme) []string {
	out := make([]string, c.h)
	for y, row := range c.rows() {
		if row.plain() { // which is as wide as it is long
			out[y] = th.write(row)
			continue
		}
		out[y] = th.paint(row, c.w)
	}
	return out
}

// rows returns the window's lines.
func (c *canvas) rows() []line {
	out := make([]line, c.h)
	for y := range out {
		out[y] = c.cells[y*c.w : (y+1)*c.w]
	}
	return out
}
