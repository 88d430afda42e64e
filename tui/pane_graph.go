package tui

import (
	"slices"

	"culprit/flinkapi"
	"culprit/tui/dag"
)

// graphPane shows the job: as a graph where that says more, else as a list of its vertices.
type graphPane struct {
	view    graphView
	zoom    zoom
	folding folding
	// opened are the vertices whose stretches were opened one by one.
	opened map[flinkapi.VertexID]bool
	// corner is the upper left cell of the window on a graph that is larger than the pane; loose is set where
	// it was moved by hand, so that it no longer goes where the selection is.
	corner dag.Point
	loose  bool
	// bare leaves the small map of a large graph out.
	bare   bool
	placed placement
	// scroll is the window on the list.
	scroll scroll
}

// graphView says which of graph and list is shown.
type graphView uint8

const (
	viewAuto graphView = iota
	viewGraph
	viewList
)

// need lays the job out in all the room that there is, and returns the rows that it takes with some air
// around it.
func (p *graphPane) need(sc *scene, room Rect, th *Theme) int {
	all := sc.vertices()
	if len(all) == 0 {
		p.placed = placement{}
		return 0
	}
	p.place(sc, all, room, th)
	if p.graphWanted() {
		return p.placed.layout.Height + 2
	}
	return len(all) + 1
}

// graphWanted tells whether the graph is shown where there is one.
func (p *graphPane) graphWanted() bool {
	return p.view == viewGraph || p.view == viewAuto && p.placed.best
}

// asGraph tells whether the graph is shown.
func (p *graphPane) asGraph(sc *scene) bool {
	return p.placed.layout != nil && len(p.placed.of) == len(sc.vertices()) && p.graphWanted()
}

// Key moves the selection or the window, or changes how the graph is drawn.
func (p *graphPane) Key(a ActionID, sc *scene, r Rect, _ *Theme) bool {
	if by, ok := panSteps()[a]; ok {
		return p.pan(sc, r, by)
	}
	if p.redraw(a, sc) {
		return true
	}
	p.loose = false // what moves the selection brings it in sight
	switch {
	case a == ActionFollow:
		return p.follow(sc)
	case a == ActionNextMatch, a == ActionPreviousMatch:
		return p.toMatch(a == ActionNextMatch, sc)
	case p.asGraph(sc) && sc.typing && (a == ActionUp || a == ActionDown):
		return p.toMatch(a == ActionDown, sc)
	case p.asGraph(sc):
		return p.move(a, sc)
	case a == ActionNext, a == ActionPrevious:
		return stepVertex(a, sc)
	}
	rows := listRows(sc, dag.Unicode)
	i, ok := moved(sideways(a), rowOf(rows, sc.selected), len(rows), r.H-1)
	if len(rows) > 0 {
		sc.selected = rows[i].vertex.ID
	}
	return ok
}

// redraw changes how the job is drawn, where the action asks for that. What was asked for by hand stays until
// it is given back.
func (p *graphPane) redraw(a ActionID, sc *scene) bool {
	shown := p.asGraph(sc)
	switch a {
	case ActionView:
		p.view = viewGraph
		if shown {
			p.view = viewList
		}
		if p.graphWanted() == p.placed.best {
			p.view = viewAuto
		}
	case ActionMap:
		p.bare = !p.bare
		sc.note = p.mapNote(sc)
	case ActionFit:
		*p = graphPane{placed: p.placed, scroll: p.scroll, bare: p.bare, corner: p.corner}
	case ActionFold:
		p.view, p.loose = viewGraph, false
		p.fold(sc)
	case ActionZoomIn, ActionZoomOut:
		p.view, p.loose = viewGraph, false
		if shown { // else the first press shows the graph as it is
			p.zoom = p.placed.zoom.beside(a == ActionZoomIn)
		}
	default:
		return false
	}
	return true
}

// fold opens all stretches where one is drawn as one box, else it makes one box of each.
func (p *graphPane) fold(sc *scene) {
	folded := slices.ContainsFunc(p.placed.items, item.folded)
	p.opened, p.folding = nil, foldAll
	if folded {
		p.folding = foldNone
		return
	}
	if all := sc.vertices(); len(stretchesOf(all, edgesOf(sc.job(), all), nil)) == 0 {
		sc.note = "no victims stand in a line"
	}
}

// unfold opens the stretch that the selected vertex is in, at the zoom that there is.
func (p *graphPane) unfold(sc *scene) bool {
	at := p.selectedItem(sc)
	if !p.asGraph(sc) || at < 0 || !p.placed.items[at].folded() {
		return false
	}
	opened := map[flinkapi.VertexID]bool{}
	for id := range p.opened {
		opened[id] = true
	}
	all := sc.vertices()
	for _, v := range p.placed.items[at].members {
		opened[all[v].vertex.ID] = true
	}
	p.opened, p.zoom, p.view = opened, p.placed.zoom, viewGraph
	return true
}

// follow selects the culprit.
func (p *graphPane) follow(sc *scene) bool {
	c := sc.culprit()
	if c == nil {
		sc.note = "no culprit is named now; the next one will be followed"
		return false
	}
	sc.selected = c.Vertex.ID
	return true
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

// move selects a neighbour on the graph, or the next box in the order of the data.
func (p *graphPane) move(a ActionID, sc *scene) bool {
	all, n := sc.vertices(), len(p.placed.items)
	at := max(p.selectedItem(sc), 0)
	side, ok := map[ActionID]dag.Side{
		ActionUp: dag.Up, ActionDown: dag.Down, ActionLeft: dag.Left, ActionRight: dag.Right,
	}[a]
	switch {
	case ok:
		if at, ok = p.placed.layout.Neighbour(at, side); !ok {
			return false
		}
	case a == ActionNext:
		at = (at + 1) % n
	case a == ActionPrevious:
		at = (at + n - 1) % n
	case a == ActionTop:
		at = 0
	case a == ActionBottom:
		at = n - 1
	default:
		return false
	}
	sc.selected = all[p.placed.items[at].lead(all)].vertex.ID
	return true
}

// toMatch selects the next or the previous vertex whose name passes the filter.
func (p *graphPane) toMatch(forward bool, sc *scene) bool {
	all := sc.vertices()
	if sc.filter == "" {
		sc.note = "type / and a part of a name first"
		return false
	}
	step := 1
	if !forward {
		step = len(all) - 1
	}
	at := indexOf(all, sc.selected)
	for range all {
		at = (at + step) % len(all)
		if sc.matches(all[at].vertex.Name) {
			sc.selected = all[at].vertex.ID
			return true
		}
	}
	return false
}

// Draw returns the graph or the list, with the selection in sight, after need has laid it out.
func (p *graphPane) Draw(sc *scene, r Rect, th *Theme) []string {
	switch {
	case r.empty():
		return nil
	case len(sc.vertices()) == 0:
		return th.fillRect([]line{{say(toneDim, sc.emptyWord())}}, r)
	case p.asGraph(sc):
		return p.drawGraph(sc, r, th)
	case len(sc.shownVertices()) == 0:
		return th.fillRect([]line{{say(toneDim, sc.emptyWord())}}, r)
	}
	return drawList(sc, r, &p.scroll, th)
}

// shownVertices are the vertices that pass the filter.
func (sc *scene) shownVertices() []vertexView {
	all := sc.vertices()
	if sc.filter == "" {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(v vertexView) bool { return !sc.matches(v.vertex.Name) })
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
