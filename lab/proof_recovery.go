package lab

import (
	"context"
	"fmt"
	"time"
)

// checkpointsFail proves that of the last checkpoints, three at least, none completed.
func checkpointsFail(ctx context.Context, e Evidence) (bool, string, error) {
	all, err := e.checkpoints(ctx)
	failed := 0
	for _, c := range all {
		if c.Status == "FAILED" {
			failed++
		}
	}
	seen := fmt.Sprintf("%d of %d checkpoints failed", failed, len(all))
	return len(all) >= 3 && failed >= len(all)-1, seen, err
}

// checkpointWaits proves that a checkpoint has been under way for over 30 s and waits for one subtask.
func checkpointWaits(ctx context.Context, e Evidence) (bool, string, error) {
	all, err := e.checkpoints(ctx)
	if err != nil || len(all) == 0 {
		return false, "no checkpoint", err
	}
	newest := all[0]
	age := time.Since(time.UnixMilli(newest.Triggered))
	ok := newest.Status == "IN_PROGRESS" && newest.Subtasks-newest.Acked == 1 && age > 30*time.Second
	return ok, fmt.Sprintf("checkpoint %d is %s after %.3g s, %d of %d subtasks acknowledged",
		newest.ID, newest.Status, age.Seconds(), newest.Acked, newest.Subtasks), nil
}

// stateGrows proves that the state of the completed checkpoints grew from each to the next over at least this
// time.
func stateGrows(span time.Duration) Proof {
	return func(ctx context.Context, e Evidence) (bool, string, error) {
		all, err := e.checkpoints(ctx)
		var done []checkpoint
		for _, c := range all {
			if c.Status == "COMPLETED" {
				done = append(done, c)
			}
		}
		if err != nil || len(done) < 2 {
			return false, fmt.Sprintf("%d completed checkpoints", len(done)), err
		}
		newest, oldest := done[0], done[len(done)-1]
		over := time.Duration(newest.Triggered-oldest.Triggered) * time.Millisecond
		ok := over >= span
		for i := range done[1:] {
			ok = ok && done[i].Size > done[i+1].Size
		}
		return ok, fmt.Sprintf("state %d bytes, then %d bytes in %.3g s",
			oldest.Size, newest.Size, over.Seconds()), nil
	}
}

// completesLate proves that of the checkpoints that Flink still knows each began at least this time after all
// subtasks had acknowledged the one before, though the interval of 10 s was over.
func completesLate(least time.Duration) Proof {
	return func(ctx context.Context, e Evidence) (bool, string, error) {
		all, err := e.checkpoints(ctx)
		if err != nil || len(all) < 3 {
			return false, fmt.Sprintf("%d checkpoints", len(all)), err
		}
		shortest := time.Hour
		for i := range all[1:] {
			late := time.Duration(all[i].Triggered-all[i+1].LastAck) * time.Millisecond
			shortest = min(shortest, late)
		}
		return shortest >= least,
			fmt.Sprintf("%d checkpoints, each begun %.3g s and more after the last acknowledgement of the one before",
				len(all), shortest.Seconds()), nil
	}
}
