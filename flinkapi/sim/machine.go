package sim

import (
	"math"
	"slices"
)

// What tasks share on a TaskManager: its cores, its heap and its network memory.

// contentionGain is how fast threads feel that there are too few cores, per step.
const contentionGain = 0.2

// strain makes tasks slower that share too few cores, or whose process stops to collect garbage.
func (c *Cluster) strain(now float64) {
	c.shareCores()
	changed := false
	for _, w := range c.workers {
		_, gc := c.heap(w, now)
		drag := [2]float64{w.stretch, (1 - w.GC) / (1 - gc)} // what is constant is in the service times
		changed = changed || drag != w.drag
		w.drag = drag
	}
	if !changed {
		return
	}
	for _, j := range c.jobs {
		j.each(func(v, _ int, s *subtask, t *task) {
			cpu, w := j.net.vertices[v].CPU, c.workers[s.worker]
			t.crowding, t.pausing = 1-cpu+cpu*w.drag[0], w.drag[1]
		})
	}
}

// shareCores lets the tasks of each worker take turns where they want more cores than it has: what computes
// takes longer then.
func (c *Cluster) shareCores() {
	if !slices.ContainsFunc(c.workers, func(w *worker) bool { return w.shares }) {
		return
	}
	spent := make([]float64, len(c.workers))
	for _, j := range c.jobs {
		j.each(func(_, _ int, s *subtask, t *task) {
			if t.active {
				spent[s.worker] += t.spent
			}
		})
	}
	for i, w := range c.workers {
		if w.shares {
			cores := max(0.1, float64(w.Cores)-w.standing())
			w.stretch = max(1, w.stretch*(1+contentionGain*(spent[i]/c.cfg.Step.Seconds()/cores-1)))
		}
	}
}

// slowdown is how much longer than alone a task takes for its work.
func (t *task) slowdown() float64 { return max(1, t.crowding) * max(1, t.pausing) }

// Holding is a sink that takes records in as fast as they come, and keeps each until the system behind it has
// confirmed it.
type Holding struct {
	// Confirmed is how many records a second that system confirms, over all subtasks.
	Confirmed float64
	// Bytes is what a record takes on the heap.
	Bytes float64
}

// hold keeps what a task has taken, and lets go of what was confirmed meanwhile.
func (v *vertex) hold(t *task, records, step float64) {
	if v.Holding != nil {
		t.kept = max(0, t.kept+records-v.Holding.Confirmed/float64(len(v.tasks))*step)
	}
}

const (
	// sweepSeconds is how long young garbage gathers, and sweepShare how much of the free heap that takes.
	sweepSeconds, sweepShare = 14.0, 0.3
	// collectorCost is the share of time that collecting takes where as much of the heap is live as free.
	collectorCost = 0.012
	// fullHeap is the live share of a heap from which the next allocation fails.
	fullHeap = 0.995
)

// live is the share of a worker's heap that a collection leaves, and held whether records that its sinks hold
// are among it.
func (c *Cluster) live(w *worker) (share float64, held bool) {
	bytes := w.HeapUsed * w.HeapBytes
	for _, j := range c.jobs {
		for v := range j.net.vertices {
			vx := &j.net.vertices[v]
			if vx.Holding == nil {
				continue
			}
			for i := range vx.tasks {
				if j.subtasks[v][i].worker == w.index {
					held = true
					bytes += vx.tasks[i].kept * vx.Holding.Bytes
				}
			}
		}
	}
	return min(1, bytes/w.HeapBytes), held
}

// heap is the share of a heap in use and the share of time that its collector takes.
func (c *Cluster) heap(w *worker, now float64) (used, gc float64) {
	live, held := c.live(w)
	if !held {
		return w.HeapUsed, w.GC
	}
	free := 1 - min(live, fullHeap)
	gathered := math.Mod(now, sweepSeconds) / sweepSeconds * sweepShare * free
	return min(1, live+gathered), min(0.9, w.GC+collectorCost*live/free)
}

// exhaust fails the jobs whose sinks have filled a heap.
func (c *Cluster) exhaust(now float64) {
	for _, j := range c.jobs {
		for v := range j.net.vertices {
			if j.net.vertices[v].Holding == nil || j.terminal() || j.state == restarting {
				continue
			}
			for i := range j.subtasks[v] {
				s := &j.subtasks[v][i]
				if live, _ := c.live(c.workers[s.worker]); s.status != running || live < fullHeap {
					continue
				}
				j.fail(now, exception{
					at: now, class: "java.lang.OutOfMemoryError", message: "Java heap space",
					vertex: v, subtask: i, attempt: s.attempt, worker: s.worker,
				})
				return
			}
		}
	}
}

const (
	// exclusiveBuffers belong to each channel from another TaskManager, floatingBuffers to each gate.
	exclusiveBuffers, floatingBuffers = 2, 8
)

// segments is how many network buffers the tasks of a worker use, of those that it has.
func (c *Cluster) segments(w *worker) (used, total int64) {
	total = w.memory().Network / segmentBytes
	for _, j := range c.jobs {
		for e := range j.net.edges {
			used += j.segmentsOf(&j.net.edges[e], w.index)
		}
	}
	return min(used, total), total
}

// segmentsOf is how many network buffers an edge uses on a worker: the exclusive ones of its channels from
// elsewhere, the floating ones as far as records wait, and those that its senders fill.
func (j *job) segmentsOf(e *edge, worker int) int64 {
	used := 0.0
	for _, g := range e.groups {
		away, here := 0, 0
		for s := g.senders.from; s < g.senders.to; s++ {
			if x := &j.subtasks[e.From][s]; x.worker == worker {
				here++
			} else {
				away++
			}
		}
		fullest := 0.0
		for r := g.receivers.from; r < g.receivers.to; r++ {
			fullest = max(fullest, e.queues[r].standing())
			if j.subtasks[e.To][r].worker == worker && away > 0 {
				used += float64(away*exclusiveBuffers) + floatingBuffers*e.queues[r].standing()
			}
		}
		used += float64(here) * (1 + float64(g.receivers.len())*max(openBuffer, fullest))
	}
	return int64(used)
}
