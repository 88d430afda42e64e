package diagnose

import (
	"fmt"
	"strings"
	"time"

	"culprit/flinkapi"
)

// A heap whose collections leave more each time, long before it is full.

// heapGrowth is how what collections leave of a heap grows.
type heapGrowth struct {
	id flinkapi.TaskManagerID
	// from and to are shares of the heap, by the line through the least use of each part of span.
	from, to float64
	span     time.Duration
	// bytes is the growth a second; left how long until the heap is full at that pace.
	bytes float64
	left  time.Duration
}

// heapSpans is into how many parts the readings are cut; the least use of each is about what its collections
// left. Five points and more tell an order from chance.
const heapSpans = 6

// growthOf tells how a TaskManager's heap grows: what collections leave, in order, and clearly.
func (c *Case) growthOf(id flinkapi.TaskManagerID) (heapGrowth, bool) {
	all := c.worker(id, flinkapi.HeapUsed, flinkapi.HeapMax)
	if len(all) == 0 {
		return heapGrowth{}, false
	}
	// The newest part of the window: a heap that has stopped growing is soon left alone.
	all = all[outlived(all, 2*c.limits.sinkHeapSpan, workerReading.time):]
	size, known := all[len(all)-1].readings.Of(flinkapi.HeapMax).Float()
	if !known || size <= 0 || !c.collected(all) {
		return heapGrowth{}, false
	}
	from, to := all[0].at, all[len(all)-1].at
	var lows []point
	for _, r := range all {
		used, ok := r.readings.Of(flinkapi.HeapUsed).Float()
		if !ok {
			return heapGrowth{}, false
		}
		part := min(int(heapSpans*r.at.Sub(from)/to.Sub(from)), heapSpans-1)
		switch {
		case part >= len(lows):
			lows = append(lows, point{r.at, used})
		case used < lows[len(lows)-1].y:
			lows[len(lows)-1] = point{r.at, used}
		}
	}
	slope, ok := theilSen(lows)
	span := to.Sub(from)
	if !ok || len(lows) < heapSpans || kendall(lows) < c.limits.trendTau ||
		slope*span.Seconds() < c.limits.heapRise*size {
		return heapGrowth{}, false
	}
	end := levelAt(lows, slope, to) / size
	if end < c.limits.heapMarked {
		return heapGrowth{}, false
	}
	return heapGrowth{
		id: id, from: end - slope*span.Seconds()/size, to: end, span: span, bytes: slope,
		left: seconds(max(1-end, 0) * size / slope),
	}, true
}

// heapGrows tells of the TaskManager whose heap is full first, while the sources emit no more than before.
func (c *Case) heapGrows() (f Finding, grows bool) {
	var first heapGrowth
	for i := range c.snapshot.TaskManagers {
		g, ok := c.growthOf(c.snapshot.TaskManagers[i].ID)
		if ok && (!grows || g.left < first.left) {
			first, grows = g, true
		}
	}
	if steady, known := c.steadyInput(); !grows || !known || !steady {
		return Finding{}, false
	}
	f = Finding{
		Verdict: Firing, Severity: OK,
		Subject: Subject{Kind: SubjectTaskManager, TaskManager: first.id, Name: string(first.id)},
		Summary: fmt.Sprintf("what collections leave on the heap of the TaskManager %s grows steadily, from %s to "+
			"%s in %s, while the input stays the same: full in about %s at this pace", first.id,
			FormatRatio(flinkapi.Known(first.from)), FormatRatio(flinkapi.Known(first.to)),
			FormatDuration(first.span), FormatDuration(first.left)),
		Evidence: append([]Evidence{
			c.floorEvidence(first.id, first.to), c.riseEvidence(first.id, first.to-first.from, first.span),
		}, c.inputEvidence()...),
		Remedies: c.againstRise(first.id), Dont: []string{moreHeapDont},
	}
	if c.stateExplains(&first) {
		f.Summary += "; state on the heap grows as well"
		f.Remedies, f.Dont = c.moreHeap(first.id), []string{sharedHeapDont}
		return f, true
	}
	if first.left <= c.limits.heapLeft {
		f.Severity = Warning
	}
	if sinks := c.keepers(first.id); len(sinks) > 0 {
		f.Summary += "; " + strings.Join(sinks, " or ") + " may keep records instead of pushing back"
	}
	return f, true
}

// stateExplains tells whether the state that checkpoints hold grows by half as much at least: then it is a
// window that fills, or the matter of state-growth.
func (c *Case) stateExplains(g *heapGrowth) bool {
	if _, _, on := c.checkpointing(); !on {
		return false
	}
	slope, known := theilSen(stateSizes(withStatus(c.attempt(), flinkapi.CheckpointCompleted)))
	return known && c.backend() != backendRocksDB && c.backend() != backendForSt && 2*slope >= g.bytes
}
