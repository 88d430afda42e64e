package tui

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// A visit that was too short for a firm verdict takes no warning back, and a firm one does until a newer
// glance warns.
func TestAShortVisitTakesNothingBack(t *testing.T) {
	near := diagnose.Glance{Sight: diagnose.SightOpen, At: start.Add(-10 * time.Second), Text: "near its limit"}
	lags := diagnose.Glance{Sight: diagnose.SightLag, At: start, Text: "lag grows by 130 records/s"}
	for _, c := range []struct {
		name   string
		firm   bool
		glance diagnose.Glance
		want   string
	}{
		{"a short visit", false, near, "≈? open it"},
		{"a long visit", true, near, "✓ ok"},
		{"a newer warning", true, lags, "≈▲ lag grows"},
	} {
		obs := jobList()
		rep := *healthy().Report
		rep.Firm = c.firm
		obs.Jobs[1].Report, obs.Jobs[1].At, obs.Jobs[1].Glance = &rep, start.Add(-5*time.Second), &c.glance
		frame := mounted(t, obs, 120, 36, plainLook()).View()
		for row := range strings.Lines(frame) {
			if strings.Contains(row, "clicks-to-iceberg") && !strings.Contains(row, c.want) {
				t.Errorf("%s: no %q in %s", c.name, c.want, row)
			}
		}
	}
}

// A lag that was not read for long has its age and no direction.
func TestAnOldLagHasItsAge(t *testing.T) {
	obs := fleetOf(3)
	for i := range obs.Jobs {
		obs.Jobs[i].Lag = diagnose.Lag{Records: flinkapi.Known(101_000), Trend: 1, At: start.Add(-5 * time.Second)}
	}
	obs.Jobs[1].Lag.At = start.Add(-15 * time.Minute)
	frame := mounted(t, obs, 120, 24, plainLook()).View()
	has(t, frame, "101 k 15m")
	if n := strings.Count(frame, "101 k ▲"); n != 2 {
		t.Errorf("%d of 2 fresh lags grow:\n%s", n, frame)
	}
}

// The cursor stays on the job that was searched for and opened, whatever the list is sorted by when one comes
// back.
func TestTheCursorStaysOnTheJobThatWasOpened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(_ context.Context, _ int, ask diagnose.Ask) (*diagnose.Observation, error) {
			obs := fleetOf(12)
			if ask.Job != "" {
				one := healthy()
				one.Snapshot.Job.ID, one.Report.Job.ID, one.Jobs = ask.Job, ask.Job, obs.Jobs
				return one, nil
			}
			return obs, nil
		}
		s := play(t, monitor, 120, 24)
		s.wants(s.settle(), "❯ job-011")
		s.wants(s.press("/", "0", "0", "7", "enter"), "❯ job-007")
		s.wants(s.press("esc"), "❯ job-007", "job-011")
		s.wants(s.press("enter"), "HEALTHY")
		s.wants(s.settle(), "HEALTHY")
		s.press("esc")
		s.wants(s.settle(), "❯ job-007", "job-011")
		s.quit("q")
	})
}

// The chain of a vertex looks the same wherever the list names it.
func TestTheListDrawsOneKindOfArrow(t *testing.T) {
	obs := fleetOf(2)
	obs.Jobs[0].Glance.Text = "near its limit: normalize -> geocode is busy 86 % on average"
	obs.Jobs[1].Glance.Likely.Name = "normalize -> geocode"
	frame := mounted(t, obs, 200, 24, plainLook()).View()
	if strings.Contains(frame, "->") || strings.Count(frame, "normalize → geocode") < 2 {
		t.Errorf("the list is\n%s", frame)
	}
}

// One that has held the job back for long is grave because of that, and the list and the card say so alike.
func TestAChronicCulpritSaysForHowLong(t *testing.T) {
	rep := *slowSink().Report
	rep.Culprits = append([]diagnose.Culprit(nil), rep.Culprits...)
	rep.Culprits[0].Pattern, rep.Culprits[0].Since = diagnose.Chronic, rep.DataAt().Add(-12*time.Minute)
	list, one := jobList(), slowSink()
	list.Jobs[0].Report, one.Report = &rep, &rep
	has(t, mounted(t, list, 120, 36, plainLook()).View(), "chronic: for 12 min")
	has(t, mounted(t, one, 160, 36, plainLook()).View(), "chronic: for 12 min")
}
