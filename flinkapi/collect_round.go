package flinkapi

import (
	"context"
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
	plan := s.plan(focus, s.rounds == 0 || focus.Refresh, len(c.signals[OperatorMetrics]) > 0)
	// A round that follows the one before early, to fall into step with the collections, reads only the
	// counters again.
	old := func(read time.Time) bool { return focus.Refresh || at.Sub(read) >= c.fetchInterval()*3/4 }
	recent := func(id VertexID) bool { return !old(s.vertex(id).spreadRead) }
	plan.spreads = slices.DeleteFunc(slices.Clone(plan.spreads), recent)
	reads := c.vertexReads(s, plan)
	if s.checkpoints == nil || old(s.checkpoints.Read) {
		reads = append(reads, c.checkpointReads(s)...)
	}
	reads = append(reads, c.workerReads(s, focus, stalled, old)...)
	reads = append(reads, c.changeReads(s, at)...)
	strained = c.perform(ctx, s, reads)
	strained = c.perform(ctx, s, c.foundReads(s, plan.lists)) || strained
	if ctx.Err() != nil {
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
		if r, wanted := c.spreadRead(s, id); wanted {
			reads = append(reads, r)
		}
	}
	for _, id := range plan.lists {
		reads = append(reads, c.namesRead(s, id))
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

// spreadRead asks for metrics over the subtasks of a vertex, all in one question.
func (c *Collector) spreadRead(s *jobState, id VertexID) (r read, wanted bool) {
	names := metricNames(c.signals[SubtaskMetrics])
	if v := s.vertex(id); v.names != nil {
		names = v.names
	}
	if len(names) == 0 {
		return read{}, false
	}
	what := s.of("read the metrics over the subtasks", pathSubtaskMetrics, id)
	what.query = getMetrics(names)
	return ask(c, what, func(w wireMetrics, at time.Time) {
		v := s.vertex(id)
		if v.empty = len(w) == 0; !v.empty {
			v.spread, v.spreadRead = w.spreads(c.signals[SubtaskMetrics], c.signals[OperatorMetrics]), at
		}
	}).about(s.job.Vertex(id).Name), true
}

// namesRead looks up which metrics a vertex has, to ask for those alone from then on: the ones with an
// operator before their name too.
func (c *Collector) namesRead(s *jobState, id VertexID) read {
	what := s.of("read the names of the metrics", pathSubtaskMetrics, id)
	rounds := s.rounds
	return ask(c, what, func(w wireMetrics, _ time.Time) {
		if len(w) == 0 {
			return // not collected yet
		}
		v := s.vertex(id)
		v.listed, v.names, v.operators = rounds+1, []string{}, false
		for _, m := range w {
			name := string(m.ID)
			operator := slices.ContainsFunc(c.signals[OperatorMetrics], func(signal Signal) bool {
				return strings.HasSuffix(name, "."+signal.Info().Metric)
			})
			v.operators = v.operators || operator
			if operator || slices.ContainsFunc(c.signals[SubtaskMetrics], func(signal Signal) bool {
				return name == signal.Info().Metric
			}) {
				v.names = append(v.names, name)
			}
		}
	}).about(s.job.Vertex(id).Name)
}

// foundReads asks at once for the metrics whose names have just been found.
func (c *Collector) foundReads(s *jobState, listed []VertexID) []read {
	var reads []read
	for _, id := range listed {
		if r, wanted := c.spreadRead(s, id); wanted && s.vertex(id).listed == s.rounds+1 {
			reads = append(reads, r)
		}
	}
	return reads
}

func (c *Collector) checkpointReads(s *jobState) []read {
	what := call{op: "read the checkpoints", path: pathCheckpoints, ids: []string{string(s.job.ID)}}
	reads := []read{}
	if s.config == nil {
		config := call{op: "read the checkpoint configuration", path: pathCheckpointConfig, ids: what.ids}
		reads = append(reads, ask(c, config, func(w wireCheckpointConfig, _ time.Time) { s.config = &w }))
	}
	return append(reads, ask(c, what, func(w wireCheckpoints, at time.Time) {
		s.checkpoints = w.checkpoints(s.config, at)
	}))
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
	for _, id := range focus.TaskManagers[:min(len(focus.TaskManagers), taskManagerLimit)] {
		if old(c.cluster.readings[id].read) {
			reads = append(reads, c.taskManagerMetricsRead(id))
		}
	}
	return reads
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
