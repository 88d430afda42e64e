package diagnose

import (
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
