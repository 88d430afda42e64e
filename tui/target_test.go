package tui

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"culprit/diagnose"
)

// Another cluster is opened while the old one hangs: its step is given up, what it still says is dropped, and
// a cluster that cannot be opened leaves the one on the screen.
func TestSwitchesToAnotherCluster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cancelled := false
		old := always(t, nil)
		old.step = func(ctx context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
			if n < 3 {
				return slowSink(), nil
			}
			<-ctx.Done()
			cancelled = true
			time.Sleep(5 * time.Second) // it takes its time to give up
			return slowSink(), nil
		}
		other := always(t, healthy)
		targets := []Target{
			{Name: "here", URL: "http://jobmanager:8081"},
			{Name: "lost", URL: "http://lost:8081", Open: func() (Monitor, error) {
				return nil, errors.New("read the file for CULPRIT_TOKEN: no such file")
			}},
			{Name: "staging", URL: "http://staging:8081", Job: "lab-orders", Open: func() (Monitor, error) { return other, nil }},
		}
		s := playWith(t, Options{Monitor: old, Targets: targets}, 100, 30)
		time.Sleep(5 * time.Second)
		s.wants(s.press("C"), "❯ here", "on the screen", "http://staging:8081")
		s.wants(s.press("down", "enter"), "not opened: read the file for CULPRIT_TOKEN", "❯ lost")
		s.lacks(s.press("down"), "not opened")
		screen := s.press("enter")
		s.wants(screen, "HEALTHY", "http://staging:8081")
		s.lacks(screen, "CULPRIT")
		if !cancelled {
			t.Error("the step in flight was not given up")
		}
		time.Sleep(10 * time.Second)
		s.wants(s.settle(), "HEALTHY")
		if n := len(old.asks()); n != 3 {
			t.Errorf("the old cluster was asked %d times, 3 before the switch", n)
		}
		if asked := other.asks()[0].Name; asked != "lab-orders" {
			t.Errorf("the first step asked for the job %q, not the context's", asked)
		}
		if n := len(other.asks()); n < 4 || n > 7 {
			t.Errorf("the new cluster was asked %d times in 10 s", n)
		}
		s.quit("q")
	})
}
