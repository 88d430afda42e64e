package tui

import "culprit/tui/dag"

// The size of the small map, borders included, and that of the pane from which on there is one.
const (
	mapW, mapH         = 26, 8
	mapFromW, mapFromH = 60, 12
)

// drawMap shows the whole graph in a corner: the window as a grey field, culprits and the selected vertex by
// their signs. It keeps off the box that is selected.
func (p *graphPane) drawMap(c *canvas, s sheet, sc *scene, th *Theme) {
	if s.w < mapFromW || s.h < mapFromH {
		return
	}
	l, at := p.placed.layout, p.selectedItem(sc)
	small := shrunk{l.Width, l.Height, mapW - 2, mapH - 2}
	field := newCanvas(small.w, small.h, 0, 0)
	from, to := small.cell(s.origin.X, s.origin.Y), small.cell(s.origin.X+s.w-1, s.origin.Y+s.h-1)
	for y := from.Y; y <= to.Y; y++ {
		for x := from.X; x <= to.X; x++ {
			field.set(x, y, toneTrack, th.empty)
		}
	}
	put := func(i int, t tone, glyph string) {
		b := l.Boxes[i]
		m := small.cell(b.X+b.W/2, b.Y+b.H/2)
		field.set(m.X, m.Y, t, glyph)
	}
	for i := range l.Boxes {
		put(i, toneStrong, th.nobody)
	}
	if at >= 0 {
		put(at, toneSelected, th.pointer)
	}
	all := sc.vertices()
	for _, i := range p.culpritItems(all) {
		put(i, all[p.placed.items[i].lead(all)].grade.name, th.culprit)
	}
	frame := boxed{border: th.thin, tone: toneDim, title: line{say(toneDim, "map")}, rows: field.rows()}
	corner := s.freeCorner(l, at)
	for y, row := range th.box(frame, Rect{W: mapW, H: mapH}) {
		c.put(corner.X, corner.Y+y, row)
	}
}

// freeCorner is the first corner of the window, in cells of the drawing, where the map hides no cell of a
// box; the lower right one where all do.
func (s sheet) freeCorner(l *dag.Layout, node int) dag.Point {
	left, top := s.origin.X, s.origin.Y
	right, bottom := left+s.w-mapW, top+s.h-mapH
	for _, at := range []dag.Point{
		{X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: bottom}, {X: left, Y: top},
	} {
		if node < 0 {
			return at
		}
		b := l.Boxes[node]
		if b.X+b.W <= at.X || b.X >= at.X+mapW || b.Y+b.H <= at.Y || b.Y >= at.Y+mapH {
			return at
		}
	}
	return dag.Point{X: right, Y: bottom}
}

// shrunk maps cells of a drawing to those of a smaller field.
type shrunk struct{ fromW, fromH, w, h int }

func (f shrunk) cell(x, y int) dag.Point {
	return dag.Point{
		X: min(max(x*f.w/max(f.fromW, 1), 0), f.w-1), Y: min(max(y*f.h/max(f.fromH, 1), 0), f.h-1),
	}
}

// mapNote says whether there is a small map now, and why none is seen all the same.
func (p *graphPane) mapNote(sc *scene) string {
	switch at := p.placed.seen; {
	case p.bare:
		return "no small map"
	case !p.asGraph(sc):
		return "a small map, once the graph is shown"
	case p.placed.fits:
		return "a small map, once the graph is larger than the screen: now all of it is in sight"
	case at.w < mapFromW || at.h < mapFromH:
		return "a small map, once there is room for it"
	}
	return "a small map"
}
