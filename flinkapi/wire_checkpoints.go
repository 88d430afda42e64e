package flinkapi

import "time"

// wireCheckpoints is /jobs/:jobid/checkpoints (…rest.messages.checkpoints.CheckpointingStatistics).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/#jobs-jobid-checkpoints
type wireCheckpoints struct {
	Counts *struct {
		Completed number `json:"completed"`
		Failed    number `json:"failed"`
		Running   number `json:"in_progress"`
	} `json:"counts"`
	History []wireCheckpoint `json:"history"`
}

func (w wireCheckpoints) recognised() bool { return w.Counts != nil }

type wireCheckpoint struct {
	ID             number `json:"id"`
	Status         text   `json:"status"`
	Savepoint      flag   `json:"is_savepoint"`
	Triggered      number `json:"trigger_timestamp"`
	Duration       number `json:"end_to_end_duration"`
	StateSize      number `json:"state_size"`
	Subtasks       number `json:"num_subtasks"`
	Acknowledged   number `json:"num_acknowledged_subtasks"`
	FailureMessage text   `json:"failure_message"`
}

// wireCheckpointConfig is /jobs/:jobid/checkpoints/config (…checkpoints.CheckpointConfigInfo).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/#jobs-jobid-checkpoints-config
type wireCheckpointConfig struct {
	Mode      text   `json:"mode"`
	Interval  number `json:"interval"` // ms; 9223372036854775807 when checkpointing is off
	Timeout   number `json:"timeout"`
	Unaligned flag   `json:"unaligned_checkpoints"`
}

func (w wireCheckpointConfig) recognised() bool { return w.Mode != "" || w.Interval.IsKnown() }

// checkpoints joins statistics and configuration; the latter may not have been read yet.
func (w wireCheckpoints) checkpoints(config *wireCheckpointConfig, read time.Time) *Checkpoints {
	c := &Checkpoints{
		Read: read, Completed: w.Counts.Completed.count(0),
		Failed: w.Counts.Failed.count(0), Running: w.Counts.Running.count(0),
		History: make([]Checkpoint, 0, len(w.History)),
	}
	for _, h := range w.History {
		c.History = append(c.History, h.checkpoint())
	}
	if config != nil {
		c.Interval, c.Timeout = config.Interval.duration(), config.Timeout.duration()
		c.Unaligned = config.Unaligned == flagTrue
	}
	c.Enabled = c.Interval > 0 || len(c.History) > 0 || c.Completed+c.Failed+c.Running > 0
	return c
}

func (w wireCheckpoint) checkpoint() Checkpoint {
	return Checkpoint{
		ID: int64(w.ID.Or(0)), Status: w.Status.state(), Savepoint: w.Savepoint == flagTrue,
		TriggeredAt: w.Triggered.instant(), Duration: w.Duration.duration(), StateBytes: w.StateSize.nonNegative(),
		Subtasks: w.Subtasks.count(0), Acked: w.Acknowledged.count(0),
		Failure: rootCause(string(w.FailureMessage)),
	}
}
