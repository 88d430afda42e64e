package tui

import (
	"hash/fnv"
	"slices"

	"culprit/flinkapi"
	"culprit/tui/dag"
)

// graphPane shows the job: as a graph where that fits, else as a list of its vertices.
type graphPane struct {
	// flipped shows the other one of the two.
	flipped bool
	// corner is the upper left cell of the window on a graph that is larger than the pane.
	corner dag.Point
	// placed is the layout in use. It depends on the shape of the job and the size of the pane alone, not on
	// numbers, so that nothing moves from one look to the next.
	placed placement
	// scroll is the window on the list.
	scroll scroll
}

// placement is a layout with what it was made for.
type placement struct {
	key    placementKey
	style  boxStyle
	layout *dag.Layout
	fits   bool
}

type placementKey struct {
	shape   uint64
	w, h    int
	charset dag.Charset
}

// need lays the job out in all the room that there is, and returns the rows that it takes with some air
// around it.
func (p *graphPane) need(sc *scene, room Rect, th *Theme) int {
	all := sc.vertices()
	if len(all) == 0 {
		p.placed = placement{}
		return 0
	}
	p.place(sc, all, room, th)
	if p.placed.fits != p.flipped {
		return p.placed.layout.Height + 2
	}
	return len(all) + 1
}

// Key moves the selection: by its place on the graph, or through the list.
func (p *graphPane) Key(a ActionID, sc *scene, r Rect, _ *Theme) bool {
	switch a {
	case ActionView:
		p.flipped = !p.flipped
		return true
	case ActionNext, ActionPrevious:
		return stepVertex(a, sc)
	default:
	}
	if p.asGraph(sc) {
		return p.move(a, sc)
	}
	rows := listRows(sc, dag.Unicode)
	i, ok := moved(sideways(a), rowOf(rows, sc.selected), len(rows), r.H-1)
	if len(rows) > 0 {
		sc.selected = rows[i].vertex.ID
	}
	return ok
}

// sideways lets left and right do in a list what up and down do.
func sideways(a ActionID) ActionID {
	switch a {
	case ActionLeft:
		return ActionUp
	case ActionRight:
		return ActionDown
	default:
		return a
	}
}

// move selects the neighbour on the graph.
func (p *graphPane) move(a ActionID, sc *scene) bool {
	all := sc.vertices()
	at := indexOf(all, sc.selected)
	side, ok := map[ActionID]dag.Side{
		ActionUp: dag.Up, ActionDown: dag.Down, ActionLeft: dag.Left, ActionRight: dag.Right,
	}[a]
	switch {
	case ok:
		if at, ok = p.placed.layout.Neighbour(at, side); !ok {
			return false
		}
	case a == ActionTop:
		at = 0
	case a == ActionBottom:
		at = len(all) - 1
	default:
		return false
	}
	sc.selected = all[at].vertex.ID
	return true
}

// asGraph tells whether the graph is shown. Filtering is for the list.
func (p *graphPane) asGraph(sc *scene) bool {
	l := p.placed.layout
	if l == nil || len(l.Boxes) != len(sc.vertices()) || sc.filter != "" || sc.typing {
		return false
	}
	return p.placed.fits != p.flipped
}

// Draw returns the graph or the list, with the selection in sight, after need has laid it out.
func (p *graphPane) Draw(sc *scene, r Rect, th *Theme) []string {
	switch {
	case r.empty():
		return nil
	case len(sc.shownVertices()) == 0:
		return th.fillRect([]line{{say(toneDim, sc.emptyWord())}}, r)
	case p.asGraph(sc):
		return p.drawGraph(sc, r, th)
	}
	return drawList(sc, r, &p.scroll, th)
}

// place lays the job out in the best style that fits, from left to right before from top to bottom; where
// none fits, in the smallest. Boxes that leave something out are worth it only where they show how the job
// branches: of a plain chain the list says more.
func (p *graphPane) place(sc *scene, all []vertexView, r Rect, th *Theme) {
	edges := edgesOf(sc.job(), all)
	key := placementKey{shapeOf(all, edges), r.W, r.H, th.charset()}
	if p.placed.layout != nil && p.placed.key == key {
		return
	}
	before := p.placed.layout
	branches := branched(edges)
	for _, dir := range []dag.Direction{dag.LeftRight, dag.TopDown} {
		for _, style := range boxStyles() {
			l := dag.New(graphOf(all, edges, style, th), dag.Options{Dir: dir, MaxW: r.W, MaxH: r.H, Prev: before})
			p.placed = placement{key, style, l, l.Fits(r.W, r.H) && (branches || style.shape.whole())}
			if l.Fits(r.W, r.H) {
				return
			}
		}
	}
	style := boxStyles()[len(boxStyles())-1]
	p.placed.layout = dag.New(graphOf(all, edges, style, th), dag.Options{Dir: dag.LeftRight, Prev: before})
}

// branched tells whether some vertex has several inputs or outputs.
func branched(edges []dag.Edge) bool {
	from, to := map[int]bool{}, map[int]bool{}
	for _, e := range edges {
		if from[e.From] || to[e.To] {
			return true
		}
		from[e.From], to[e.To] = true, true
	}
	return false
}

// graphOf is the job as boxes in a style.
func graphOf(all []vertexView, edges []dag.Edge, style boxStyle, th *Theme) dag.Graph {
	g := dag.Graph{Edges: edges, Nodes: make([]dag.Node, len(all))}
	for i, v := range all {
		w, h := style.size(v, &th.glyphs)
		g.Nodes[i] = dag.Node{ID: string(v.vertex.ID), W: w, H: h}
	}
	return g
}

// edgesOf are the job's edges by the indices of their vertices; an edge to a vertex that is not there is left
// out.
func edgesOf(job *flinkapi.Job, all []vertexView) []dag.Edge {
	at := make(map[flinkapi.VertexID]int, len(all))
	for i, v := range all {
		at[v.vertex.ID] = i
	}
	var out []dag.Edge
	for _, e := range job.Edges {
		from, okFrom := at[e.From]
		to, okTo := at[e.To]
		if edge := (dag.Edge{From: from, To: to}); okFrom && okTo && !slices.Contains(out, edge) {
			out = append(out, edge)
		}
	}
	return out
}

// shapeOf sums up all that a layout depends on.
func shapeOf(all []vertexView, edges []dag.Edge) uint64 {
	h := fnv.New64a()
	write := func(texts ...string) {
		for _, t := range texts {
			_, _ = h.Write(append([]byte(t), 0)) // a hash's Write never fails
		}
	}
	for _, v := range all {
		write(string(v.vertex.ID), v.vertex.Name, timesWord(v))
	}
	for _, e := range edges {
		write(counted(e.From), counted(e.To))
	}
	return h.Sum64()
}

// drawGraph draws edges, then boxes, and cuts out the window.
func (p *graphPane) drawGraph(sc *scene, r Rect, th *Theme) []string {
	all, l := sc.vertices(), p.placed.layout
	at := indexOf(all, sc.selected)
	p.corner = l.Pan(at, r.W, r.H, p.corner)
	window := newCanvas(r.W, r.H, p.corner.X-max(r.W-l.Width, 0)/2, p.corner.Y-max(r.H-l.Height, 0)/2)
	edges := edgesOf(sc.job(), all)
	lit := func(e int) bool { return edges[e].From == at || edges[e].To == at }
	for _, c := range l.Cells(th.charset()) {
		mark, bright := c.Show(lit)
		t := toneDim
		if bright {
			t = toneSelected
		}
		window.put(c.X, c.Y, line{say(t, string(mark))})
	}
	for i, b := range l.Boxes {
		if !window.sees(b.X, b.Y, b.W, b.H) {
			continue
		}
		for y, row := range p.placed.style.lines(all[i], i == at, b.W, b.H, th) {
			window.put(b.X, b.Y+y, row)
		}
	}
	return th.fillRect(window.rows(), r)
}

// shownVertices are the vertices that pass the filter.
func (sc *scene) shownVertices() []vertexView {
	all := sc.vertices()
	if sc.filter == "" {
		return all
	}
	return slices.DeleteFunc(all, func(v vertexView) bool { return !sc.matches(v.vertex.Name) })
}

// emptyWord says why there are no vertices to show.
func (sc *scene) emptyWord() string {
	switch {
	case sc.filter != "":
		return "no vertex is named like this"
	case sc.obs == nil || sc.opening != "":
		return "the job graph comes with the first answer"
	}
	return "the job has no vertices yet"
}

func indexOf(all []vertexView, id flinkapi.VertexID) int {
	return max(slices.IndexFunc(all, func(v vertexView) bool { return v.vertex.ID == id }), 0)
}
