package dag

import (
	"cmp"
	"slices"
)

// A Cell is one character of the drawn edges. Edges lists the edges that the rune stands for, ascending;
// their slices are the layout's own and must not be changed. Where lines merely cross, Edges has those of
// the vertical line, which is drawn through, and Under those of the horizontal one, which passes beneath;
// elsewhere Under is empty.
type Cell struct {
	X, Y  int
	Rune  rune
	Edges []int
	Under []int
	Arrow bool

	beneath rune
}

// Show picks what to draw when some edges are lit: the rune, and whether it belongs to a lit edge. At a
// crossing the lit line goes over the other.
func (c Cell) Show(lit func(edge int) bool) (rune, bool) {
	if slices.ContainsFunc(c.Edges, lit) {
		return c.Rune, true
	}
	if slices.ContainsFunc(c.Under, lit) {
		return c.beneath, true
	}
	return c.Rune, false
}

// Charset is a choice of characters.
type Charset int

// The character sets.
const (
	Unicode Charset = iota // box drawing and triangles
	ASCII                  // - | + > v
)

// The arms of a cell: the sides at which its lines leave it.
const (
	north = 1 << iota
	east
	south
	west
	arrow
)

const (
	horizontal = east | west
	vertical   = north | south
)

// line is the character for a set of arms.
func (c Charset) line(arms uint8) rune {
	if c == ASCII {
		switch arms {
		case horizontal, east, west:
			return '-'
		case vertical, north, south:
			return '|'
		}
		return '+'
	}
	return [...]rune{' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'}[arms&15]
}

// head is the character of an arrow.
func (c Charset) head(dir Direction) rune {
	if dir == TopDown {
		return [...]rune{'▼', 'v'}[c]
	}
	return [...]rune{'▶', '>'}[c]
}

// A joint is a cell of the drawn edges before a character set is chosen.
type joint struct {
	at           Point
	arms         uint8
	edges, under []int
}

// Cells lists the characters of all edges, each cell once, row by row.
func (l *Layout) Cells(c Charset) []Cell {
	cells := make([]Cell, len(l.cells))
	for i, j := range l.cells {
		cells[i] = Cell{X: j.at.X, Y: j.at.Y, Rune: c.line(j.arms), Edges: j.edges, Under: j.under}
		switch {
		case j.arms&arrow != 0:
			cells[i].Rune, cells[i].Arrow = c.head(l.Dir), true
		case len(j.under) > 0:
			cells[i].beneath = c.line(horizontal)
		}
	}
	return cells
}

// A stroke is what one edge draws in one cell.
type stroke struct {
	at   Point
	edge int
	arms uint8
}

// rasterize turns routes into cells and counts those in which lines cross.
func rasterize(l *Layout) ([]joint, int) {
	var strokes []stroke
	for i, route := range l.Routes {
		if len(route) > 0 {
			strokes = appendStrokes(strokes, i, route, l.Dir)
		}
	}
	slices.SortFunc(strokes, func(a, b stroke) int {
		return cmp.Or(cmp.Compare(a.at.Y, b.at.Y), cmp.Compare(a.at.X, b.at.X), cmp.Compare(a.edge, b.edge))
	})
	ids := make([]int, 0, len(strokes))
	var joints []joint
	crossings := 0
	for i := 0; i < len(strokes); {
		j := i + 1
		for j < len(strokes) && strokes[j].at == strokes[i].at {
			j++
		}
		here := joint{at: strokes[i].at}
		here.arms, ids = merge(&here, strokes[i:j], ids)
		if len(here.under) > 0 {
			crossings++
		}
		joints = append(joints, here)
		i = j
	}
	return joints, crossings
}

// merge joins the strokes of one cell, unless all of them run straight and in both ways: then they cross.
// The edges' indices are appended to ids.
func merge(here *joint, strokes []stroke, ids []int) (uint8, []int) {
	var all uint8
	turns, down, over := false, false, false
	for _, s := range strokes {
		all |= s.arms
		down = down || s.arms == vertical
		over = over || s.arms == horizontal
		turns = turns || s.arms != vertical && s.arms != horizontal
	}
	take := func(want func(uint8) bool) []int {
		from := len(ids)
		for _, s := range strokes {
			if want(s.arms) {
				ids = append(ids, s.edge)
			}
		}
		return ids[from:len(ids):len(ids)]
	}
	if turns || !down || !over {
		here.edges = take(func(uint8) bool { return true })
		return all, ids
	}
	here.edges = take(func(arms uint8) bool { return arms == vertical })
	here.under = take(func(arms uint8) bool { return arms == horizontal })
	return vertical, ids
}

// appendStrokes walks along a route. Its first cell reaches back to the source, its last one on to the
// target.
func appendStrokes(strokes []stroke, edge int, route []Point, dir Direction) []stroke {
	in, out := uint8(west), uint8(east)
	if dir == TopDown {
		in, out = north, south
	}
	from := in
	at := route[0]
	for _, to := range route[1:] {
		for at != to {
			next, leave, enter := at, uint8(0), uint8(0)
			switch {
			case to.X > at.X:
				next.X, leave, enter = at.X+1, east, west
			case to.X < at.X:
				next.X, leave, enter = at.X-1, west, east
			case to.Y > at.Y:
				next.Y, leave, enter = at.Y+1, south, north
			default:
				next.Y, leave, enter = at.Y-1, north, south
			}
			strokes = append(strokes, stroke{at, edge, from | leave})
			at, from = next, enter
		}
	}
	return append(strokes, stroke{at, edge, from | out | arrow})
}
