package diagnose

import (
	"fmt"
	"strconv"
	"strings"

	"culprit/flinkapi"
)

func stateBackendRule() Rule {
	return Rule{
		ID:    "FD0401",
		Name:  "state-backend",
		Title: "access to its state in RocksDB or ForSt stalls",
		Stage: StageState,
		Needs: needs(shareSignals(), stallSignals(), readSignals(), []flinkapi.Signal{
			flinkapi.CPUTime, flinkapi.AsyncStateInFlight, flinkapi.FlushPending, flinkapi.RunningCompactions,
			flinkapi.HeapMax, flinkapi.TimersFiredRate, flinkapi.RecordsRead, flinkapi.RecordsWritten,
			flinkapi.RecordsInRate, flinkapi.RecordsOutRate,
		}),
		Check: checkStateBackend,
	}
}

func checkStateBackend(c *Case) Finding {
	v := c.subject()
	if end, ok := c.keyedState(v); !ok {
		return end
	}
	seen := c.looked(v)
	stalls, reported := c.stalls(v)
	latency, timed := c.spread(v, flinkapi.StateGetLatency).Max.Float()
	waiting, limit, full := c.asyncFull(v)
	name := c.backendName()
	f := Finding{Verdict: Firing, Operator: c.stateOperator(v)}
	switch {
	case len(stalls) > 0:
		f.Summary = fmt.Sprintf(
			"%s: its compaction is behind, and writing state waits for it%s",
			stalls[0].text,
			c.stallContext(v),
		)
		for _, s := range stalls {
			f.Evidence = append(f.Evidence, c.signalEvidence(v, s.signal, s.value, s.unit, true, ""))
		}
		f.Remedies = c.writeRemedies()
	case c.diskBound(v) || c.timerBound(v):
		return fine()
	case full:
		f.Summary = fmt.Sprintf(
			"%s records wait for their state, of %s that may: %s answers more slowly than records come",
			FormatWhole(waiting),
			FormatWhole(limit),
			name,
		)
		f.Evidence = []Evidence{
			c.signalEvidence(v, flinkapi.AsyncStateInFlight, waiting, flinkapi.Records, true, ""),
		}
		f.Remedies = c.readRemedies(v)
	case seen.known && seen.state > c.limits.stateFrames:
		f.Summary = fmt.Sprintf("it spends %s of its time in %s: reading and writing state is its work",
			FormatRatio(flinkapi.Known(seen.state)), name)
		f.Evidence = []Evidence{c.stateLooks(v, seen, seen.state, "in calls to its state")}
		f.Remedies = c.readRemedies(v)
	case timed && latency >= c.limits.stalledRead.Seconds():
		f.Summary = fmt.Sprintf("one in a hundred reads of its state takes over %s", FormatSpan(seconds(latency)))
		f.Evidence = []Evidence{
			c.signalEvidence(v, flinkapi.StateGetLatency, latency, flinkapi.Seconds, true, ""),
		}
		f.Remedies = c.readRemedies(v)
	case seen.known, timed && reported:
		return fine()
	default:
		return cannotTell(
			"it keeps state in "+name+", which reports too little to tell whether access to it stalls",
			c.switchOn()...)
	}
	f.Remedies = append(f.Remedies, designRemedies(seen)...)
	f.Dont = stateDonts()
	return f
}

func stateDonts() []string {
	return []string{
		"unaligned checkpoints do not help: they add to what the disk has to do",
		throughputDont,
	}
}

func (c *Case) backendName() string {
	if c.backend() == backendForSt {
		return "ForSt"
	}
	return "RocksDB"
}

// stateOperator is the operator of the chain whose state stalls, where the metric's name tells.
func (c *Case) stateOperator(v int) string {
	for _, signal := range []flinkapi.Signal{flinkapi.WriteStopped, flinkapi.DelayedWriteRate} {
		all, _ := c.operators(v, signal)
		for _, o := range all {
			if operator, _, ok := strings.Cut(o.Operator, "."); ok && o.Spread.Max.Or(0) > 0 {
				return operator
			}
		}
	}
	return ""
}

// stallContext says what RocksDB does meanwhile.
func (c *Case) stallContext(v int) string {
	var parts []string
	if n, ok := c.spread(v, flinkapi.RunningCompactions).Max.Float(); ok {
		parts = append(parts, FormatWhole(n)+" compactions run")
	}
	if n, ok := c.spread(v, flinkapi.FlushPending).Max.Float(); ok && n > 0 {
		parts = append(parts, "flushes wait")
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// asyncFull tells whether as many records wait for asynchronous state access as may.
func (c *Case) asyncFull(v int) (waiting, limit float64, full bool) {
	limit = 6000 // execution.async-state.total-buffer-size
	if text, set, _ := c.setting("execution.async-state.total-buffer-size"); set {
		if n, err := strconv.ParseFloat(text, 64); err == nil && n > 0 {
			limit = n
		}
	}
	waiting, ok := c.spread(v, flinkapi.AsyncStateInFlight).Max.Float()
	return waiting, limit, ok && waiting >= c.limits.asyncFull*limit
}

func (c *Case) writeRemedies() []Remedy {
	const threads = "state.backend.rocksdb.thread.num"
	const buffer = "state.backend.rocksdb.writebuffer.size"
	fewThreads, moreThreads := c.scaled(threads, "2", 2)
	small, large := c.scaled(buffer, "64 mb", 2)
	return []Remedy{
		{
			Do:   "give RocksDB more threads for flushes and compactions",
			Key:  threads,
			From: fewThreads,
			To:   moreThreads,
			Gain: "compaction keeps up while cores and the disk have room",
			Risk: "more CPU and disk in bursts",
			Undo: c.undo(threads),
			Link: rocksDBDoc,
		},
		c.managedMemory("memory tables are larger, so less is flushed and compacted"),
		{
			Do:   "let memory tables grow larger before they are flushed",
			Key:  buffer,
			From: small,
			To:   large,
			Gain: "fewer and larger files",
			Risk: "takes from the same managed memory",
			Undo: c.undo(buffer),
			Link: rocksDBDoc,
		},
		localDisks(c),
	}
}

func (c *Case) managedMemory(gain string) Remedy {
	r := Remedy{
		Do:  "give RocksDB more memory, or run fewer slots on each TaskManager",
		Key: "taskmanager.memory.managed.fraction", Gain: gain,
		Risk: "less heap for the operators: watch garbage collection",
		Undo: c.undo("taskmanager.memory.managed.fraction"),
		Link: docRoot + "deployment/memory/mem_setup_tm/#managed-memory",
	}
	const most = 0.9 // the heap, the network and the rest need theirs
	r.From, r.To = c.scaled(r.Key, "0.4", 1.5)
	if _, set, _ := c.setting("taskmanager.memory.managed.size"); set { // it overrides the fraction
		r.Key = "taskmanager.memory.managed.size"
		r.From, r.To = c.scaled(r.Key, "", 2)
		r.Undo = c.undo(r.Key)
	} else if n, _, ok := amount(r.To); ok && n > most {
		r.Do, r.To = "run fewer slots on each TaskManager: RocksDB has nearly all of its memory already", ""
		r.Key, r.From = "taskmanager.numberOfTaskSlots", ""
		r.Undo = undoSetter
	}
	return r
}

func localDisks(c *Case) Remedy {
	const dirs = "state.backend.rocksdb.localdir"
	return Remedy{
		Do:   "put RocksDB's files on fast local disks (separated by commas), never on a network or root volume",
		Key:  dirs,
		From: c.from(dirs, "the TaskManager's temporary directories"),
		Gain: "reads and compactions take what the disk allows",
		Risk: "the TaskManagers restart, and state is restored",
		Undo: c.undo(dirs),
		Link: rocksDBDoc,
	}
}

func (c *Case) readRemedies(v int) []Remedy {
	const filters = "state.backend.rocksdb.memory.partitioned-index-filters"
	const bloom = "state.backend.rocksdb.use-bloom-filter"
	out := []Remedy{
		c.managedMemory("more of the state is read from memory"),
		{
			Do:   "spare reads of files that do not hold the key",
			Key:  bloom,
			From: c.from(bloom, "false"),
			To:   "true",
			Gain: "a read of a key that is not there costs no disk access",
			Risk: "some memory",
			Undo: c.undo(bloom),
			Link: rocksDBDoc,
		},
		{
			Do:   "keep index and filters in memory by parts",
			Key:  filters,
			From: c.from(filters, "false"),
			To:   "true",
			Gain: "the cache is not filled by them",
			Risk: "none that is known",
			Undo: c.undo(filters),
			Link: rocksDBDoc,
		},
	}
	if c.fitsHeap(v) {
		out = append([]Remedy{
			{
				Do:   "keep this state on the heap: it is small",
				Key:  c.key("state.backend.type"),
				From: "rocksdb",
				To:   "hashmap",
				Gain: "access takes no serialization and no disk",
				Risk: "garbage collection, and full instead of incremental checkpoints",
				Undo: "change it back through a savepoint in canonical format",
				Link: checkpointDoc("state_backends/"),
			},
		}, out...)
	}
	return out
}

// fitsHeap tells whether the state of a vertex is small beside the heap of its TaskManagers.
func (c *Case) fitsHeap(v int) bool {
	bytes, known := c.stateBytes(v)
	heap := 0.0
	for _, id := range c.taskManagers(v) {
		all := c.worker(id, flinkapi.HeapMax)
		if len(all) == 0 {
			return false
		}
		heap += all[len(all)-1].readings.Of(flinkapi.HeapMax).Or(0)
	}
	return known && heap > 0 && bytes <= c.limits.smallState*heap
}

func designRemedies(seen looked) []Remedy {
	var out []Remedy
	if seen.lists {
		out = append(out, Remedy{
			Do:   "aggregate in the window as records come (aggregate or reduce) instead of keeping them as a list",
			Gain: "one small value per key and window instead of all its records",
			Risk: "only for what can be aggregated step by step",
			Link: windowsLink + "#window-functions",
			Undo: undoRekey,
		})
	}
	return append(out, Remedy{
		Do:   "keep less state: a time to live, a MapState instead of one large value, fewer timers",
		Gain: "each access reads and writes less",
		Risk: "state that has expired is gone",
		Link: docRoot + "dev/datastream/fault-tolerance/state/#state-time-to-live-ttl",
		Undo: "take it out; what has expired is gone",
	})
}
