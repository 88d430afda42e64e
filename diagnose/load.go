package diagnose

import (
	"math"
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

// load is how much of its time a vertex has used over the slots of the window, and what its subtasks could
// take: true processing rates, the records of a subtask over its busy share.
type load struct {
	vertex, slots int
	span          time.Duration
	// mean is the busy share of the busiest subtask, averaged over the slots; high is what the busiest subtask
	// of a slot stays below in 95 % of them.
	mean, high float64
	// busiest is the busiest subtask, -1 where shares per subtask are not known; uneven is how many times as
	// busy it is as the median subtask.
	busiest int
	uneven  float64
	// rate is records per second that the vertex takes in, or that a source gives out.
	rate flinkapi.Value
	// each is the records per second that one subtask could take if it were busy all the time.
	each flinkapi.Value
}

// load measures a vertex over the window. It is unknown where a slot is missing its busy share, as with
// sources of the old kind, and where no slot was watched.
func (c *Case) load(v int) (load, bool) {
	c.note(shareSignals()...)
	c.note(rateSignals()...)
	return c.w.load(v)
}

func (w *window) load(v int) (load, bool) {
	if n := len(w.tallies); len(w.loads) < n {
		w.loads = slices.Grow(w.loads, n-len(w.loads))[:n]
	}
	if v >= len(w.loads) {
		return load{}, false
	}
	m := &w.loads[v]
	if !m.done {
		m.load, m.ok = w.measure(v)
		m.done = true
	}
	return m.load, m.ok
}

// measured is a load that was measured, so that the rules that ask for it measure it once a slot.
type measured struct {
	load     load
	ok, done bool
}

func (w *window) measure(v int) (load, bool) {
	out := load{vertex: v, busiest: -1, uneven: 1}
	busiest, rates, rated := w.scratch[:0], 0.0, 0
	for i := range w.courses[v] {
		p := &w.courses[v][i]
		most, ok := p.busy.Float()
		if !ok {
			return load{}, false
		}
		out.span += p.span
		out.mean += most
		busiest = append(busiest, most)
		if r, known := p.rate.Float(); known {
			rates, rated = rates+r, rated+1
		}
	}
	w.scratch = busiest
	if out.slots = len(busiest); out.slots == 0 {
		return load{}, false
	}
	out.mean /= float64(out.slots)
	const most = 0.95
	out.high = nth(busiest, int(math.Ceil(most*float64(len(busiest))))-1)
	if rated > 0 {
		out.rate = flinkapi.Known(rates / float64(rated))
	}
	w.apart(&out, w.tallies[v])
	return out, true
}

// measures tells whether a slot says how busy a vertex was.
func (s *slot) measures(v int) bool {
	return !s.gauges && s.verdict.abstain == "" && v < len(s.vertices) && s.vertices[v].known > 0
}

// apart fills in what needs shares per subtask: the busiest by its own average, and what one could take.
func (w *window) apart(out *load, all []tally) {
	shares := w.scratch[:0]
	capacity, counted := 0.0, 0
	for k := range all {
		b, r, known := all[k].averages()
		if !known {
			continue
		}
		shares = append(shares, b)
		if out.busiest < 0 || b > out.mean {
			out.busiest, out.mean = k, b
		}
		if b >= leastBusy && r > 0 {
			capacity, counted = capacity+r/b, counted+1
		}
	}
	w.scratch = shares
	if len(shares) == 0 {
		return
	}
	if middle := nth(shares, (len(shares)-1)/2); middle > 0 {
		out.uneven = out.mean / middle
	} else if out.mean > 0 {
		out.uneven = math.Inf(1)
	}
	if counted > 0 {
		out.each = flinkapi.Known(capacity / float64(counted))
	}
}

// leastBusy is the busy share below which the records of a subtask over it say little of what it could take:
// timers, checkpoints and rounding take as much.
const leastBusy = 0.01

// readTime is how long the source takes, at its rate, to give out as many records as wait.
func (c *Case) readTime(v int, records float64) flinkapi.Value {
	all, _ := c.rates(v)
	out, ok := all.out.Float()
	if !ok || out <= 0 {
		return flinkapi.Value{}
	}
	return flinkapi.Known(records / out)
}

// worksOff returns a source that reads a backlog faster than it grows: what is busy then is so because of
// that.
func (c *Case) worksOff() (v int, yes bool) {
	for _, v := range c.sources() {
		all, _ := c.rates(v)
		lag, ok := c.lagOf(v, c.limits.lagWindow)
		waits, known := c.readTime(v, lag.records).Float()
		if ok && known && lag.falls(c.limits, all.out) && waits >= c.limits.backlogTime.Seconds() {
			return v, true
		}
	}
	return 0, false
}

// blind says why nothing can be told from the numbers of the tasks now, if so.
func (c *Case) blind() (Finding, bool) {
	c.note(shareSignals()...)
	switch s := c.newest(); {
	case c.job.State != flinkapi.JobRunning:
		return cannotTell("the job is "+strings.ToLower(string(c.job.State)), "a running job"), true
	case c.starting():
		return cannotTell(startingWhy, startingNeeds), true
	case c.stale():
		return cannotTell("all metrics stand still", "fresh metrics of the TaskManagers"), true
	case s == nil:
		return cannotTell("no shares of time are there yet", "two readings of the counters of each subtask"), true
	case s.verdict.abstain != "":
		return cannotTell(s.verdict.abstain, "shares of time of the subtasks"), true
	}
	return Finding{}, false
}
