package tui

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"culprit/diagnose"
)

// moment is an observation that closes the n-th slot.
func moment(n, subtasks int) *diagnose.Observation {
	obs := slowSink()
	if n > 5 {
		obs = healthy()
	}
	obs.Report.Job.ID, obs.Snapshot.Job.ID = "one job", "one job" // both pictures are of the same
	obs.Trend = []diagnose.TrendPoint{{At: start.Add(time.Duration(n) * 10 * time.Second)}}
	obs.Report.Data.SubtasksTotal = subtasks
	return obs
}

func TestPastIsBounded(t *testing.T) {
	t.Parallel()
	var p past
	for n := range 1000 {
		next := picture{moment(n, 10), start.Add(time.Duration(n) * 10 * time.Second)}
		p.keep(next)
		p.keep(next) // the same slot
	}
	if n := len(p.kept); n != 361 {
		t.Errorf("%d moments of an hour are kept", n)
	}
	p = past{}
	for n := range 20 {
		p.keep(picture{moment(n, pastSubtasks/4), start.Add(time.Duration(n) * 10 * time.Second)})
	}
	if n := len(p.kept); n != 4 || p.subtasks != pastSubtasks {
		t.Errorf("%d moments of a huge job are kept, %d subtasks", n, p.subtasks)
	}
	other := moment(30, 1)
	other.Report.Job.ID = "another job"
	if p.keep(picture{other, start}); len(p.kept) != 1 || p.subtasks != 1 {
		t.Errorf("%d moments of two jobs are kept", len(p.kept))
	}
}

func TestStepsThroughTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(_ context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
			return moment(n, 10), nil
		}
		s := play(t, monitor, 120, 36)
		time.Sleep(30 * time.Second)
		s.wants(s.settle(), "HEALTHY")
		screen := s.press("[")
		s.wants(screen, "HEALTHY", "AT ", " ago; moment ", "end: newest")
		for range 40 { // far before the first, which stays
			screen = s.press("[")
		}
		s.wants(screen, "CULPRIT", "moment 1 of ")
		time.Sleep(30 * time.Second)
		s.wants(s.settle(), "CULPRIT", "moment 1 of ")
		s.wants(s.press("]"), "CULPRIT", "moment 2 of ")
		s.lacks(s.press("end"), "moment ")
		s.wants(s.press("["), "moment ")
		s.lacks(s.press("]", "]", "]"), "moment ")
		s.lacks(s.press("]"), "moment ")
		s.quit("q")
	})
}
