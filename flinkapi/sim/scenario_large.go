package sim

import "fmt"

// scoreAt is the position of the scoring step of largeGraph.
const scoreAt = 23

// largeGraph is a job of 50 vertices: eight regions of five each, joined one after another; the join of the
// first four is followed by a scoring step that asks a service.
func largeGraph() Graph {
	const regions, scored = 8, 4 // regions in all, and those whose join is scored
	var g Graph
	add := func(v Vertex, inputs ...int) int {
		for _, from := range inputs {
			g.Edges = append(g.Edges, Edge{From: from, To: len(g.Vertices), Ship: Hash})
		}
		g.Vertices = append(g.Vertices, v)
		return len(g.Vertices) - 1
	}
	joined := -1
	for r := 1; r <= regions; r++ {
		at := add(kafka(fmt.Sprintf("region-%d", r), 1, 300, 200))
		for _, step := range []string{"parse", "validate", "enrich", "sessionize"} {
			at = add(computing(fmt.Sprintf("%s-%d", step, r), 1, 400), at)
		}
		if joined >= 0 {
			at = add(computing(fmt.Sprintf("join-%d", r), 2, 200), joined, at)
		}
		if joined = at; r == scored {
			joined = add(waiting("score", 2, 3600), joined)
		}
	}
	add(waiting("warehouse: Writer", 2, 150), joined)
	add(waiting("alerts: Writer", 1, 150), joined)
	return g
}

func largeJob() Scenario {
	return Scenario{
		Name:     "large-job",
		Summary:  "A job of 50 vertices, in whose middle one waits for a service.",
		Culprits: []string{"score"}, Reason: "external-wait", Warm: usualWarm,
		Treatments: []Treatment{
			helps("more-score", "Give score eight instances instead of two: it is what the job waits for.",
				Change{Vertex: scoreAt, Parallelism: 8}),
			inVain("more-upstream",
				"Give join-4 above it eight instances instead of two: it only waits with more of them.",
				Change{Vertex: scoreAt - 1, Parallelism: 8}),
		},
		Config: one("regions-scoring", largeGraph()),
	}.first(scoreAt, 900)
}
