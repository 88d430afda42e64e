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
	best, least := p.pins(), p.tension()
	for i := range oneSided + bothSided {
		for j := range p.layers {
			l := p.layers[j]
			if i%2 == 1 {
				l = p.layers[len(p.layers)-1-j]
			}
			p.pull(l, gaps, bound, i%2 == 0 || i >= oneSided, i%2 == 1 || i >= oneSided)
		}
		if t := p.tension(); t < least {
			best, least = p.pins(), t
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

// tension is the length of all hops across the flow, weighted, and the number of those that turn.
func (p *part) tension() int {
	sum := 0
	for v := range p.elems {
		for _, w := range p.elems[v].down {
			if d := distance(p.elems[v].pin, p.elems[w].pin); d > 0 {
				sum += p.weight(hop{v, w})*d + 1
			}
		}
	}
	return sum
}

func distance(a, b int) int { return max(a-b, b-a) }

// A wish is a pin that a neighbour would like.
type wish struct{ at, weight int }

// pull moves a layer to where its wishes cost least: neighbours whose wishes collide form a block, which
// goes to the median of its wishes (isotonic regression).
func (p *part) pull(l []int, gaps gapSet, bound int, up, down bool) {
	type block struct{ from, at, wish int } // its first elem, its place, its first wish
	blocks := make([]block, 0, len(l))
	offset := make([]int, len(l)) // of the pin from the layer's first pin, when packed
	wishes := p.wishes[:0]
	for i, v := range l {
		if i > 0 {
			offset[i] = offset[i-1] + gaps.pitch(&p.elems[l[i-1]], &p.elems[v])
		}
		b := block{from: i, wish: len(wishes)}
		wishes = p.appendWishes(wishes, v, offset[i], up, down)
		b.at = median(wishes[b.wish:])
		for len(blocks) > 0 && blocks[len(blocks)-1].at > b.at {
			b = blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			b.at = median(wishes[b.wish:])
		}
		blocks = append(blocks, b)
	}
	p.wishes = wishes
	low := p.elems[l[0]].before
	high := bound - 1 - p.elems[l[len(l)-1]].after - offset[len(l)-1]
	for i, b := range blocks {
		end := len(l)
		if i+1 < len(blocks) {
			end = blocks[i+1].from
		}
		if bound > 0 {
			b.at = max(low, min(high, b.at))
		}
		for j := b.from; j < end; j++ {
			p.elems[l[j]].pin = b.at + offset[j]
		}
	}
}

// appendWishes adds the pins of the neighbours on the sides asked for, or else on the other; less is taken
// off each.
func (p *part) appendWishes(s []wish, v, less int, up, down bool) []wish {
	e := &p.elems[v]
	had := len(s)
	if up || len(e.down) == 0 {
		for _, u := range e.up {
			s = append(s, wish{p.elems[u].pin - less, p.weight(hop{u, v})})
		}
	}
	if down || len(e.up) == 0 {
		for _, w := range e.down {
			s = append(s, wish{p.elems[w].pin - less, p.weight(hop{v, w})})
		}
	}
	if len(s) == had {
		s = append(s, wish{e.pin - less, 1})
	}
	return s
}

// median is the first of the weighted medians, so that of two equal branches one runs straight.
func median(s []wish) int {
	slices.SortFunc(s, func(a, b wish) int { return cmp.Compare(a.at, b.at) })
	total := 0
	for _, w := range s {
		total += w.weight
	}
	sum := 0
	for _, w := range s {
		sum += w.weight
		if 2*sum >= total {
			return w.at
		}
	}
	return 0
}

// straighten moves every chain to one pin where its neighbours leave the room.
func (p *part) straighten(gaps gapSet, bound int) {
	const rounds = 3
	for range rounds {
		for v := range p.elems {
			if len(p.elems[v].up) == 1 && len(p.elems[p.elems[v].up[0]].down) == 1 {
				continue // inside a chain
			}
			chain := []int{v}
			for {
				e := &p.elems[chain[len(chain)-1]]
				if len(e.down) != 1 || len(p.elems[e.down[0]].up) != 1 {
					break
				}
				chain = append(chain, e.down[0])
			}
			p.alignChain(chain, gaps, bound)
		}
	}
}

func (p *part) alignChain(chain []int, gaps gapSet, bound int) {
	low, high := -unranked, unranked
	wishes := make([]wish, len(chain))
	for i, v := range chain {
		e := &p.elems[v]
		wishes[i] = wish{e.pin, 1}
		l := p.layers[e.layer]
		if bound > 0 {
			low, high = max(low, e.before), min(high, bound-1-e.after)
		}
		if e.pos > 0 {
			a := &p.elems[l[e.pos-1]]
			low = max(low, a.pin+gaps.pitch(a, e))
		}
		if e.pos+1 < len(l) {
			b := &p.elems[l[e.pos+1]]
			high = min(high, b.pin-gaps.pitch(e, b))
		}
	}
	if low > high {
		return
	}
	at := max(low, min(high, median(wishes)))
	for _, v := range chain {
		p.elems[v].pin = at
	}
}

// settle moves the part to 0 and lays the lanes behind it, those of short ways nearest.
func (p *part) settle(gaps gapSet) {
	first, last := unranked, -unranked
	for v := range p.elems {
		first = min(first, p.elems[v].pin-p.elems[v].before)
		last = max(last, p.elems[v].pin+p.elems[v].after)
	}
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
