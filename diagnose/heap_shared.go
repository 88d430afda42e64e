package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"culprit/flinkapi"
)

// Who fills a heap that several tasks share. A collector stops all threads of its process, so the vertex that
// is the slowest there may be a victim of what another one keeps.

// collecting is what is known of the collectors on the TaskManagers of a vertex's busy subtasks.
type collecting struct {
	// worst is the TaskManager that collects most, share how much of its time.
	worst flinkapi.TaskManagerID
	share float64
	// Of the busy subtasks: all, those whose collector is known, and those that it slows.
	busy, known, hit int
}

// slows tells whether the collectors make the vertex slow.
func (x *collecting) slows() bool { return x.busy > 0 && x.known >= x.busy && 2*x.hit > x.busy }

// heapBusy tells whether a vertex is busy because the collectors of its TaskManagers stop it.
func (c *Case) heapBusy(v int) bool {
	x := c.collectingOf(v)
	return x.slows()
}

func (c *Case) collectingOf(v int) collecting {
	var x collecting
	for _, id := range c.taskManagers(v) {
		n := c.busyOf(v, id)
		x.busy += n
		share, ok := c.newestOf(id, flinkapi.GCShare).Float()
		if !ok {
			continue
		}
		x.known += n
		if share >= c.limits.gcBad {
			x.hit += n
		}
		if share > x.share {
			x.worst, x.share = id, share
		}
	}
	return x
}

// sharers name what else runs on a TaskManager beside a vertex, sinks first: one that takes all that comes
// and keeps it is slow nowhere. With other jobs on the cluster their tasks may be there, too.
func (c *Case) sharers(v int, id flinkapi.TaskManagerID) []string {
	var sinks, others []string
	for u := range c.job.Vertices {
		here := c.runsAt(u, id)
		switch {
		case u == v || !here:
		case c.isSink(u):
			sinks = append(sinks, c.vertex(u).Name)
		default:
			others = append(others, c.vertex(u).Name)
		}
	}
	all := append(sinks, others...)
	if c.otherJobs() {
		all = append(all, "a task of another job")
	}
	return all
}

// otherJobs tells whether further jobs run on the cluster.
func (c *Case) otherJobs() bool {
	running := 0
	for i := range c.snapshot.Jobs {
		if c.snapshot.Jobs[i].State == flinkapi.JobRunning {
			running++
		}
	}
	return running > 1
}

// heapHolder returns the vertex whose keyed state makes up most of what collections leave on a TaskManager.
// It is known only where state lives on the heap; checkpoints tell its size, which is less than objects take.
func (c *Case) heapHolder(id flinkapi.TaskManagerID) (v int, known bool) {
	floor, ok := c.heapUse(id).floor.Float()
	if !ok || c.backend() != backendHeap {
		return 0, false
	}
	for u := range c.job.Vertices {
		tasks := c.vertex(u).Subtasks
		here := 0
		for i := range tasks {
			if tasks[i].TaskManager == id {
				here++
			}
		}
		bytes, measured := c.stateBytes(u)
		if measured && here > 0 && 2*bytes*float64(here)/float64(len(tasks)) >= floor {
			return u, true
		}
	}
	return 0, false
}

// heapVictim is a vertex that is slow because a heap that it shares is full of what others may keep.
type heapVictim struct {
	vertex int
	worker flinkapi.TaskManagerID
	// why says so, for a verdict of the job.
	why string
}

// heapVictimOf tells whether a vertex that looks like the culprit may be the victim of what others keep on
// its TaskManager: the state of another vertex fills the heap, or it was never seen but full and whose
// objects fill it is not known. All that runs there is stopped alike, so the slowest proves nothing.
func (c *Case) heapVictimOf(v int) (heapVictim, bool) {
	x := c.collectingOf(v)
	if !x.slows() {
		return heapVictim{}, false
	}
	others := c.sharers(v, x.worst)
	holder, known := c.heapHolder(x.worst)
	rise, grew := c.grew[x.worst]
	if len(others) == 0 || known && holder == v || !known && !grew && !c.seenFull(x.worst) {
		return heapVictim{}, false
	}
	name := c.vertex(v).Name
	why := fmt.Sprintf("the TaskManager %s spends %s of its time in garbage collection, which makes %s the "+
		"slowest there; its heap ", x.worst, FormatRatio(flinkapi.Known(x.share)), name)
	all := strings.Join(append(others, name), " or ")
	switch {
	case known:
		why += "is held by the state of " + c.vertex(holder).Name
	case grew:
		why += "has filled up over the last " + FormatDuration(c.snapshot.At.Sub(rise.since)) +
			", with objects of " + all
	default:
		why += "is full of objects of " + all + ", and whose is not known"
	}
	return heapVictim{v, x.worst, why}, true
}

// seenFull tells whether no reading of a heap showed much room. Where there was some it is the garbage that
// makes the collections, and that is made by who works most.
func (c *Case) seenFull(id flinkapi.TaskManagerID) bool {
	return c.heapUse(id).share.Or(0) >= c.limits.sinkHeapFull
}

const heapVictimDont = "more parallelism for the slowest operator there does not empty the heap it shares"

// spare takes those out of the standing culprits who may be victims of what others keep on their heap.
func (c *Case) spare(stands []standing) []standing {
	return slices.DeleteFunc(stands, func(s standing) bool {
		victim, yes := c.heapVictimOf(s.last.vertex)
		if yes {
			c.spared = append(c.spared, victim)
		}
		return yes
	})
}

// isSpared tells whether a vertex was not named because of what others keep on its heap.
func (c *Case) isSpared(v int) bool {
	return slices.ContainsFunc(c.spared, func(x heapVictim) bool { return x.vertex == v })
}

// heapShared says who else may fill the heap of a culprit that is slow by collections; empty where it is
// known whose it is.
func (c *Case) heapShared(v int, id flinkapi.TaskManagerID) string {
	others := c.sharers(v, id)
	if holder, known := c.heapHolder(id); len(others) == 0 || known && holder == v {
		return ""
	}
	return "whose objects fill it is not known: " + strings.Join(others, ", ") + " may keep them as well"
}
