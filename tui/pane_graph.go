package tui

import "culprit/flinkapi"

// graphPane shows the vertices of the job, as a list.
type graphPane struct{}

// Key moves the selection.
func (p *graphPane) Key(a ActionID, sc *scene, _ Rect, _ *Theme) bool {
	shown := sc.shownVertices()
	i := indexOf(shown, sc.selected)
	switch a {
	case ActionUp, ActionLeft, ActionPrevious:
		i--
	case ActionDown, ActionRight, ActionNext:
		i++
	case ActionTop:
		i = 0
	case ActionBottom:
		i = len(shown) - 1
	default:
		return false
	}
	if len(shown) == 0 {
		return false
	}
	sc.selected = shown[min(max(i, 0), len(shown)-1)].vertex.ID
	return true
}

// Draw returns the list, scrolled so that the selection is visible.
func (p *graphPane) Draw(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	shown := sc.shownVertices()
	if len(shown) == 0 {
		return th.fillRect([]line{{say(toneDim, sc.emptyWord())}}, r)
	}
	columns := columnsFor(r.W)
	at := indexOf(shown, sc.selected)
	from := scrollTo(at, len(shown), r.H)
	var rows []line
	for _, v := range shown[from:min(from+r.H, len(shown))] {
		rows = append(rows, listRow(v, v.vertex.ID == sc.selected, columns, th))
	}
	return th.fillRect(rows, r)
}

// shownVertices are the vertices that pass the filter.
func (sc *scene) shownVertices() []vertexView {
	all := sc.vertices()
	if sc.filter == "" {
		return all
	}
	var out []vertexView
	for _, v := range all {
		if sc.matches(v.vertex.Name) {
			out = append(out, v)
		}
	}
	return out
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
	for i, v := range all {
		if v.vertex.ID == id {
			return i
		}
	}
	return 0
}

// scrollTo returns the first of n rows to show in h so that row at is visible, in the middle where it can be.
func scrollTo(at, n, h int) int {
	if n <= h {
		return 0
	}
	return min(max(at-h/2, 0), n-h)
}
