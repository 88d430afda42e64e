package sim

import (
	"math"
	"time"
)

// Event time: how far sources are in it, what holds their watermarks, and what reaches the operators below.
// Seconds are since the start of the cluster.

const (
	// defaultOutOfOrder is the bound of the watermark strategy of a source.
	defaultOutOfOrder = 5 * time.Second
	// noWatermark is what Flink reports before the first watermark: Long.MIN_VALUE.
	noWatermark = float64(math.MinInt64)
	// alignEvery is the update interval of watermark alignment, in seconds.
	alignEvery = 1
)

// reached notes how far in event time a source has come with what it has just taken.
func (s *supply) reached(now float64) {
	s.event = now
	if s.log && s.rate > 0 {
		s.event = now - s.backlog/s.rate
	}
	s.begun = true
}

// lagSeconds is how long ago the oldest record that waits was made.
func (s *supply) lagSeconds() float64 {
	if !s.log || s.rate <= 0 {
		return 0
	}
	return s.backlog / s.rate
}

func (s *Source) outOfOrder() float64 { return orElse(s.OutOfOrder, defaultOutOfOrder).Seconds() }

// mark is the watermark of a source's subtask; without a record it has none.
func (t *task) mark(s *Source) (seconds float64, ok bool) {
	return t.supply.event - s.outOfOrder(), t.supply.begun
}

// silent tells whether a subtask of a source is idle for its watermark strategy, so that nobody waits for it.
func (t *task) silent(s *Source) bool {
	return s != nil && s.Idleness > 0 && t.supply.event+s.Idleness.Seconds() < t.supply.now
}

// align holds the subtasks that are ahead of what the slowest of their group allows. What it allows is
// announced once a second.
func (n *network) align() {
	if math.Floor(n.now/alignEvery) != math.Floor((n.now-n.step)/alignEvery) {
		n.announce()
	}
	n.eachAligned(func(s *Source, t *task) {
		mark, ok := t.mark(s)
		if !ok {
			return
		}
		t.supply.drift = mark - n.allowed[s.Group]
		t.supply.held = t.supply.drift > 0
	})
}

// announce sets how far each group may go: as far as its slowest member and the drift. One without a
// watermark holds all.
func (n *network) announce() {
	n.allowed = map[string]float64{}
	n.eachAligned(func(s *Source, t *task) {
		mark, ok := t.mark(s)
		if !ok {
			mark = noWatermark / 1000
		}
		if low, seen := n.allowed[s.Group]; !t.silent(s) && t.active && (!seen || mark+s.Drift.Seconds() < low) {
			n.allowed[s.Group] = mark + s.Drift.Seconds()
		}
	})
}

// eachAligned calls f for the subtasks of the sources that align their watermarks.
func (n *network) eachAligned(f func(s *Source, t *task)) {
	for v := range n.vertices {
		vx := &n.vertices[v]
		if vx.Source == nil || vx.Source.Group == "" {
			continue
		}
		for i := range vx.tasks {
			f(vx.Source, &vx.tasks[i])
		}
	}
}

// watermark is the event time that a subtask has reached, as epoch ms: that of its sources, less the time
// that the records ahead of it wait in the queues on the way. quiet says that it is idle, and no one waits
// for it.
func (c *Cluster) watermark(j *job, v, i int, above [][]sample) (millis float64, quiet bool) {
	vx := &j.net.vertices[v]
	t := &vx.tasks[i]
	if len(vx.in) == 0 {
		return c.sourceMark(vx, t)
	}
	mark, quiet := math.Inf(1), true
	for _, e := range vx.in {
		edge := &j.net.edges[e]
		for _, s := range edge.sendersTo(i, above[edge.From]) {
			if s.quiet {
				continue
			}
			quiet = false
			if !s.present || s.watermark == noWatermark {
				return noWatermark, false
			}
			mark = min(mark, s.watermark)
		}
		if q := &edge.queues[i]; q.taken > 0 && t.busy+t.blocked+t.idle > 0 {
			rate := q.taken / (t.busy + t.blocked + t.idle)
			mark -= math.Floor(1000 * q.waiting() / rate)
		}
	}
	if quiet {
		return noWatermark, true
	}
	return max(mark, noWatermark), false
}

// sourceMark is the watermark that a subtask of a source gives out.
func (c *Cluster) sourceMark(v *vertex, t *task) (millis float64, quiet bool) {
	source := v.Source
	if source == nil {
		source = &Source{}
	}
	mark, ok := t.mark(source)
	if !ok {
		return noWatermark, t.silent(source)
	}
	return float64(c.cfg.Start.UnixMilli()) + math.Floor(1000*mark), t.silent(source)
}

// sendersTo are those of the senders that send to receiver i.
func (e *edge) sendersTo(i int, all []sample) []sample {
	for _, g := range e.groups {
		if i >= g.receivers.from && i < g.receivers.to {
			return all[g.senders.from:min(g.senders.to, len(all))]
		}
	}
	return nil
}
