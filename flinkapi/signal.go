package flinkapi

import (
	"fmt"
	"math"
	"sync"
)

// Signal names one number that Flink can report. The catalogue says where it comes from and in which unit
// it is kept; rules declare the signals that they need, and the union of those is what the collector asks
// for.
type Signal int

// The signals. Times that end in Time are counters in seconds since the attempt started; names that end in
// Share are gauges, the share of time in the cluster's own window (60 s from 1.17 on, 5 s before).
const (
	BusyTime Signal = iota
	BackpressuredTime
	IdleTime
	RecordsRead
	RecordsWritten
	BytesRead
	BytesWritten

	BusyShare
	BackpressuredShare
	IdleShare
	InPoolUsage
	OutPoolUsage
	RecordsInRate
	RecordsOutRate
	PendingRecords

	CPUTime
	GCShare
	HeapUsed
	HeapMax

	RestartCount

	signalCount
)

// Endpoint is a family of REST answers that can carry a signal.
type Endpoint int

// The endpoints that carry signals.
const (
	// VertexCounters is metrics{} of /jobs/:jobid (sums) and of /jobs/:jobid/vertices/:vertexid (per subtask).
	VertexCounters Endpoint = iota
	// SubtaskMetrics is /jobs/:jobid/vertices/:vertexid/subtasks/metrics. It answers [] when any one name is
	// unknown, so only names that every running task has may share a query.
	SubtaskMetrics
	// OperatorMetrics is the same path for names with an operator before them, which only some tasks have:
	// found in the list of names, then asked for apart.
	OperatorMetrics
	// TaskManagerMetrics is /taskmanagers/:taskmanagerid/metrics.
	TaskManagerMetrics
	// JobMetrics is /jobs/:jobid/metrics.
	JobMetrics
)

// Unit is the base unit in which a signal is kept.
type Unit string

// The units of signals.
const (
	Seconds          Unit = "s"
	Ratio            Unit = "ratio"
	Records          Unit = "records"
	RecordsPerSecond Unit = "records/s"
	Bytes            Unit = "bytes"
	Count            Unit = "count"
)

// SignalInfo is the catalogue's entry of a signal.
type SignalInfo struct {
	// Name is the stable name in output and documents, such as "busy-time".
	Name string
	// Label is what people read, such as "busy".
	Label    string
	Endpoint Endpoint
	// Metric is Flink's field or metric id; for OperatorMetrics its last part.
	Metric string
	Unit   Unit
	// Scale turns Flink's number into the base unit.
	Scale float64
	// Since is the first Flink version that has it: major*100 + minor, so 116 is 1.16.
	Since int
}

// Info returns the catalogue's entry of s.
func (s Signal) Info() SignalInfo { return table()[s] }

// table makes the catalogue once, at its first use; it is never changed.
//
//nolint:gochecknoglobals // a constant table, in Go's only form for one
var table = sync.OnceValue(newCatalogue)

// base turns Flink's number into the base unit. It divides where it can: 52/1000 is 0.052, 52*0.001 is not.
func (i SignalInfo) base(v Value) Value {
	x, known := v.Float()
	if !known {
		return v
	}
	if i.Scale < 1 {
		return Known(x / math.Round(1/i.Scale))
	}
	return Known(x * i.Scale)
}

// String returns the stable name of s.
func (s Signal) String() string {
	if s < 0 || s >= signalCount {
		return fmt.Sprintf("signal(%d)", int(s))
	}
	return s.Info().Name
}

// Signals returns every signal of the catalogue, in order.
func Signals() []Signal {
	all := make([]Signal, signalCount)
	for i := range all {
		all[i] = Signal(i)
	}
	return all
}

const (
	perMilli  = 1e-3
	perNano   = 1e-9
	unchanged = 1
)

// catalogue is a list of every signal, by its number.
type catalogue [signalCount]SignalInfo

func newCatalogue() *catalogue {
	var c catalogue
	c.addCounters()
	c.addGauges()
	c.addOthers()
	return &c
}

// addCounters adds the counters of vertices and subtasks.
func (c *catalogue) addCounters() {
	c[BusyTime] = SignalInfo{
		"busy-time", "busy", VertexCounters,
		"accumulated-busy-time", Seconds, perMilli, 116,
	}
	c[BackpressuredTime] = SignalInfo{
		"backpressured-time", "backpressured", VertexCounters,
		"accumulated-backpressured-time", Seconds, perMilli, 116,
	}
	c[IdleTime] = SignalInfo{
		"idle-time", "idle", VertexCounters,
		"accumulated-idle-time", Seconds, perMilli, 116,
	}
	c[RecordsRead] = SignalInfo{
		"records-read", "records in", VertexCounters,
		"read-records", Records, unchanged, 113,
	}
	c[RecordsWritten] = SignalInfo{
		"records-written", "records out", VertexCounters,
		"write-records", Records, unchanged, 113,
	}
	c[BytesRead] = SignalInfo{"bytes-read", "bytes in", VertexCounters, "read-bytes", Bytes, unchanged, 113}
	c[BytesWritten] = SignalInfo{
		"bytes-written", "bytes out", VertexCounters,
		"write-bytes", Bytes, unchanged, 113,
	}
}

// addGauges adds what is reported over the subtasks of a vertex.
func (c *catalogue) addGauges() {
	c[BusyShare] = SignalInfo{
		"busy-share", "busy", SubtaskMetrics,
		"busyTimeMsPerSecond", Ratio, perMilli, 113,
	}
	c[BackpressuredShare] = SignalInfo{
		"backpressured-share", "backpressured", SubtaskMetrics,
		"backPressuredTimeMsPerSecond", Ratio, perMilli, 113,
	}
	c[IdleShare] = SignalInfo{
		"idle-share", "idle", SubtaskMetrics,
		"idleTimeMsPerSecond", Ratio, perMilli, 113,
	}
	c[InPoolUsage] = SignalInfo{
		"in-pool-usage", "input buffers", SubtaskMetrics,
		"Shuffle.Netty.Input.Buffers.inPoolUsage", Ratio, unchanged, 113,
	}
	c[OutPoolUsage] = SignalInfo{
		"out-pool-usage", "output buffers", SubtaskMetrics,
		"Shuffle.Netty.Output.Buffers.outPoolUsage", Ratio, unchanged, 113,
	}
	c[RecordsInRate] = SignalInfo{
		"records-in-rate", "records in", SubtaskMetrics,
		"numRecordsInPerSecond", RecordsPerSecond, unchanged, 113,
	}
	c[RecordsOutRate] = SignalInfo{
		"records-out-rate", "records out", SubtaskMetrics,
		"numRecordsOutPerSecond", RecordsPerSecond, unchanged, 113,
	}
	c[PendingRecords] = SignalInfo{
		"pending-records", "source lag", OperatorMetrics,
		"pendingRecords", Records, unchanged, 114,
	}
}

// addOthers adds what belongs to a TaskManager or the whole job.
func (c *catalogue) addOthers() {
	c[CPUTime] = SignalInfo{
		"cpu-time", "TaskManager CPU", TaskManagerMetrics,
		"Status.JVM.CPU.Time", Seconds, perNano, 113,
	}
	c[GCShare] = SignalInfo{
		"gc-share", "garbage collection", TaskManagerMetrics,
		"Status.JVM.GarbageCollector.All.TimeMsPerSecond", Ratio, perMilli, 119,
	}
	c[HeapUsed] = SignalInfo{
		"heap-used", "heap used", TaskManagerMetrics,
		"Status.JVM.Memory.Heap.Used", Bytes, unchanged, 113,
	}
	c[HeapMax] = SignalInfo{
		"heap-max", "heap size", TaskManagerMetrics,
		"Status.JVM.Memory.Heap.Max", Bytes, unchanged, 113,
	}
	c[RestartCount] = SignalInfo{"restarts", "restarts", JobMetrics, "numRestarts", Count, unchanged, 113}
}

// Readings holds the newest values of some signals of one subject. What is absent is missing.
type Readings map[Signal]Value
