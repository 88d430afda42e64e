package diagnose

import (
	"slices"

	"culprit/flinkapi"
)

// subtaskLoad is what a subtask did over some slots.
type subtaskLoad struct {
	subtask int
	busy    float64 // share of the time
	records float64
}

// busyTick is the smallest busy share that is divided by or compared: the counters step in milliseconds.
const busyTick = 0.001

// cost is the busy share that a record takes. It means something only beside the cost of other subtasks of
// the same slots.
func (l subtaskLoad) cost() float64 { return max(l.busy, busyTick) / l.records }

// loads returns what the subtasks of v did in the newest slots, as far back as the culprit stands: a minute,
// and longer while the records are few. The finished ones are left out. known is false where records or
// shares are known for too few of the others.
func (c *Case) loads(v int) (all []subtaskLoad, seconds float64, known bool) {
	c.note(shareSignals()...)
	c.note(rateSignals()...)
	n := len(c.vertex(v).Subtasks)
	sums, total := make([]subtaskSum, n), 0.0
	outward := len(c.g.in[v]) == 0 && c.counts(v)
	for _, s := range c.sinceItStands() {
		if seconds >= c.limits.firmWindow.Seconds() && total >= float64(c.limits.leastRecords*n) {
			break
		}
		if s.gauges || v >= len(s.vertices) || len(s.vertices[v].subtasks) != n || !s.vertices[v].counted {
			continue
		}
		span := s.to.Sub(s.from).Seconds()
		seconds += span
		for k := range sums {
			total += sums[k].add(&s.vertices[v].subtasks[k], span, outward)
		}
	}
	left := 0
	for k, sum := range sums {
		if c.vertex(v).Subtasks[k].State == flinkapi.TaskFinished {
			continue
		}
		left++
		if sum.seconds > 0 && sum.seconds >= c.limits.wellKnown*seconds {
			all = append(all, subtaskLoad{k, sum.busy / sum.seconds, sum.records * seconds / sum.seconds})
		}
	}
	return all, seconds, len(all) > 0 && float64(len(all)) >= c.limits.wellKnown*float64(left)
}

// sinceItStands returns the slots since the culprit stands, newest first; the newest one at least.
func (c *Case) sinceItStands() []*slot {
	var out []*slot
	newest := c.newest()
	for i := range slices.Backward(c.w.slots) {
		s := &c.w.slots[i]
		if s != newest && (newest.to.Sub(s.to) >= c.limits.skewWindow || !s.to.After(c.culprit.since)) {
			break
		}
		out = append(out, s)
	}
	return out
}

// counts tells whether a source's records are counted where it hands them on. Where everything is one chain
// they are counted nowhere, or where it reads (Flink 2.0 and newer).
func (c *Case) counts(v int) bool {
	all, _ := c.rates(v)
	return all.out.Or(0) > 0
}

// subtaskSum adds up the slots of a subtask.
type subtaskSum struct {
	seconds, busy, records float64
}

// add takes in one slot and returns the records that it brought.
func (s *subtaskSum) add(x *spent, span float64, outward bool) float64 {
	busy, okBusy := x.busy.float()
	perSecond, okRecords := x.rate().side(outward).Float()
	if !okBusy || !okRecords {
		return 0
	}
	s.seconds += span
	s.busy += busy * span
	s.records += perSecond * span
	return perSecond * span
}

// lowerMedian is the median of sorted values; of two in the middle the lower, so that one hot subtask of
// two shows.
func lowerMedian(sorted []float64) float64 { return sorted[(len(sorted)-1)/2] }
