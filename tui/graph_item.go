package tui

import (
	"slices"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui/dag"
)

// item is what one box of the graph stands for: the indices of a vertex, or of a linear stretch of victims in
// the order of the data.
type item struct{ members []int }

func (it item) folded() bool { return len(it.members) > 1 }

// lead is the member that stands for the whole: the one next to what makes all of them wait.
func (it item) lead(all []vertexView) int {
	if it.folded() && all[it.members[0]].state.Role == diagnose.RoleHeldBack {
		return it.members[len(it.members)-1]
	}
	return it.members[0]
}

// itemized is a job as boxes and the edges between them.
type itemized struct {
	items []item
	of    []int      // by vertex: its item
	edges []dag.Edge // between items
	ends  []dag.Edge // the vertices that each of the edges joins
}

// itemize makes an item of every stretch, and of every vertex that is in none. They are in the order of their
// first vertices.
func itemize(n int, links []dag.Edge, stretches [][]int) itemized {
	out := itemized{of: make([]int, n)}
	first := map[int][]int{}
	inner := make([]bool, n)
	for _, s := range stretches {
		start := slices.Min(s)
		for _, v := range s {
			inner[v] = v != start
		}
		first[start] = s
	}
	for v := range n {
		if inner[v] {
			continue
		}
		members := first[v]
		if members == nil {
			members = []int{v}
		}
		for _, m := range members {
			out.of[m] = len(out.items)
		}
		out.items = append(out.items, item{members})
	}
	for _, e := range links {
		if from, to := out.of[e.From], out.of[e.To]; from != to || e.From == e.To {
			out.edges = append(out.edges, dag.Edge{From: from, To: to})
			out.ends = append(out.ends, e)
		}
	}
	return out
}

// stretchesOf are the linear stretches of vertices that wait for the same, but for those that were opened.
func stretchesOf(all []vertexView, links []dag.Edge, opened map[flinkapi.VertexID]bool) [][]int {
	g := dag.Graph{Nodes: make([]dag.Node, len(all)), Edges: links}
	return dag.Stretches(g, func(from, to int) bool {
		a, b := all[from], all[to]
		return a.state.Role == b.state.Role && isVictim(a.state.Role) &&
			!opened[a.vertex.ID] && !opened[b.vertex.ID]
	})
}

// isVictim tells whether a vertex waits for another one: held back by what follows, or starved.
func isVictim(r diagnose.Role) bool { return r == diagnose.RoleHeldBack || r == diagnose.RoleStarved }

// edgesOf are the job's edges by the indices of their vertices, each once; an edge to a vertex that is not
// there is left out, and no job has none.
func edgesOf(job *flinkapi.Job, all []vertexView) []dag.Edge {
	if job == nil {
		return nil
	}
	at := make(map[flinkapi.VertexID]int, len(all))
	for i, v := range all {
		at[v.vertex.ID] = i
	}
	seen := make(map[dag.Edge]bool, len(job.Edges))
	var out []dag.Edge
	for _, e := range job.Edges {
		from, okFrom := at[e.From]
		to, okTo := at[e.To]
		if edge := (dag.Edge{From: from, To: to}); okFrom && okTo && !seen[edge] {
			seen[edge] = true
			out = append(out, edge)
		}
	}
	return out
}

// branched tells whether some vertex has several inputs or outputs.
func branched(edges []dag.Edge) bool {
	from, to := map[int]bool{}, map[int]bool{}
	for _, e := range edges {
		if from[e.From] || to[e.To] {
			return true
		}
		from[e.From], to[e.To] = true, true
	}
	return false
}

// strokesOf tells of each link between vertices whether data flows in it, stands in it, or is not seen to
// move. Data stands where the vertex before is held back and the one behind is held back too or is what holds
// it, or is the only one there is.
func strokesOf(all []vertexView, ends []dag.Edge) []dag.Stroke {
	outputs := make([]int, len(all))
	for _, e := range ends {
		outputs[e.From]++
	}
	out := make([]dag.Stroke, len(ends))
	for i, e := range ends {
		out[i] = strokeOf(all[e.From].state, all[e.To].state, outputs[e.From] == 1)
	}
	return out
}

func strokeOf(from, to diagnose.VertexState, only bool) dag.Stroke {
	if from.Role == diagnose.RoleHeldBack &&
		(only || to.Role == diagnose.RoleHeldBack || to.Role == diagnose.RoleCulprit) {
		return dag.Heavy
	}
	flow := from.RecordsOut
	if !flow.IsKnown() {
		flow = to.RecordsIn
	}
	if flow.Or(0) > 0 && from.Role != diagnose.RoleFinished {
		return dag.Thin
	}
	return dag.Dotted
}
