package diagnose

import (
	"math"

	"culprit/flinkapi"
)

// spent is what a slot keeps of a subtask for as long as the slot itself is kept. A job of 20 000 subtasks
// keeps 90 of each, so it is small.
type spent struct {
	busy                uint32  // billionths of the time; unmeasured where that is not known
	backpressured, idle uint16  // in steps of one least part, or unmeasuredPart
	in, out             float32 // records per second; NaN where they are not known
}

const (
	unmeasured     = math.MaxUint32
	unmeasuredPart = math.MaxUint16
	billion        = 1_000_000_000
	parts          = unmeasuredPart - 1
	// mostRate is more records per second than one subtask can take.
	mostRate = 1e9
)

func spentBy(s share, r rate) spent {
	out := spent{unmeasured, toParts(s.backpressured), toParts(s.idle), narrow(r.in), narrow(r.out)}
	if busy, known := s.busy.Float(); known {
		out.busy = uint32(math.Round(min(busy, 1) * billion))
	}
	return out
}

func toParts(v flinkapi.Value) uint16 {
	x, known := v.Float()
	if !known {
		return unmeasuredPart
	}
	return uint16(math.Round(min(x, 1) * parts))
}

func narrow(v flinkapi.Value) float32 {
	x, known := v.Float()
	if !known {
		return float32(math.NaN())
	}
	return float32(min(x, mostRate))
}

func (s *spent) share() share {
	out := share{backpressured: ofParts(s.backpressured), idle: ofParts(s.idle)}
	if s.busy != unmeasured {
		out.busy = flinkapi.Known(float64(s.busy) / billion)
	}
	return out
}

func ofParts(part uint16) flinkapi.Value {
	if part == unmeasuredPart {
		return flinkapi.Value{}
	}
	return flinkapi.Known(float64(part) / parts)
}

func (s *spent) rate() rate { return rate{wide(s.in), wide(s.out)} }

func wide(x float32) flinkapi.Value {
	if v := flinkapi.Known(float64(x)); v.IsKnown() {
		return v
	}
	return flinkapi.Value{}
}

// tally adds up what the slots of the window keep of a subtask. It is made of whole numbers, so that what
// leaves the window takes away exactly what it had added.
type tally struct {
	span    int64 // ms
	busy    int64 // billionths of a ms
	records int64 // millionths of a record
}

// add takes in a slot of so many milliseconds, with the records on the side that counts; of a negative number
// it takes the slot away.
func (t *tally) add(s *spent, source bool, ms int64) {
	if s.busy == unmeasured {
		return
	}
	t.span += ms
	t.busy += ms * int64(s.busy)
	records := s.in
	if source {
		records = s.out
	}
	if wide(records).IsKnown() {
		t.records += ms * int64(float64(records)*1000)
	}
}

// averages are the busy share and the records per second over all slots.
func (t *tally) averages() (busy, rate float64, known bool) {
	if t.span == 0 {
		return 0, 0, false
	}
	return float64(t.busy) / (float64(t.span) * billion), float64(t.records) / 1000 / float64(t.span), true
}

// keep adds the newest slot to the tallies, after it was judged.
func (w *window) keep(g *graph) {
	s := &w.slots[len(w.slots)-1]
	if more := len(s.vertices) - len(w.tallies); more > 0 {
		w.tallies = append(w.tallies, make([][]tally, more)...)
	}
	n := 0
	for v := range s.vertices {
		n += len(s.vertices[v].subtasks)
	}
	room := make([]spent, n)
	for v := range s.vertices {
		x := &s.vertices[v]
		x.source = len(g.in[v]) == 0
		x.spent = taken(&room, len(x.subtasks))
		for k := range x.subtasks {
			var r rate
			if k < len(x.rates) {
				r = x.rates[k]
			}
			x.spent[k] = spentBy(x.subtasks[k], r)
		}
	}
	w.tally(s, 1)
}

// tally adds a slot to the sums of its subtasks, or with -1 takes it away.
func (w *window) tally(s *slot, sign int64) {
	ms := sign * s.to.Sub(s.from).Milliseconds()
	for v := range s.vertices {
		if !s.measures(v) {
			continue
		}
		x := &s.vertices[v]
		if more := len(x.spent) - len(w.tallies[v]); more > 0 {
			w.tallies[v] = append(w.tallies[v], make([]tally, more)...)
		}
		for k := range x.spent {
			w.tallies[v][k].add(&x.spent[k], x.source, ms)
		}
	}
}

// taken cuts the first n of what is left, or makes them where too few are.
func taken[T any](left *[]T, n int) []T {
	if n > len(*left) {
		return make([]T, n)
	}
	out := (*left)[:n:n]
	*left = (*left)[n:]
	return out
}
