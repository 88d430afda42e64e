package diagnose

import (
	"slices"
	"time"

	"culprit/flinkapi"
)

// Flink's smallest and largest watermark, of an operator that has none yet and of one whose inputs have
// ended, are about this many seconds from 1970.
const (
	noWatermark   = -9e15
	lastWatermark = 9e15
)

// mark is the watermark of a vertex at one time: of its subtask that is the furthest behind, and of the one
// that is the furthest ahead, in seconds since 1970.
type mark struct {
	at        time.Time
	low, high float64
}

// marks returns the watermarks of a vertex over the window, oldest first.
func (c *Case) marks(v int, signal flinkapi.Signal) []mark {
	var out []mark
	for _, r := range c.series(v, signal) {
		low, okLow := r.spread.Min.Float()
		high, okHigh := r.spread.Max.Float()
		if okLow && okHigh {
			out = append(out, mark{r.at, low, high})
		}
	}
	return out
}

// lastMark returns the newest of them.
func (c *Case) lastMark(v int, signal flinkapi.Signal) (mark, bool) {
	all := c.marks(v, signal)
	if len(all) == 0 {
		return mark{}, false
	}
	return all[len(all)-1], true
}

// asOf returns the newest that was read when another was, or before.
func asOf(all []mark, at time.Time) (mark, bool) {
	for _, m := range slices.Backward(all) {
		if !m.at.After(at) {
			return m, true
		}
	}
	return mark{}, false
}

// stoodFor is for how long a watermark has been seen to be what it is now.
func stoodFor(all []mark, side func(mark) float64) time.Duration {
	first := len(all) - 1
	for first > 0 && side(all[first-1]) == side(all[len(all)-1]) {
		first--
	}
	if first < 0 {
		return 0
	}
	return all[len(all)-1].at.Sub(all[first].at)
}

func lowSide(m mark) float64  { return m.low }
func highSide(m mark) float64 { return m.high }

// origins returns the vertices that make the watermarks which reach v: sources, or those further down that
// give records new timestamps, which have a watermark though nothing above them has one.
func (c *Case) origins(v int) []int {
	var out []int
	seen := make([]bool, len(c.job.Vertices))
	var climb func(int)
	climb = func(u int) {
		if seen[u] {
			return
		}
		seen[u] = true
		next := c.g.in[u]
		if c.hasWatermark(u) {
			next = slices.DeleteFunc(slices.Clone(next), func(w int) bool { return !c.hasWatermark(w) })
		}
		if len(next) == 0 {
			out = append(out, u)
		}
		for _, w := range next {
			climb(w)
		}
	}
	for _, u := range c.g.in[v] {
		climb(u)
	}
	return out
}

func (c *Case) hasWatermark(v int) bool {
	m, ok := c.lastMark(v, flinkapi.OutputWatermark)
	return ok && m.high > noWatermark
}

// heldAbove tells whether a vertex from origin u down to v is backpressured: then records wait there, and the
// watermarks behind them.
func (c *Case) heldAbove(u, v int) bool {
	below, above := c.g.below(u), c.g.above(v)
	for w := range c.job.Vertices {
		if between := w == u || below[w] && above[w]; between && c.shares(w).backpressured.Or(0) > c.limits.low {
			return true
		}
	}
	return false
}

// behind is the origin whose watermark is the furthest behind of those that reach a vertex, and how far the
// furthest ahead is from it.
type behind struct {
	origin, ahead int
	low           mark
	gap           float64 // seconds; infinite where the one behind has no watermark
	readings      []mark  // of the origin
}

// furthestBehind compares the origins of v as of when v itself was read.
func (c *Case) furthestBehind(v int, at time.Time) (b behind, known bool) {
	high := 0.0
	for _, u := range c.origins(v) {
		all := c.marks(u, flinkapi.OutputWatermark)
		m, ok := asOf(all, at.Add(c.limits.slot))
		if !ok {
			return behind{}, false
		}
		if !known || m.low < b.low.low {
			b.origin, b.low, b.readings = u, m, all
		}
		if !known || m.high > high {
			b.ahead, high = u, m.high
		}
		known = true
	}
	b.gap = high - b.low.low
	return b, known
}
