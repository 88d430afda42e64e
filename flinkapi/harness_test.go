package flinkapi_test

import (
	"errors"
	"fmt"
	"io"
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

// tap is a transport that watches what goes through it, and may bend answers.
type tap struct {
	next     http.RoundTripper
	bend     func(*http.Request) (*reply, error) // nothing leaves the answer alone
	inFlight atomic.Int32
	most     int32
	mu       sync.Mutex
	paths    map[string]int
	methods  map[string]int
}

func (t *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	now := t.inFlight.Add(1)
	defer t.inFlight.Add(-1)
	t.mu.Lock()
	t.most = max(t.most, now)
	if t.paths == nil {
		t.paths, t.methods = map[string]int{}, map[string]int{}
	}
	t.paths[kind(r.URL.Path)]++
	t.methods[r.Method]++
	t.mu.Unlock()
	if t.bend != nil {
		bent, err := t.bend(r)
		if err != nil {
			return nil, err
		}
		if bent != nil {
			return respond(r, bent.status, bent.body), nil
		}
	}
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

// reply is an answer that a test gives instead of the cluster's.
type reply struct {
	status int
	body   string
}

// original returns the cluster's own answer.
func (t *tap) original(r *http.Request) (*reply, error) {
	response, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return &reply{response.StatusCode, string(body)}, err
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
	prefix    string
	cluster   *sim.Cluster
	tap       *tap
	collector *flinkapi.Collector
}

func newWatch(t *testing.T, cfg sim.Config) *watch {
	t.Helper()
	cluster := sim.New(cfg)
	through := &tap{next: sim.Transport(cluster.Handler(), nil)}
	return &watch{
		t: t, prefix: cfg.Prefix, cluster: cluster, tap: through,
		collector: newCollector(t, cluster, cfg.Prefix, through),
	}
}

func newCollector(
	t *testing.T, cluster *sim.Cluster, prefix string, transport http.RoundTripper,
) *flinkapi.Collector {
	t.Helper()
	url := "http://jobmanager:8081" + prefix
	client, err := flinkapi.NewClient(flinkapi.Options{URL: url, Transport: transport})
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
	transport := sim.Transport(w.cluster.Handler(), nil)
	other := &watch{t: w.t, cluster: w.cluster, collector: newCollector(w.t, w.cluster, w.prefix, transport)}
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

// watchFor looks at the job until the time is over, and hands each snapshot to see.
func (w *watch) watchFor(d time.Duration, focus *flinkapi.Focus, see func(*flinkapi.Snapshot)) {
	w.t.Helper()
	for end := w.cluster.Now().Add(d); w.cluster.Now().Before(end); {
		see(w.look(*focus))
	}
}

// fail takes a look that must fail, and returns the error.
func (w *watch) fail(focus flinkapi.Focus) *flinkapi.Error {
	w.t.Helper()
	snap, err := w.collector.Next(w.t.Context(), focus)
	var e *flinkapi.Error
	if snap != nil || !errors.As(err, &e) {
		w.t.Fatalf("got snapshot %v and error %v, want an *Error alone", snap, err)
	}
	w.cluster.Advance(w.collector.Wait())
	return e
}
