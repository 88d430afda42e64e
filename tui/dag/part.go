package dag

import "slices"

// An elem is what takes a place in a layer: a node, or the bend of the edges of one source that pass the
// layer. Positions across the flow are those of its pin, the middle of the side where lines arrive and
// leave.
type elem struct {
	node          int // index into the graph, -1 for a bend
	id            string
	layer, pos    int
	wanted        int // twice the position that the neighbours would like
	flow          int // size along the flow
	before, after int // cells across the flow on either side of the pin
	pin           int
	up, down      []int
	net           int // the net that leaves it, in the gutter behind its layer
}

func (e *elem) bend() bool { return e.node < 0 }

// A hop leads from an elem to one in the next layer.
type hop struct{ from, to int }

// A lane carries the edges of one source that run against the flow, along the far side of the part.
type lane struct {
	from int
	to   []int // distinct
	row  int
	nets map[int]int // by the layer of the target: the net in the gutter before it
}

// A wire is one edge: the elems it passes, or the lane it takes.
type wire struct {
	edge, from, to int
	path           []int // nil when it takes a lane
	lane           int
}

// A part is one connected component. Across the flow it starts at offset and takes size cells.
type part struct {
	elems   []elem
	layers  [][]int // elems in order
	wires   []wire
	lanes   []lane
	gutters []gutter // gutter i is before layer i; the last one is behind the last layer
	bends   map[[2]int]int
	start   []int // of each layer along the flow
	offset  int
	size    int
	wishes  []wish // scratch of pull
}

func newPart(g Graph, nodes, lay []int, dir Direction) *part {
	p := &part{bends: map[[2]int]int{}}
	deepest := 0
	for _, v := range nodes {
		w, h := max(1, g.Nodes[v].W), max(1, g.Nodes[v].H)
		if dir == TopDown {
			w, h = h, w
		}
		e := elem{node: v, id: g.Nodes[v].ID, layer: lay[v], flow: w, before: (h - 1) / 2, after: h / 2}
		deepest = max(deepest, e.layer)
		p.elems = append(p.elems, e)
	}
	p.layers = make([][]int, deepest+1)
	return p
}

// addEdge leads an edge through its bends; the edges of one source share them.
func (p *part) addEdge(edge, from, to int) {
	path := []int{from}
	at := from
	for l := p.elems[from].layer + 1; l < p.elems[to].layer; l++ {
		key := [2]int{from, l}
		b, ok := p.bends[key]
		if !ok {
			b = len(p.elems)
			p.elems = append(p.elems, elem{node: -1, id: p.elems[from].id, layer: l})
			p.bends[key] = b
		}
		p.join(at, b)
		at = b
		path = append(path, at)
	}
	p.join(at, to)
	p.wires = append(p.wires, wire{edge: edge, from: from, to: to, path: append(path, to)})
}

func (p *part) join(a, b int) {
	if !slices.Contains(p.elems[a].down, b) {
		p.elems[a].down = append(p.elems[a].down, b)
		p.elems[b].up = append(p.elems[b].up, a)
	}
}

// addBack sends an edge around the part.
func (p *part) addBack(edge, from, to int) {
	i := slices.IndexFunc(p.lanes, func(n lane) bool { return n.from == from })
	if i < 0 {
		i = len(p.lanes)
		p.lanes = append(p.lanes, lane{from: from, nets: map[int]int{}})
	}
	if !slices.Contains(p.lanes[i].to, to) {
		p.lanes[i].to = append(p.lanes[i].to, to)
	}
	p.wires = append(p.wires, wire{edge: edge, from: from, to: to, lane: i})
}
