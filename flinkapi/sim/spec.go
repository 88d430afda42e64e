package sim

import "time"

// Config describes a cluster. The zero value of each field has a sensible meaning; Jobs alone is enough.
type Config struct {
	// Version is the Flink version to speak, "1.20.5" (the default) or "2.3.0".
	Version string
	Jobs    []Job
	// TaskManagers in the order in which slots are handed out; none gives as many with four slots as the
	// jobs need.
	TaskManagers []TaskManager
	// Start is the moment at which the cluster starts; zero means 2026-01-01 00:00 UTC.
	Start time.Time
	// FetchInterval is metrics.fetcher.update-interval; 0 means Flink's default of 10 s.
	FetchInterval time.Duration
	// HeartbeatTimeout is how old a TaskManager's heartbeat grows before it is given up; 0 means Flink's 50
	// s.
	HeartbeatTimeout time.Duration
	// Prefix is a path before every endpoint, such as "/flink/orders", as proxies add it; empty for none.
	Prefix string
	// Step is the resolution of the model; 0 means 100 ms.
	Step time.Duration
	// Settings are further entries of /jobmanager/config.
	Settings map[string]string
}

// Job is one job of a cluster, started together with it.
type Job struct {
	Name string
	Graph
	// Batch makes job-type BATCH. Edges that are Blocking keep their receiver from starting before the
	// sender ends.
	Batch       bool
	Checkpoints Checkpoints
	// RocksDB keeps the state in RocksDB instead of on the heap.
	RocksDB bool
	// Restart is what happens after a failure; nil means that the first failure ends the job.
	Restart *Restart
	Changes []Change
	Faults  []Fault
	// Jitter is the relative spread of service times and of the supply, drawn anew each second from a fixed
	// sequence.
	Jitter float64
}

// Graph is the shape of a job. It must be acyclic.
type Graph struct {
	Vertices []Vertex
	Edges    []Edge
}

// Vertex is a chain of operators. One without an incoming edge is a source, one without an outgoing edge
// a sink.
type Vertex struct {
	// Name is Flink's name of the chain: its operators joined by " -> ".
	Name string
	// Parallelism is the number of subtasks; 0 means 1.
	Parallelism int
	// MaxParallelism is the number of key groups; 0 means Flink's default for the parallelism.
	MaxParallelism int
	// Service is what one subtask needs for one record when neither input nor room is lacking.
	Service time.Duration
	// Factors multiply Service per subtask, for hosts or keys that differ; those that are missing are 1.
	Factors []float64
	// CPU is the share of the busy time that burns CPU (0..1); during the rest the subtask waits for
	// something outside.
	CPU float64
	// Work is what it does while it is busy.
	Work Work
	// Selectivity is records out per record in; 0 means 1.
	Selectivity float64
	// RecordBytes is the size of a record that it emits; 0 means 100.
	RecordBytes float64
	// StateBytes is the size of the keyed state at the start, over all subtasks; StateGrowth is bytes per
	// record read.
	StateBytes, StateGrowth float64
	// TTL is how long what was added to the state stays, about; 0 is for ever.
	TTL time.Duration
	// SyncTime is how long the synchronous part of a checkpoint takes; 0 means 5 ms.
	SyncTime time.Duration
	// Source is the supply of a source; nil is an endless one that never waits.
	Source *Source
	// External says that the connector counts its traffic with the outside, as those of Kafka do: from 2.0
	// on such a source reads and such a sink writes at task scope too, while otherwise these counts are 0.
	External bool
	// Legacy makes a source a SourceFunction, whose busy time is NaN.
	Legacy bool
	// Late makes the last operator a window that drops this share of its records because they come late; nil
	// for one without event-time windows. What it drops is left out of account in the flow.
	Late *float64
	// Window, Timers and Rhythm are what it does beside handling one record after the other; nil for nothing.
	Window *Window
	Timers *Timers
	Rhythm *Rhythm
	// Holding makes a sink keep records until they are confirmed; nil for one that waits for each.
	Holding *Holding
	// Hangs says that its calls do not return: its tasks are busy, and no record goes on.
	Hangs bool
	// Metrics are further metrics of operator scope with a fixed value, such as "sessionize.late_records".
	Metrics map[string]float64
}

// Source is what a source reads from.
type Source struct {
	// Rate is the supply in records per second over all subtasks; 0 is endless.
	Rate float64
	// Shares split Rate over the partitions, of which subtask i reads i, i+p and so on, where p is the
	// parallelism; none splits it evenly.
	Shares []float64
	// Log keeps what was not read, as Kafka does, and gives the source a lag. Without it the supply is a
	// generator with a rate limit: what it could not emit was never made.
	Log bool
	// Lag is how many records the log holds unread at the start, over all subtasks.
	Lag float64
	// Limit is the most that the source reads per second over all subtasks (a rate limiter); 0 is no limit.
	Limit float64
	// Unsteady is the share of what it reads by which a slow broker falls short at most, another one every ten
	// seconds.
	Unsteady float64
	// Retention is how long the log keeps a record; 0 is for ever. What is older is lost to the source.
	Retention time.Duration
	// OutOfOrder is the bound of its watermark strategy; 0 means 5 s.
	OutOfOrder time.Duration
	// Idleness is how long a subtask without records holds the watermark; 0 is for ever.
	Idleness time.Duration
	// Group aligns its watermark with those of the other sources that name the same one, of which none may be
	// more than Drift ahead of the slowest; empty for none.
	Group string
	Drift time.Duration
	// Records bounds the source: it finishes after so many; 0 is unbounded.
	Records float64
}

// Ship is how an edge hands its records to the subtasks of the receiver, named as in Flink's plan.
type Ship string

// The ship strategies.
const (
	// Forward sends from subtask i to subtask i; both sides have the same parallelism.
	Forward Ship = "FORWARD"
	// Rebalance is round robin over all receivers, so that it waits for the slowest.
	Rebalance Ship = "REBALANCE"
	// Rescale is round robin over the receivers next to the sender.
	Rescale Ship = "RESCALE"
	// Hash sends to the owner of the record's key.
	Hash Ship = "HASH"
	// Broadcast sends every record to every receiver.
	Broadcast Ship = "BROADCAST"
)

// Edge is a stream between two vertices, given by their positions in Graph.Vertices.
type Edge struct {
	From, To int
	// Ship is the strategy; empty means Forward between equal parallelisms, else Rebalance.
	Ship Ship
	// Keys is the distribution of keys on a Hash edge; the zero value spreads them evenly over the key
	// groups.
	Keys Keys
	// Fraction is the share of the sender's records that goes here, for side outputs and filters; 0 means
	// 1.
	Fraction float64
	// Buffer is how many records wait at one receiving subtask at most; 0 means 1,000. It is raised where
	// it is less than four steps of the heaviest possible flow, since a step cannot move more than a buffer
	// holds.
	Buffer float64
	// Link is how many records a second the network carries, evenly to all receivers; 0 is no limit.
	Link float64
	// Blocking stores the whole result before the receiver starts (batch).
	Blocking bool
}

// Keys is a distribution of keys.
type Keys struct {
	// Hot are keys with a known share of the records each.
	Hot []Key
	// Distinct is the number of the other keys, which share the rest evenly; 0 is so many that all key
	// groups get alike.
	Distinct int
}

// Key is a key and the share of the records that carry it (0..1).
type Key struct {
	Name  string
	Share float64
}

// TaskManager is a worker. Subtask i of every vertex of a job runs in the job's slot i.
type TaskManager struct {
	// ID is the resource id, such as "tm-1".
	ID    string
	Host  string
	Slots int
	// Cores is the number of CPU cores that its tasks share; 0 means 4, and that they never want more.
	Cores int
	// Slowdown multiplies the service times of all its subtasks; 0 means 1.
	Slowdown float64
	// GC is the share of time that garbage collection stops the process (0..1); its subtasks are busy
	// meanwhile.
	GC float64
	// Upload is how fast its subtasks write their state, in bytes per second; 0 is as the job says.
	Upload float64
	// NetworkBytes is the memory for network buffers; 0 means a fifth of HeapBytes.
	NetworkBytes float64
	// HeapBytes is the size of the heap; 0 means 1 GiB. HeapUsed is the used share; 0 means 0.4.
	HeapBytes, HeapUsed float64
}

// Checkpoints is the checkpoint configuration of a job.
type Checkpoints struct {
	// Interval between triggers; 0 switches checkpointing off.
	Interval time.Duration
	// Timeout after which one expires; 0 means 10 min.
	Timeout time.Duration
	// MinPause between the end of one and the trigger of the next.
	MinPause time.Duration
	// Unaligned lets barriers overtake the records in the buffers.
	Unaligned bool
	// AlignedTimeout is how long after the trigger an unaligned one begins to overtake; 0 is at once.
	AlignedTimeout time.Duration
	// Completion is how long the JobManager takes for a checkpoint after its last acknowledgement.
	Completion time.Duration
	// Most is the largest state of a subtask that the storage takes, in bytes; 0 is no limit. A checkpoint
	// with a larger one fails.
	Most float64
	// Tolerable is how many failures in a row are tolerated before the job restarts.
	Tolerable int
	// UploadBytesPerSecond is how fast one subtask writes its state; 0 means 50 MB/s.
	UploadBytesPerSecond float64
	// Full persists the whole state each time; else only what changed since the last one.
	Full bool
}

// Restart is a restart strategy with a fixed delay.
type Restart struct {
	// Delay between a failure and the redeployment.
	Delay time.Duration
	// Initializing is how long tasks restore before they run; 0 means 500 ms.
	Initializing time.Duration
	// Attempts is how many restarts are made before the job fails; 0 is no limit.
	Attempts int
}

// Change alters a job or a host from a moment on.
type Change struct {
	// At is the time since the start of the cluster.
	At     time.Duration
	Vertex int
	// Service is the new service time; 0 leaves it.
	Service time.Duration
	// Rate is the new supply of a source; 0 leaves it.
	Rate float64
	// Keys is the new distribution of keys on the Hash edges into the vertex; nil leaves it.
	Keys *Keys
	// Parallelism is the new number of subtasks, for which the job is redeployed; 0 leaves it.
	Parallelism int
	// Factors are the new factors on Service per subtask; nil leaves them.
	Factors []float64
	// Late is the new share of late records; nil leaves it.
	Late *float64
	// TTL is the new time to live of the state; 0 leaves it.
	TTL time.Duration
	// SyncTime is the new synchronous part of its checkpoints; 0 leaves it.
	SyncTime time.Duration
	// Holding is the new one; nil leaves it.
	Holding *Holding
	// Link is the new limit of the network on the edges into the vertex; 0 leaves it.
	Link float64
	// Window, Timers and Rhythm replace those of the vertex; nil leaves them.
	Window *Window
	Timers *Timers
	Rhythm *Rhythm
	// Hang makes the calls of the vertex not return, or return again; nil leaves it.
	Hang *bool
	// Work is what the vertex does from now on while it is busy; nil leaves it.
	Work *Work
	// Source is the new supply of a source; what its log holds stays. Nil leaves it.
	Source *Source
	// Host is a TaskManager that is altered; nil alters none.
	Host *Host
	// Checkpoints are the job's new settings; nil leaves them.
	Checkpoints *Checkpoints
	// Mend ends the faults of the job.
	Mend bool
}

// Host is what a TaskManager is like from a moment on; each zero has the meaning that it has in TaskManager.
type Host struct {
	// TaskManager is its position.
	TaskManager int
	// Upload counts from the next checkpoint on.
	Slowdown, GC, HeapUsed, Upload float64
	// Cores and NetworkBytes are left as they are by 0.
	Cores        int
	NetworkBytes float64
}

// FaultKind says what breaks.
type FaultKind int

// The kinds of faults.
const (
	// TaskFails throws an exception in one subtask.
	TaskFails FaultKind = iota
	// TaskManagerStalls stops a worker without a word: its heartbeat grows old and all metrics of the
	// cluster freeze. At the heartbeat timeout it is removed and its tasks fail, unless For ends it
	// earlier.
	TaskManagerStalls
)

// Fault is something that breaks.
type Fault struct {
	Kind FaultKind
	// At is the time since the start of the cluster.
	At time.Duration
	// Every makes a TaskFails come again so long after each time the tasks began to run.
	Every time.Duration
	// For is how long a TaskManagerStalls lasts; 0 is for ever.
	For time.Duration
	// Vertex and Subtask are where a task fails.
	Vertex, Subtask int
	// TaskManager is the position of the worker that stalls.
	TaskManager int
	// Exception is the class and Message the text of the exception.
	Exception, Message string
}
