package dag

import (
	"cmp"
	"slices"
)

const (
	sweeps    = 10      // passes over the layers; the best order of all is kept
	transpose = 8       // rounds of swapping neighbours after each pass
	partRank  = 1 << 20 // ranks of one part stay below it
	unranked  = 1 << 40
	realNode  = -1 // layer of a rankKey that means the node itself
)

// A rankKey names an elem across layouts: a node by its ID, a bend by its source's ID and its layer.
type rankKey struct {
	id    string
	layer int
}

func (e *elem) key() rankKey {
	if e.bend() {
		return rankKey{e.id, e.layer}
	}
	return rankKey{e.id, realNode}
}

// rankOf notes the place of every elem, for the next layout.
func rankOf(parts []*part) map[rankKey]int {
	rank := map[rankKey]int{}
	for i, p := range parts {
		for j := range p.elems {
			e := &p.elems[j]
			rank[e.key()] = i*partRank + e.pos
		}
	}
	return rank
}

// shapeOf is equal for graphs with equal IDs and edges, in whatever order they come.
func shapeOf(g Graph) uint64 {
	var s uint64
	for _, n := range g.Nodes {
		s += hash(n.ID)
	}
	for _, e := range g.Edges {
		if g.valid(e) {
			s += hash(g.Nodes[e.From].ID, g.Nodes[e.To].ID)
		}
	}
	return s
}

// hash is FNV-1a over texts that end in a zero byte each.
func hash(texts ...string) uint64 {
	h := uint64(14695981039346656037)
	for _, t := range texts {
		for i := range len(t) {
			h = (h ^ uint64(t[i])) * 1099511628211
		}
		h *= 1099511628211
	}
	return h
}

// seed gives the layers their first order: that of a walk along the edges, or that of prev where it knows
// the elem.
func (p *part) seed(prev *Layout) {
	seen := make([]bool, len(p.elems))
	var walk func(v int)
	walk = func(v int) {
		if seen[v] {
			return
		}
		seen[v] = true
		p.layers[p.elems[v].layer] = append(p.layers[p.elems[v].layer], v)
		for _, w := range p.elems[v].down {
			walk(w)
		}
	}
	for v := range p.elems {
		if len(p.elems[v].up) == 0 {
			walk(v)
		}
	}
	if prev != nil {
		rank := make([]int, len(p.elems))
		for _, l := range p.layers {
			last := -1
			for _, v := range l {
				if r, ok := prev.rank[p.elems[v].key()]; ok {
					last = r
				}
				rank[v] = last // a newcomer follows the one it was found after
			}
			slices.SortStableFunc(l, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
		}
	}
	p.index()
}

func (p *part) index() {
	for _, l := range p.layers {
		for i, v := range l {
			p.elems[v].pos = i
		}
	}
}

// sweep orders the layers by the medians of their neighbours, down and up in turn, and swaps neighbours
// where that saves crossings. It never ends with more crossings than it began with.
func (p *part) sweep() {
	best, fewest := p.snapshot(), p.crossings()
	for i := range sweeps {
		if fewest == 0 {
			break
		}
		for j := range p.layers {
			if i%2 == 0 {
				p.sortLayer(j, func(e *elem) []int { return e.up })
			} else {
				p.sortLayer(len(p.layers)-1-j, func(e *elem) []int { return e.down })
			}
		}
		for range transpose {
			if !p.swapNeighbours() {
				break
			}
		}
		if c := p.crossings(); c < fewest {
			best, fewest = p.snapshot(), c
		}
	}
	p.layers = best
	p.index()
}

func (p *part) snapshot() [][]int {
	s := make([][]int, len(p.layers))
	for i, l := range p.layers {
		s[i] = slices.Clone(l)
	}
	return s
}

// sortLayer orders a layer by twice the median position of each elem's neighbours; an elem without any
// stays.
func (p *part) sortLayer(layer int, side func(*elem) []int) {
	l := p.layers[layer]
	for _, v := range l {
		near := side(&p.elems[v])
		if len(near) == 0 {
			p.elems[v].wanted = 2 * p.elems[v].pos
			continue
		}
		at := p.positions(near)
		p.elems[v].wanted = at[(len(at)-1)/2] + at[len(at)/2]
	}
	slices.SortStableFunc(l, func(a, b int) int { return cmp.Compare(p.elems[a].wanted, p.elems[b].wanted) })
	for i, v := range l {
		p.elems[v].pos = i
	}
}

func (p *part) positions(elems []int) []int {
	at := make([]int, len(elems))
	for i, v := range elems {
		at[i] = p.elems[v].pos
	}
	slices.Sort(at)
	return at
}

// swapNeighbours swaps neighbours within every layer where that saves crossings, and says whether it did.
func (p *part) swapNeighbours() bool {
	swapped := false
	for _, l := range p.layers {
		for i := 1; i < len(l); i++ {
			a, b := &p.elems[l[i-1]], &p.elems[l[i]]
			now := p.inversions(a.up, b.up) + p.inversions(a.down, b.down)
			then := p.inversions(b.up, a.up) + p.inversions(b.down, a.down)
			if then < now {
				l[i-1], l[i] = l[i], l[i-1]
				a.pos, b.pos = b.pos, a.pos
				swapped = true
			}
		}
	}
	return swapped
}

// inversions counts the pairs in which a neighbour of the first comes behind a neighbour of the second.
func (p *part) inversions(first, second []int) int {
	n := 0
	for _, a := range first {
		for _, b := range second {
			if p.elems[a].pos > p.elems[b].pos {
				n++
			}
		}
	}
	return n
}

// crossings counts the pairs of hops that cross between neighbouring layers.
func (p *part) crossings() int {
	total := 0
	for i := 1; i < len(p.layers); i++ {
		ends := make([]int, len(p.layers[i])) // hops so far, by the position of their end
		for _, v := range p.layers[i-1] {
			for _, w := range p.elems[v].down {
				for _, n := range ends[p.elems[w].pos+1:] {
					total += n
				}
			}
			for _, w := range p.elems[v].down {
				ends[p.elems[w].pos]++
			}
		}
	}
	return total
}
