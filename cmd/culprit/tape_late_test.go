package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
)

// stalling is a transport to a server that now and then takes a question about a vertex and never answers.
type stalling struct {
	inner http.RoundTripper
	on    bool
}

func (s *stalling) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.on && strings.Contains(r.URL.Path, "/vertices/") {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return s.inner.RoundTrip(r)
}

// A look whose time is over gives up its questions, also those that wait to be sent: a recording of it says
// so too, and not what was answered to them before.
func TestGivenUpQuestionsAreRecorded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "stalled.culprit")
	server := &stalling{}
	line := sim.Scenario{Config: sim.Config{Jobs: []sim.Job{lineOf(12)}}, Warm: time.Minute}
	w := recordBehind(t, line, path, tape.Options{}, 300*time.Millisecond,
		func(c http.RoundTripper) http.RoundTripper {
			server.inner = c
			return server
		})
	var live []*diagnose.Observation
	stalled := 0
	for i := range 40 {
		server.on = i > 15 && i < 34
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
