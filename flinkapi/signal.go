package flinkapi

import (
	"fmt"
	"math"
	"slices"
	"strings"
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

	HardBackpressuredShare
	FetchLag
	EmitLag
	SourceIdleTime
	AlignmentDrift
	InputWatermark
	OutputWatermark
	LateRecords
	TimersFiredRate
	SendTime
	SendErrors
	PendingCommittables
	KafkaSendRate
	KafkaThrottleTime
	KafkaBufferWait
	KafkaQueueTime
	IcebergCommitTime
	IcebergFlushTime
	PaimonCommitTime
	AsyncStateInFlight
	StartDelay
	DebloatedBufferSize

	SoftBackpressuredShare
	InputQueue
	OutputQueue

	WriteStopped
	DelayedWriteRate
	PendingCompaction
	RunningCompactions
	FlushPending
	Level0Files
	WriteStallTime
	BlockCacheHits
	BlockCacheMisses
	StateGetLatency

	UnassignedSplits

	CPUTime
	CPULoad
	GCShare
	HeapUsed
	HeapMax
	ManagedUsed
	ManagedMax
	NetworkUsed
	NetworkMax

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
	// OperatorMetrics is the same path for names that only some tasks have, most of them with an operator or a
	// state before them: found in the list of names, then asked for.
	OperatorMetrics
	// CoordinatorMetrics is /jobs/:jobid/vertices/:vertexid/jm-operator-metrics, of sources, from 1.20 on.
	CoordinatorMetrics
	// TaskManagerMetrics is /taskmanagers/:taskmanagerid/metrics.
	TaskManagerMetrics
	// JobMetrics is /jobs/:jobid/metrics.
	JobMetrics
	// GaugeMetrics is /jobs/:jobid/vertices/:vertexid/metrics, whose names have a subtask before them. It is
	// asked for the vertex in Focus.Detail alone.
	GaugeMetrics
)

// String returns the path of the answers, as Flink's documents write it.
func (e Endpoint) String() string {
	return [...]string{
		VertexCounters:     "/jobs/:jobid/vertices/:vertexid",
		SubtaskMetrics:     "/jobs/:jobid/vertices/:vertexid/subtasks/metrics",
		OperatorMetrics:    "/jobs/:jobid/vertices/:vertexid/subtasks/metrics",
		CoordinatorMetrics: "/jobs/:jobid/vertices/:vertexid/jm-operator-metrics",
		TaskManagerMetrics: "/taskmanagers/:taskmanagerid/metrics",
		JobMetrics:         "/jobs/:jobid/metrics",
	}[e]
}

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
	PerSecond        Unit = "/s"
	BytesPerSecond   Unit = "bytes/s"
)

// SignalInfo is the catalogue's entry of a signal.
type SignalInfo struct {
	// Name is the stable name in output and documents, such as "busy-time".
	Name string
	// Label is what people read, such as "busy".
	Label    string
	Endpoint Endpoint
	// Metric is Flink's field or metric id; for OperatorMetrics and CoordinatorMetrics its last part, and with a
	// capital in front the end of that (the kind of state comes before it).
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

// Before tells whether a metric id, such as "orders.pendingRecords", is one of a signal, and what stands
// before Flink's own name of the number there: nothing, or a subtask, an operator or a state with a dot
// behind it.
func (i SignalInfo) Before(id string) (before string, is bool) {
	end := i.Metric[0] >= 'A' && i.Metric[0] <= 'Z'
	at := len(id) - len(i.Metric)
	if strings.HasSuffix(id, i.Metric) && (at == 0 || id[at-1] == '.') {
		return id[:at], true
	}
	last := strings.LastIndexByte(id, '.') + 1
	return id[:last], end && strings.HasSuffix(id[last:], i.Metric)
}

// operatorOf tells whether a metric id is one of a signal of OperatorMetrics or CoordinatorMetrics, and what
// stands before its last part: nothing for the task itself, an operator, or an operator and a state. The
// words that Flink puts around a name in some metrics are left out, so that a state or a source has one
// name.
func (i SignalInfo) operatorOf(id string) (operator string, is bool) {
	before, is := i.Before(id)
	if !is {
		return "", false
	}
	operator = strings.TrimSuffix(before, ".")
	for _, word := range []string{".state_name.", ".column_family."} {
		operator = strings.Replace(operator, word, ".", 1)
	}
	operator = strings.TrimSuffix(operator, ".coordinator.enumerator")
	return operator, true
}

// epoch tells whether the signal is a point in time, not an amount.
func (s Signal) epoch() bool { return s == InputWatermark || s == OutputWatermark }

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

// Readings holds the newest values of some signals of one subject, by signal. What lies beyond its end is
// missing.
type Readings []Value

// Of returns the value of a signal.
func (r Readings) Of(s Signal) Value {
	if int(s) < len(r) {
		return r[s]
	}
	return Value{}
}

// With returns the readings with one more value. It may change r.
func (r Readings) With(s Signal, v Value) Readings {
	if n := int(s) + 1; n > len(r) {
		r = append(r, make(Readings, n-len(r))...)
	}
	r[s] = v
	return r
}

// and returns the readings of both in one; where both have a value it is that of more.
func (r Readings) and(more Readings) Readings {
	both := slices.Grow(slices.Clone(r), max(len(more)-len(r), 0))
	for s, v := range more {
		if v != (Value{}) {
			both = both.With(Signal(s), v)
		}
	}
	return both
}
