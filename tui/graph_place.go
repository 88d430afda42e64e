package tui

import (
	"hash/fnv"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui/dag"
)

// placement is a layout with what it was made for and what its boxes stand for. It depends on the shape of
// the job, on the size of the pane and, where stretches are folded, on who is a victim; on no other numbers,
// so that nothing moves from one look to the next.
type placement struct {
	seen seen
	key  placementKey
	itemized
	zoom    zoom
	style   boxStyle
	layout  *dag.Layout
	cells   []dag.Cell
	strokes []dag.Stroke // by edge, as of the newest look
	// fits is set where the whole drawing is in sight, best where it says more than the list.
	fits, best bool
}

// seen is what a placement was last checked against: while none of it changes, neither does the placement.
type seen struct {
	job     *flinkapi.Job
	report  *diagnose.Report
	w, h    int
	charset dag.Charset
	zoom    zoom
	folding folding
	opened  int
}

type placementKey struct {
	shape   uint64
	w, h    int
	charset dag.Charset
	zoom    zoom
	folding folding
}

// place lays the job out in the best way that fits, from left to right before from top to bottom; where none
// fits, in the smallest.
func (p *graphPane) place(sc *scene, all []vertexView, r Rect, th *Theme) {
	now := seen{sc.job(), sc.report, r.W, r.H, th.charset(), p.zoom, p.folding, len(p.opened)}
	if p.placed.layout != nil && p.placed.seen == now {
		return
	}
	d := draft{all: all, links: edgesOf(sc.job(), all), room: r, th: th, before: p.placed.layout}
	if p.folding != foldNone {
		d.stretches = stretchesOf(all, d.links, p.opened)
	}
	key := placementKey{shapeOf(all, d.links, d.stretches), r.W, r.H, th.charset(), p.zoom, p.folding}
	if p.placed.layout == nil || p.placed.key != key {
		p.placed = d.choose(p.zoom, p.folding)
		p.placed.key, p.placed.cells = key, p.placed.layout.Cells(th.charset())
	}
	p.placed.seen, p.placed.strokes = now, strokesOf(all, p.placed.ends)
}

// draft is what a layout is chosen from.
type draft struct {
	all       []vertexView
	links     []dag.Edge
	stretches [][]int
	room      Rect
	th        *Theme
	before    *dag.Layout
}

// choose takes the first attempt that fits, else the last one.
func (d *draft) choose(z zoom, f folding) placement {
	tries := attempts(z, f)
	plain, folded := itemize(len(d.all), d.links, nil), itemize(len(d.all), d.links, d.stretches)
	var last attempt
	for _, try := range tries {
		if try.folded && len(d.stretches) == 0 && f != foldAll {
			continue
		}
		last = try
		it := plain
		if try.folded {
			it = folded
		}
		for _, dir := range []dag.Direction{dag.LeftRight, dag.TopDown} {
			for _, style := range boxStyles(try.zoom) {
				if p, ok := d.fit(it, try.zoom, style, dir); ok {
					p.best = d.worth(try)
					return p
				}
			}
		}
	}
	it := plain
	if last.folded {
		it = folded
	}
	w, h := d.roomFor(last.zoom)
	style := boxStyles(last.zoom)[0]
	l := dag.New(d.graph(it, style), dag.Options{Dir: dag.LeftRight, MaxW: w, MaxH: h, Prev: d.before})
	return placement{itemized: it, zoom: last.zoom, style: style, layout: l, best: d.vast()}
}

// fit lays the items out in a style when that may fit, and tells whether it does.
func (d *draft) fit(it itemized, z zoom, style boxStyle, dir dag.Direction) (placement, bool) {
	g := d.graph(it, style)
	maxW, maxH := d.roomFor(z)
	if w, h := dag.Least(g, dir); w > maxW || h > maxH {
		return placement{}, false
	}
	l := dag.New(g, dag.Options{Dir: dir, MaxW: maxW, MaxH: maxH, Prev: d.before})
	d.before = l // the next attempt keeps the order, which is most of the work
	return placement{itemized: it, zoom: z, style: style, layout: l, fits: true}, l.Fits(maxW, maxH)
}

// roomFor is the room for the drawing: what has no boxes has a caption below.
func (d *draft) roomFor(z zoom) (w, h int) {
	if z <= zoomLine {
		return d.room.W, max(d.room.H-1, 1)
	}
	return d.room.W, d.room.H
}

// worth tells whether a graph says more than the list. What leaves something out is worth it only where it
// shows how the job branches: of a plain chain the list says more. Dots have no names; they are worth it
// where a third of the list would be out of sight.
func (d *draft) worth(try attempt) bool {
	if !branched(d.links) {
		return try.zoom == zoomFull && !try.folded
	}
	return try.zoom > zoomDot || 2*len(d.all) > 3*d.room.H
}

// vast tells whether the job is so large that even a part of the graph, with the small map beside it, tells
// more than the part of the list that is in sight.
func (d *draft) vast() bool {
	return branched(d.links) && len(d.all) > 3*d.room.H && d.room.W >= mapFromW && d.room.H >= mapFromH
}

// graph is the items as boxes in a style.
func (d *draft) graph(it itemized, style boxStyle) dag.Graph {
	g := dag.Graph{Edges: it.edges, Nodes: make([]dag.Node, len(it.items))}
	for i, one := range it.items {
		w, h := style.size(faceOf(one, d.all), &d.th.glyphs)
		g.Nodes[i] = dag.Node{ID: string(d.all[one.members[0]].vertex.ID), W: w, H: h}
	}
	return g
}

// shapeOf sums up all that a layout depends on.
func shapeOf(all []vertexView, edges []dag.Edge, stretches [][]int) uint64 {
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
	for _, s := range stretches {
		write("stretch")
		for _, v := range s {
			write(string(all[v].vertex.ID))
		}
	}
	return h.Sum64()
}
