package diagnose_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

// counted is a transport that counts requests by the kind of their path.
type counted struct {
	next http.RoundTripper
	lock sync.Mutex // over the counts
	jobs, others,
	lists int
}

func (c *counted) RoundTrip(r *http.Request) (*http.Response, error) {
	c.count(r)
	return c.next.RoundTrip(r)
}

func (c *counted) count(r *http.Request) {
	c.lock.Lock()
	defer c.lock.Unlock()
	switch parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/"); {
	case r.URL.Path == "/jobs/overview":
		c.lists++
	case len(parts) == 2 && parts[0] == "jobs":
		c.jobs++
	default:
		c.others++
	}
}

// fleetMonitor watches a simulated cluster in its own time.
func fleetMonitor(t *testing.T, cluster *sim.Cluster) (*diagnose.Monitor, *counted) {
	t.Helper()
	tap := &counted{next: sim.Transport(cluster.Handler(), nil)}
	client, err := flinkapi.NewClient(flinkapi.Options{URL: "http://fleet", Transport: tap})
	if err != nil {
		t.Fatal(err)
	}
	source := flinkapi.NewCollector(client, flinkapi.CollectorOptions{
		Clock: cluster.Now, Signals: diagnose.Needs(),
	})
	return diagnose.NewMonitor(source, diagnose.DefaultOptions()), tap
}

// glanceFor steps the monitor over a span of simulated time.
func glanceFor(
	t *testing.T, m *diagnose.Monitor, cluster *sim.Cluster, ask diagnose.Ask, span time.Duration,
) *diagnose.Observation {
	t.Helper()
	var obs *diagnose.Observation
	for end := cluster.Now().Add(span); cluster.Now().Before(end); {
		var err error
		if obs, err = m.Step(t.Context(), ask); err != nil {
			t.Fatal(err)
		}
		cluster.Advance(max(m.Wait(), 50*time.Millisecond))
	}
	return obs
}

func glanceText(g *diagnose.Glance) string {
	if g == nil {
		return "nothing"
	}
	return fmt.Sprintf("%s %s: %s", g.Sight, g.Likely.Name, g.Text)
}

// wrongGlance tells whether the line of a job of the fleet says other than what is the matter with the job.
func wrongGlance(j diagnose.JobLine) bool {
	is := func(name string) bool { return strings.HasPrefix(j.Job.Name, name) }
	switch g := j.Glance; {
	case is("slow-middle"):
		lagGrows := j.Lag.Records.IsKnown() && j.Lag.Trend == 1
		return !lagGrows || g == nil || g.Likely.Name != "enrich" || g.Severity() != diagnose.Warning
	case is("hot-key"):
		return g == nil || g.Sight == diagnose.SightCalm || strings.Contains(glanceText(g), "parse")
	case is("restart-loop"):
		return j.Job.State == flinkapi.JobRunning && (g == nil || g.Sight != diagnose.SightRestarted)
	case is("healthy"):
		return g == nil || g.Severity() == diagnose.Warning
	}
	return false
}

func TestGlancesAtAFleet(t *testing.T) {
	t.Parallel()
	s, _ := sim.Lookup("fleet")
	start := time.Date(2026, time.March, 1, 3, 0, 0, 0, time.UTC)
	cluster := s.Cluster(start)
	m, tap := fleetMonitor(t, cluster)
	obs := glanceFor(t, m, cluster, diagnose.Ask{Fleet: true}, 90*time.Second)
	for _, j := range obs.Jobs {
		text := glanceText(j.Glance)
		t.Logf("%s %s: %s; lag %v %v", j.Job.Name, j.Job.State, text, j.Lag.Records, j.Lag.Trend)
		if bad := wrongGlance(j); bad {
			t.Errorf("%s: %s", j.Job.Name, text)
		}
		if j.Report != nil {
			t.Errorf("%s has a full report, though it was only glanced at", j.Job.Name)
		}
	}
	t.Logf("%d glances, %d lists, %d others in 90 s", tap.jobs, tap.lists, tap.others)
	if tap.jobs > 75 || tap.lists > 22 || tap.others > 70 {
		t.Errorf("%d glances, %d lists and %d other requests in 90 s", tap.jobs, tap.lists, tap.others)
	}
}

// many is a cluster of n small jobs, of which the last one has a slow operator.
func many(n int) *sim.Cluster {
	cfg := sim.Config{Step: 500 * time.Millisecond}
	for i := range n {
		sink := sim.Vertex{Name: "Sink: archive", Service: 100 * time.Microsecond}
		if i == n-1 {
			sink.Service = 10 * time.Millisecond
		}
		cfg.Jobs = append(cfg.Jobs, sim.Job{Name: fmt.Sprintf("job-%03d", i), Graph: sim.Graph{
			Vertices: []sim.Vertex{{
				Name: "Source: log", Service: 50 * time.Microsecond, Source: &sim.Source{Rate: 500, Log: true},
			}, sink},
			Edges: []sim.Edge{{From: 0, To: 1, Ship: sim.Rebalance}},
		}})
	}
	return sim.New(cfg)
}

// Three hundred jobs take turns below a fixed number of requests a second; those in sight come first, and
// nobody is forgotten.
func TestGlancesAtHundredsInTurns(t *testing.T) {
	t.Parallel()
	const n, longest = 300, 100 * time.Second
	cluster := many(n)
	cluster.Advance(2 * time.Minute)
	m, tap := fleetMonitor(t, cluster)
	obs := glanceFor(t, m, cluster, diagnose.Ask{Fleet: true}, 3*time.Second)
	ask := diagnose.Ask{Fleet: true}
	for i := range 20 {
		ask.Visible = append(ask.Visible, obs.Jobs[100+i].Job.ID)
	}
	glanceFor(t, m, cluster, ask, time.Minute)
	jobs, others := tap.jobs, tap.lists+tap.others
	obs = glanceFor(t, m, cluster, ask, 4*time.Minute)
	glances, others := tap.jobs-jobs, tap.lists+tap.others-others
	t.Logf("%d glances, %d other requests in 4 min", glances, others)
	if perSecond := float64(glances+others) / 240; perSecond > 8 {
		t.Errorf("%.1f requests a second", perSecond)
	}
	for i, j := range obs.Jobs {
		if j.Glance == nil || j.Glance.Sight == diagnose.SightUnknown {
			t.Fatalf("%s: %+v", j.Job.Name, j.Glance)
		}
		old, most := obs.At.Sub(j.Glance.At), longest
		if i >= 100 && i < 120 {
			most = 13 * time.Second
		}
		if old > most {
			t.Errorf("%s was looked at %s ago, at most %s are allowed", j.Job.Name, old, most)
		}
		if want := i == n-1; (j.Glance.Sight == diagnose.SightLikely) != want {
			t.Errorf("%s: %s", j.Job.Name, j.Glance.Text)
		}
	}
}

// Of random overloaded jobs a glance calls none calm, and names nobody but the slow operator.
func TestGlancesAtRandomGraphs(t *testing.T) {
	t.Parallel()
	const clusters, jobs = 10, 5
	right := 0
	for c := range uint64(clusters) {
		var cfg sim.Config
		var graphs []sim.Graph
		for j := range uint64(jobs) {
			g := sim.Random(rand.New(rand.NewPCG(1000+c*jobs+j, 1)), sim.RandomOptions{})
			graphs = append(graphs, g)
			cfg.Jobs = append(cfg.Jobs, sim.Job{Name: fmt.Sprint(j), Graph: g})
		}
		cluster := sim.New(cfg)
		cluster.Advance(settled)
		m, _ := fleetMonitor(t, cluster)
		obs := glanceFor(t, m, cluster, diagnose.Ask{Fleet: true}, time.Minute)
		for _, line := range obs.Jobs {
			var n int
			if _, err := fmt.Sscan(line.Job.Name, &n); err != nil {
				t.Fatal(err)
			}
			truth := graphs[n].Truth()
			slow, glance := graphs[n].Vertices[truth.Vertex].Name, line.Glance
			switch {
			case glance == nil || glance.Sight == diagnose.SightCalm:
				t.Errorf("cluster %d, job %d: %+v, though %s is overloaded", c, n, glance, slow)
			case glance.Sight == diagnose.SightLikely && glance.Likely.Name == slow:
				right++
			case glance.Sight == diagnose.SightLikely:
				t.Errorf("cluster %d, job %d: it names %s, the slow one is %s", c, n, glance.Likely.Name, slow)
			}
		}
	}
	t.Logf("named %d of %d", right, clusters*jobs)
	if right < clusters*jobs/3 {
		t.Errorf("only %d of %d slow operators are named", right, clusters*jobs)
	}
}

// A job that is busy for nine tenths of the time keeps up, and is not called calm; pressure is told of
// without the name of a victim.
func TestGlanceTellsOfTheLimit(t *testing.T) {
	t.Parallel()
	cfg := sim.Config{Step: 500 * time.Millisecond}
	services := map[string]time.Duration{"near": 1800 * time.Microsecond, "far": 100 * time.Microsecond}
	for name, service := range services {
		cfg.Jobs = append(cfg.Jobs, sim.Job{Name: name, Graph: sim.Graph{
			Vertices: []sim.Vertex{
				{Name: "Source: log", Service: 50 * time.Microsecond, Source: &sim.Source{Rate: 500, Log: true}},
				{Name: "Sink: archive", Service: service},
			},
			Edges: []sim.Edge{{From: 0, To: 1, Ship: sim.Rebalance}},
		}})
	}
	cluster := sim.New(cfg)
	cluster.Advance(3 * time.Minute)
	m, _ := fleetMonitor(t, cluster)
	obs := glanceFor(t, m, cluster, diagnose.Ask{Fleet: true}, time.Minute)
	for _, j := range obs.Jobs {
		text := glanceText(j.Glance)
		if near := strings.Contains(text, "near its limit: Sink: archive"); near != (j.Job.Name == "near") ||
			near && j.Glance.Severity() == diagnose.OK {
			t.Errorf("%s: %s", j.Job.Name, text)
		}
	}
}
