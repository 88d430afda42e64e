package diagnose

import (
	"slices"

	"culprit/flinkapi"
)

// graph is the shape of a job: vertices by their index in the snapshot, in topological order.
type graph struct {
	ids  []flinkapi.VertexID
	out  [][]int
	in   [][]int
	ship map[[2]int]flinkapi.ShipStrategy
	// edges are what it was made from. up and down hold what can be reached from a vertex, and parts the
	// pipelines, once they were asked for.
	edges    []flinkapi.Edge
	up, down [][]bool
	parts    []pipeline
	parted   bool
}

func graphOf(job *flinkapi.Job) *graph {
	n := len(job.Vertices)
	g := &graph{
		ids: make([]flinkapi.VertexID, n), out: make([][]int, n), in: make([][]int, n),
		ship: make(map[[2]int]flinkapi.ShipStrategy, len(job.Edges)), edges: job.Edges,
		up: make([][]bool, n), down: make([][]bool, n),
	}
	index := make(map[flinkapi.VertexID]int, n)
	for i := range job.Vertices {
		g.ids[i] = job.Vertices[i].ID
		index[job.Vertices[i].ID] = i
	}
	for _, e := range job.Edges {
		from, okFrom := index[e.From]
		to, okTo := index[e.To]
		if !okFrom || !okTo {
			continue
		}
		if _, twice := g.ship[[2]int{from, to}]; !twice {
			g.out[from] = append(g.out[from], to)
			g.in[to] = append(g.in[to], from)
		}
		g.ship[[2]int{from, to}] = e.Ship
	}
	return g
}

// reach returns the vertices that can be reached from start by next, start excluded unless it lies on a
// cycle.
func reach(next [][]int, start int) []bool {
	seen := make([]bool, len(next))
	stack := append([]int(nil), next[start]...)
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		stack = append(stack, next[v]...)
	}
	return seen
}

// above returns which vertices lead to v, below which v leads to; v itself where it lies on a cycle. The
// result belongs to the graph.
func (g *graph) above(v int) []bool { return once(g.up, g.in, v) }
func (g *graph) below(v int) []bool { return once(g.down, g.out, v) }

func once(known [][]bool, next [][]int, v int) []bool {
	if known[v] == nil {
		known[v] = reach(next, v)
	}
	return known[v]
}

// shows tells whether the graph is still that of the job.
func (g *graph) shows(job *flinkapi.Job) bool {
	if len(g.ids) != len(job.Vertices) || !slices.Equal(g.edges, job.Edges) {
		return false
	}
	for i := range job.Vertices {
		if g.ids[i] != job.Vertices[i].ID {
			return false
		}
	}
	return true
}

// loop returns the vertices that lie on a cycle, in order.
func (g *graph) loop() []int {
	var out []int
	for v := range g.ids {
		if g.below(v)[v] {
			out = append(out, v)
		}
	}
	return out
}

// depth returns the longest distance from a source, in edges; a cycle counts once.
func (g *graph) depth() []int {
	depth := make([]int, len(g.ids))
	waiting := make([]int, len(g.ids))
	var ready []int
	for v := range g.ids {
		waiting[v] = len(g.in[v])
		if waiting[v] == 0 {
			ready = append(ready, v)
		}
	}
	for len(ready) > 0 {
		v := ready[0]
		ready = ready[1:]
		for _, w := range g.out[v] {
			depth[w] = max(depth[w], depth[v]+1)
			if waiting[w]--; waiting[w] == 0 {
				ready = append(ready, w)
			}
		}
	}
	return depth
}
