package flinkapi

import "time"

// JobID is Flink's job id, 32 hexadecimal digits.
type JobID string

// VertexID is Flink's job vertex id, 32 hexadecimal digits.
type VertexID string

// TaskManagerID is a TaskManager's resource id: any text, not always hexadecimal.
type TaskManagerID string

// Snapshot is what one look at a cluster gave. It is immutable once handed out; parts that were not due or
// could not be read hold what was read last, with the time at which that was.
type Snapshot struct {
	// At is the time, by the source's clock, at which this look ended.
	At      time.Time
	Cluster Cluster
	// Jobs lists every job that the cluster knows, running ones first, in Flink's order.
	Jobs []JobSummary
	// Job is the job in focus; nil when none was asked for.
	Job *Job
	// Fleet has an entry for each job that was glanced at in this look.
	Fleet        []FleetJob
	TaskManagers []TaskManager
	// Problems are the reads that failed when they were last tried; the data beside them is older or absent.
	Problems []Problem
	Cost     Cost
}

// Cluster is what the cluster says of itself.
type Cluster struct {
	// Version is Flink's version as /config gives it, such as "2.3.0"; empty when unknown.
	Version string
	// FetchInterval is how often the JobManager collects metrics from the TaskManagers
	// (metrics.fetcher.update-interval). A configured 0 means that it never does.
	FetchInterval time.Duration
	// FetchIntervalFrom tells where FetchInterval comes from.
	FetchIntervalFrom IntervalOrigin
	SlotsTotal        Value
	SlotsFree         Value
	TaskManagers      Value
	// Settings are the cluster's own options that were set, by their key (/jobmanager/config); it leaves out
	// what stands at its default. Nil when never read. Only options that say how jobs run are kept, without
	// those that may hold a secret, and without values of more than 200 bytes.
	Settings map[string]string
}

// IntervalOrigin tells how the metric fetch interval was learned.
type IntervalOrigin string

// The ways in which the metric fetch interval is learned, best first.
const (
	IntervalConfigured IntervalOrigin = "configured"
	IntervalObserved   IntervalOrigin = "observed"
	IntervalDefault    IntervalOrigin = "default"
)

// JobSummary is one line of the list of jobs (/jobs/overview).
type JobSummary struct {
	ID        JobID
	Name      string
	State     JobState
	StartedAt time.Time
	EndedAt   time.Time // zero while the job is not over
}

// JobState is a job's state as Flink names it (org.apache.flink.api.common.JobStatus).
type JobState string

// The job states that the product tells apart.
const (
	JobInitializing JobState = "INITIALIZING"
	JobCreated      JobState = "CREATED"
	JobRunning      JobState = "RUNNING"
	JobFailing      JobState = "FAILING"
	JobFailed       JobState = "FAILED"
	JobCancelling   JobState = "CANCELLING"
	JobCanceled     JobState = "CANCELED"
	JobFinished     JobState = "FINISHED"
	JobRestarting   JobState = "RESTARTING"
	JobSuspended    JobState = "SUSPENDED"
	JobReconciling  JobState = "RECONCILING"
)

// Over tells whether the job has reached a state that it does not leave.
func (s JobState) Over() bool { return s == JobFailed || s == JobCanceled || s == JobFinished }

// TaskState is the state of a subtask's execution (org.apache.flink.runtime.execution.ExecutionState).
type TaskState string

// The execution states that the product tells apart.
const (
	TaskInitializing TaskState = "INITIALIZING"
	TaskRunning      TaskState = "RUNNING"
	TaskFinished     TaskState = "FINISHED"
)

// JobType tells streaming jobs from batch jobs.
type JobType string

// The job types; unknown before Flink 1.14 says either.
const (
	TypeUnknown   JobType = ""
	TypeStreaming JobType = "STREAMING"
	TypeBatch     JobType = "BATCH"
)

// Job is the job in focus (/jobs/:jobid and what hangs below it).
type Job struct {
	ID    JobID
	Name  string
	State JobState
	Type  JobType
	// StartedAt and Now are by the JobManager's clock.
	StartedAt time.Time
	Now       time.Time
	// EnteredAt holds when each state was entered last, by the JobManager's clock; a state never entered is
	// absent.
	EnteredAt map[JobState]time.Time
	// Vertices are in topological order.
	Vertices []Vertex
	Edges    []Edge
	// Read is when the answer that carried the vertices' sums came, by the source's clock.
	Read time.Time
	// MetricsMoved is when the job's counters were last seen to change: the metrics are at least as old as the
	// time since. Zero until they were seen to move.
	MetricsMoved time.Time
	// MetricRound counts the rounds in which fresh metrics were read: a change of it marks fresh subtask data.
	// It is 0 until the first.
	MetricRound int
	Restarts    Value // numRestarts, since the job started
	// Parallelism is the job's default parallelism and ObjectReuse its object-reuse mode
	// (/jobs/:jobid/config); missing when never read.
	Parallelism Value
	ObjectReuse Value // 1 or 0
	Exceptions  []Exception
	// Checkpoints is nil until it was read.
	Checkpoints *Checkpoints
}

// NowAt is the JobManager's time at a moment of the source's clock; Now where the distance between the two
// clocks is not known.
func (j *Job) NowAt(at time.Time) time.Time {
	if j == nil {
		return time.Time{}
	}
	if at.IsZero() || j.Read.IsZero() || j.Now.IsZero() {
		return j.Now
	}
	return j.Now.Add(at.Sub(j.Read))
}

// Edge is one connection of the job graph (plan.nodes[].inputs[]). Two edges may link the same vertices.
type Edge struct {
	From, To VertexID
	Ship     ShipStrategy
	// Blocking is true where the consumer waits until the producer has ended (batch exchanges).
	Blocking bool
}

// ShipStrategy tells how records choose the receiving subtask, as Flink names it.
type ShipStrategy string

// The ship strategies that the diagnosis tells apart.
const (
	ShipForward   ShipStrategy = "FORWARD"
	ShipHash      ShipStrategy = "HASH"
	ShipRebalance ShipStrategy = "REBALANCE"
	ShipRescale   ShipStrategy = "RESCALE"
	ShipBroadcast ShipStrategy = "BROADCAST"
)

// Vertex is one job vertex: a chain of operators that runs as one task per subtask.
type Vertex struct {
	ID             VertexID
	Name           string
	Description    string // the plan's description of the chain, one line per operator
	Parallelism    int
	MaxParallelism int
	State          TaskState
	// Tasks counts the subtasks per execution state.
	Tasks map[TaskState]int
	// Sums are the counters added up over all subtasks, as of Job.Read.
	Sums Readings
	// Spread holds the metrics that were asked for as minimum, maximum, mean and sum over the subtasks.
	Spread     map[Signal]Spread
	SpreadRead time.Time // zero when never read
	// Subtasks has one entry per subtask of the current parallelism, in order; empty when never read.
	Subtasks     []Subtask
	SubtasksRead time.Time // zero when never read
	// Gauges holds what was read of single subtasks, by index, while the vertex was in Focus.Detail; nil for
	// any other vertex, and without the subtasks whose turn has not come for two minutes.
	Gauges map[int]Gauges
	// Operators holds signals of OperatorMetrics and CoordinatorMetrics apart by operator, at most 32 of each.
	// Spread holds the same joined: the task's own number where there is one, else that over the operators. Nil
	// when the vertex's names were never looked up, which is not the same as having none.
	Operators map[Signal][]OperatorSpread
	// Stacks are the newest samples of what the vertex's task threads do. Only vertices in Focus.Sample have
	// some.
	Stacks     []Stack
	StacksRead time.Time // when the newest sample was taken; zero when never
	StacksFrom StackOrigin
	// StacksShared is true where other tasks of the same name run on the vertex's TaskManagers, so that the
	// newest thread dump could not tell which threads are its own.
	StacksShared bool
}

// OperatorSpread is a metric of one operator of a chain, or of one state of an operator.
type OperatorSpread struct {
	// Operator is what stands before the metric's name, as Flink filtered it, such as "sessionize.session" for
	// a state or "Source__orders" for an operator; empty for the task itself.
	Operator string
	Spread   Spread
}

// StackOrigin tells where stack samples come from.
type StackOrigin string

// The origins of stack samples: a thread dump shows each thread at one instant, a flame graph adds up some
// hundred looks.
const (
	FromThreadDump StackOrigin = "thread dump"
	FromFlameGraph StackOrigin = "flame graph"
)

// Stack is what a task thread was seen to do, once or Count times.
type Stack struct {
	// Subtask is the index of the subtask; -1 where the sample does not tell.
	Subtask int
	// State is the Java thread state, such as "RUNNABLE", "TIMED_WAITING" or "BLOCKED"; empty where unknown.
	State string
	// Frames are innermost first.
	Frames []Frame
	// Lock is the class of the object that the thread waits for; empty for none. LockOwner is the name of the
	// thread that holds it; empty when unknown.
	Lock      string
	LockOwner string
	Count     int
}

// Frame is one call of a stack.
type Frame struct {
	// Class is the full Java class name, Method the method's; Line is 0 where it is not known.
	Class  string
	Method string
	Line   int
}

// Spread is one metric over the subtasks of a vertex that have it (…/subtasks/metrics). It does not tell
// how many have it.
type Spread struct {
	Min, Max, Mean, Sum Value
}

// Subtask is one parallel instance of a vertex (/jobs/:jobid/vertices/:vertexid).
type Subtask struct {
	Index         int
	State         TaskState
	Attempt       int
	Host          string // host or host:port
	TaskManager   TaskManagerID
	StartedAt     time.Time
	Running       Value // seconds in state RUNNING of this attempt (status-duration, 1.16+)
	Initializing  Value // seconds in state INITIALIZING of this attempt (status-duration, 1.16+)
	Readings      Readings
	OtherAttempts int // concurrent attempts beside this one (speculative execution)
}

// TaskManager is one worker (/taskmanagers and its metrics).
type TaskManager struct {
	ID        TaskManagerID
	Host      string
	Slots     int
	FreeSlots int
	// Heartbeat is when the ResourceManager last heard of it, by the JobManager's clock. Flink's field is
	// called timeSinceLastHeartbeat and holds a point in time.
	Heartbeat time.Time
	// AsOf is when the list of TaskManagers was read, by the JobManager's clock: AsOf - Heartbeat is how long
	// it has been silent. The list is not read in every look.
	AsOf         time.Time
	CPUCores     Value // cores of its machine
	Readings     Readings
	ReadingsRead time.Time // zero when its metrics were never read
}

// Exception is one entry of the job's exception history, newest first (/jobs/:jobid/exceptions).
type Exception struct {
	// Name is the class of the outermost exception.
	Name string
	// Root is the first useful line: the innermost cause as "Class: message", without the stack.
	Root string
	// Trace is the whole stack trace, with its line breaks, of at most 20 000 runes.
	Trace string
	At    time.Time
	Task  string
	Host  string
}

// Vertex returns the vertex with the given id, or nil.
func (j *Job) Vertex(id VertexID) *Vertex {
	for i := range j.Vertices {
		if j.Vertices[i].ID == id {
			return &j.Vertices[i]
		}
	}
	return nil
}
