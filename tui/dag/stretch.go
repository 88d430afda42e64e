package dag

// Stretches lists the longest linear runs of at least two nodes, in the order of the data: each node but the
// last feeds the next one alone, which nothing else feeds, and joins agrees to that step. Edges that repeat
// count once; an edge that closes a cycle ends a run at both of its nodes.
func Stretches(g Graph, joins func(from, to int) bool) [][]int {
	k := link(g)
	turns := make([]bool, len(g.Nodes)) // an edge that closes a cycle leaves or enters
	for i, e := range g.Edges {
		if g.valid(e) && k.back[i] {
			turns[e.From], turns[e.To] = true, true
		}
	}
	next := func(v int) int {
		if len(k.out[v]) != 1 || turns[v] {
			return -1
		}
		if w := k.out[v][0]; len(k.in[w]) == 1 && !turns[w] && joins(v, w) {
			return w
		}
		return -1
	}
	inside := make([]bool, len(g.Nodes))
	var all [][]int
	for _, v := range k.topo {
		if inside[v] {
			continue
		}
		run := []int{v}
		for w := next(v); w >= 0; w = next(w) {
			inside[w] = true
			run = append(run, w)
		}
		if len(run) > 1 {
			all = append(all, run)
		}
	}
	return all
}

// Least returns a size that no layout of the graph in a direction goes below, found without laying it out.
func Least(g Graph, dir Direction) (w, h int) {
	lay := link(g).layers()
	gaps, space := tightGaps(dir).boxes, spacings(dir)
	between := space[len(space)-1].least
	flow, cross := 0, 0
	for i, nodes := range components(g) {
		p := newPart(g, nodes, lay, dir)
		deep := make([]int, len(p.layers))
		wide := make([]int, len(p.layers))
		for _, e := range p.elems {
			if wide[e.layer] > 0 {
				wide[e.layer] += gaps
			}
			deep[e.layer] = max(deep[e.layer], e.flow)
			wide[e.layer] += e.before + 1 + e.after
		}
		length, breadth := between*(len(deep)-1), 0
		for l := range deep {
			length += deep[l]
			breadth = max(breadth, wide[l])
		}
		if i > 0 {
			cross += gaps
		}
		flow, cross = max(flow, length), cross+breadth
	}
	if dir == TopDown {
		return cross, flow
	}
	return flow, cross
}
