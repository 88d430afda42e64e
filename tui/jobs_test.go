package tui

import (
	"context"
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
