package diagnose

import (
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/flinkapi"
)

func TestMonitorLooksIntoTheOnlyJob(t *testing.T) {
	t.Parallel()
	s := jobs(t, slow)
	m := NewMonitor(s, DefaultOptions())
	first := s.step(m, Ask{})
	if s.focus().Job != "" || first.Report != nil || first.Seq != 1 || len(first.Jobs) != 1 ||
		first.Jobs[0].Report != nil {
		t.Errorf("first it asks for %q and says %+v", s.focus().Job, first)
	}
	if m.Wait() != 0 {
		t.Errorf("it then waits for %s, though it knows where to look", m.Wait())
	}
	second := s.step(m, Ask{})
	if s.focus().Job != "id-0" || second.Report == nil || second.Seq != 2 ||
		second.Jobs[0].Report != second.Report {
		t.Errorf("then it asks for %q and says %+v", s.focus().Job, second)
	}
	if m.Wait() != s.wait {
		t.Errorf("it waits for %s, not as long as the source wants", m.Wait())
	}
	obs := s.run(m, Ask{}, time.Minute)
	if len(obs.Report.Culprits) != 1 || obs.Report.Culprits[0].Confidence != Firm {
		t.Errorf("after a minute: %s", obs.Report.Headline)
	}
	if !obs.At.Equal(obs.Snapshot.At) || !obs.Jobs[0].At.Equal(obs.At) {
		t.Errorf("observed at %s, the snapshot is of %s, the line of %s", obs.At, obs.Snapshot.At, obs.Jobs[0].At)
	}
}

func TestMonitorWithoutAJobWaits(t *testing.T) {
	t.Parallel()
	s := jobs(t)
	m := NewMonitor(s, DefaultOptions())
	for range 3 {
		if obs := s.step(m, Ask{}); obs.Report != nil || len(obs.Jobs) != 0 || s.focus().Job != "" {
			t.Errorf("it says %+v", obs)
		}
		if m.Wait() != s.wait {
			t.Errorf("it waits for %s", m.Wait())
		}
	}
}

func TestMonitorTakesTurns(t *testing.T) {
	t.Parallel()
	s := jobs(t, quiet, slow, quiet, quiet)
	s.jobs[3].job.State = flinkapi.JobFinished
	m := NewMonitor(s, DefaultOptions())
	s.step(m, Ask{})
	var turns []flinkapi.JobID
	for range 9 {
		obs := s.step(m, Ask{})
		turns = append(turns, s.focus().Job)
		if obs.Report != nil || obs.Trend != nil {
			t.Error("while several jobs take turns none is the one")
		}
		if want := rotation / 3; m.Wait() != want {
			t.Errorf("it waits for %s, not %s", m.Wait(), want)
		}
		s.pass(m.Wait())
	}
	want := []flinkapi.JobID{"id-0", "id-1", "id-2", "id-0", "id-1", "id-2", "id-0", "id-1", "id-2"}
	if !slices.Equal(turns, want) {
		t.Errorf("turns %v", turns)
	}
	obs := s.run(m, Ask{}, time.Minute)
	for i, line := range obs.Jobs {
		if (line.Report == nil) != (i == 3) || (i < 3 && s.now.Sub(line.At) > rotation+m.Wait()) {
			t.Errorf("%s was looked at at %s, report %+v", line.Job.Name, line.At, line.Report)
		}
	}
	if named := obs.Jobs[1].Report.Culprits; len(named) != 1 || named[0].Confidence != Firm {
		t.Errorf("of the slow job: %s", obs.Jobs[1].Report.Headline)
	}
	if got := obs.Jobs[0].Report.State; got == nil || got.Rule != "healthy" {
		t.Errorf("of a quiet job: %s", obs.Jobs[0].Report.Headline)
	}
}

func TestMonitorGoesOverManyJobsInTime(t *testing.T) {
	t.Parallel()
	s := jobs(t, slices.Repeat([]string{"all 5/0"}, 300)...)
	m := NewMonitor(s, DefaultOptions())
	s.step(m, Ask{})
	s.step(m, Ask{})
	if m.Wait() != gap {
		t.Errorf("with 300 jobs it waits for %s", m.Wait())
	}
	s.wait = 10 * time.Millisecond // a source that wants to be asked sooner
	if m.Wait() != gap {
		t.Errorf("it waits for %s", m.Wait())
	}
}

func TestMonitorIsBoundByASourceThatBacksOff(t *testing.T) {
	t.Parallel()
	s := jobs(t, quiet, quiet)
	s.wait = time.Second
	m := NewMonitor(s, DefaultOptions())
	s.step(m, Ask{})
	s.step(m, Ask{})
	if m.Wait() != time.Second {
		t.Errorf("it waits for %s", m.Wait())
	}
}

func TestMonitorLooksIntoTheJobAskedFor(t *testing.T) {
	t.Parallel()
	s := jobs(t, quiet, slow)
	m := NewMonitor(s, DefaultOptions())
	s.run(m, Ask{}, 30*time.Second)
	obs := s.step(m, Ask{Job: "id-1", Vertex: "src", Refresh: true})
	if f := s.focus(); f.Job != "id-1" || !f.Refresh || !slices.Contains(f.Vertices, "src") {
		t.Errorf("it asks for %+v", f)
	}
	if obs.Report == nil || obs.Report.Job.ID != "id-1" || len(obs.Trend) == 0 || obs.Jobs[0].Report == nil {
		t.Errorf("it says %+v", obs)
	}
	if m.Wait() != s.wait {
		t.Errorf("it waits for %s", m.Wait())
	}
}

func TestMonitorFindsAJobByName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]flinkapi.JobID{"job-1": "id-1", "id-1": "id-1"} {
		s := jobs(t, quiet, slow)
		m := NewMonitor(s, DefaultOptions())
		if obs := s.step(m, Ask{Name: name}); obs.Report != nil || s.focus().Job != "" {
			t.Errorf("%s: before it knows the list it asks for %q", name, s.focus().Job)
		}
		if m.Wait() != 0 {
			t.Errorf("%s: it waits for %s", name, m.Wait())
		}
		if obs := s.step(m, Ask{Name: name}); obs.Report == nil || s.focus().Job != want {
			t.Errorf("%s: it asks for %q", name, s.focus().Job)
		}
		if m.Wait() != s.wait {
			t.Errorf("%s: it waits for %s", name, m.Wait())
		}
	}
}

func TestMonitorReadsTheListAnewForANameThatIsNotThere(t *testing.T) {
	t.Parallel()
	s := jobs(t, quiet, slow)
	m := NewMonitor(s, DefaultOptions())
	s.step(m, Ask{Name: "later"})
	var e *flinkapi.Error
	if _, err := m.Step(t.Context(), Ask{Name: "later"}); !errors.As(err, &e) || e.Kind != flinkapi.KindNoJob {
		t.Fatalf("got %v", err)
	}
	s.jobs[0].job.Name = "later"
	s.step(m, Ask{Name: "later"})
	if s.focus().Job != "" {
		t.Errorf("it asks for %q before it has read the list again", s.focus().Job)
	}
	if s.step(m, Ask{Name: "later"}); s.focus().Job != "id-0" {
		t.Errorf("it asks for %q", s.focus().Job)
	}
}

func TestMonitorKeepsWhatItKnowsOverAnError(t *testing.T) {
	t.Parallel()
	s := jobs(t, slow)
	m := NewMonitor(s, DefaultOptions())
	before := s.run(m, Ask{}, time.Minute)
	s.err = &flinkapi.Error{Op: "read the job", Kind: flinkapi.KindTimeout, Detail: "no answer"}
	for range 2 {
		if obs, err := m.Step(t.Context(), Ask{}); !errors.Is(err, s.err) || obs != nil {
			t.Errorf("got %+v, %v", obs, err)
		}
		s.pass(10 * time.Second)
	}
	s.err = nil
	after := s.step(m, Ask{})
	if after.Seq != before.Seq+1 {
		t.Errorf("step %d follows step %d", after.Seq, before.Seq)
	}
	was, is := before.Report.Culprits, after.Report.Culprits
	if len(is) != 1 || !is[0].Since.Equal(was[0].Since) {
		t.Errorf("after the gap it says %s", after.Report.Headline)
	}
	if len(after.Trend) != len(before.Trend)+1 {
		t.Errorf("%d slots follow %d", len(after.Trend), len(before.Trend))
	}
}

func TestMonitorEndsWithTheRecording(t *testing.T) {
	t.Parallel()
	s := jobs(t, slow)
	m := NewMonitor(s, DefaultOptions())
	s.run(m, Ask{}, 20*time.Second)
	s.err = io.EOF
	if _, err := m.Step(t.Context(), Ask{}); !errors.Is(err, io.EOF) {
		t.Errorf("got %v", err)
	}
}

func TestMonitorForgetsAJobThatIsGone(t *testing.T) {
	t.Parallel()
	for turn := range 2 { // the job that is gone may be the next one, or not
		s := jobs(t, slow, quiet)
		m := NewMonitor(s, DefaultOptions())
		for range 9 + turn {
			s.step(m, Ask{})
			s.pass(5 * time.Second)
		}
		forgets(t, s, m)
	}
}

func forgets(t *testing.T, s *worlds, m *Monitor) {
	t.Helper()
	s.jobs = s.jobs[1:]
	failed := 0
	var last *Observation
	for range 8 {
		obs, err := m.Step(t.Context(), Ask{})
		if err != nil {
			failed++
		} else {
			last = obs
		}
		s.pass(10 * time.Second)
	}
	if failed > 1 {
		t.Errorf("it asked %d times for a job that is gone", failed)
	}
	if len(last.Jobs) != 1 || last.Report == nil || last.Report.Job.ID != "id-1" || m.jobs["id-0"] != nil {
		t.Errorf("at last it says %+v", last)
	}
}

// A JobManager that comes back without its jobs: why the picture is old is said until a job runs again.
func TestMonitorSaysThatTheOnlyJobIsGoneUntilAnotherRuns(t *testing.T) {
	t.Parallel()
	s := jobs(t, slow, quiet)
	other := s.jobs[1]
	s.jobs = s.jobs[:1]
	m := NewMonitor(s, DefaultOptions())
	for range 3 {
		s.step(m, Ask{})
		s.pass(10 * time.Second)
	}
	s.jobs = nil
	for range 4 {
		var e *flinkapi.Error
		if _, err := m.Step(t.Context(), Ask{}); !errors.As(err, &e) || e.Kind != flinkapi.KindNoJob {
			t.Fatalf("got %v", err)
		}
		s.pass(10 * time.Second)
	}
	s.jobs = []*world{other}
	s.step(m, Ask{})
	if obs := s.step(m, Ask{}); obs.Report == nil || obs.Report.Job.ID != "id-1" {
		t.Errorf("the new job is not looked into: %+v", obs)
	}
}

func TestMonitorSticksToAJobThatWasAskedForAndIsGone(t *testing.T) {
	t.Parallel()
	s := jobs(t, slow, quiet)
	m := NewMonitor(s, DefaultOptions())
	s.run(m, Ask{Job: "id-0"}, 30*time.Second)
	s.jobs = s.jobs[1:]
	var e *flinkapi.Error
	for range 3 {
		if _, err := m.Step(t.Context(), Ask{Job: "id-0"}); !errors.As(err, &e) || e.Kind != flinkapi.KindNoJob {
			t.Errorf("got %v", err)
		}
	}
}

func TestMonitorTrend(t *testing.T) {
	t.Parallel()
	s := jobs(t, slow)
	m := NewMonitor(s, DefaultOptions())
	early := s.run(m, Ask{}, 30*time.Second)
	kept := slices.Clone(early.Trend)
	s.jobs[0].set("sink", "20/0")
	s.jobs[0].set("src", "-")
	obs := s.run(m, Ask{}, 20*time.Second)
	if diff := cmp.Diff(kept, early.Trend, cmp.AllowUnexported(flinkapi.Value{})); diff != "" {
		t.Errorf("an earlier trend has changed:\n%s", diff)
	}
	first, newest := obs.Trend[0], obs.Trend[len(obs.Trend)-1]
	if first.Culprit != "sink" || written(first.Pressure, first.Busy) != "0.98 0.99" {
		t.Errorf("the first slot: %+v, %s", first, written(first.Pressure, first.Busy))
	}
	if newest.Culprit != "" || written(newest.Pressure, newest.Busy) != "0.00 0.20" || !newest.At.Equal(obs.At) {
		t.Errorf("the newest slot: %+v, %s", newest, written(newest.Pressure, newest.Busy))
	}
	obs = s.run(m, Ask{}, time.Hour)
	if n, age := len(obs.Trend), obs.At.Sub(obs.Trend[0].At); n > 91 || age > history {
		t.Errorf("%d slots, the oldest %s old", n, age)
	}
}

// What is dear is asked only where the next report needs it.
func TestNear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		graph    string
		place    []string // of the subtasks of "it"
		vertices []flinkapi.VertexID
		workers  []flinkapi.TaskManagerID
	}{
		{
			"a culprit and its TaskManagers", "src 2/98 -> it\nit 99/0*3",
			[]string{"tm-1", "tm-2", "tm-1"},
			[]flinkapi.VertexID{"it"},
			[]flinkapi.TaskManagerID{"tm-1", "tm-2"},
		},
		{
			"two TaskManagers at most", "src 2/98 -> it\nit 99/0*5",
			[]string{"tm-1", "tm-2", "tm-3", "tm-4", "tm-5"},
			[]flinkapi.VertexID{"it"},
			[]flinkapi.TaskManagerID{"tm-1", "tm-2"},
		},
		{
			"of a hot subtask the one on which it runs", "src 2/98 => it\nit 5/0*2 99/0",
			[]string{"tm-1", "tm-2", "tm-3"},
			[]flinkapi.VertexID{"it"},
			[]flinkapi.TaskManagerID{"tm-3"},
		},
		{
			"two culprits at most",
			"a 2/98 -> it\nit 99/0\nb 2/98 -> b2\nb2 98/0\nc 2/98 -> c2\nc2 97/0",
			[]string{"tm-1"},
			[]flinkapi.VertexID{"it", "b2"},
			[]flinkapi.TaskManagerID{"tm-1"},
		},
		{
			"while nobody is named the busiest", "src 5/0 -> it\nit 60/0*2 -> sink\nsink 30/0",
			[]string{"tm-2", "tm-1"},
			[]flinkapi.VertexID{"it"},
			[]flinkapi.TaskManagerID{"tm-2", "tm-1"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.graph)
			for i, id := range c.place {
				w.part("it").tasks[i].worker = w.worker(id).id
			}
			w.watch(40 * time.Second)
			vertices, workers := w.report.near()
			if !slices.Equal(vertices, c.vertices) || !slices.Equal(workers, c.workers) {
				t.Errorf("got %v on %v", vertices, workers)
			}
		})
	}
}

func TestFocusIsWhatTheLastReportNeeds(t *testing.T) {
	t.Parallel()
	s := jobs(t, slow)
	m := NewMonitor(s, DefaultOptions())
	s.run(m, Ask{}, 30*time.Second)
	s.step(m, Ask{Vertex: "src"})
	want := flinkapi.Focus{
		Job: "id-0", Turn: true, Vertices: []flinkapi.VertexID{"sink", "src"}, TaskManagers: []flinkapi.TaskManagerID{"tm-1"},
		Sample: []flinkapi.VertexID{"sink"}, Checkpoint: true,
	}
	if diff := cmp.Diff(want, s.focus()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.step(m, Ask{Vertex: "sink"})
	if got := s.focus().Vertices; !slices.Equal(got, []flinkapi.VertexID{"sink"}) {
		t.Errorf("the selected culprit is asked for as %v", got)
	}
}
