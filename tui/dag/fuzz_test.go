package dag

import (
	"strconv"
	"testing"
)

// graphFrom reads any bytes as a graph: sizes, repeated IDs, edges out of range, loops and cycles included.
func graphFrom(data []byte, nodes int) Graph {
	var g Graph
	number := func(i int) int { return int(int8(data[i])) }
	for i := range min(nodes, len(data)/2, 60) {
		g.Nodes = append(g.Nodes, Node{ID: strconv.Itoa(i % 7), W: number(2 * i), H: number(2*i + 1)})
	}
	for i := 2 * len(g.Nodes); i+1 < len(data) && len(g.Edges) < 200; i += 2 {
		g.Edges = append(g.Edges, Edge{number(i), number(i + 1)})
	}
	return g
}

func FuzzNew(f *testing.F) {
	f.Add([]byte{3, 3, 3, 3, 0, 1, 1, 2, 2, 0}, byte(2))
	f.Add([]byte{0, 0, 9, 200, 0, 0, 0, 9, 255, 1}, byte(2))
	f.Add([]byte{}, byte(0))
	f.Fuzz(func(t *testing.T, data []byte, nodes byte) {
		g := graphFrom(data, int(nodes))
		for _, d := range []Direction{LeftRight, TopDown} {
			l := New(g, Options{Dir: d, MaxW: 40, MaxH: 10})
			l = New(g, Options{Dir: d, MaxW: 40, MaxH: 10, Prev: l})
			for i, e := range g.Edges {
				if g.valid(e) != (len(l.Routes[i]) > 0) {
					t.Errorf("edge %v runs %v", e, l.Routes[i])
				}
			}
			checkNeighbours(t, l)
		}
		if rows := ListRows(g, ASCII); len(rows) != len(g.Nodes) {
			t.Errorf("%d rows for %d nodes", len(rows), len(g.Nodes))
		}
	})
}

func checkNeighbours(t *testing.T, l *Layout) {
	t.Helper()
	for i := range l.Boxes {
		for _, s := range []Side{Up, Down, Left, Right} {
			if n, ok := l.Neighbour(i, s); ok && n == i {
				t.Errorf("node %d is its own neighbour", i)
			}
		}
	}
}
