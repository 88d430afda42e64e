package tui

import (
	"fmt"
	"slices"
	"strings"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui/dag"
)

// listedVertex is a row of the list: a vertex with the rails that show where it hangs.
type listedVertex struct {
	vertexView
	rails string
}

// listRows are the vertices that pass the filter, every one after what feeds it.
func listRows(sc *scene, charset dag.Charset) []listedVertex {
	all := sc.vertices()
	if len(all) == 0 {
		return nil
	}
	var out []listedVertex
	g := dag.Graph{Nodes: make([]dag.Node, len(all)), Edges: edgesOf(sc.job(), all)}
	for _, row := range dag.ListRows(g, charset) {
		if v := all[row.Node]; sc.matches(v.vertex.Name) {
			out = append(out, listedVertex{v, row.Prefix})
		}
	}
	if sc.filter != "" { // rails of rows that are not shown lead nowhere
		for i := range out {
			out[i].rails = ""
		}
	}
	return out
}

func rowOf(rows []listedVertex, id flinkapi.VertexID) int {
	return max(slices.IndexFunc(rows, func(v listedVertex) bool { return v.vertex.ID == id }), 0)
}

// headed tells whether a list of n rows has a row for the names of its columns.
func headed(n int, r Rect) bool { return columnsFor(r.W, roleWidth).shares && r.H > min(n, 4) }

// moreRows tells whether a list of n rows that has no head needs a row that says how many are out of sight.
func moreRows(n int, r Rect) bool { return n > r.H && r.H > minBody }

// listed is the row of n that is shown in line y of the pane.
func (p *graphPane) listed(n int, r Rect, y int) (int, bool) {
	if headed(n, r) {
		y--
	}
	above, _ := p.scroll.hidden()
	if !headed(n, r) && moreRows(n, r) {
		r.H-- // of what is out of sight
	}
	return above + y, y >= 0 && y < r.H && above+y < n
}

// drawList returns the list, scrolled so that the selection is visible.
func drawList(sc *scene, r Rect, window *scroll, th *Theme) []string {
	shown, role := listRows(sc, th.charset()), roleWidth
	for _, v := range shown {
		if columnsFor(r.W, roleWidth).shares { // else the names need the room more
			role = max(role, v.look(th).width())
		}
	}
	columns := columnsFor(r.W, role)
	at := rowOf(shown, sc.selected)
	paint := func(i int) string {
		return th.paint(columns.line(shown[i], shown[i].vertex.ID == sc.selected, th), r.W)
	}
	if !headed(len(shown), r) {
		if !moreRows(len(shown), r) {
			return window.around(len(shown), at, r.W, r.H, paint)
		}
		list := window.around(len(shown), at, r.W, r.H-1, paint)
		above, below := window.hidden()
		text := fmt.Sprintf("  %d of %d vertices: %s %d above, %s %d below", len(shown)-above-below, len(shown),
			th.up, above, th.down, below)
		return append(list, th.paint(line{say(toneKey, text)}, r.W))
	}
	list := window.around(len(shown), at, r.W, r.H-1, paint)
	title := strings.TrimSpace("vertex " + window.part())
	if whole := title + "  (shares: the largest of any subtask)"; cells(whole) < columns.name {
		title = whole
	}
	head := columns.head(title, th)
	return append([]string{th.paint(head, r.W)}, list...)
}

// poolUsage is the mean usage of a vertex's input or output buffers.
func poolUsage(v vertexView, input bool) string {
	signal := flinkapi.OutPoolUsage
	if input {
		signal = flinkapi.InPoolUsage
	}
	return percent(v.vertex.Spread[signal].Max)
}

// dominant is the share that says most about a vertex: what it does with most of its time.
func dominant(of vertexView) (name string, v flinkapi.Value, t tone) {
	s := of.state
	name, v, t = "busy", s.Busy, busyTone(of)
	if s.Role == diagnose.RoleCulprit {
		return name, v, t
	}
	if s.Backpressured.IsKnown() && s.Backpressured.Or(0) > v.Or(0) {
		name, v, t = "bp", s.Backpressured, toneBack
	}
	if s.Idle.IsKnown() && s.Idle.Or(0) > v.Or(0) {
		name, v, t = "idle", s.Idle, toneIdle
	}
	if !v.IsKnown() {
		t = toneDim
	}
	return name, v, t
}

// vertexColumns says which columns a list of w cells has room for. The narrowest shows one share, the
// largest, by name.
type vertexColumns struct {
	name, meter, back, role   int
	parallelism, shares, rate bool
}

const (
	roleWidth  = 11 // sign, blank and the longest role
	shareWidth = percentWidth + 2
)

func columnsFor(w, role int) vertexColumns {
	c := vertexColumns{role: role, shares: w >= 72, parallelism: w >= 52, rate: w >= 46, back: shareWidth}
	fixed := 2 + 1 + 2 + role
	if c.shares {
		if w >= 100 {
			c.back = cells(backWord) + 2
			c.meter = min(max((w-76+roleWidth-role)/3, 11), 30)
			fixed += c.meter + 1
		}
		fixed += 2*shareWidth + c.back
	} else {
		fixed += shareWidth + 4
	}
	if c.parallelism {
		fixed += 6
	}
	if c.rate {
		fixed += rateWidth + 2
	}
	c.name = max(w-fixed, 6)
	return c
}

const backWord = "backpressured"

// head names the columns of a list that shows all shares; what has a word in each row needs none.
func (c vertexColumns) head(title string, th *Theme) line {
	text := "  " + pad(title, c.name, th.ellipsis) + " "
	if c.parallelism {
		text += blank(6)
	}
	if c.meter > 0 {
		text += pad(th.fill+" busy "+th.pressed+" bp", c.meter+1, "")
	}
	back := "bp"
	if c.back > shareWidth {
		back = backWord
	}
	text += right("busy", shareWidth) + right(back, c.back) + right("idle", shareWidth)
	if c.rate {
		text += right("records", rateWidth+2)
	}
	return line{say(toneDim, text)}
}

// line is one vertex.
func (c vertexColumns) line(v listedVertex, selected bool, th *Theme) line {
	role := v.lookIn(c.role, th)
	mark, name := "  ", tonePlain
	if selected {
		mark, name = th.pointer+" ", toneSelected
	}
	if v.state.Role == diagnose.RoleCulprit {
		name = role.tone
	}
	label, value, t := dominant(v.vertexView)
	rails := cut(v.rails, c.name/2, th.ellipsis)
	room := c.name - cells(rails)
	out := line{
		say(toneSelected, mark), say(toneDim, rails),
		say(name, pad(v.name(room, &th.glyphs), room, th.ellipsis)),
	}
	if c.parallelism {
		out = append(out, say(toneDim, padLeft("x"+counted(v.vertex.Parallelism), 6, "")))
	}
	out = append(out, say(tonePlain, " "))
	if c.meter > 0 {
		bar := th.loadBar(v.state.Busy, v.state.Backpressured, c.meter, busyTone(v.vertexView))
		out = append(append(out, bar...), say(tonePlain, " "))
	}
	if c.shares {
		out = append(out,
			say(shareTone(v.state.Busy, toneBusy), right(percent(v.state.Busy), shareWidth)),
			say(shareTone(v.state.Backpressured, toneBack), right(percent(v.state.Backpressured), c.back)),
			say(shareTone(v.state.Idle, toneIdle), right(percent(v.state.Idle), shareWidth)))
	} else {
		out = append(out, say(t, right(label, 4)+right(percent(value), shareWidth)))
	}
	if c.rate {
		records := rate(recordsOf(v.state.RecordsIn, v.state.RecordsOut))
		out = append(out, say(tonePlain, right(records, rateWidth+2)))
	}
	return append(out, say(tonePlain, "  "), role.span())
}

// shareTone colours a share only where it is large enough to mean something.
func shareTone(v flinkapi.Value, t tone) tone {
	if x, ok := v.Float(); ok && x >= 0.5 {
		return t
	}
	return tonePlain
}
