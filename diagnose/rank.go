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
// there grows, by how long checkpoints take in their region, by how much they hold back. Level ones stand
// in the order in which they began, those that were there from the start in the order of the data: where
// the watch began says nothing of the job. Once the first is established, the order is turned round only by
// what is clearly worse for a firmWindow without a break, so that noise moves nobody.
func (c *Case) ranked(stands []standing, last *ranking) []standing {
	if len(stands) == 0 {
		*last = ranking{}
		return nil
	}
	out := slices.Clone(stands)
	start := c.w.slots[0].from.Add(c.limits.firmWindow)
	slices.SortStableFunc(out, func(a, b standing) int {
		if by := last.place(a.id) - last.place(b.id); last.fixed && by != 0 {
			return by
		}
		if by := latest(a.since, start).Compare(latest(b.since, start)); by != 0 {
			return by
		}
		return a.last.vertex - b.last.vertex
	})
	weights := make([]weight, len(out))
	for i := range out {
		weights[i] = c.weight(&out[i])
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

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
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

func (c *Case) weight(s *standing) weight {
	w := weight{loss: never}
	if s.last.source {
		w.pressure = s.last.score
	}
	for _, v := range s.last.explains {
		w.pressure = max(w.pressure, c.shares(v).backpressured.Or(0))
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

// checkpointTime is how long the newest checkpoint that was read by vertex takes in the region of a culprit.
func (c *Case) checkpointTime(s *standing) time.Duration {
	for i := len(c.w.checkpoints) - 1; i >= 0; i-- {
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
		return longest
	}
	return 0
}
