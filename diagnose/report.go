package diagnose

import (
	"strings"
	"time"

	"culprit/flinkapi"
)

// Observation is one step of the whole line: what was read, what it means, and how it came to this. It is
// immutable.
type Observation struct {
	Seq      int
	At       time.Time // the source's clock
	Snapshot *flinkapi.Snapshot
	// Report is the diagnosis of the job in focus; nil while several jobs are looked at in turn.
	Report *Report
	// Trend has one point per slot of the last 15 minutes, oldest first.
	Trend []TrendPoint
	// History is of the vertex that was asked for in detail; nil without one.
	History *SubtaskHistory
	// Jobs has one line per job of the cluster, with the newest verdict where one was reached.
	Jobs []JobLine
	// Took is how long the step took.
	Took Stages
}

// JobLine is a job of the list with its newest verdict.
type JobLine struct {
	Job flinkapi.JobSummary
	// Report is the newest diagnosis of this job, At when it was made; nil before the first.
	Report *Report
	At     time.Time
	// Glance is what was seen when it was last glanced at; nil before the first and while it does not run.
	Glance *Glance
	Lag    Lag
	// Err is why the newest glance failed; nil when it did not.
	Err *flinkapi.Error
	// Change is what happened to the job in the last minute, ChangedAt when that was seen.
	Change    Change
	ChangedAt time.Time
}

// Change is what happened to a job of the list.
type Change string

// The changes; the zero value is none.
const (
	Appeared Change = "new"
	Failed   Change = "failed"
	Ended    Change = "ended"
	// Vanished is a job that the cluster no longer lists; its line holds what was known last.
	Vanished Change = "gone"
)

// TrendPoint sums up one slot.
type TrendPoint struct {
	At time.Time
	// Pressure is the largest backpressured share over all subtasks; Busy the largest busy share.
	Pressure, Busy flinkapi.Value
	// Culprit is who that slot named, of several the one that the report tells of first; empty for nobody.
	Culprit flinkapi.VertexID
	// Others are the further ones that it named.
	Others []flinkapi.VertexID
	// Held is true where something is held back and nobody was named, Unknown where the slot could not be
	// judged.
	Held, Unknown bool
}

// Report is the diagnosis of one job at one moment.
type Report struct {
	Job      JobRef
	At       time.Time
	Severity Severity
	// Firm tells that watching longer is not expected to change the verdict.
	Firm bool
	// Headline is one sentence: the first hit of the ladder.
	Headline string
	// State is the finding that describes the whole job when nobody is named: healthy, restart-loop,
	// undetermined, …. It is nil when a culprit stands.
	State *Finding
	// Culprits are the operators that hold the job back, one per region, worst first.
	Culprits []Culprit
	// Also are further firing findings, beside the ladder or consequences of the culprits.
	Also []Finding
	// Silenced are the rules that a user has silenced, with what they would have said.
	Silenced []Silenced
	// Checks are all findings of all rules, also those that are fine or could not tell.
	Checks []Finding
	Ladder []Rung
	// Undetermined says why no verdict was possible; nil otherwise.
	Undetermined *Undetermined
	// Vertices has one entry per vertex of the job, in the snapshot's order.
	Vertices []VertexState
	// TaskManagers has one entry per TaskManager, in the cluster's order.
	TaskManagers []WorkerState
	// Checkpoints is nil until they were read.
	Checkpoints *CheckpointOutlook
	// Sources has one entry per source, in the snapshot's order.
	Sources []SourceState
	// Exceptions are those that were seen, newest first, with those that Flink no longer tells of.
	Exceptions []flinkapi.Exception
	// Restarts are when the job was seen to restart in the last minutes, oldest first, by the source's clock.
	Restarts []time.Time
	Data     DataQuality

	// growing tells that the job's state grows, so that it matters whose.
	growing bool
}

// JobRef names a job.
type JobRef struct {
	ID    flinkapi.JobID
	Name  string
	State flinkapi.JobState
}

// VertexRef names a vertex.
type VertexRef struct {
	ID   flinkapi.VertexID
	Name string
}

// Severity grades a report or a finding, by the convention of monitoring plugins.
type Severity int

// The severities. Their numbers are the exit codes of `culprit check`.
const (
	OK Severity = iota
	Warning
	Critical
	UnknownSeverity
)

// Confidence grades a named culprit.
type Confidence string

// Probable is one slot or little support; Firm is the same subject in 70 % of the slots of the last 60 s.
const (
	Probable Confidence = "probable"
	Firm     Confidence = "firm"
)

// Pattern grades a culprit over time.
type Pattern string

// The patterns: under a minute; repeating; ten minutes and more; pressed while the lag falls; none of these
// yet.
const (
	Momentary  Pattern = "momentary"
	Periodic   Pattern = "periodic"
	Chronic    Pattern = "chronic"
	CatchingUp Pattern = "catching-up"
	Ongoing    Pattern = "ongoing"
)

// Culprit is an operator that is slow by itself and holds others back.
type Culprit struct {
	Vertex VertexRef
	// Operator is the operator inside the chain; empty when it is not known.
	Operator string
	// Subtasks are those that are busy; Parallelism is how many there are.
	Subtasks     []int
	Parallelism  int
	TaskManagers []flinkapi.TaskManagerID
	Reason       Reason
	Confidence   Confidence
	Pattern      Pattern
	// Severity is how grave it is by itself; OK where its reason is silenced.
	Severity Severity
	Since    time.Time
	// Earlier is true where it may have begun before Since: the watch did not reach back further.
	Earlier   bool
	Evidence  []Evidence
	Remedies  []Remedy
	Dont      []string
	Victims   []Victim
	RunnersUp []RunnerUp
	// Ladder is what the rungs answered about this culprit; that of the first is also the report's.
	Ladder []Rung
	// Next is what holds the job back once this one no longer does; nil when it is not known.
	Next *NextLimit
	// looked is when the newest of looks enough at its threads was taken; zero without.
	looked time.Time
	// unsilenced is how grave it would be if the rule that gives its reason were not silenced.
	unsilenced Severity
}

// NextLimit is the vertex that limits the job after a culprit, once the fix of its reason was made.
type NextLimit struct {
	Vertex VertexRef
	// Itself is true where that is the culprit: its other subtasks, or all of them evenly, take no more.
	Itself bool
	// Factor is how many times today's throughput it can take; above 1.
	Factor float64
}

// Reason says why a culprit is slow, under a stable code.
type Reason struct {
	Code    string
	Name    string
	Summary string
	// Open is true while the reason is not firm, though who it is may be: it stands on CPU alone, and looks at
	// the threads may change it, or only they could tell it from others, or only some of its subtasks are hot
	// and it is not known why.
	Open bool
	// Silenced is the rule that would have given the reason, but is silenced; empty for none.
	Silenced string
}

// Known tells whether it was found why the culprit is slow.
func (r *Reason) Known() bool { return r.Name != undeterminedRule().Name }

// unsure tells whether the reason may change, or is not known; one that is silenced is as it is.
func (r *Reason) unsure() bool { return r.Silenced == "" && !r.Known() || r.Open }

// Named is the reason's name: "perhaps external-wait" while it is open.
func (r *Reason) Named() string {
	if r.Open {
		return "perhaps " + r.Name
	}
	return r.Name
}

// String is the reason's name with what it says: "slow-sink: the last operator, it waits". What begins with
// the name says it once.
func (r *Reason) String() string {
	if strings.HasPrefix(r.Summary, r.Named()) {
		return r.Summary
	}
	return r.Named() + ": " + r.Summary
}

// Evidence is one number that speaks for or against a verdict.
type Evidence struct {
	// Signal is the name of the number, such as "busy-time" or "cpu-per-busy-subtask".
	Signal string
	// Label is what people read.
	Label   string
	Subject string
	Value   flinkapi.Value
	Unit    flinkapi.Unit
	// For is true where the number supports the verdict; Neutral where it speaks for neither side, which is
	// worth knowing, too, and where it is not known.
	For, Neutral bool
	// Age is how old the number was when the report was made.
	Age time.Duration
	// Note says what the number means here, in a few words; may be empty.
	Note string
}

// Remedy is something to do, with what it gains and what it risks.
type Remedy struct {
	// Do is a verb phrase.
	Do string
	// Key is the setting or API as the cluster's version names it; empty where there is none.
	Key string
	// From and To are its values now and then, where they are known or can be computed; else empty.
	From string
	To   string
	// Gain is what to expect, with the formula where a number is given.
	Gain string
	Risk string
	// Undo says how to take it back; Link is where Flink describes it. Both may be empty.
	Undo string
	Link string
	// scales is true where it raises the parallelism of the vertex that it is about.
	scales bool
	// fits says on which clusters it makes sense.
	fits fit
}

// Victim is a vertex that a culprit holds back or starves.
type Victim struct {
	Vertex VertexRef
	Why    string
}

// RunnerUp is a vertex that looks like the culprit, and why it is not.
type RunnerUp struct {
	Vertex VertexRef
	WhyNot string
}

// Undetermined says why no verdict was possible and what is missing.
type Undetermined struct {
	Why     string
	Missing []string
}

// Role says what part a vertex plays, in words that people read.
type Role string

// The roles.
const (
	RoleCulprit  Role = "culprit"
	RoleHeldBack Role = "held back"
	RoleStarved  Role = "starved"
	RoleFine     Role = "fine"
	RoleUnknown  Role = "unknown"
	RoleFinished Role = "finished"
)

// VertexState is a vertex in the newest slot.
type VertexState struct {
	Vertex VertexRef
	Role   Role
	// Why says in one sentence why the vertex has this role.
	Why string
	// Blamed is the rule of the gravest finding about the vertex that is no consequence of another one; empty
	// where it is in no trouble beside its role. Trouble says what the finding says, Severity how grave it is: a
	// vertex may keep up, and yet be what a warning is about.
	Blamed, Trouble string
	Severity        Severity
	// Busy, Backpressured and Idle are the largest share over the subtasks, each by itself.
	Busy, Backpressured, Idle flinkapi.Value
	// HotSubtask is the subtask with the largest busy share; -1 when unknown.
	HotSubtask int
	// RecordsIn and RecordsOut are records per second of the whole vertex over the newest slot; missing where
	// Flink does not count them (sources in, sinks out, before 2.0).
	RecordsIn, RecordsOut flinkapi.Value
	// Subtasks has one entry per subtask where per-subtask data is there; else it is empty.
	Subtasks SubtaskStates
}

// RungState says how a rung of the ladder came out.
type RungState string

// The states of a rung.
const (
	RungHit        RungState = "hit"
	RungClear      RungState = "clear"
	RungUnknown    RungState = "unknown"
	RungNotReached RungState = "not-reached"
)

// Rung is one step of the ladder: its question and its answer.
type Rung struct {
	Number   int
	Name     string // one or two words for the strip
	Question string
	State    RungState
	Why      string
	// Findings are what the rung's rules said of the culprit, or of the job.
	Findings []Finding
}

// DataQuality says what a report stands on.
type DataQuality struct {
	FlinkVersion string
	// Observed is how long the job has been watched without a break.
	Observed      time.Duration
	SubtasksKnown int
	SubtasksTotal int
	// MetricAge is the age of the oldest share that the report uses; missing before there is one.
	MetricAge flinkapi.Value // seconds
	Requests  int
	Bytes     int64
	// Slots is how many slots of shares are in the window.
	Slots int
}
