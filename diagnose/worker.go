package diagnose

import "culprit/flinkapi"

// WorkerState is a TaskManager in the newest look.
type WorkerState struct {
	ID   flinkapi.TaskManagerID
	Host string
	// Slots and Free count its slots, of all jobs.
	Slots, Free int
	// Silent is how long its last heartbeat was ago when the list was read; missing when unknown.
	Silent flinkapi.Value // seconds
	// Cores are the cores that its process used over the newest slot, MachineCores those of its machine.
	Cores, MachineCores flinkapi.Value
	// GC is the share of time in garbage collection.
	GC flinkapi.Value
	// HeapUsed is now, HeapFloor the least that was seen in the last 15 minutes: about what a collection leaves.
	HeapUsed, HeapFloor, HeapMax flinkapi.Value // bytes
	NetworkUsed, NetworkMax      flinkapi.Value // bytes
	ManagedUsed, ManagedMax      flinkapi.Value // bytes
	// Age is how old the metrics are; missing where they were never read.
	Age flinkapi.Value // seconds
	// Tasks are the job's subtasks on it, one entry per vertex that has some there.
	Tasks []WorkerTasks
}

// WorkerTasks are the subtasks of one vertex on a TaskManager.
type WorkerTasks struct {
	*Placed
	// Busy is the largest busy share among them.
	Busy flinkapi.Value
}

// Placed says where subtasks of one vertex run. It stays the same from look to look, and is held by all of
// their reports.
type Placed struct {
	Vertex   VertexRef
	Subtasks []int // their indices
}

// workerStates describes the TaskManagers in the order of the cluster's list.
func (c *Case) workerStates() []WorkerState {
	out, tasks := make([]WorkerState, len(c.snapshot.TaskManagers)), c.placedTasks()
	for i := range c.snapshot.TaskManagers {
		tm := &c.snapshot.TaskManagers[i]
		out[i] = c.workerState(tm)
		if at, known := c.placed.index[tm.ID]; known {
			out[i].Tasks = tasks[at]
		}
	}
	return out
}

func (c *Case) workerState(tm *flinkapi.TaskManager) WorkerState {
	r := tm.Readings
	st := WorkerState{
		ID: tm.ID, Host: tm.Host, Slots: tm.Slots, Free: tm.FreeSlots,
		Cores: c.w.cores(tm.ID), MachineCores: tm.CPUCores, GC: r.Of(flinkapi.GCShare),
		HeapUsed: r.Of(flinkapi.HeapUsed), HeapFloor: c.heapFloor(tm.ID), HeapMax: r.Of(flinkapi.HeapMax),
		NetworkUsed: r.Of(flinkapi.NetworkUsed), NetworkMax: r.Of(flinkapi.NetworkMax),
		ManagedUsed: r.Of(flinkapi.ManagedUsed), ManagedMax: r.Of(flinkapi.ManagedMax),
	}
	if !tm.Heartbeat.IsZero() {
		st.Silent = flinkapi.Known(max(tm.AsOf.Sub(tm.Heartbeat), 0).Seconds())
	}
	if !tm.ReadingsRead.IsZero() {
		st.Age = flinkapi.Known(max(c.snapshot.At.Sub(tm.ReadingsRead), 0).Seconds())
	}
	return st
}

// heapFloor is the least heap that a TaskManager was seen to use. It takes floorReadings at least, as few
// looks may all come before a collection.
func (c *Case) heapFloor(id flinkapi.TaskManagerID) flinkapi.Value {
	const floorReadings = 3
	h := c.heapUse(id)
	if h.readings < floorReadings {
		return flinkapi.Value{}
	}
	return h.floor
}
