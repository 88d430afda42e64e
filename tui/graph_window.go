package tui

import (
	"slices"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui/dag"
)

// sheet is where the drawing lies in the pane: w by h cells, whose upper left one shows the origin.
type sheet struct {
	w, h    int
	origin  dag.Point
	caption bool // a row below says what is in sight
}

// sheet places the window on the drawing: around the selected box, unless the window was moved by hand. A
// drawing that is smaller than the pane stands in its middle.
func (p *graphPane) sheet(sc *scene, r Rect) sheet {
	l := p.placed.layout
	s := sheet{w: r.W, h: r.H}
	s.caption = r.H > minBody && (p.placed.zoom <= zoomLine || !l.Fits(r.W, r.H) || sc.filter != "" || sc.typing)
	if s.caption {
		s.h--
	}
	if at := p.selectedItem(sc); !p.loose && at >= 0 {
		b := l.Boxes[at]
		p.corner.X = centred(p.corner.X, b.X, b.W, s.w)
		p.corner.Y = centred(p.corner.Y, b.Y, b.H, s.h)
	}
	p.corner = l.Pan(-1, s.w, s.h, p.corner)
	above := min(max(r.H-l.Height, 0)/2, max(s.h-l.Height, 0)) // the caption moves it only where it must
	s.origin = dag.Point{X: p.corner.X - max(s.w-l.Width, 0)/2, Y: p.corner.Y - above}
	return s
}

// centred returns where a window of some cells begins that shows size cells at from: where it is, when it
// does, else so that they are in its middle.
func centred(at, from, size, window int) int {
	if from >= at && from+size <= at+window {
		return at
	}
	return from - (window-min(size, window))/2
}

// sees tells whether a part of a box is in the window.
func (s sheet) sees(b dag.Box) bool {
	return b.X < s.origin.X+s.w && b.X+b.W > s.origin.X && b.Y < s.origin.Y+s.h && b.Y+b.H > s.origin.Y
}

// hit finds the box that covers a cell of the window, or is beside it by no more than slack columns.
func (s sheet) hit(l *dag.Layout, x, y, slack int) (node int, ok bool) {
	if x < 0 || y < 0 || x >= s.w || y >= s.h {
		return 0, false
	}
	x, y = x+s.origin.X, y+s.origin.Y
	for d := range slack + 1 {
		for _, at := range []int{x - d, x + d} {
			if node, ok = l.At(at, y); ok {
				return node, true
			}
		}
	}
	return 0, false
}

// Point returns the vertex that is shown at a cell of the pane, counted from its upper left corner.
func (p *graphPane) Point(sc *scene, r Rect, x, y int, th *Theme) (flinkapi.VertexID, bool) {
	if !p.asGraph(sc) {
		rows := listRows(sc, th.charset())
		i, ok := p.listed(len(rows), r, y)
		if !ok {
			return "", false
		}
		return rows[i].vertex.ID, true
	}
	slack := 0
	if p.placed.zoom == zoomDot {
		slack = 1
	}
	node, ok := p.sheet(sc, r).hit(p.placed.layout, x, y, slack)
	if !ok {
		return "", false
	}
	if node == p.selectedItem(sc) {
		return sc.selected, true
	}
	all := sc.vertices()
	return all[p.placed.items[node].lead(all)].vertex.ID, true
}

// Wheel moves the window on a graph, whether it is larger or not, and leaves a list to its rows.
func (p *graphPane) Wheel(sc *scene, r Rect, by dag.Point) bool {
	p.pan(sc, r, by)
	return p.asGraph(sc)
}

// panSteps are the cells by which the keys move the window.
func panSteps() map[ActionID]dag.Point {
	const columns, rows = 16, 5
	return map[ActionID]dag.Point{
		ActionPanLeft: {X: -columns}, ActionPanRight: {X: columns},
		ActionPanUp: {Y: -rows}, ActionPanDown: {Y: rows},
	}
}

// pan moves the window by hand, where the drawing is larger.
func (p *graphPane) pan(sc *scene, r Rect, by dag.Point) bool {
	l := p.placed.layout
	if !p.asGraph(sc) || l.Fits(r.W, r.H) {
		return false
	}
	s := p.sheet(sc, r)
	before := p.corner
	p.corner = l.Pan(-1, s.w, s.h, dag.Point{X: p.corner.X + by.X, Y: p.corner.Y + by.Y})
	p.loose = p.loose || p.corner != before
	return p.corner != before
}

// culpritItems are the boxes of all culprits, in their order.
func (p *graphPane) culpritItems(all []vertexView) []int {
	var out []int
	for i, v := range all {
		if v.state.Role == diagnose.RoleCulprit {
			out = append(out, p.placed.of[i])
		}
	}
	return out
}

// selectedItem is the box of the selected vertex, or -1 where there is none or the job was not laid out yet.
func (p *graphPane) selectedItem(sc *scene) int {
	all := sc.vertices()
	at := slices.IndexFunc(all, func(v vertexView) bool { return v.vertex.ID == sc.selected })
	if at < 0 || len(p.placed.of) != len(all) {
		return -1
	}
	return p.placed.of[at]
}
