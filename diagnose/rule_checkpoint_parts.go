package diagnose

import (
	"slices"
	"time"

	"culprit/flinkapi"
)

// checkpointPhase is one part of a checkpoint where it took longest.
type checkpointPhase struct {
	span     time.Duration
	vertex   int
	subtasks []int // those of the vertex that took about as long
}

// anatomy says how long the parts of a checkpoint took. They follow one another in each subtask; the barrier
// is start delay and alignment together.
type anatomy struct {
	one   *flinkapi.Checkpoint
	total time.Duration // end to end; of one that runs, so far
	// alignment is the part of barrier at the same subtask that came after the first barrier.
	barrier, sync, async checkpointPhase
	alignment            time.Duration
	missing              []missingAcks // in topological order
}

// missingAcks are the subtasks of a vertex that have not acknowledged; subtasks is nil where only their
// number is known.
type missingAcks struct {
	vertex, count int
	subtasks      []int
}

// phaseKind names the parts of a checkpoint.
type phaseKind int

const (
	phaseNone phaseKind = iota
	phaseBarrier
	phaseSync
	phaseAsync
)

// String is the part's name as it is shown.
func (k phaseKind) String() string {
	return [...]string{
		"no single part", "the wait for barriers", "the synchronous part", "the asynchronous part",
	}[k]
}

// cure says in a few words what shortens a part; the rule about that part says it in full.
func (k phaseKind) cure() string {
	return [...]string{
		"", "cure what holds the records back, or let barriers overtake them (unaligned checkpoints)",
		"a smaller snapshot, or less that a sink writes on it", "less state to upload, or a faster upload",
	}[k]
}

func (a *anatomy) phase(k phaseKind) *checkpointPhase {
	switch k {
	case phaseBarrier:
		return &a.barrier
	case phaseSync:
		return &a.sync
	case phaseAsync:
		return &a.async
	case phaseNone:
	}
	return &checkpointPhase{}
}

// dissect sums up the parts of a checkpoint; ok is false where nothing of it was read vertex by vertex.
func (c *Case) dissect(x *flinkapi.Checkpoint) (a anatomy, ok bool) {
	a = anatomy{one: x, total: c.checkpointAge(x)}
	for v := range c.job.Vertices {
		i := slices.IndexFunc(x.Vertices, func(p flinkapi.CheckpointVertex) bool {
			return p.Vertex == c.job.Vertices[v].ID
		})
		if i < 0 {
			continue
		}
		ok = true
		a.addMissing(v, &x.Vertices[i])
		for k := range x.Vertices[i].Parts {
			c.addPart(&a, v, &x.Vertices[i].Parts[k])
		}
	}
	for _, m := range a.missing {
		// Where records wait the barrier waits among them: it has taken that long at least.
		if x.Status != flinkapi.CheckpointCompleted && c.behindPressure(m.vertex) {
			a.barrier.put(a.total, m.vertex, m.subtasks)
			break
		}
	}
	return a, ok
}

func (a *anatomy) addMissing(v int, x *flinkapi.CheckpointVertex) {
	if n := x.Subtasks - x.Acked; n > 0 {
		m := missingAcks{vertex: v, count: n}
		for _, p := range x.Parts {
			if !p.Acked {
				m.subtasks = append(m.subtasks, p.Subtask)
			}
		}
		a.missing = append(a.missing, m)
	}
}

func (c *Case) addPart(a *anatomy, v int, p *flinkapi.CheckpointPart) {
	if !p.Acked {
		return
	}
	barrier, async := p.StartDelay+p.Alignment, p.Async
	// An unaligned checkpoint stores what is in flight once all barriers are there: of a vertex that is held
	// back that wait is in the asynchronous part.
	if a.one.Unaligned && c.heldBack(v) {
		barrier, async = barrier+async, 0
	}
	if a.barrier.put(barrier, v, []int{p.Subtask}) {
		a.alignment = p.Alignment
	}
	a.sync.put(p.Sync, v, []int{p.Subtask})
	a.async.put(async, v, []int{p.Subtask})
}

// put takes in how long the part took at subtasks of v, and tells whether that is the longest so far. Of
// vertices that are about level the first is kept: a barrier that comes late comes late to all below, too.
func (p *checkpointPhase) put(d time.Duration, v int, subtasks []int) bool {
	level := time.Duration(0.8 * float64(p.span))
	switch {
	case v == p.vertex && d >= level:
		longer := d > p.span
		if d*8/10 > p.span {
			p.subtasks = nil
		}
		p.span, p.subtasks = max(d, p.span), append(p.subtasks, subtasks...)
		return longer
	case d*8/10 > p.span:
		*p = checkpointPhase{span: d, vertex: v, subtasks: subtasks}
		return true
	}
	return false
}

// dominant is the part that a checkpoint's time mostly went to. The barrier goes first: while it waits, other
// parts wait with it.
func (c *Case) dominant(a *anatomy) phaseKind {
	least := time.Duration(c.limits.checkpointPart * float64(a.total))
	for _, k := range []phaseKind{phaseBarrier, phaseSync, phaseAsync} {
		if d := a.phase(k).span; d > 0 && d >= least {
			return k
		}
	}
	return phaseNone
}

// newestAnatomy dissects the checkpoint that tells how things are now: one that runs for long already, else
// the newest that is over and was read vertex by vertex. One slow checkpoint among fast ones tells nothing.
// known is false where none can be dissected.
func (c *Case) newestAnatomy() (a anatomy, known bool) {
	all := c.attempt()
	typical, settled := usual(all)
	if x := runningCheckpoint(all); x != nil {
		age := c.checkpointAge(x)
		lasting := age >= c.limits.checkpointLong && (!settled || age >= 2*typical)
		if a, known = c.dissect(x); known && lasting {
			return a, true
		}
	}
	for i := range slices.Backward(all) {
		x := &all[i]
		if x.Status == flinkapi.CheckpointInProgress ||
			x.Status == flinkapi.CheckpointFailed && uncounted(x.Failure) {
			continue
		}
		a, known = c.dissect(x)
		if !known {
			continue
		}
		if x.Status == flinkapi.CheckpointCompleted && (!settled || typical < a.total/2) {
			return anatomy{one: x, total: typical}, true
		}
		return a, true
	}
	return anatomy{}, false
}

// grown tells how the parts of the newest dissected checkpoint grew against the oldest one, and which of them
// most.
func (c *Case) grown() (kind phaseKind, from, to time.Duration, vertex int, known bool) {
	var all []anatomy
	done := withStatus(c.attempt(), flinkapi.CheckpointCompleted)
	for i := range done {
		if a, ok := c.dissect(&done[i]); ok {
			all = append(all, a)
		}
	}
	if len(all) < 2 {
		return phaseNone, 0, 0, 0, false
	}
	first, last := &all[0], &all[len(all)-1]
	for _, k := range []phaseKind{phaseBarrier, phaseSync, phaseAsync} {
		before, now := first.phase(k).span, last.phase(k).span
		if now-before > to-from {
			kind, from, to, vertex = k, before, now, last.phase(k).vertex
		}
	}
	return kind, from, to, vertex, kind != phaseNone
}
