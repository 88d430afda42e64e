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
	return c.w.load(v, len(c.g.in[v]) == 0)
}

func (w *window) load(v int, source bool) (load, bool) {
	if w.loads == nil {
		w.loads = map[int]measured{}
	}
	known, ok := w.loads[v]
	if !ok {
		known.load, known.ok = w.measure(v, source)
		w.loads[v] = known
	}
	return known.load, known.ok
}

// measured is a load that was measured, so that the rules that ask for it measure it once a slot.
type measured struct {
	load load
	ok   bool
}

func (w *window) measure(v int, source bool) (load, bool) {
	n := len(w.slots)
	m := meter{source: source, busiest: make([]float64, 0, n), rates: make([]float64, 0, n)}
	for i := range w.slots {
		s := &w.slots[i]
		if s.gauges || s.verdict.abstain != "" || v >= len(s.vertices) || s.vertices[v].known == 0 {
			continue
		}
		if !m.add(&s.vertices[v], s.to.Sub(s.from)) {
			return load{}, false
		}
	}
	if len(m.busiest) == 0 {
		return load{}, false
	}
	out := m.sum()
	out.vertex = v
	return out, true
}

// meter adds up the slots of one vertex.
type meter struct {
	source  bool
	span    time.Duration
	busiest []float64 // the busiest subtask, by slot
	// By subtask, over the slots in which each was known.
	busy, seconds, records []float64
	rates                  []float64 // of the vertex, by slot
}

func (m *meter) add(v *vertexSlot, d time.Duration) bool {
	most, ok := v.busy.Float()
	if !ok {
		return false
	}
	m.span += d
	m.busiest = append(m.busiest, most)
	if r, known := m.side(v.all).Float(); known {
		m.rates = append(m.rates, r)
	}
	if len(v.subtasks) > len(m.busy) {
		more := make([]float64, len(v.subtasks)-len(m.busy))
		m.busy, m.seconds, m.records = append(m.busy, more...), append(m.seconds, more...), append(m.records,
			more...)
	}
	for k := range v.subtasks {
		b, known := v.subtasks[k].busy.Float()
		if !known {
			continue
		}
		m.busy[k] += b * d.Seconds()
		m.seconds[k] += d.Seconds()
		if k < len(v.rates) {
			m.records[k] += m.side(v.rates[k]).Or(0) * d.Seconds()
		}
	}
	return true
}

// side is the records that count: what comes in, or what a source gives out.
func (m *meter) side(r rate) flinkapi.Value {
	if m.source {
		return r.out
	}
	return r.in
}

func (m *meter) sum() load {
	out := load{slots: len(m.busiest), span: m.span, busiest: -1, uneven: 1}
	for _, b := range m.busiest {
		out.mean += b / float64(len(m.busiest))
	}
	slices.Sort(m.busiest)
	const most = 0.95
	out.high = m.busiest[int(math.Ceil(most*float64(len(m.busiest))))-1]
	if len(m.rates) > 0 {
		out.rate = flinkapi.Known(mean(m.rates))
	}
	m.apart(&out)
	return out
}

// apart fills in what needs shares per subtask: the busiest by its own average, and what one could take.
func (m *meter) apart(out *load) {
	all := make([]float64, 0, len(m.busy))
	capacity, counted := 0.0, 0
	for k := range m.busy {
		if m.seconds[k] == 0 {
			continue
		}
		b := m.busy[k] / m.seconds[k]
		all = append(all, b)
		if out.busiest < 0 || b > out.mean {
			out.busiest, out.mean = k, b
		}
		if r := m.records[k] / m.seconds[k]; b >= leastBusy && r > 0 {
			capacity, counted = capacity+r/b, counted+1
		}
	}
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	if middle := lowerMedian(all); middle > 0 {
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

func mean(all []float64) float64 {
	sum := 0.0
	for _, x := range all {
		sum += x
	}
	return sum / float64(len(all))
}

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
	case c.stale():
		return cannotTell("all metrics stand still", "fresh metrics of the TaskManagers"), true
	case s == nil:
		return cannotTell("no shares of time are there yet", "two readings of the counters of each subtask"), true
	case s.verdict.abstain != "":
		return cannotTell(s.verdict.abstain, "shares of time of the subtasks"), true
	}
	return Finding{}, false
}
