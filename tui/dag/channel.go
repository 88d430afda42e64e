package dag

import "slices"

// A gutter is the space before a layer. Each source's lines turn in it on a track of their own, so that
// lines of different sources never run along each other; tracks are counted along the flow.
type gutter struct {
	nets   []net
	order  []int // the nets with a track, in an order that their tracks respect
	tracks int
	start  int // along the flow
	step   int // cells from track to track
	lead   int // cells before the first track
}

// A net is what one elem (or lane) sends through a gutter: lines at the left rows come from lower tracks,
// those at the right rows go on to higher ones, and a line from lo to hi on the net's track joins them. A
// net without a track has one row and runs straight through.
type net struct {
	left, right []int
	lo, hi      int
	track       int
	next        []int // nets that go on from free rows, which are among the right rows
}

func newNet(left, right []int) net {
	n := net{left: left, right: right}
	n.span()
	return n
}

func (n *net) span() {
	rows := slices.Concat(n.left, n.right)
	n.lo, n.hi = slices.Min(rows), slices.Max(rows)
}

func (n *net) straight() bool { return n.lo == n.hi }

// col is the place of a net's track along the flow.
func (g *gutter) col(n int) int { return g.start + g.lead + g.step*g.nets[n].track }

// openChannels makes the nets of every gutter and orders their tracks.
func (p *part) openChannels() {
	p.gutters = make([]gutter, len(p.layers)+1)
	pinsEnd := p.size
	for i := range p.lanes {
		pinsEnd = min(pinsEnd, p.lanes[i].row)
	}
	for i := range p.gutters {
		g := &p.gutters[i]
		taken := make([]bool, pinsEnd)
		if i > 0 {
			p.netsBehind(i-1, g, taken)
		}
		if i < len(p.layers) {
			p.netsOfLanes(i, g)
			for _, v := range p.layers[i] {
				taken[p.elems[v].pin] = true
			}
		}
		for knot := g.sort(); knot >= 0; knot = g.sort() {
			start := g.nets[knot].left[0]
			g.cut(knot, p.freeRow(taken, start), func(row int) bool { return row != start })
		}
		for n, row := g.unclear(); n >= 0; n, row = g.unclear() {
			g.cut(n, p.freeRow(taken, row), func(r int) bool { return r == row })
			g.sort()
		}
	}
}

// netsBehind makes the nets of the elems of a layer.
func (p *part) netsBehind(layer int, g *gutter, taken []bool) {
	for _, v := range p.layers[layer] {
		e := &p.elems[v]
		taken[e.pin] = true
		e.net = len(g.nets)
		left := []int{e.pin}
		for i := range p.lanes {
			if p.lanes[i].from == v {
				left = append(left, p.lanes[i].row)
			}
		}
		var right []int
		for _, w := range e.down {
			right = append(right, p.elems[w].pin)
		}
		g.nets = append(g.nets, newNet(left, right))
	}
}

// netsOfLanes makes the nets that lead from lanes into a layer.
func (p *part) netsOfLanes(layer int, g *gutter) {
	for i := range p.lanes {
		n := &p.lanes[i]
		rows := []int{n.row}
		for _, v := range n.to {
			if p.elems[v].layer == layer {
				rows = append(rows, p.elems[v].pin)
			}
		}
		if len(rows) > 1 {
			n.nets[layer] = len(g.nets)
			g.nets = append(g.nets, newNet(nil, rows))
		}
	}
}

// freeRow takes the row nearest to a row in which no pin of the gutter lies; a new last row if there is
// none.
func (p *part) freeRow(taken []bool, near int) int {
	for d := 1; d < len(taken); d++ {
		for _, row := range []int{near + d, near - d} {
			if row >= 0 && row < len(taken) && !taken[row] {
				taken[row] = true
				return row
			}
		}
	}
	p.size++
	return p.size - 1
}

// cut moves right rows of a net to a net of their own that goes on from a free row of the first, so that
// the two may lie on either side of other nets.
func (g *gutter) cut(n, free int, moves func(row int) bool) {
	a := &g.nets[n]
	var near, far []int
	for _, r := range a.right {
		if moves(r) {
			far = append(far, r)
		} else {
			near = append(near, r)
		}
	}
	a.right = append(near, free)
	a.span()
	a.next = append(a.next, len(g.nets))
	g.nets = append(g.nets, newNet([]int{free}, far))
}

// way lists the nets from one to the one that a right row belongs to.
func (g *gutter) way(from, row int) []int {
	if slices.Contains(g.nets[from].right, row) {
		return []int{from}
	}
	for _, n := range g.nets[from].next {
		if w := g.way(n, row); w != nil {
			return append([]int{from}, w...)
		}
	}
	return nil
}
