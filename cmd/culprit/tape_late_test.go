package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi/sim"
)

// A look whose time is over gives up its questions, also those that wait to be sent: a recording of it says
// so too, and not what was answered to them before.
func TestGivenUpQuestionsAreRecorded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "stalled.culprit")
	w, server := recordMoody(t, 12, path, 300*time.Millisecond)
	stalls := false // now and then a question about a vertex is never answered
	server.silent = func(r *http.Request) bool { return stalls && strings.Contains(r.URL.Path, "/vertices/") }
	var live []*diagnose.Observation
	stalled := 0
	for i := range 40 {
		stalls = i > 15 && i < 34
		obs, err := w.monitor.Step(t.Context(), diagnose.Ask{})
		if err != nil {
			obs = nil
		}
		if obs != nil && len(obs.Snapshot.Problems) > 0 {
			stalled++
		}
		live = append(live, obs)
		w.cluster.Advance(w.monitor.Wait())
	}
	must(t, w.recorder.Close())
	must(t, w.file.Close())
	if stalled == 0 {
		t.Fatal("no look met the silence: this tests nothing")
	}
	mustReplay(t, path, live)
}

// lineOf is a job of some vertices in a line.
func lineOf(n int) sim.Job {
	job := sim.Job{Name: "line"}
	for i := range n {
		v := sim.Vertex{Name: "step", Parallelism: 2, Service: 300 * time.Microsecond, CPU: 0.9}
		if i == 0 {
			v.Name, v.Source = "Source: orders", &sim.Source{Rate: 1000, Log: true}
		} else {
			v.Name = "step " + string(rune('a'+i))
			job.Edges = append(job.Edges, sim.Edge{From: i - 1, To: i, Ship: sim.Rebalance})
		}
		job.Vertices = append(job.Vertices, v)
	}
	return job
}
