package diagnose

import (
	"math"
	"slices"
	"time"

	"culprit/flinkapi"
)

// Case is the only window of a rule to the data. Every read notes its signals, so that a test can compare
// them with what the rule declares.
type Case struct {
	limits   thresholds
	options  *Options
	snapshot *flinkapi.Snapshot
	job      *flinkapi.Job
	w        *window
	g        *graph
	placed   *placement
	memo     memo
	phrases  phrases
	// culprit is the one whose reason is asked for; nil in the stages about the whole job.
	culprit *standing
	stands  []standing
	read    map[flinkapi.Signal]bool // nil while nobody wants to know
	// sampling is since when looks at the threads of each culprit are asked for.
	sampling map[flinkapi.VertexID]time.Time
	// grew are the TaskManagers whose heap was seen to grow; spared those who are not named because of a heap.
	grew   map[flinkapi.TaskManagerID]heapRise
	spared []heapVictim
	// metricsAge is how old the metrics are, once it was asked for.
	metricsAge     time.Duration
	ageKnown, aged bool
}

func (c *Case) note(signals ...flinkapi.Signal) {
	if c.read == nil {
		return
	}
	for _, s := range signals {
		c.read[s] = true
	}
}

// newest returns the newest slot, or nil before the first.
func (c *Case) newest() *slot {
	if len(c.w.slots) == 0 {
		return nil
	}
	return &c.w.slots[len(c.w.slots)-1]
}

// shares returns the shares of a vertex in the newest slot.
func (c *Case) shares(v int) *vertexSlot {
	c.note(shareSignals()...)
	s := c.newest()
	if s == nil || v >= len(s.vertices) {
		return &vertexSlot{}
	}
	return &s.vertices[v]
}

// rates returns a vertex's records per second in the newest slot: as a whole, and by subtask, where they were
// counted.
func (c *Case) rates(v int) (all rate, subtasks []spent) {
	c.note(rateSignals()...)
	s := c.newest()
	if s == nil || v >= len(s.vertices) {
		return rate{}, nil
	}
	if x := &s.vertices[v]; x.counted {
		subtasks = x.subtasks
	}
	return s.vertices[v].all, subtasks
}

// subject returns the index of the culprit in question.
func (c *Case) subject() int { return c.culprit.last.vertex }

func (c *Case) vertex(v int) *flinkapi.Vertex { return &c.job.Vertices[v] }

func (c *Case) ref(v int) VertexRef { return VertexRef{c.job.Vertices[v].ID, c.job.Vertices[v].Name} }

// metricAge is how old the metrics are; unknown before any subtask was read.
func (c *Case) metricAge() (time.Duration, bool) {
	if !c.aged {
		c.metricsAge, c.ageKnown = metricAge(c.snapshot)
		c.aged = true
	}
	return c.metricsAge, c.ageKnown
}

// metricAge is the time since the metrics were seen to move; on a first look the age that the freshest
// subtask's counters had when they were read, and the time since.
func metricAge(s *flinkapi.Snapshot) (age time.Duration, known bool) {
	if moved := s.Job.MetricsMoved; !moved.IsZero() {
		return max(s.At.Sub(moved), 0), true
	}
	for i := range s.Job.Vertices {
		v := &s.Job.Vertices[i]
		for k := range v.Subtasks {
			seconds, ok := subtaskAge(&v.Subtasks[k]).Float()
			if !ok || v.Subtasks[k].State != flinkapi.TaskRunning {
				continue
			}
			old := time.Duration(seconds*float64(time.Second)) + s.At.Sub(v.SubtasksRead)
			if !known || old < age {
				age, known = old, true
			}
		}
	}
	return age, known
}

// stale tells whether the metrics have stood still for so long that shares mean nothing any more.
func (c *Case) stale() bool {
	age, known := c.metricAge()
	return known && age > standstill(c.limits, fetchInterval(c.limits, c.snapshot))
}

func stale(limits thresholds, s *flinkapi.Snapshot) bool {
	age, known := metricAge(s)
	return known && age > standstill(limits, fetchInterval(limits, s))
}

// standstill is how long something that moves at every interval may stand still before it is told of.
func standstill(limits thresholds, interval time.Duration) time.Duration {
	scaled := time.Duration(limits.staleIntervals*float64(interval)) + limits.staleSlack
	return max(scaled, interval+limits.staleLeast)
}

func fetchInterval(limits thresholds, s *flinkapi.Snapshot) time.Duration {
	if f := s.Cluster.FetchInterval; f > 0 {
		return f
	}
	return limits.slot
}

// silent returns the TaskManager whose heartbeat is the oldest, if it is too old beside the others'.
func (c *Case) silent() (tm *flinkapi.TaskManager, age time.Duration, ok bool) {
	for i := range c.snapshot.TaskManagers {
		t := &c.snapshot.TaskManagers[i]
		if t.Heartbeat.IsZero() {
			continue
		}
		if old := t.AsOf.Sub(t.Heartbeat); old > age {
			tm, age = t, old
		}
	}
	limit := standstill(c.limits, heartbeatInterval) - c.limits.staleSlack
	return tm, age, tm != nil && age > limit
}

// heartbeatInterval is Flink's default (heartbeat.interval).
const heartbeatInterval = 10 * time.Second

// restarts returns how many restarts the last minutes held, and whether the job has run well since: for a
// while, and for clearly longer than it ran between them.
func (c *Case) restarts() (n int, over bool) {
	c.note(flinkapi.RestartCount)
	ago := c.w.restartsLately(c.snapshot)
	if len(ago) == 0 || c.job.State != flinkapi.JobRunning {
		return len(ago), false
	}
	longest := time.Duration(0)
	for i := range ago[1:] {
		longest = max(longest, ago[i+1]-ago[i])
	}
	quiet := time.Duration(c.limits.restartQuiet * float64(longest))
	return len(ago), ago[0] >= max(quiet, c.limits.restartOver)
}

// coresPerBusySubtask returns the cores that the culprit's TaskManagers use for each busy subtask on them:
// about 0 when busy means waiting, about 1 when it means computing. It is an upper bound for the culprit,
// since the whole process counts. others tells whether other jobs run on the cluster, so that a high number
// proves nothing.
func (c *Case) coresPerBusySubtask() (cores flinkapi.Value, others bool) {
	c.note(flinkapi.CPUTime)
	c.note(shareSignals()...)
	used, busy := 0.0, 0.0
	for _, id := range c.taskManagers(c.subject()) {
		n, ok := c.w.cores(id).Float()
		if !ok {
			return flinkapi.Value{}, false
		}
		used += n
		busy += c.busyOn(id)
	}
	if busy < c.limits.some {
		return flinkapi.Value{}, false
	}
	running := 0
	for _, j := range c.snapshot.Jobs {
		if j.State == flinkapi.JobRunning {
			running++
		}
	}
	return flinkapi.Known(used / busy), running > 1
}

// taskManagers returns where the busy subtasks of a vertex run, each once, in the order of the subtasks. The
// result belongs to the case.
func (c *Case) taskManagers(v int) []flinkapi.TaskManagerID {
	busy, m := c.busySubtasks(v), c.memoOf(v)
	if m.workerAsked {
		return m.workers
	}
	m.workerAsked = true
	if len(busy) == 0 {
		return nil
	}
	seen := make([]bool, len(c.placed.ids))
	m.workers = make([]flinkapi.TaskManagerID, 0, min(len(busy), len(seen)))
	for _, i := range busy {
		if i >= len(c.placed.at[v]) {
			continue
		}
		if at := c.placed.at[v][i].worker; at != nowhere && !seen[at] {
			seen[at] = true
			m.workers = append(m.workers, c.placed.ids[at])
		}
	}
	return m.workers
}

// lastAt returns which subtasks of a culprit were busy in the newest slot that named it, and where they run:
// one that comes and goes may rest now.
func (c *Case) lastAt(s *standing) (subtasks []int, at []flinkapi.TaskManagerID) {
	v := s.last.vertex
	for i := len(c.w.slots) - 1; i >= 0; i-- {
		sl := &c.w.slots[i]
		if !sl.names(s.id) || v >= len(sl.vertices) {
			continue
		}
		if subtasks = sl.vertices[v].busyAtLeast(c.limits.some); len(subtasks) > 0 {
			break
		}
	}
	for _, k := range subtasks {
		if k >= len(c.placed.at[v]) {
			continue
		}
		worker := c.placed.at[v][k].worker
		if worker != nowhere && !slices.Contains(at, c.placed.ids[worker]) {
			at = append(at, c.placed.ids[worker])
		}
	}
	return subtasks, at
}

// busySubtasks returns the subtasks of v that are busy enough to hold others back, in order. The result
// belongs to the case.
func (c *Case) busySubtasks(v int) []int {
	sh, m := c.shares(v), c.memoOf(v)
	if m.busyAsked {
		return m.busy
	}
	m.busyAsked = true
	m.busy = sh.busyAtLeast(c.limits.busy)
	if len(m.busy) == 0 {
		m.busy = sh.busyAtLeast(c.limits.some)
	}
	if len(m.busy) == 0 && len(sh.subtasks) == 0 && c.vertex(v).Parallelism == 1 {
		m.busy = []int{0}
	}
	return m.busy
}

// pool returns the buffer usage of a vertex: the largest over its subtasks.
func (c *Case) pool(v int, signal flinkapi.Signal) flinkapi.Value {
	c.note(signal)
	return c.job.Vertices[v].Spread[signal].Max
}

// lag returns a source's pending records and by how much they change a second; both unknown without a lag
// metric.
func (c *Case) lag(v int) (records, slope flinkapi.Value) {
	all := c.series(v, flinkapi.PendingRecords)
	if len(all) == 0 {
		return flinkapi.Value{}, flinkapi.Value{}
	}
	newest := all[len(all)-1]
	records = newest.spread.Sum
	now, known := records.Float()
	if i := earlier(all, c.limits.slot, spreadReading.time); i >= 0 && known {
		if before, ok := all[i].spread.Sum.Float(); ok {
			slope = flinkapi.Known((now - before) / newest.at.Sub(all[i].at).Seconds())
		}
	}
	return records, slope
}

// pace is how a source's rate of records moved over the last minute.
type pace struct {
	low, high float64 // records a second
	slots     int
	// same tells whether it stayed the same, moved whether it clearly did not; neither where it is in between,
	// too few slots hold a rate, or none came.
	same, moved bool
}

// spread is by which share of the highest rate the rates differ; unknown where no two were seen.
func (p pace) spread() flinkapi.Value {
	if p.slots < 2 || p.high <= 0 {
		return flinkapi.Value{}
	}
	return flinkapi.Known((p.high - p.low) / p.high)
}

// pace returns whether the source's rate of records has stayed the same over the last minute. The number of
// records of a subtask in a slot is off by up to one, which few records must not be blamed for.
func (c *Case) pace(v int) pace {
	c.note(rateSignals()...)
	p, shortest := pace{low: math.Inf(1), high: math.Inf(-1)}, math.Inf(1)
	for i := range c.w.slots {
		s := &c.w.slots[i]
		if s.gauges || v >= len(s.vertices) || c.newest().to.Sub(s.to) >= c.limits.firmWindow {
			continue
		}
		if out, ok := s.vertices[v].all.out.Float(); ok {
			p.low, p.high, p.slots = min(p.low, out), max(p.high, out), p.slots+1
			shortest = min(shortest, s.to.Sub(s.from).Seconds())
		}
	}
	if p.slots < c.limits.firmSlots || p.high <= 0 {
		return p
	}
	least := c.limits.steadyRate * p.high
	miscounted := 2 * float64(c.vertex(v).Parallelism) / shortest // of two slots that are compared
	p.same = p.high-p.low <= least+min(miscounted, least)
	p.moved = !p.same && p.high-p.low >= c.limits.movingRate*p.high
	return p
}

// known is the share of the subtasks whose shares of time the newest slot holds; the finished ones are left
// out.
func (c *Case) known() float64 {
	s := c.newest()
	if s == nil {
		return 0
	}
	known, total := 0, 0
	for i := range s.vertices {
		if v := &s.vertices[i]; !v.finished {
			known, total = known+v.known, total+v.total
		}
	}
	if total == 0 {
		return 0
	}
	return float64(known) / float64(total)
}

// age is the age of the newest shares, for evidence.
func (c *Case) age() time.Duration {
	age, _ := c.metricAge()
	return age
}
