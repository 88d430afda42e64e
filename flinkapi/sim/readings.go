package sim

import "math"

// volume is a count of records and their bytes.
type volume struct{ records, bytes float64 }

func (v volume) perRecord() float64 { return v.bytes / max(1, v.records) }

// traffic is what Flink counts at task scope: records taken from and sent to other tasks. From 2.0 on
// traffic with the outside counts too, if the connector counts it.
func (c *Cluster) traffic(j *job, v, i int) (read, written volume) {
	vx := &j.net.vertices[v]
	t := &vx.tasks[i]
	for _, e := range vx.in {
		edge := &j.net.edges[e]
		read.records += edge.queues[i].taken
		read.bytes += edge.queues[i].taken * j.net.vertices[edge.From].RecordBytes
	}
	for _, e := range vx.out {
		written.records += t.handled * j.net.edges[e].gain
	}
	written.bytes = written.records * vx.RecordBytes
	if vx.External && c.version.atLeast(2, 0) {
		outside := volume{t.handled, t.handled * vx.RecordBytes}
		if len(vx.in) == 0 {
			read = outside
		}
		if len(vx.out) == 0 {
			written = outside
		}
	}
	return read, written
}

// standing is how full a queue is with records that the receiver had time to take but did not: 0 where
// it keeps up, 1 where its senders are held back as much as they can be, with as much room left as they
// fill in a step.
func (q *queue) standing() float64 { return q.fullness(q.length) }

// held is the same of the buffers of its senders, which hold what the network has not brought yet, too.
func (q *queue) held() float64 { return q.fullness(q.waiting()) }

func (q *queue) fullness(records float64) float64 {
	most := q.capacity - smoothing*q.fresh
	if math.IsInf(q.capacity, 1) || most <= 0 {
		return 0
	}
	return min(1, max(0, (records-q.fresh)/most))
}

// inputUsage is inPoolUsage and the queue length in network buffers. Channels within a TaskManager do
// not count.
func (j *job) inputUsage(v, i int) (usage float64, buffers int) {
	vx := &j.net.vertices[v]
	for _, e := range vx.in {
		edge := &j.net.edges[e]
		if !j.hasRemoteSender(edge, i) {
			continue
		}
		q := &edge.queues[i]
		usage = max(usage, q.standing())
		buffers += buffersOf(q.length * j.net.vertices[edge.From].RecordBytes)
	}
	return usage, buffers
}

func (j *job) hasRemoteSender(e *edge, i int) bool {
	home := j.subtasks[e.To][i].worker
	for _, g := range e.groups {
		if i < g.receivers.from || i >= g.receivers.to {
			continue
		}
		for s := g.senders.from; s < g.senders.to; s++ {
			if j.subtasks[e.From][s].worker != home {
				return true
			}
		}
	}
	return false
}

// openBuffer is the part of its output pool that a running task always holds: the buffer that it writes
// into.
const openBuffer = 0.1

// outputUsage is outPoolUsage and the queue length in network buffers: the fullest receiver holds the
// sender's buffers.
func (j *job) outputUsage(v, i int) (usage float64, buffers int) {
	vx := &j.net.vertices[v]
	for _, e := range vx.out {
		edge := &j.net.edges[e]
		for _, g := range edge.groups {
			if i < g.senders.from || i >= g.senders.to {
				continue
			}
			for k, w := range g.weights {
				q := &edge.queues[g.receivers.from+k]
				if w == 0 {
					continue
				}
				usage = max(usage, openBuffer, q.held())
				buffers += buffersOf(q.waiting() * vx.RecordBytes / float64(g.senders.len()))
			}
		}
	}
	return usage, buffers
}

func buffersOf(bytes float64) int { return int(math.Ceil(bytes / segmentBytes)) }
