package dag

// A spacing is how wide gutters are along the flow: cells before the first track, from track to track, and
// from the last track to the layer, arrow included; least is the width without tracks.
type spacing struct{ lead, step, tail, least int }

func spacings(dir Direction) []spacing {
	if dir == TopDown {
		return []spacing{{1, 1, 1, 2}, {0, 1, 1, 2}}
	}
	return []spacing{{2, 2, 2, 4}, {1, 2, 2, 3}, {1, 1, 1, 3}}
}

// stretch places layers and gutters along the flow with the widest spacing that keeps to limit (0: none),
// or else with the narrowest, and returns the cells taken.
func stretch(parts []*part, dir Direction, limit int) int {
	total := 0
	for _, s := range spacings(dir) {
		total = 0
		for _, p := range parts {
			total = max(total, p.stretch(s))
		}
		if limit == 0 || total <= limit {
			break
		}
	}
	return total
}

func (p *part) stretch(s spacing) int {
	apart := 1
	if s.step == 1 {
		apart = 2
	}
	p.start = make([]int, len(p.layers))
	at := 0
	for i := range p.gutters {
		g := &p.gutters[i]
		g.assign(apart)
		g.start, g.step, g.lead = at, s.step, s.lead
		width := 0
		if g.tracks > 0 {
			width = (g.tracks-1)*s.step + 1
		}
		switch {
		case i > 0 && i < len(p.layers):
			at += max(s.least, s.lead+width+s.tail)
		case i > 0 && width > 0:
			at += s.lead + width
		case width > 0:
			g.lead = 0
			at += width + s.tail
		}
		if i < len(p.layers) {
			p.start[i] = at
			size := 0
			for _, v := range p.layers[i] {
				size = max(size, p.elems[v].flow)
			}
			at += size
		}
	}
	return at
}

// A spot is a cell in the part's own terms: along the flow and across it.
type spot struct{ flow, cross int }

// emit writes the part's boxes and routes into the layout.
func (p *part) emit(l *Layout) {
	turn := func(s spot) Point {
		if l.Dir == TopDown {
			return Point{s.cross + p.offset, s.flow}
		}
		return Point{s.flow, s.cross + p.offset}
	}
	for i := range p.elems {
		e := &p.elems[i]
		if e.bend() {
			continue
		}
		at := turn(spot{p.start[e.layer], e.pin - e.before})
		w, h := e.flow, e.before+1+e.after
		if l.Dir == TopDown {
			w, h = h, w
		}
		l.Boxes[e.node] = Box{X: at.X, Y: at.Y, W: w, H: h, Layer: e.layer}
	}
	for _, w := range p.wires {
		for _, s := range straightened(p.trace(w)) {
			l.Routes[w.edge] = append(l.Routes[w.edge], turn(s))
		}
	}
}

// trace lists the spots at which an edge may turn, from source to target.
func (p *part) trace(w wire) []spot {
	from, to := &p.elems[w.from], &p.elems[w.to]
	end := p.start[to.layer] - 1
	spots := []spot{{p.start[from.layer] + from.flow, from.pin}}
	if w.path == nil {
		n := &p.lanes[w.lane]
		out, in := &p.gutters[from.layer+1], &p.gutters[to.layer]
		col := out.col(from.net)
		spots = append(spots, spot{col, from.pin}, spot{col, n.row})
		spots = append(spots, in.turns(n.nets[to.layer], n.row, to.pin)...)
		return append(spots, spot{end, to.pin})
	}
	for i, v := range w.path[1:] {
		a, b := &p.elems[w.path[i]], &p.elems[v]
		if a.pin != b.pin {
			spots = append(spots, p.gutters[b.layer].turns(a.net, a.pin, b.pin)...)
		}
	}
	return append(spots, spot{end, to.pin})
}

// turns lists where a line turns that comes to a net at one row and leaves it, or a net that goes on from
// it, at another.
func (g *gutter) turns(n, from, to int) []spot {
	var spots []spot
	way := g.way(n, to)
	for i, m := range way {
		spots = append(spots, spot{g.col(m), from})
		from = to
		if i+1 < len(way) {
			from = g.nets[way[i+1]].left[0]
		}
		spots = append(spots, spot{g.col(m), from})
	}
	return spots
}

// straightened drops the spots at which the line does not turn.
func straightened(s []spot) []spot {
	kept := s[:1:1]
	for i := 1; i < len(s); i++ {
		last := kept[len(kept)-1]
		if s[i] == last && i+1 < len(s) {
			continue
		}
		if i+1 < len(s) && (last.flow == s[i].flow) == (s[i].flow == s[i+1].flow) &&
			(last.cross == s[i].cross) == (s[i].cross == s[i+1].cross) {
			continue
		}
		kept = append(kept, s[i])
	}
	return kept
}
