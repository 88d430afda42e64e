package tui

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

func TestJobList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(_ context.Context, _ int, ask diagnose.Ask) (*diagnose.Observation, error) {
			list := jobList()
			if ask.Job == "" {
				return list, nil
			}
			time.Sleep(time.Second)
			obs := healthy()
			obs.Snapshot.Job.ID, obs.Report.Job.ID, obs.Jobs = ask.Job, ask.Job, list.Jobs
			obs.Snapshot.Job.Name = "clicks-to-iceberg"
			return obs, nil
		}
		s := play(t, monitor, 100, 24)
		s.wants(s.settle(), "5 jobs", "❯ lab-orders", "◆ critical")                  // the worst first
		s.wants(s.press("j", "j", "enter"), "clicks-to-iceberg  opening", "HEALTHY") // the verdict that the list has
		time.Sleep(2 * time.Second)
		s.wants(s.settle(), "clicks-to-iceberg  RUNNING", "HEALTHY", "✓ fine")
		s.wants(s.press("esc"), "5 jobs", "❯ clicks-to-iceberg")
		if asks := monitor.asks(); asks[len(asks)-1].Job != "" {
			t.Errorf("asked for job %q on the list", asks[len(asks)-1].Job)
		}
		s.quit("q")
	})
}

// fleetOf is a list of n jobs, seen at a glance, of which the last is slow.
func fleetOf(n int) *diagnose.Observation {
	obs := &diagnose.Observation{At: start, Snapshot: &flinkapi.Snapshot{At: start}}
	for i := range n {
		glance := diagnose.Glance{
			Sight: diagnose.SightCalm, At: start.Add(-4 * time.Second), Span: 10 * time.Second,
			Text: "no instance is held back",
		}
		if i == n-1 {
			glance.Sight, glance.Text = diagnose.SightLikely, "busy 99 % on average"
			glance.Likely = diagnose.VertexRef{ID: vertexID(2), Name: "enrich"}
		}
		obs.Jobs = append(obs.Jobs, diagnose.JobLine{
			Job: flinkapi.JobSummary{
				ID: flinkapi.JobID(fmt.Sprintf("%032x", i)), Name: fmt.Sprintf("job-%03d", i),
				State: flinkapi.JobRunning, StartedAt: start.Add(-time.Duration(i+1) * time.Hour),
			},
			Glance: &glance,
			Lag:    diagnose.Lag{Records: flinkapi.Known(float64(i * 1000)), Trend: i%3 - 1, At: start},
		})
	}
	return obs
}

// The job under the cursor vanishes: its line stays under the cursor, says so, and opens nothing.
func TestJobVanishesUnderTheCursor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var gone atomic.Bool
		monitor := always(t, nil)
		monitor.step = func(context.Context, int, diagnose.Ask) (*diagnose.Observation, error) {
			obs := fleetOf(5)
			if gone.Load() {
				obs.Jobs = slices.Delete(obs.Jobs, 2, 3)
			}
			return obs, nil
		}
		s := play(t, monitor, 120, 24)
		s.settle()
		s.wants(s.press("down", "down", "down"), "❯ job-002", "≈▲ likely")
		gone.Store(true)
		time.Sleep(90 * time.Second)
		s.wants(s.settle(), "❯–job-002", "gone", "the cluster no longer lists it")
		s.wants(s.press("enter"), "this job is gone", "❯–job-002")
		s.wants(s.press("down"), "❯ job-003")
		s.lacks(s.settle(), "job-002")
		for _, ask := range monitor.asks() {
			if ask.Job != "" {
				t.Errorf("asked for job %s", ask.Job)
			}
		}
		s.quit("q")
	})
}

func TestSortsAndSearchesAFleet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, func() *diagnose.Observation { return fleetOf(300) })
		s := play(t, monitor, 120, 24)
		s.wants(s.settle(), "300 jobs", "❯ job-299", "enrich, busy 99 % on average", "1 to 16 of 300", "verdict▼")
		s.wants(s.press("s"), "job▼ 1 to 16 of 300", "❯ job-000", "≈· none held back")
		s.wants(s.press("S"), "job▲", "❯ job-299")
		s.wants(s.press("s", "s"), "lag▼", "❯ job-299")
		s.wants(s.press("s", "end"), "started▼", "❯ job-299", "285 to 300 of 300")
		asks := monitor.asks()
		time.Sleep(3 * time.Second)
		asks = monitor.asks()[len(asks):]
		seen := asks[len(asks)-1]
		if !seen.Fleet || len(seen.Visible) != 16 || seen.Visible[15] != flinkapi.JobID(fmt.Sprintf("%032x", 299)) {
			t.Errorf("asked for %d jobs in sight, fleet %v", len(seen.Visible), seen.Fleet)
		}
		s.wants(s.press("/", "1", "2", "7"), "❯ job-127")
		s.lacks(s.press("enter"), "job-299", "job-128")
		s.quit("q")
	})
}

// The only job has failed: the screen opens it by itself, and shows the one that takes its place.
func TestOnlyJobIsOpenedThoughItIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(_ context.Context, n int, ask diagnose.Ask) (*diagnose.Observation, error) {
			obs := slowSink()
			obs.Snapshot.Job.ID, obs.Report.Job.ID = "new", "new"
			over := diagnose.JobLine{Job: flinkapi.JobSummary{ID: "old", Name: "orders-v1", State: flinkapi.JobFailed}}
			obs.Jobs = []diagnose.JobLine{over, {
				Job: flinkapi.JobSummary{ID: "new", Name: "orders-v2", State: flinkapi.JobRunning}, Report: obs.Report,
			}}
			if n <= 5 {
				obs = healthy()
				obs.Jobs = []diagnose.JobLine{over}
				obs.Snapshot.Job.ID, obs.Report.Job.ID = "old", "old"
				obs.Snapshot.Job.Name, obs.Snapshot.Job.State = "orders-v1", flinkapi.JobFailed
			}
			if n <= 5 && ask.Job != "old" { // by itself the monitor looks into running jobs
				obs.Snapshot.Job, obs.Report = nil, nil
			}
			return obs, nil
		}
		s := play(t, monitor, 100, 30)
		s.wants(s.settle(), "OPENING  orders-v1")
		time.Sleep(2 * time.Second)
		s.wants(s.settle(), "orders-v1  FAILED")
		time.Sleep(10 * time.Second)
		s.wants(s.settle(), "lab-orders  RUNNING", "CULPRIT  jdbc-upsert")
		s.quit("q")
	})
}

// The list keeps its order while one looks: a job between two restarts stays where it was, and those that are
// alike go by name, then by id, however the cluster lists them.
func TestJobsKeepTheirPlaces(t *testing.T) {
	obs := fleetOf(5) // the last one is slow
	names := []string{"b", "a", "loop", "a", "slow"}
	for i := range obs.Jobs {
		obs.Jobs[i].Job.Name = names[i]
	}
	loop := obs.Jobs[2].Glance
	loop.Sight = diagnose.SightRestarted
	order := func() (out []flinkapi.JobID) {
		for _, j := range (&jobsPane{}).shown(&scene{obs: obs}) {
			out = append(out, j.Job.ID)
		}
		return out
	}
	var want []flinkapi.JobID
	for _, i := range []int{2, 4, 1, 3, 0} {
		want = append(want, obs.Jobs[i].Job.ID)
	}
	for _, state := range []flinkapi.JobState{flinkapi.JobRestarting, flinkapi.JobRunning} {
		i := slices.IndexFunc(obs.Jobs, func(j diagnose.JobLine) bool { return j.Glance == loop })
		obs.Jobs[i].Job.State = state
		if got := order(); !slices.Equal(got, want) {
			t.Errorf("%s: the order is %v, want %v", state, got, want)
		}
		slices.Reverse(obs.Jobs)
	}
}

// Of names that begin alike the ends stay in sight.
func TestLongJobNamesKeepTheirEnds(t *testing.T) {
	obs := fleetOf(2)
	obs.Jobs[0].Job.Name, obs.Jobs[1].Job.Name = "customer-orders-enrichment-europe", "customer-orders-enrichment-asia"
	frame := mounted(t, obs, 40, 15, plainLook()).View()
	has(t, frame, "-europe ", "t-asia ")
}
