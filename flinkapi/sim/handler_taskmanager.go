package sim

import (
	"net/http"
	"strings"
)

type resource struct {
	CPUCores       double             `json:"cpuCores"`
	TaskHeap       int64              `json:"taskHeapMemory"`
	TaskOffHeap    int64              `json:"taskOffHeapMemory"`
	Managed        int64              `json:"managedMemory"`
	Network        int64              `json:"networkMemory"`
	ExtendedByName map[string]float64 `json:"extendedResources"`
}

type hardware struct {
	CPUCores int   `json:"cpuCores"`
	Physical int64 `json:"physicalMemory"`
	Free     int64 `json:"freeMemory"`
	Managed  int64 `json:"managedMemory"`
}

type memoryConfiguration struct {
	FrameworkHeap    int64 `json:"frameworkHeap"`
	TaskHeap         int64 `json:"taskHeap"`
	FrameworkOffHeap int64 `json:"frameworkOffHeap"`
	TaskOffHeap      int64 `json:"taskOffHeap"`
	Network          int64 `json:"networkMemory"`
	Managed          int64 `json:"managedMemory"`
	Metaspace        int64 `json:"jvmMetaspace"`
	Overhead         int64 `json:"jvmOverhead"`
	TotalFlink       int64 `json:"totalFlinkMemory"`
	TotalProcess     int64 `json:"totalProcessMemory"`
}

type taskManagerBody struct {
	ID            string              `json:"id"`
	Path          string              `json:"path"`
	DataPort      int                 `json:"dataPort"`
	JMXPort       int                 `json:"jmxPort"`
	LastHeartbeat int64               `json:"timeSinceLastHeartbeat"`
	Slots         int                 `json:"slotsNumber"`
	FreeSlots     int                 `json:"freeSlots"`
	Total         resource            `json:"totalResource"`
	Free          resource            `json:"freeResource"`
	Hardware      hardware            `json:"hardware"`
	Memory        memoryConfiguration `json:"memoryConfiguration"`
	AssignedTasks *int                `json:"assignedTasks,omitempty"`
}

type taskManagerDetails struct {
	taskManagerBody
	Metrics   taskManagerGauges `json:"metrics"`
	Allocated []allocatedSlot   `json:"allocatedSlots"`
}

type allocatedSlot struct {
	JobID         string   `json:"jobId"`
	Resource      resource `json:"resource"`
	AssignedTasks *int     `json:"assignedTasks,omitempty"`
}

type taskManagerGauges struct {
	HeapUsed          int64              `json:"heapUsed"`
	HeapCommitted     int64              `json:"heapCommitted"`
	HeapMax           int64              `json:"heapMax"`
	NonHeapUsed       int64              `json:"nonHeapUsed"`
	NonHeapCommitted  int64              `json:"nonHeapCommitted"`
	NonHeapMax        int64              `json:"nonHeapMax"`
	DirectCount       int64              `json:"directCount"`
	DirectUsed        int64              `json:"directUsed"`
	DirectMax         int64              `json:"directMax"`
	MappedCount       int64              `json:"mappedCount"`
	MappedUsed        int64              `json:"mappedUsed"`
	MappedMax         int64              `json:"mappedMax"`
	OldAvailable      *int64             `json:"memorySegmentsAvailable,omitempty"`
	OldTotal          *int64             `json:"memorySegmentsTotal,omitempty"`
	SegmentsAvailable int64              `json:"nettyShuffleMemorySegmentsAvailable"`
	SegmentsUsed      int64              `json:"nettyShuffleMemorySegmentsUsed"`
	SegmentsTotal     int64              `json:"nettyShuffleMemorySegmentsTotal"`
	MemoryAvailable   int64              `json:"nettyShuffleMemoryAvailable"`
	MemoryUsed        int64              `json:"nettyShuffleMemoryUsed"`
	MemoryTotal       int64              `json:"nettyShuffleMemoryTotal"`
	Collectors        []garbageCollector `json:"garbageCollectors"`
}

type garbageCollector struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
	Time  int64  `json:"time"`
}

func taskManagers(c *Cluster, _ *http.Request) (any, *failure) {
	list := []taskManagerBody{}
	for _, w := range c.workers {
		if !w.lost {
			list = append(list, c.taskManagerBody(w))
		}
	}
	return map[string]any{"taskmanagers": list}, nil
}

func (w *worker) memory() memoryConfiguration {
	m := memoryConfiguration{
		FrameworkHeap: frameworkBytes, FrameworkOffHeap: frameworkBytes, Metaspace: metaspaceBytes,
		TaskHeap: int64(w.HeapBytes * taskHeapShare), Network: int64(w.NetworkBytes),
		Managed: int64(w.HeapBytes * managedShare),
	}
	m.TotalFlink = m.FrameworkHeap + m.TaskHeap + m.FrameworkOffHeap + m.Network + m.Managed
	m.Overhead = int64(overheadFraction * float64(m.TotalFlink))
	m.TotalProcess = m.TotalFlink + m.Metaspace + m.Overhead
	return m
}

// share is n slots' part of the worker's resources.
func (w *worker) share(n int) resource {
	part, m := float64(n)/float64(w.Slots), w.memory()
	return resource{
		CPUCores: double(float64(w.Cores) * part), TaskHeap: int64(float64(m.TaskHeap) * part / mebibyte),
		Managed: int64(float64(m.Managed) * part / mebibyte), Network: int64(float64(m.Network) * part / mebibyte),
		ExtendedByName: map[string]float64{},
	}
}

func (c *Cluster) taskManagerBody(w *worker) taskManagerBody {
	free := w.freeSlots()
	b := taskManagerBody{
		ID: w.ID, Path: "pekko.tcp://flink@" + w.Host + ":40001/user/rpc/taskmanager_0",
		DataPort: w.dataPort(), JMXPort: -1, LastHeartbeat: c.millis(w.heartbeat),
		Slots: w.Slots, FreeSlots: free, Total: w.share(w.Slots), Free: w.share(free),
		Hardware: hardware{w.Cores, defaultHardware, int64(w.HeapBytes), w.memory().Managed},
		Memory:   w.memory(),
	}
	if c.version.atLeast(2, 3) {
		tasks := c.tasksOn(w, -1)
		b.AssignedTasks = &tasks
	}
	return b
}

// tasksOn counts the tasks on a worker, of one job or of all (-1).
func (c *Cluster) tasksOn(w *worker, job int) int {
	n := 0
	for _, j := range c.jobs {
		if job < 0 || j.index == job {
			j.each(func(_, _ int, s *subtask, _ *task) {
				if s.worker == w.index && !s.terminal() && s.at(deploying) >= 0 {
					n++
				}
			})
		}
	}
	return n
}

// findWorker returns the worker of the request's path.
func (c *Cluster) findWorker(r *http.Request) (*worker, *failure) {
	id := r.PathValue("worker")
	for _, w := range c.workers {
		if w.ID == id && !w.lost {
			return w, nil
		}
	}
	return nil, missing("No TaskManager registered under %s.", id)
}

func taskManager(c *Cluster, r *http.Request) (any, *failure) {
	w, bad := c.findWorker(r)
	if bad != nil {
		return nil, bad
	}
	c.store.update(c)
	b := taskManagerDetails{taskManagerBody: c.taskManagerBody(w), Allocated: []allocatedSlot{}}
	for _, job := range w.used {
		if job < 0 {
			continue
		}
		slot := allocatedSlot{JobID: c.jobs[job].id, Resource: w.share(1)}
		if c.version.atLeast(2, 3) {
			tasks := c.tasksOn(w, job) / max(1, w.slotsOf(job))
			slot.AssignedTasks = &tasks
		}
		b.Allocated = append(b.Allocated, slot)
	}
	if x, ok := c.store.current.worker(w.index); ok {
		b.Metrics = c.gauges(w, x)
	}
	return b, nil
}

func (w *worker) slotsOf(job int) int {
	n := 0
	for _, j := range w.used {
		if j == job {
			n++
		}
	}
	return n
}

func (m *metrics) worker(i int) (workerSample, bool) {
	if i >= len(m.workers) {
		return workerSample{}, false
	}
	return m.workers[i], true
}

func (c *Cluster) gauges(w *worker, x workerSample) taskManagerGauges {
	network, segments, used := w.memory().Network, x.segments, x.segmentsUsed
	g := taskManagerGauges{
		HeapUsed: int64(w.HeapBytes * x.heapUsed), HeapCommitted: int64(w.HeapBytes), HeapMax: int64(w.HeapBytes),
		NonHeapUsed: metaspaceBytes / 2, NonHeapCommitted: metaspaceBytes, NonHeapMax: 3 * metaspaceBytes,
		DirectCount: segments, DirectUsed: network, DirectMax: network,
		SegmentsAvailable: segments - used, SegmentsUsed: used, SegmentsTotal: segments,
		MemoryAvailable: (segments - used) * segmentBytes, MemoryUsed: used * segmentBytes,
		MemoryTotal: segments * segmentBytes,
		Collectors: []garbageCollector{
			{"G1_Young_Generation", int64(x.gcMillis / 20), int64(x.gcMillis)}, {"G1_Old_Generation", 0, 0},
		},
	}
	if !c.version.atLeast(2, 0) {
		g.OldAvailable, g.OldTotal = &g.SegmentsAvailable, &g.SegmentsTotal
	}
	return g
}

// metricsOfWorker lists the metrics of a TaskManager, as far as it has reported.
func (c *Cluster) metricsOfWorker(w *worker) []named {
	x, ok := c.store.current.worker(w.index)
	if !ok {
		return nil
	}
	g := c.gauges(w, x)
	const heap, gc, netty = "Status.JVM.Memory.Heap.", "Status.JVM.GarbageCollector.", "Status.Shuffle.Netty."
	list := []named{
		{"Status.JVM.CPU.Time", whole, x.cpuNanos},
		{"Status.JVM.CPU.Load", fraction, x.cpuLoad},
		{heap + "Used", whole, float64(g.HeapUsed)},
		{heap + "Committed", whole, float64(g.HeapCommitted)},
		{heap + "Max", whole, float64(g.HeapMax)},
		{"Status.JVM.Memory.NonHeap.Used", whole, float64(g.NonHeapUsed)},
		{"Status.JVM.Memory.Metaspace.Used", whole, metaspaceBytes / 2},
		{"Status.JVM.Memory.Direct.MemoryUsed", whole, float64(g.DirectUsed)},
		{"Status.JVM.Threads.Count", whole, float64(60 + 3*c.tasksOn(w, -1))},
		{"Status.Flink.Memory.Managed.Used", whole, 0},
		{"Status.Flink.Memory.Managed.Total", whole, float64(w.memory().Managed)},
		{netty + "UsedMemorySegments", whole, float64(g.SegmentsUsed)},
		{netty + "TotalMemorySegments", whole, float64(g.SegmentsTotal)},
		{netty + "UsedMemory", whole, float64(g.MemoryUsed)},
		{netty + "TotalMemory", whole, float64(g.MemoryTotal)},
		{netty + "RequestedMemoryUsage", whole, 50},
		{gc + "G1_Young_Generation.Count", whole, float64(g.Collectors[0].Count)},
		{gc + "G1_Young_Generation.Time", whole, x.gcMillis},
	}
	if c.version.atLeast(1, 19) {
		list = append(list,
			named{gc + "G1_Young_Generation.TimeMsPerSecond", fraction, 1000 * x.gcShare},
			named{gc + "All.Count", whole, float64(g.Collectors[0].Count)},
			named{gc + "All.Time", whole, x.gcMillis},
			named{gc + "All.TimeMsPerSecond", fraction, 1000 * x.gcShare})
	}
	return list
}

func taskManagerMetrics(c *Cluster, r *http.Request) (any, *failure) {
	w, bad := c.findWorker(r)
	c.store.update(c)
	if bad != nil {
		return []metricBody{}, nil
	}
	return answerNamed(r, c.metricsOfWorker(w)), nil
}

// aggregatedTaskManagerMetrics answers for the chosen TaskManagers together; unknown names make the
// whole answer [].
func aggregatedTaskManagerMetrics(c *Cluster, r *http.Request) (any, *failure) {
	c.store.update(c)
	modes, bad := c.modes(r)
	if bad != nil {
		return nil, bad
	}
	var order []string
	values := map[string]distribution{}
	chosen := r.URL.Query().Get("taskmanagers")
	for _, w := range c.workers {
		if w.lost || chosen != "" && !strings.Contains(","+chosen+",", ","+w.ID+",") {
			continue
		}
		for _, n := range c.metricsOfWorker(w) {
			if _, seen := values[n.name]; !seen {
				order = append(order, n.name)
			}
			values[n.name] = append(values[n.name], n.x)
		}
	}
	out := []aggregatedMetric{}
	names, listing := wanted(r)
	if listing {
		for _, name := range order {
			out = append(out, aggregatedMetric{ID: name})
		}
		return out, nil
	}
	for _, name := range names {
		if len(values[name]) == 0 {
			return []aggregatedMetric{}, nil
		}
		out = append(out, combine(name, values[name], modes))
	}
	return out, nil
}
