package flinkapi

import (
	"cmp"
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
	// looksEach is about how many looks at a vertex's threads tell what they do: a job whose threads nobody has
	// looked at waits while the dumps that are left would not bring as many to those before it and to itself.
	looksEach = 20
	// wantedFor is how long a job that takes turns with others goes on to get its part of their dumps.
	wantedFor = 30 * time.Second
	dumpSpan  = 2 * time.Minute
	dumpShare = 0.15
	// flameEvery is the time between two questions for a flame graph, and flameTime about how long its sampling
	// takes (100 looks, 50 ms apart); Flink samples anew after a minute at the earliest.
	flameEvery = 10 * time.Second
	flameTime  = 6 * time.Second
	flameQuery = "type=FULL"
	// readThreads names the reading of a thread dump in a problem.
	readThreads = "read the threads of the TaskManager"
	// flameSetting is the option that switches flame graphs on.
	flameSetting = "rest.flamegraph.enabled"
)

// vertexStacks is the newest sample of a vertex's task threads.
type vertexStacks struct {
	newest []Stack
	read   time.Time
	from   StackOrigin
	// told is set once a snapshot had the newest; until then what a dump of another job's turn adds joins it.
	told bool
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
	marks []dumpMark // those of the last dumpSpan
	// answered is when the newest dump of a TaskManager came.
	answered map[TaskManagerID]time.Time
}

type dumpMark struct {
	of TaskManagerID
	at time.Time
}

// due tells whether one more dump of a TaskManager may be taken now, with so many spared for others.
func (d *dumps) due(id TaskManagerID, vertices, spared int, at time.Time) bool {
	d.marks = slices.DeleteFunc(d.marks, func(m dumpMark) bool { return at.Sub(m.at) >= dumpSpan })
	most := min(mostDumps, int(dumpShare*webUI(vertices)))
	return len(d.marks)+spared < most && at.Sub(d.last[id]) >= dumpGap
}

// within counts the dumps of the last span.
func (d *dumps) within(span time.Duration, at time.Time) (n int) {
	for _, mark := range d.marks {
		if at.Sub(mark.at) < span {
			n++
		}
	}
	return n
}

// of counts those of a TaskManager.
func (d *dumps) of(id TaskManagerID) (n int) {
	for _, mark := range d.marks {
		if mark.of == id {
			n++
		}
	}
	return n
}

// fresh tells whether a dump is newer than the one before. A recording that has no other gives out its newest
// one again, and that is no further look.
func (d *dumps) fresh(id TaskManagerID, answered time.Time) bool {
	if !answered.After(d.answered[id]) {
		return false
	}
	if d.answered == nil {
		d.answered = map[TaskManagerID]time.Time{}
	}
	d.answered[id] = answered
	return true
}

func (d *dumps) note(id TaskManagerID, at time.Time) {
	if d.last == nil {
		d.last = map[TaskManagerID]time.Time{}
	}
	d.last[id] = at
	d.marks = append(d.marks, dumpMark{id, at})
}

// sampleReads asks what the task threads of the vertices to sample do.
func (c *Collector) sampleReads(s *jobState, focus Focus, at time.Time) []read {
	s.byDump, s.wanted = nil, at
	if s.job.State != JobRunning {
		return nil
	}
	var reads []read
	for _, id := range focus.Sample[:min(len(focus.Sample), sampleLimit)] {
		vertex := s.job.Vertex(id)
		switch {
		case vertex == nil || !running(*vertex):
		case s.vertex(id).stacks.sharedAt(at): // one more would tell no more
		case c.cluster.config.Settings[flameSetting] != "true" || s.vertex(id).stacks.noFlame:
			s.byDump = append(s.byDump, id)
		case !at.Before(s.vertex(id).stacks.again):
			reads = append(reads, c.flameRead(s, id, at))
		}
	}
	return append(reads, c.dumpReads(s, focus, at)...)
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
			v.told = false
		}
	}).about(s.job.Vertex(id).Name)
}

// dumpReads asks for thread dumps of the TaskManagers that run the vertices, those in focus first, as far as
// they are due; where jobs take turns also of those of the others, so that none waits for its turn. A dump
// holds the threads of all jobs, so each that wants some of them gets its own.
func (c *Collector) dumpReads(s *jobState, focus Focus, at time.Time) []read {
	reads := c.dumpReadsFor(s, focus.TaskManagers, dumpLimit, at)
	if focus.Turn {
		for _, o := range c.wantThreads(at) {
			if o != s {
				reads = append(reads, c.dumpReadsFor(o, nil, dumpLimit-len(reads), at)...)
			}
		}
	}
	return reads
}

func (c *Collector) dumpReadsFor(s *jobState, first []TaskManagerID, most int, at time.Time) []read {
	if len(s.byDump) == 0 || most == 0 {
		return nil
	}
	var reads []read
	spared := c.sparedDumps(s, at)
	for _, id := range s.hostsOf(s.byDump, first) {
		if len(reads) == most || !c.dumps.due(id, s.runningVertices(), spared, at) {
			continue
		}
		c.dumps.note(id, at)
		what := call{op: readThreads, path: pathThreadDump, ids: []string{string(id)}}
		reads = append(reads, ask(c, what, func(w wireThreadDump, answered time.Time) {
			if c.dumps.fresh(id, answered) {
				c.takeThreads(w, id, at)
			}
		}).about(string(id)))
	}
	return reads
}

// takeThreads gives each job the threads of a TaskManager that it wants.
func (c *Collector) takeThreads(w wireThreadDump, id TaskManagerID, at time.Time) {
	all := c.wantThreads(at)
	threads := w.tasks(func(task string) bool {
		return slices.ContainsFunc(all, func(o *jobState) bool { return o.hasName(task) })
	}, maxStacks*len(all))
	for _, o := range all {
		for _, vertex := range o.byDump {
			stacks, shared := o.stacksOf(vertex, id, threads)
			o.keepStacks(vertex, stacks, shared, at)
		}
	}
}

// wantThreads lists the jobs that want looks at some of their threads, first those whose looks have begun,
// then those that have waited for longer.
func (c *Collector) wantThreads(at time.Time) []*jobState {
	var all []*jobState
	for _, s := range c.jobs {
		if len(s.byDump) > 0 && at.Sub(s.wanted) < wantedFor {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b *jobState) int {
		if begun := a.sampledAt(at); begun != b.sampledAt(at) {
			if begun {
				return -1
			}
			return 1
		}
		return cmp.Or(a.wanted.Compare(b.wanted), cmp.Compare(a.job.ID, b.job.ID))
	})
	return all
}

// sparedDumps is how many dumps a job whose looks have not begun leaves to those that have: as many as bring
// them to enough, and as itself needs besides. All looks at some jobs tell more than some looks at all.
func (c *Collector) sparedDumps(s *jobState, at time.Time) (n int) {
	if s.sampledAt(at) {
		return 0
	}
	open := map[TaskManagerID]int{}
	for _, o := range c.wantThreads(at) {
		for _, id := range o.hostsOf(o.byDump, nil) {
			if o.sampledAt(at) {
				open[id] = max(open[id], o.dumpsEach()-c.dumps.of(id))
			}
		}
	}
	for _, more := range open {
		n += more
	}
	if n == 0 {
		return 0
	}
	return n + s.dumpsEach() - 1
}

// sampledAt tells whether looks at the threads that are wanted have begun.
func (s *jobState) sampledAt(at time.Time) bool {
	return slices.ContainsFunc(s.byDump, func(id VertexID) bool {
		read := s.vertex(id).stacks.read
		return !read.IsZero() && at.Sub(read) < dumpSpan
	})
}

// dumpsEach is about how many dumps bring looks enough at each vertex that is wanted.
func (s *jobState) dumpsEach() int {
	most := 1
	for _, id := range s.byDump {
		hosts := len(s.hostsOf([]VertexID{id}, nil))
		n := max(len(s.vertex(id).subtasks)/max(hosts, 1), 1)
		most = max(most, (looksEach+n-1)/n)
	}
	return most
}

// hasName tells whether a task has the name of one of the vertices whose threads are wanted.
func (s *jobState) hasName(task string) bool {
	return slices.ContainsFunc(s.byDump, func(id VertexID) bool {
		v := s.job.Vertex(id)
		return v != nil && v.Name == task
	})
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
	case v.from == FromThreadDump && !v.told:
		all := slices.Concat(v.newest, stacks)
		v.newest, v.read = all[max(len(all)-maxStacks, 0):], at
	default:
		v.newest, v.read, v.from, v.told = stacks, at, FromThreadDump, false
	}
}
