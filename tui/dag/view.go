package dag

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

// Neighbour finds the node that a key press towards a side leads to from a node: along the flow the nearest
// of the nodes that an edge connects it with, or else the nearest box on that side; across the flow the
// nearest box. ok is false when nothing lies there.
func (l *Layout) Neighbour(node int, to Side) (next int, ok bool) {
	if node < 0 || node >= len(l.Boxes) {
		return 0, false
	}
	forward, backward := Right, Left
	if l.Dir == TopDown {
		forward, backward = Down, Up
	}
	if to == forward || to == backward {
		if next, ok = l.nearest(node, to, l.joined(node, to == forward)); ok {
			return next, true
		}
	}
	all := make([]int, len(l.Boxes))
	for i := range all {
		all[i] = i
	}
	return l.nearest(node, to, all)
}

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

// nearest picks the box that begins nearest on a side; what lies aside counts more than what lies far.
func (l *Layout) nearest(node int, to Side, among []int) (int, bool) {
	const rowsToCells, asideFactor = 2, 3 // a row is about as high as two columns are wide
	b := l.Boxes[node]
	best, least := -1, 0
	for _, i := range among {
		c := l.Boxes[i]
		dx, dy := (2*c.X+c.W)-(2*b.X+b.W), (2*c.Y+c.H)-(2*b.Y+b.H) // doubled distances of the centres
		var ahead, cost int
		switch to {
		case Up, Down:
			ahead = dy
			cost = distance(dy, 0)*rowsToCells + asideFactor*apart(b.X, b.W, c.X, c.W)*2
		default:
			ahead = dx
			cost = distance(dx, 0) + asideFactor*apart(b.Y, b.H, c.Y, c.H)*2*rowsToCells
		}
		if to == Up || to == Left {
			ahead = -ahead
		}
		if ahead > 0 && (best < 0 || cost < least) {
			best, least = i, cost
		}
	}
	return best, best >= 0
}

// apart is the number of cells between two spans, 0 when they overlap.
func apart(a, aSize, b, bSize int) int { return max(0, a-(b+bSize), b-(a+aSize)) }
