package flinkapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

// before116 takes out of the answers what Flink 1.15 does not give.
func before116(w *watch) func(*http.Request) (*reply, error) {
	return func(r *http.Request) (*reply, error) {
		got, err := w.tap.original(r)
		if err != nil {
			return nil, err
		}
		var tree any
		if err = json.Unmarshal([]byte(got.body), &tree); err != nil {
			return nil, err
		}
		drop(tree, "status-duration", "job-type",
			"accumulated-busy-time", "accumulated-idle-time", "accumulated-backpressured-time")
		body, err := json.Marshal(tree)
		return &reply{got.status, string(body)}, err
	}
}

func drop(node any, keys ...string) {
	switch n := node.(type) {
	case []any:
		for _, child := range n {
			drop(child, keys...)
		}
	case map[string]any:
		for _, key := range keys {
			delete(n, key)
		}
		for _, child := range n {
			drop(child, keys...)
		}
	}
}

func TestBeforeFlink116TheSharesComeFromBackpressure(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(10, 2)}})
	w.cluster.Advance(5 * time.Minute)
	w.tap.bend = before116(w)
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	w.watchFor(time.Minute, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	if last.Job.MetricRound < 5 {
		t.Errorf("%d rounds in a minute, want at least 5", last.Job.MetricRound)
	}
	for _, v := range last.Job.Vertices {
		if len(v.Subtasks) != 2 || last.At.Sub(v.SubtasksRead) > 12*time.Second {
			t.Fatalf("%s has %d subtasks, read at %v, now %v", v.Name, len(v.Subtasks), v.SubtasksRead, last.At)
		}
		for _, s := range v.Subtasks {
			checkShares(t, v.Name, s)
		}
	}
	if asked := w.tap.count(); asked > 168 {
		t.Errorf("%d requests in a minute: %v", asked, w.tap.paths)
	}
}

// checkShares holds a subtask to the three shares that add up to one, and to nothing that 1.15 does not
// give.
func checkShares(t *testing.T, vertex string, s flinkapi.Subtask) {
	t.Helper()
	sum := 0.0
	shares := []flinkapi.Signal{flinkapi.BusyShare, flinkapi.IdleShare, flinkapi.BackpressuredShare}
	for _, share := range shares {
		x, known := s.Readings.Of(share).Float()
		if !known {
			t.Errorf("%s %d has no %v", vertex, s.Index, share)
		}
		sum += x
	}
	if sum < 0.95 || sum > 1.05 {
		t.Errorf("the shares of %s %d add up to %v", vertex, s.Index, sum)
	}
	if s.Readings.Of(flinkapi.BusyTime) != (flinkapi.Value{}) || s.Running.IsKnown() {
		t.Errorf("%s %d has times that its version does not give", vertex, s.Index)
	}
}

func TestMetricsThatHaveHalfArrivedAreNoProblem(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 1)}})
	w.cluster.Advance(5 * time.Minute)
	strip := before116(w)
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if strings.HasSuffix(r.URL.Path, "/backpressure") {
			return &reply{500, serverSide("java.util.NoSuchElementException: No value present")}, nil
		}
		return strip(r)
	}
	focus := flinkapi.Focus{Job: w.firstJob()}
	w.watchFor(15*time.Second, &focus, func(snap *flinkapi.Snapshot) {
		if len(snap.Problems) > 0 {
			t.Fatalf("problems %v", snap.Problems)
		}
	})
}
