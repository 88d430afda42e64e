package diagnose

import (
	"slices"
	"time"

	"culprit/flinkapi"
)

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
	if _, known := s.busy.float(); !known {
		return
	}
	t.span += ms
	t.busy += ms * int64(s.busy)
	records := s.in
	if source {
		records = s.out
	}
	if records >= 0 {
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

// coursePoint is what one slot says of a vertex as a whole. The points of a vertex lie side by side, as all
// of them are read at once.
type coursePoint struct {
	span time.Duration
	busy flinkapi.Value
	rate flinkapi.Value // records per second on the side that counts
}

// keep adds the newest slot to the tallies and courses, after it was judged.
func (w *window) keep(g *graph) {
	s := &w.slots[len(w.slots)-1]
	if more := len(s.vertices) - len(w.tallies); more > 0 {
		w.tallies = append(w.tallies, make([][]tally, more)...)
		w.courses = append(w.courses, make([][]coursePoint, more)...)
	}
	for v := range s.vertices {
		x := &s.vertices[v]
		x.source = len(g.in[v]) == 0
		if s.measures(v) {
			w.courses[v] = append(w.courses[v], coursePoint{s.to.Sub(s.from), x.busy, x.all.side(x.source)})
		}
	}
	w.tally(s, 1)
}

// forget takes the oldest slot away from the tallies and courses.
func (w *window) forget(s *slot) {
	w.tally(s, -1)
	for v := range s.vertices {
		if s.measures(v) {
			w.courses[v] = slices.Delete(w.courses[v], 0, 1)
		}
	}
}

// tally adds a slot to the sums of its subtasks, or with -1 takes it away.
func (w *window) tally(s *slot, sign int64) {
	ms := sign * s.to.Sub(s.from).Milliseconds()
	for v := range s.vertices {
		if !s.measures(v) {
			continue
		}
		x := &s.vertices[v]
		if more := len(x.subtasks) - len(w.tallies[v]); more > 0 {
			w.tallies[v] = append(w.tallies[v], make([]tally, more)...)
		}
		for k := range x.subtasks {
			w.tallies[v][k].add(&x.subtasks[k], x.source, ms)
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
