package diagnose

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/flinkapi"
)

func TestReport(t *testing.T) {
	t.Parallel()
	runArchives(t, "testdata/report.txtar")
}

// everyStory reads all stories, of the rules too.
func everyStory(t *testing.T) []archived {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	rules, err := filepath.Glob("testdata/rules/*.txtar")
	if err != nil || len(rules) == 0 {
		t.Fatalf("no stories of rules: %v", err)
	}
	var out []archived
	for _, file := range append(files, rules...) {
		for _, a := range readArchive(t, file) {
			out = append(out, archived{strings.TrimSuffix(filepath.Base(file), ".txtar") + ": " + a.name, a.text})
		}
	}
	return out
}

// Every vertex that is backpressured is named, held back by one that is named, or told why it is not the one.
func TestEveryPressedVertexIsExplained(t *testing.T) {
	t.Parallel()
	for _, a := range everyStory(t) {
		r := runScript(t, a.text).report
		if len(r.Culprits) == 0 {
			continue
		}
		told := map[flinkapi.VertexID]bool{}
		for _, x := range r.Culprits {
			told[x.Vertex.ID] = true
			for _, v := range x.Victims {
				told[v.Vertex.ID] = true
			}
			for _, u := range x.RunnersUp {
				told[u.Vertex.ID] = true
			}
		}
		for _, v := range r.Vertices {
			if v.Backpressured.Or(0) > defaultThresholds().low && !told[v.Vertex.ID] {
				t.Errorf("%s: nothing is said of %s", a.name, v.Vertex.Name)
			}
		}
	}
}

// No culprit is a victim or a runner-up of its own, and none is held back itself more than it is busy.
func TestCulpritsAreNoVictims(t *testing.T) {
	t.Parallel()
	for _, a := range everyStory(t) {
		r := runScript(t, a.text).report
		for _, x := range r.Culprits {
			if slices.ContainsFunc(x.Victims, func(v Victim) bool { return v.Vertex.ID == x.Vertex.ID }) ||
				slices.ContainsFunc(x.RunnersUp, func(u RunnerUp) bool { return u.Vertex.ID == x.Vertex.ID }) {
				t.Errorf("%s: %s stands beside itself", a.name, x.Vertex.Name)
			}
			if x.Confidence != Firm && x.Confidence != Probable || x.Pattern == "" || x.Since.IsZero() {
				t.Errorf("%s: %s is %q, %q, since %s", a.name, x.Vertex.Name, x.Confidence, x.Pattern, x.Since)
			}
			if x.Reason.Code == "" || x.Reason.Name == "" || x.Reason.Summary == "" || len(x.Remedies) == 0 ||
				len(x.Dont) == 0 {
				t.Errorf("%s: %s has the reason %+v, %d remedies and %d warnings",
					a.name, x.Vertex.Name, x.Reason, len(x.Remedies), len(x.Dont))
			}
			if x.Evidence == nil || x.Parallelism == 0 {
				t.Errorf("%s: %s has no evidence, or no subtasks", a.name, x.Vertex.Name)
			}
		}
	}
}

// What a report of nobody says: a state, and a reason where it cannot tell; with culprits there is neither.
func TestEitherCulpritsOrAState(t *testing.T) {
	t.Parallel()
	for _, a := range everyStory(t) {
		r := runScript(t, a.text).report
		if (r.State == nil) != (len(r.Culprits) > 0) || r.Headline == "" {
			t.Errorf("%s: %d culprits, state %+v, headline %q", a.name, len(r.Culprits), r.State, r.Headline)
		}
		// A warning beside a state that is not known is the graver of the two.
		if r.Severity == UnknownSeverity && r.Undetermined == nil || r.Severity == OK && r.Undetermined != nil {
			t.Errorf("%s: %s, undetermined because %+v", a.name, r.Severity, r.Undetermined)
		}
		for _, f := range r.Also {
			if f.Verdict != Firing || f.Rule == healthyRule().Name {
				t.Errorf("%s: also %s", a.name, f.Rule)
			}
		}
	}
}

func TestRungsAndRolesSayWhy(t *testing.T) {
	t.Parallel()
	for _, a := range everyStory(t) {
		r := runScript(t, a.text).report
		for i, rung := range r.Ladder {
			if rung.Number != i+1 || rung.Name == "" || rung.Question == "" || rung.Why == "" || rung.State == "" {
				t.Errorf("%s: rung %+v", a.name, rung)
			}
		}
		for _, v := range r.Vertices {
			if v.Role == "" || v.Why == "" {
				t.Errorf("%s: %s has the role %q, because %q", a.name, v.Vertex.Name, v.Role, v.Why)
			}
		}
	}
}

func TestTheSameSnapshotsGiveTheSameReports(t *testing.T) {
	t.Parallel()
	for _, a := range everyStory(t) {
		one, other := runScript(t, a.text).report, runScript(t, a.text).report
		if !reflect.DeepEqual(one, other) {
			t.Errorf("%s: the reports differ:\n%s", a.name, cmp.Diff(one.Text(), other.Text()))
		}
	}
}

// Earlier reports stay as they were: the screen keeps them for its way back in time.
func TestReportsAreNeverChangedLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "src 2/98*3 => a, b\na 95/0 20/0*4\nb 80/0\nother 90/0")
	var reports []*Report
	var texts []string
	for _, shares := range []string{"95/0 20/0*4", "30/0*5", "99/0*5", "-*5", "40/60*5"} {
		w.set("a", strings.Fields(shares)...)
		for range 5 {
			w.look(10 * time.Second)
			reports, texts = append(reports, w.report), append(texts, w.report.Text())
		}
	}
	for i := range reports {
		if diff := cmp.Diff(texts[i], reports[i].Text()); diff != "" {
			t.Errorf("report %d has changed:\n%s", i, diff)
		}
	}
}

func TestReportTellsWhatItStandsOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "src 2/98 - -> slow\nslow 99/0*2")
	w.look(0)
	if d := w.report.Data; d.SubtasksKnown != 0 || d.SubtasksTotal != 4 || d.Slots != 0 || d.Observed != 0 {
		t.Errorf("at first: %+v", d)
	}
	w.watch(30 * time.Second)
	want := DataQuality{
		FlinkVersion: "2.3.0", Observed: 30 * time.Second, SubtasksKnown: 3, SubtasksTotal: 4,
		MetricAge: flinkapi.Known(0), Slots: 3,
	}
	if w.report.Data != want {
		t.Errorf("got %+v, want %+v", w.report.Data, want)
	}
	w.frozen = true
	w.look(4 * time.Second)
	if got := w.report.Data.MetricAge; got != flinkapi.Known(4) {
		t.Errorf("the metrics are %s old, want 4 s", written(got))
	}
}

// On a first look the metrics were never seen to move: they are as old as the time in RUNNING that the
// counters do not cover.
func TestMetricAgeOnAFirstLook(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "src 10/0")
	s := w.snapshot(0)
	if age, known := metricAge(s); !known || age != 0 {
		t.Errorf("fresh: %s, known: %v", age, known)
	}
	s.Job.Vertices[0].Subtasks[0].Running = flinkapi.Known(time.Hour.Seconds() + 90)
	if age, known := metricAge(s); !known || age.Round(time.Second) != 90*time.Second {
		t.Errorf("90 s old: %s, known: %v", age, known)
	}
	if !stale(defaultThresholds(), s) {
		t.Error("metrics of 90 s ago are taken for fresh")
	}
	s.Job.Vertices[0].Subtasks[0].Readings[flinkapi.IdleTime] = flinkapi.Value{}
	if age, known := metricAge(s); known {
		t.Errorf("without counters: %s", age)
	}
}

func TestHowOldMetricsMayBe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fetch, age time.Duration
		want       bool
	}{
		{10 * time.Second, 16 * time.Second, false},
		{10 * time.Second, 17 * time.Second, true},
		{time.Minute, 91 * time.Second, false},
		{time.Minute, 92 * time.Second, true},
		{time.Second, 6 * time.Second, false},
		{time.Second, 7 * time.Second, true},
		{0, 16 * time.Second, false}, // it is configured never to collect
		{0, 17 * time.Second, true},
	} {
		s := &flinkapi.Snapshot{At: noon, Job: &flinkapi.Job{MetricsMoved: noon.Add(-c.age)}}
		s.Cluster.FetchInterval = c.fetch
		if got := stale(defaultThresholds(), s); got != c.want {
			t.Errorf("fetched every %s, metrics of %s ago are too old: %v", c.fetch, c.age, got)
		}
	}
}

func TestVertexStatesShowUnknownAsUnknown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "src 2/98*2 -> mid\nmid 70/10 - 20/0 -> sink\nsink 5/0")
	w.watch(30 * time.Second)
	mid, sink, src := w.report.Vertices[1], w.report.Vertices[2], w.report.Vertices[0]
	if got := written(mid.Busy, mid.Backpressured, mid.Idle); got != "0.70 0.10 0.80" || mid.HotSubtask != 0 {
		t.Errorf("mid: %s, hottest %d", got, mid.HotSubtask)
	}
	if got := written(mid.Subtasks.At(1).Busy, mid.Subtasks.At(1).RecordsIn); got != "- -" {
		t.Errorf("the mute subtask shows %s", got)
	}
	if got := written(
		sink.RecordsIn,
		sink.RecordsOut,
		src.RecordsIn,
		src.RecordsOut,
	); got != "100.00 - - 100.00" {
		t.Errorf("rates of sink and source: %s", got)
	}
	w.frozen = true
	w.watch(30 * time.Second)
	for _, v := range w.report.Vertices {
		if v.Busy.IsKnown() || v.RecordsIn.IsKnown() || v.HotSubtask != -1 || v.Role != RoleUnknown {
			t.Errorf(
				"of old metrics %s still shows %s, hottest %d, role %s",
				v.Vertex.Name,
				written(v.Busy),
				v.HotSubtask,
				v.Role,
			)
		}
		for _, s := range v.Subtasks.All() {
			if s.Busy.IsKnown() || s.RecordsOut.IsKnown() {
				t.Errorf("subtask %d of %s still shows %s", s.Index, v.Vertex.Name, written(s.Busy))
			}
		}
	}
}
