package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"culprit/flinkapi"
)

// holdsInMemory adds a warning where the heap of a TaskManager of the sink fills up: a sink that takes
// records and keeps them, instead of pushing back, ends in garbage collection. Only the lowest heap of each
// third of the readings counts, since the heap rises between two collections anyway.
func (c *Case) holdsInMemory(v int, f *Finding) {
	for _, id := range c.taskManagers(v) {
		lows, fills := c.heapClimbs(c.worker(id, flinkapi.HeapUsed, flinkapi.HeapMax))
		if !fills {
			continue
		}
		f.Summary += fmt.Sprintf("; the heap of %s fills up (%s to %s): it may keep records in memory instead of "+
			"pushing back", id, FormatRatio(flinkapi.Known(lows[0])), FormatRatio(flinkapi.Known(lows[2])))
		f.Evidence = append(f.Evidence, c.floorEvidence(id, lows[2]))
		f.Dont = append(f.Dont, moreHeapDont)
		return
	}
}

const (
	moreHeapDont = "more heap, or fewer subtasks in each TaskManager, only delays it: what is kept must be " +
		"bounded"
	sharedHeapDont = "more parallelism on the same TaskManagers makes it worse: the heap is shared"
)

func (c *Case) floorEvidence(id flinkapi.TaskManagerID, low float64) Evidence {
	return c.number("heap-floor", "least heap in use lately", string(id), low, flinkapi.Ratio, "rising")
}

// sinkFillsHeap warns where nobody needs to be slow yet: of a TaskManager that runs a sink, and whose heap is
// left fuller by each collection.
func (c *Case) sinkFillsHeap() (f Finding, fills bool) {
	for i := range c.snapshot.TaskManagers {
		id := c.snapshot.TaskManagers[i].ID
		all := c.worker(id, flinkapi.HeapUsed, flinkapi.HeapMax)
		lows, climbs := c.heapClimbs(all)
		sinks := c.sinksOn(id)
		if !climbs || len(sinks) == 0 || !c.collected(all) {
			continue
		}
		return Finding{
			Verdict: Firing, Severity: Warning,
			Subject: Subject{Kind: SubjectTaskManager, TaskManager: id, Name: string(id)},
			Summary: fmt.Sprintf("the heap of the TaskManager %s fills up (%s to %s after collections): %s may keep "+
				"records in memory instead of pushing back; state on the heap that grows looks the same", id,
				FormatRatio(flinkapi.Known(lows[0])), FormatRatio(flinkapi.Known(lows[2])),
				strings.Join(sinks, " or ")),
			Evidence: append([]Evidence{
				c.floorEvidence(id, lows[2]),
				c.riseEvidence(id, lows[2]-lows[0], all[len(all)-1].at.Sub(all[0].at)),
			}, c.inputEvidence()...),
			Remedies: append(c.boundSinks(id), c.findLeak(id)), Dont: []string{moreHeapDont},
		}, true
	}
	return Finding{}, false
}

// sinksOn names the vertices that write and have a subtask on a TaskManager.
func (c *Case) sinksOn(id flinkapi.TaskManagerID) []string {
	var out []string
	for v := range c.job.Vertices {
		if c.runsAt(v, id) && c.isSink(v) {
			out = append(out, c.vertex(v).Name)
		}
	}
	return out
}

// runsAt tells whether a vertex has a running subtask on a TaskManager.
func (c *Case) runsAt(v int, id flinkapi.TaskManagerID) bool {
	return slices.ContainsFunc(c.vertex(v).Subtasks, func(s flinkapi.Subtask) bool {
		return s.TaskManager == id && s.State == flinkapi.TaskRunning
	})
}

// collected tells whether the heap fell in each third of readings that cover enough time: without a
// collection its lowest use says nothing of what a collection leaves.
func (c *Case) collected(all []workerReading) bool {
	if len(all) == 0 || all[len(all)-1].at.Sub(all[0].at) < c.limits.sinkHeapSpan {
		return false
	}
	var fell [heapParts]bool
	for i := 1; i < len(all); i++ {
		was, is := all[i-1].readings.Of(flinkapi.HeapUsed).Or(0), all[i].readings.Of(flinkapi.HeapUsed).Or(0)
		fell[i*heapParts/len(all)] = fell[i*heapParts/len(all)] || is < was
	}
	return !slices.Contains(fell[:], false)
}

// heapParts is in how many parts the readings of a heap are compared.
const heapParts = 3

// heapClimbs tells whether the lowest heap of each third of the readings lies clearly above that of the one
// before, and the last is high.
func (c *Case) heapClimbs(all []workerReading) (lows [heapParts]float64, climbs bool) {
	lows, known := c.heapFloors(all)
	rise := c.limits.sinkHeapRise
	return lows, known && lows[2] >= c.limits.sinkHeapFull && lows[2]-lows[1] >= rise && lows[1]-lows[0] >= rise
}

// heapFloors returns the smallest share of the heap in use in each third of the readings.
func (c *Case) heapFloors(all []workerReading) (lows [heapParts]float64, known bool) {
	if len(all) < c.limits.sinkHeapReadings {
		return lows, false
	}
	lows = [heapParts]float64{1, 1, 1}
	for i, r := range all {
		used, okUsed := r.readings.Of(flinkapi.HeapUsed).Float()
		most, okMost := r.readings.Of(flinkapi.HeapMax).Float()
		if !okUsed || !okMost || most <= 0 {
			return lows, false
		}
		third := i * len(lows) / len(all)
		lows[third] = min(lows[third], used/most)
	}
	return lows, true
}
