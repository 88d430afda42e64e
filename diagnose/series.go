package diagnose

import (
	"slices"
	"time"

	"culprit/flinkapi"
)

// seriesKey names a signal of a vertex over time.
type seriesKey struct {
	vertex flinkapi.VertexID
	signal flinkapi.Signal
}

// spreadReading is a signal of a vertex at one time, joined over its operators.
type spreadReading struct {
	at     time.Time
	spread flinkapi.Spread
}

// workerReading holds the metrics of a TaskManager at one time.
type workerReading struct {
	at       time.Time
	readings flinkapi.Readings
}

// stackReading is one sample of a vertex's task threads.
type stackReading struct {
	at     time.Time
	from   flinkapi.StackOrigin
	stacks []flinkapi.Stack
	// seen is what the stacks tell, in their order.
	seen []sighting
}

func (r spreadReading) time() time.Time { return r.at }
func (r workerReading) time() time.Time { return r.at }
func (r stackReading) time() time.Time  { return r.at }

const (
	// stackSpan is how long samples of stacks tell what a culprit does.
	stackSpan = 2 * time.Minute
	// mostCheckpoints and mostExceptions bound those that are kept.
	mostCheckpoints = 60
	mostExceptions  = 40
)

// noteSeries keeps what a vertex's operators report over time, and its stacks.
func (w *window) noteSeries(v *flinkapi.Vertex) {
	for signal, spread := range v.Spread {
		if !overTime(signal) {
			continue
		}
		key := seriesKey{v.ID, signal}
		old := w.series[key]
		if n := len(old); n == 0 || v.SpreadRead.After(old[n-1].at) {
			w.series[key] = keepSpan(append(old, spreadReading{v.SpreadRead, spread}), history, spreadReading.time)
		}
	}
	old := w.stacks[v.ID]
	if n := len(old); !v.StacksRead.IsZero() && (n == 0 || v.StacksRead.After(old[n-1].at)) {
		next := append(old, stackReading{v.StacksRead, v.StacksFrom, v.Stacks, w.frames.sightAll(v.Stacks)})
		w.stacks[v.ID] = keepSpan(next, stackSpan, stackReading.time)
	}
}

// overTime tells whether a signal of a vertex is kept over time.
func overTime(s flinkapi.Signal) bool {
	e := s.Info().Endpoint
	return e == flinkapi.OperatorMetrics || e == flinkapi.CoordinatorMetrics
}

func (w *window) noteWorker(tm *flinkapi.TaskManager) {
	old := w.workers[tm.ID]
	if n := len(old); tm.ReadingsRead.IsZero() || n > 0 && !tm.ReadingsRead.After(old[n-1].at) {
		return
	}
	w.workers[tm.ID] = keepSpan(
		append(old, workerReading{tm.ReadingsRead, tm.Readings}),
		history,
		workerReading.time,
	)
}

// noteCheckpoints keeps the checkpoints that Flink's own short history drops. Parts that were read once
// stay.
func (w *window) noteCheckpoints(all *flinkapi.Checkpoints) {
	if all == nil {
		return
	}
	for _, c := range slices.Backward(all.History) { // newest first there
		i, known := slices.BinarySearchFunc(w.checkpoints, c.ID, func(x flinkapi.Checkpoint, id int64) int {
			return int(x.ID - id)
		})
		if !known {
			w.checkpoints = slices.Insert(w.checkpoints, i, c)
			continue
		}
		if c.Vertices == nil {
			c.Vertices = w.checkpoints[i].Vertices
		}
		w.checkpoints[i] = c
	}
	if n := len(w.checkpoints); n > mostCheckpoints {
		w.checkpoints = slices.Delete(w.checkpoints, 0, n-mostCheckpoints)
	}
}

// noteExceptions keeps the exceptions that Flink's own short history drops.
func (w *window) noteExceptions(all []flinkapi.Exception) {
	for i := range all {
		if !slices.Contains(w.exceptions, all[i]) {
			w.exceptions = append(w.exceptions, all[i])
		}
	}
	slices.SortStableFunc(w.exceptions, func(a, b flinkapi.Exception) int { return b.At.Compare(a.At) })
	w.exceptions = w.exceptions[:min(len(w.exceptions), mostExceptions)]
}

// series returns a signal of a vertex over the window, oldest first.
func (c *Case) series(v int, signal flinkapi.Signal) []spreadReading {
	c.note(signal)
	return c.w.series[seriesKey{c.job.Vertices[v].ID, signal}]
}

// spread returns the newest reading of a signal over the subtasks of a vertex; all is missing where it has
// none.
func (c *Case) spread(v int, signal flinkapi.Signal) flinkapi.Spread {
	c.note(signal)
	return c.job.Vertices[v].Spread[signal]
}

// operators returns the newest reading of a signal apart by operator or state. known is false while the
// names of the vertex's metrics have not been looked up: then having none means nothing.
func (c *Case) operators(v int, signal flinkapi.Signal) (all []flinkapi.OperatorSpread, known bool) {
	c.note(signal)
	return c.job.Vertices[v].Operators[signal], c.job.Vertices[v].Operators != nil
}

// worker returns the metrics of a TaskManager over the window, oldest first.
func (c *Case) worker(id flinkapi.TaskManagerID, signals ...flinkapi.Signal) []workerReading {
	c.note(signals...)
	return c.w.workers[id]
}

// checkpoints returns the checkpoints that were seen, oldest first, without savepoints.
func (c *Case) checkpoints() []flinkapi.Checkpoint {
	return slices.DeleteFunc(
		slices.Clone(c.w.checkpoints),
		func(x flinkapi.Checkpoint) bool { return x.Savepoint },
	)
}

// sampled returns what the task threads of a vertex were seen to do in the last minutes, and how many looks
// at a thread that adds up to.
func (c *Case) sampled(v int) (stacks []flinkapi.Stack, looks int) {
	for _, r := range c.w.stacks[c.job.Vertices[v].ID] {
		stacks = append(stacks, r.stacks...)
	}
	for i := range stacks {
		looks += stacks[i].Count
	}
	return stacks, looks
}
