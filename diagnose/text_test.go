package diagnose

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/flinkapi"
)

func TestText(t *testing.T) {
	t.Parallel()
	r := &Report{
		Job: JobRef{ID: "j1", Name: "orders", State: flinkapi.JobRunning}, Severity: Critical,
		Headline: "totals holds the job back: it is slow",
		Culprits: []Culprit{{
			Vertex: VertexRef{"v2", "totals"}, Subtasks: []int{0, 1, 2, 3, 4, 5, 6, 7, 9}, Parallelism: 12,
			TaskManagers: []flinkapi.TaskManagerID{"tm-1", "tm-2"},
			Reason:       Reason{Code: "FD9999", Name: "slow-thing", Summary: "it is slow"},
			Confidence:   Firm, Pattern: Chronic, Since: noon,
			Evidence: []Evidence{
				{
					Signal: "busy", Label: "busy, busiest subtask", Subject: "totals", Value: flinkapi.Known(0.99),
					Unit: flinkapi.Ratio, For: true, Age: 4 * time.Second,
				},
				{
					Signal: "lag", Label: "records waiting", Subject: "src", Unit: flinkapi.Records,
					Age: 70 * time.Second, Note: "not reported",
				},
			},
			Remedies:  []Remedy{{Do: "do this", Gain: "twice as fast", Risk: "none"}, {Do: "or that"}},
			Dont:      []string{"not this"},
			Victims:   []Victim{{VertexRef{"v1", "src"}, "held back by it"}},
			RunnersUp: []RunnerUp{{VertexRef{"v3", "sink"}, "it is busy only 60 %"}},
		}},
		Also: []Finding{{
			Rule: "other-thing", Severity: Warning, Summary: "something else is odd",
			Remedies: []Remedy{{
				Do: "give it more", Key: "a.b.c", From: "1", To: "2", Undo: "set it back", Link: "https://example.org/c",
			}},
		}, {
			Rule: "good-to-know", Severity: OK, Summary: "one number for all", Consequence: true,
			Subject: Subject{Kind: SubjectSubtask, Vertex: "v3", Name: "sink", Subtasks: []int{2}, TaskManager: "tm-1"},
			Evidence: []Evidence{
				{Label: "subtasks asked for", Subject: "sink", Value: flinkapi.Known(5), Unit: flinkapi.Count, For: true},
			},
		}},
	}
	want := `orders (RUNNING): critical
totals holds the job back: it is slow
culprit  totals, firm, since 12:00:00 UTC, chronic
  why      slow-thing: it is slow
  where    subtask 0, 1, 2, 3, 4, 5, 6, 7, and 1 more (of 0 to 11) on tm-1, tm-2
  fix      do this
           gain: twice as fast
           risk: none
  fix      or that
  do not   not this
  victim   src: held back by it
  not      sink: it is busy only 60 %
  for      totals, busy, busiest subtask: 99 %, 4 s old
  against  src, records waiting: -, 1 min 10 s old (not reported)
also     other-thing, warning: something else is odd
  fix      give it more (a.b.c: 2, now 1)
           undo: set it back
           see: https://example.org/c
also     good-to-know, ok: one number for all
  where    sink, subtask 2, tm-1
  cause    a consequence of what is named above
  for      sink, subtasks asked for: 5, 0 s old
`
	if diff := cmp.Diff(want, r.Text()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r = &Report{
		Job: JobRef{
			Name:  "orders",
			State: flinkapi.JobRestarting,
		},
		Severity: UnknownSeverity,
		Headline: "nobody knows",
		State: &Finding{
			Remedies: []Remedy{{Do: "wait", Gain: "time", Risk: "boredom"}},
			Dont:     []string{"guess"},
			Evidence: []Evidence{
				{Label: "restarts", Subject: "job", Value: flinkapi.Known(3), Unit: flinkapi.Count, For: true},
			},
		},
		Undetermined: &Undetermined{Why: "too early", Missing: []string{"time", "patience"}},
	}
	want = `orders (RESTARTING): unknown
nobody knows
  fix      wait
           gain: time
           risk: boredom
  do not   guess
  missing  time; patience
  for      job, restarts: 3, 0 s old
`
	if diff := cmp.Diff(want, r.Text()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSeverity(t *testing.T) {
	t.Parallel()
	ascending := []Severity{OK, UnknownSeverity, Warning, Critical}
	for i, a := range ascending {
		for k, b := range ascending {
			if got, want := a.Worse(b), ascending[max(i, k)]; got != want {
				t.Errorf("of %s and %s the worse is %s", a, b, got)
			}
		}
	}
	for severity, want := range map[Severity]string{
		OK: "ok", Warning: "warning", Critical: "critical", UnknownSeverity: "unknown", Severity(9): "unknown",
	} {
		if got := severity.String(); got != want {
			t.Errorf("severity %d is called %q, want %q", severity, got, want)
		}
	}
	if OK != 0 || Warning != 1 || Critical != 2 || UnknownSeverity != 3 {
		t.Error("the severities are not the exit codes of monitoring plugins")
	}
}

func TestEvidenceText(t *testing.T) {
	t.Parallel()
	known := flinkapi.Known
	for _, c := range []struct {
		value flinkapi.Value
		unit  flinkapi.Unit
		want  string
	}{
		{known(0.993), flinkapi.Ratio, "99 %"},
		{known(0), flinkapi.Ratio, "0 %"},
		{flinkapi.Value{}, flinkapi.Ratio, "-"},
		{flinkapi.NaN(), flinkapi.Records, "-"},
		{known(7), flinkapi.Count, "7"},
		{known(12345), flinkapi.Count, "12345"},
		{known(950), flinkapi.Records, "950 records"},
		{known(1234), flinkapi.Records, "1.23 k records"},
		{known(12.3456e6), flinkapi.RecordsPerSecond, "12.3 M records/s"},
		{known(1), flinkapi.Records, "1 record"},
		{known(1), flinkapi.RecordsPerSecond, "1 record/s"},
		{known(5e9), flinkapi.Bytes, "5 GB"},
		{known(2e12), flinkapi.Bytes, "2 TB"},
		{known(950), flinkapi.Bytes, "950 B"},
		{known(12e3), flinkapi.BytesPerSecond, "12 kB/s"},
		{known(58_800), flinkapi.PerSecond, "58.8 k/s"},
		{known(12), flinkapi.PerSecond, "12 /s"},
		{known(0.0251), Cores, "0.0251 cores"},
		{known(1), Cores, "1 core"},
		{known(1), Times, "1.0 times"},
		{known(2.41), Times, "2.41 times"},
		{known(40), flinkapi.Seconds, "40 s"},
		{known(12.5), flinkapi.Seconds, "12.5 s"},
		{known(59.999), flinkapi.Seconds, "60 s"},
		{known(136), flinkapi.Seconds, "2 min 16 s"},
		{known(0.315), flinkapi.Seconds, "315 ms"},
		{known(4490), flinkapi.Seconds, "1 h 14 min"},
		{known(-45), flinkapi.Seconds, "-45 s"},
	} {
		if got := (Evidence{Value: c.value, Unit: c.unit}).Text(); got != c.want {
			t.Errorf("%s %s is written %q, want %q", written(c.value), c.unit, got, c.want)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		all  []int
		want string
	}{
		{nil, ""},
		{[]int{3}, "3"},
		{[]int{0, 1, 2}, "0, 1, 2"},
		{[]int{0, 1, 2, 3, 4, 5, 6, 7}, "0, 1, 2, 3, 4, 5, 6, 7"},
		{[]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, "0, 1, 2, 3, 4, 5, 6, 7, and 2 more"},
	} {
		if got := list(c.all); got != c.want {
			t.Errorf("%v is written %q, want %q", c.all, got, c.want)
		}
	}
}

func TestARemedyTellsTheChange(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]Remedy{
		"":                                {},
		" (a)":                            {Key: "a"},
		" (a: 2)":                         {Key: "a", To: "2"},
		" (a: 2, now 1)":                  {Key: "a", To: "2", From: "1"},
		" (a, now 1)":                     {Key: "a", From: "1"},
		" (a: 2, instead of 1 (default))": {Key: "a", To: "2", From: byDefault("1")},
		" (a, 1 (default))":               {Key: "a", From: byDefault("1")},
		" (4)":                            {To: "4"},
		" (from 2 to 4)":                  {To: "4", From: "2"},
	} {
		if got := r.Change(); got != want {
			t.Errorf("%+v: %q", r, got)
		}
	}
}

func TestTheLeadIsTheFirstBadNewsOfAHealthyJob(t *testing.T) {
	t.Parallel()
	healthy := &Finding{Rule: "healthy"}
	r := &Report{State: healthy, Also: []Finding{{Rule: "fine"}, {Rule: "bad", Severity: Warning}}}
	if f := r.Lead(); f.Rule != "bad" {
		t.Errorf("%s leads", f.Rule)
	}
	r.State = &Finding{Rule: "undetermined", Severity: UnknownSeverity}
	if f := r.Lead(); f.Rule != "undetermined" {
		t.Errorf("%s leads", f.Rule)
	}
	r.State, r.Also = healthy, nil
	if f := r.Lead(); f != healthy {
		t.Errorf("%+v leads", f)
	}
	r.Culprits = []Culprit{{}}
	if r.State = nil; r.Lead() != nil {
		t.Error("somebody leads beside a culprit")
	}
}
