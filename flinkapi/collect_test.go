package flinkapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

func TestTheFirstNumbersComeWithinTwoSeconds(t *testing.T) {
	for _, silence := range []time.Duration{0, time.Hour} {
		t.Run(fmt.Sprint("watched once before and then silence for ", silence), func(t *testing.T) {
			w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(4, 2)}})
			w.cluster.Advance(5 * time.Minute)
			if silence > 0 {
				w.pollJob(3 * time.Second)
				w.cluster.Advance(silence)
			}
			began := w.cluster.Now()
			focus := flinkapi.Focus{Job: w.firstJob()}
			snap := w.look(focus)
			for snap.Job.MetricRound == 0 {
				if w.cluster.Now().Sub(began) > 2*time.Second {
					t.Fatalf("no numbers after %v", w.cluster.Now().Sub(began))
				}
				snap = w.look(focus)
			}
			checkFresh(t, snap.Job)
		})
	}
}

// checkFresh holds every subtask to numbers that account for the life of the job up to the last collection.
func checkFresh(t *testing.T, job *flinkapi.Job) {
	t.Helper()
	lifetime := job.Now.Sub(job.StartedAt).Seconds()
	for _, v := range job.Vertices {
		if _, known := v.Spread[flinkapi.BusyShare].Max.Float(); !known || len(v.Subtasks) != 2 {
			t.Errorf("%s has %d subtasks and the spread %v", v.Name, len(v.Subtasks), v.Spread)
		}
		for _, s := range v.Subtasks {
			r := s.Readings
			lived := r[flinkapi.BusyTime].Or(0) + r[flinkapi.IdleTime].Or(0) + r[flinkapi.BackpressuredTime].Or(0)
			if lived < lifetime-20 {
				t.Errorf("%s %d accounts for %v s of %v: these numbers are old", v.Name, s.Index, lived, lifetime)
			}
		}
	}
}

func TestEachRoundReadsWhatWasJustCollected(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(4, 2)}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	round, readBefore, busyBefore := 0, time.Time{}, 0.0
	w.watchFor(2*time.Minute, &focus, func(snap *flinkapi.Snapshot) {
		if snap.Job.MetricRound == round {
			return
		}
		round = snap.Job.MetricRound
		v := snap.Job.Vertices[2]
		if !v.SubtasksRead.Equal(snap.At) || snap.At.Sub(snap.Job.MetricsMoved) > time.Second {
			t.Errorf("round %d at %v: read at %v, moved at %v", round, snap.At, v.SubtasksRead, snap.Job.MetricsMoved)
		}
		busy := v.Subtasks[0].Readings.Of(flinkapi.BusyTime).Or(0)
		if step := v.SubtasksRead.Sub(readBefore); round > 1 && (busy <= busyBefore || step < 9*time.Second) {
			t.Errorf("round %d: busy %v s after %v s, %v later", round, busy, busyBefore, step)
		}
		readBefore, busyBefore = v.SubtasksRead, busy
	})
	if round < 10 {
		t.Errorf("%d rounds in two minutes, want at least 10", round)
	}
}

func TestSnapshotsDoNotChangeOnceHandedOut(t *testing.T) {
	job := chain(4, 2)
	job.Restart = &sim.Restart{Delay: time.Second}
	job.Faults = []sim.Fault{{Kind: sim.TaskFails, At: 320 * time.Second, Vertex: 2, Message: "boom"}}
	w := newWatch(t, sim.Config{Jobs: []sim.Job{job}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob(), TaskManagers: []flinkapi.TaskManagerID{"tm-1"}}
	var snaps []*flinkapi.Snapshot
	var texts []string
	w.watchFor(time.Minute, &focus, func(snap *flinkapi.Snapshot) {
		snaps, texts = append(snaps, snap), append(texts, text(snap))
	})
	for i, snap := range snaps {
		if diff := cmp.Diff(texts[i], text(snap)); diff != "" {
			t.Fatalf("snapshot %d changed:\n%s", i, diff)
		}
	}
}

func TestARestartIsSeenWithItsCause(t *testing.T) {
	job := chain(4, 2)
	job.Restart = &sim.Restart{Delay: time.Second}
	job.Faults = []sim.Fault{{
		Kind: sim.TaskFails, At: 330 * time.Second, Vertex: 2, Exception: "a.b.IOException", Message: "disk full",
	}}
	w := newWatch(t, sim.Config{Jobs: []sim.Job{job}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	seen := time.Duration(-1)
	began := w.cluster.Now()
	w.watchFor(80*time.Second, &focus, func(snap *flinkapi.Snapshot) {
		if last = snap; seen < 0 && len(snap.Job.Exceptions) > 0 {
			seen = snap.At.Sub(began)
		}
		read := snap.Job.Vertices[1].SpreadRead
		if !read.IsZero() && read.Before(snap.Job.EnteredAt[flinkapi.JobRunning]) {
			t.Errorf("at %v the spread of %v is shown, from before the restart", snap.At, read)
		}
	})
	if len(last.Job.Exceptions) != 1 || last.Job.Exceptions[0].Root != "IOException: disk full" {
		t.Fatalf("exceptions: %+v", last.Job.Exceptions)
	}
	if seen < 30*time.Second || seen > 40*time.Second {
		t.Errorf("the exception of second 30 was seen after %v", seen)
	}
	if last.Job.Restarts != flinkapi.Known(1) {
		t.Errorf("restarts are %v, want 1", last.Job.Restarts)
	}
	for _, v := range last.Job.Vertices {
		r := v.Subtasks[0].Readings
		lived := r.Of(flinkapi.IdleTime).Or(0) + r.Of(flinkapi.BusyTime).Or(0)
		if v.Subtasks[0].Attempt != 1 || lived > 60 {
			t.Errorf("%s is at attempt %d with %v s of idle and busy time", v.Name, v.Subtasks[0].Attempt, lived)
		}
	}
}

func TestARescaleLeavesNoGhosts(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(4, 4)}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	w.watchFor(5*time.Second, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	if n := len(last.Job.Vertices[1].Subtasks); n != 4 {
		t.Fatalf("%d subtasks before the rescale", n)
	}
	w.tap.bend = func(r *http.Request) (*reply, error) {
		got, err := w.tap.original(r)
		if err == nil && kind(r.URL.Path) == "/jobs/:id" {
			got.body = strings.ReplaceAll(got.body, `"parallelism":4`, `"parallelism":2`)
		}
		return got, err
	}
	for range 3 {
		for _, v := range w.look(focus).Job.Vertices {
			if v.Parallelism != 2 || len(v.Subtasks) != 2 {
				t.Errorf("%s has %d subtasks at parallelism %d", v.Name, len(v.Subtasks), v.Parallelism)
			}
		}
	}
}

func TestAStalledTaskManagerIsLookedAtInEachRound(t *testing.T) {
	job := chain(4, 2)
	job.Faults = []sim.Fault{{
		Kind: sim.TaskManagerStalls, At: 320 * time.Second, TaskManager: 1, For: 45 * time.Second,
	}}
	w := newWatch(t, sim.Config{
		Jobs:         []sim.Job{job},
		TaskManagers: []sim.TaskManager{{ID: "tm-1", Slots: 1}, {ID: "tm-2", Slots: 1}},
	})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	longest, silent := time.Duration(0), time.Duration(0)
	w.watchFor(62*time.Second, &focus, func(snap *flinkapi.Snapshot) {
		longest = max(longest, snap.At.Sub(snap.Job.MetricsMoved))
		for _, tm := range snap.TaskManagers {
			if age := snap.Job.Now.Sub(tm.AsOf); tm.ID == "tm-2" && age < time.Second {
				silent = max(silent, tm.AsOf.Sub(tm.Heartbeat))
			}
		}
	})
	if longest < 35*time.Second || silent < 30*time.Second {
		t.Errorf("of a stall of 45 s %v were seen in the metrics and %v in the heartbeat", longest, silent)
	}
}

func TestALargeJobIsReadInTurns(t *testing.T) {
	const vertices, parallelism = 8, 100
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(vertices, parallelism)}})
	w.cluster.Advance(time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	rounds, read := 0, map[flinkapi.VertexID]int{}
	w.watchFor(time.Minute, &focus, func(snap *flinkapi.Snapshot) {
		last = snap
		focus.Vertices = []flinkapi.VertexID{snap.Job.Vertices[3].ID}
		if snap.Job.MetricRound == rounds {
			return
		}
		rounds = snap.Job.MetricRound
		for _, v := range snap.Job.Vertices {
			if v.SubtasksRead.Equal(snap.At) {
				read[v.ID]++
			}
			if !v.SpreadRead.Equal(snap.At) {
				t.Errorf("round %d left out the spread of %s", rounds, v.Name)
			}
		}
	})
	for _, v := range last.Job.Vertices {
		if len(v.Subtasks) != parallelism || !v.Spread[flinkapi.BusyShare].Max.IsKnown() {
			t.Errorf("%s: %d subtasks were read in %d rounds", v.Name, len(v.Subtasks), rounds)
		}
	}
	if focused := last.Job.Vertices[3].ID; read[focused] != rounds {
		t.Errorf("the vertex in focus was read in %d of %d rounds", read[focused], rounds)
	}
	if n := w.tap.paths["/jobs/:id/vertices/:id"]; n > 3*rounds {
		t.Errorf("%d vertices were read in detail in %d rounds", n, rounds)
	}
}

func TestJobsInTurnShareWhatIsTheClusters(t *testing.T) {
	jobs := []sim.Job{chain(3, 1), chain(3, 1), chain(3, 1)}
	for i := range jobs {
		jobs[i].Name = fmt.Sprint("job ", i)
	}
	w := newWatch(t, sim.Config{Jobs: jobs})
	w.cluster.Advance(5 * time.Minute)
	list := w.look(flinkapi.Focus{}).Jobs
	if len(list) != 3 {
		t.Fatalf("%d jobs are listed", len(list))
	}
	rounds := map[string]int{}
	for end := w.cluster.Now().Add(time.Minute); w.cluster.Now().Before(end); {
		for _, j := range list {
			snap := w.look(flinkapi.Focus{Job: j.ID})
			if snap.Job.Name != j.Name {
				t.Fatalf("asked for %q, got %q", j.Name, snap.Job.Name)
			}
			rounds[j.Name] = snap.Job.MetricRound
		}
	}
	for name, n := range rounds {
		if n < 4 {
			t.Errorf("%s had %d rounds in a minute", name, n)
		}
	}
	if n := w.tap.paths["/taskmanagers"]; n > 4 {
		t.Errorf("the TaskManagers were listed %d times in a minute", n)
	}
}

func TestTheLagOfASourceIsAskedForByItsName(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(4, 2)}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	var lags []float64
	round := 0
	w.watchFor(time.Minute, &focus, func(snap *flinkapi.Snapshot) {
		source := snap.Job.Vertices[slices.IndexFunc(snap.Job.Vertices, func(v flinkapi.Vertex) bool {
			return strings.HasPrefix(v.Name, "Source")
		})]
		if snap.Job.MetricRound == round {
			return
		}
		round = snap.Job.MetricRound
		lag, known := source.Spread[flinkapi.PendingRecords].Sum.Float()
		if !known || !source.SpreadRead.Equal(snap.At) || !source.Spread[flinkapi.BusyShare].Max.IsKnown() {
			t.Errorf("round %d: spread %v, read at %v", round, source.Spread, source.SpreadRead)
		}
		lags = append(lags, lag)
	})
	if len(lags) < 5 || lags[len(lags)-1] <= lags[0] {
		t.Errorf("the lag of a source that is held back went %v", lags)
	}
}

func TestWithoutAJobInFocusTheListIsRead(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 1)}})
	for range 3 {
		snap := w.look(flinkapi.Focus{})
		if snap.Job != nil || len(snap.Jobs) != 1 {
			t.Fatalf("got %+v", snap)
		}
		if job := snap.Jobs[0]; job.State != flinkapi.JobRunning || job.StartedAt.IsZero() {
			t.Errorf("the job is %+v", job)
		}
		if snap.Cluster.Version != "1.20.5" || !snap.Cluster.SlotsTotal.IsKnown() {
			t.Errorf("the cluster is %+v", snap.Cluster)
		}
	}
	want := map[string]int{"/jobs/overview": 3, "/config": 1, "/jobmanager/config": 1, "/overview": 1}
	if !cmp.Equal(w.tap.paths, want) {
		t.Errorf("asked for %v, want %v", w.tap.paths, want)
	}
}

func TestRefreshAsksForEverythingNow(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(4, 2)}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	w.watchFor(15*time.Second, &focus, func(*flinkapi.Snapshot) {})
	snap := w.look(flinkapi.Focus{Job: focus.Job, Refresh: true})
	for _, v := range snap.Job.Vertices {
		if !v.SubtasksRead.Equal(snap.At) || !v.SpreadRead.Equal(snap.At) {
			t.Errorf("%s was not read again", v.Name)
		}
	}
	if !snap.Job.Checkpoints.Read.Equal(snap.At) {
		t.Error("the checkpoints were not read again")
	}
}

func TestOnlyTheSignalsAskedForAreFetched(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 1)}})
	w.cluster.Advance(5 * time.Minute)
	client, err := flinkapi.NewClient(flinkapi.Options{URL: "http://jobmanager:8081", Transport: w.tap})
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	var lock sync.Mutex
	w.tap.bend = func(r *http.Request) (*reply, error) {
		lock.Lock()
		defer lock.Unlock()
		if names := r.URL.Query().Get("get"); names != "" {
			asked = append(asked, names)
		}
		return nil, nil
	}
	w.collector = flinkapi.NewCollector(client, flinkapi.CollectorOptions{
		Clock: w.cluster.Now, Signals: []flinkapi.Signal{flinkapi.BusyTime, flinkapi.OutPoolUsage},
	})
	focus := flinkapi.Focus{Job: w.firstJob(), TaskManagers: []flinkapi.TaskManagerID{"tm-1"}}
	w.watchFor(30*time.Second, &focus, func(*flinkapi.Snapshot) {})
	slices.Sort(asked)
	asked = slices.Compact(asked)
	if !slices.Equal(asked, []string{"Shuffle.Netty.Output.Buffers.outPoolUsage"}) {
		t.Errorf("asked for %v", asked)
	}
}

func TestLooksNeverOverlap(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(6, 2)}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob(), Refresh: true}
	var group sync.WaitGroup
	for range 5 {
		group.Go(func() {
			if _, err := w.collector.Next(t.Context(), focus); err != nil {
				t.Error(err)
			}
			w.collector.Wait()
		})
	}
	group.Wait()
	if w.tap.most > 4 {
		t.Errorf("%d requests were in flight at once", w.tap.most)
	}
}

func TestALookThatIsGivenUp(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(4, 2)}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	ctx, cancel := context.WithCancel(t.Context())
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if strings.HasSuffix(r.URL.Path, "/checkpoints") {
			cancel()
		}
		return nil, nil
	}
	var e *flinkapi.Error
	for range 10 {
		if _, err := w.collector.Next(ctx, focus); errors.As(err, &e) {
			break
		}
		w.cluster.Advance(w.collector.Wait())
	}
	if e == nil || e.Kind != flinkapi.KindCanceled {
		t.Fatalf("got %v", e)
	}
	snap := w.look(focus)
	if snap.Job.MetricRound != 1 || len(snap.Problems) > 0 {
		t.Errorf("the next look has round %d and the problems %v", snap.Job.MetricRound, snap.Problems)
	}
}
