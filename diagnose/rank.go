package diagnose

import (
	"slices"
	"time"
)

// weight is by what culprits of several regions are ranked.
type weight struct {
	loss       time.Duration // until the log deletes what is not read behind it; never where that is far
	growth     float64       // records a second by which the lag behind it grows
	checkpoint time.Duration
	pressure   float64
}

// ranked puts the culprits in order, worst first: by how soon data is lost behind them, by how fast the lag
// there grows, by how long checkpoints take in their region, by how much they hold back. Only what is clearly
// worse comes first, so that noise does not turn the order round; level ones stand in the order in which they
// began.
func (c *Case) ranked(stands []standing) []standing {
	if len(stands) < 2 {
		return stands
	}
	out := slices.Clone(stands)
	slices.SortStableFunc(out, func(a, b standing) int {
		if by := a.since.Compare(b.since); by != 0 {
			return by
		}
		return a.last.vertex - b.last.vertex
	})
	weights := make([]weight, len(out))
	for i := range out {
		weights[i] = c.weight(&out[i])
	}
	for i := range out {
		for k := i; k > 0 && weights[k].worse(&weights[k-1]); k-- {
			out[k], out[k-1] = out[k-1], out[k]
			weights[k], weights[k-1] = weights[k-1], weights[k]
		}
	}
	return out
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
