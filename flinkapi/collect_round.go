package flinkapi

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

const (
	// taskManagerLimit bounds the TaskManagers that are kept fresh.
	taskManagerLimit = 4
	// restartsEvery is how often, in fetch intervals, the restarts are counted while nothing hints at one.
	restartsEvery = 6
	maxExceptions = "maxExceptions=5"
)

// readRound asks the dear questions when they are due.
func (c *Collector) readRound(ctx context.Context, s *jobState, focus Focus, at time.Time) (strained bool) {
	if !s.roundDue(at, c.fetchInterval()) && !(focus.Refresh && s.job.State == JobRunning) {
		return c.perform(ctx, s, append(c.changeReads(s, at), c.standstillReads(s, at)...))
	}
	stalled := s.rounds > 0 && !s.pending && s.timed
	operators := len(c.signals[OperatorMetrics]) > 0
	plan := s.plan(focus, s.rounds == 0 || focus.Refresh, operators)
	// A round that follows the one before early, to fall into step with the collections, reads only the
	// counters again.
	old := func(read time.Time) bool { return focus.Refresh || at.Sub(read) >= c.fetchInterval()*3/4 }
	recent := func(id VertexID) bool { return !old(s.vertex(id).spreadRead) }
	plan.spreads = slices.DeleteFunc(slices.Clone(plan.spreads), recent)
	plan.lists = s.toList(plan.spreads, plan.focused, operators)
	reads := c.vertexReads(s, plan)
	reads = append(reads, c.coordinatorReads(s, plan.all, focus.Refresh)...)
	if s.checkpoints == nil || old(s.checkpoints.Read) {
		reads = append(reads, c.checkpointReads(s)...)
	}
	if s.settings == nil {
		reads = append(reads, c.jobConfigRead(s))
	}
	reads = append(reads, c.workerReads(s, focus, stalled, old)...)
	reads = append(reads, c.changeReads(s, at)...)
	strained = c.perform(ctx, s, reads)
	strained = c.perform(ctx, s, c.secondReads(s, plan, focus)) || strained
	strained = c.perform(ctx, s, c.checkpointPartReads(s, focus)) || strained
	// The clock is not asked whether the time is over: a recording has to say the same.
	if errors.Is(ctx.Err(), context.Canceled) || c.late {
		return true
	}
	if s.pending || s.rounds == 0 && s.ready || !s.timed {
		s.fresh++
	}
	s.pending, s.lastRead = false, at
	s.rounds++
	return strained
}

// vertexReads asks for what the plan says.
func (c *Collector) vertexReads(s *jobState, plan roundPlan) []read {
	var reads []read
	for _, id := range plan.details {
		reads = append(reads, c.detailRead(s, id))
	}
	for _, id := range plan.shares {
		reads = append(reads, c.backpressureRead(s, id))
	}
	for _, id := range plan.spreads {
		if slices.Contains(plan.lists, id) {
			reads = append(reads, c.namesRead(s, id))
		} else {
			reads = append(reads, c.spreadReads(s, id, slices.Contains(plan.focused, id))...)
		}
	}
	return reads
}

// secondReads asks for what the answers of this round have shown to be there.
func (c *Collector) secondReads(s *jobState, plan roundPlan, focus Focus) []read {
	reads := c.checkpointDetailReads(s, focus)
	for _, id := range plan.lists {
		reads = append(reads, c.spreadReads(s, id, slices.Contains(plan.focused, id))...)
	}
	return reads
}

// of makes a call about a vertex of the job.
func (s *jobState) of(op string, path pathPattern, id VertexID) call {
	return call{op: op, path: path, ids: []string{string(s.job.ID), string(id)}}
}

func (c *Collector) detailRead(s *jobState, id VertexID) read {
	vertex := s.job.Vertex(id)
	return ask(c, s.of("read the subtasks", pathVertex, id), func(w wireVertex, at time.Time) {
		v := s.vertex(id)
		subtasks := w.subtasks(vertex.Parallelism)
		if restarted(v.subtasks, subtasks) {
			s.taskRestarted = true
		}
		v.subtasks, v.subtasksRead = subtasks, at
	}).about(vertex.Name)
}

// restarted tells whether a subtask is at a later attempt than before.
func restarted(before, now []Subtask) bool {
	for i := range min(len(before), len(now)) {
		if now[i].Attempt > before[i].Attempt {
			return true
		}
	}
	return false
}

func (c *Collector) backpressureRead(s *jobState, id VertexID) read {
	what := s.of("read the backpressure", pathBackpressure, id)
	return ask(c, what, func(w wireBackpressure, at time.Time) {
		v := s.vertex(id)
		v.shares, v.sharesRead = w.shares(), at
	}).about(s.job.Vertex(id).Name).quietIf(notYet)
}

// notYet recognises the failure of a vertex whose metrics have only half arrived, or that has finished.
func notYet(e *Error) bool {
	return e.Kind == KindServer && strings.Contains(e.Detail, "No value present")
}

// workerReads asks for the TaskManagers: the list now and then, or while something is wrong with one, and
// the metrics of those in focus.
func (c *Collector) workerReads(s *jobState, focus Focus, stalled bool, old func(time.Time) bool) []read {
	var reads []read
	age := s.last.Sub(c.cluster.taskManagersRead)
	if stalled || c.cluster.late || focus.Refresh || age >= taskManagersEvery*c.fetchInterval()*9/10 {
		reads = append(reads, c.taskManagersRead(s.job.Now))
	}
	if len(c.signals[TaskManagerMetrics]) == 0 {
		return reads
	}
	kept := focus.TaskManagers[:min(len(focus.TaskManagers), taskManagerLimit)]
	for _, id := range append(slices.Clone(kept), c.cluster.inTurn(s.hosts(), kept)...) {
		if old(c.cluster.readings[id].read) {
			reads = append(reads, c.taskManagerMetricsRead(id))
		}
	}
	return reads
}

// hosts lists the TaskManagers that run the job's subtasks, as far as those were read.
func (s *jobState) hosts() []TaskManagerID {
	var all []TaskManagerID
	for _, v := range s.job.Vertices {
		for _, t := range s.vertex(v.ID).subtasks {
			if t.TaskManager != "" && !slices.Contains(all, t.TaskManager) {
				all = append(all, t.TaskManager)
			}
		}
	}
	return all
}

// inTurn returns the TaskManager whose metrics are the oldest, besides those that are kept fresh.
func (s *clusterState) inTurn(all, kept []TaskManagerID) []TaskManagerID {
	others := slices.DeleteFunc(slices.Clone(all), func(id TaskManagerID) bool {
		gone := !slices.ContainsFunc(s.taskManagers, func(t TaskManager) bool { return t.ID == id })
		return gone || slices.Contains(kept, id)
	})
	slices.SortStableFunc(others, func(a, b TaskManagerID) int {
		return s.readings[a].read.Compare(s.readings[b].read)
	})
	return others[:min(len(others), 1)]
}

// standstillReads asks who is silent while the counters are overdue, or were never seen to move: they may
// have stood still before anybody looked.
func (c *Collector) standstillReads(s *jobState, at time.Time) []read {
	overdue := s.timed && s.rounds > 0 && at.Sub(s.moved) >= c.fetchInterval()+roundSlack
	if !overdue || s.job.State != JobRunning || at.Sub(c.cluster.taskManagersRead) < jobAge {
		return nil
	}
	return []read{c.taskManagersRead(s.job.Now)}
}

// changeReads asks for what changes only when something happens to the job: restarts and exceptions.
func (c *Collector) changeReads(s *jobState, at time.Time) []read {
	over := s.job.State.Over()
	if over && s.closed {
		return nil
	}
	unwell := s.job.State != JobRunning
	s.restartsDue = s.restartsDue || s.stateChanged || s.taskRestarted
	s.exceptionsDue = s.exceptionsDue || s.stateChanged || s.taskRestarted || over ||
		unwell && at.Sub(s.exceptionsRead) >= c.fetchInterval()
	s.stateChanged, s.taskRestarted = false, false

	var reads []read
	if len(c.signals[JobMetrics]) > 0 && !over && s.countRestarts(at, c.fetchInterval()) {
		reads = append(reads, c.restartsRead(s))
	}
	if s.exceptionsDue && at.Sub(s.exceptionsRead) >= jobAge {
		reads = append(reads, c.exceptionsRead(s))
		if over {
			reads = append(reads, c.checkpointReads(s)...)
		}
	}
	return reads
}

// countRestarts tells whether the count of restarts, a metric like others, is worth reading: after a
// collection when something hints at a restart, and now and then.
func (s *jobState) countRestarts(at time.Time, fetch time.Duration) bool {
	age := at.Sub(s.restartsRead)
	if !s.restartsDue {
		return s.ready && s.roundDue(at, fetch) && age >= restartsEvery*fetch
	}
	return s.pending && !s.settling() || age >= fetch
}

func (c *Collector) restartsRead(s *jobState) read {
	signals := c.signals[JobMetrics]
	what := call{
		op: "read the restarts", path: pathJobMetrics, ids: []string{string(s.job.ID)},
		query: getMetrics(metricNames(signals)),
	}
	return ask(c, what, func(w wireMetrics, at time.Time) {
		now := w.readings(signals)[RestartCount]
		if now.Or(0) > s.restarts.Or(0) {
			s.exceptionsDue = true
		}
		if now.IsKnown() {
			s.restarts = now
		}
		s.restartsRead = at
		if s.pending {
			s.restartsDue = false
		}
	})
}

func (c *Collector) exceptionsRead(s *jobState) read {
	what := call{
		op: "read the exceptions", path: pathExceptions, ids: []string{string(s.job.ID)}, query: maxExceptions,
	}
	return ask(c, what, func(w wireExceptions, at time.Time) {
		s.exceptions, s.exceptionsRead, s.exceptionsDue = w.exceptions(), at, false
		s.closed = s.job.State.Over()
	})
}
