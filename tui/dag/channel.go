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
	next        int // the net that goes on from this one's free row, or -1
	turn        int // that row
}

const noTrack = -1

func newNet(left, right []int) net {
	n := net{left: left, right: right, track: noTrack, next: -1}
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
		taken := map[int]bool{}
		if i > 0 {
			p.netsBehind(i-1, g, taken)
		}
		if i < len(p.layers) {
			p.netsOfLanes(i, g)
			for _, v := range p.layers[i] {
				taken[p.elems[v].pin] = true
			}
		}
		for {
			knot := g.sort()
			if knot < 0 {
				break
			}
			row := p.freeRow(taken, g.nets[knot].left[0], pinsEnd)
			taken[row] = true
			g.cut(knot, row)
		}
	}
}

// netsBehind makes the nets of the elems of a layer.
func (p *part) netsBehind(layer int, g *gutter, taken map[int]bool) {
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

// freeRow is the row nearest to a row in which no pin of the gutter lies; a new last row if there is none.
func (p *part) freeRow(taken map[int]bool, near, end int) int {
	for d := 1; d < end; d++ {
		for _, row := range []int{near + d, near - d} {
			if row >= 0 && row < end && !taken[row] {
				return row
			}
		}
	}
	p.size++
	return p.size - 1
}

// cut parts a net in two that are joined by a line at a free row, so that its two ends may lie on either
// side of other nets.
func (g *gutter) cut(n, row int) {
	a := &g.nets[n]
	far := newNet([]int{row}, slices.DeleteFunc(slices.Clone(a.right), func(r int) bool { return r == a.left[0] }))
	a.right = slices.DeleteFunc(a.right, func(r int) bool { return r != a.left[0] })
	a.right = append(a.right, row)
	a.span()
	a.next, a.turn = len(g.nets), row
	g.nets = append(g.nets, far)
}

// before says whether net a must have a lower track than b: where a line that comes to a shares its row
// with one that leaves b, or where b goes on from a.
func (g *gutter) before(a, b int) bool {
	if g.nets[b].next == a {
		return false
	}
	return g.nets[a].next == b || a != b && slices.ContainsFunc(g.nets[a].left, func(r int) bool {
		return slices.Contains(g.nets[b].right, r)
	})
}

// Costs of an order of two tracks, relative to each other.
const (
	costCross    = 4
	costFourWays = 6 // a line joins another that goes on to somewhere else
	costFork     = 1 // a line joins the end of a track that also feeds others
)

// cost of track a lying before track b.
func (g *gutter) cost(a, b *net) int {
	if a.hi < b.lo || b.hi < a.lo {
		return 0
	}
	sum := 0
	for _, r := range b.left {
		if a.lo < r && r < a.hi {
			sum += costCross
		}
	}
	for _, r := range a.right {
		inside := b.lo < r && r < b.hi
		switch {
		case slices.Contains(b.right, r) && inside:
			sum += costFourWays
		case slices.Contains(b.right, r) && len(b.right) > 1:
			sum += costFork
		case inside:
			sum += costCross
		}
	}
	return sum
}

// sort orders the tracks by their least cost, greedily. When the nets' needs form a circle it returns a net
// of that circle, else -1.
func (g *gutter) sort() int {
	g.order = nil
	var rest []int
	for i := range g.nets {
		if !g.nets[i].straight() {
			rest = append(rest, i)
		}
	}
	n := len(g.nets)
	needs := make([][]int, n) // nets that must come before
	score := make([]int, n)
	gain := make([]int, n*n)
	for _, a := range rest {
		for _, b := range rest {
			if a != b {
				gain[a*n+b] = g.cost(&g.nets[a], &g.nets[b]) - g.cost(&g.nets[b], &g.nets[a])
				score[a] += gain[a*n+b]
				if g.before(b, a) {
					needs[a] = append(needs[a], b)
				}
			}
		}
	}
	for len(rest) > 0 {
		best := -1
		for i, a := range rest {
			blocked := slices.ContainsFunc(needs[a], func(b int) bool { return slices.Contains(rest, b) })
			if !blocked && (best < 0 || score[a] < score[rest[best]]) {
				best = i
			}
		}
		if best < 0 {
			return circle(rest, needs)
		}
		a := rest[best]
		rest = slices.Delete(rest, best, best+1)
		g.order = append(g.order, a)
		for _, b := range rest {
			score[b] -= gain[b*n+a]
		}
	}
	return -1
}

// circle walks the needs of nets none of which can come first until it meets one again.
func circle(rest []int, needs [][]int) int {
	seen := map[int]bool{}
	at := rest[0]
	for !seen[at] {
		seen[at] = true
		i := slices.IndexFunc(needs[at], func(b int) bool { return slices.Contains(rest, b) })
		at = needs[at][i]
	}
	return at
}

// assign gives every net the lowest track that its order allows. Lines of different nets on one track have
// a free cell between them; apart is the distance in tracks of two nets that share a row.
func (g *gutter) assign(apart int) {
	g.tracks = 0
	for i, a := range g.order {
		n := &g.nets[a]
		n.track = 0
		for _, b := range g.order[:i] {
			m := &g.nets[b]
			switch {
			case n.lo > m.hi+1 || m.lo > n.hi+1:
			case m.next != a && g.before(b, a):
				n.track = max(n.track, m.track+apart)
			default:
				n.track = max(n.track, m.track+1)
			}
		}
		g.tracks = max(g.tracks, n.track+1)
	}
}
