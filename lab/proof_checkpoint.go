package lab

import (
	"context"
	"fmt"
	"time"
)

// checkpointPart is what of a completed checkpoint may be slow.
type checkpointPart string

const (
	waits    checkpointPart = "start delay and alignment"
	syncing  checkpointPart = "synchronous part"
	asyncing checkpointPart = "asynchronous part"
)

// subtaskCheckpoint is one subtask's part in a checkpoint, in ms.
type subtaskCheckpoint struct {
	Status     string `json:"status"`
	StartDelay int64  `json:"start_delay"`
	Checkpoint struct {
		Sync  int64 `json:"sync"`
		Async int64 `json:"async"`
	} `json:"checkpoint"`
	Alignment struct {
		Duration int64 `json:"duration"`
	} `json:"alignment"`
}

func (s subtaskCheckpoint) took(part checkpointPart) time.Duration {
	ms := map[checkpointPart]int64{
		waits: s.StartDelay + s.Alignment.Duration, syncing: s.Checkpoint.Sync, asyncing: s.Checkpoint.Async,
	}
	return time.Duration(ms[part]) * time.Millisecond
}

// checkpoint is one of a job's checkpoints; times are ms, the first two since the epoch.
type checkpoint struct {
	ID        int64  `json:"id"`
	Status    string `json:"status"`
	Triggered int64  `json:"trigger_timestamp"`
	LastAck   int64  `json:"latest_ack_timestamp"`
	Took      int64  `json:"end_to_end_duration"`
	Size      int64  `json:"state_size"` // bytes
	Acked     int    `json:"num_acknowledged_subtasks"`
	Subtasks  int    `json:"num_subtasks"`
}

// checkpoints lists those that Flink still knows, newest first.
func (e Evidence) checkpoints(ctx context.Context) ([]checkpoint, error) {
	var answer struct {
		History []checkpoint `json:"history"`
	}
	err := e.Client.Get(ctx, "/jobs/"+string(e.Job)+"/checkpoints", &answer)
	return answer.History, err
}

// history lists the completed checkpoints, newest first.
func (e Evidence) history(ctx context.Context) (ids []int64, took []time.Duration, err error) {
	all, err := e.checkpoints(ctx)
	for _, c := range all {
		if c.Status == "COMPLETED" {
			ids = append(ids, c.ID)
			took = append(took, time.Duration(c.Took)*time.Millisecond)
		}
	}
	return ids, took, err
}

// checkpointTakes proves how long the part of the last completed checkpoint takes at a vertex, the slowest
// subtask.
func checkpointTakes(vertex string, part checkpointPart, want func(float64) bool) Proof {
	return func(ctx context.Context, e Evidence) (bool, string, error) {
		ids, _, err := e.history(ctx)
		if err != nil || len(ids) == 0 {
			return false, "no completed checkpoint", err
		}
		v, _, err := e.vertex(vertex)
		if err != nil {
			return false, "", err
		}
		var answer struct {
			Subtasks []subtaskCheckpoint `json:"subtasks"`
		}
		path := fmt.Sprintf("/jobs/%s/checkpoints/details/%d/subtasks/%s", e.Job, ids[0], v.ID)
		if err := e.Client.Get(ctx, path, &answer); err != nil {
			return false, "", err
		}
		var longest time.Duration
		for _, s := range answer.Subtasks {
			longest = max(longest, s.took(part))
		}
		return want(longest.Seconds()), fmt.Sprintf("%s at %s %.3g s", part, vertex, longest.Seconds()), nil
	}
}

// checkpointsClimb proves that the newer half of the last completed checkpoints took a quarter longer than
// the older half.
func checkpointsClimb(ctx context.Context, e Evidence) (bool, string, error) {
	_, took, err := e.history(ctx)
	if err != nil || len(took) < 6 {
		return false, fmt.Sprintf("%d completed checkpoints", len(took)), err
	}
	newer, older := mean(took[:len(took)/2]), mean(took[len(took)/2:])
	seen := fmt.Sprintf("checkpoints took %.3g s, then %.3g s on average", older.Seconds(), newer.Seconds())
	return newer > older*5/4, seen, nil
}

func mean(durations []time.Duration) time.Duration {
	sum := time.Duration(0)
	for _, d := range durations {
		sum += d
	}
	return sum / time.Duration(len(durations))
}
