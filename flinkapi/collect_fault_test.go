package flinkapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

// answerTo bends the requests whose path ends so.
func answerTo(suffix string, status int, body string) func(*http.Request) (*reply, error) {
	return func(r *http.Request) (*reply, error) {
		if strings.HasSuffix(r.URL.Path, suffix) {
			return &reply{status, body}, nil
		}
		return nil, nil
	}
}

// serverSide is how Flink reports an exception of a handler.
func serverSide(exception string) string {
	return `{"errors":["Internal server error.","<Exception on server side:\n` + exception + `\n\tat a.B"]}`
}

func TestWaitsDoubleWhileTheServerIsAway(t *testing.T) {
	away := map[string]func(*http.Request) (*reply, error){
		"refused": func(*http.Request) (*reply, error) { return nil, syscall.ECONNREFUSED },
		"no leader": func(*http.Request) (*reply, error) {
			return &reply{http.StatusServiceUnavailable, `{"errors":["leader election"]}`}, nil
		},
	}
	for name, bend := range away {
		t.Run(name, func(t *testing.T) {
			w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 1)}})
			w.cluster.Advance(time.Minute)
			focus := flinkapi.Focus{Job: w.firstJob()}
			w.look(focus)
			w.tap.bend = bend
			var waits []time.Duration
			for range 7 {
				_ = w.fail(focus)
				waits = append(waits, w.collector.Wait())
			}
			const s = time.Second
			want := []time.Duration{2 * s, 4 * s, 8 * s, 16 * s, 30 * s, 30 * s, 30 * s}
			if !slices.Equal(waits, want) {
				t.Errorf("waits are %v, want %v", waits, want)
			}
			w.tap.bend = nil
			w.look(focus)
			if w.collector.Wait() > 3*time.Second {
				t.Errorf("the wait is %v after a success", w.collector.Wait())
			}
		})
	}
}

func TestAnotherVersionMayComeBack(t *testing.T) {
	w := newWatch(t, sim.Config{Version: "1.20.5", Jobs: []sim.Job{chain(3, 1)}})
	w.cluster.Advance(time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	w.look(focus)
	w.tap.bend = func(*http.Request) (*reply, error) { return nil, syscall.ECONNREFUSED }
	_ = w.fail(focus)
	w.tap.bend = answerTo("/config", http.StatusOK, `{"flink-version":"2.3.0"}`)
	if v := w.look(focus).Cluster.Version; v != "2.3.0" {
		t.Errorf("the version is still %q", v)
	}
}

func TestAJobThatIsNotThere(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 1)}})
	for _, id := range []flinkapi.JobID{"ffffffffffffffffffffffffffffffff", "orders", "../config"} {
		e := w.fail(flinkapi.Focus{Job: id})
		if e.Kind != flinkapi.KindNoJob || !strings.Contains(e.Detail, string(id)) || e.Hint == "" {
			t.Errorf("%s: %s %q %q", id, e.Kind, e.Detail, e.Hint)
		}
	}
	if w.collector.Wait() != time.Second {
		t.Errorf("the wait is %v, want the interval", w.collector.Wait())
	}
}

func TestAJobThatVanished(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 1)}})
	focus := flinkapi.Focus{Job: w.firstJob()}
	w.look(focus)
	const gone = `{"errors":["org.apache.flink.runtime.rest.NotFoundException: Job x not found"]}`
	list := `{"jobs":[]}`
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if r.URL.Path == "/jobs/overview" {
			return &reply{http.StatusOK, list}, nil
		}
		return &reply{http.StatusNotFound, gone}, nil
	}
	if e := w.fail(focus); e.Kind != flinkapi.KindNoJob || !strings.Contains(e.Detail, `"chain"`) {
		t.Errorf("%s %q", e.Kind, e.Detail)
	}
	w.tap.bend = nil
	w.look(focus)
	const again = "abcdefabcdefabcdefabcdefabcdefab"
	list = `{"jobs":[{"jid":"` + again + `","name":"chain","state":"RUNNING"}]}`
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if r.URL.Path == "/jobs/overview" {
			return &reply{http.StatusOK, list}, nil
		}
		return &reply{http.StatusNotFound, gone}, nil
	}
	if e := w.fail(focus); e.Kind != flinkapi.KindNoJob || !strings.Contains(e.Hint, again) {
		t.Errorf("%s %q", e.Kind, e.Hint)
	}
}

func TestAPartThatFailsCostsThatPart(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(4, 2)}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	var before *flinkapi.Snapshot
	w.watchFor(15*time.Second, &focus, func(snap *flinkapi.Snapshot) { before = snap })
	sick := before.Job.Vertices[1]
	w.tap.bend = answerTo("/vertices/"+string(sick.ID), 500, serverSide("a.b.C: boom"))
	var since []time.Time
	w.watchFor(30*time.Second, &focus, func(snap *flinkapi.Snapshot) {
		v := snap.Job.Vertex(sick.ID)
		if !v.SubtasksRead.Equal(sick.SubtasksRead) || len(v.Subtasks) != 2 {
			t.Errorf("what was read at %v became %d of %v", sick.SubtasksRead, len(v.Subtasks), v.SubtasksRead)
		}
		for _, p := range snap.Problems {
			if p.Subject != sick.Name || p.Err.Kind != flinkapi.KindServer || p.Err.Detail != "C: boom" {
				t.Errorf("problem with %q: %v", p.Subject, p.Err)
			}
			since = append(since, p.Since)
		}
		if other := snap.Job.Vertices[2]; snap.At.Sub(other.SubtasksRead) > 13*time.Second {
			t.Errorf("%s was last read at %v, now is %v", other.Name, other.SubtasksRead, snap.At)
		}
	})
	if len(since) < 3 || !since[0].Equal(since[len(since)-1]) {
		t.Errorf("the problem was seen with the beginnings %v", since)
	}
	w.tap.bend = nil
	w.watchFor(15*time.Second, &focus, func(snap *flinkapi.Snapshot) { before = snap })
	if len(before.Problems) > 0 || before.Job.Vertex(sick.ID).SubtasksRead.Equal(sick.SubtasksRead) {
		t.Errorf("after it was cured: %v", before.Problems)
	}
}

func TestAProblemIsForgottenWithItsSubject(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 1)}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob(), TaskManagers: []flinkapi.TaskManagerID{"tm-gone"}}
	w.tap.bend = answerTo("/tm-gone/metrics", http.StatusInternalServerError, serverSide("a.b.C: boom"))
	var last *flinkapi.Snapshot
	w.watchFor(15*time.Second, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	if len(last.Problems) != 1 || last.Problems[0].Subject != "tm-gone" {
		t.Fatalf("problems %v", last.Problems)
	}
	focus.TaskManagers = nil
	w.watchFor(3*time.Minute, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	if len(last.Problems) > 0 {
		t.Errorf("problems %v", last.Problems)
	}
}

func TestAPanicIsAProblem(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 1)}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if strings.HasSuffix(r.URL.Path, "/checkpoints") {
			panic("boom \x1b[31m")
		}
		return nil, nil
	}
	var last *flinkapi.Snapshot
	w.watchFor(5*time.Second, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	if len(last.Problems) != 1 || last.Problems[0].Err.Kind != flinkapi.KindInternal ||
		strings.Contains(last.Problems[0].Err.Detail, "\x1b") || len(last.Job.Vertices[0].Subtasks) != 1 {
		t.Errorf("problems %v", last.Problems)
	}
}

func TestWhatIsNotOfferedIsAskedOnce(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 1)}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if strings.Contains(r.URL.Path, "/checkpoints") || strings.HasPrefix(r.URL.Path, "/taskmanagers") {
			return &reply{http.StatusNotFound, `{"errors":["Not found: ` + r.URL.Path + `"]}`}, nil
		}
		return nil, nil
	}
	var last *flinkapi.Snapshot
	w.watchFor(time.Minute, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	for path, n := range w.tap.paths {
		if (strings.Contains(path, "checkpoints") || strings.Contains(path, "taskmanagers")) && n != 1 {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
	offered := len(last.Problems) != 3 || last.Problems[0].Err.Kind != flinkapi.KindNotOffered
	if offered || last.Job.Checkpoints != nil {
		t.Errorf("problems %v, checkpoints %v", last.Problems, last.Job.Checkpoints)
	}
	if last.Job.MetricRound < 5 {
		t.Errorf("%d rounds in a minute", last.Job.MetricRound)
	}
}

func TestAnUnknownNameDoesNotEmptyTheAnswerForLong(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 1)}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	const unknown = "Shuffle.Netty.Output.Buffers.outPoolUsage"
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if !strings.HasSuffix(r.URL.Path, "/subtasks/metrics") {
			return nil, nil
		}
		if strings.Contains(r.URL.Query().Get("get"), unknown) {
			return &reply{http.StatusOK, "[]"}, nil
		}
		got, err := w.tap.original(r)
		if err == nil && r.URL.RawQuery == "" {
			got.body = strings.ReplaceAll(got.body, unknown, "Shuffle.other")
		}
		return got, err
	}
	var last *flinkapi.Snapshot
	w.watchFor(time.Minute, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	for _, v := range last.Job.Vertices {
		if !v.Spread[flinkapi.BusyShare].Max.IsKnown() || v.Spread[flinkapi.OutPoolUsage].Max.IsKnown() {
			t.Errorf("%s has the spread %v", v.Name, v.Spread)
		}
	}
}

func TestTheFetchIntervalIsToldFromTheCountersWhereTheConfigurationIsHidden(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 1)}, FetchInterval: 4 * time.Second})
	w.cluster.Advance(5 * time.Minute)
	w.tap.bend = answerTo("/jobmanager/config", http.StatusForbidden, "no")
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	w.watchFor(2*time.Minute, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	got := last.Cluster
	near := got.FetchInterval >= 3500*time.Millisecond && got.FetchInterval <= 6*time.Second
	if got.FetchIntervalFrom != flinkapi.IntervalObserved || !near {
		t.Errorf("the interval is %v, %s; it is 4 s", got.FetchInterval, got.FetchIntervalFrom)
	}
	if n := w.tap.paths["/jobmanager/config"]; n > 5 {
		t.Errorf("the hidden configuration was asked for %d times in two minutes", n)
	}
	w = newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 1)}, FetchInterval: 4 * time.Second})
	focus = flinkapi.Focus{Job: w.firstJob()}
	got = w.look(focus).Cluster
	if got.FetchInterval != 4*time.Second || got.FetchIntervalFrom != flinkapi.IntervalConfigured {
		t.Errorf("the configured interval is given as %v, %s", got.FetchInterval, got.FetchIntervalFrom)
	}
}

func TestAFinishedJobIsAskedAboutOnceMore(t *testing.T) {
	job := chain(3, 1)
	job.Vertices[0].Source.Records = 2000
	w := newWatch(t, sim.Config{Jobs: []sim.Job{job}})
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	w.watchFor(2*time.Minute, &focus, func(snap *flinkapi.Snapshot) { last = snap })
	if last.Job.State != flinkapi.JobFinished || len(last.Problems) > 0 {
		t.Fatalf("the job is %s with the problems %v", last.Job.State, last.Problems)
	}
	below := func() (n int) {
		for path, times := range w.tap.paths {
			if strings.HasPrefix(path, "/jobs/:id/") {
				n += times
			}
		}
		return n
	}
	before := below()
	w.watchFor(time.Minute, &focus, func(*flinkapi.Snapshot) {})
	if more := below() - before; more != 0 {
		t.Errorf("%d more questions about a job that is over: %v", more, w.tap.paths)
	}
}

func TestAServerThatHangsInARoundCostsTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := flinkapi.WallClock
		cluster := sim.New(sim.Config{Jobs: []sim.Job{chain(10, 2)}, Start: clock()})
		through := &tap{next: sim.Transport(cluster.Handler(), cluster.Follow(clock, 1))}
		client, err := flinkapi.NewClient(flinkapi.Options{URL: "http://jobmanager:8081", Transport: through})
		if err != nil {
			t.Fatal(err)
		}
		w := &watch{t: t, cluster: cluster, tap: through}
		w.collector = flinkapi.NewCollector(client, flinkapi.CollectorOptions{Clock: clock})
		focus := flinkapi.Focus{Job: w.firstJob()}
		time.Sleep(time.Minute)
		through.bend = func(r *http.Request) (*reply, error) {
			if strings.Contains(r.URL.Path, "/vertices/") {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return nil, nil
		}
		var snap *flinkapi.Snapshot
		for snap == nil || len(snap.Problems) == 0 && clock().Sub(snap.Job.StartedAt) < 2*time.Minute {
			time.Sleep(w.collector.Wait())
			began := clock()
			if snap, err = w.collector.Next(t.Context(), focus); err != nil {
				t.Fatal(err)
			}
			if took := clock().Sub(began); took > 10*time.Second {
				t.Fatalf("a look took %v", took)
			}
		}
		if len(snap.Problems) == 0 || snap.Problems[0].Err.Kind != flinkapi.KindTimeout {
			t.Errorf("problems %v", snap.Problems)
		}
		if w.collector.Wait() < 2*time.Second {
			t.Errorf("the wait is %v", w.collector.Wait())
		}
	})
}

func TestTextOfAClusterIsSafe(t *testing.T) {
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(3, 1)}})
	quoted, err := json.Marshal("\x1b]0;owned\x07\x1b[2J\u202e\ufeffa\tb\nc")
	if err != nil {
		t.Fatal(err)
	}
	w.tap.bend = func(r *http.Request) (*reply, error) {
		got, err := w.tap.original(r)
		if err != nil {
			return nil, err
		}
		for _, name := range []string{`"chain"`, `"step 1"`, `"1.20.5"`} {
			got.body = strings.ReplaceAll(got.body, name, string(quoted))
		}
		return got, nil
	}
	focus := flinkapi.Focus{Job: w.firstJob()}
	w.watchFor(15*time.Second, &focus, func(snap *flinkapi.Snapshot) {
		if snap.Job.Name != "a b c" || snap.Cluster.Version != "a b c" {
			t.Fatalf("the job is called %q, the version %q", snap.Job.Name, snap.Cluster.Version)
		}
		shown := fmt.Sprint(snap.Job.Vertices, snap.Jobs, snap.Problems)
		if strings.ContainsAny(shown, "\x1b\u202e\ufeff\t\x07") {
			t.Fatalf("unsafe text came through: %q", shown)
		}
	})
}
