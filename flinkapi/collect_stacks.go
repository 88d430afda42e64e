package flinkapi

import (
	"slices"
	"time"
)

const (
	// sampleLimit bounds the vertices whose threads are sampled, and dumpLimit the TaskManagers of a look whose
	// JVM is stopped for that.
	sampleLimit = 2
	dumpLimit   = 2
	// dumpGap is the least time between two thread dumps of a TaskManager, a little less than a look takes.
	dumpGap = 900 * time.Millisecond
	// mostDumps in dumpSpan are taken of a cluster: as many at once as tell what a thread does, then none for a
	// while. Of a small job it is dumpShare of what Flink's web UI asks in a minute.
	mostDumps = 20
	dumpSpan  = 2 * time.Minute
	dumpShare = 0.15
	// flameEvery is the time between two questions for a flame graph, and flameTime about how long its sampling
	// takes (100 looks, 50 ms apart); Flink samples anew after a minute at the earliest.
	flameEvery = 10 * time.Second
	flameTime  = 6 * time.Second
	flameQuery = "type=FULL"
	// flameSetting is the option that switches flame graphs on.
	flameSetting = "rest.flamegraph.enabled"
)

// vertexStacks is the newest sample of a vertex's task threads.
type vertexStacks struct {
	newest []Stack
	read   time.Time
	from   StackOrigin
	// shared is when a thread dump held only threads that may be another task's as well; zero for never, or
	// where a newer one did better.
	shared time.Time

	flameEnd Value     // the time of the newest flame graph, by Flink
	again    time.Time // when the flame graph may be asked for again
	noFlame  bool      // the server does not make any
}

// dumps remembers when thread dumps were taken.
type dumps struct {
	last  map[TaskManagerID]time.Time
	marks []time.Time // those of the last dumpSpan
}

// due tells whether one more dump of a TaskManager may be taken now.
func (d *dumps) due(id TaskManagerID, vertices int, at time.Time) bool {
	d.marks = slices.DeleteFunc(d.marks, func(m time.Time) bool { return at.Sub(m) >= dumpSpan })
	most := min(mostDumps, int(dumpShare*webUI(vertices)))
	return len(d.marks) < most && at.Sub(d.last[id]) >= dumpGap
}

// within counts the dumps of the last span.
func (d *dumps) within(span time.Duration, at time.Time) (n int) {
	for _, mark := range d.marks {
		if at.Sub(mark) < span {
			n++
		}
	}
	return n
}

func (d *dumps) note(id TaskManagerID, at time.Time) {
	if d.last == nil {
		d.last = map[TaskManagerID]time.Time{}
	}
	d.last[id] = at
	d.marks = append(d.marks, at)
}

// sampleReads asks what the task threads of the vertices to sample do.
func (c *Collector) sampleReads(s *jobState, focus Focus, at time.Time) []read {
	if s.job.State != JobRunning {
		return nil
	}
	var reads []read
	var byDump []VertexID
	for _, id := range focus.Sample[:min(len(focus.Sample), sampleLimit)] {
		vertex := s.job.Vertex(id)
		switch {
		case vertex == nil || !running(*vertex):
		case s.vertex(id).stacks.sharedAt(at): // one more would tell no more
		case c.cluster.config.Settings[flameSetting] != "true" || s.vertex(id).stacks.noFlame:
			byDump = append(byDump, id)
		case !at.Before(s.vertex(id).stacks.again):
			reads = append(reads, c.flameRead(s, id, at))
		}
	}
	return append(reads, c.dumpReads(s, byDump, focus, at)...)
}

func (c *Collector) flameRead(s *jobState, id VertexID, at time.Time) read {
	what := s.of("read the flame graph", pathFlameGraph, id)
	what.query = flameQuery
	s.vertex(id).stacks.again = at.Add(flameEvery)
	return ask(c, what, func(w wireFlameGraph, at time.Time) {
		v := &s.vertex(id).stacks
		switch {
		case w.End.Or(0) == flameDisabled:
			v.noFlame = true
		case w.End.Or(0) == flameTerminated:
		case w.Root == nil:
			v.again = at.Add(flameTime)
		case w.End.Value != v.flameEnd:
			v.newest, v.read, v.from, v.flameEnd = w.stacks(), at, FromFlameGraph, w.End.Value
		}
	}).about(s.job.Vertex(id).Name)
}

// dumpReads asks for thread dumps of the TaskManagers that run the vertices, those in focus first, as far as
// they are due.
func (c *Collector) dumpReads(s *jobState, vertices []VertexID, focus Focus, at time.Time) []read {
	if len(vertices) == 0 {
		return nil
	}
	var reads []read
	for _, id := range s.hostsOf(vertices, focus.TaskManagers) {
		if len(reads) == dumpLimit || !c.dumps.due(id, s.runningVertices(), at) {
			continue
		}
		c.dumps.note(id, at)
		what := call{op: "read the threads of the TaskManager", path: pathThreadDump, ids: []string{string(id)}}
		reads = append(reads, ask(c, what, func(w wireThreadDump, _ time.Time) {
			threads := w.tasks(s.haveName(vertices))
			for _, vertex := range vertices {
				stacks, shared := s.stacksOf(vertex, id, threads)
				s.keepStacks(vertex, stacks, shared, at)
			}
		}).about(string(id)))
	}
	return reads
}

// haveName tells whether a task has the name of one of the vertices.
func (s *jobState) haveName(vertices []VertexID) func(task string) bool {
	return func(task string) bool {
		return slices.ContainsFunc(vertices, func(id VertexID) bool {
			v := s.job.Vertex(id)
			return v != nil && v.Name == task
		})
	}
}

// sharedAt tells whether a vertex's threads were not told from others lately: tasks seldom move.
func (v *vertexStacks) sharedAt(at time.Time) bool {
	return !v.shared.IsZero() && at.Sub(v.shared) < dumpSpan
}

// hostsOf lists the TaskManagers that run the vertices' subtasks: those in focus, then those with the most of
// them.
func (s *jobState) hostsOf(vertices []VertexID, focused []TaskManagerID) []TaskManagerID {
	counts := map[TaskManagerID]int{}
	var all []TaskManagerID
	for _, id := range vertices {
		for _, t := range s.vertex(id).subtasks {
			if t.State != TaskRunning || t.TaskManager == "" {
				continue
			}
			if counts[t.TaskManager] == 0 {
				all = append(all, t.TaskManager)
			}
			counts[t.TaskManager]++
			if slices.Contains(focused, t.TaskManager) {
				counts[t.TaskManager] += len(s.vertex(id).subtasks)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b TaskManagerID) int { return counts[b] - counts[a] })
	return all[:min(len(all), dumpLimit)]
}

// stacksOf picks the vertex's threads out of a TaskManager's. A thread says neither of which job nor of which
// vertex it is, only the name: where another has the same, which is shared, neither is kept.
func (s *jobState) stacksOf(
	id VertexID, host TaskManagerID, threads []taskThread,
) (all []Stack, shared bool) {
	vertex := s.job.Vertex(id)
	if vertex == nil {
		return nil, false
	}
	found := map[int][]Stack{}
	for _, t := range threads {
		if t.Task == vertex.Name && t.Parallelism == vertex.Parallelism {
			found[t.Stack.Subtask] = append(found[t.Stack.Subtask], t.Stack)
		}
	}
	for _, t := range s.vertex(id).subtasks {
		stacks := found[t.Index]
		if t.TaskManager != host {
			continue
		}
		shared = shared || len(stacks) > 1
		if len(stacks) == 1 {
			all = append(all, stacks[0])
		}
	}
	return all, shared
}

// keepStacks takes in a part of the sample that was taken at a time.
func (s *jobState) keepStacks(id VertexID, stacks []Stack, shared bool, at time.Time) {
	v := &s.vertex(id).stacks
	if len(stacks) > 0 {
		v.shared = time.Time{}
	}
	switch {
	case len(stacks) == 0 && shared && !v.read.Equal(at):
		v.shared = at
	case len(stacks) == 0:
	case v.read.Equal(at) && v.from == FromThreadDump:
		v.newest = slices.Concat(v.newest, stacks)
	default:
		v.newest, v.read, v.from = stacks, at, FromThreadDump
	}
}
