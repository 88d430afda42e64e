package diagnose

import (
	"time"

	"culprit/flinkapi"
)

// lagTrend is how the lag of a source moves over a span.
type lagTrend struct {
	// records wait now; slope is by how many they change a second, tau how much they keep to one direction.
	records, slope, tau float64
	span                time.Duration
}

// lagTrend returns how the lag of a vertex moves; known is false without enough readings of one.
func (w *window) lagTrend(id flinkapi.VertexID, span time.Duration) (trend lagTrend, known bool) {
	all := w.series[seriesKey{id, flinkapi.PendingRecords}]
	if len(all) == 0 {
		return lagTrend{}, false
	}
	var points []point
	newest := all[len(all)-1].at
	for i := range all {
		if y, ok := all[i].spread.Sum.Float(); ok && newest.Sub(all[i].at) <= span {
			points = append(points, point{all[i].at, y})
		}
	}
	if len(points) == 0 {
		return lagTrend{}, false
	}
	records := points[len(points)-1].y
	if points = withoutStep(points); len(points) < w.limits.lagReadings {
		return lagTrend{}, false
	}
	slope, ok := theilSen(points)
	trend = lagTrend{
		records: records, slope: slope, tau: kendall(points),
		span: points[len(points)-1].at.Sub(points[0].at),
	}
	return trend, ok && trend.span >= w.limits.settle*9/10
}

func (l *lagTrend) grows(limits thresholds) bool { return l.slope > 0 && l.tau >= limits.trendTau }

// falls tells whether the lag grows less by so much, beside the rate at which the source reads, that it is
// worked off. A rate that is not known does not count.
func (l *lagTrend) falls(limits thresholds, read flinkapi.Value) bool {
	return l.slope < 0 && l.tau <= -limits.trendTau && -l.slope >= limits.queueGrowth*read.Or(0)
}

// leastBacklog is how many records must wait at a source for a backlog: what it reads in a slot. Where that
// is not known any record counts.
func (c *Case) leastBacklog(v int) float64 {
	all, _ := c.rates(v)
	return all.out.Or(0) * c.limits.slot.Seconds()
}

// lagOf returns how the lag of a source moves.
func (c *Case) lagOf(v int, span time.Duration) (trend lagTrend, known bool) {
	c.note(flinkapi.PendingRecords)
	return c.w.lagTrend(c.job.Vertices[v].ID, span)
}

// strayLag returns a source whose lag grows without a sign of why: it is held back by nobody, not busy enough
// to be the limit, and not idle, so that it does not wait for its input either.
func (c *Case) strayLag() (v int, found bool) {
	c.note(flinkapi.PendingRecords)
	for v := range c.job.Vertices {
		sh := c.shares(v)
		if sh.growing && sh.known > 0 && sh.idle.Or(0) < c.limits.idle && sh.busy.Or(0) < c.limits.busy &&
			sh.backpressured.Or(0) <= c.limits.low {
			return v, true
		}
	}
	return 0, false
}

// backlog is what is worked off at the sources that a culprit holds back, or at all pressed sources.
type backlog struct {
	records float64
	// fall is by how many they grow less a second.
	fall float64
}

// catchingUp tells whether the sources that are held back work off what waits for them: the lag of each of
// them is known, at least one has a backlog, and each of those falls. A lag that is not known is not good
// news.
func (c *Case) catchingUp(pressed []int) (backlog, bool) {
	var out backlog
	for _, v := range pressed {
		if len(c.g.in[v]) > 0 {
			continue
		}
		lag, known := c.lagOf(v, c.limits.lagWindow)
		all, _ := c.rates(v)
		waits := lag.records > c.leastBacklog(v)
		switch {
		case !known, lag.grows(c.limits):
			return backlog{}, false
		case waits && !lag.falls(c.limits, all.out):
			return backlog{}, false
		case waits:
			out.records += lag.records
			out.fall -= lag.slope
		}
	}
	return out, out.fall > 0
}

// coursing tells whether the job works off a backlog behind a culprit: at the sources that are held back, or,
// where none is any more, in the buffers between them and the culprit, since a lag that has just been worked
// off leaves them full.
func (c *Case) coursing(s *standing) (backlog, bool) {
	if b, ok := c.catchingUp(s.last.explains); ok {
		return b, true
	}
	drains := false
	for _, v := range c.feeders(s) {
		lag, known := c.lagOf(v, c.limits.lagWindow)
		all, _ := c.rates(v)
		switch {
		case known && lag.falls(c.limits, all.out) && lag.records <= c.leastBacklog(v):
			drains = true
		case c.shares(v).backpressured.Or(1) > c.limits.low:
			return backlog{}, false
		}
	}
	return backlog{}, drains
}

// feeders are the sources that lead to a culprit, or itself where it is one.
func (c *Case) feeders(s *standing) []int {
	var out []int
	for v := range c.job.Vertices {
		if len(c.g.in[v]) == 0 && (v == s.last.vertex || c.g.below(v)[s.last.vertex]) {
			out = append(out, v)
		}
	}
	return out
}

// workedOff tells whether a culprit has left nothing behind: the newest slot names nobody and shows no
// backpressure, and at each source that leads to it the lag is known and no backlog waits. One that comes and
// goes is told of while it rests.
func (c *Case) workedOff(s *standing) bool {
	newest := c.newest()
	if !s.established || s.rhythm != nil || s.swing != nil || newest == nil || newest.verdict.abstain != "" ||
		newest.verdict.pressed || len(newest.verdict.named) > 0 {
		return false
	}
	sources := c.feeders(s)
	for _, v := range sources {
		records, _ := c.lag(v)
		n, known := records.Float()
		if !known || n > c.leastBacklog(v) || c.shares(v).backpressured.Or(1) > c.limits.low {
			return false
		}
	}
	return len(sources) > 0
}

// courseOpen tells whether records wait at a source that the culprit holds back, and it is too early to tell
// whether they become more or fewer: working off a backlog looks like a slow operator.
func (c *Case) courseOpen(s *standing) bool {
	if c.snapshot.At.Sub(c.w.started) >= c.limits.lagWindow {
		return false
	}
	for _, v := range s.last.explains {
		if len(c.g.in[v]) > 0 {
			continue
		}
		records, _ := c.lag(v)
		if _, known := c.lagOf(v, c.limits.lagWindow); !known && records.Or(0) > c.leastBacklog(v) {
			return true
		}
	}
	return false
}

// left is how long it takes at this pace.
func (b *backlog) left() time.Duration { return seconds(b.records / b.fall) }

// growsFor tells whether a lag that the culprit causes is seen to grow over a span, and has been watched for
// most of it.
func (c *Case) growsFor(s *standing, span time.Duration) bool {
	for v := range c.job.Vertices {
		if len(c.g.in[v]) > 0 || v != s.last.vertex && !c.g.below(v)[s.last.vertex] {
			continue
		}
		if lag, ok := c.lagOf(v, span); ok && lag.grows(c.limits) && lag.span >= span*2/3 {
			return true
		}
	}
	return false
}

// text says what waits and when it is done.
func (b *backlog) text() string {
	if b.records == 0 {
		return "the sources have caught up, and the rest waits in its buffers"
	}
	return waiting(b.records) + ", at this pace done in " + FormatDuration(b.left())
}
