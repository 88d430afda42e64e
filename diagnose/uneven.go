package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"culprit/flinkapi"
)

// cause is why some subtasks of a vertex are hot while others are not.
type cause int

const (
	// notUneven is a vertex whose subtasks are about as busy as each other, or none of which is hot.
	notUneven cause = iota
	// unevenUnknown is one of which it cannot be told, or not why.
	unevenUnknown
	slowTaskManager
	unevenGroups
	tooFewKeys
	unevenInput
	dearRecords
	hotKey
)

// unevenness is how the work of a vertex is spread over its subtasks, and why so.
type unevenness struct {
	cause cause
	// why says what is missing for an answer; missing names it.
	why, missing string
	// all are the subtasks that are known, in order, over a span in seconds.
	all     []subtaskLoad
	seconds float64
	total   float64 // records
	// top is the hot subtask that the finding is about; hot are all hot ones, in order.
	top subtaskLoad
	hot []int
	// records and busy are the lower medians over the subtasks.
	records, busy float64
	none          int // subtasks without any record
	costs         float64
	from          origin
	groups        groupFit
	host          hostFit
}

// uneven tells why some subtasks of v are hot while others are not, in the order of rung 3: the machine, the
// key groups, few keys, the input, the cost of a record, one key.
func (c *Case) uneven(v int) unevenness {
	lowest, highest, known := c.busyRange(v)
	switch {
	case c.vertex(v).Parallelism == 1:
		return unevenness{}
	case !known:
		return unevenness{
			cause: unevenUnknown, why: "the shares of its subtasks are not known yet",
			missing: flinkapi.BusyTime.String(),
		}
	case lowest >= c.limits.busy || highest < c.limits.hotBusy:
		return unevenness{}
	}
	all, seconds, known := c.loads(v)
	switch {
	case !known && lowest > c.limits.coldBusy: // the first look: none of them is cold
		return unevenness{}
	case !known:
		return unevenness{
			cause: unevenUnknown, why: "records per subtask are not known",
			missing: flinkapi.RecordsRead.String(),
		}
	}
	u := unevenness{all: all, seconds: seconds, from: c.origin(v)}
	u.sumUp(c.limits)
	u.cause = c.causeOf(v, &u)
	return u
}

// busyRange returns the smallest and the largest busy share of the newest slot.
func (c *Case) busyRange(v int) (lowest, highest float64, known bool) {
	sh := c.shares(v)
	lowest, known = sh.leastBusy.Float()
	highest = sh.busy.Or(0)
	for i, s := range sh.subtasks {
		b, ok := s.busy.float()
		if !ok {
			continue
		}
		if i == 0 || !known || b < lowest {
			lowest, known = b, true
		}
	}
	return lowest, highest, known
}

// sumUp fills in what follows from the loads alone.
func (u *unevenness) sumUp(limits thresholds) {
	records, busy := make([]float64, 0, len(u.all)), make([]float64, 0, len(u.all))
	for _, l := range u.all {
		records, busy = append(records, l.records), append(busy, l.busy)
		u.total += l.records
		if l.records == 0 {
			u.none++
		}
		if l.busy < limits.hotBusy {
			continue
		}
		u.hot = append(u.hot, l.subtask)
		if len(u.hot) == 1 || l.records > u.top.records {
			u.top = l
		}
	}
	slices.Sort(records)
	slices.Sort(busy)
	u.records, u.busy = lowerMedian(records), lowerMedian(busy)
}

func (c *Case) causeOf(v int, u *unevenness) cause {
	if len(u.hot) == 0 || len(u.hot) == len(u.all) {
		return notUneven
	}
	if u.total < float64(c.limits.leastRecords*len(u.all)) {
		u.missing = flinkapi.RecordsRead.String()
		u.why = fmt.Sprintf("%s records in %.0f s are too few to tell how they are spread",
			FormatWhole(u.total), u.seconds)
		if u.total == 0 {
			u.why = "no records were counted, so it is not known how they are spread"
		}
		return unevenUnknown
	}
	if fit, ok := c.slowHost(v, u.all); ok {
		u.host = fit
		return slowTaskManager
	}
	if u.from.keyed >= 0 {
		if fit, ok := c.groupsFit(c.vertex(u.from.keyed).MaxParallelism, u.all); ok {
			u.groups = fit
			return unevenGroups
		}
		if u.fewKeys(c.limits) {
			return tooFewKeys
		}
	}
	return u.oneHot(c.limits)
}

// fewKeys tells whether a good part of the subtasks gets nothing, and that is what is wrong: where only some
// get nothing, none of the others may stand out.
func (u *unevenness) fewKeys(limits thresholds) bool {
	if u.top.records == 0 || float64(u.none) < limits.emptyShare*float64(len(u.all)) {
		return false
	}
	if 2*u.none >= len(u.all) {
		return true
	}
	receivers := slices.DeleteFunc(slices.Clone(u.all), func(l subtaskLoad) bool { return l.records == 0 })
	return !uneven(limits, receivers, u.top)
}

// oneHot tells the remaining causes apart: they need a median subtask that has room.
func (u *unevenness) oneHot(limits thresholds) cause {
	switch {
	case u.busy > limits.coldBusy:
		return notUneven
	case uneven(limits, u.all, u.top) && u.from.keyed < 0:
		return unevenInput
	case uneven(limits, u.all, u.top):
		return hotKey
	}
	u.top = slices.MaxFunc(u.all, func(a, b subtaskLoad) int { return cmp.Compare(a.busy, b.busy) })
	if u.top.records == 0 {
		u.why = "its hot subtask gets no records: it is busy with something else"
		return unevenUnknown
	}
	if u.costs = costRatio(u.top, u.all); u.costs >= limits.costSkew {
		return dearRecords
	}
	u.why = fmt.Sprintf("its hot subtask gets %s the records of the median, and each takes %s as long there: "+
		"neither alone explains it", times(u.top.records/u.records), times(u.costs))
	return unevenUnknown
}

// uneven tells whether top gets far more records than the middle one of all.
func uneven(limits thresholds, all []subtaskLoad, top subtaskLoad) bool {
	records, total := make([]float64, len(all)), 0.0
	for i, l := range all {
		records[i] = l.records
		total += l.records
	}
	if len(all) == 2 {
		return top.records >= limits.pairShare*total
	}
	slices.Sort(records)
	return top.records >= limits.recordSkew*lowerMedian(records)
}

// costRatio is how many times as long a record takes in top as in the middle one of the other subtasks that
// get some.
func costRatio(top subtaskLoad, all []subtaskLoad) float64 {
	var costs []float64
	for _, l := range all {
		if l.subtask != top.subtask && l.records > 0 {
			costs = append(costs, l.cost())
		}
	}
	if len(costs) == 0 {
		return 0
	}
	return top.cost() / median(costs)
}

// share is the part of all records that the hot subtask gets.
func (u *unevenness) share() float64 { return u.top.records / u.total }

// keyShare is the smallest share that the hot subtask's key can have: as if its other keys weighed as much as
// all keys of the median subtask.
func (u *unevenness) keyShare() float64 { return (u.top.records - u.records) / u.total }

// times writes a factor: "2.4 times"; of about 1 it is "1.0 times".
func times(x float64) string {
	if text := FormatCount(x); text != "1" {
		return text + " times"
	}
	return "1.0 times"
}
