package diagnose

import "culprit/flinkapi"

// pipeline is a weakly connected part of a job's graph: which vertices belong to it. The pipelines of a job
// share slots and checkpoints, but no record goes from one to another.
type pipeline []bool

// pipelines returns the pipelines of more than one vertex. One of a single vertex is a chain, between whose
// operators Flink counts no records. The result belongs to the graph.
func (g *graph) pipelines() []pipeline {
	if !g.parted {
		g.parts, g.parted = g.split(), true
	}
	return g.parts
}

func (g *graph) split() []pipeline {
	var out []pipeline
	seen := make([]bool, len(g.ids))
	for v := range g.ids {
		if seen[v] {
			continue
		}
		p, size := make(pipeline, len(g.ids)), 0
		for todo := []int{v}; len(todo) > 0; {
			u := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[u] {
				continue
			}
			seen[u], p[u] = true, true
			size++
			todo = append(append(todo, g.in[u]...), g.out[u]...)
		}
		if size > 1 {
			out = append(out, p)
		}
	}
	return out
}

// pipelineOf returns the pipeline of a vertex; nil for a chain.
func (g *graph) pipelineOf(v int) pipeline {
	for _, p := range g.pipelines() {
		if p[v] {
			return p
		}
	}
	return nil
}

// add adds the vertices of another pipeline.
func (p pipeline) add(other pipeline) {
	for v := range other {
		p[v] = p[v] || other[v]
	}
}

// motionless tells whether all that is counted of the pipeline's records in a slot is nothing; known is false
// where some are not counted.
func (p pipeline) motionless(s *slot) (stands, known bool) {
	stands, known = true, true
	for i := range s.vertices {
		v := &s.vertices[i]
		if !p[i] || v.finished {
			continue
		}
		in, okIn := v.all.in.Float()
		out, okOut := v.all.out.Float()
		stands, known = stands && in <= 0 && out <= 0, known && okIn && okOut
	}
	return stands && known, known
}

// names are the vertices of the pipeline, in the order of the graph.
func (p pipeline) names(job *flinkapi.Job) []string {
	var out []string
	for v := range p {
		if p[v] {
			out = append(out, job.Vertices[v].Name)
		}
	}
	return out
}
