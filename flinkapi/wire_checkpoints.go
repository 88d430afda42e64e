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

// wireCheckpoint is an entry of the history (…checkpoints.CheckpointStatistics). Before 1.15 its state_size
// is what the checkpoint wrote.
type wireCheckpoint struct {
	ID             number `json:"id"`
	Status         text   `json:"status"`
	Savepoint      flag   `json:"is_savepoint"`
	Kind           text   `json:"checkpoint_type"`
	Triggered      number `json:"trigger_timestamp"`
	FailedAt       number `json:"failure_timestamp"`
	FailureMessage text   `json:"failure_message"`
	wireCheckpointSums
}

// wireCheckpointSums is what a checkpoint and each vertex's part in it tell alike. alignment_buffered, which
// is always 0, is left out.
type wireCheckpointSums struct {
	Acked            number `json:"latest_ack_timestamp"` // -1 before the first
	Duration         number `json:"end_to_end_duration"`
	StateSize        number `json:"state_size"`
	CheckpointedSize number `json:"checkpointed_size"` // 1.15+
	Processed        number `json:"processed_data"`
	Persisted        number `json:"persisted_data"`
	Subtasks         number `json:"num_subtasks"`
	Acknowledged     number `json:"num_acknowledged_subtasks"`
}

// wireCheckpointConfig is /jobs/:jobid/checkpoints/config (…checkpoints.CheckpointConfigInfo).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/#jobs-jobid-checkpoints-config
type wireCheckpointConfig struct {
	Mode              text   `json:"mode"`
	Interval          number `json:"interval"` // ms; 9223372036854775807 when checkpointing is off
	Timeout           number `json:"timeout"`
	MinPause          number `json:"min_pause"`
	MaxConcurrent     number `json:"max_concurrent"`
	Unaligned         flag   `json:"unaligned_checkpoints"`
	AlignedTimeout    number `json:"aligned_checkpoint_timeout"`   // 1.14+
	TolerableFailures number `json:"tolerable_failed_checkpoints"` // -1 for any number
	Backend           text   `json:"state_backend"`
	Storage           text   `json:"checkpoint_storage"`
	Changelog         flag   `json:"state_changelog_enabled"` // 1.16+
}

func (w wireCheckpointConfig) recognised() bool { return w.Mode != "" || w.Interval.IsKnown() }

// checkpoints joins statistics and configuration; the latter may not have been read yet. now is the
// JobManager's time of that read.
func (w wireCheckpoints) checkpoints(config *wireCheckpointConfig, read, now time.Time) *Checkpoints {
	c := &Checkpoints{
		Read: read, Completed: w.Counts.Completed.count(0),
		Failed: w.Counts.Failed.count(0), Running: w.Counts.Running.count(0),
		History: make([]Checkpoint, 0, len(w.History)),
	}
	for _, h := range w.History {
		c.History = append(c.History, h.checkpoint(now))
	}
	if config != nil {
		config.describe(c)
	}
	c.Enabled = c.Interval > 0 || len(c.History) > 0 || c.Completed+c.Failed+c.Running > 0
	return c
}

func (w wireCheckpointConfig) describe(c *Checkpoints) {
	c.Configured = true
	c.ExactlyOnce = w.Mode.state() == "EXACTLY_ONCE"
	c.Interval, c.Timeout, c.MinPause = w.Interval.duration(), w.Timeout.duration(), w.MinPause.duration()
	c.MaxConcurrent = max(w.MaxConcurrent.count(0), 0)
	c.Unaligned, c.AlignedTimeout = w.Unaligned == flagTrue, w.AlignedTimeout.duration()
	c.TolerableFailures = w.TolerableFailures.nonNegative()
	c.Backend, c.Storage = w.Backend.line(), w.Storage.line()
	c.Changelog = w.Changelog == flagTrue
}

// checkpoint describes one entry. What a running one has taken so far is told from now, as Flink counts up to
// the newest acknowledgement.
func (w wireCheckpoint) checkpoint(now time.Time) Checkpoint {
	c := Checkpoint{
		ID: int64(w.ID.Or(0)), Status: w.Status.state(), Savepoint: w.Savepoint == flagTrue,
		Unaligned:   w.Kind.state() == "UNALIGNED_CHECKPOINT",
		TriggeredAt: w.Triggered.instant(), AckedAt: w.Acked.instant(), Duration: w.Duration.duration(),
		StateBytes: w.StateSize.nonNegative(), CheckpointedBytes: w.CheckpointedSize.nonNegative(),
		ProcessedBytes: w.Processed.nonNegative(), PersistedBytes: w.Persisted.nonNegative(),
		Subtasks: w.Subtasks.count(0), Acked: w.Acknowledged.count(0),
		FailedAt: w.FailedAt.instant(), Failure: rootCause(string(w.FailureMessage)),
	}
	if c.Status == CheckpointInProgress && !c.TriggeredAt.IsZero() {
		c.Duration = max(c.Duration, now.Sub(c.TriggeredAt))
	}
	return c
}
