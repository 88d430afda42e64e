package flinkapi_test

import (
	"fmt"
	"math"
	"net/http"
	"testing"
	"time"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

func TestAMinuteOfTenVerticesStaysBelowTheBudget(t *testing.T) {
	for _, version := range []string{"1.20.5", "2.3.0"} {
		for _, watched := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s watched before=%v", version, watched), func(t *testing.T) {
				w := newWatch(t, sim.Config{
					Version: version, Jobs: []sim.Job{chain(10, 2)}, Prefix: "/proxy/application_1_2",
					TaskManagers: []sim.TaskManager{{ID: "tm-1", Slots: 1}, {ID: "tm-2", Slots: 1}},
				})
				w.cluster.Advance(5 * time.Minute)
				if watched {
					w.pollJob(17 * time.Second)
				}
				checkBudget(w)
			})
		}
	}
}

// checkBudget watches the first job for a minute, as the screen does, from a cold start.
func checkBudget(w *watch) {
	const budget = 160
	t := w.t
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	w.watchFor(time.Minute, &focus, func(snap *flinkapi.Snapshot) {
		focus.Vertices = []flinkapi.VertexID{snap.Job.Vertices[5].ID, snap.Job.Vertices[4].ID}
		focus.TaskManagers = []flinkapi.TaskManagerID{"tm-1", "tm-2"}
		last = snap
	})
	asked := w.tap.count()
	t.Logf("%d requests, %d rounds: %v", asked, last.Job.MetricRound, w.tap.paths)
	if asked > budget {
		t.Errorf("%d requests in a minute, at most %d are allowed", asked, budget)
	}
	if last.Cost.Requests != asked || math.Abs(last.Cost.PerSecond*60/float64(asked)-1) > 0.1 {
		t.Errorf("the cost says %d requests, %v/s; there were %d", last.Cost.Requests, last.Cost.PerSecond, asked)
	}
	if last.Job.MetricRound < 5 {
		t.Errorf("%d rounds of fresh metrics in a minute, want at least 5", last.Job.MetricRound)
	}
	if len(w.tap.methods) != 1 || w.tap.methods[http.MethodGet] == 0 {
		t.Errorf("methods used: %v, want GET alone", w.tap.methods)
	}
	if w.tap.most > 4 {
		t.Errorf("%d requests in flight at once, at most 4 are allowed", w.tap.most)
	}
	if traffic := w.cluster.Traffic(); len(traffic.Writes)+len(traffic.Escapes) > 0 {
		t.Errorf("writes %v, outside of the prefix %v", traffic.Writes, traffic.Escapes)
	}
}

// TestSamplingStaysBelowTheBudget asks for all that a culprit is worth: thread dumps come in bursts.
func TestSamplingStaysBelowTheBudget(t *testing.T) {
	const webUI = 20 * (1 + 2*10)
	w := newWatch(t, twoWorkers(chain(10, 2)))
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob(), TaskManagers: []flinkapi.TaskManagerID{"tm-1", "tm-2"}}
	w.watchFor(time.Minute, &focus, func(snap *flinkapi.Snapshot) { focus.Vertices = sample(snap, 5) })
	focus.Sample, focus.Checkpoint = focus.Vertices, true
	all := 0
	for range 3 {
		before, looks := w.tap.count(), 0
		dumps := w.tap.paths["/taskmanagers/:id/thread-dump"]
		w.watchFor(time.Minute, &focus, func(*flinkapi.Snapshot) { looks++ })
		asked := w.tap.count() - before
		dumps = w.tap.paths["/taskmanagers/:id/thread-dump"] - dumps
		t.Logf("%d requests in %d looks, %d thread dumps among them", asked, looks, dumps)
		all += dumps
		if asked > webUI*40/100 || dumps > 20 {
			t.Errorf("%d requests in a minute, %d thread dumps; the web UI makes %d", asked, dumps, webUI)
		}
	}
	if all < 40 {
		t.Errorf("%d thread dumps in three minutes", all)
	}
}
