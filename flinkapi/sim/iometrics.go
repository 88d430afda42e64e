package sim

import "math"

// ioMetrics is metrics{} of a subtask, or their sum over a vertex.
type ioMetrics struct {
	ReadBytes            int64  `json:"read-bytes"`
	ReadBytesComplete    bool   `json:"read-bytes-complete"`
	WriteBytes           int64  `json:"write-bytes"`
	WriteBytesComplete   bool   `json:"write-bytes-complete"`
	ReadRecords          int64  `json:"read-records"`
	ReadRecordsComplete  bool   `json:"read-records-complete"`
	WriteRecords         int64  `json:"write-records"`
	WriteRecordsComplete bool   `json:"write-records-complete"`
	Blocked              int64  `json:"accumulated-backpressured-time"`
	Idle                 int64  `json:"accumulated-idle-time"`
	Busy                 double `json:"accumulated-busy-time"`
}

// newIOMetrics is an empty sum.
func newIOMetrics() ioMetrics {
	return ioMetrics{
		ReadBytesComplete: true, WriteBytesComplete: true, ReadRecordsComplete: true, WriteRecordsComplete: true,
	}
}

func (m *ioMetrics) add(o ioMetrics) {
	m.ReadBytes += o.ReadBytes
	m.WriteBytes += o.WriteBytes
	m.ReadRecords += o.ReadRecords
	m.WriteRecords += o.WriteRecords
	m.Blocked += o.Blocked
	m.Idle += o.Idle
	m.Busy += o.Busy
	m.ReadBytesComplete = m.ReadBytesComplete && o.ReadBytesComplete
	m.WriteBytesComplete = m.WriteBytesComplete && o.WriteBytesComplete
	m.ReadRecordsComplete = m.ReadRecordsComplete && o.ReadRecordsComplete
	m.WriteRecordsComplete = m.WriteRecordsComplete && o.WriteRecordsComplete
}

// ioOf reads a subtask: from the metric store, or for an attempt that has ended from its final report.
func (c *Cluster) ioOf(j *job, v, i int) ioMetrics {
	s, t := &j.subtasks[v][i], &j.net.vertices[v].tasks[i]
	if s.terminal() {
		if s.lost {
			return newIOMetrics()
		}
		read, written := c.traffic(j, v, i)
		busy := t.busy * 1000
		if j.net.vertices[v].Legacy {
			busy = math.NaN()
		}
		return ioFrom(read, written, busy, t.blocked*1000, t.idle*1000)
	}
	x, ok := c.sampleOf(j, v, i)
	if !ok || x.attempt != s.attempt {
		return ioMetrics{}
	}
	return ioFrom(x.read, x.written, x.busy, x.blocked, x.idle)
}

func ioFrom(read, written volume, busy, blocked, idle float64) ioMetrics {
	m := newIOMetrics()
	m.ReadBytes, m.ReadRecords = toInt64(read.bytes), toInt64(read.records)
	m.WriteBytes, m.WriteRecords = toInt64(written.bytes), toInt64(written.records)
	m.Busy = double(busy)
	if !math.IsNaN(busy) {
		m.Busy = double(math.Floor(busy))
	}
	m.Blocked, m.Idle = int64(blocked), int64(idle)
	return m
}

// sampleOf returns what the metric store holds of a subtask, if it has reported.
func (c *Cluster) sampleOf(j *job, v, i int) (*sample, bool) {
	js := &c.store.current.jobs[j.index]
	if !js.present || i >= len(js.subtasks[v]) || !js.subtasks[v][i].present {
		return nil, false
	}
	x := &js.subtasks[v][i]
	x.ended = j.subtasks[v][i].terminal() && c.version.atLeast(1, 19)
	return x, true
}

// named lists the metrics as "aggregated" of the vertex endpoint names them; NaN counts as -1 there.
func (m ioMetrics) named() map[string]float64 {
	busy := float64(m.Busy)
	if math.IsNaN(busy) {
		busy = -1
	}
	return map[string]float64{
		"read-bytes": float64(m.ReadBytes), "write-bytes": float64(m.WriteBytes),
		"read-records": float64(m.ReadRecords), "write-records": float64(m.WriteRecords),
		"accumulated-backpressured-time": float64(m.Blocked), "accumulated-idle-time": float64(m.Idle),
		"accumulated-busy-time": busy,
	}
}
