package sim

import "math"

// Truth is which vertex limits a job, found from the description alone, without running it.
type Truth struct {
	// Vertex is the position of the vertex with the highest utilisation, RunnerUp of the next one.
	Vertex, RunnerUp int
	// Rho is the utilisation of Vertex: the load offered to its busiest subtask over what that can handle.
	// Above 1 it cannot keep up. RunnerUpRho is that of RunnerUp, or 0 for a graph of one vertex.
	Rho, RunnerUpRho float64
}

// Overloaded tells whether some vertex cannot keep up with the load.
func (t Truth) Overloaded() bool { return t.Rho > 1 }

// Within tells whether the two tightest vertices are closer to each other than margin (0.2 is 20 %), so
// that naming the second instead of the first would be no great mistake.
func (t Truth) Within(margin float64) bool { return t.Rho < t.RunnerUpRho*(1+margin) }

// Truth compares the utilisation of all vertices. It is the whole truth where at most one vertex is
// overloaded: that one throttles its ancestors, which only lowers the load of the others.
func (g Graph) Truth() Truth {
	t := Truth{Vertex: -1, RunnerUp: -1}
	for v, rho := range g.Utilisation() {
		switch {
		case rho > t.Rho:
			t.RunnerUp, t.RunnerUpRho = t.Vertex, t.Rho
			t.Vertex, t.Rho = v, rho
		case rho > t.RunnerUpRho:
			t.RunnerUp, t.RunnerUpRho = v, rho
		}
	}
	return t
}

// Utilisation returns, for each vertex, the offered load of its busiest subtask over its capacity. The
// load is what would come from the sources if nothing held them back: their Rate, at most their Limit; a
// source without an end offers all that it can handle. Lag is left out of account.
func (g Graph) Utilisation() []float64 {
	g = g.normal()
	rho := make([]float64, len(g.Vertices))
	for v, loads := range g.arrivals() {
		for i, load := range loads {
			rho[v] = max(rho[v], load*g.service(v, i))
		}
	}
	return rho
}

// service is in seconds per record, on a host of normal speed.
func (g Graph) service(v, i int) float64 {
	s := g.Vertices[v].Service.Seconds()
	if i < len(g.Vertices[v].Factors) {
		s *= g.Vertices[v].Factors[i]
	}
	return s
}

// arrivals returns the records per second that are offered to each subtask of each vertex.
func (g Graph) arrivals() [][]float64 {
	order, _ := g.topological()
	loads := make([][]float64, len(g.Vertices))
	for v := range loads {
		loads[v] = make([]float64, g.parallelism(v))
	}
	incoming := make([]int, len(g.Vertices))
	for _, e := range g.Edges {
		incoming[e.To]++
	}
	for _, v := range order {
		if incoming[v] == 0 {
			for i := range loads[v] {
				loads[v][i] = g.supplied(v, i)
			}
		}
		for _, e := range g.Edges {
			if e.From == v {
				g.pass(e, loads[v], loads[e.To])
			}
		}
	}
	return loads
}

// pass adds what the senders' load puts on the receivers of an edge.
func (g Graph) pass(e Edge, from, to []float64) {
	gain := g.Vertices[e.From].Selectivity * e.Fraction
	for _, grp := range groupsOf(e, len(from), len(to), g.Vertices[e.To].MaxParallelism) {
		sent := 0.0
		for _, load := range from[grp.senders.from:grp.senders.to] {
			sent += load * gain
		}
		for k, w := range grp.weights {
			to[grp.receivers.from+k] += sent * w
		}
	}
}

// supplied is what a subtask of a source is offered per second.
func (g Graph) supplied(v, i int) float64 {
	s := newSupply(g.Vertices[v].Source, i, g.parallelism(v))
	rate := min(s.rate, s.limit)
	if math.IsInf(rate, 1) {
		return 1 / g.service(v, i)
	}
	return rate
}
