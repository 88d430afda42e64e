package flinkapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

// chain is a job of n vertices in a line.
func chain(n, parallelism int) sim.Job {
	job := sim.Job{Name: "chain", Checkpoints: sim.Checkpoints{Interval: 30 * time.Second}}
	for i := range n {
		v := sim.Vertex{Name: fmt.Sprintf("step %d", i), Parallelism: parallelism, Service: 200 * time.Microsecond}
		if i == 0 {
			v.Name, v.Source = "Source: orders", &sim.Source{Rate: 1000, Log: true}
		} else {
			job.Edges = append(job.Edges, sim.Edge{From: i - 1, To: i, Ship: sim.Rebalance})
		}
		if i == n/2 {
			v.Service = 5 * time.Millisecond
		}
		job.Vertices = append(job.Vertices, v)
	}
	return job
}

// tap is a transport that watches what goes through it.
type tap struct {
	next     http.RoundTripper
	inFlight atomic.Int32
	most     atomic.Int32
	mu       sync.Mutex
	paths    map[string]int
	methods  map[string]int
}

func (t *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	now := t.inFlight.Add(1)
	defer t.inFlight.Add(-1)
	for most := t.most.Load(); now > most && !t.most.CompareAndSwap(most, now); most = t.most.Load() {
	}
	t.mu.Lock()
	if t.paths == nil {
		t.paths, t.methods = map[string]int{}, map[string]int{}
	}
	t.paths[kind(r.URL.Path)]++
	t.methods[r.Method]++
	t.mu.Unlock()
	return t.next.RoundTrip(r)
}

func (t *tap) count() (total int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, n := range t.methods {
		total += n
	}
	return total
}

// kind replaces the ids of a path.
func kind(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if len(part) == 32 || i > 0 && parts[i-1] == "taskmanagers" {
			parts[i] = ":id"
		}
	}
	return strings.Join(parts, "/")
}

// watch is a collector of a simulated cluster with a tap in between.
type watch struct {
	t         *testing.T
	cluster   *sim.Cluster
	tap       *tap
	collector *flinkapi.Collector
}

func newWatch(t *testing.T, cfg sim.Config) *watch {
	t.Helper()
	cluster := sim.New(cfg)
	through := &tap{next: sim.Transport(cluster.Handler(), nil)}
	return &watch{t: t, cluster: cluster, tap: through, collector: newCollector(t, cluster, through)}
}

func newCollector(t *testing.T, cluster *sim.Cluster, transport http.RoundTripper) *flinkapi.Collector {
	t.Helper()
	client, err := flinkapi.NewClient(flinkapi.Options{URL: "http://jobmanager:8081", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	return flinkapi.NewCollector(client, flinkapi.CollectorOptions{Clock: cluster.Now})
}

// look takes one look and lets the simulated time pass until the next is due.
func (w *watch) look(focus flinkapi.Focus) *flinkapi.Snapshot {
	w.t.Helper()
	snap, err := w.collector.Next(w.t.Context(), focus)
	if err != nil {
		w.t.Fatal(err)
	}
	w.cluster.Advance(w.collector.Wait())
	return snap
}

// pollJob is somebody else who watches the job.
func (w *watch) pollJob(d time.Duration) {
	w.t.Helper()
	other := &watch{t: w.t, cluster: w.cluster, collector: newCollector(w.t, w.cluster, sim.Transport(w.cluster.Handler(), nil))}
	focus := flinkapi.Focus{Job: other.firstJob()}
	for end := w.cluster.Now().Add(d); w.cluster.Now().Before(end); {
		other.look(focus)
	}
}

// firstJob returns the id of the first job of the list.
func (w *watch) firstJob() flinkapi.JobID {
	w.t.Helper()
	snap, err := w.collector.Next(w.t.Context(), flinkapi.Focus{})
	if err != nil {
		w.t.Fatal(err)
	}
	if len(snap.Jobs) == 0 {
		w.t.Fatal("the cluster lists no jobs")
	}
	return snap.Jobs[0].ID
}

func TestAMinuteOfTenVerticesStaysBelowTheBudget(t *testing.T) {
	const budget = 160
	for _, version := range []string{"1.20.5", "2.3.0"} {
		for _, watched := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s watched before=%v", version, watched), func(t *testing.T) {
				w := newWatch(t, sim.Config{
					Version: version, Jobs: []sim.Job{chain(10, 2)},
					TaskManagers: []sim.TaskManager{{ID: "tm-1", Slots: 1}, {ID: "tm-2", Slots: 1}},
				})
				w.cluster.Advance(5 * time.Minute)
				if watched {
					w.pollJob(17 * time.Second)
				}
				focus := flinkapi.Focus{Job: w.firstJob()}
				end := w.cluster.Now().Add(time.Minute)
				rounds := 0
				for w.cluster.Now().Before(end) {
					snap := w.look(focus)
					focus.Vertices = []flinkapi.VertexID{snap.Job.Vertices[5].ID, snap.Job.Vertices[4].ID}
					focus.TaskManagers = []flinkapi.TaskManagerID{"tm-1", "tm-2"}
					rounds = snap.Job.MetricRound
				}
				asked := w.tap.count()
				t.Logf("%d requests, %d rounds: %v", asked, rounds, w.tap.paths)
				if asked > budget {
					t.Errorf("%d requests in a minute, at most %d are allowed", asked, budget)
				}
				if rounds < 5 {
					t.Errorf("%d rounds of fresh metrics in a minute, want at least 5", rounds)
				}
				if len(w.tap.methods) != 1 || w.tap.methods[http.MethodGet] == 0 {
					t.Errorf("methods used: %v, want GET alone", w.tap.methods)
				}
				if most := w.tap.most.Load(); most > 4 {
					t.Errorf("%d requests in flight at once, at most 4 are allowed", most)
				}
			})
		}
	}
}
