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
	// LockWait waits for a lock that all subtasks of the vertex share; the one that has it makes a remote call.
	LockWait WorkKind = "lock"
	// Serializing reads its input through Kryo; it counts as what the vertex computes.
	Serializing WorkKind = "serialization"
	// StateAccess reads state from RocksDB, whether that computes or waits for the disk.
	StateAccess WorkKind = "state"
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
			name := vx.threadName(i, s.attempt)
			state, frames := vx.doing(s, i, look(c.nowMillis(), v, i))
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
func (v *vertex) doing(s *subtask, i int, at [2]float64) (state string, frames []string) {
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
	return v.working(s, i, at[1], loop)
}

// working is a busy thread: it computes for the vertex's share of CPU, else it waits in what the vertex waits
// for.
func (v *vertex) working(s *subtask, i int, at float64, loop []string) (state string, frames []string) {
	const flink = "app//org.apache.flink.streaming."
	if v.Work.Kind == Serializing && at < v.CPU {
		return "RUNNABLE", append(deserializing(), loop...)
	}
	operators := strings.Split(v.Name, " -> ")
	k := min(v.Work.Operator, len(operators)-1)
	state, frames = v.inOperator(s, i, at, className(operators[k]))
	for range k {
		frames = append(frames, flink+"api.operators.StreamMap.processElement(StreamMap.java:37)",
			flink+"runtime.tasks.CopyingChainingOutput.pushToOperator(CopyingChainingOutput.java:75)")
	}
	frames = append(frames, flink+"api.operators.StreamMap.processElement(StreamMap.java:37)",
		flink+"runtime.tasks.OneInputStreamTask$StreamTaskNetworkOutput.emitRecord(OneInputStreamTask.java:251)")
	return state, append(frames, loop...)
}

// inOperator are the innermost frames of a busy thread, down to the method of its operator.
func (v *vertex) inOperator(s *subtask, i int, at float64, operator string) (state string, frames []string) {
	const flink = "app//org.apache.flink.streaming."
	class := "app//com.example.shop." + operator
	if share := v.timerShare(); at < share {
		return "RUNNABLE", onTimer(class + ".onTimer(" + operator + ".java:83)")
	} else if share > 0 {
		at = (at - share) / (1 - share)
	}
	call := class + ".call(" + operator + ".java:57)"
	turn := v.CPU + (1-v.CPU)/float64(v.Parallelism) // up to there it has the lock
	switch {
	case v.Work.Kind == StateAccess:
		return "RUNNABLE", []string{
			"app//org.rocksdb.RocksDB.get(Native Method)",
			"app//org.rocksdb.RocksDB.get(RocksDB.java:2084)",
			"app//" + v.statePackage + ".RocksDBValueState.value(RocksDBValueState.java:88)",
			class + ".processElement(" + operator + ".java:44)",
		}
	case at < v.CPU:
		return "RUNNABLE", []string{class + ".compute(" + operator + ".java:61)"}
	case v.Work.Kind == AsyncFull:
		return "TIMED_WAITING", []string{
			"java.base@17.0.15/jdk.internal.misc.Unsafe.park(Native Method)",
			flink + "runtime.tasks.mailbox.TaskMailboxImpl.take(TaskMailboxImpl.java:149)",
			flink + "runtime.tasks.mailbox.MailboxExecutorImpl.yield(MailboxExecutorImpl.java:93)",
			flink + "api.operators.async.AsyncWaitOperator.addToWorkQueue(AsyncWaitOperator.java:353)",
		}
	case v.Work.Kind == LockWait && at >= turn:
		const lock = "java.lang.Object@3b192d32"
		state = fmt.Sprintf("BLOCKED on %s owned by %q Id=59", lock, v.threadName((i+1)%v.Parallelism, s.attempt))
		return state, []string{call + "\n\t-  blocked on " + lock}
	default:
		return "RUNNABLE", []string{
			"java.base@17.0.15/sun.nio.ch.Net.poll(Native Method)",
			"java.base@17.0.15/sun.nio.ch.NioSocketImpl.implRead(NioSocketImpl.java:309)",
			"java.base@17.0.15/java.net.Socket$SocketInputStream.read(Socket.java:966)",
			call,
		}
	}
}

// onTimer is a task that fires timers.
func onTimer(call string) []string {
	const api = "app//org.apache.flink.streaming.api.operators."
	return []string{
		call,
		api + "KeyedProcessOperator.invokeUserFunction(KeyedProcessOperator.java:91)",
		api + "KeyedProcessOperator.onProcessingTime(KeyedProcessOperator.java:78)",
		api + "InternalTimerServiceImpl.onProcessingTime(InternalTimerServiceImpl.java:283)",
	}
}

// deserializing is a task that reads its input through Kryo; no operator is on the stack yet.
func deserializing() []string {
	const flink, streaming = "app//org.apache.flink.", "app//org.apache.flink.streaming."
	return []string{
		"app//com.esotericsoftware.kryo.serializers.MapSerializer.read(MapSerializer.java:235)",
		"app//com.esotericsoftware.kryo.Kryo.readClassAndObject(Kryo.java:880)",
		flink + "api.java.typeutils.runtime.kryo.KryoSerializer.deserialize(KryoSerializer.java:402)",
		streaming + "runtime.streamrecord.StreamElementSerializer.deserialize(StreamElementSerializer.java:191)",
		streaming + "runtime.io.AbstractStreamTaskNetworkInput.emitNext(AbstractStreamTaskNetworkInput.java:101)",
	}
}

// threadName is what Flink calls the thread of a task.
func (v *vertex) threadName(i, attempt int) string {
	return fmt.Sprintf("%s (%d/%d)#%d", v.Name, i+1, v.Parallelism, attempt)
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
