package flinkapi

import (
	"context"
	"time"
)

// Source hands out snapshots: of a live cluster, a simulated one or a recording.
type Source interface {
	// Next takes one look and never sleeps. It fails with an [*Error] when nothing of the focus could be read,
	// and with io.EOF at the end of a recording; lesser failures are Problems of the snapshot.
	Next(ctx context.Context, focus Focus) (*Snapshot, error)
	// Wait tells how long to leave the source alone before the next look: the interval, or longer after
	// failures.
	Wait() time.Duration
}

// Spender is a [Source] that tells what it has asked of the cluster where Next fails, too.
type Spender interface {
	Source
	// Spent holds the requests, the bytes and the time of decoding; the rate is that of snapshots alone.
	Spent() Cost
}

// Seeker is a [Source] with a beginning and an end: a recording.
type Seeker interface {
	Source
	// Len is how many looks the recording holds; Position is the look that Next gives next.
	Len() int
	Position() int
	// Seek makes ready for the look i, within the recording, with nothing known of what was before it.
	Seek(i int) error
	// Mark remembers the place and what is known there; Return goes back to it, or to that of another source of
	// the same recording.
	Mark() Mark
	Return(m Mark) error
	// Speed is how many times faster than it was recorded Wait lets the time pass.
	Speed() float64
	SetSpeed(times float64)
}

// Mark is a place in a recording.
type Mark interface {
	// Look is the look that Next gives next there.
	Look() int
}

// Focus says what is worth a dear call now. What it leaves out is unknown, not zero.
type Focus struct {
	// Job is the job to look into; empty asks for the list of jobs alone.
	Job JobID
	// Turn tells that the job is one of several that take turns, so that a recording may give another one.
	Turn bool
	// Fleet are jobs to glance at while Job is empty: one request each. Where it is not nil the list of jobs may
	// be some seconds old. Lags are jobs that were glanced at before or are now, whose sources are asked for
	// their lag too: one request for each of two sources, and one more for the names the first time. Of those
	// in FleetCheckpoints the checkpoints are read: one request, and one more the first time.
	Fleet, Lags, FleetCheckpoints []JobID
	// Vertices are those near the walk's frontier and the selected one: their metrics over the subtasks are
	// kept fresh.
	Vertices []VertexID
	// TaskManagers are those whose CPU, heap and garbage collection are kept fresh.
	TaskManagers []TaskManagerID
	// Sample are vertices whose task threads to sample: confirmed culprits alone, since a sample stops a JVM.
	Sample []VertexID
	// Checkpoint asks for the newest checkpoints vertex by vertex, and by subtask of the vertices in Vertices
	// and of those that acknowledged last.
	Checkpoint bool
	// Detail is the vertex whose subtasks are looked at one by one: their buffers, queues and watermarks are
	// read. Subtasks are those of them that go first where there are too many for one round.
	Detail   VertexID
	Subtasks []int
	// CheckpointHistory asks besides for the older checkpoints that Flink still tells of, as far as a round has
	// room for them.
	CheckpointHistory bool
	// Inspect is a checkpoint to read vertex by vertex at once, and a vertex of it to read by subtask.
	Inspect CheckpointRef
	// Refresh asks for everything now, whatever the cadence.
	Refresh bool
}
