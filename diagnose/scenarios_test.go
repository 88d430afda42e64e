package diagnose_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi/sim"
)

// A scenario must be told firmly soon, and stay told for as long as it is watched.
const (
	soon  = 75 * time.Second
	watch = 4 * time.Minute
)

// midnight is when every scenario is looked at first.
var midnight = time.Date(2026, time.January, 2, 0, 0, 0, 0, time.UTC)

// ruled tells whether there is a rule for a reason.
func ruled(reason string) bool {
	return slices.ContainsFunc(diagnose.Rules(), func(r diagnose.Rule) bool { return r.Name == reason })
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"1.20.5", "2.3.0"} {
		for _, s := range sim.Scenarios() {
			t.Run(s.Name+"/"+version, func(t *testing.T) {
				t.Parallel()
				s.Config.Version = version
				watchScenario(t, s)
			})
		}
	}
}

// watchScenario holds a scenario to its truth: nobody but its culprits is named, and soon they are,
// firmly and for the reason, as far as there is a rule for it.
func watchScenario(t *testing.T, s sim.Scenario) {
	t.Helper()
	cluster := s.Cluster(midnight)
	m := diagnose.NewMonitor(simulatedEvery(t, cluster, 3*time.Second), optionsFor(s))
	var ask diagnose.Ask
	for cluster.Now().Sub(midnight) < watch+s.Told {
		obs := step(t, m, ask)
		reports := reportsOf(obs)
		if wrong := innocent(s, reports); wrong != "" {
			t.Fatalf("%s is named", wrong)
		}
		if what := missing(s, reports); what != "" && obs.At.Sub(midnight) > soon+s.Told {
			t.Fatalf("after %s %s", obs.At.Sub(midnight), what)
		}
		if len(obs.Jobs) == 1 && obs.Jobs[0].Job.State.Over() { // it is looked into only when it is asked for
			ask.Job = obs.Jobs[0].Job.ID
		}
		cluster.Advance(m.Wait())
	}
}

// optionsFor are the usual ones, with what only the owner of the log knows.
func optionsFor(s sim.Scenario) diagnose.Options {
	options := diagnose.DefaultOptions()
	options.LogRetention = s.Retention
	return options
}

func step(t *testing.T, m *diagnose.Monitor, ask diagnose.Ask) *diagnose.Observation {
	t.Helper()
	obs, err := m.Step(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	return obs
}

func reportsOf(obs *diagnose.Observation) []*diagnose.Report {
	if obs.Report != nil {
		return []*diagnose.Report{obs.Report}
	}
	var out []*diagnose.Report
	for _, line := range obs.Jobs {
		if line.Report != nil {
			out = append(out, line.Report)
		}
	}
	return out
}

// innocent returns a vertex that is named and is no culprit; empty for none.
func innocent(s sim.Scenario, reports []*diagnose.Report) string {
	for _, r := range reports {
		for _, x := range r.Culprits {
			if !slices.Contains(s.Culprits, x.Vertex.Name) && !slices.Contains(s.Suspects, x.Vertex.Name) {
				return x.Vertex.Name
			}
		}
	}
	return ""
}

// missing says what is not told yet; nothing when all is.
func missing(s sim.Scenario, reports []*diagnose.Report) string {
	var named, reasons []string
	for _, r := range reports {
		if r.State != nil && (r.Firm || r.Severity == diagnose.UnknownSeverity) { // what is unknown is never firm
			reasons = append(reasons, r.State.Rule)
		}
		for _, f := range r.Also {
			if r.Firm {
				reasons = append(reasons, f.Rule)
			}
		}
		for _, x := range r.Culprits {
			if x.Confidence == diagnose.Firm || s.Recurs {
				named = append(named, x.Vertex.Name)
				reasons = append(reasons, x.Reason.Name, string(x.Pattern))
			}
		}
	}
	want := slices.Sorted(slices.Values(s.Culprits))
	slices.Sort(named)
	switch {
	case s.Recurs: // they are named by turns
	case !slices.Equal(named, want):
		return fmt.Sprintf("%q are named firmly, want %q", named, want)
	case len(reports) == 0:
		return "no report is there"
	}
	switch {
	case ruled(s.Reason) && !slices.Contains(reasons, s.Reason):
		return fmt.Sprintf("the reasons are %q, want %s", reasons, s.Reason)
	case !ruled(s.Reason) && len(want) == 0 && !slices.Contains(reasons, "healthy"):
		return fmt.Sprintf("the reasons are %q, want no alarm", reasons)
	}
	return ""
}

// A healthy job is looked at all day, rarely: no look may name anybody or raise an alarm.
func TestAHealthyJobIsLeftAloneAllDay(t *testing.T) {
	t.Parallel()
	const pause = 5 * time.Minute
	s, ok := sim.Lookup("healthy")
	if !ok {
		t.Fatal("no such scenario")
	}
	s.Config.Step = time.Second
	cluster := s.Cluster(midnight)
	m := diagnose.NewMonitor(simulated(t, cluster), diagnose.DefaultOptions())
	looks, calm := 0, 0
	for day := midnight.Add(24 * time.Hour); cluster.Now().Before(day); cluster.Advance(pause) {
		for range 3 { // the first look only starts a collection of metrics
			obs := step(t, m, diagnose.Ask{})
			cluster.Advance(m.Wait())
			looks++
			for _, r := range reportsOf(obs) {
				if len(r.Culprits) > 0 || r.Severity == diagnose.Warning || r.Severity == diagnose.Critical {
					t.Fatalf("%s: %s", obs.At.Sub(midnight), r.Text())
				}
				if r.Severity == diagnose.OK {
					calm++
				}
			}
		}
	}
	if looks-calm > 6 { // those before the first numbers
		t.Errorf("only %d of %d looks said that all is well", calm, looks)
	}
}

// A slow operator that is cured is left alone again, and the verdict does not go back and forth on the way.
func TestTheVerdictFollowsTheJob(t *testing.T) {
	t.Parallel()
	graph := sim.Graph{
		Vertices: []sim.Vertex{
			{
				Name: "Source: orders", Parallelism: 2, Service: 100 * time.Microsecond,
				Source: &sim.Source{Rate: 1000},
			},
			{Name: "enrich", Parallelism: 2, Service: 200 * time.Microsecond, CPU: 0.05},
			{Name: "sink", Parallelism: 2, Service: 100 * time.Microsecond},
		},
		Edges: []sim.Edge{{From: 0, To: 1, Ship: sim.Rebalance}, {From: 1, To: 2, Ship: sim.Rebalance}},
	}
	cluster := sim.New(sim.Config{Jobs: []sim.Job{{
		Name: "orders", Graph: graph, Jitter: 0.05,
		Changes: []sim.Change{
			{At: 3 * time.Minute, Vertex: 1, Service: 4 * time.Millisecond},
			{At: 8 * time.Minute, Vertex: 1, Service: 200 * time.Microsecond},
		},
	}}})
	cluster.Advance(2 * time.Minute)
	m := diagnose.NewMonitor(simulated(t, cluster), diagnose.DefaultOptions())
	var said []string
	for end := cluster.Now().Add(10 * time.Minute); cluster.Now().Before(end); cluster.Advance(m.Wait()) {
		obs := step(t, m, diagnose.Ask{})
		if obs.Report == nil || obs.Report.Severity == diagnose.UnknownSeverity {
			continue
		}
		word := "healthy"
		if len(obs.Report.Culprits) > 0 {
			word = obs.Report.Culprits[0].Vertex.Name
		}
		if len(said) == 0 || said[len(said)-1] != word {
			said = append(said, word)
		}
	}
	if want := []string{"healthy", "enrich", "healthy"}; !slices.Equal(said, want) {
		t.Errorf("it said %q, want %q", said, want)
	}
}

// A watch that begins while the metrics stand still names the TaskManager that is silent, and no vertex.
func TestAWatchThatBeginsDuringAStandstill(t *testing.T) {
	t.Parallel()
	s, ok := sim.Lookup("slow-middle")
	if !ok {
		t.Fatal("no such scenario")
	}
	s.Config.Jobs[0].Faults = []sim.Fault{{Kind: sim.TaskManagerStalls, At: s.Warm + 40*time.Second}}
	cluster := s.Cluster(midnight)
	watch := func(d time.Duration) *diagnose.Observation {
		m := diagnose.NewMonitor(simulated(t, cluster), diagnose.DefaultOptions())
		var last *diagnose.Observation
		for end := cluster.Now().Add(d); cluster.Now().Before(end); {
			last = step(t, m, diagnose.Ask{})
			cluster.Advance(m.Wait())
		}
		return last
	}
	if obs := watch(30 * time.Second); len(obs.Report.Culprits) != 1 {
		t.Fatalf("before: %s", obs.Report.Text())
	}
	cluster.Advance(25 * time.Second)
	obs := watch(20 * time.Second)
	if r := obs.Report; len(r.Culprits) > 0 || r.State == nil || r.State.Rule != "taskmanager-lost" {
		t.Errorf("it says %s", r.Text())
	}
}
