package sim

import (
	"slices"
	"testing"
	"time"
)

// The culprits of each scenario are busy and not held back, and nothing is backpressured where there is
// none.
func TestScenariosShowWhatTheySay(t *testing.T) {
	for _, s := range Scenarios() {
		t.Run(s.Name, func(t *testing.T) { checkScenario(t, s) })
	}
}

func checkScenario(t *testing.T, s Scenario) {
	if s.Summary == "" || s.Reason == "" {
		t.Error("no summary or reason")
	}
	c, span, least := s.Cluster(noon()), 4, 0.95
	if s.Recurs {
		span, least = 120, 0.2
	}
	tops := map[string][3]float64{}
	for _, j := range c.jobs {
		for v, subtasks := range shares(c, j, span) {
			tops[j.net.vertices[v].Name] = highest(subtasks)
		}
	}
	for _, name := range s.Culprits {
		if top := tops[name]; top[0] < least || top[1] > 0.01 && !s.Recurs {
			t.Errorf("culprit %s: %.2f", name, top)
		}
	}
	if s.Culprits != nil || s.Suspects != nil || s.Reason == "network" || s.Reason == "restart-loop" {
		return
	}
	for name, top := range tops {
		if top[1] > 0.01 {
			t.Errorf("%s is backpressured: %.2f", name, top)
		}
	}
}

// The computed bottleneck of a scenario is its culprit, wherever hosts play no part in it.
func TestScenarioGraphsHaveTheirCulpritAsBottleneck(t *testing.T) {
	for _, s := range Scenarios() {
		j := s.Config.Jobs[0]
		if len(s.Config.Jobs) > 1 || s.Config.TaskManagers != nil || s.Recurs || s.Reason == "catching-up" {
			continue
		}
		truth := j.turned().Truth()
		if overloaded := len(s.Culprits) > 0; truth.Overloaded() != overloaded && s.Reason != "finished" && s.Reason != "batch" {
			t.Errorf("%s: %+v", s.Name, truth)
		}
		if len(s.Culprits) > 0 && !slices.Contains(s.Culprits, j.Vertices[truth.Vertex].Name) {
			t.Errorf("%s: bottleneck is %s", s.Name, j.Vertices[truth.Vertex].Name)
		}
	}
}

func TestHealthyStaysHealthyForADay(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulated day")
	}
	c := scenario(t, "healthy")
	for hour := range 24 {
		for v, subtasks := range shares(c, c.jobs[0], 3600) {
			if top := highest(subtasks); top[0] > 0.4 || top[1] > 0 {
				t.Fatalf("hour %d, vertex %d: %.3f", hour, v, top)
			}
		}
	}
}

// turned is the graph after its changes.
func (j Job) turned() Graph {
	g := Graph{slices.Clone(j.Vertices), slices.Clone(j.Edges)}
	for _, change := range j.Changes {
		v := &g.Vertices[change.Vertex]
		v.Service = orElse(change.Service, v.Service)
		if change.Factors != nil {
			v.Factors = change.Factors
		}
		if change.Timers != nil {
			v.Service += time.Duration(change.Timers.PerRecord * float64(change.Timers.Fire))
		}
		v.Source = orElse(change.Source, v.Source)
		for e := range g.Edges {
			if g.Edges[e].To == change.Vertex && change.Keys != nil {
				g.Edges[e].Keys = *change.Keys
			}
		}
	}
	return g
}

// A story is healthy before its turn: nothing is backpressured, and nothing is busier than four fifths.
func TestStoriesBeginHealthy(t *testing.T) {
	for _, s := range Scenarios() {
		began, turns := s.Began()
		if !turns || began > s.Warm-2*time.Minute {
			continue
		}
		c := New(s.Config)
		c.Advance(began / 2)
		for v, subtasks := range shares(c, c.jobs[0], 60) {
			if top := highest(subtasks); top[0] > 0.8 || top[1] > 0 {
				t.Errorf("%s: vertex %d: %.3f", s.Name, v, top)
			}
		}
	}
}

// BenchmarkHour simulates an hour of each incident; under a second is meant.
func BenchmarkHour(b *testing.B) {
	for _, s := range Scenarios() {
		b.Run(s.Name, func(b *testing.B) {
			for b.Loop() {
				s.Cluster(noon()).Advance(time.Hour)
			}
		})
	}
}
