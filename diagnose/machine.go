package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"culprit/flinkapi"
)

// newestOf returns the newest reading of a signal of a TaskManager.
func (c *Case) newestOf(id flinkapi.TaskManagerID, signal flinkapi.Signal) flinkapi.Value {
	all := c.worker(id, signal)
	if len(all) == 0 {
		return flinkapi.Value{}
	}
	return all[len(all)-1].readings.Of(signal)
}

func (c *Case) taskManager(id flinkapi.TaskManagerID) *flinkapi.TaskManager {
	for i := range c.snapshot.TaskManagers {
		if t := &c.snapshot.TaskManagers[i]; t.ID == id {
			return t
		}
	}
	return nil
}

// fullMachine says of which machine of the culprit the TaskManagers use all CPU; empty for none. Only they
// are seen: what else runs on a machine is not.
func (c *Case) fullMachine() string {
	c.note(flinkapi.CPULoad)
	m := c.memoOf(c.subject())
	if !m.fullAsked {
		m.full, m.fullAsked = c.findFullMachine(), true
	}
	return m.full
}

func (c *Case) findFullMachine() string {
	for _, id := range c.taskManagers(c.subject()) {
		t := c.taskManager(id)
		if t == nil {
			continue
		}
		load := c.newestOf(id, flinkapi.CPULoad).Or(0)
		if t.Host != "" {
			load = c.machineLoads()[machineOf(t.Host)]
		}
		if load >= c.limits.fullCPU {
			return fmt.Sprintf("the machine of %s has no core to spare (%s of its CPU is used by Flink)",
				id, FormatRatio(flinkapi.Known(min(load, 1))))
		}
	}
	return ""
}

// machineLoads are the shares of each machine's CPU that its TaskManagers use together, by its host.
func (c *Case) machineLoads() map[string]float64 {
	if c.memo.load != nil {
		return c.memo.load
	}
	c.memo.load = map[string]float64{}
	for i := range c.snapshot.TaskManagers {
		t := &c.snapshot.TaskManagers[i]
		c.memo.load[machineOf(t.Host)] += c.newestOf(t.ID, flinkapi.CPULoad).Or(0)
	}
	return c.memo.load
}

// machineOf is a host without a port.
func machineOf(host string) string {
	name, _, _ := strings.Cut(host, ":")
	return name
}

// cpuLimit returns how many cores a TaskManager may use: those of its machine or container, as its JVM counts
// them, or the limit of its pod where Flink made it.
func (c *Case) cpuLimit(id flinkapi.TaskManagerID) (cores float64, known bool) {
	if t := c.taskManager(id); t != nil {
		cores, known = t.CPUCores.Float()
	}
	amount, set, _ := c.setting("kubernetes.taskmanager.cpu.amount")
	if !set {
		// On Kubernetes this is what a pod asks for.
		if _, onKubernetes, _ := c.setting("kubernetes.cluster-id"); onKubernetes {
			amount, _, _ = c.setting("taskmanager.cpu.cores")
		}
	}
	if amount == "" {
		return cores, known
	}
	pod, err := strconv.ParseFloat(amount, 64)
	if err != nil || pod <= 0 {
		return cores, known
	}
	factor, _, _ := c.setting("kubernetes.taskmanager.cpu.limit-factor")
	if times, err := strconv.ParseFloat(cmp.Or(factor, "1"), 64); err == nil && times > 0 {
		pod *= times
	}
	if !known || pod < cores {
		return pod, true
	}
	return cores, true
}

// heapUse is how full a TaskManager's heap was over the window.
type heapUse struct {
	// floor is the least that was used, in bytes, and share that of the heap: about what a collection leaves.
	floor, share flinkapi.Value
	readings     int
	// risen is true where the least use grew from each third of the window to the next.
	risen bool
}

func (c *Case) heapUse(id flinkapi.TaskManagerID) heapUse {
	var used []float64
	size := flinkapi.Value{}
	for _, r := range c.worker(id, flinkapi.HeapUsed, flinkapi.HeapMax) {
		if x, ok := r.readings.Of(flinkapi.HeapUsed).Float(); ok {
			used = append(used, x)
			size = r.readings.Of(flinkapi.HeapMax)
		}
	}
	n := len(used)
	if n == 0 {
		return heapUse{}
	}
	h := heapUse{floor: flinkapi.Known(slices.Min(used)), readings: n}
	whole := size.Or(0)
	if whole <= 0 {
		return h
	}
	h.share = flinkapi.Known(h.floor.Or(0) / whole)
	if third := n / 3; third >= c.limits.heapReadings/2 {
		low, mid, high := slices.Min(used[:third]), slices.Min(used[third:2*third]), slices.Min(used[2*third:])
		h.risen = mid > low && high > mid && high-low >= c.limits.heapRise*whole
	}
	return h
}
