package diagnose

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
)

// reported is a signal as a world tells it: its smallest and largest value over the subtasks, and by how much
// both grow each second.
type reported struct {
	signal         flinkapi.Signal
	operator       string
	low, high, sum float64
	growth         float64
	missing        bool
}

func pass(all []*reported, d time.Duration) {
	for _, r := range all {
		step := r.growth * d.Seconds()
		r.low, r.high, r.sum = r.low+step, r.high+step, r.sum+step
	}
}

func (r *reported) spread() flinkapi.Spread {
	if r.missing {
		return flinkapi.Spread{}
	}
	return flinkapi.Spread{
		Min: flinkapi.Known(r.low), Max: flinkapi.Known(r.high), Mean: flinkapi.Known((r.low + r.high) / 2),
		Sum: flinkapi.Known(r.sum),
	}
}

func joined(a, b flinkapi.Spread) flinkapi.Spread {
	return flinkapi.Spread{
		Min: flinkapi.Known(min(a.Min.Or(0), b.Min.Or(0))), Max: flinkapi.Known(max(a.Max.Or(0), b.Max.Or(0))),
		Mean: flinkapi.Known((a.Mean.Or(0) + b.Mean.Or(0)) / 2), Sum: flinkapi.Known(a.Sum.Or(0) + b.Sum.Or(0)),
	}
}

// operators are the signals apart by operator; nil while the names were not looked up.
func (p *part) operators() map[flinkapi.Signal][]flinkapi.OperatorSpread {
	if !p.listed {
		return nil
	}
	out := map[flinkapi.Signal][]flinkapi.OperatorSpread{}
	for _, r := range p.told {
		out[r.signal] = append(out[r.signal], flinkapi.OperatorSpread{Operator: r.operator, Spread: r.spread()})
	}
	return out
}

// history is what the cluster tells of its checkpoints, newest first.
func (w *world) history() *flinkapi.Checkpoints {
	if w.checkpoints == nil {
		return nil
	}
	out := *w.checkpoints
	out.Read, out.History = w.now, slices.Clone(w.checkpoints.History)
	for i := range out.History {
		if out.History[i].Status == "IN_PROGRESS" {
			out.History[i].Duration = w.now.Sub(out.History[i].TriggeredAt)
		}
	}
	return &out
}

// signal reads "low..high" or one number, then "+growth" a second, "sum=…", and "@operator".
func (s *script) signal(name string, args []string) *reported {
	s.t.Helper()
	all := flinkapi.Signals()
	i := slices.IndexFunc(all, func(x flinkapi.Signal) bool { return x.String() == name })
	if i < 0 {
		s.t.Fatalf("%s: no signal %q", s.line, name)
	}
	r := &reported{signal: all[i], missing: args[0] == "-"}
	if !r.missing {
		low, high, two := strings.Cut(args[0], "..")
		r.low, r.high = *s.number(low), *s.number(low)
		if two {
			r.high = *s.number(high)
		}
		r.sum = r.high
	}
	for _, arg := range args[1:] {
		if growth, ok := strings.CutPrefix(arg, "+"); ok {
			r.growth = *s.number(growth)
		} else if sum, ok := strings.CutPrefix(arg, "sum="); ok {
			r.sum = *s.number(sum)
		} else {
			r.operator = strings.TrimPrefix(arg, "@")
		}
	}
	return r
}

// tell sets a signal, in place of what was told of it for the same operator.
func tell(all []*reported, r *reported) []*reported {
	all = slices.DeleteFunc(
		all,
		func(x *reported) bool { return x.signal == r.signal && x.operator == r.operator },
	)
	return append(all, r)
}

// options reads words such as "interval=10s".
func options(args []string) map[string]string {
	out := map[string]string{}
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		out[name] = value
	}
	return out
}

func (s *script) span(text string) time.Duration {
	s.t.Helper()
	if text == "" {
		return 0
	}
	return s.duration(text)
}

// checkpointing sets the configuration: "interval=10s timeout=1m unaligned tolerable=0 atleastonce off".
func (s *script) checkpointing(args []string) {
	s.t.Helper()
	o := options(args)
	c := &flinkapi.Checkpoints{
		Enabled: true, Configured: true, ExactlyOnce: true, MaxConcurrent: 1,
		Interval: s.span(o["interval"]), Timeout: s.span(o["timeout"]), MinPause: s.span(o["pause"]),
		AlignedTimeout: s.span(o["aligned"]), Backend: o["backend"], Storage: o["storage"],
	}
	_, c.Unaligned = o["unaligned"]
	_, atLeastOnce := o["atleastonce"]
	_, off := o["off"]
	c.ExactlyOnce, c.Enabled = !atLeastOnce, !off
	if n, ok := o["concurrent"]; ok {
		c.MaxConcurrent = int(*s.number(n))
	}
	if n, ok := o["tolerable"]; ok {
		c.TolerableFailures = flinkapi.Known(*s.number(n))
	}
	s.w.checkpoints = c
}

// checkpoint adds one to the history: its id, status, duration, and "ago=20s state=1e9 wrote=1e6 acked=3/4
// persisted=0 failure=word unaligned savepoint".
func (s *script) checkpoint(args []string) {
	s.t.Helper()
	if s.w.checkpoints == nil {
		s.checkpointing(nil)
	}
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	o := options(args[3:])
	c := flinkapi.Checkpoint{
		ID: id, Status: args[1], Duration: s.duration(args[2]),
		Failure: strings.ReplaceAll(o["failure"], "_", " "), Subtasks: 1, Acked: 1,
	}
	c.TriggeredAt = s.w.now.Add(-s.span(o["ago"])).Add(-c.Duration)
	number := func(name string) flinkapi.Value {
		if text, ok := o[name]; ok {
			return flinkapi.Known(*s.number(text))
		}
		return flinkapi.Value{}
	}
	c.StateBytes, c.CheckpointedBytes, c.PersistedBytes = number("state"), number("wrote"), number("persisted")
	if acked, all, ok := strings.Cut(o["acked"], "/"); ok {
		c.Acked, c.Subtasks = int(*s.number(acked)), int(*s.number(all))
	}
	_, c.Unaligned = o["unaligned"]
	_, c.Savepoint = o["savepoint"]
	switch text, acknowledged := o["last"]; { // how long ago the newest acknowledgement came
	case acknowledged:
		c.AckedAt = s.w.now.Add(-s.span(text))
	case c.Status == flinkapi.CheckpointCompleted:
		c.AckedAt = c.TriggeredAt.Add(c.Duration)
	}
	switch h := s.w.checkpoints; c.Status {
	case "COMPLETED":
		h.Completed++
	case "FAILED":
		h.Failed++
		c.FailedAt = c.TriggeredAt.Add(c.Duration)
	default:
		h.Running++
	}
	s.w.checkpoints.History = append([]flinkapi.Checkpoint{c}, s.w.checkpoints.History...)
}

// checkpointPart adds a subtask's part to a checkpoint: id, vertex, subtask, then "start=1s align=2s sync=0s
// async=1s state=1e6" or "missing".
func (s *script) checkpointPart(args []string) {
	s.t.Helper()
	i := slices.IndexFunc(s.w.checkpoints.History, func(c flinkapi.Checkpoint) bool {
		return strconv.FormatInt(c.ID, 10) == args[0]
	})
	if i < 0 {
		s.t.Fatalf("%s: no checkpoint %s", s.line, args[0])
	}
	c := &s.w.checkpoints.History[i]
	id := flinkapi.VertexID(s.w.part(args[1]).name)
	k := slices.IndexFunc(c.Vertices, func(v flinkapi.CheckpointVertex) bool { return v.Vertex == id })
	if k < 0 {
		c.Vertices = append(slices.Clone(c.Vertices), flinkapi.CheckpointVertex{Vertex: id})
		k = len(c.Vertices) - 1
	}
	v, o := &c.Vertices[k], options(args[3:])
	p := flinkapi.CheckpointPart{
		Subtask: int(*s.number(args[2])), StartDelay: s.span(o["start"]), Alignment: s.span(o["align"]),
		Sync: s.span(o["sync"]), Async: s.span(o["async"]),
	}
	if state, ok := o["state"]; ok {
		p.StateBytes = flinkapi.Known(*s.number(state))
	}
	_, missing := o["missing"]
	p.Acked = !missing
	p.Duration = p.StartDelay + p.Alignment + p.Sync + p.Async
	v.Parts = append(v.Parts, p)
	v.Duration, v.Subtasks = max(v.Duration, p.Duration), v.Subtasks+1
	if p.Acked {
		v.Acked++
	}
}

// vertexState sets the size of a vertex's part in a checkpoint, and how much of it was in flight: id, vertex,
// bytes, bytes.
func (s *script) vertexState(args []string) {
	s.t.Helper()
	for i := range s.w.checkpoints.History {
		c := &s.w.checkpoints.History[i]
		if strconv.FormatInt(c.ID, 10) != args[0] {
			continue
		}
		c.Vertices = slices.DeleteFunc(slices.Clone(c.Vertices), func(v flinkapi.CheckpointVertex) bool {
			return string(v.Vertex) == args[1]
		})
		v := flinkapi.CheckpointVertex{
			Vertex: flinkapi.VertexID(s.w.part(args[1]).name), StateBytes: flinkapi.Known(*s.number(args[2])),
		}
		if len(args) > 3 {
			v.PersistedBytes = flinkapi.Known(*s.number(args[3]))
		}
		c.Vertices = append(c.Vertices, v)
	}
}

// stack adds what a vertex's threads are seen to do from now on: subtask, count, Java state, then the frames
// innermost first as package.Class.method:line, "lock=Class" and "owner=thread".
func (s *script) stack(args []string) {
	s.t.Helper()
	p := s.w.part(args[0])
	k := flinkapi.Stack{Subtask: int(*s.number(args[1])), Count: int(*s.number(args[2])), State: args[3]}
	for _, word := range args[4:] {
		if frame, ok := wellKnownFrames()[word]; ok {
			k.Frames = append(k.Frames, frame)
			continue
		}
		if lock, ok := strings.CutPrefix(word, "lock="); ok {
			k.Lock = lock
			continue
		}
		if owner, ok := strings.CutPrefix(word, "owner="); ok {
			k.LockOwner = strings.NewReplacer("_", " ", "@", "#").Replace(owner)
			continue
		}
		call, line, _ := strings.Cut(word, ":")
		dot := strings.LastIndex(call, ".")
		f := flinkapi.Frame{Class: call[:dot], Method: call[dot+1:]}
		if line != "" {
			f.Line = int(*s.number(line))
		}
		k.Frames = append(k.Frames, f)
	}
	p.stacks = append(p.stacks, k)
}

// wellKnownFrames are frames of Flink and of the JDK by a short name.
func wellKnownFrames() map[string]flinkapi.Frame {
	tasks := "org.apache.flink.streaming.runtime.tasks."
	return map[string]flinkapi.Frame{
		"^park":  {Class: "jdk.internal.misc.Unsafe", Method: "park"},
		"^sleep": {Class: "java.lang.Thread", Method: "sleep"},
		"^get":   {Class: "java.util.concurrent.CompletableFuture", Method: "get", Line: 2072},
		"^read":  {Class: "sun.nio.ch.NioSocketImpl", Method: "read", Line: 350},
		"^kryo":  {Class: "com.esotericsoftware.kryo.Kryo", Method: "writeObject", Line: 618},
		"^copy":  {Class: "org.apache.flink.api.java.typeutils.runtime.PojoSerializer", Method: "copy", Line: 201},
		"^write": {
			Class: "org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer", Method: "serialize", Line: 371,
		},
		"^regex":      {Class: "java.util.regex.Pattern$Loop", Method: "match", Line: 4946},
		"^log":        {Class: "org.apache.logging.log4j.core.Logger", Method: "log", Line: 162},
		"^rocks":      {Class: "org.rocksdb.RocksDB", Method: "get"},
		"^beam":       {Class: "org.apache.beam.runners.fnexecution.control.RemoteBundle", Method: "close", Line: 1},
		"^take":       {Class: tasks + "mailbox.TaskMailboxImpl", Method: "take", Line: 161},
		"^yield":      {Class: tasks + "mailbox.MailboxExecutorImpl", Method: "yield", Line: 91},
		"^loop":       {Class: tasks + "mailbox.MailboxProcessor", Method: "processMail", Line: 368},
		"^async":      {Class: "org.apache.flink.streaming.api.operators.async.AsyncWaitOperator", Method: "addToWorkQueue", Line: 351},
		"^sink-flush": {Class: "org.apache.flink.connector.base.sink.writer.AsyncSinkWriter", Method: "flushIfAble", Line: 343},
		"^buffer":     {Class: "org.apache.flink.runtime.io.network.buffer.LocalBufferPool", Method: "requestMemorySegmentBlocking", Line: 346},
		"^map":        {Class: "org.apache.flink.streaming.api.operators.StreamMap", Method: "processElement", Line: 37},
		"^push":       {Class: tasks + "CopyingChainingOutput", Method: "pushToOperator", Line: 75},
		"^emit":       {Class: tasks + "OneInputStreamTask$StreamTaskNetworkOutput", Method: "emitRecord", Line: 251},
	}
}

// signalCommands are the commands of a script about what a cluster reports beside shares and records.
func signalCommands() map[string]func(s *script, args []string) {
	return map[string]func(s *script, args []string){
		"signal": func(s *script, args []string) {
			p := s.w.part(args[0])
			p.told, p.listed = tell(p.told, s.signal(args[1], args[2:])), true
		},
		"unsignal": func(s *script, args []string) {
			p := s.w.part(args[0])
			p.told = slices.DeleteFunc(p.told, func(r *reported) bool { return r.signal.String() == args[1] })
		},
		"listed": func(s *script, args []string) { s.w.part(args[0]).listed = true },
		"metric": func(s *script, args []string) {
			m := s.w.worker(args[0])
			m.told = tell(m.told, s.signal(args[1], args[2:]))
		},
		"setting": func(s *script, args []string) {
			if s.w.settings == nil {
				s.w.settings = map[string]string{}
			}
			if len(args) > 1 {
				s.w.settings[args[0]] = strings.Join(args[1:], " ")
			}
		},
		"version":       func(s *script, args []string) { s.w.version = args[0] },
		"title":         func(s *script, args []string) { s.w.part(args[0]).title = strings.Join(args[1:], " ") },
		"chain":         func(s *script, args []string) { s.w.part(args[0]).chain = strings.Join(args[1:], " ") },
		"most":          func(s *script, args []string) { s.w.part(args[0]).most = int(*s.number(args[1])) },
		"checkpointing": (*script).checkpointing,
		"checkpoint":    (*script).checkpoint,
		"acked":         (*script).checkpointPart,
		"vertex-state":  (*script).vertexState,
		"stack":         (*script).stack,
		"cores":         func(s *script, args []string) { s.w.worker(args[0]).machine = s.number(args[1]) },
		"host":          func(s *script, args []string) { s.w.worker(args[0]).host = args[1] },
		"flame":         func(s *script, args []string) { s.w.part(args[0]).flame = true },
		"shared":        func(s *script, args []string) { s.w.part(args[0]).shared = true },
		"unstack":       func(s *script, args []string) { s.w.part(args[0]).stacks = nil },
		"retention": func(s *script, args []string) {
			s.w.engine.options.LogRetention = s.duration(args[0])
		},
	}
}

func TestTheilSenIsNotMovedByAnOutlier(t *testing.T) {
	t.Parallel()
	var all []point
	for i := range 9 {
		all = append(all, point{noon.Add(time.Duration(i) * time.Second), 3 * float64(i)})
	}
	all[4].y = 1000
	if slope, ok := theilSen(all); !ok || slope < 2.9 || slope > 3.1 {
		t.Errorf("slope %g, known %v", slope, ok)
	}
	if _, ok := theilSen(all[:2]); ok {
		t.Error("two points gave a slope")
	}
	if tau := kendall(
		[]point{{noon, 3}, {noon.Add(time.Second), 2}, {noon.Add(2 * time.Second), 1}},
	); tau != -1 {
		t.Errorf("tau of a falling series is %g", tau)
	}
}

func TestSettingsHaveTheNameOfTheVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "it 40/0")
	w.version, w.settings = "1.19.1", map[string]string{"execution.checkpointing.unaligned": "true"}
	w.look(0)
	s := w.snapshot(0)
	c := &Case{snapshot: s, job: s.Job}
	const key = "execution.checkpointing.unaligned.enabled"
	if got := c.key(key); got != "execution.checkpointing.unaligned" {
		t.Errorf("1.19 calls it %s", got)
	}
	if value, set, known := c.setting(key); value != "true" || !set || !known {
		t.Errorf("%q %v %v", value, set, known)
	}
	s.Cluster.Version = "2.3.0"
	if got := c.key(key); got != key {
		t.Errorf("2.3 calls it %s", got)
	}
}

func TestThresholdsAreSetByName(t *testing.T) {
	t.Parallel()
	o := DefaultOptions()
	for _, bad := range [][2]string{{"nosuch", "1"}, {"busy", "much"}, {"busy", "-1"}, {"slot", "3"}, {"restarts", "x"}} {
		if err := o.SetThreshold(bad[0], bad[1]); err == nil {
			t.Errorf("%s=%s was taken", bad[0], bad[1])
		}
	}
	for _, good := range [][2]string{{"busy", "0.7"}, {"slot", "20s"}, {"restarts", "5"}} {
		if err := o.SetThreshold(good[0], good[1]); err != nil {
			t.Error(err)
		}
	}
	want := defaultThresholds()
	want.busy, want.slot, want.restarts = 0.7, 20*time.Second, 5
	if o.limits != want {
		t.Errorf("%+v", o.limits)
	}
	names := map[string]bool{}
	for _, x := range Thresholds() {
		if x.Means == "" || x.Default == "" || names[x.Name] {
			t.Errorf("%+v", x)
		}
		names[x.Name] = true
	}
}

func TestSomeRulesCannotBeSilenced(t *testing.T) {
	t.Parallel()
	o := DefaultOptions()
	for _, name := range []string{"nosuch", "culprit", "healthy", "undetermined"} {
		if err := o.Silence(name); err == nil {
			t.Errorf("%s was silenced", name)
		}
	}
}
