package flinkapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

func TestNamesAreLookedUpAFewAtATime(t *testing.T) {
	const vertices = 10
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(vertices, 2)}})
	w.cluster.Advance(5 * time.Minute)
	asked := &notes{}
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if strings.HasSuffix(r.URL.Path, "/subtasks/metrics") && r.URL.Query().Get("get") == "" {
			asked.add(r.URL.Path)
		}
		return nil, nil
	}
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	w.watchFor(3*time.Minute, &focus, func(snap *flinkapi.Snapshot) {
		last, focus.Vertices = snap, []flinkapi.VertexID{snap.Job.Vertices[5].ID}
		if n := len(asked.all); n > 2*(snap.Job.MetricRound+1) {
			t.Errorf("%d lists of names in %d rounds", n, snap.Job.MetricRound)
		}
	})
	for _, v := range last.Job.Vertices {
		if v.Operators == nil {
			t.Errorf("the names of %s were never looked up", v.Name)
		}
		if _, known := v.Spread[flinkapi.HardBackpressuredShare].Max.Float(); !known {
			t.Errorf("%s has no %s: %v", v.Name, flinkapi.HardBackpressuredShare, v.Spread)
		}
		if age := last.At.Sub(v.SpreadRead); age > 85*time.Second {
			t.Errorf("the spread of %s is %v old", v.Name, age)
		}
	}
	if n := len(asked.all); n > 2*vertices {
		t.Errorf("%d lists of names for %d vertices", n, vertices)
	}
}

func TestTheCoordinatorOfASource(t *testing.T) {
	const name = "Source__orders.coordinator.enumerator.unassignedSplits"
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(4, 2)}})
	w.cluster.Advance(5 * time.Minute)
	asked := &notes{}
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if !strings.HasSuffix(r.URL.Path, "/jm-operator-metrics") {
			return nil, nil
		}
		asked.add(r.URL.Query().Get("get"))
		if r.URL.Query().Get("get") == "" {
			return &reply{200, `[{"id":"` + name + `"},{"id":"Source__orders.coordinator.other"}]`}, nil
		}
		return &reply{200, `[{"id":"` + name + `","value":"7"}]`}, nil
	}
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	w.watchFor(2*time.Minute, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	source := last.Job.Vertices[0]
	if got := source.Spread[flinkapi.UnassignedSplits]; got.Max != flinkapi.Known(7) {
		t.Errorf("the spread is %v", got)
	}
	if list := source.Operators[flinkapi.UnassignedSplits]; len(list) != 1 || list[0].Operator != "Source__orders" {
		t.Errorf("apart: %+v", list)
	}
	if n := len(asked.all); n < 3 || n > 5 || asked.all[1] != name {
		t.Errorf("asked in 12 rounds for %q", asked.all)
	}
}

func TestAServerWithoutCoordinatorMetrics(t *testing.T) {
	bodies := map[int]string{
		404: `{"errors":["Not found: /jobs/x/vertices/y/jm-operator-metrics"]}`,
		500: serverSide("java.lang.IllegalStateException: no"),
	}
	for status, body := range bodies {
		w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(4, 2)}})
		w.cluster.Advance(5 * time.Minute)
		w.tap.bend = func(r *http.Request) (*reply, error) {
			if strings.HasSuffix(r.URL.Path, "/jm-operator-metrics") {
				return &reply{status, body}, nil
			}
			return nil, nil
		}
		focus := flinkapi.Focus{Job: w.firstJob()}
		w.watchFor(2*time.Minute, &focus, func(snap *flinkapi.Snapshot) {
			if len(snap.Problems) > 0 {
				t.Fatalf("status %d is a problem: %v", status, snap.Problems)
			}
		})
		if n := w.tap.paths["/jobs/:id/vertices/:id/jm-operator-metrics"]; n == 0 || status == 404 && n > 1 || n > 5 {
			t.Errorf("with status %d it was asked %d times", status, n)
		}
	}
}

func TestSettingsAndTheJobsConfiguration(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 2)}, Settings: map[string]string{
		"state.backend.type": "rocksdb", "execution.checkpointing.unaligned": "true", "rest.port": "8081",
		"metrics.reporter.dd.apikey": "abc", "s3.secret-key": "abc", "taskmanager.password": "******",
		"state.checkpoints.dir": "https://me:abc@store/x", "pipeline.classpaths": strings.Repeat("x", 201),
	}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	w.watchFor(30*time.Second, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	got := last.Cluster.Settings
	if got["state.backend.type"] != "rocksdb" || got["execution.checkpointing.unaligned"] != "true" {
		t.Errorf("settings %v", got)
	}
	for _, key := range []string{
		"rest.port", "metrics.reporter.dd.apikey", "s3.secret-key", "taskmanager.password", "state.checkpoints.dir",
		"pipeline.classpaths",
	} {
		if value, kept := got[key]; kept {
			t.Errorf("%s was kept: %s", key, value)
		}
	}
	if !last.Job.Parallelism.IsKnown() || !last.Job.ObjectReuse.IsKnown() {
		t.Errorf("parallelism %v, object reuse %v", last.Job.Parallelism, last.Job.ObjectReuse)
	}
	if n := w.tap.paths["/jobs/:id/config"]; n != 1 {
		t.Errorf("the job's configuration was read %d times", n)
	}
}

func TestTaskManagersOutsideTheFocusAreReadInTurn(t *testing.T) {
	cfg := sim.Config{Jobs: []sim.Job{chain(4, 4)}}
	for _, id := range []string{"tm-1", "tm-2", "tm-3", "tm-4"} {
		cfg.TaskManagers = append(cfg.TaskManagers, sim.TaskManager{ID: id, Slots: 1})
	}
	w := newWatch(t, cfg)
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob(), TaskManagers: []flinkapi.TaskManagerID{"tm-1"}}
	var last *flinkapi.Snapshot
	w.watchFor(70*time.Second, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	for _, tm := range last.TaskManagers {
		age := last.At.Sub(tm.ReadingsRead)
		if !tm.Readings.Of(flinkapi.HeapUsed).IsKnown() || age > 45*time.Second || tm.ID == "tm-1" && age > 15*time.Second {
			t.Errorf("the metrics of %s are %v old: %v", tm.ID, age, tm.Readings)
		}
	}
	if n := w.tap.paths["/taskmanagers/:id/metrics"]; n > 2*last.Job.MetricRound+2 {
		t.Errorf("%d reads of TaskManagers' metrics in %d rounds", n, last.Job.MetricRound)
	}
}
