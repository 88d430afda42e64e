package lab

import (
	"context"
	"fmt"
	"time"

	"culprit/lab/cluster"
)

// newborn checks again and again while the job is young. Flink then reports every subtask as busy all the
// time, victims and starved sinks too, so nobody may be named; and nobody may be named firmly in the whole
// 25 s.
func (f *faults) newborn(ctx context.Context) (Result, error) {
	result := Result{Expected: "nobody named while all gauges say busy 100 %, nobody firm in 25 s", OK: true}
	const life, each = 25 * time.Second, 3 * time.Second
	// The JobManager fetches metrics when somebody asks. The first fetch shall come upon tasks that have just
	// begun to run: a TaskManager updates its gauges every 5 s, at a moment that does not depend on the job's
	// start, and the next fetch is 10 s later.
	if err := f.awaitTasks(ctx); err != nil {
		return result, err
	}
	if err := Sleep(ctx, 300*time.Millisecond); err != nil {
		return result, err
	}
	looks, busy, wrong := 0, 0, ""
	for end := time.Now().Add(life); time.Now().Before(end); looks++ {
		allBusy, err := f.allBusy(ctx)
		if err != nil {
			return result, err
		}
		if allBusy {
			busy++
		}
		verdict, err := f.verdict(ctx, each)
		if err != nil {
			return result, err
		}
		for _, a := range verdict.Named {
			if allBusy || a.Confidence == "firm" {
				result.OK, wrong = false, "; named "+verdict.String()
			}
		}
	}
	result.OK = result.OK && busy > 0
	result.Seen = fmt.Sprintf("all gauges at busy 100 %% in %d of %d looks%s", busy, looks, wrong)
	return result, nil
}

// awaitTasks waits until all tasks of the job run. It asks for nothing that makes the JobManager
// fetch metrics.
func (f *faults) awaitTasks(ctx context.Context) error {
	for {
		var list struct {
			Jobs []struct {
				ID    cluster.JobID  `json:"jid"`
				Tasks map[string]int `json:"tasks"`
			} `json:"jobs"`
		}
		if err := f.client.Get(ctx, "/jobs/overview", &list); err != nil {
			return err
		}
		for _, job := range list.Jobs {
			if job.ID == f.job && job.Tasks["total"] > 0 && job.Tasks["running"] == job.Tasks["total"] {
				return nil
			}
		}
		if err := Sleep(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
}

// allBusy tells whether the gauges of every subtask of every vertex say busy 100 %.
func (f *faults) allBusy(ctx context.Context) (bool, error) {
	look, err := f.client.Look(ctx, string(f.job))
	if err != nil {
		return false, err
	}
	for _, v := range look.Vertices {
		smallest, known, err := f.gauge(ctx, v.ID, "busyTimeMsPerSecond", "min")
		if err != nil || !known || smallest < 1000 {
			return false, err
		}
	}
	return len(look.Vertices) > 0, nil
}

// gauge reads one aggregate of a metric over the subtasks of a vertex.
func (f *faults) gauge(
	ctx context.Context, vertex, metric, aggregate string,
) (value float64, known bool, err error) {
	var found []map[string]any
	path := fmt.Sprintf("/jobs/%s/vertices/%s/subtasks/metrics?get=%s&agg=%s", f.job, vertex, metric, aggregate)
	if err := f.client.Get(ctx, path, &found); err != nil {
		return 0, false, err
	}
	if len(found) == 0 {
		return 0, false, nil
	}
	value, known = found[0][aggregate].(float64)
	return value, known, nil
}
