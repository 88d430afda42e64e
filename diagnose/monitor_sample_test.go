package diagnose

import (
	"fmt"
	"testing"
	"time"

	"culprit/flinkapi"
)

// Of jobs that take turns only those are sampled that were not looked at enough lately.
func TestJobsInTurnAreSampledUntilTheirThreadsTold(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		looked time.Time
		turns  bool
		want   int
	}{
		"never looked at": {turns: true, want: 1},
		"just now":        {at.Add(-10 * time.Second), true, 0},
		"a while ago":     {at.Add(-lookAgain), true, 1},
		"the only job":    {at.Add(-10 * time.Second), false, 1},
	} {
		r := &Report{At: at, Culprits: []Culprit{{
			Vertex: VertexRef{ID: "slow"}, Subtasks: []int{0}, looked: tc.looked,
		}}}
		if got := r.toSample(tc.turns); len(got) != tc.want {
			t.Errorf("%s: samples %v", name, got)
		}
	}
}

// While the threads cannot be read no look is to come, and what CPU alone tells of one that computes is firm.
func TestNoLookIsToComeWhereThreadsCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, unread := range []bool{false, true} {
		w := runScript(t, "src 2/98 -> slow\nslow 99/0 -> sink\nsink 5/0\n\ncpu tm-1 1.0\nwatch 40s")
		if unread {
			w.problems = []flinkapi.Problem{{
				Err:     &flinkapi.Error{Op: "read the threads of the TaskManager", Kind: flinkapi.KindUnauthorized},
				Subject: "tm-1",
			}}
		}
		w.look(10 * time.Second)
		if got := w.report.Firm; got != unread {
			t.Errorf("unread %v: firm is %v: %s", unread, got, w.report.Headline)
		}
	}
}

// While state grows its checkpoints are read vertex by vertex, before it is known whether the input grows
// too: a check that ends with that knowledge names whose state it is.
func TestGrowingStateIsReadVertexByVertex(t *testing.T) {
	t.Parallel()
	const job = "src 5/0 => totals\ntotals 20/0 -> sink\nsink 5/0\n\nage 30h\n" +
		"checkpointing interval=150s timeout=10m\n"
	for step, want := range map[float64]bool{0: false, 0.1e9: true} {
		text := job
		for i := range 6 {
			text += fmt.Sprintf("checkpoint %d COMPLETED 1s ago=%ds state=%g\n", i+1, 755-150*i, 1e9+step*float64(i))
		}
		w := runScript(t, text+"watch 40s")
		if w.report.checkpointsMatter() != want || len(w.report.Culprits) > 0 {
			t.Errorf("growing by %g B: they are read: %v", step, !want)
		}
	}
}
