package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// RandomOptions steer [Random]. The zero value draws overloaded graphs of 2 to 40 vertices.
type RandomOptions struct {
	// MinVertices and MaxVertices bound the size; 0 means 2 and 40.
	MinVertices, MaxVertices int
	// Spare draws graphs in which every vertex is at most 80 % utilised, instead of one that is overloaded.
	Spare bool
}

// Limits of what Random draws. The slow vertex is 20 % and more above what it can handle, every other
// one 5 % and more below; so the two are never within 20 % of each other, and which of them is the
// culprit does not depend on taste.
const (
	slowLeast, slowMost   = 1.2, 3.0
	otherLeast, otherMost = 0.05, 0.95
	spareMost             = 0.8
	sourceMost            = 0.5
	randomMargin          = 0.2
)

// Random draws a job graph: forks, joins, diamonds, several sources and sinks, parallelism from 1 to 8,
// all ship strategies, hot and few keys, uneven hosts. Its sources are rate-limited. Unless opts.Spare
// is set, exactly one vertex, never a source, is overloaded: see [Graph.Truth]. Buffers hold at most
// about half a second of the offered load, so that backpressure needs a few seconds per hop to reach the
// sources.
func Random(rng *rand.Rand, opts RandomOptions) Graph {
	for {
		g := draw(rng, opts)
		t := g.Truth()
		if opts.Spare && t.Rho <= spareMost || t.Overloaded() && !t.Within(randomMargin) && t.RunnerUpRho < 1 {
			return g
		}
	}
}

func draw(rng *rand.Rand, opts RandomOptions) Graph {
	low, high := orElse(opts.MinVertices, 2), orElse(opts.MaxVertices, 40)
	n := low + int(float64(high-low+1)*math.Pow(rng.Float64(), 1.5))
	sources := 1 + rng.IntN(1+min(2, n/4))
	g := Graph{Vertices: make([]Vertex, n)}
	usual := 1 + rng.IntN(8)
	for v := range g.Vertices {
		g.Vertices[v] = drawVertex(rng, v, usual)
	}
	connect(rng, &g, sources)
	for v := range sources {
		g.Vertices[v].Name = fmt.Sprintf("Source: s%d", v)
		g.Vertices[v].Source = &Source{Rate: between(rng, 200, 5000), Log: rng.IntN(2) == 0}
	}
	load(rng, &g, opts.Spare)
	return g
}

func drawVertex(rng *rand.Rand, v, usual int) Vertex {
	x := Vertex{Name: fmt.Sprintf("v%d", v), Parallelism: usual, CPU: rng.Float64(), Selectivity: 1}
	if rng.IntN(10) < 4 {
		x.Parallelism = 1 + rng.IntN(8)
	}
	if rng.IntN(3) == 0 {
		x.Selectivity = between(rng, 0.3, 1.5)
	}
	if rng.IntN(8) == 0 {
		x.Factors = make([]float64, x.Parallelism)
		for i := range x.Factors {
			x.Factors[i] = between(rng, 1, 1.4)
		}
	}
	return x
}

// connect gives every vertex behind the sources one to three inputs among the vertices before it, and
// every source an output. What is left without an output is a sink.
func connect(rng *rand.Rand, g *Graph, sources int) {
	open := make([]bool, len(g.Vertices))
	link := func(from, to int) {
		open[from] = false
		g.Edges = append(g.Edges, drawEdge(rng, g, from, to))
	}
	for v := range g.Vertices {
		open[v] = true
		if v < sources {
			continue
		}
		inputs := 1
		if v > 1 && rng.IntN(4) == 0 {
			inputs += 1 + rng.IntN(2)
		}
		for range inputs {
			link(pick(rng, open[:v]), v)
		}
	}
	last := len(g.Vertices) - 1
	for s := range sources {
		if open[s] {
			link(s, max(sources, last-rng.IntN(len(g.Vertices)-sources)))
		}
	}
}

// pick chooses an earlier vertex: mostly one that nothing follows yet, so that chains grow, else any
// recent one (a fork).
func pick(rng *rand.Rand, open []bool) int {
	if rng.IntN(4) > 0 {
		var free []int
		for v, is := range open {
			if is {
				free = append(free, v)
			}
		}
		if len(free) > 0 {
			return free[rng.IntN(len(free))]
		}
	}
	recent := min(len(open), 8)
	return len(open) - 1 - rng.IntN(recent)
}

func drawEdge(rng *rand.Rand, g *Graph, from, to int) Edge {
	e := Edge{From: from, To: to, Ship: Rebalance}
	switch r := rng.IntN(100); {
	case r < 45:
		e.Ship = Hash
		e.Keys = drawKeys(rng)
	case r < 50:
		e.Ship = Rescale
	case r < 53:
		e.Ship = Broadcast
	case r < 75 && g.parallelism(from) == g.parallelism(to):
		e.Ship = Forward
	}
	if rng.IntN(10) == 0 {
		e.Fraction = between(rng, 0.1, 0.9)
	}
	return e
}

func drawKeys(rng *rand.Rand) Keys {
	switch rng.IntN(4) {
	case 0:
		return Keys{Hot: []Key{{Name: fmt.Sprintf("key-%d", rng.IntN(1000)), Share: between(rng, 0.15, 0.6)}}}
	case 1:
		return Keys{Distinct: 1 + rng.IntN(30)}
	default:
		return Keys{}
	}
}

// load chooses the service times for the wanted utilisation of each vertex, and the buffers for the
// flow.
func load(rng *rand.Rand, g *Graph, spare bool) {
	slow, most := -1, spareMost
	highest := 0.0
	if !spare {
		slow = rng.IntN(len(g.Vertices))
		highest = slowLeast * math.Pow(slowMost/slowLeast, rng.Float64())
		most = min(otherMost, highest/(1+randomMargin))
	}
	arrivals := g.normal().arrivals()
	for v := range g.Vertices {
		rho := drawRho(rng, most)
		if v == slow {
			rho = highest
		}
		heaviest := 0.0
		for i, a := range arrivals[v] {
			if i < len(g.Vertices[v].Factors) {
				a *= g.Vertices[v].Factors[i]
			}
			heaviest = max(heaviest, a)
		}
		g.Vertices[v].Service = max(1, time.Duration(rho/heaviest*1e9))
	}
	for i := range g.Edges {
		heaviest := 0.0
		for _, a := range arrivals[g.Edges[i].To] {
			heaviest = max(heaviest, a)
		}
		g.Edges[i].Buffer = max(20, heaviest*between(rng, 0.2, 0.5))
	}
}

// drawRho spreads the utilisation evenly over orders of magnitude: most operators are far from their limit.
func drawRho(rng *rand.Rand, most float64) float64 {
	return otherLeast * math.Pow(most/otherLeast, rng.Float64())
}

func between(rng *rand.Rand, low, high float64) float64 { return low + (high-low)*rng.Float64() }
