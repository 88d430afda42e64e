package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// Every record that was sent was read or waits in a queue, no queue holds more than it can, and the
// three times of each subtask add up to the time that it has run.
func TestRandomGraphsKeepTheirBooks(t *testing.T) {
	for seed := range uint64(100) {
		c, j := run(Random(rngOf(seed), RandomOptions{}), 30)
		for i := range j.net.edges {
			checkRecords(t, seed, j, &j.net.edges[i])
		}
		j.each(func(v, i int, s *subtask, x *task) {
			if ran := c.seconds() - s.at(running); !near(x.busy+x.blocked+x.idle, ran, 1e-6) {
				t.Errorf("seed %d: %d/%d: %v + %v + %v is not %v", seed, v, i, x.busy, x.blocked, x.idle, ran)
			}
			taken := 0.0
			for _, e := range j.net.vertices[v].in {
				taken += j.net.edges[e].queues[i].taken
			}
			if len(j.net.vertices[v].in) > 0 && !near(taken, x.handled, 1e-6*max(1, taken)) {
				t.Errorf("seed %d: %d/%d took %v and handled %v", seed, v, i, taken, x.handled)
			}
		})
	}
}

func checkRecords(t *testing.T, seed uint64, j *job, e *edge) {
	t.Helper()
	sent, got := 0.0, 0.0
	for _, x := range j.net.vertices[e.From].tasks {
		sent += x.handled * e.gain
	}
	if e.Ship == Broadcast {
		sent *= float64(len(e.queues))
	}
	for _, q := range e.queues {
		got += q.taken + q.waiting()
		if q.length > q.capacity*(1+1e-6) || !near(q.arrived, q.taken+q.waiting(), 1e-6*max(1, q.arrived)) {
			t.Errorf("seed %d: edge %d -> %d: queue %+v", seed, e.From, e.To, q)
		}
	}
	if !near(sent, got, 1e-6*max(1, sent)) {
		t.Errorf("seed %d: edge %d -> %d: sent %v, got %v", seed, e.From, e.To, sent, got)
	}
}

// The vertex that the description says is too slow is the one that ends up busy all the time. No other
// one does; some subtask above it is backpressured, and none elsewhere.
func TestOverloadedGraphsSaturateTheirSlowVertex(t *testing.T) {
	for seed := range uint64(200) {
		g := Random(rngOf(seed), RandomOptions{})
		truth := g.Truth()
		c, j := run(g, 90)
		above := ancestors(g, truth.Vertex)
		pressed := 0.0
		for v, subtasks := range shares(c, j, 20) {
			top := highest(subtasks)
			busy, blocked := top[0], top[1]
			if (v == truth.Vertex) != (busy > 0.98) {
				t.Errorf("seed %d: vertex %d is busy %.3f; %+v", seed, v, busy, truth)
			}
			if above[v] {
				pressed = max(pressed, blocked)
			} else if blocked > 0.01 {
				t.Errorf("seed %d: vertex %d is backpressured %.3f but not above %+v", seed, v, blocked, truth)
			}
		}
		if slices.Contains(above, true) && pressed < 0.05 { // nothing is above a slow source
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
	for seed := range uint64(150) {
		g := Random(rngOf(seed), RandomOptions{Spare: true})
		rho := g.Utilisation()
		c, j := run(g, 20)
		for v, subtasks := range shares(c, j, 20) {
			top := highest(subtasks)
			if top[1] > 1e-9 {
				t.Errorf("seed %d: vertex %d is backpressured %.3f", seed, v, top[1])
			}
			if !near(top[0], rho[v], 0.01) {
				t.Errorf("seed %d: vertex %d is busy %.3f, computed %.3f", seed, v, top[0], rho[v])
			}
		}
	}
}

func TestRandomGraphsAreVariedAndValid(t *testing.T) {
	var smallest, largest, forks, joins, manySources, manySinks int
	ships := map[Ship]int{}
	smallest = 100
	for seed := range uint64(500) {
		g := Random(rngOf(seed), RandomOptions{})
		if err := g.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		smallest, largest = min(smallest, len(g.Vertices)), max(largest, len(g.Vertices))
		in, out := make([]int, len(g.Vertices)), make([]int, len(g.Vertices))
		for _, e := range g.Edges {
			in[e.To]++
			out[e.From]++
			ships[e.Ship]++
		}
		sources, sinks := 0, 0
		for v := range g.Vertices {
			if (in[v] == 0) != (g.Vertices[v].Source != nil) || in[v]+out[v] == 0 {
				t.Fatalf("seed %d: vertex %d has %d inputs and %d outputs", seed, v, in[v], out[v])
			}
			sources += btoi(in[v] == 0)
			sinks += btoi(out[v] == 0)
			joins += btoi(in[v] > 1)
			forks += btoi(out[v] > 1)
		}
		manySources += btoi(sources > 1)
		manySinks += btoi(sinks > 1)
		if truth := g.Truth(); truth.Within(0.2) || truth.RunnerUpRho >= 1 || !truth.Overloaded() {
			t.Errorf("seed %d: %+v", seed, truth)
		}
	}
	if smallest > 3 || largest < 38 || len(ships) != 5 {
		t.Errorf("sizes %d to %d, ships %v", smallest, largest, ships)
	}
	if min(forks, joins, manySources, manySinks) < 50 {
		t.Errorf("%d forks, %d joins, %d with several sources, %d with several sinks", forks, joins, manySources, manySinks)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestHeldBackTaskSharesItsTime(t *testing.T) {
	tests := []struct {
		name  string
		upper time.Duration
		rate  float64
		want  [3]float64
	}{
		{"twice as fast as the one below", 2 * time.Millisecond, 0, [3]float64{0.5, 0.5, 0}},
		{"a little faster", 3 * time.Millisecond, 0, [3]float64{0.75, 0.25, 0}},
		{"kept waiting by its input", 2 * time.Millisecond, 100, [3]float64{0.2, 0, 0.8}},
		{"slower than the one below", 5 * time.Millisecond, 0, [3]float64{1, 0, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source := Vertex{Name: "Source: s", Service: 10 * time.Microsecond, Source: &Source{Rate: tt.rate}}
			c, j := run(Graph{
				Vertices: []Vertex{
					source, {Name: "upper", Service: tt.upper}, {Name: "lower", Service: 4 * time.Millisecond},
				},
				Edges: chain(Forward, Forward),
			}, 60)
			got := shares(c, j, 20)[1][0]
			for k := range got {
				if !near(got[k], tt.want[k], 0.01) {
					t.Fatalf("busy, backpressured, idle = %.3f, want %.3f", got, tt.want)
				}
			}
		})
	}
}

func TestOneSlowReceiverStopsARoundRobin(t *testing.T) {
	c, j := run(Graph{
		Vertices: []Vertex{
			{Name: "Source: s", Parallelism: 2, Service: 10 * time.Microsecond},
			{Name: "work", Parallelism: 4, Service: time.Millisecond, Factors: []float64{1, 1, 5, 1}},
		},
		Edges: chain(Rebalance),
	}, 60)
	for i, x := range shares(c, j, 10)[1] {
		want := 0.2
		if i == 2 {
			want = 1
		}
		if !near(x[0], want, 0.01) || x[1] != 0 {
			t.Errorf("subtask %d: %.3f, want busy %v", i, x, want)
		}
	}
}

func TestJoinReadsItsInputsFairly(t *testing.T) {
	c, j := run(Graph{
		Vertices: []Vertex{
			{Name: "Source: much", Service: time.Millisecond, Source: &Source{Rate: 900}},
			{Name: "Source: little", Service: time.Millisecond, Source: &Source{Rate: 100}},
			{Name: "join", Service: 2 * time.Millisecond},
		},
		Edges: []Edge{{From: 0, To: 2}, {From: 1, To: 2}},
	}, 60)
	got := shares(c, j, 10)
	much, little := got[0][0], got[1][0]
	if !near(much[0], 0.4, 0.01) || !near(much[1], 0.6, 0.01) || little[1] > 0.01 {
		t.Errorf("the source of 900/s: %.3f, that of 100/s: %.3f", much, little)
	}
}

func BenchmarkSimulate(b *testing.B) {
	for _, size := range []int{5, 20, 40} {
		g := Random(rngOf(uint64(size)), RandomOptions{MinVertices: size, MaxVertices: size})
		b.Run(fmt.Sprintf("%d vertices", size), func(b *testing.B) {
			simulated := 0
			for b.Loop() {
				c := New(Config{Jobs: []Job{{Name: "random", Graph: g}}})
				c.Advance(90 * time.Second)
				simulated += 90
			}
			b.ReportMetric(float64(simulated)/b.Elapsed().Seconds(), "simulated-s/s")
		})
	}
}
