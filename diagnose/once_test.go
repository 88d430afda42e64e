package diagnose_test

import (
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi/sim"
)

// reportsOver looks at a scenario for so long and hands each report on.
func reportsOver(t *testing.T, name string, span time.Duration, each func(*diagnose.Report)) {
	t.Helper()
	s, ok := sim.Lookup(name)
	if !ok {
		t.Fatal("no such scenario")
	}
	cluster := s.Cluster(midnight)
	m := diagnose.NewMonitor(simulatedEvery(t, cluster, 3*time.Second), optionsFor(s))
	for cluster.Now().Sub(midnight) < span {
		for _, r := range reportsOf(step(t, m, diagnose.Ask{})) {
			each(r)
		}
		cluster.Advance(m.Wait())
	}
}

// In one report a vertex is a culprit or a victim of a culprit, and each of them once.
func TestAVertexStandsOnceInAReport(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"burst", "alternating", "two-pipelines", "diamond"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reportsOver(t, name, 6*time.Minute, func(r *diagnose.Report) {
				if what := twice(r); what != "" {
					t.Fatalf("%s: %s", r.Headline, what)
				}
				for _, x := range r.Culprits {
					if x.Confidence == diagnose.Firm && (len(x.Subtasks) == 0 || len(x.TaskManagers) == 0) {
						t.Fatalf("where %s is busy is not told: %s", x.Vertex.Name, r.Headline)
					}
				}
			})
		})
	}
}

// twice says which vertex stands twice in a report; empty for none.
func twice(r *diagnose.Report) string {
	named := map[diagnose.VertexRef]bool{}
	for _, x := range r.Culprits {
		if named[x.Vertex] {
			return x.Vertex.Name + " is a culprit twice"
		}
		named[x.Vertex] = true
	}
	for _, x := range r.Culprits {
		held := map[diagnose.VertexRef]bool{}
		for _, v := range x.Victims {
			if named[v.Vertex] || held[v.Vertex] {
				return v.Vertex.Name + " is a victim, and a culprit or a victim already"
			}
			held[v.Vertex] = true
		}
	}
	return ""
}

// Of two that take turns none is the one for good, though for half a minute it is.
func TestATurnIsNotFirm(t *testing.T) {
	t.Parallel()
	reportsOver(t, "alternating", 4*time.Minute, func(r *diagnose.Report) {
		for _, x := range r.Culprits {
			if x.Confidence == diagnose.Firm && x.Reason.Name != "alternating" {
				t.Fatalf("%s: firm: %s", r.At.Sub(midnight), r.Headline)
			}
		}
	})
}
