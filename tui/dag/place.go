package dag

import (
	"cmp"
	"slices"
)

// A gapSet is the least number of empty cells across the flow between two boxes, a line and a box, and two
// lines.
type gapSet struct{ boxes, line, lines int }

func roomyGaps(dir Direction) gapSet {
	if dir == TopDown {
		return gapSet{3, 2, 1}
	}
	return gapSet{1, 1, 1}
}

func tightGaps(dir Direction) gapSet {
	if dir == TopDown {
		return gapSet{1, 1, 1}
	}
	return gapSet{0, 0, 0}
}

func (g gapSet) between(a, b *elem) int {
	switch {
	case a.bend() && b.bend():
		return g.lines
	case a.bend() || b.bend():
		return g.line
	}
	return g.boxes
}

// pitch is the least distance of the pins of two neighbours in a layer.
func (g gapSet) pitch(a, b *elem) int { return a.after + g.between(a, b) + b.before + 1 }

// Weights of hops: the higher, the straighter. A line that passes a layer bends last.
const (
	weightMixed = 1
	weightNodes = 2
	weightBends = 8
	weightChain = 6 // neither end has another neighbour on that side

	costTurn = 3 // of a hop that is not straight, in cells
)

func (p *part) weight(h hop) int {
	a, b := &p.elems[h.from], &p.elems[h.to]
	switch {
	case a.bend() && b.bend():
		return weightBends
	case len(a.down) == 1 && len(b.up) == 1:
		return weightChain
	case a.bend() || b.bend():
		return weightMixed
	}
	return weightNodes
}

// placeParts gives every elem its place across the flow, the parts one after another, and returns the cells
// taken. It starts roomy and gives up straightness, then gaps, when there are more cells than limit (0:
// none).
func placeParts(parts []*part, dir Direction, limit int) int {
	total := 0
	for _, step := range []struct {
		gaps  gapSet
		bound bool
	}{{roomyGaps(dir), false}, {roomyGaps(dir), true}, {tightGaps(dir), true}} {
		least := 0
		for i, p := range parts {
			if i > 0 {
				least += step.gaps.boxes
			}
			least += p.least(step.gaps)
		}
		spare := max(0, limit-least)
		total = 0
		for i, p := range parts {
			if i > 0 {
				total += step.gaps.boxes
			}
			p.offset = total
			bound := 0
			if step.bound {
				bound = p.least(step.gaps) + spare
			}
			p.place(step.gaps, bound)
			p.openChannels()
			spare = max(0, bound-p.size)
			total += p.size
		}
		if limit == 0 || total <= limit {
			break
		}
	}
	return total
}

// least is the size across the flow below which the part cannot get.
func (p *part) least(gaps gapSet) int {
	size := 0
	for _, l := range p.layers {
		h := p.elems[l[0]].before
		for i, v := range l {
			if i > 0 {
				h += gaps.pitch(&p.elems[l[i-1]], &p.elems[v])
			}
		}
		size = max(size, h+p.elems[l[len(l)-1]].after+1)
	}
	return size + p.laneSize(gaps)
}

func (p *part) laneSize(gaps gapSet) int { return len(p.lanes) * (1 + max(gaps.line, gaps.lines)) }

// place finds the pins of all elems so that lines are short and chains straight: each layer in turn is
// pulled towards its neighbours, first from one side, then from the other, at last from both. bound limits
// the size, 0 does not.
func (p *part) place(gaps gapSet, bound int) {
	if bound > 0 {
		bound -= p.laneSize(gaps)
	}
	for _, l := range p.layers {
		at := 0
		for i, v := range l {
			if i > 0 {
				at += gaps.pitch(&p.elems[l[i-1]], &p.elems[v])
			} else {
				at = p.elems[v].before
			}
			p.elems[v].pin = at
		}
	}
	const oneSided, bothSided = 8, 4
	best, least := p.pins(), p.cost()
	for i := range oneSided + bothSided {
		for j := range p.layers {
			l := p.layers[j]
			if i%2 == 1 {
				l = p.layers[len(p.layers)-1-j]
			}
			p.pull(l, gaps, bound, i%2 == 0 || i >= oneSided, i%2 == 1 || i >= oneSided)
		}
		if c := p.cost(); c < least {
			best, least = p.pins(), c
		}
	}
	for v, pin := range best {
		p.elems[v].pin = pin
	}
	p.straighten(gaps, bound)
	p.settle(gaps)
}

// pins notes where every elem is.
func (p *part) pins() []int {
	s := make([]int, len(p.elems))
	for v := range p.elems {
		s[v] = p.elems[v].pin
	}
	return s
}

// cost is the length of all hops across the flow, weighted, the number of those that turn, and the part's
// size.
func (p *part) cost() int {
	first, last := p.extent()
	sum := last - first
	for v := range p.elems {
		for _, w := range p.elems[v].down {
			if d := distance(p.elems[v].pin, p.elems[w].pin); d > 0 {
				sum += p.weight(hop{v, w})*d + costTurn
			}
		}
	}
	return sum
}

// extent is the first and the last cell across the flow that an elem takes.
func (p *part) extent() (first, last int) {
	first, last = unranked, -unranked
	for v := range p.elems {
		first = min(first, p.elems[v].pin-p.elems[v].before)
		last = max(last, p.elems[v].pin+p.elems[v].after)
	}
	return first, last
}

func distance(a, b int) int { return max(a-b, b-a) }

// settle moves the part to 0 and lays the lanes behind it, those of short ways nearest.
func (p *part) settle(gaps gapSet) {
	first, last := p.extent()
	for v := range p.elems {
		p.elems[v].pin -= first
	}
	p.size = last - first + 1
	order := make([]int, len(p.lanes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.span(a), p.span(b)) })
	for _, i := range order {
		p.size += 1 + max(gaps.line, gaps.lines)
		p.lanes[i].row = p.size - 1
	}
}

// span is the number of layers that a lane runs along.
func (p *part) span(i int) int {
	from := p.elems[p.lanes[i].from].layer
	least := from
	for _, v := range p.lanes[i].to {
		least = min(least, p.elems[v].layer)
	}
	return from - least
}
