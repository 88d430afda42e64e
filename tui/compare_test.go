package tui

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// fixedAt is a monitor of a job whose sink is slow until a moment, and then takes in three times as much.
func fixedAt(t *testing.T, moment time.Time) *actor {
	step := func(_ context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
		now := flinkapi.WallClock()
		obs, factor := slowSink(), 1.0
		if now.After(moment) {
			obs, factor = healthy(), 3
		}
		obs.At = now
		obs.Report.Firm = true
		obs.Snapshot.Job.MetricRound, obs.Snapshot.Job.EnteredAt = n, nil // it is of another time than this test
		for i := range obs.Report.Vertices {
			v := &obs.Report.Vertices[i]
			v.RecordsIn, v.RecordsOut = flinkapi.Known(400*factor), flinkapi.Known(400*factor)
		}
		for i := range obs.Report.Culprits {
			obs.Report.Culprits[i].Confidence = diagnose.Firm
		}
		return obs, nil
	}
	return &actor{t: t, pause: 2 * time.Second, step: step}
}

// A moment is marked, something is done, and the screen says whether it has helped; before that, that it
// cannot tell yet.
func TestComparesWithTheMark(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, fixedAt(t, flinkapi.WallClock().Add(2*time.Minute)), 80, 24)
		s.wants(s.press("b"), "no moment is marked", "m marks the one on the screen")
		s.press("b")
		s.wants(s.press("m"), "marked", "but the time before it tells too little; b says why")
		time.Sleep(110 * time.Second)
		s.wants(s.press("m"), "marked", "b compares what comes after it with before")
		s.wants(s.press("b"), "before and after", "cannot tell yet, because nothing was seen")
		time.Sleep(6 * time.Second)
		s.wants(s.settle(), "cannot tell yet, because only")
		time.Sleep(3 * time.Minute)
		s.wants(s.settle(), "the fix helped: sink records 400 /s to 1.2 k/s", "no longer holds the job back",
			"sinks, in", "3 times", "nobody")
		s.quit("q")
	})
}

// The comparison fills its rectangle at every size, whatever the job is called.
func TestComparisonIsDrawnInEverySize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, fixedAt(t, flinkapi.WallClock().Add(2*time.Minute)), 120, 36)
		time.Sleep(2 * time.Minute)
		s.press("m")
		time.Sleep(2 * time.Minute)
		s.press("b")
		for w := 20; w <= 200; w += 9 {
			s.within(func(m *app) {
				sc := m.scene()
				for i := range sc.comparison.Vertices {
					sc.comparison.Vertices[i].Vertex.Name = "\x1b[31m注文 🎉 " + sc.comparison.Vertices[i].Vertex.Name
				}
				r := Rect{W: w, H: 30}
				rows := newText(compareText, nil).Draw(sc, r, m.theme)
				if len(rows) != r.H {
					t.Fatalf("%d rows in %d", len(rows), r.H)
				}
				for _, row := range rows {
					if ansi.StringWidth(row) != w || strings.Contains(row, "\x1b[31m") {
						t.Fatalf("a row of %d cells in %d: %q", ansi.StringWidth(row), w, row)
					}
				}
			})
		}
		s.quit("q")
	})
}
