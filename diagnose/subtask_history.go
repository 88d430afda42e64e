package diagnose

import (
	"slices"
	"time"

	"culprit/flinkapi"
)

// SubtaskHistory is how the subtasks of one vertex did over the last 15 minutes. It is immutable, and refers
// to what the window holds without a copy, so that 2,000 subtasks cost no more than one. A nil one knows
// nothing.
type SubtaskHistory struct {
	Vertex flinkapi.VertexID
	slots  []historySlot
	// old and now are the readings that the rates of bytes are formed from; now is zero without.
	old, now  reading
	span      float64 // seconds between them
	uncounted uncountedSides
	stacks    []stackReading
	frames    *frameTables
}

// historySlot is the vertex's part of one slot.
type historySlot struct {
	at       time.Time
	subtasks []spent
}

// SubtaskPoint is what one slot says of a subtask. Shares are 0..1, rates are records per second.
type SubtaskPoint struct {
	At                        time.Time // the end of the slot, by the source's clock
	Busy, Backpressured, Idle flinkapi.Value
	RecordsIn, RecordsOut     flinkapi.Value
}

// history returns what the window holds of the vertex's subtasks; nil for a vertex that the job does not
// have.
func (e *engine) history(job *flinkapi.Job, id flinkapi.VertexID) *SubtaskHistory {
	v := slices.IndexFunc(job.Vertices, func(v flinkapi.Vertex) bool { return v.ID == id })
	if v < 0 {
		return nil
	}
	h := &SubtaskHistory{
		Vertex: id, uncounted: e.g.uncounted(v),
		slots: make([]historySlot, 0, len(e.w.slots)), stacks: slices.Clone(e.w.stacks[id]), frames: e.w.frames,
	}
	for i := range e.w.slots {
		if s := &e.w.slots[i]; v < len(s.vertices) {
			h.slots = append(h.slots, historySlot{s.to, s.vertices[v].subtasks})
		}
	}
	all := e.w.readings[id]
	if i := earlier(all, e.limits.slot, reading.time); i >= 0 {
		h.old, h.now = all[i], all[len(all)-1]
		h.span = h.now.at.Sub(h.old.at).Seconds()
	}
	return h
}

// Points returns one point per slot, oldest first; what a slot does not tell of the subtask is missing.
func (h *SubtaskHistory) Points(subtask int) []SubtaskPoint {
	if h == nil || subtask < 0 {
		return nil
	}
	out := make([]SubtaskPoint, len(h.slots))
	for i := range h.slots {
		s := &h.slots[i]
		out[i].At = s.at
		if subtask < len(s.subtasks) {
			sh, r := &s.subtasks[subtask], s.subtasks[subtask].rate()
			out[i].Busy, out[i].Backpressured, out[i].Idle = sh.busy.value(), sh.backpressured.value(), sh.idle.value()
			out[i].RecordsIn, out[i].RecordsOut = h.uncounted.leaveOut(r.in, r.out)
		}
	}
	return out
}

// MeanBusy returns the mean busy share of a subtask over the slots that tell it.
func (h *SubtaskHistory) MeanBusy(subtask int) flinkapi.Value {
	if h == nil || subtask < 0 {
		return flinkapi.Value{}
	}
	sum, n := 0.0, 0
	for i := range h.slots {
		if all := h.slots[i].subtasks; subtask < len(all) {
			if x, ok := all[subtask].busy.float(); ok {
				sum, n = sum+x, n+1
			}
		}
	}
	if n == 0 {
		return flinkapi.Value{}
	}
	return flinkapi.Known(sum / float64(n))
}

// Bytes returns the bytes per second that a subtask takes in and gives out; missing where two readings of
// the same attempt are not there, or Flink does not count that side.
func (h *SubtaskHistory) Bytes(subtask int) (in, out flinkapi.Value) {
	if h == nil {
		return in, out
	}
	before, after := taskOf(h.old.subtasks, subtask), taskOf(h.now.subtasks, subtask)
	if before == nil || after == nil || before.Attempt != after.Attempt {
		return in, out
	}
	passed := advanceOf(before, after)
	span, old, now := passed.over(h.span), before.Readings, after.Readings
	in = rateOf(old.Of(flinkapi.BytesRead), now.Of(flinkapi.BytesRead), span)
	out = rateOf(old.Of(flinkapi.BytesWritten), now.Of(flinkapi.BytesWritten), span)
	return h.uncounted.leaveOut(in, out)
}

// taskOf finds a subtask by its index, which nearly always is its place too.
func taskOf(all []flinkapi.Subtask, index int) *flinkapi.Subtask {
	if index >= 0 && index < len(all) && all[index].Index == index {
		return &all[index]
	}
	i := slices.IndexFunc(all, func(s flinkapi.Subtask) bool { return s.Index == index })
	if i < 0 {
		return nil
	}
	return &all[i]
}
