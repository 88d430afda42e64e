package flinkapi_test

import (
	"testing"
	"time"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

const gaugePath = "/jobs/:id/vertices/:id/metrics"

func TestTheVertexInDetailIsReadSubtaskBySubtask(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(4, 3)}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	see := func(snap *flinkapi.Snapshot) { last = snap }
	w.watchFor(15*time.Second, &focus, see)
	if w.tap.paths[gaugePath] != 0 {
		t.Errorf("%d requests about single subtasks, though nobody asked", w.tap.paths[gaugePath])
	}
	slow := last.Job.Vertices[1].ID // the one above the slow vertex
	focus.Detail = slow
	last = w.look(focus)
	for i := range 3 {
		g := last.Job.Vertex(slow).Gauges[i]
		for _, s := range []flinkapi.Signal{
			flinkapi.SoftBackpressuredShare, flinkapi.HardBackpressuredShare, flinkapi.InPoolUsage,
			flinkapi.OutPoolUsage, flinkapi.InputQueue, flinkapi.OutputQueue,
		} {
			if !g.Readings.Of(s).IsKnown() {
				t.Errorf("subtask %d has no %s at once: %v", i, s, g.Readings)
			}
		}
		if x := g.Readings.Of(flinkapi.InPoolUsage).Or(-1); x < 0 || x > 1 {
			t.Errorf("a pool is used to %v", x)
		}
	}
	handed := last.Job.Vertex(slow).Gauges[0].Read
	before := w.tap.paths[gaugePath]
	w.watchFor(time.Minute, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	if n := w.tap.paths[gaugePath] - before; n < 4 || n > 8 {
		t.Errorf("%d requests about three subtasks in a minute, want one a round", n)
	}
	if !last.Job.Vertex(slow).Gauges[0].Read.After(handed) {
		t.Error("the gauges are not renewed")
	}
	focus.Detail = last.Job.Vertices[2].ID
	if last = w.look(focus); last.Job.Vertex(slow).Gauges != nil {
		t.Error("the vertex that is no longer in detail keeps its gauges")
	}
}

func TestSubtasksTakeTurnsWhereThereAreMany(t *testing.T) {
	w := newWatch(t, sim.Config{
		Jobs: []sim.Job{chain(3, 300)}, TaskManagers: []sim.TaskManager{{ID: "tm-1", Slots: 300}},
	})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob(), Subtasks: []int{250, 251}}
	first := w.look(focus)
	focus.Detail = first.Job.Vertices[1].ID
	snap := w.look(focus)
	read := func() (n int) {
		for _, g := range snap.Job.Vertex(focus.Detail).Gauges {
			if !g.Read.IsZero() {
				n++
			}
		}
		return n
	}
	all := snap.Job.Vertex(focus.Detail).Gauges
	if all[250].Read.IsZero() || all[251].Read.IsZero() || w.tap.paths[gaugePath] > 4 {
		t.Errorf("%d requests, those that go first came at %v and %v",
			w.tap.paths[gaugePath], all[250].Read, all[251].Read)
	}
	few := read()
	if few < 20 || few > 100 {
		t.Errorf("%d subtasks are read at once", few)
	}
	w.watchFor(90*time.Second, &focus, func(s *flinkapi.Snapshot) { snap = s })
	if n := read(); n < 3*few {
		t.Errorf("%d subtasks were read in turn, at first %d", n, few)
	}
}

// TestAVertexInDetailStaysBelowTheBudget looks at a vertex whose subtasks fill every request of a round.
func TestAVertexInDetailStaysBelowTheBudget(t *testing.T) {
	const webUI = 20 * (1 + 2*10)
	job := chain(10, 2)
	for i := range job.Vertices {
		job.Vertices[i].Parallelism = 100
	}
	w := newWatch(t, sim.Config{Jobs: []sim.Job{job}, TaskManagers: []sim.TaskManager{{ID: "tm-1", Slots: 100}}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	w.watchFor(time.Minute, &focus, func(snap *flinkapi.Snapshot) {
		focus.Vertices = []flinkapi.VertexID{snap.Job.Vertices[5].ID}
		focus.Detail, focus.Checkpoint = focus.Vertices[0], true
	})
	for range 3 {
		before, looks := w.tap.count(), 0
		w.watchFor(time.Minute, &focus, func(*flinkapi.Snapshot) { looks++ })
		asked := w.tap.count() - before
		t.Logf("%d requests in %d looks: %v", asked, looks, w.tap.paths)
		if asked > webUI*40/100 || looks < 20 {
			t.Errorf("%d requests in %d looks, Flink's web UI makes %d", asked, looks, webUI)
		}
	}
}
