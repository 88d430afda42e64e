package flinkapi

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
)

const (
	// taskManagerLimit bounds the TaskManagers that are kept fresh.
	taskManagerLimit = 4
	// restartsEvery is how often, in rounds, the restarts are counted while nothing hints at one.
	restartsEvery = 6
	maxExceptions = "maxExceptions=5"
)

// readRound asks the dear questions when they are due.
func (c *Collector) readRound(ctx context.Context, s *jobState, focus Focus, at time.Time) (strained bool) {
	if !s.roundDue(at, c.fetchInterval()) && !(focus.Refresh && s.job.State == JobRunning) {
		return c.perform(ctx, s, c.changeReads(s, at))
	}
	s.restartsDue = s.restartsDue || s.rounds%restartsEvery == 0
	stalled := s.rounds > 0 && !s.pending && s.timed
	plan := s.plan(focus, s.rounds == 0 || focus.Refresh, len(c.signals[OperatorMetrics]) > 0)
	reads := c.vertexReads(s, plan)
	reads = append(reads, c.checkpointReads(s)...)
	reads = append(reads, c.workerReads(s, focus, stalled, at)...)
	reads = append(reads, c.changeReads(s, at)...)
	strained = c.perform(ctx, s, reads)
	strained = c.perform(ctx, s, c.operatorReads(s)) || strained
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
	signals := c.signals[SubtaskMetrics]
	if v := s.vertex(id); v.asks != nil {
		signals = v.asks
	}
	if len(signals) == 0 {
		return read{}, false
	}
	what := s.of("read the metrics over the subtasks", pathSubtaskMetrics, id)
	what.query = getMetrics(metricNames(signals))
	return ask(c, what, func(w wireMetrics, at time.Time) {
		v := s.vertex(id)
		if v.empty = len(w) == 0; !v.empty {
			v.spread, v.spreadRead = w.spreads(signals), at
		}
	}).about(s.job.Vertex(id).Name), true
}

// namesRead looks up which metrics a vertex has.
func (c *Collector) namesRead(s *jobState, id VertexID) read {
	what := s.of("read the names of the metrics", pathSubtaskMetrics, id)
	rounds := s.rounds
	return ask(c, what, func(w wireMetrics, _ time.Time) {
		v := s.vertex(id)
		names := w.names()
		if len(names) == 0 {
			return
		}
		v.listed = rounds + 1
		v.operatorNames = map[Signal][]string{}
		for _, signal := range c.signals[OperatorMetrics] {
			for _, name := range names {
				if strings.HasSuffix(name, "."+signal.Info().Metric) {
					v.operatorNames[signal] = append(v.operatorNames[signal], name)
				}
			}
		}
		if v.empty {
			v.asks = slices.DeleteFunc(slices.Clone(c.signals[SubtaskMetrics]), func(signal Signal) bool {
				return !slices.Contains(names, signal.Info().Metric)
			})
		}
	}).about(s.job.Vertex(id).Name)
}

// operatorReads asks for the metrics with an operator before their name, apart from the others: one that has gone would
// empty the answer.
func (c *Collector) operatorReads(s *jobState) []read {
	var reads []read
	for i := range s.job.Vertices {
		vertex := &s.job.Vertices[i]
		v := s.vertices[vertex.ID]
		if v == nil || !running(*vertex) {
			continue
		}
		for signal, names := range v.operatorNames {
			what := s.of("read "+signal.Info().Label, pathSubtaskMetrics, vertex.ID)
			what.query = getMetrics(names)
			reads = append(reads, ask(c, what, func(w wireMetrics, at time.Time) {
				v.operator = map[Signal]Spread{}
				if spread, some := w.joined(signal); some {
					v.operator[signal] = spread
					v.spreadRead = at
				}
			}).about(vertex.Name))
		}
	}
	slices.SortFunc(reads, func(a, b read) int { return cmp.Compare(a.call.query, b.call.query) })
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

// workerReads asks for the TaskManagers: the list now and then, or while something is wrong with one, and the metrics of
// those in focus.
func (c *Collector) workerReads(s *jobState, focus Focus, stalled bool, at time.Time) []read {
	var reads []read
	fetch := c.fetchInterval()
	age := at.Sub(c.cluster.taskManagersRead)
	if stalled || c.cluster.late || focus.Refresh || age >= taskManagersEvery*fetch*9/10 {
		reads = append(reads, c.taskManagersRead(s.job.Now))
	}
	if len(c.signals[TaskManagerMetrics]) == 0 {
		return reads
	}
	for _, id := range focus.TaskManagers[:min(len(focus.TaskManagers), taskManagerLimit)] {
		if at.Sub(c.cluster.readings[id].read) >= fetch*3/4 {
			reads = append(reads, c.taskManagerMetricsRead(id))
		}
	}
	return reads
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
	if s.restartsDue && !over && at.Sub(s.restartsRead) >= jobAge && len(c.signals[JobMetrics]) > 0 {
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
		s.restartsRead, s.restartsDue = at, false
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
