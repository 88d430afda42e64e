package tui

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// What does not change is not written: no byte for a key that does nothing, little for an age that moves, and
// no more for new numbers than the rows that hold them.
func TestBytesForTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, slowSink)
		monitor.pause = 100 * time.Second
		s := play(t, monitor, 120, 36)
		s.settle()
		before := len(s.raw.String())
		s.press("é", "é", "é")
		if n := len(s.raw.String()) - before; n != 0 {
			t.Errorf("%d bytes for keys that do nothing", n)
		}
		before = len(s.raw.String())
		time.Sleep(time.Minute)
		s.settle()
		each := (len(s.raw.String()) - before) / 60
		t.Logf("%d bytes a second while only the ages move", each)
		if each > 400 {
			t.Errorf("%d bytes a second while only the ages move, want 400 at most", each)
		}
		s.quit("q")
	})
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.pause = 10 * time.Second
		monitor.step = func(_ context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
			obs := slowSink()
			for i := range obs.Report.Vertices {
				v := &obs.Report.Vertices[i]
				v.RecordsIn = flinkapi.Known(float64(350 + n*(i+1)))
				v.Busy = flinkapi.Known(0.9 + float64(n%10)/100)
			}
			obs.At = start.Add(time.Duration(n) * 10 * time.Second)
			return obs, nil
		}
		s := play(t, monitor, 120, 36)
		s.settle()
		first := len(s.raw.String())
		const refreshes = 20
		time.Sleep(refreshes*10*time.Second - time.Second)
		s.settle()
		each := (len(s.raw.String()) - first) / refreshes
		t.Logf("%d bytes for the first screen of 120x36, %d for 10 s with a refresh", first, each)
		if each > 12_000 {
			t.Errorf("%d bytes for 10 s with a refresh, want 12,000 at most", each)
		}
		s.quit("q")
	})
}
