package dag

import "slices"

// before says whether net a must have a lower track than b: where a line that comes to a shares its row
// with one that leaves b, or where b goes on from a.
func (g *gutter) before(a, b int) bool {
	switch {
	case a == b, slices.Contains(g.nets[b].next, a):
		return false
	case slices.Contains(g.nets[a].next, b):
		return true
	}
	return slices.ContainsFunc(g.nets[a].left, func(r int) bool { return slices.Contains(g.nets[b].right, r) })
}

// Costs of an order of two tracks, relative to each other.
const (
	costCross   = 4
	costUnclear = 6
	costFork    = 1 // a line joins the end of a track that also feeds others
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
		switch feeds := slices.Contains(b.right, r); {
		case feeds && b.unclear(r):
			sum += costUnclear
		case feeds && b.forks():
			sum += costFork
		case !feeds && b.lo < r && r < b.hi:
			sum += costCross
		}
	}
	return sum
}

// forks says whether a net leads to more than one row.
func (n *net) forks() bool { return len(n.left)+len(n.right) > 2 }

// unclear says whether a reader who comes along a right row of the net from lower tracks could turn into
// its track and follow it to another target: where the track goes on across the row, or forks too near for
// an arrow in between.
func (n *net) unclear(row int) bool {
	if !n.forks() {
		return false
	}
	near := func(r int) bool { return r != row && distance(r, row) < 2 }
	return n.lo < row && row < n.hi || slices.ContainsFunc(n.left, near) || slices.ContainsFunc(n.right, near)
}

// sort orders the tracks by their least cost, greedily. When the nets' needs form a circle it returns a net
// of that circle, else -1.
func (g *gutter) sort() int {
	g.order = nil
	rest, needs := g.needs()
	gain, score := g.gains(rest)
	for len(rest) > 0 {
		best := -1
		for i, a := range rest {
			if firstOf(needs[a], rest) < 0 && (best < 0 || score[a] < score[rest[best]]) {
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
			score[b] -= gain[b][a]
		}
	}
	return -1
}

// gains are the costs of each net lying before each other one, less those of the opposite, and their sums
// by net.
func (g *gutter) gains(nets []int) (gain [][]int, score []int) {
	n := len(g.nets)
	gain, score = make([][]int, n), make([]int, n)
	for _, a := range nets {
		gain[a] = make([]int, n)
	}
	for i, a := range nets {
		for _, b := range nets[:i] {
			d := g.cost(&g.nets[a], &g.nets[b]) - g.cost(&g.nets[b], &g.nets[a])
			gain[a][b], gain[b][a] = d, -d
			score[a] += d
			score[b] -= d
		}
	}
	return gain, score
}

// needs lists the nets that need a track and, for each, those that must come before it.
func (g *gutter) needs() (all []int, needs [][]int) {
	for i := range g.nets {
		if !g.nets[i].straight() {
			all = append(all, i)
		}
	}
	needs = make([][]int, len(g.nets))
	for _, a := range all {
		for _, b := range all {
			if g.before(b, a) {
				needs[a] = append(needs[a], b)
			}
		}
	}
	return all, needs
}

// firstOf is the first of the wanted that is left, or -1.
func firstOf(wanted, left []int) int {
	for _, v := range wanted {
		if slices.Contains(left, v) {
			return v
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
		at = firstOf(needs[at], rest)
	}
	return at
}

// unclear finds a net that meets, at a row that it feeds, a line from lower tracks in a way that can be
// misread. It returns -1 if there is none.
func (g *gutter) unclear() (n, row int) {
	for i, a := range g.order {
		for _, r := range g.nets[a].right {
			if !g.nets[a].unclear(r) {
				continue
			}
			for b := range g.nets {
				earlier := g.nets[b].straight() || slices.Contains(g.order[:i], b)
				if b != a && earlier && slices.Contains(g.nets[b].right, r) {
					return a, r
				}
			}
		}
	}
	return -1, 0
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
			case !slices.Contains(m.next, a) && g.before(b, a):
				n.track = max(n.track, m.track+apart)
			default:
				n.track = max(n.track, m.track+1)
			}
		}
		g.tracks = max(g.tracks, n.track+1)
	}
}
