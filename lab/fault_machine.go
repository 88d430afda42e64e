package lab

import (
	"context"
	"errors"
	"time"

	"culprit/lab/cluster"
)

// stutterer is the TaskManager that stutter slows down.
const (
	stutterer       = "tm-2"
	stuttererNumber = 2
)

// stutter lets a TaskManager run only 40 ms of every 100, as a host does that others share. A stop must stay
// short: while a TaskManager is silent, the metrics of all of them stand still.
func stutter(ctx context.Context, c *cluster.Cluster) error {
	const stop, run = 60 * time.Millisecond, 40 * time.Millisecond
	for {
		if err := c.StopTM(stuttererNumber); err != nil {
			return err
		}
		stopped := Sleep(ctx, stop)
		if err := errors.Join(stopped, c.ContTM(stuttererNumber)); err != nil {
			return err
		}
		if err := Sleep(ctx, run); err != nil {
			return err
		}
	}
}

// loseTaskManager kills one of two TaskManagers while the job runs; nothing takes its place.
func loseTaskManager(ctx context.Context, c *cluster.Cluster) error {
	if err := Sleep(ctx, unwatched/2); err != nil {
		return err
	}
	return c.KillTM(stuttererNumber)
}

// doubleParallelism gives a vertex of the only job twice as many subtasks, a minute after the job's check
// began, as someone does who takes it for too few. It needs the adaptive scheduler.
func doubleParallelism(vertex string) func(ctx context.Context, c *cluster.Cluster) error {
	return func(ctx context.Context, c *cluster.Cluster) error {
		if err := Sleep(ctx, unwatched+time.Minute); err != nil {
			return err
		}
		return c.Rescale(ctx, vertex, 2)
	}
}
