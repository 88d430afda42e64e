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

// share is how a subtask spent its time: the three add up to 1 where all are known.
type share struct {
	busy, backpressured, idle flinkapi.Value
}

// vertexSlot is one vertex in one slot. The largest and smallest shares are over the subtasks that are known.
type vertexSlot struct {
	finished bool
	// settling is true while no subtask has run long enough for its shares to count.
	settling bool
	// subtasks has a share for each, or is empty where only the vertex as a whole is known; rates stand beside
	// them. Both are dropped once the slot is older than anything that compares subtasks looks back; spent holds
	// the same with less precision, and stays.
	subtasks []share
	rates    []rate
	spent    []spent
	source   bool
	known    int
	total    int
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

// slotRoom is where a slot's shares and rates come from, so that they are allocated once for all vertices.
type slotRoom struct {
	shares []share
	rates  []rate
}

func roomFor(job *flinkapi.Job) *slotRoom {
	n := 0
	for i := range job.Vertices {
		n += len(job.Vertices[i].Subtasks)
	}
	return &slotRoom{make([]share, n), make([]rate, n)}
}

// closeSlot cuts a slot that ends with the newest readings, once enough time has passed since the last one.
func (w *window) closeSlot(s *flinkapi.Snapshot) bool {
	if n := len(w.slots); n > 0 && s.At.Sub(w.slots[n-1].to) < w.limits.slot*9/10 {
		return false
	}
	next := slot{from: s.At.Add(-w.limits.slot), to: s.At, vertices: make([]vertexSlot, len(s.Job.Vertices))}
	if n := len(w.slots); n > 0 {
		next.from = w.slots[n-1].to
	}
	known, room := false, roomFor(s.Job)
	for i := range s.Job.Vertices {
		next.vertices[i] = w.differences(s.Job, &s.Job.Vertices[i], room)
		known = known || next.vertices[i].known > 0
	}
	if !known {
		next.gauges, next.from = true, s.At.Add(-w.limits.gaugeWindow)
		for i := range s.Job.Vertices {
			next.vertices[i] = w.gauges(s.Job, &s.Job.Vertices[i], room)
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

// addSlot keeps a slot, takes away those that are too old, and what is no longer read of the others.
func (w *window) addSlot(next slot) {
	clear(w.loads)
	w.slots = append(w.slots, next)
	old := outlived(w.slots, history, func(s slot) time.Time { return s.to })
	for i := range w.slots[:old] {
		w.tally(&w.slots[i], -1)
	}
	w.slots = slices.Delete(w.slots, 0, old)
	for i := range w.slots {
		s := &w.slots[i]
		if next.to.Sub(s.to) < w.limits.skewWindow {
			break
		}
		for v := range s.vertices {
			s.vertices[v].subtasks, s.vertices[v].rates = nil, nil
		}
	}
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
func (w *window) differences(job *flinkapi.Job, v *flinkapi.Vertex, room *slotRoom) vertexSlot {
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
	out.settling = true
	out.subtasks, out.rates = taken(&room.shares, len(now.subtasks)), taken(&room.rates, len(now.subtasks))
	for k := range now.subtasks {
		before, after := &old.subtasks[k], &now.subtasks[k]
		if after.State == flinkapi.TaskFinished {
			out.total--
		}
		settled := w.settled(job, after)
		out.settling = out.settling && !settled
		passed := advanceOf(before, after)
		if settled && before.Attempt == after.Attempt {
			out.subtasks[k] = shareBetween(before, after, &passed)
		}
		out.rates[k] = rateBetween(before.Readings, after.Readings, passed.over(span))
	}
	out.all = total(out.rates, out.all)
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

// total adds up the rates of all subtasks; where one of them is not known it is what the vertex's own sums
// gave.
func total(rates []rate, sums rate) rate {
	in, out := flinkapi.Known(0), flinkapi.Known(0)
	for _, r := range rates {
		in, out = plus(in, r.in), plus(out, r.out)
	}
	if in.IsKnown() {
		sums.in = in
	}
	if out.IsKnown() {
		sums.out = out
	}
	return sums
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
func (w *window) gauges(job *flinkapi.Job, v *flinkapi.Vertex, room *slotRoom) vertexSlot {
	out := vertexSlot{finished: finished(v), total: v.Parallelism}
	if out.finished || v.State != flinkapi.TaskRunning {
		return out
	}
	if !w.gaugesCount(job, v) {
		out.settling = true
		return out
	}
	if !w.outdated(job, v.SubtasksRead) {
		out.subtasks = taken(&room.shares, len(v.Subtasks))
		for i := range v.Subtasks {
			r := v.Subtasks[i].Readings
			out.subtasks[i] = share{
				r.Of(flinkapi.BusyShare), r.Of(flinkapi.BackpressuredShare), r.Of(flinkapi.IdleShare),
			}
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
	for _, s := range v.subtasks {
		p, ok := s.backpressured.Float()
		if !ok {
			continue
		}
		v.known++
		back = max(back, p)
		if d, ok := s.idle.Float(); ok {
			idle, most = min(idle, d), max(most, d)
		}
		if b, ok := s.busy.Float(); ok {
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
	is := func(s *share) bool {
		b, ok := s.busy.Float()
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
