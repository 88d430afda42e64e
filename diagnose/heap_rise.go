package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

// What is remembered of a heap that filled up: full it grows no more, and it is still the same heap.

// heapRise is a heap whose collections were seen to leave more and more.
type heapRise struct {
	// since is when the growth began, or the watch.
	since time.Time
	// from and to are shares of the heap: what collections left then, and the most that they left since.
	from, to float64
	// steady is true where the sources emitted no more than before meanwhile, quiet where nothing was held back,
	// stateful where the state by checkpoints explains the growth.
	steady, quiet, stateful bool
}

// riseOf tells whether a heap grows: steadily, or clearly on a TaskManager that collects; or so that its
// collector has much to do.
func (c *Case) riseOf(id flinkapi.TaskManagerID) (r heapRise, grows bool) {
	all := c.worker(id, flinkapi.HeapUsed, flinkapi.HeapMax)
	if len(all) == 0 {
		return heapRise{}, false
	}
	lows, climbs := c.heapClimbs(all)
	g, steadily := c.growthOf(id)
	climbs = climbs && c.collected(all)
	laden := c.newestOf(id, flinkapi.GCShare).Or(0) >= c.limits.gcLook && c.heapUse(id).risen
	if !steadily && !climbs && !laden {
		return heapRise{}, false
	}
	steady, known := c.steadyInput()
	r = heapRise{since: all[0].at, from: lows[0], to: lows[heapParts-1], steady: known && steady}
	if s := c.newest(); s != nil {
		r.quiet = !s.verdict.pressed && len(s.verdict.named) == 0
	}
	if left, ok := c.leftOf(id); ok {
		r.to = max(r.to, left)
	}
	if steadily && r.steady {
		r.since, r.from, r.to = all[len(all)-1].at.Add(-g.span), g.from, min(g.to, 1)
		r.stateful = c.stateExplains(&g)
		return r, true
	}
	return r, climbs || laden
}

// noteGrowth remembers the heaps that were seen to grow, until what they held is gone.
func (e *engine) noteGrowth(c *Case) {
	for i := range c.snapshot.TaskManagers {
		id := c.snapshot.TaskManagers[i].ID
		known, seen := e.grew[id]
		if left, ok := c.leftOf(id); seen && ok && left < (known.from+known.to)/2 {
			delete(e.grew, id)
			seen = false
		}
		r, grows := c.riseOf(id)
		switch {
		case !grows:
			continue
		case seen:
			known.to = max(known.to, r.to)
		default:
			known = r
		}
		e.grew[id] = known
	}
}

// leftOf is about what the collections of the last minutes left of a heap, as a share of it.
func (c *Case) leftOf(id flinkapi.TaskManagerID) (share float64, known bool) {
	all := c.worker(id, flinkapi.HeapUsed, flinkapi.HeapMax)
	if len(all) < c.limits.heapReadings {
		return 0, false
	}
	if all = all[outlived(all, c.limits.sinkHeapSpan, workerReading.time):]; len(all) < c.limits.heapReadings {
		return 0, false
	}
	share = 1
	for _, r := range all {
		used, ok := r.readings.Of(flinkapi.HeapUsed).Float()
		size, okSize := r.readings.Of(flinkapi.HeapMax).Float()
		if !ok || !okSize || size <= 0 {
			return 0, false
		}
		share = min(share, used/size)
	}
	return share, true
}

// stillFull returns the TaskManager whose heap filled up while it was watched and is not empty yet, the
// fullest; empty for none.
func (c *Case) stillFull() (full flinkapi.TaskManagerID) {
	most := 0.0
	for i := range c.snapshot.TaskManagers {
		id := c.snapshot.TaskManagers[i].ID
		r, seen := c.grew[id]
		left, known := c.leftOf(id)
		if seen && !r.stateful && known && left >= c.limits.sinkHeapFull && left > most {
			full, most = id, left
		}
	}
	return full
}

// withRise adds to a finding about a TaskManager's heap how it was seen to fill up, and what that changes in
// what helps.
func (c *Case) withRise(f Finding, id flinkapi.TaskManagerID) Finding {
	r, seen := c.grew[id]
	if !seen {
		return f
	}
	ago := c.snapshot.At.Sub(r.since)
	f.Summary += fmt.Sprintf("; over the last %s what collections leave there has grown from %s to %s",
		FormatDuration(ago), FormatRatio(flinkapi.Known(r.from)), FormatRatio(flinkapi.Known(r.to)))
	if r.steady {
		f.Summary += ", while the input stayed the same"
	}
	f.Evidence = append(f.Evidence, c.riseEvidence(id, r.to-r.from, ago))
	if r.stateful {
		return f
	}
	if suspects := c.keepers(id); len(suspects) > 0 {
		f.Summary += "; " + strings.Join(suspects, " or ") + " may keep records instead of pushing back"
	}
	return c.holdsOn(f, id)
}

// holdsOn makes what helps of a finding about a heap what helps where something holds on to memory.
func (c *Case) holdsOn(f Finding, id flinkapi.TaskManagerID) Finding {
	f.Remedies = c.againstRise(id)
	if !slices.Contains(f.Dont, moreHeapDont) {
		f.Dont = append(f.Dont, moreHeapDont)
	}
	return f
}

// keepers name the sinks of a TaskManager whose heap filled up while nothing was held back: they took all
// that came.
func (c *Case) keepers(id flinkapi.TaskManagerID) []string {
	if !c.grew[id].quiet {
		return nil
	}
	return c.sinksOn(id)
}

// againstRise are what helps a heap that something holds on to.
func (c *Case) againstRise(id flinkapi.TaskManagerID) []Remedy {
	var out []Remedy
	if len(c.keepers(id)) > 0 {
		out = c.boundSinks(id)
	}
	return append(out, c.findLeak(id))
}

// againstFull are what helps a full heap: room, unless it was seen to fill up.
func (c *Case) againstFull(id flinkapi.TaskManagerID) []Remedy {
	if r, seen := c.grew[id]; seen && !r.stateful {
		return c.againstRise(id)
	}
	all := c.moreHeap(id)
	last := len(all) - 1 // to look comes first where it is not known whose it is
	return append([]Remedy{all[last]}, all[:last]...)
}

// boundSinks are to bound what the sinks of a TaskManager hold, one for each.
func (c *Case) boundSinks(id flinkapi.TaskManagerID) []Remedy {
	var out []Remedy
	for v := range c.job.Vertices {
		if !c.runsAt(v, id) || !c.isSink(v) {
			continue
		}
		kind, _ := c.kindOfSink(v)
		do := "bound what " + c.vertex(v).Name + " holds: records in flight, bytes and records of a batch"
		if kind.holds != "" {
			do += " (" + kind.holds + ")"
		}
		out = append(out, Remedy{
			Do: do + "; no number is computed, because Flink does not tell how much it holds", Undo: undoSetter,
			Gain: "it pushes back instead of running out of memory", Risk: "backpressure where it is the slowest",
			Link: sinksLink,
		})
	}
	return out
}

// riseEvidence is by how much what collections leave has grown in a time.
func (c *Case) riseEvidence(id flinkapi.TaskManagerID, by float64, span time.Duration) Evidence {
	return c.number("heap-growth", "growth of what collections leave", string(id), by, flinkapi.Ratio,
		"of the heap, in "+FormatDuration(span))
}

// inputEvidence is by how much what the sources emit has changed over the watch.
func (c *Case) inputEvidence() []Evidence {
	first, last, known := c.inputHalves()
	if !known {
		return nil
	}
	note := "in the older half of the watch " + FormatCount(first) + "/s"
	steady, _ := c.steadyInput()
	if steady {
		note += ": the input is steady"
	}
	e := c.number("input-rate", "records that the sources emit", "all sources", last, flinkapi.RecordsPerSecond,
		note)
	e.For = steady
	return []Evidence{e}
}
