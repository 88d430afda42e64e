package diagnose

import (
	"maps"
	"slices"
	"time"

	"culprit/flinkapi"
)

// history is how far back slots and readings are kept.
const history = 15 * time.Minute

// window keeps what a job's snapshots said over time and cuts it into slots of shares.
type window struct {
	limits  thresholds
	started time.Time
	round   int
	// shape holds the attempts of all subtasks, by vertex; spare is the one before.
	shape, spare map[flinkapi.VertexID][]int
	// last is the job as it was pushed last; before is what its vertices could take before it was rescaled.
	last   *flinkapi.Job
	before map[flinkapi.VertexID]capacity
	// readings are the counters per vertex over time, newest last, as far back as one slot needs.
	readings map[flinkapi.VertexID][]reading
	cpu      map[flinkapi.TaskManagerID][]cpuReading
	series   map[seriesKey][]spreadReading
	workers  map[flinkapi.TaskManagerID][]workerReading
	stacks   map[flinkapi.VertexID][]stackReading
	frames   *frameTables
	// checkpoints are oldest first; they outlive a restart, as Flink's own history does.
	checkpoints []flinkapi.Checkpoint
	exceptions  []flinkapi.Exception // newest first; they outlive a restart, too
	slots       []slot
	// loads are what was measured of the slots, by vertex, until the next one.
	loads []measured
	// tallies are the sums of what the slots keep, by vertex and subtask.
	tallies [][]tally
	// courses are what the slots say of each vertex as a whole, oldest first.
	courses  [][]coursePoint
	scratch  []float64
	restarts []time.Time // by the source's clock, as they were seen
	// ran is when the job was last seen to run, and rescales when it was given another parallelism, oldest
	// first.
	ran      time.Time
	rescales []rescale
	// stood is true while the metrics stand still; resumed is when they last began to move again.
	stood   bool
	resumed time.Time
	// left is set where nobody looked for a while before the next reading.
	left bool
	now  time.Time // of the newest round
	// counts are the counts of restarts of the last minutes as they changed, oldest first, after the one that
	// held when those minutes began.
	counts []countReading
	// attempt is the highest attempt of any subtask at the last look that read one; nil before.
	attempt *int
}

// rescale is that a vertex was given another parallelism: after the one look at which the job ran as before,
// and by the other, both by the source's clock.
type rescale struct{ after, by time.Time }

type countReading struct {
	at time.Time
	n  float64
}

// reading holds the counters of all subtasks of a vertex at one time.
type reading struct {
	at       time.Time
	subtasks []flinkapi.Subtask
	sums     flinkapi.Readings
}

type cpuReading struct {
	at      time.Time
	seconds float64
}

func newWindow(limits thresholds) *window {
	w := &window{limits: limits, frames: newFrameTables(), before: map[flinkapi.VertexID]capacity{}}
	w.clear()
	return w
}

func (w *window) clear() {
	w.readings = map[flinkapi.VertexID][]reading{}
	w.cpu = map[flinkapi.TaskManagerID][]cpuReading{}
	w.series = map[seriesKey][]spreadReading{}
	w.workers = map[flinkapi.TaskManagerID][]workerReading{}
	w.stacks = map[flinkapi.VertexID][]stackReading{}
	w.slots, w.loads, w.tallies, w.courses = nil, nil, nil, nil
	w.started = time.Time{}
}

// leave takes note that nobody has looked at the job for a while, since others were looked at: no slot spans
// that time, it is not watched, and after long nothing from before it counts.
func (w *window) leave(away time.Duration) {
	switch {
	case w.started.IsZero():
	case away >= w.limits.firmWindow:
		w.clear()
	case away >= w.limits.slot:
		w.readings, w.cpu = map[flinkapi.VertexID][]reading{}, map[flinkapi.TaskManagerID][]cpuReading{}
		w.started, w.left = w.started.Add(away), true
	}
}

// push takes in a snapshot and tells whether it closed a slot. A restart or a rescale empties the window:
// counters begin anew with each attempt.
func (w *window) push(s *flinkapi.Snapshot) (closed bool) {
	job := s.Job
	if reshaped := w.reshaped(job); reshaped || w.startedAnew(job) {
		w.noteRescale(s)
		w.keepCapacities()
		w.clear()
	}
	if w.last = job; job.State == flinkapi.JobRunning {
		w.ran = s.At
	}
	if w.started.IsZero() {
		w.started = s.At
	}
	w.noteRestarts(s)
	w.noteTaskManagers(s.TaskManagers)
	w.noteCheckpoints(job.Checkpoints)
	w.noteExceptions(job.Exceptions)
	if stale(w.limits, s) {
		w.stood = true
		return false
	}
	if w.stood {
		// What lies between is an average over the standstill, and the cluster's own averages hold it too.
		w.clear()
		w.started, w.stood, w.resumed = s.At, false, s.At
	}
	for i := range job.Vertices {
		w.noteSeries(&job.Vertices[i])
	}
	if job.MetricRound == w.round {
		return false
	}
	w.now = s.At
	w.round = job.MetricRound
	for i := range job.Vertices {
		w.noteVertex(job, &job.Vertices[i])
	}
	return w.closeSlot(s)
}

// startedAnew tells whether the job came into RUNNING once more since the last look: its subtasks' attempts
// may be read seconds later, and till then the numbers are those of the attempts before.
func (w *window) startedAnew(job *flinkapi.Job) bool {
	if w.last == nil {
		return false
	}
	before, now := w.last.EnteredAt[flinkapi.JobRunning], job.EnteredAt[flinkapi.JobRunning]
	return !before.IsZero() && now.After(before)
}

// reshaped tells whether the job has other subtasks than before: another plan, parallelism or attempt.
func (w *window) reshaped(job *flinkapi.Job) bool {
	before := w.shape
	w.shape, w.spare = w.spare, w.shape // its room is used again
	if w.shape == nil {
		w.shape = make(map[flinkapi.VertexID][]int, len(job.Vertices))
	}
	changed := before != nil && len(before) != len(job.Vertices)
	for i := range job.Vertices {
		v := &job.Vertices[i]
		attempts := w.shape[v.ID][:0]
		for range v.Parallelism {
			attempts = append(attempts, unread)
		}
		for k := range v.Subtasks {
			if s := &v.Subtasks[k]; s.Index < len(attempts) {
				attempts[s.Index] = s.Attempt
			}
		}
		w.shape[v.ID] = attempts
		changed = changed || (before != nil && !sameAttempts(before[v.ID], attempts))
	}
	if len(w.shape) > len(job.Vertices) {
		maps.DeleteFunc(w.shape, func(id flinkapi.VertexID, _ []int) bool { return job.Vertex(id) == nil })
	}
	return changed
}

// unread stands for an attempt that was not read yet.
const unread = -1

func sameAttempts(a, b []int) bool {
	return slices.EqualFunc(a, b, func(x, y int) bool { return x == y || x == unread || y == unread })
}

// noteRescale keeps when a vertex was given another parallelism, which restarts the job without a failure.
func (w *window) noteRescale(s *flinkapi.Snapshot) {
	w.rescales = slices.DeleteFunc(w.rescales, func(r rescale) bool {
		return s.At.Sub(r.by) > max(w.limits.restartWindow, w.limits.restartTold)
	})
	for i := range s.Job.Vertices {
		v := &s.Job.Vertices[i]
		if before := w.last.Vertex(v.ID); before != nil && before.Parallelism != v.Parallelism {
			w.rescales = append(w.rescales, rescale{w.ran, s.At})
			return
		}
	}
}

// byRescale tells whether a restart of that time was a rescale that was seen.
func (w *window) byRescale(at time.Time) bool {
	return slices.ContainsFunc(w.rescales, func(r rescale) bool { return r.explains(at, 0) })
}

// explains tells whether the rescale was a restart of that time, which may be seen as much later.
func (r rescale) explains(at time.Time, late time.Duration) bool {
	return !at.Before(r.after) && !at.After(r.by.Add(late))
}

// failures are the times of the restarts that no rescale explains. Each explains one. The count of restarts
// is a metric, which comes up to two collections later than the plan.
func (w *window) failures() []time.Time {
	left := slices.Clone(w.rescales)
	var out []time.Time
	for _, at := range w.restarts {
		i := slices.IndexFunc(left, func(r rescale) bool { return r.explains(at, 2*w.limits.slot) })
		if i < 0 {
			out = append(out, at)
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	return out
}

// noteRestarts keeps the times at which the job was seen to restart: by its state, or by the count of
// restarts.
func (w *window) noteRestarts(s *flinkapi.Snapshot) {
	if now, known := s.Job.Restarts.Float(); known {
		if n := len(w.counts); n > 0 && now > w.counts[n-1].n {
			for range int(min(now-w.counts[n-1].n, maxRestartsPerLook)) {
				w.restarts = append(w.restarts, s.At)
			}
		} else if n > 0 && now < w.counts[n-1].n {
			w.counts = nil // of another JobManager
		}
		if n := len(w.counts); n == 0 || now != w.counts[n-1].n {
			w.counts = append(w.counts, countReading{s.At, now})
		}
	}
	w.noteAttempts(s)
	for len(w.counts) > 1 && s.At.Sub(w.counts[1].at) >= w.limits.restartWindow {
		w.counts = w.counts[1:]
	}
	w.restarts = slices.DeleteFunc(
		w.restarts,
		func(at time.Time) bool { return s.At.Sub(at) > w.limits.restartWindow },
	)
}

// noteAttempts tells restarts by the highest attempt of any subtask where Flink's count is not known.
func (w *window) noteAttempts(s *flinkapi.Snapshot) {
	highest := unread
	for i := range s.Job.Vertices {
		for k := range s.Job.Vertices[i].Subtasks {
			highest = max(highest, s.Job.Vertices[i].Subtasks[k].Attempt)
		}
	}
	if highest == unread {
		return
	}
	if before := w.attempt; before != nil && !s.Job.Restarts.IsKnown() {
		for range min(highest-*before, maxRestartsPerLook) {
			w.restarts = append(w.restarts, s.At)
		}
	}
	w.attempt = &highest
}

// restartsCounted returns by how much the count of restarts rose in the last minutes, and over how long that
// was watched.
func (w *window) restartsCounted(at time.Time) (n int, over time.Duration) {
	if len(w.counts) == 0 {
		return 0, 0
	}
	first, last := w.counts[0], w.counts[len(w.counts)-1]
	return int(last.n - first.n), min(at.Sub(first.at), w.limits.restartWindow)
}

// maxRestartsPerLook bounds what one look adds; more of them say nothing more.
const maxRestartsPerLook = 10

// restartsLately returns how long ago the restarts of the last minutes were, the newest first, by what was
// seen or by the exception history, which also tells of the time before the watch began.
func (w *window) restartsLately(s *flinkapi.Snapshot) []time.Duration {
	var told, seen []time.Duration
	for _, e := range s.Job.Exceptions {
		if ago := s.Job.Now.Sub(e.At); !e.At.IsZero() && ago <= w.limits.restartWindow {
			told = append(told, ago)
		}
	}
	for _, at := range w.failures() {
		seen = append(seen, s.At.Sub(at))
	}
	if len(told) < len(seen) {
		told = seen
	}
	slices.Sort(told)
	return told
}

func (w *window) noteTaskManagers(all []flinkapi.TaskManager) {
	for i := range all {
		tm := &all[i]
		w.noteWorker(tm)
		seconds, ok := tm.Readings.Of(flinkapi.CPUTime).Float()
		if !ok {
			continue
		}
		old := w.cpu[tm.ID]
		if n := len(old); n > 0 && (seconds == old[n-1].seconds || !tm.ReadingsRead.After(old[n-1].at)) {
			continue
		}
		if n := len(old); n > 0 && seconds < old[n-1].seconds {
			old = nil // the process was replaced
		}
		w.cpu[tm.ID] = keepSpan(append(old, cpuReading{tm.ReadingsRead, seconds}), w.span(), cpuReading.time)
	}
}

func (r cpuReading) time() time.Time { return r.at }
func (r reading) time() time.Time    { return r.at }

// span is how long readings are kept: enough for a slot that had to wait for its vertex's turn.
func (w *window) span() time.Duration { return 6 * w.limits.slot }

// keepSpan drops the readings that are outlived. Those that stay stay where they are, since a fork of the
// window may share them.
func keepSpan[T any](all []T, span time.Duration, at func(T) time.Time) []T {
	return all[outlived(all, span, at):]
}

// outlived returns how many readings are older than span before the newest; never the last two.
func outlived[T any](all []T, span time.Duration, at func(T) time.Time) int {
	newest := at(all[len(all)-1])
	first := 0
	for first < len(all)-2 && newest.Sub(at(all[first])) > span {
		first++
	}
	return first
}

func (w *window) noteVertex(job *flinkapi.Job, v *flinkapi.Vertex) {
	at := v.SubtasksRead
	if at.IsZero() {
		at = job.Read
	}
	old := w.readings[v.ID]
	if n := len(old); n == 0 || at.After(old[n-1].at) {
		all := keepSpan(append(old, reading{at, v.Subtasks, v.Sums}), w.span(), reading.time)
		// What lies before the one that a slot begins with is never read again.
		w.readings[v.ID] = slices.Delete(all, 0, max(earlier(all, w.limits.slot, reading.time), 0))
	}
}

// cores returns how many cores a TaskManager used over its newest slot.
func (w *window) cores(id flinkapi.TaskManagerID) flinkapi.Value {
	all := w.cpu[id]
	i := earlier(all, w.limits.slot, cpuReading.time)
	if i < 0 {
		return flinkapi.Value{}
	}
	newest := all[len(all)-1]
	return flinkapi.Known((newest.seconds - all[i].seconds) / newest.at.Sub(all[i].at).Seconds())
}

// earlier returns the index of the youngest reading that lies a slot before the newest one, or -1. A tenth
// of the slot is forgiven, since answers do not come on the dot.
func earlier[T any](all []T, slot time.Duration, at func(T) time.Time) int {
	if len(all) == 0 {
		return -1
	}
	newest := at(all[len(all)-1])
	for i := len(all) - 2; i >= 0; i-- {
		if newest.Sub(at(all[i])) >= slot*9/10 {
			return i
		}
	}
	return -1
}
