package sim

import (
	"fmt"
	"math"
)

const (
	heartbeatInterval = 10.0
	// backgroundCores is what an idle TaskManager burns.
	backgroundCores = 0.02

	defaultSlots     = 4
	defaultCores     = 4
	defaultHeap      = 1 << 30
	defaultHeapUsed  = 0.4
	defaultHardware  = 16 << 30
	taskHeapShare    = 0.875
	managedShare     = 0.6
	networkShare     = 0.2
	frameworkBytes   = 128 << 20
	metaspaceBytes   = 256 << 20
	segmentBytes     = 32 << 10
	mebibyte         = 1 << 20
	overheadFraction = 0.1
)

// worker is a running TaskManager. Times are in seconds since the start of the cluster.
type worker struct {
	TaskManager
	index int
	// drag is stretch and how much longer everything takes because the collector stops the process.
	drag [2]float64
	// shares says that its cores are few enough for tasks to share them.
	shares bool
	// stretch is how much longer a computation takes because tasks want more cores than there are.
	stretch float64
	// used holds the job in each slot, or -1.
	used    []int
	stalled bool
	lost    bool
	// heartbeat is when the JobManager last heard of it.
	heartbeat float64
	// burnt is the CPU time in core seconds of attempts that have ended, and of the process itself up to
	// since.
	burnt, since float64
	// gc is a view of the time spent in garbage collection.
	gc timeGauge
}

func newWorkers(spec []TaskManager, slots int) []*worker {
	if len(spec) == 0 {
		spec = make([]TaskManager, (slots+defaultSlots-1)/defaultSlots)
	}
	workers := make([]*worker, len(spec))
	for i, tm := range spec {
		workers[i] = newWorker(tm, i, 0)
	}
	return workers
}

// newWorker starts a TaskManager that has all of its slots free.
func newWorker(tm TaskManager, index int, now float64) *worker {
	tm.ID = orElse(tm.ID, fmt.Sprintf("tm-%d", index+1))
	tm.Host = orElse(tm.Host, fmt.Sprintf("10.0.3.%d", 11+index))
	tm.Slots = orElse(tm.Slots, defaultSlots)
	shares := tm.Cores > 0
	tm.Cores = orElse(tm.Cores, defaultCores)
	tm.Slowdown = orElse(tm.Slowdown, 1)
	tm.HeapBytes = orElse(tm.HeapBytes, defaultHeap)
	tm.NetworkBytes = orElse(tm.NetworkBytes, tm.HeapBytes*networkShare)
	tm.HeapUsed = orElse(tm.HeapUsed, defaultHeapUsed)
	w := &worker{
		TaskManager: tm, index: index, shares: shares, stretch: 1, since: now, heartbeat: now,
		used: make([]int, tm.Slots),
	}
	for s := range w.used {
		w.used[s] = -1
	}
	return w
}

// standing is what the process burns beside its tasks, in cores.
func (w *worker) standing() float64 { return backgroundCores + w.GC }

// endpoint is the address of the worker's data port.
func (w *worker) endpoint() string { return fmt.Sprintf("%s:%d", w.Host, w.dataPort()) }

func (w *worker) dataPort() int { return 40951 + w.index }

func (w *worker) freeSlots() int {
	free := 0
	for _, j := range w.used {
		if j < 0 {
			free++
		}
	}
	return free
}

// assign finds the worker of the job's slot i and tells whether there is one. All vertices of a job
// share its slots.
func (c *Cluster) assign(j *job, i int, s *subtask) bool {
	if i < len(c.slots[j.index]) && !c.workers[c.slots[j.index][i]].lost {
		s.worker = c.slots[j.index][i]
		return true
	}
	return false
}

// place gives the jobs their slots, in the order of jobs and workers.
func (c *Cluster) place() {
	for _, w := range c.workers {
		for k := range w.used {
			w.used[k] = -1
		}
	}
	c.slots = make([][]int, len(c.jobs))
	for _, j := range c.jobs {
		if j.terminal() {
			continue
		}
		for _, w := range c.workers {
			for k := range w.used {
				if w.lost || w.used[k] >= 0 || len(c.slots[j.index]) == j.width() {
					continue
				}
				w.used[k] = j.index
				c.slots[j.index] = append(c.slots[j.index], w.index)
			}
		}
	}
}

// tickWorkers sends heartbeats, and stalls, removes and brings back workers.
func (c *Cluster) tickWorkers(now float64) {
	c.stallsChanged = false
	for _, j := range c.jobs {
		for _, f := range j.spec.Faults {
			if f.Kind == TaskManagerStalls {
				w, stalled := c.workers[f.TaskManager], f.lastsAt(now)
				c.stallsChanged = c.stallsChanged || stalled != w.stalled
				w.stalled = stalled
			}
		}
	}
	for _, w := range c.workers {
		if !w.stalled {
			if w.lost || now >= w.heartbeat+heartbeatInterval {
				w.heartbeat = math.Floor(now/heartbeatInterval) * heartbeatInterval
			}
			w.lost = false
			continue
		}
		if !w.lost && now >= w.heartbeat+c.cfg.HeartbeatTimeout.Seconds() {
			c.lose(w, now)
		}
	}
}

// lastsAt tells whether a fault with a duration is under way.
func (f Fault) lastsAt(now float64) bool {
	return now >= f.At.Seconds() && (f.For == 0 || now < (f.At+f.For).Seconds())
}

// lose removes a worker that does not answer and fails the jobs that ran on it.
func (c *Cluster) lose(w *worker, now float64) {
	w.lost = true
	for _, j := range c.jobs {
		if j.terminal() || j.state == restarting || !j.runsOn(w.index) {
			continue
		}
		j.each(func(_, _ int, s *subtask, _ *task) { s.lost = s.lost || s.worker == w.index })
		j.fail(now, exception{
			at: now, class: "java.util.concurrent.TimeoutException",
			message: fmt.Sprintf("Heartbeat of TaskManager with id %s(%s) timed out.", w.ID, w.endpoint()),
			vertex:  -1, subtask: -1, worker: w.index,
		})
	}
	c.place()
}

func (j *job) runsOn(worker int) bool {
	found := false
	j.each(func(_, _ int, s *subtask, _ *task) {
		found = found || s.worker == worker && s.status != created && s.status != scheduled
	})
	return found
}

// cpuSeconds is the CPU time of the process so far, in core seconds.
func (c *Cluster) cpuSeconds(w *worker, now float64) float64 {
	sum := w.burnt + (now-w.since)*w.standing()
	for _, j := range c.jobs {
		j.each(func(_, _ int, s *subtask, t *task) {
			if s.worker == w.index {
				sum += t.cpu
			}
		})
	}
	return sum
}

// keepBurnt books the CPU time of a job's attempts before their counters are reset.
func (c *Cluster) keepBurnt(j *job) {
	j.each(func(_, _ int, s *subtask, t *task) {
		c.workers[s.worker].burnt += t.cpu
	})
}
