package sim

import (
	"math"
	"time"
)

const (
	defaultTimeout  = 10 * time.Minute
	defaultSyncTime = 5 * time.Millisecond
	defaultUpload   = 50e6
	historySize     = 10
	// emptyState is what a subtask without keyed state persists, in bytes.
	emptyState = 600
	// overtaking is how long an unaligned barrier needs per hop, in seconds.
	overtaking = 0.01

	inProgress = "IN_PROGRESS"
	completed  = "COMPLETED"
	expired    = "Checkpoint expired before completing."
	asyncFails = "Asynchronous task checkpoint failed."
	suspended  = "Checkpoint Coordinator is suspending."

	thresholdExceeded = "Exceeded checkpoint tolerable failure threshold. The latest checkpoint failed due to "
)

// checkpointing is the checkpoint coordinator of a job. Times are in seconds since the start of the
// cluster.
type checkpointing struct {
	Checkpoints
	lastID     int
	triggerAt  float64
	inProgress int
	completed  int
	failed     int
	restored   int
	// failures is the number of failures in a row.
	failures int
	current  *checkpoint
	// history is newest first, with the one in progress.
	history              []*checkpoint
	latest, latestFailed *checkpoint
	restoredFrom         *checkpoint
	restoredAt           float64
	// lastPassed holds the barriers of the newest completed checkpoint.
	lastPassed [][]barrier
	// positions is how many records each subtask had handled at the newest completed checkpoint; nil before
	// it.
	positions [][]float64
	// These are over all completed checkpoints, in bytes and ms.
	sizes, ownSizes, durations, persisted distribution
}

// checkpoint is one attempt to take a checkpoint.
type checkpoint struct {
	id        int
	triggered float64
	ended     float64
	status    string
	failure   string
	barriers  [][]barrier
	marks     [][]mark
	acked     int
	total     int
}

// barrier is the checkpoint at one subtask.
type barrier struct {
	// first and aligned are when the first and the last of the barriers came in, ackedAt when the state was
	// stored; NaN for not yet.
	first, aligned, ackedAt float64
	acked                   bool
	// position is how many records the subtask had handled, earlier attempts counted.
	position             float64
	startDelay           float64
	alignment            float64
	sync, async          float64
	stateBytes, ownBytes float64
	persistedBytes       float64
}

// mark is the place of the barriers in one queue, counted in records that arrived before them.
type mark struct {
	first, last float64
	sent        int
}

func newCheckpointing(spec Checkpoints) checkpointing {
	spec.Timeout = orElse(spec.Timeout, defaultTimeout)
	spec.UploadBytesPerSecond = orElse(spec.UploadBytesPerSecond, defaultUpload)
	return checkpointing{Checkpoints: spec, triggerAt: spec.Interval.Seconds()}
}

func (c *checkpointing) tick(j *job, now float64) {
	if c.Interval == 0 {
		return
	}
	if c.current == nil && now >= c.triggerAt && j.allRunning() {
		c.trigger(j, now)
	}
	if c.current == nil {
		return
	}
	for _, v := range j.net.order {
		for i := range j.subtasks[v] {
			c.pass(j, v, i, now)
		}
	}
	switch {
	case c.current.tooLarge(c.Most):
		c.giveUp(j, asyncFails, now)
	case c.current.acked == c.current.total && now >= c.current.latestAck()+c.Completion.Seconds():
		c.complete(now)
	case now >= c.current.triggered+c.Timeout.Seconds():
		c.giveUp(j, expired, now)
	}
}

// giveUp fails the checkpoint in progress, and the job where that is one too many in a row.
func (c *checkpointing) giveUp(j *job, why string, now float64) {
	c.fail(now, why)
	if c.failures > c.Tolerable {
		j.fail(now, exception{
			at: now, class: "org.apache.flink.util.FlinkRuntimeException",
			message: thresholdExceeded + why, vertex: -1, subtask: -1,
		})
	}
}

// tooLarge tells whether some subtask has more to store than may be; 0 is no limit.
func (cp *checkpoint) tooLarge(most float64) bool {
	if most == 0 {
		return false
	}
	for v := range cp.barriers {
		for _, b := range cp.barriers[v] {
			if b.ownBytes > most && b.acked {
				return true
			}
		}
	}
	return false
}

func (j *job) allRunning() bool {
	all := true
	j.each(func(_, _ int, s *subtask, _ *task) { all = all && s.status == running })
	return all
}

func (c *checkpointing) trigger(j *job, now float64) {
	c.lastID++
	cp := &checkpoint{id: c.lastID, triggered: now, ended: math.NaN(), status: inProgress}
	for v := range j.subtasks {
		barriers := make([]barrier, len(j.subtasks[v]))
		for i := range barriers {
			barriers[i] = barrier{first: math.NaN(), aligned: math.NaN(), ackedAt: math.NaN()}
		}
		cp.barriers = append(cp.barriers, barriers)
		cp.total += len(barriers)
	}
	for e := range j.net.edges {
		cp.marks = append(cp.marks, make([]mark, len(j.net.edges[e].queues)))
	}
	c.current = cp
	c.inProgress++
	c.history = append([]*checkpoint{cp}, c.history...)
	c.history = c.history[:min(len(c.history), historySize)]
}

// pass lets the barriers through subtask i of v once they are there, and counts its acknowledgement.
func (c *checkpointing) pass(j *job, v, i int, now float64) {
	cp := c.current
	b := &cp.barriers[v][i]
	if !math.IsNaN(b.aligned) {
		if !b.acked && now >= b.ackedAt {
			b.acked = true
			cp.acked++
		}
		return
	}
	if !j.net.vertices[v].tasks[i].active {
		return
	}
	some, all := c.arrived(j, v, i, now)
	if some && math.IsNaN(b.first) {
		b.first = now
	}
	if !all {
		return
	}
	b.aligned = now
	c.snapshot(j, v, i)
	for _, e := range j.net.vertices[v].out {
		j.net.edges[e].sendBarrier(i, cp.marks[e])
	}
}

// arrived tells whether the first barrier, and whether all of them, have come to the head of the inputs
// of a subtask.
func (c *checkpointing) arrived(j *job, v, i int, now float64) (some, all bool) {
	ins := j.net.vertices[v].in
	if len(ins) == 0 {
		return true, true
	}
	all = true
	overtakes := c.Unaligned && now >= c.current.triggered+c.AlignedTimeout.Seconds()
	for _, e := range ins {
		edge := &j.net.edges[e]
		m := c.current.marks[e][i]
		taken := edge.queues[i].taken + tolerance*max(1, edge.queues[i].taken)
		some = some || m.sent > 0 && (overtakes || taken >= m.first)
		all = all && m.sent == edge.sendersOf(i) && (overtakes || taken >= m.last)
	}
	return some, all
}

// sendersOf is how many subtasks send to receiver i.
func (e *edge) sendersOf(i int) int {
	for _, g := range e.groups {
		if i >= g.receivers.from && i < g.receivers.to {
			return g.senders.len()
		}
	}
	return 0
}

// sendBarrier puts the barrier of sender i behind what has arrived so far.
func (e *edge) sendBarrier(i int, marks []mark) {
	for _, g := range e.groups {
		if i < g.senders.from || i >= g.senders.to {
			continue
		}
		for k := g.receivers.from; k < g.receivers.to; k++ {
			m, arrived := &marks[k], e.queues[k].arrived
			if m.sent == 0 {
				m.first = arrived
			}
			m.last = arrived
			m.sent++
		}
	}
}

// snapshot fixes what the subtask contributes at the moment when its barriers are aligned.
func (c *checkpointing) snapshot(j *job, v, i int) {
	vx, s := &j.net.vertices[v], &j.subtasks[v][i]
	t, b := &vx.tasks[i], &c.current.barriers[v][i]
	b.position = s.carried + t.handled
	b.startDelay = b.first - c.current.triggered
	b.alignment = b.aligned - b.first
	b.stateBytes, b.ownBytes = emptyState, emptyState
	if vx.StateBytes > 0 || vx.StateGrowth > 0 {
		b.stateBytes += vx.StateBytes/float64(len(vx.tasks)) + vx.StateGrowth*t.live(vx.TTL, b.position)
		b.ownBytes = b.stateBytes
		if !c.Full && c.latest != nil {
			b.ownBytes = emptyState + vx.StateGrowth*max(0, b.position-c.position(v, i))
		}
	}
	if c.Unaligned {
		b.startDelay += overtaking * float64(j.depth(v))
		for _, e := range vx.in {
			edge := &j.net.edges[e]
			b.persistedBytes += edge.queues[i].waiting() * j.net.vertices[edge.From].RecordBytes
		}
	}
	b.sync = vx.SyncTime.Seconds()
	t.owed += b.sync
	b.async = 0.01 + (b.ownBytes+b.persistedBytes)/orElse(t.upload, c.UploadBytesPerSecond)
	b.ackedAt = c.current.triggered + b.startDelay + b.alignment + b.sync + b.async
}

// live is how many of the records that a task has handled are younger than the time to live, at the mean pace
// of its attempt; without one all of them.
func (t *task) live(ttl time.Duration, handled float64) float64 {
	if ran := t.busy + t.blocked + t.idle; ttl > 0 && ran > 0 {
		return min(handled, t.handled/ran*ttl.Seconds())
	}
	return handled
}

// depth is the number of hops from a source to v, the longest way.
func (j *job) depth(v int) int {
	d := 0
	for _, e := range j.net.vertices[v].in {
		d = max(d, 1+j.depth(j.net.edges[e].From))
	}
	return d
}

func (c *checkpointing) complete(now float64) {
	cp := c.current
	cp.status = completed
	cp.ended = cp.latestAck()
	c.completed++
	c.failures = 0
	c.latest = cp
	c.close(cp, now)
	c.lastPassed = cp.barriers
	c.positions = make([][]float64, len(cp.barriers))
	for v, barriers := range cp.barriers {
		for _, b := range barriers {
			c.positions[v] = append(c.positions[v], b.position)
		}
	}
	c.sizes.add(cp.stateBytes())
	c.ownSizes.add(cp.ownBytes())
	c.durations.add(1000 * (cp.ended - cp.triggered))
	c.persisted.add(cp.persistedBytes())
}

func (c *checkpointing) fail(now float64, why string) {
	cp := c.current
	cp.status, cp.failure, cp.ended = failed, why, now
	c.failed++
	c.failures++
	c.latestFailed = cp
	c.close(cp, now)
}

func (c *checkpointing) close(cp *checkpoint, now float64) {
	c.current = nil
	c.inProgress--
	c.triggerAt = max(cp.triggered+c.Interval.Seconds(), now+c.MinPause.Seconds())
}

// abort fails the checkpoint in progress when the job does.
func (c *checkpointing) abort(_ *job, now float64) {
	if c.current != nil {
		c.fail(now, suspended)
	}
}

// restore notes that the job starts again from the latest completed checkpoint.
func (c *checkpointing) restore(now float64) {
	c.failures = 0
	c.triggerAt = now + c.Interval.Seconds()
	if c.latest != nil {
		c.restored++
		c.restoredFrom, c.restoredAt = c.latest, now
	}
}

// position is how many records subtask i of v had handled at the latest completed checkpoint.
func (c *checkpointing) position(v, i int) float64 {
	if c.positions == nil {
		return 0
	}
	return c.positions[v][i]
}

// lastOf is the barrier of the newest checkpoint that went through the subtask.
func (c *checkpointing) lastOf(v, i int) barrier {
	if c.current != nil && !math.IsNaN(c.current.barriers[v][i].aligned) {
		return c.current.barriers[v][i]
	}
	if c.lastPassed == nil {
		return barrier{}
	}
	return c.lastPassed[v][i]
}

// latestAck is when the last subtask so far acknowledged.
func (cp *checkpoint) latestAck() float64 {
	at := math.NaN()
	for v := range cp.barriers {
		for _, b := range cp.barriers[v] {
			if b.acked && !(at > b.ackedAt) {
				at = b.ackedAt
			}
		}
	}
	return at
}

func (cp *checkpoint) stateBytes() float64 {
	return cp.sum(func(b barrier) float64 { return b.stateBytes })
}

func (cp *checkpoint) ownBytes() float64 {
	return cp.sum(func(b barrier) float64 { return b.ownBytes + b.persistedBytes })
}

func (cp *checkpoint) persistedBytes() float64 {
	return cp.sum(func(b barrier) float64 { return b.persistedBytes })
}

// sum adds a size over the subtasks that have acknowledged.
func (cp *checkpoint) sum(size func(barrier) float64) float64 {
	total := 0.0
	for v := range cp.barriers {
		for _, b := range cp.barriers[v] {
			if b.acked {
				total += size(b)
			}
		}
	}
	return total
}
