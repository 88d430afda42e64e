package flinkapi

import "time"

// Checkpoints sums up the job's checkpoints (/jobs/:jobid/checkpoints and /config).
type Checkpoints struct {
	Read      time.Time
	Enabled   bool
	Interval  time.Duration
	Timeout   time.Duration
	Unaligned bool
	// Configured tells whether the configuration was read; without it Interval to Backend mean nothing.
	Configured  bool
	ExactlyOnce bool
	// MinPause is the least time between two checkpoints; MaxConcurrent how many may run at once.
	MinPause      time.Duration
	MaxConcurrent int
	// AlignedTimeout is after how long an aligned checkpoint turns unaligned; 0 is at once, where Unaligned.
	AlignedTimeout time.Duration
	// TolerableFailures is how many failures in a row the job survives; missing when unknown.
	TolerableFailures Value
	// Backend is the state backend and Storage the checkpoint storage, as Flink names them; empty when unknown.
	Backend   string
	Storage   string
	Changelog bool
	Completed int
	Failed    int
	Running   int
	// History is newest first, as long as web.checkpoints.history.
	History []Checkpoint
}

// The states of a checkpoint (org.apache.flink.runtime.checkpoint.CheckpointStatsStatus).
const (
	CheckpointInProgress = "IN_PROGRESS"
	CheckpointCompleted  = "COMPLETED"
	CheckpointFailed     = "FAILED"
)

// Checkpoint is one entry of the checkpoint history.
type Checkpoint struct {
	ID          int64
	Status      string // CheckpointInProgress, CheckpointCompleted or CheckpointFailed
	Savepoint   bool
	Unaligned   bool // of the kind UNALIGNED_CHECKPOINT (1.18+)
	TriggeredAt time.Time
	// AckedAt is when the newest subtask acknowledged; zero before the first.
	AckedAt  time.Time
	Duration time.Duration // end to end; of a running one, so far
	// StateBytes is the size of the whole state, CheckpointedBytes what this checkpoint wrote (1.15+).
	StateBytes        Value
	CheckpointedBytes Value
	// ProcessedBytes were taken in during alignment, PersistedBytes are in-flight data that it holds.
	ProcessedBytes Value
	PersistedBytes Value
	Subtasks       int
	Acked          int
	FailedAt       time.Time
	Failure        string
	// Vertices has one entry per vertex (/checkpoints/details/:id), as of when it was read; nil before.
	Vertices []CheckpointVertex
}

// CheckpointVertex is a vertex's part in a checkpoint.
type CheckpointVertex struct {
	Vertex VertexID
	// Duration is from the trigger to the last acknowledgement of the vertex.
	Duration          time.Duration
	StateBytes        Value
	CheckpointedBytes Value
	ProcessedBytes    Value
	PersistedBytes    Value
	Subtasks          int
	Acked             int
	// Parts has one entry per subtask (/checkpoints/details/:id/subtasks/:vertexid); nil until it was read.
	Parts []CheckpointPart
}

// CheckpointPart is a subtask's part in a checkpoint. The durations follow one another: start delay,
// alignment, sync, async.
type CheckpointPart struct {
	Subtask int
	// Acked is false while the subtask has not acknowledged; then nothing else is known of it.
	Acked bool
	// StartDelay is from the trigger to the first barrier at the subtask.
	StartDelay time.Duration
	// Alignment is from the first to the last barrier.
	Alignment time.Duration
	// Sync blocks the task; Async does not.
	Sync  time.Duration
	Async time.Duration
	// Duration is from the trigger to the acknowledgement.
	Duration       time.Duration
	StateBytes     Value
	ProcessedBytes Value
	PersistedBytes Value
	Unaligned      bool
	Aborted        bool
}
