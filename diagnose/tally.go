package diagnose

import (
	"math"
	"slices"
)

// spent is what a slot keeps of a subtask for as long as the slot itself is kept. A job of 20 000 subtasks
// keeps 90 of each, so it is small.
type spent struct {
	busy uint32  // billionths of the time; unmeasured where that is not known
	rate float32 // records per second on the side that counts
}

const (
	unmeasured = math.MaxUint32
	billion    = 1_000_000_000
	// mostRate is more records per second than one subtask can take.
	mostRate = 1e9
)

func spentBy(s share, r rate, source bool) spent {
	busy, known := s.busy.Float()
	if !known {
		return spent{busy: unmeasured}
	}
	return spent{uint32(math.Round(min(busy, 1) * billion)), float32(min(r.side(source).Or(0), mostRate))}
}

// tally adds up what the slots of the window keep of a subtask. It is made of whole numbers, so that what
// leaves the window takes away exactly what it had added.
type tally struct {
	span    int64 // ms
	busy    int64 // billionths of a ms
	records int64 // millionths of a record
}

// add takes in a slot of so many milliseconds; of a negative number it takes the slot away.
func (t *tally) add(s spent, ms int64) {
	if s.busy == unmeasured {
		return
	}
	t.span += ms
	t.busy += ms * int64(s.busy)
	t.records += ms * int64(float64(s.rate)*1000)
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
	if len(w.tallies) < len(s.vertices) {
		w.tallies = slices.Grow(w.tallies, len(s.vertices)-len(w.tallies))[:len(s.vertices)]
	}
	n := 0
	for v := range s.vertices {
		if s.measures(v) {
			n += len(s.vertices[v].subtasks)
		}
	}
	room := make([]spent, n)
	for v := range s.vertices {
		if !s.measures(v) {
			continue
		}
		x := &s.vertices[v]
		x.spent = taken(&room, len(x.subtasks))
		source := len(g.in[v]) == 0
		for k := range x.subtasks {
			var r rate
			if k < len(x.rates) {
				r = x.rates[k]
			}
			x.spent[k] = spentBy(x.subtasks[k], r, source)
		}
	}
	w.tally(s, 1)
}

// tally adds a slot to the sums of its subtasks, or with -1 takes it away.
func (w *window) tally(s *slot, sign int64) {
	ms := sign * s.to.Sub(s.from).Milliseconds()
	for v := range s.vertices {
		all := s.vertices[v].spent
		if more := len(all) - len(w.tallies[v]); more > 0 {
			w.tallies[v] = append(w.tallies[v], make([]tally, more)...)
		}
		for k := range all {
			w.tallies[v][k].add(all[k], ms)
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
