package sim

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxOperatorName is METRICS_OPERATOR_NAME_MAX_LENGTH.
const maxOperatorName = 80

// metric is one number of a subtask that the REST API can name.
type metric struct {
	name string
	kind metricKind
	// read returns the value, or false where this subtask does not have it.
	read func(*sample) (float64, bool)
}

type metricKind int

const (
	whole metricKind = iota
	fraction
	boolean
)

// text is the value as the endpoints without aggregation print it.
func (m *metric) text(x float64) string {
	switch m.kind {
	case whole:
		return strconv.FormatInt(toInt64(x), 10)
	case boolean:
		return strconv.FormatBool(x != 0)
	default:
		return javaDouble(x)
	}
}

// toInt64 counts what is whole, forgiving what sums of fractions lose.
func toInt64(x float64) int64 {
	if x <= math.MinInt64 {
		return math.MinInt64
	}
	return int64(math.Floor(x + 1e-3))
}

// taskMetricTable holds the metrics that every task has, in the order in which they are listed.
type taskMetricTable struct {
	list   []metric
	byName map[string]*metric
}

func newTaskMetricTable(v version) taskMetricTable {
	t := taskMetricTable{byName: map[string]*metric{}}
	t.list = append(t.list, timeMetrics()...)
	t.list = append(t.list, trafficMetrics()...)
	t.list = append(t.list, bufferMetrics(v)...)
	for i := range t.list {
		t.byName[t.list[i].name] = &t.list[i]
	}
	return t
}

func always(read func(*sample) float64) func(*sample) (float64, bool) {
	return func(s *sample) (float64, bool) { return read(s), true }
}

func constant(x float64) func(*sample) (float64, bool) {
	return func(*sample) (float64, bool) { return x, true }
}

// whileTimed is for the gauges that go away with the end of a task.
func whileTimed(read func(*sample) float64) func(*sample) (float64, bool) {
	return func(s *sample) (float64, bool) { return read(s), !s.ended }
}

func timeMetrics() []metric {
	blocked := func(s *sample) float64 { return s.blockedGauge }
	longest := func(s *sample) float64 { return s.blockedGauge * viewSeconds }
	return []metric{
		{"busyTimeMsPerSecond", fraction, whileTimed(func(s *sample) float64 { return s.busyGauge })},
		{"idleTimeMsPerSecond", whole, whileTimed(func(s *sample) float64 { return s.idleGauge })},
		{"backPressuredTimeMsPerSecond", whole, whileTimed(blocked)},
		{"softBackPressuredTimeMsPerSecond", whole, always(blocked)},
		{"hardBackPressuredTimeMsPerSecond", whole, constant(0)},
		{"maxSoftBackPressureTimeMs", whole, always(longest)},
		{"maxHardBackPressureTimeMs", whole, constant(0)},
		{"accumulateBusyTimeMs", fraction, always(func(s *sample) float64 { return s.busy })},
		{"accumulateIdleTimeMs", whole, always(func(s *sample) float64 { return s.idle })},
		{"accumulateBackPressuredTimeMs", whole, always(func(s *sample) float64 { return s.blocked })},
		{"isBackPressured", boolean, func(s *sample) (float64, bool) {
			if s.held {
				return 1, true
			}
			return 0, true
		}},
		{"changelogBusyTimeMsPerSecond", whole, constant(0)},
		{"initializationTime", whole, always(func(s *sample) float64 { return s.initializedMillis })},
		{"mailboxMailsPerSecond", fraction, constant(1)},
		{"mailboxQueueSize", whole, constant(0)},
		{"numFiredTimers", whole, always(func(s *sample) float64 { return s.fired })},
		{"numFiredTimersPerSecond", fraction, always(func(s *sample) float64 { return s.firedRate })},
		{"checkpointStartDelayNanos", whole, always(func(s *sample) float64 { return s.startDelayNanos })},
		{"checkpointAlignmentTime", whole, always(func(s *sample) float64 { return s.alignmentNanos })},
		{"currentInputWatermark", whole, always(func(s *sample) float64 { return s.watermark })},
	}
}

func trafficMetrics() []metric {
	read := func(s *sample) (volume, float64) { return s.read, s.readRate }
	written := func(s *sample) (volume, float64) { return s.written, s.writtenRate }
	list := append(countsOf("", "In", read), countsOf("", "Out", written)...)
	return append(list,
		metric{"numBuffersOut", whole, always(func(s *sample) float64 { return s.written.bytes / segmentBytes })},
		metric{"numBuffersOutPerSecond", fraction, always(func(s *sample) float64 {
			return s.writtenRate * s.written.perRecord() / segmentBytes
		})})
}

func bufferMetrics(v version) []metric {
	const in, out = "Shuffle.Netty.Input.Buffers.", "Shuffle.Netty.Output.Buffers."
	inQueue := func(s *sample) float64 { return float64(s.inQueue) }
	outQueue := func(s *sample) float64 { return float64(s.outQueue) }
	shuffle := []metric{
		{in + "inPoolUsage", fraction, always(func(s *sample) float64 { return s.inPool })},
		{in + "inputQueueLength", whole, always(inQueue)},
		{in + "inputQueueSize", whole, always(func(s *sample) float64 { return inQueue(s) * segmentBytes })},
		{in + "inputExclusiveBuffersUsage", fraction, always(func(s *sample) float64 { return s.inPool })},
		{in + "inputFloatingBuffersUsage", fraction, always(func(s *sample) float64 { return s.inPool })},
		{out + "outPoolUsage", fraction, always(func(s *sample) float64 { return s.outPool })},
		{out + "outputQueueLength", whole, always(outQueue)},
		{out + "outputQueueSize", whole, always(func(s *sample) float64 { return outQueue(s) * segmentBytes })},
	}
	if v.atLeast(2, 0) {
		return shuffle
	}
	list := shuffle
	for _, m := range shuffle {
		m.name = "buffers." + m.name[strings.LastIndex(m.name, ".")+1:]
		list = append(list, m)
	}
	return list
}

// filtered is a name as the metric system keeps it.
func filtered(name string) string {
	if len(name) > maxOperatorName {
		name = name[:maxOperatorName]
	}
	return strings.NewReplacer(" ", "_", ".", "_", ":", "_", ",", "_").Replace(name)
}

// operatorMetrics lists the metrics of operator scope of a vertex.
func (j *job) operatorMetrics(v int) []metric {
	vx := &j.net.vertices[v]
	ops := operators(vx.Name)
	var list []metric
	for k, op := range ops {
		name := filtered(op) + "."
		in := func(s *sample) (volume, float64) { return s.read, s.readRate }
		out := in
		if k == len(ops)-1 {
			out = func(s *sample) (volume, float64) { return s.written, s.writtenRate }
		}
		list = append(list, countsOf(name, "In", in)...)
		list = append(list, countsOf(name, "Out", out)...)
		mark := always(func(s *sample) float64 { return s.watermark })
		list = append(list, metric{name + "currentOutputWatermark", whole, mark})
		if k > 0 || len(vx.in) > 0 {
			list = append(list, metric{name + "currentInputWatermark", whole, mark})
		}
	}
	if len(vx.in) == 0 {
		list = append(list, sourceMetrics(filtered(ops[0])+".", vx.Source)...)
	}
	if len(vx.out) == 0 {
		list = append(list, sinkMetrics(filtered(ops[len(ops)-1])+".")...)
	}
	if vx.Late != nil {
		share := *vx.Late
		list = append(list, metric{
			filtered(ops[len(ops)-1]) + ".numLateRecordsDropped", whole,
			always(func(s *sample) float64 { return share * s.read.records }),
		})
	}
	for _, name := range slices.Sorted(maps.Keys(vx.Metrics)) {
		list = append(list, metric{name, fraction, constant(vx.Metrics[name])})
	}
	return list
}

// countsOf lists the counts and rates of one direction of an operator.
func countsOf(operator, direction string, of func(*sample) (volume, float64)) []metric {
	return []metric{
		{operator + "numRecords" + direction, whole, always(func(s *sample) float64 {
			count, _ := of(s)
			return count.records
		})},
		{operator + "numRecords" + direction + "PerSecond", fraction, always(func(s *sample) float64 {
			_, rate := of(s)
			return rate
		})},
		{operator + "numBytes" + direction, whole, always(func(s *sample) float64 {
			count, _ := of(s)
			return count.bytes
		})},
		{operator + "numBytes" + direction + "PerSecond", fraction, always(func(s *sample) float64 {
			count, rate := of(s)
			return rate * count.perRecord()
		})},
	}
}

func sourceMetrics(operator string, source *Source) []metric {
	list := []metric{
		{operator + "numRecordsInErrors", whole, constant(0)},
		{operator + "currentEmitEventTimeLag", whole, always(func(s *sample) float64 { return s.emitLagMillis })},
		{operator + "sourceIdleTime", whole, always(func(s *sample) float64 { return s.starvedMillis })},
	}
	if source != nil && source.Group != "" {
		list = append(list, metric{
			operator + "watermarkAlignmentDrift", whole, always(func(s *sample) float64 { return s.driftMillis }),
		})
	}
	if source == nil || !source.Log {
		return list
	}
	lag := always(func(s *sample) float64 { return s.pending })
	fetched := always(func(s *sample) float64 { return s.emitLagMillis })
	return append(list,
		metric{operator + "pendingRecords", whole, lag},
		metric{operator + "currentFetchEventTimeLag", whole, fetched},
		metric{operator + "KafkaSourceReader.KafkaConsumer.records-lag-max", fraction, lag})
}

func sinkMetrics(operator string) []metric {
	return []metric{
		{operator + "numRecordsSend", whole, always(func(s *sample) float64 { return s.read.records })},
		{operator + "numBytesSend", whole, always(func(s *sample) float64 { return s.read.bytes })},
		{operator + "numRecordsSendErrors", whole, constant(0)},
	}
}

// metricsOf lists what the subtasks of a vertex have: the task's metrics, then those of its operators.
func (c *Cluster) metricsOf(j *job, v int) []metric {
	task := c.names.list
	if len(j.net.vertices[v].in) == 0 {
		task = withoutWatermark(task)
	}
	return append(append([]metric(nil), task...), j.operatorMetrics(v)...)
}

func withoutWatermark(list []metric) []metric {
	kept := make([]metric, 0, len(list))
	for _, m := range list {
		if m.name != "currentInputWatermark" {
			kept = append(kept, m)
		}
	}
	return kept
}

// metric finds a metric of a vertex by name, or nil.
func (c *Cluster) metric(j *job, v int, name string) *metric {
	if name == "currentInputWatermark" && len(j.net.vertices[v].in) == 0 {
		return nil
	}
	if m, ok := c.names.byName[name]; ok {
		return m
	}
	list := j.operatorMetrics(v)
	for k := range list {
		if list[k].name == name {
			return &list[k]
		}
	}
	return nil
}
