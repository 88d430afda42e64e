package flinkapi

import (
	"maps"
	"slices"
	"time"
)

// jobState is what is known of one job. Everything in it that a snapshot shows is replaced, never changed.
type jobState struct {
	job      *Job // from the newest answer, without what the rounds add
	vertices map[VertexID]*vertexState
	problems problems

	first, last time.Time // the first and the newest look
	gap         time.Duration
	looks       int // looks before the first numbers

	counters map[VertexID]wireCounters
	timed    bool // accumulated times are known: 1.16 and newer
	ready    bool // the first numbers are there
	moved    time.Time
	pending  bool      // the counters moved, and the round that reads their details is still to come
	began    time.Time // when that, or the last such move, was seen
	attempt  time.Time // the first look at this attempt of the job
	rounds   int       // of this attempt
	fresh    int       // rounds that read fresh metrics
	lastRead time.Time // the newest round

	stateChanged   bool
	taskRestarted  bool // an attempt changed, or the counters began anew
	restarts       Value
	restartsDue    bool
	restartsRead   time.Time
	exceptions     []Exception
	exceptionsDue  bool
	exceptionsRead time.Time
	closed         bool // the last questions about a job that is over have been answered

	// byDump are the vertices whose threads were wanted at the newest look, and wanted is when that was.
	byDump []VertexID
	wanted time.Time

	checkpoints *Checkpoints
	anatomy     map[int64]*checkpointAnatomy // by checkpoint, as long as it is in the history
	// dissectAgain is the round from which on another is looked into unasked.
	dissectAgain int
	inspected    inspection
	config       *wireCheckpointConfig
	settings     *wireJobConfig
}

// vertexState is what the rounds read of one vertex.
type vertexState struct {
	subtasks     []Subtask
	subtasksRead time.Time
	shares       map[int]Readings // from /backpressure
	sharesRead   time.Time
	vertexMetrics
	vertexGauges

	stacks vertexStacks
}

func newJobState() *jobState {
	return &jobState{vertices: map[VertexID]*vertexState{}, problems: problems{}}
}

// take takes in the newest answer about the job and returns the time between two moves of its counters; 0
// when they did not move, or for the first time.
func (s *jobState) take(w wireJob, at time.Time, fetch time.Duration) (gap time.Duration) {
	before, old := s.job, s.counters
	s.job, s.counters = w.job(at), w.counters()
	s.timed = slices.ContainsFunc(w.Vertices, func(v wireJobVertex) bool { return v.Metrics.timed() })
	if before == nil {
		s.first, s.attempt = at, at
		_, restarted := s.job.EnteredAt[JobRestarting]
		s.exceptionsDue = restarted
	} else {
		s.gap = at.Sub(s.last)
		s.stateChanged = s.stateChanged || before.State != s.job.State
		if reshaped(before, s.job) || fell(old, s.counters) {
			s.startAttempt(at)
		}
	}
	s.last = at
	// The counters of tasks that have ended are final: they move once, and no collection of metrics is behind
	// that.
	ready := slices.ContainsFunc(s.job.Vertices, func(v Vertex) bool { return running(v) && counted(v.Sums) })
	s.ready = s.ready || ready
	if !s.ready {
		s.looks++
	}
	if before != nil && ready && !maps.Equal(old, s.counters) {
		gap = s.noteMove(at, fetch)
	}
	return gap
}

// noteMove takes note that the counters were seen to move: the JobManager has collected metrics.
func (s *jobState) noteMove(at time.Time, fetch time.Duration) (gap time.Duration) {
	// What moves right after a round belongs to the same collection: a TaskManager that answered late.
	late := s.rounds > 0 && at.Sub(s.moved) < fetch*3/10
	s.moved = at
	if late || s.pending {
		return 0
	}
	if !s.began.IsZero() {
		gap = at.Sub(s.began)
	}
	s.pending, s.began = true, at
	return gap
}

// counted tells whether any number of a vertex is above 0: before Flink has collected anything, all are 0.
func counted(r Readings) bool {
	for _, v := range r {
		if v.Or(0) > 0 {
			return true
		}
	}
	return false
}

// reshaped tells whether the job was started again or has other subtasks than before.
func reshaped(before, now *Job) bool {
	return !before.EnteredAt[JobRunning].Equal(now.EnteredAt[JobRunning]) ||
		!slices.EqualFunc(before.Vertices, now.Vertices, func(a, b Vertex) bool {
			return a.ID == b.ID && a.Parallelism == b.Parallelism
		})
}

// fell tells whether a vertex's accumulated times began anew, as they do with each attempt; less than a
// second is jitter. The busy time may be NaN, or nonsense before the start.
func fell(before, now map[VertexID]wireCounters) bool {
	const jitter = 1000 // ms
	back := func(a, b number) bool {
		x, knownX := a.Float()
		y, knownY := b.Float()
		return knownX && knownY && y < x-jitter
	}
	for id, counters := range now {
		if old := before[id]; back(old.idle, counters.idle) || back(old.backpressured, counters.backpressured) {
			return true
		}
	}
	return false
}

// startAttempt drops what belongs to the attempt before.
func (s *jobState) startAttempt(at time.Time) {
	s.attempt, s.rounds, s.looks, s.dissectAgain, s.pending, s.ready = at, 0, 0, 0, false, false
	s.taskRestarted = true
	s.config, s.settings = nil, nil
	for id, v := range s.vertices {
		s.vertices[id] = &vertexState{subtasks: v.subtasks, subtasksRead: v.subtasksRead}
	}
}

// vertex returns the state of a vertex, made when there is none.
func (s *jobState) vertex(id VertexID) *vertexState {
	v := s.vertices[id]
	if v == nil {
		v = &vertexState{}
		s.vertices[id] = v
	}
	return v
}

// describe returns the job with what the rounds have read.
func (s *jobState) describe() *Job {
	j := *s.job
	j.MetricsMoved, j.MetricRound = s.moved, s.fresh
	j.Restarts, j.Exceptions, j.Checkpoints = s.restarts, s.exceptions, s.dissected()
	if s.settings != nil {
		j.Parallelism, j.ObjectReuse = s.settings.parallelism(), s.settings.objectReuse()
	}
	j.Vertices = slices.Clone(s.job.Vertices)
	for i := range j.Vertices {
		if v := s.vertices[j.Vertices[i].ID]; v != nil {
			v.complete(&j.Vertices[i])
		}
	}
	return &j
}

// complete adds to a vertex what was read of it.
func (v *vertexState) complete(to *Vertex) {
	v.vertexMetrics.complete(to)
	to.Gauges = v.gauges
	to.Stacks, to.StacksRead, to.StacksFrom = v.stacks.newest, v.stacks.read, v.stacks.from
	v.stacks.told = true
	to.StacksShared = !v.stacks.shared.IsZero()
	// A rescale leaves more subtasks behind than there are now.
	beyond := func(t Subtask) bool { return t.Index >= to.Parallelism }
	to.Subtasks = slices.DeleteFunc(slices.Clone(v.subtasks), beyond)
	to.SubtasksRead = v.subtasksRead
	if len(v.shares) == 0 {
		return
	}
	to.SubtasksRead = v.sharesRead
	for i := range to.Subtasks {
		to.Subtasks[i].Readings = to.Subtasks[i].Readings.and(v.shares[to.Subtasks[i].Index])
	}
}
