package diagnose

import (
	"slices"
	"time"

	"culprit/flinkapi"
)

// ranking is the order in which the culprits were told of last.
type ranking struct {
	ids []flinkapi.VertexID
	// fixed is set once the first was established; until then the order is found anew.
	fixed bool
	// since is from when on a culprit was clearly worse, without a break, than the one that stands before it.
	since map[overtaking]time.Time
}

// overtaking is a culprit that is clearly worse than the one that stands before it.
type overtaking struct{ worse, than flinkapi.VertexID }

// weight is by what culprits of several regions are ranked.
type weight struct {
	loss       time.Duration // until the log deletes what is not read behind it; never where that is far
	growth     float64       // records a second by which the lag behind it grows
	checkpoint time.Duration
	pressure   float64
}

// ranked puts the culprits in order, worst first: by how soon data is lost behind them, by how fast the lag
// there grows, by how long checkpoints take in their region, by how much they hold back. Level ones stand in
// the order of the data: when they began depends on when the watch did, so that two who open the same job
// would see two orders. Once the first is established, the order is turned round only by what is clearly
// worse for a firmWindow without a break, so that noise moves nobody.
func (c *Case) ranked(stands []standing, last *ranking) []standing {
	if len(stands) == 0 {
		*last = ranking{}
		return nil
	}
	out := slices.Clone(stands)
	slices.SortStableFunc(out, func(a, b standing) int {
		if by := last.place(a.id) - last.place(b.id); last.fixed && by != 0 {
			return by
		}
		return a.last.vertex - b.last.vertex
	})
	weights := make([]weight, len(out))
	for i := range out {
		weights[i] = c.weight(&out[i], last.fixed)
	}
	next := ranking{since: map[overtaking]time.Time{}}
	for i := range out {
		for k := i; k > 0 && weights[k].worse(&weights[k-1]); k-- {
			if !last.overtakes(overtaking{out[k].id, out[k-1].id}, c.snapshot.At, c.limits.firmWindow, &next) {
				break
			}
			out[k], out[k-1] = out[k-1], out[k]
			weights[k], weights[k-1] = weights[k-1], weights[k]
		}
	}
	for i := range out {
		next.ids = append(next.ids, out[i].id)
	}
	next.fixed = last.fixed || out[0].established
	*last = next
	return out
}

// place is where a culprit stood last; behind all where it did not.
func (r *ranking) place(id flinkapi.VertexID) int {
	if i := slices.Index(r.ids, id); i >= 0 {
		return i
	}
	return len(r.ids)
}

// overtakes tells whether a culprit that is clearly worse now goes before the other, and notes in next since
// when it has been worse.
func (r *ranking) overtakes(o overtaking, now time.Time, patience time.Duration, next *ranking) bool {
	if !r.fixed {
		return true
	}
	since, ok := r.since[o]
	if !ok {
		since = now
	}
	next.since[o] = since
	return now.Sub(since) >= patience
}

// worse compares with a margin of twice as much, or of a quarter of the time.
func (w *weight) worse(o *weight) bool {
	switch {
	case w.loss < o.loss/2:
		return true
	case o.loss < w.loss/2:
		return false
	case w.growth > 2*o.growth:
		return true
	case o.growth > 2*w.growth:
		return false
	case w.checkpoint > 2*o.checkpoint:
		return true
	case o.checkpoint > 2*w.checkpoint:
		return false
	}
	return w.pressure > o.pressure+0.25
}

// weight is what a culprit weighs now. While the order is not fixed, nothing else keeps one slot from
// deciding it, so how much is held back is then the mean over several.
func (c *Case) weight(s *standing, fixed bool) weight {
	w := weight{loss: never}
	if s.last.source {
		w.pressure = s.last.score
	}
	for _, v := range s.last.explains {
		if fixed {
			w.pressure = max(w.pressure, c.shares(v).backpressured.Or(0))
			continue
		}
		w.pressure = max(w.pressure, c.heldLately(v, s.since))
	}
	if s.rhythm != nil { // it may rest just now
		w.pressure = s.rhythm.length.Seconds() / s.rhythm.period.Seconds()
	}
	for _, v := range append([]int{s.last.vertex}, s.last.explains...) {
		if len(c.g.in[v]) > 0 {
			continue
		}
		if lag, ok := c.lagOf(v, c.limits.lagWindow); ok && lag.grows(c.limits) {
			w.growth += lag.slope
		}
		if eta := c.lossAt(v); eta < c.limits.retentionWarning {
			w.loss = min(w.loss, eta)
		}
	}
	w.checkpoint = c.checkpointTime(s)
	return w
}

// heldLately is for how much of the last firmWindow since a time a vertex was held back, so that one slot
// does not weigh.
func (c *Case) heldLately(v int, since time.Time) float64 {
	sum, n := 0.0, 0
	newest := c.newest().to
	for i := range c.w.slots {
		s := &c.w.slots[i]
		if newest.Sub(s.to) >= c.limits.firmWindow || !s.to.After(since) || v >= len(s.vertices) {
			continue
		}
		if back, ok := s.vertices[v].backpressured.Float(); ok {
			sum, n = sum+back, n+1
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// weighedCheckpoints is how many checkpoints must have been read by vertex before they weigh: of one nobody
// knows whether it is like the others.
const weighedCheckpoints = 3

// checkpointTime is the median of how long the newest checkpoints that were read by vertex took in the region
// of a culprit; 0 where too few were read, or that is too short to matter.
func (c *Case) checkpointTime(s *standing) time.Duration {
	var took []float64
	for i := len(c.w.checkpoints) - 1; i >= 0 && len(took) < weighedCheckpoints; i-- {
		if c.w.checkpoints[i].Vertices == nil {
			continue
		}
		var longest time.Duration
		for _, x := range c.w.checkpoints[i].Vertices {
			held := func(v int) bool { return c.job.Vertices[v].ID == x.Vertex }
			if x.Vertex == s.id || slices.ContainsFunc(s.last.explains, held) {
				longest = max(longest, x.Duration)
			}
		}
		took = append(took, longest.Seconds())
	}
	if len(took) < weighedCheckpoints {
		return 0
	}
	if typical := seconds(median(took)); typical >= c.limits.checkpointLeast {
		return typical
	}
	return 0
}
