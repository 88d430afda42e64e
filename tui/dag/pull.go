package dag

import (
	"cmp"
	"slices"
)

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
		b.at, _ = medians(wishes[b.wish:])
		for len(blocks) > 0 && blocks[len(blocks)-1].at > b.at {
			b = blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			_, b.at = medians(wishes[b.wish:]) // the wish of the first elem before that of the last
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

// medians are the ends of the interval of weighted medians. Where they differ, the choice decides which of
// two equal branches runs straight: it is always the first.
func medians(s []wish) (low, high int) {
	slices.SortFunc(s, func(a, b wish) int { return cmp.Compare(a.at, b.at) })
	total := 0
	for _, w := range s {
		total += w.weight
	}
	sum := 0
	for i, w := range s {
		sum += w.weight
		if 2*sum == total {
			return w.at, s[i+1].at
		}
		if 2*sum > total {
			return w.at, w.at
		}
	}
	return 0, 0
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
	middle, _ := medians(wishes)
	at := max(low, min(high, middle))
	for _, v := range chain {
		p.elems[v].pin = at
	}
}
