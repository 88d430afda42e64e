package dag

import "slices"

// At finds the node whose box covers a cell.
func (l *Layout) At(x, y int) (node int, ok bool) {
	for i, b := range l.Boxes {
		if x >= b.X && x < b.X+b.W && y >= b.Y && y < b.Y+b.H {
			return i, true
		}
	}
	return 0, false
}

// Pan moves a window of w by h cells, whose top left corner is at prev, as little as needed to show a
// node's whole box. A box larger than the window shows its top left corner. The window never leaves the
// drawing further than it must.
func (l *Layout) Pan(node, w, h int, prev Point) Point {
	if node < 0 || node >= len(l.Boxes) {
		return Point{slide(prev.X, 0, 0, w, l.Width), slide(prev.Y, 0, 0, h, l.Height)}
	}
	b := l.Boxes[node]
	return Point{slide(prev.X, b.X, b.W, w, l.Width), slide(prev.Y, b.Y, b.H, h, l.Height)}
}

// slide moves a window of the given width on one axis to show size cells at from; size 0 asks for nothing.
func slide(at, from, size, window, total int) int {
	if size > 0 {
		at = min(max(at, from+size-window), from)
	}
	return max(0, min(at, total-window))
}

// Side is a way to move on the screen.
type Side int

// The sides.
const (
	Up Side = iota
	Down
	Left
	Right
)

// Neighbour finds the node that a key press towards a side leads to from a node. Along the flow that is, of
// the nodes which an edge connects it with, one of the nearest layer, the most nearly level of them; across
// the flow it is the nearest box that lies more on that side than along the flow. Where there is none, it
// is the nearest box that lies wholly on that side; ok is false when nothing does.
func (l *Layout) Neighbour(node int, to Side) (next int, ok bool) {
	if node < 0 || node >= len(l.Boxes) {
		return 0, false
	}
	forward, backward := Right, Left
	if l.Dir == TopDown {
		forward, backward = Down, Up
	}
	joined := l.joined(node, to == forward)
	if to == forward || to == backward {
		next, ok = l.nearest(node, to, func(i int, r relation) (int, bool) {
			layers := distance(l.Boxes[i].Layer, l.Boxes[node].Layer)
			return layers<<20 + r.level, slices.Contains(joined, i)
		})
	} else {
		next, ok = l.nearest(node, to, func(_ int, r relation) (int, bool) {
			return r.ahead + 2*r.aside, r.ahead >= r.aside
		})
	}
	if ok {
		return next, true
	}
	return l.nearest(node, to, func(_ int, r relation) (int, bool) {
		return r.ahead + 2*r.aside, r.gap >= 0
	})
}

// A relation is where a box lies, seen from another towards a side, in units of half a column; a row is as
// high as two columns are wide.
type relation struct {
	ahead int // from centre to centre, negative behind
	gap   int // from edge to edge ahead, negative where they overlap
	aside int // from edge to edge across, 0 where they overlap
	level int // from centre to centre across
}

func relate(b, c Box, to Side) relation {
	const column, row = 2, 2 * 2
	x := relation{
		ahead: (2*c.X + c.W - 2*b.X - b.W) * column / 2, gap: (c.X - b.X - b.W) * column,
		aside: apart(b.Y, b.H, c.Y, c.H) * row, level: distance(2*c.Y+c.H, 2*b.Y+b.H) * row / 2,
	}
	y := relation{
		ahead: (2*c.Y + c.H - 2*b.Y - b.H) * row / 2, gap: (c.Y - b.Y - b.H) * row,
		aside: apart(b.X, b.W, c.X, c.W) * column, level: distance(2*c.X+c.W, 2*b.X+b.W) * column / 2,
	}
	switch to {
	case Right:
		return x
	case Left:
		x.ahead, x.gap = -x.ahead, (b.X-c.X-c.W)*column
		return x
	case Up:
		y.ahead, y.gap = -y.ahead, (b.Y-c.Y-c.H)*row
	default:
	}
	return y
}

// nearest picks, of the boxes ahead that the cost allows, the one with the least.
func (l *Layout) nearest(node int, to Side, cost func(i int, r relation) (int, bool)) (int, bool) {
	best, least := -1, 0
	for i, c := range l.Boxes {
		r := relate(l.Boxes[node], c, to)
		if r.ahead <= 0 {
			continue
		}
		if n, ok := cost(i, r); ok && (best < 0 || n < least) {
			best, least = i, n
		}
	}
	return best, best >= 0
}

// apart is the number of cells between two spans, 0 when they overlap.
func apart(a, aSize, b, bSize int) int { return max(0, a-(b+bSize), b-(a+aSize)) }

// joined lists the nodes that a node feeds, or those that feed it.
func (l *Layout) joined(node int, fed bool) []int {
	var s []int
	for _, e := range l.graph.Edges {
		switch {
		case !l.graph.valid(e):
		case fed && e.From == node:
			s = append(s, e.To)
		case !fed && e.To == node:
			s = append(s, e.From)
		}
	}
	return s
}
