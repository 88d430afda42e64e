package diagnose_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

// watched is how long each random job is watched, and settled how long it has run before.
const (
	settled = 70 * time.Second
	watched = 45 * time.Second
)

// randomCase is one random graph with what the diagnosis named at the end.
type randomCase struct {
	seed   uint64
	graph  sim.Graph
	truth  sim.Truth
	report *diagnose.Report
}

// runRandom draws one graph by its seed, lets it run, and diagnoses it through the whole line below the
// screen.
func runRandom(t *testing.T, seed uint64, o sim.RandomOptions) randomCase {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	g := sim.Random(rng, o)
	cluster := sim.New(sim.Config{Version: "2.3.0", Jobs: []sim.Job{{Name: "random", Graph: g}}})
	cluster.Advance(settled)
	m := diagnose.NewMonitor(simulated(t, cluster), diagnose.DefaultOptions())
	var last *diagnose.Observation
	for end := cluster.Now().Add(watched); cluster.Now().Before(end); {
		obs, err := m.Step(t.Context(), diagnose.Ask{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		last = obs
		cluster.Advance(m.Wait())
	}
	return randomCase{seed, g, g.Truth(), last.Report}
}

// simulated returns a source on a simulated cluster, in memory.
func simulated(t *testing.T, cluster *sim.Cluster) *flinkapi.Collector {
	t.Helper()
	return simulatedEvery(t, cluster, 10*time.Second)
}

// simulatedEvery looks more often than metrics are collected; thread dumps come at most once a look.
func simulatedEvery(t *testing.T, cluster *sim.Cluster, interval time.Duration) *flinkapi.Collector {
	t.Helper()
	client, err := flinkapi.NewClient(flinkapi.Options{
		URL: "http://sim", Transport: sim.Transport(cluster.Handler(), nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	return flinkapi.NewCollector(client, flinkapi.CollectorOptions{
		Clock: cluster.Now, Interval: interval, Signals: diagnose.Needs(),
	})
}

// runAll runs n seeds on all cores and returns the cases in the order of their seeds.
func runAll(t *testing.T, n int, o sim.RandomOptions) []randomCase {
	t.Helper()
	out := make([]randomCase, n)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error {
			out[i] = runRandom(t, uint64(i), o)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	return out
}

func (c *randomCase) named() []string {
	var out []string
	for _, x := range c.report.Culprits {
		out = append(out, x.Vertex.Name)
	}
	return out
}

func (c *randomCase) String() string {
	return fmt.Sprintf("seed %d, %d vertices: the slow one is %s (utilisation %.2f, next %s %.2f); named %v; %s",
		c.seed, len(c.graph.Vertices), c.graph.Vertices[c.truth.Vertex].Name, c.truth.Rho,
		c.graph.Vertices[c.truth.RunnerUp].Name, c.truth.RunnerUpRho, c.named(), c.report.Headline)
}

func TestOverloadedGraphsNameTheSlowOperator(t *testing.T) {
	t.Parallel()
	right, missed := 0, 0
	cases := runAll(t, graphCount(), sim.RandomOptions{})
	for i := range cases {
		c := &cases[i]
		truth := c.graph.Vertices[c.truth.Vertex].Name
		named := c.named()
		if slices.Equal(named, []string{truth}) {
			right++
			continue
		}
		for _, name := range named {
			if name != truth {
				t.Errorf("a victim is named: %s", c)
			}
		}
		if len(named) == 0 {
			missed++
			t.Logf("nobody is named: %s", c)
		}
	}
	t.Logf("%d of %d named right, %d named nobody", right, len(cases), missed)
	if 100*right < 99*len(cases) {
		t.Errorf("only %d of %d named right", right, len(cases))
	}
}

func TestGraphsWithSpareCapacityNameNobody(t *testing.T) {
	t.Parallel()
	cases := runAll(t, graphCount()/4, sim.RandomOptions{Spare: true})
	for i := range cases {
		if len(cases[i].report.Culprits) > 0 {
			t.Errorf("somebody is named: %s", &cases[i])
		}
	}
}

// graphCount is smaller in short mode, for a quick look while one works on a rule.
func graphCount() int {
	if testing.Short() {
		return graphs / 20
	}
	return graphs
}
