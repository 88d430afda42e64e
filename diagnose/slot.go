package diagnose

import (
	"math"
	"slices"
	"time"

	"culprit/flinkapi"
)

// slot holds the shares of time of all subtasks over one span of the job's life.
type slot struct {
	from, to time.Time
	// gauges is true where the shares are the cluster's own 60 s gauges, not differences of the counters.
	gauges   bool
	vertices []vertexSlot // in the snapshot's order
	verdict  slotVerdict
	// pressure is the largest backpressured share of all subtasks, busy the largest busy share.
	pressure, busy flinkapi.Value
}

// vertexSlot is one vertex in one slot. The largest and smallest shares are over the subtasks that are known.
type vertexSlot struct {
	finished bool
	// settling is true while no subtask has run long enough for its shares to count.
	settling bool
	// subtasks has one entry for each, or is empty where only the vertex as a whole is known. It is never
	// written again: reports hold it, too.
	subtasks []spent
	// counted is true where the records of the subtasks were counted, false where only gauges were there.
	counted bool
	source  bool
	known   int
	total   int
	// busy and backpressured are the largest, idle the smallest share.
	busy, backpressured, idle flinkapi.Value
	maxIdle, leastBusy        flinkapi.Value
	// lead is the largest busy minus backpressured share of one subtask.
	lead flinkapi.Value
	all  rate
	// inPool and outPool are the fullest buffer pools; missing where they were not read lately.
	inPool, outPool flinkapi.Value
	// growing is true for a source whose lag is seen to grow.
	growing bool
	// read is when the newest counters that the shares are formed from were read; zero where they are averages.
	read time.Time
}

// rate is records per second.
type rate struct {
	in, out flinkapi.Value
}

// side is the records that count: what comes in, or what a source gives out.
func (r rate) side(source bool) flinkapi.Value {
	if source {
		return r.out
	}
	return r.in
}

// roomFor is what a slot keeps of all subtasks, allocated once for all vertices.
func roomFor(job *flinkapi.Job) []spent {
	n := 0
	for i := range job.Vertices {
		n += len(job.Vertices[i].Subtasks)
	}
	return make([]spent, n)
}

// closeSlot cuts a slot that ends with the newest readings, once enough time has passed since the last one.
func (w *window) closeSlot(s *flinkapi.Snapshot) bool {
	if n := len(w.slots); n > 0 && s.At.Sub(w.slots[n-1].to) < w.limits.slot*9/10 {
		return false
	}
	next := slot{from: s.At.Add(-w.limits.slot), to: s.At, vertices: make([]vertexSlot, len(s.Job.Vertices))}
	if n := len(w.slots); n > 0 && !w.left {
		next.from = w.slots[n-1].to
	}
	known, room := false, roomFor(s.Job)
	for i := range s.Job.Vertices {
		next.vertices[i] = w.differences(s.Job, &s.Job.Vertices[i], &room)
		known = known || next.vertices[i].known > 0
	}
	if !known {
		next.gauges, next.from = true, s.At.Add(-w.limits.gaugeWindow)
		for i := range s.Job.Vertices {
			next.vertices[i] = w.gauges(s.Job, &s.Job.Vertices[i], &room)
			known = known || next.vertices[i].known > 0
		}
	}
	if !known {
		return false
	}
	for i := range s.Job.Vertices {
		v := &next.vertices[i]
		w.addSpread(v, s.Job, &s.Job.Vertices[i])
		next.pressure, next.busy = larger(next.pressure, v.backpressured), larger(next.busy, v.busy)
	}
	w.addSlot(next)
	return true
}

// addSlot keeps a slot and takes away those that are too old.
func (w *window) addSlot(next slot) {
	clear(w.loads)
	w.slots, w.left = append(w.slots, next), false
	old := outlived(w.slots, history, func(s slot) time.Time { return s.to })
	for i := range w.slots[:old] {
		w.forget(&w.slots[i])
	}
	w.slots = slices.Delete(w.slots, 0, old)
}

// addSpread adds what is known of a vertex's buffers and of its lag.
func (w *window) addSpread(out *vertexSlot, job *flinkapi.Job, v *flinkapi.Vertex) {
	if !v.SpreadRead.IsZero() && !w.outdated(job, v.SpreadRead) {
		out.inPool, out.outPool = v.Spread[flinkapi.InPoolUsage].Max, v.Spread[flinkapi.OutPoolUsage].Max
	}
	lag, ok := w.lagTrend(v.ID, w.limits.lagWindow)
	out.growing = ok && lag.grows(w.limits)
}

// differences forms the shares of a vertex from its counters: each difference over the sum of the three,
// which needs no clock. A vertex whose turn has not come keeps to its gauges.
func (w *window) differences(job *flinkapi.Job, v *flinkapi.Vertex, room *[]spent) vertexSlot {
	all := w.readings[v.ID]
	i := earlier(all, w.limits.slot, reading.time)
	if finished(v) || i < 0 {
		return vertexSlot{finished: finished(v), total: v.Parallelism}
	}
	old, now := all[i], all[len(all)-1]
	if w.outdated(job, now.at) {
		return w.gauges(job, v, room)
	}
	out := vertexSlot{total: v.Parallelism}
	span := now.at.Sub(old.at).Seconds()
	out.all = rateBetween(old.sums, now.sums, span)
	if len(now.subtasks) == 0 || len(now.subtasks) != len(old.subtasks) {
		return w.gauges(job, v, room)
	}
	out.settling, out.counted, out.read = true, true, now.at
	out.subtasks = taken(room, len(now.subtasks))
	sum := rate{flinkapi.Known(0), flinkapi.Known(0)}
	for k := range now.subtasks {
		before, after := &old.subtasks[k], &now.subtasks[k]
		if after.State == flinkapi.TaskFinished {
			out.total--
		}
		settled := w.settled(job, after)
		out.settling = out.settling && !settled
		passed, to := advanceOf(before, after), &out.subtasks[k]
		*to = unspent()
		if settled && before.Attempt == after.Attempt {
			to.shareBetween(before, after, &passed)
		}
		r := rateBetween(before.Readings, after.Readings, passed.over(span))
		to.in, to.out = narrow(r.in), narrow(r.out)
		sum.in, sum.out = plus(sum.in, r.in), plus(sum.out, r.out)
	}
	// Where one of them is not known, the whole is what the vertex's own sums gave.
	if sum.in.IsKnown() {
		out.all.in = sum.in
	}
	if sum.out.IsKnown() {
		out.all.out = sum.out
	}
	out.finished = out.total == 0
	out.sumUp()
	if out.known == 0 && !out.settling {
		return w.gauges(job, v, room)
	}
	return out
}

// outdated tells whether a reading is older than a vertex waits for its turn: the reads since then have
// failed.
func (w *window) outdated(job *flinkapi.Job, read time.Time) bool {
	return job.Read.Sub(read) > w.span()
}

func finished(v *flinkapi.Vertex) bool {
	return v.State == flinkapi.TaskFinished ||
		(v.Parallelism > 0 && v.Tasks[flinkapi.TaskFinished] == v.Parallelism)
}

// settled tells whether a subtask has been RUNNING long enough for its numbers to mean something.
func (w *window) settled(job *flinkapi.Job, s *flinkapi.Subtask) bool {
	if s.State != flinkapi.TaskRunning {
		return false
	}
	if running, ok := s.Running.Float(); ok {
		return running >= w.limits.settle.Seconds()
	}
	return !s.StartedAt.IsZero() && job.Now.Sub(s.StartedAt) >= w.limits.settle
}

func plus(a, b flinkapi.Value) flinkapi.Value {
	x, okX := a.Float()
	y, okY := b.Float()
	if !okX || !okY {
		return flinkapi.Value{}
	}
	return flinkapi.Known(x + y)
}

// gauges forms a vertex's shares from the cluster's own averages, per subtask where they are there.
func (w *window) gauges(job *flinkapi.Job, v *flinkapi.Vertex, room *[]spent) vertexSlot {
	out := vertexSlot{finished: finished(v), total: v.Parallelism}
	if out.finished || v.State != flinkapi.TaskRunning {
		return out
	}
	if !w.gaugesCount(job, v) {
		out.settling = true
		return out
	}
	if !w.outdated(job, v.SubtasksRead) {
		out.subtasks = taken(room, len(v.Subtasks))
		for i := range v.Subtasks {
			r, to := v.Subtasks[i].Readings, &out.subtasks[i]
			*to = unspent()
			to.busy, to.idle = billionthsFrom(r.Of(flinkapi.BusyShare)), billionthsFrom(r.Of(flinkapi.IdleShare))
			to.backpressured = billionthsFrom(r.Of(flinkapi.BackpressuredShare))
		}
		out.sumUp()
	}
	if out.known > 0 {
		return out
	}
	out.subtasks = nil
	if w.outdated(job, v.SpreadRead) {
		return out
	}
	busy, back := v.Spread[flinkapi.BusyShare], v.Spread[flinkapi.BackpressuredShare]
	idle := v.Spread[flinkapi.IdleShare]
	if !back.Max.IsKnown() {
		return out
	}
	out.known = v.Parallelism
	out.busy, out.backpressured, out.idle, out.maxIdle = busy.Max, back.Max, idle.Min, idle.Max
	out.leastBusy = busy.Min
	out.all.in, out.all.out = v.Spread[flinkapi.RecordsInRate].Sum, v.Spread[flinkapi.RecordsOutRate].Sum
	if b, ok := busy.Max.Float(); ok {
		// The largest busy share belongs to a subtask that is backpressured at most for the rest, and at least
		// for the minimum.
		out.lead = flinkapi.Known(b - min(back.Min.Or(0), 1-b))
	}
	return out
}

// gaugesCount tells whether the vertex has run, and its metrics have moved, for longer than its gauges look
// back.
func (w *window) gaugesCount(job *flinkapi.Job, v *flinkapi.Vertex) bool {
	since := job.EnteredAt[flinkapi.JobRunning]
	for i := range v.Subtasks {
		if v.Subtasks[i].StartedAt.After(since) {
			since = v.Subtasks[i].StartedAt
		}
	}
	lookBack := w.limits.gaugeWindow
	return !since.IsZero() && job.Now.Sub(since) >= lookBack &&
		(w.resumed.IsZero() || w.now.Sub(w.resumed) >= lookBack)
}

// sumUp fills in what is said of the vertex as a whole from its subtasks.
func (v *vertexSlot) sumUp() {
	busy, back, idle, most, lead := math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	v.known = 0
	for i := range v.subtasks {
		s := &v.subtasks[i]
		p, ok := s.backpressured.float()
		if !ok {
			continue
		}
		v.known++
		back = max(back, p)
		if d, ok := s.idle.float(); ok {
			idle, most = min(idle, d), max(most, d)
		}
		if b, ok := s.busy.float(); ok {
			busy, lead = max(busy, b), max(lead, b-p)
		}
	}
	v.busy, v.backpressured, v.idle = finite(busy), finite(back), finite(idle)
	v.maxIdle, v.lead = finite(most), finite(lead)
}

// finite returns the value of x, missing where nothing was compared.
func finite(x float64) flinkapi.Value {
	if math.IsInf(x, 0) {
		return flinkapi.Value{}
	}
	return flinkapi.Known(x)
}

// busyAtLeast returns the subtasks that are busy at least that much, in order.
func (v *vertexSlot) busyAtLeast(least float64) []int {
	is := func(s *spent) bool {
		b, ok := s.busy.float()
		return ok && b >= least
	}
	n := 0
	for i := range v.subtasks {
		if is(&v.subtasks[i]) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	out := make([]int, 0, n)
	for i := range v.subtasks {
		if is(&v.subtasks[i]) {
			out = append(out, i)
		}
	}
	return out
}
