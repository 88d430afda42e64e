package sim

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"unicode"
)

// Work says what a vertex does while it is busy, as its stack shows it.
type Work struct {
	// Operator is the position in the chain of the operator that takes the time; 0 is the first.
	Operator int
	// Kind is what its thread stands in while it does not compute; empty is a remote call.
	Kind WorkKind
}

// WorkKind is something that a thread waits in.
type WorkKind string

// The kinds of waiting.
const (
	// RemoteCall reads from a socket.
	RemoteCall WorkKind = ""
	// AsyncFull waits for room in the queue of an asynchronous operator.
	AsyncFull WorkKind = "async-full"
)

type threadDumpBody struct {
	Threads []threadBody `json:"threadInfos"`
}

type threadBody struct {
	Name string `json:"threadName"`
	Text string `json:"stringifiedThreadInfo"`
}

// threadDump shows what each task thread of a TaskManager does at this moment: it stands in what it was
// doing lately, with that share of the looks.
func threadDump(c *Cluster, r *http.Request) (any, *failure) {
	w, bad := c.findWorker(r)
	if bad != nil {
		return nil, bad
	}
	out := threadDumpBody{Threads: []threadBody{}}
	for _, j := range c.jobs {
		j.each(func(v, i int, s *subtask, _ *task) {
			if s.worker != w.index || s.status != running {
				return
			}
			vx := &j.net.vertices[v]
			name := fmt.Sprintf("%s (%d/%d)#%d", vx.Name, i+1, vx.Parallelism, s.attempt)
			state, frames := vx.doing(s, look(c.nowMillis(), v, i))
			out.Threads = append(out.Threads,
				threadBody{name, stackText(name, 60+len(out.Threads), state, frames)},
				threadBody{"OutputFlusher for " + vx.Name, stackText("OutputFlusher for "+vx.Name, 61+len(out.Threads),
					"TIMED_WAITING", []string{"java.base@17.0.15/java.lang.Thread.sleep(Native Method)"})})
		})
	}
	return out, nil
}

// look gives two numbers of 0 to 1 for a moment and a subtask, always the same.
func look(millis int64, v, i int) [2]float64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d/%d/%d", millis, v, i)
	sum := h.Sum64()
	const half = 1 << 32
	return [2]float64{float64(sum%half) / half, float64(sum/half) / half}
}

// doing is the state and the frames of a task thread, innermost first.
func (v *vertex) doing(s *subtask, at [2]float64) (state string, frames []string) {
	const flink = "app//org.apache.flink."
	loop := []string{
		flink + "streaming.runtime.tasks.mailbox.MailboxProcessor.runMailboxLoop(MailboxProcessor.java:231)",
		flink + "streaming.runtime.tasks.StreamTask.invoke(StreamTask.java:959)",
		flink + "runtime.taskmanager.Task.run(Task.java:579)",
	}
	switch blocked, idle := s.blocked.value/1000, s.idle.value/1000; {
	case at[0] < blocked:
		return "WAITING", append([]string{
			"java.base@17.0.15/jdk.internal.misc.Unsafe.park(Native Method)",
			flink + "runtime.io.network.buffer.LocalBufferPool.requestMemorySegmentBlocking(LocalBufferPool.java:401)",
			flink + "runtime.io.network.api.writer.RecordWriter.emit(RecordWriter.java:105)",
		}, loop...)
	case at[0] < blocked+idle:
		return "TIMED_WAITING", append([]string{
			"java.base@17.0.15/jdk.internal.misc.Unsafe.park(Native Method)",
			flink + "streaming.runtime.tasks.mailbox.TaskMailboxImpl.take(TaskMailboxImpl.java:149)",
		}, loop...)
	}
	return v.working(at[1], loop)
}

// working is a busy thread: it computes for the vertex's share of CPU, else it waits in what the vertex waits
// for.
func (v *vertex) working(at float64, loop []string) (state string, frames []string) {
	const flink = "app//org.apache.flink.streaming."
	operators := strings.Split(v.Name, " -> ")
	k := min(v.Work.Operator, len(operators)-1)
	class := "app//com.example.shop." + className(operators[k])
	state = "RUNNABLE"
	switch {
	case at < v.CPU:
		frames = []string{class + ".compute(" + className(operators[k]) + ".java:61)"}
	case v.Work.Kind == AsyncFull:
		state = "TIMED_WAITING"
		frames = []string{
			"java.base@17.0.15/jdk.internal.misc.Unsafe.park(Native Method)",
			flink + "runtime.tasks.mailbox.TaskMailboxImpl.take(TaskMailboxImpl.java:149)",
			flink + "runtime.tasks.mailbox.MailboxExecutorImpl.yield(MailboxExecutorImpl.java:93)",
			flink + "api.operators.async.AsyncWaitOperator.addToWorkQueue(AsyncWaitOperator.java:353)",
		}
	default:
		frames = []string{
			"java.base@17.0.15/sun.nio.ch.Net.poll(Native Method)",
			"java.base@17.0.15/sun.nio.ch.NioSocketImpl.implRead(NioSocketImpl.java:309)",
			"java.base@17.0.15/java.net.Socket$SocketInputStream.read(Socket.java:966)",
			class + ".call(" + className(operators[k]) + ".java:57)",
		}
	}
	for range k {
		frames = append(frames, flink+"api.operators.StreamMap.processElement(StreamMap.java:37)",
			flink+"runtime.tasks.CopyingChainingOutput.pushToOperator(CopyingChainingOutput.java:75)")
	}
	frames = append(frames, flink+"api.operators.StreamMap.processElement(StreamMap.java:37)",
		flink+"runtime.tasks.OneInputStreamTask$StreamTaskNetworkOutput.emitRecord(OneInputStreamTask.java:251)")
	return state, append(frames, loop...)
}

// className makes a Java name of an operator's: "jdbc-upsert" gives "JdbcUpsert".
func className(operator string) string {
	var b strings.Builder
	up := true
	for _, r := range operator {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func stackText(name string, id int, state string, frames []string) string {
	return fmt.Sprintf("%q Id=%d %s\n\tat %s\n\n", name, id, state, strings.Join(frames, "\n\tat "))
}

// flameGraph answers as a cluster does that has not switched flame graphs on.
func flameGraph(c *Cluster, r *http.Request) (any, *failure) {
	if _, _, bad := c.findVertex(r); bad != nil {
		return nil, bad
	}
	return map[string]int{"endTimestamp": -2}, nil
}

// coordinatorMetrics are those of the JobManager's side of an operator; no simulated source has any.
func coordinatorMetrics(*Cluster, *http.Request) (any, *failure) { return []metricBody{}, nil }
