package flinkapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

// detailsSeen notes the paths below details/ that go through a tap.
func detailsSeen(w *watch) *notes {
	seen := &notes{}
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if _, below, found := strings.Cut(r.URL.Path, "/checkpoints/details/"); found {
			seen.add(below)
		}
		return nil, nil
	}
	return seen
}

// An old checkpoint is read in the very look that asks for it, whether a round is due or not, and once.
func TestInspectedCheckpointIsReadAtOnce(t *testing.T) {
	job := chain(6, 2)
	job.Vertices[3].Service = 200 * time.Microsecond // nothing is held up: nothing is looked into unasked
	job.Checkpoints.Interval = 20 * time.Second
	w := newWatch(t, sim.Config{Jobs: []sim.Job{job}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	w.watchFor(30*time.Second, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	seen := detailsSeen(w)

	old := last.Job.Checkpoints.History[4].ID
	vertex := last.Job.Vertices[2].ID
	focus.Inspect = flinkapi.CheckpointRef{ID: old, Vertex: vertex}
	one := checkpointOf(t, w.look(focus), old)
	if len(one.Vertices) != 6 {
		t.Fatalf("checkpoint %d has %d vertices after one look", old, len(one.Vertices))
	}
	for _, v := range one.Vertices {
		if (v.Parts != nil) != (v.Vertex == vertex) {
			t.Errorf("vertex %s has %d parts", v.Vertex, len(v.Parts))
		}
	}
	looks := 0
	w.watchFor(15*time.Second, &focus, func(snap *flinkapi.Snapshot) {
		looks++
		one = checkpointOf(t, snap, old)
		if most := 2 + looks; len(seen.all) > most {
			t.Errorf("%d requests after %d looks", len(seen.all), looks+1)
		}
	})
	for _, v := range one.Vertices {
		if v.Parts == nil {
			t.Errorf("vertex %s was never read by subtask", v.Vertex)
		}
	}
	want := []string{fmt.Sprint(old), fmt.Sprintf("%d/subtasks/%s", old, vertex)}
	if len(seen.all) != 7 || !slices.Equal(seen.all[:2], want) {
		t.Errorf("asked for %v", seen.all)
	}
}

// checkpointOf returns a checkpoint of the history.
func checkpointOf(t *testing.T, snap *flinkapi.Snapshot, id int64) flinkapi.Checkpoint {
	t.Helper()
	for _, one := range snap.Job.Checkpoints.History {
		if one.ID == id {
			return one
		}
	}
	t.Fatalf("checkpoint %d is not in the history", id)
	return flinkapi.Checkpoint{}
}

// What cannot be read, or has left the history, is not asked for at each look.
func TestInspectedCheckpointThatCannotBeRead(t *testing.T) {
	job := chain(6, 2)
	job.Vertices[3].Service = 200 * time.Microsecond
	w := newWatch(t, sim.Config{Jobs: []sim.Job{job}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	w.watchFor(30*time.Second, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	asked := 0
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if strings.Contains(r.URL.Path, "/checkpoints/details/") {
			asked++
			return &reply{500, `{"errors":["boom"]}`}, nil
		}
		return nil, nil
	}
	focus.Inspect.ID = last.Job.Checkpoints.History[3].ID
	w.watchFor(30*time.Second, &focus, func(*flinkapi.Snapshot) {})
	if asked == 0 || asked > 12 { // the client tries each again
		t.Errorf("asked %d times in half a minute", asked)
	}
	asked = 0
	focus.Inspect.ID = 1 // long gone
	w.watchFor(30*time.Second, &focus, func(*flinkapi.Snapshot) {})
	if asked > 0 {
		t.Errorf("asked %d times for a checkpoint that is not in the history", asked)
	}
}

// The history fills up within what a round may ask.
func TestHistoryOfCheckpointsFillsUp(t *testing.T) {
	job := chain(6, 2)
	job.Vertices[3].Service = 200 * time.Microsecond
	job.Checkpoints.Interval = time.Minute
	w := newWatch(t, sim.Config{Jobs: []sim.Job{job}})
	w.cluster.Advance(20 * time.Minute)
	seen := detailsSeen(w)
	focus := flinkapi.Focus{Job: w.firstJob(), Checkpoint: true, CheckpointHistory: true}
	var last *flinkapi.Snapshot
	round, before := 0, 0
	w.watchFor(3*time.Minute, &focus, func(snap *flinkapi.Snapshot) {
		if last = snap; snap.Job.MetricRound != round {
			if n := len(seen.all) - before; n > 5 {
				t.Errorf("round %d looked %d times into checkpoints: %v", round, n, seen.all[before:])
			}
			round, before = snap.Job.MetricRound, len(seen.all)
		}
	})
	for _, one := range last.Job.Checkpoints.History {
		parts := 0
		for _, v := range one.Vertices {
			if v.Parts != nil {
				parts++
			}
		}
		if parts == 0 {
			t.Errorf("checkpoint %d is not known by part", one.ID)
		}
	}
	times := map[string]int{}
	for _, path := range seen.all {
		if times[path]++; times[path] > 1 {
			t.Errorf("%s was read %d times", path, times[path])
		}
	}
}
