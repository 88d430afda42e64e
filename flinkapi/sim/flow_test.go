package sim

import (
	"math"
	"testing"
	"time"
)

// run simulates one job for so many seconds and returns it.
func run(g Graph, seconds int) (*Cluster, *job) {
	c := New(Config{Jobs: []Job{{Name: "test", Graph: g}}})
	c.Advance(time.Duration(seconds) * time.Second)
	return c, c.jobs[0]
}

// shares returns busy, backpressured and idle of each subtask of each vertex over the next so many
// seconds.
func shares(c *Cluster, j *job, seconds int) [][][3]float64 {
	read := func() [][][3]float64 {
		out := make([][][3]float64, len(j.net.vertices))
		for v := range j.net.vertices {
			for _, t := range j.net.vertices[v].tasks {
				out[v] = append(out[v], [3]float64{t.busy, t.blocked, t.idle})
			}
		}
		return out
	}
	before := read()
	c.Advance(time.Duration(seconds) * time.Second)
	after := read()
	for v := range after {
		for i := range after[v] {
			for k := range after[v][i] {
				after[v][i][k] = (after[v][i][k] - before[v][i][k]) / float64(seconds)
			}
		}
	}
	return after
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// Every record that was sent was read or waits in a queue, no queue holds more than it can, and the
// three times of each subtask add up to the time that it has run.
func TestRandomGraphsKeepTheirBooks(t *testing.T) {
	for seed := range uint64(200) {
		c, j := run(Random(rngOf(seed), RandomOptions{}), 30)
		for _, e := range j.net.edges {
			sent, got := 0.0, 0.0
			for _, x := range j.net.vertices[e.From].tasks {
				sent += x.handled * e.gain
			}
			if e.Ship == Broadcast {
				sent *= float64(len(e.queues))
			}
			for _, q := range e.queues {
				got += q.taken + q.length
				if q.length > q.capacity*(1+1e-6) || !near(q.arrived, q.taken+q.length, 1e-6*max(1, q.arrived)) {
					t.Fatalf("seed %d: queue %+v", seed, q)
				}
			}
			if !near(sent, got, 1e-6*max(1, sent)) {
				t.Fatalf("seed %d: edge %d -> %d: sent %v, got %v", seed, e.From, e.To, sent, got)
			}
		}
		j.each(func(v, i int, s *subtask, x *task) {
			ran := c.seconds() - s.at(running)
			if !near(x.busy+x.blocked+x.idle, ran, 1e-6) {
				t.Fatalf("seed %d: %d/%d: %v + %v + %v is not %v", seed, v, i, x.busy, x.blocked, x.idle, ran)
			}
			taken := 0.0
			for _, e := range j.net.vertices[v].in {
				taken += j.net.edges[e].queues[i].taken
			}
			if len(j.net.vertices[v].in) > 0 && !near(taken, x.handled, 1e-6*max(1, taken)) {
				t.Fatalf("seed %d: %d/%d took %v and handled %v", seed, v, i, taken, x.handled)
			}
		})
	}
}

// The vertex that the description says is too slow is the one that ends up busy all the time; no other
// one does, and some subtask above it is backpressured.
func TestOverloadedGraphsSaturateTheirSlowVertex(t *testing.T) {
	for seed := range uint64(400) {
		g := Random(rngOf(seed), RandomOptions{})
		truth := g.Truth()
		c, j := run(g, 60)
		now := shares(c, j, 20)
		above := ancestors(g, truth.Vertex)
		pressed := 0.0
		for v := range now {
			busiest, blocked := 0.0, 0.0
			for _, x := range now[v] {
				busiest, blocked = max(busiest, x[0]), max(blocked, x[1])
			}
			if v == truth.Vertex && busiest < 0.995 {
				t.Errorf("seed %d: slow vertex %d (%+v) is busy %.3f", seed, v, truth, busiest)
			}
			if v != truth.Vertex && busiest > 0.96 {
				t.Errorf("seed %d: vertex %d is busy %.3f beside %+v", seed, v, busiest, truth)
			}
			if above[v] {
				pressed = max(pressed, blocked)
			} else if blocked > 0.005 {
				t.Errorf("seed %d: vertex %d is backpressured %.3f but not above %+v", seed, v, blocked, truth)
			}
		}
		if pressed < 0.05 {
			t.Errorf("seed %d: nothing above %+v is backpressured", seed, truth)
		}
	}
}

// ancestors tells which vertices can reach v.
func ancestors(g Graph, v int) []bool {
	above := make([]bool, len(g.Vertices))
	var visit func(int)
	visit = func(x int) {
		for _, e := range g.Edges {
			if e.To == x && !above[e.From] {
				above[e.From] = true
				visit(e.From)
			}
		}
	}
	visit(v)
	return above
}

func TestGraphsWithSpareCapacityAreNeverBackpressured(t *testing.T) {
	for seed := range uint64(300) {
		g := Random(rngOf(seed), RandomOptions{Spare: true})
		rho := g.Utilisation()
		c, j := run(g, 20)
		for v, subtasks := range shares(c, j, 20) {
			busiest := 0.0
			for i, x := range subtasks {
				busiest = max(busiest, x[0])
				if x[1] > 1e-9 {
					t.Errorf("seed %d: %d/%d is backpressured %.3f", seed, v, i, x[1])
				}
			}
			if !near(busiest, rho[v], 0.01) {
				t.Errorf("seed %d: vertex %d is busy %.3f, computed %.3f", seed, v, busiest, rho[v])
			}
		}
	}
}
