package dag

import (
	"cmp"
	"slices"
)

// links are the distinct neighbours of every node, in the order of the edges; edges that close a cycle and
// edges out of range are not in it.
type links struct {
	out, in [][]int
	back    []bool // by edge: it closes a cycle
	topo    []int  // every node after its inputs
}

// valid says whether both ends of the edge exist.
func (g Graph) valid(e Edge) bool {
	return e.From >= 0 && e.To >= 0 && e.From < len(g.Nodes) && e.To < len(g.Nodes)
}

// link finds the neighbours, the edges that close a cycle (those that a depth-first walk meets on its own
// path) and a topological order.
func link(g Graph) links {
	n := len(g.Nodes)
	all := make([][]int, n) // edges by source
	fed := make([]bool, n)
	k := links{out: make([][]int, n), in: make([][]int, n), back: make([]bool, len(g.Edges))}
	for i, e := range g.Edges {
		if g.valid(e) {
			all[e.From] = append(all[e.From], i)
			fed[e.To] = true
		}
	}
	const open, done = 1, 2
	state := make([]int, n)
	var walk func(v int)
	walk = func(v int) {
		state[v] = open
		for _, i := range all[v] {
			switch w := g.Edges[i].To; state[w] {
			case 0:
				walk(w)
			case open:
				k.back[i] = true
			}
		}
		state[v] = done
		k.topo = append(k.topo, v)
	}
	for v := n - 1; v >= 0; v-- { // from the sources first: they are where a cycle is entered
		if !fed[v] {
			walk(v)
		}
	}
	for v := range n {
		if state[v] == 0 {
			walk(v)
		}
	}
	slices.Reverse(k.topo)
	for i, e := range g.Edges {
		if g.valid(e) && !k.back[i] && !slices.Contains(k.out[e.From], e.To) {
			k.out[e.From] = append(k.out[e.From], e.To)
			k.in[e.To] = append(k.in[e.To], e.From)
		}
	}
	return k
}

// layers gives every node its layer: the longest way from a source. What hangs on a node alone, such as a
// short branch from a source to a late join, is then pulled towards that node.
func (k links) layers() []int {
	lay := make([]int, len(k.out))
	free := make([]bool, len(k.out)) // nothing upstream has another way down
	for _, v := range k.topo {
		free[v] = true
		for _, u := range k.in[v] {
			lay[v] = max(lay[v], lay[u]+1)
			free[v] = free[v] && free[u] && len(k.out[u]) == 1
		}
	}
	for _, v := range slices.Backward(k.topo) {
		if !free[v] || len(k.out[v]) == 0 {
			continue
		}
		nearest := lay[k.out[v][0]]
		for _, w := range k.out[v] {
			nearest = min(nearest, lay[w])
		}
		lay[v] = nearest - 1
	}
	return lay
}

// components lists the nodes of each connected component, ascending, the components by their first node.
func components(g Graph) [][]int {
	root := make([]int, len(g.Nodes))
	for i := range root {
		root[i] = i
	}
	find := func(v int) int {
		for root[v] != v {
			root[v] = root[root[v]]
			v = root[v]
		}
		return v
	}
	for _, e := range g.Edges {
		if g.valid(e) {
			a, b := find(e.From), find(e.To)
			root[max(a, b)] = min(a, b)
		}
	}
	var list [][]int
	at := make([]int, len(g.Nodes))
	for v := range g.Nodes {
		r := find(v)
		if r == v {
			at[v] = len(list)
			list = append(list, nil)
		}
		list[at[r]] = append(list[at[r]], v)
	}
	return list
}

// split builds the parts of a graph, in the order that prev had them.
func split(g Graph, prev *Layout, dir Direction) []*part {
	k := link(g)
	lay := k.layers()
	groups := components(g)
	if prev != nil {
		first := func(nodes []int) int {
			best := unranked
			for _, v := range nodes {
				if r, ok := prev.rank[rankKey{g.Nodes[v].ID, realNode}]; ok {
					best = min(best, r)
				}
			}
			return best / partRank
		}
		slices.SortStableFunc(groups, func(a, b []int) int { return cmp.Compare(first(a), first(b)) })
	}
	home := make([]*part, len(g.Nodes))
	elemOf := make([]int, len(g.Nodes))
	parts := make([]*part, len(groups))
	for i, nodes := range groups {
		parts[i] = newPart(g, nodes, lay, dir)
		for j, v := range nodes {
			home[v], elemOf[v] = parts[i], j
		}
	}
	for i, e := range g.Edges {
		switch {
		case !g.valid(e):
		case k.back[i]:
			home[e.From].addBack(i, elemOf[e.From], elemOf[e.To])
		default:
			home[e.From].addEdge(i, elemOf[e.From], elemOf[e.To])
		}
	}
	return parts
}
