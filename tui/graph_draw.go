package tui

import (
	"fmt"
	"slices"
	"strconv"

	"culprit/diagnose"
	"culprit/tui/dag"
)

// drawGraph draws edges, then boxes, and on top names of dots, the small map and the caption.
func (p *graphPane) drawGraph(sc *scene, r Rect, th *Theme) []string {
	s := p.sheet(sc, r)
	c := newCanvas(s.w, s.h, s.origin.X, s.origin.Y)
	at := p.selectedItem(sc)
	p.drawEdges(c, at)
	all := sc.vertices()
	for i, b := range p.placed.layout.Boxes {
		if !s.sees(b) {
			continue
		}
		f := faceOf(p.placed.items[i], all)
		f.selected, f.matched = i == at, sc.filter != "" && p.matchesIn(i, sc)
		if f.selected && f.members != nil {
			f.hint = sc.hint(ActionOpen, " opens")
		}
		if p.placed.style.shape == boxDot {
			t, glyph := f.dot(th)
			c.set(b.X, b.Y, t, glyph)
			continue
		}
		for y, row := range p.placed.style.lines(f, b.W, b.H, th) {
			c.put(b.X, b.Y+y, row)
		}
	}
	if p.placed.style.shape == boxDot {
		p.drawNames(c, s, sc, th)
	}
	if !p.placed.layout.Fits(s.w, s.h) && !p.bare {
		p.drawMap(c, s, sc, th)
	}
	rows := c.paint(th)
	if s.caption {
		rows = append(rows, th.paint(p.caption(s, sc, r.W, th), r.W))
	}
	return rows
}

// drawEdges draws the edges in sight; those of the selected box are lit.
func (p *graphPane) drawEdges(c *canvas, at int) {
	edges, strokes := p.placed.edges, p.placed.strokes
	pen := func(e int) dag.Pen {
		return dag.Pen{Stroke: strokes[e], Lit: edges[e].From == at || edges[e].To == at}
	}
	for i := range p.placed.cells {
		cell := &p.placed.cells[i]
		if !c.sees(cell.X, cell.Y, 1, 1) {
			continue
		}
		glyph, shown := cell.Draw(pen)
		c.set(cell.X, cell.Y, edgeTone(shown), glyph)
	}
}

// matchesIn tells whether the name of a vertex of an item passes the filter.
func (p *graphPane) matchesIn(i int, sc *scene) bool {
	all := sc.vertices()
	matches := func(v int) bool { return sc.matches(all[v].vertex.Name) }
	return slices.ContainsFunc(p.placed.items[i].members, matches)
}

// caption says which vertex is selected, where the details below do not, and what of the graph is shown.
func (p *graphPane) caption(s sheet, sc *scene, w int, th *Theme) line {
	all := sc.vertices()
	left := line{say(toneDim, fmt.Sprintf("%d vertices as %s", len(all), p.placed.zoom.word()))}
	if p.placed.style.shape == boxBare {
		left[0].text += ": the largest of busy, bp, idle"
	}
	if n := len(p.placed.items); n < len(all) {
		left[0].text += fmt.Sprintf("; %d drawn%s", n, spaced(sc.hint(ActionFold, " draws all")))
	}
	if v, ok := sc.selectedVertex(); ok && !sc.detailed {
		role := v.look(th)
		left = line{
			say(toneSelected, th.pointer+" "), say(role.tone, role.glyph+" "),
			say(toneStrong, v.name(max(w-2*cells(th.pointer+" ")-1, 1), &th.glyphs)),
		}
	}
	return spread(left, p.sight(s, sc, th), w, th.ellipsis)
}

// sight says what cannot be seen: a culprit outside the window, how many match, and how much of the graph is
// out of sight.
func (p *graphPane) sight(s sheet, sc *scene, th *Theme) line {
	all, boxes := sc.vertices(), p.placed.layout.Boxes
	if sc.filter != "" {
		n, nth := 0, 0
		for _, v := range all {
			if sc.matches(v.vertex.Name) {
				n++
				if v.vertex.ID == sc.selected {
					nth = n
				}
			}
		}
		next := say(toneDim, spaced(sc.hint(ActionNextMatch, " next")))
		switch {
		case n == 0:
			return line{say(toneWarn, sc.emptyWord())}
		case nth == 0:
			return line{say(toneNotice, " "+matchWord(n)+" "), next}
		}
		return line{say(toneNotice, fmt.Sprintf(" %d of %s ", nth, matchWord(n))), next}
	}
	lead := func(i int) vertexView { return all[p.placed.items[i].lead(all)] }
	seen := func(i int) bool { return s.sees(boxes[i]) }
	if out := slices.DeleteFunc(p.culpritItems(all), seen); len(out) > 0 {
		return line{
			say(lead(out[0]).look(th).tone, th.culprit+" culprit "+s.towards(boxes[out[0]])),
			say(toneDim, spaced(sc.hint(ActionFollow, " goes there"))),
		}
	}
	n := 0
	for i, b := range boxes {
		if s.sees(b) {
			n += len(p.placed.items[i].members)
		}
	}
	if n < len(all) {
		return line{say(toneDim, strconv.Itoa(n)+" in sight"+spaced(sc.panHint()))}
	}
	return line{say(toneDim, hints(sc.hint(ActionZoomIn, " larger"), sc.hint(ActionView, " list")))}
}

func matchWord(n int) string {
	if n == 1 {
		return "1 match"
	}
	return fmt.Sprintf("%d matches", n)
}

// towards says on which side of the window a box lies that is not in it.
func (s sheet) towards(b dag.Box) string {
	switch {
	case b.X >= s.origin.X+s.w:
		return "is to the right"
	case b.X+b.W <= s.origin.X:
		return "is to the left"
	case b.Y >= s.origin.Y+s.h:
		return "is below"
	}
	return "is above"
}

// nameCells is the most that a name beside a dot takes.
const nameCells = 28

// drawNames writes the names of the dots that matter: the culprits', the selected one's, and those that
// match. A name stands where it hides no dot and few lines; where there is no such place it is left out.
func (p *graphPane) drawNames(c *canvas, s sheet, sc *scene, th *Theme) {
	all, boxes := sc.vertices(), p.placed.layout.Boxes
	taken := slices.DeleteFunc(slices.Clone(boxes), func(b dag.Box) bool { return !s.sees(b) })
	named := map[int]bool{}
	name := func(i int, l line) {
		if named[i] || !s.sees(boxes[i]) {
			return
		}
		named[i] = true
		if at, ok := s.beside(boxes[i], min(l.width(), s.w), taken, c); ok {
			c.put(at.X, at.Y, l)
			taken = append(taken, dag.Box{X: at.X, Y: at.Y, W: l.width(), H: 1})
		}
	}
	at := p.selectedItem(sc)
	for _, i := range p.culpritItems(all) {
		mark := " "
		if i == at {
			mark = th.pointer + " "
		}
		v := all[p.placed.items[i].lead(all)]
		name(i, line{say(v.grade.name, mark+th.culprit+" "+v.name(nameCells, &th.glyphs)+" ")})
	}
	if at >= 0 {
		f := faceOf(p.placed.items[at], all)
		name(at, line{say(toneSelected, th.pointer+" "+f.title(nameCells, &th.glyphs)+" ")})
	}
	for i := range boxes {
		if sc.filter != "" && p.matchesIn(i, sc) {
			f := faceOf(p.placed.items[i], all)
			name(i, line{say(toneNotice, " "+f.title(nameCells/2, &th.glyphs)+" ")})
		}
	}
}

// beside finds a place of w cells near a box, in cells of the drawing, that covers none of the taken boxes
// and as little as can be of the rest.
func (s sheet) beside(b dag.Box, w int, taken []dag.Box, c *canvas) (dag.Point, bool) {
	best, least := dag.Point{}, -1
	for _, at := range []dag.Point{
		{X: b.X - w/2, Y: b.Y + 1},
		{X: b.X - w/2, Y: b.Y - 1},
		{X: b.X + 2, Y: b.Y},
		{X: b.X - w - 1, Y: b.Y},
		{X: b.X, Y: b.Y + 1},
		{X: b.X, Y: b.Y - 1},
		{X: b.X - w + 1, Y: b.Y + 1},
		{X: b.X - w + 1, Y: b.Y - 1},
		{X: b.X - w/2, Y: b.Y + 2},
		{X: b.X - w/2, Y: b.Y - 2},
	} {
		at.X = min(max(at.X, s.origin.X), s.origin.X+s.w-w)
		if at.Y < s.origin.Y || at.Y >= s.origin.Y+s.h || slices.ContainsFunc(taken, func(o dag.Box) bool {
			return at.Y >= o.Y && at.Y < o.Y+o.H && at.X < o.X+o.W && at.X+w > o.X
		}) {
			continue
		}
		if cost := c.drawn(at.X, at.Y, w); least < 0 || cost < least {
			best, least = at, cost
		}
	}
	return best, least >= 0
}

// dot is a vertex in one cell: the sign of its role, or of a stretch the number of its members.
func (f face) dot(th *Theme) (tone, string) {
	look := f.v.look(th)
	glyph := look.glyph
	if n := len(f.members); n > 1 {
		glyph = "+"
		if n < 10 {
			glyph = counted(n)
		}
	}
	switch {
	case f.v.state.Role == diagnose.RoleCulprit:
		return f.v.grade.name, glyph
	case f.matched:
		return toneNotice, glyph
	case f.selected:
		return toneSelected, glyph
	}
	return look.tone, glyph
}
