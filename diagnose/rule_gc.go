package diagnose

import (
	"fmt"

	"culprit/flinkapi"
)

// machineRules ask whether a culprit's machine is the reason, whatever the operator does.
func machineRules() []Rule { return []Rule{gcRule(), cpuLimitRule()} }

func gcRule() Rule {
	return Rule{
		ID:    "FD1001",
		Name:  "gc",
		Title: "garbage collection takes the time of its TaskManager",
		Stage: StageMachine,
		Needs: needs(shareSignals(), gcSignals()),
		Check: checkGC,
	}
}

func gcSignals() []flinkapi.Signal {
	return []flinkapi.Signal{flinkapi.GCShare, flinkapi.HeapUsed, flinkapi.HeapMax}
}

func checkGC(c *Case) Finding {
	v := c.subject()
	x := c.collectingOf(v)
	worst, most := x.worst, x.share
	switch {
	case x.busy == 0 || x.known < x.busy:
		return cannotTell("the garbage collection of its TaskManagers is not known (Flink 1.19 and newer tell it)",
			flinkapi.GCShare.String())
	case !x.slows():
		return fine()
	}
	heap := c.heapUse(worst)
	f := Finding{
		Verdict: Firing,
		Summary: fmt.Sprintf(
			"the TaskManager %s spends %s of its time in garbage collection, which stops all its threads",
			worst,
			FormatRatio(flinkapi.Known(most)),
		),
		Evidence: []Evidence{{
			Signal: flinkapi.GCShare.String(), Label: "time in garbage collection", Subject: string(worst),
			Value: flinkapi.Known(most), Unit: flinkapi.Ratio, For: true, Age: c.age(),
			Note: fmt.Sprintf("%d of its %d busy subtasks run on TaskManagers that collect so much", x.hit, x.busy),
		}},
		Remedies: c.moreHeap(heap.risen),
		Dont: []string{
			"more parallelism on the same TaskManagers makes it worse: the heap is shared",
			"salting or splitting keys does not help: the subtasks there are slow whatever they do",
		},
	}
	f = c.withHeap(f, worst, heap)
	if shared := c.heapShared(v, worst); shared != "" {
		f.Summary += "; " + shared
		f.doubtful = true
	}
	return f
}

// busyOf counts the busy subtasks of a vertex on a TaskManager.
func (c *Case) busyOf(v int, id flinkapi.TaskManagerID) int {
	worker, known := c.placed.index[id]
	if !known {
		return 0
	}
	n := 0
	for _, i := range c.busySubtasks(v) {
		if i < len(c.placed.at[v]) && c.placed.at[v][i].worker == int32(worker) {
			n++
		}
	}
	return n
}

// withHeap adds what is known of the heap to a finding.
func (c *Case) withHeap(f Finding, id flinkapi.TaskManagerID, h heapUse) Finding {
	x, ok := h.share.Float()
	if !ok {
		return f
	}
	full := x >= c.limits.heapFull
	if full && h.readings >= c.limits.heapReadings {
		f.Summary += fmt.Sprintf("; %s of the heap is never free", FormatRatio(h.share))
	}
	if h.risen {
		f.Summary += "; what a collection leaves grows all the time: something holds on to memory"
	}
	f.Evidence = append(f.Evidence, Evidence{
		Signal: flinkapi.HeapUsed.String(), Label: "least use of the heap", Subject: string(id),
		Value: h.share, Unit: flinkapi.Ratio, For: full, Age: c.age(), Note: "about what a collection leaves",
	})
	return f
}

// moreHeap are what helps a full heap.
func (c *Case) moreHeap(risen bool) []Remedy {
	leak := Remedy{
		Do: "find what holds on to memory: take a heap dump of that TaskManager (jmap -dump:live) and look at " +
			"its largest classes; statements and results that are never closed, caches without a bound, " +
			"static collections",
		Gain: "the heap stays at its level, and so does the speed",
		Risk: "a heap dump stops the process for seconds",
		Undo: undoLook, Link: heapLink,
	}
	heap := Remedy{
		Do: "give the TaskManagers more heap",
		Key: c.key(
			"taskmanager.memory.task.heap.size",
		),
		From: first(c.setting("taskmanager.memory.task.heap.size")),
		Gain: "collections get rarer; with half of the heap free they cost little",
		Risk: "more memory for each TaskManager; if something leaks it only takes longer",
		Undo: c.undo(c.key("taskmanager.memory.task.heap.size")),
		Link: docRoot + "deployment/memory/mem_setup_tm/",
	}
	slots, half := c.fewerSlots()
	fewer := Remedy{
		Do:  "run fewer subtasks in each TaskManager",
		Key: c.key("taskmanager.numberOfTaskSlots"), From: slots, To: half,
		Gain: "each has a larger part of the heap", Risk: "more TaskManagers are needed for the same slots",
		Undo: c.undo(c.key("taskmanager.numberOfTaskSlots")), Link: settingLink("taskmanager.numberOfTaskSlots"),
	}
	state := Remedy{
		Do:  "if the state lives on the heap, move it out of it",
		Key: c.key("state.backend.type"), To: "rocksdb", From: first(c.setting("state.backend.type")),
		Gain: "state no longer counts for the collector", Risk: "each access costs more; needs a savepoint",
		Undo: "state.backend.type: hashmap, by a savepoint", Link: docRoot + "ops/state/state_backends/",
	}
	if risen {
		return []Remedy{leak, heap, fewer}
	}
	return []Remedy{heap, fewer, state, leak}
}

func heapFullRule() Rule {
	return Rule{
		ID: "FD1003", Name: "heap-full", Title: "a TaskManager's heap is nearly full, or its collector works hard",
		Stage: StageBeside, Needs: needs(gcSignals(), rateSignals()), Check: checkHeapFull,
	}
}

// machineBesideRules warn of a TaskManager's memory, with or without a culprit.
func machineBesideRules() []Rule { return []Rule{heapFullRule(), networkMemoryRule()} }

func checkHeapFull(c *Case) Finding {
	known := false
	var worst flinkapi.TaskManagerID
	rank := 0.0
	for i := range c.snapshot.TaskManagers {
		id := c.snapshot.TaskManagers[i].ID
		share, heap := c.newestOf(id, flinkapi.GCShare), c.heapUse(id)
		known = known || share.IsKnown() || heap.share.IsKnown()
		full := heap.readings >= c.limits.heapReadings && heap.share.Or(0) >= c.limits.heapFull
		// A collector that works hard weighs more than a heap that only looks full.
		if n := share.Or(0); n >= c.limits.gcLook && 1+n > rank {
			rank, worst = 1+n, id
		} else if x := heap.share.Or(0); full && x > rank {
			rank, worst = x, id
		}
	}
	switch {
	case worst != "":
		return c.fullHeap(worst)
	case !known:
		return cannotTell("the heap of the TaskManagers is not known", flinkapi.HeapUsed.String())
	}
	if f, fills := c.sinkFillsHeap(); fills {
		return f
	}
	if f, grows := c.heapGrows(); grows {
		return f
	}
	return fine()
}

// fullHeap tells of a TaskManager whose heap is full, or whose collector works hard.
func (c *Case) fullHeap(id flinkapi.TaskManagerID) Finding {
	share, heap := c.newestOf(id, flinkapi.GCShare), c.heapUse(id)
	f := Finding{
		Verdict: Firing, Severity: Warning,
		Summary:  fmt.Sprintf("the heap of the TaskManager %s is nearly full", id),
		Subject:  Subject{Kind: SubjectTaskManager, TaskManager: id, Name: string(id)},
		Remedies: c.moreHeap(heap.risen),
		Dont:     []string{"more parallelism on the same TaskManagers makes it worse: the heap is shared"},
	}
	if n, ok := share.Float(); ok {
		if n >= c.limits.gcLook {
			f.Summary = fmt.Sprintf(
				"the TaskManager %s spends %s of its time in garbage collection",
				id,
				FormatRatio(share),
			)
		}
		f.Evidence = append(f.Evidence, Evidence{
			Signal: flinkapi.GCShare.String(), Label: "time in garbage collection", Subject: string(id),
			Value: share, Unit: flinkapi.Ratio, For: n >= c.limits.gcLook, Age: c.age(),
		})
	}
	return c.withHeap(f, id, heap)
}

func networkMemoryRule() Rule {
	return Rule{
		ID:    "FD1004",
		Name:  "network-memory",
		Title: "a TaskManager's network memory is used up",
		Stage: StageBeside,
		Needs: []flinkapi.Signal{flinkapi.NetworkUsed, flinkapi.NetworkMax},
		Check: checkNetworkMemory,
	}
}

func checkNetworkMemory(c *Case) Finding {
	known := 0
	var worst flinkapi.TaskManagerID
	most := 0.0
	for i := range c.snapshot.TaskManagers {
		id := c.snapshot.TaskManagers[i].ID
		used, ok := c.newestOf(id, flinkapi.NetworkUsed).Float()
		size, okSize := c.newestOf(id, flinkapi.NetworkMax).Float()
		if !ok || !okSize || size <= 0 {
			continue
		}
		known++
		if share := used / size; share > most {
			worst, most = id, share
		}
	}
	switch {
	case known == 0:
		return cannotTell("the network memory of the TaskManagers is not known", flinkapi.NetworkUsed.String())
	case most < c.limits.networkFull:
		return fine()
	}
	return Finding{
		Verdict:  Firing,
		Severity: OK,
		Summary: fmt.Sprintf(
			"%s uses %s of its network memory: tasks have few buffers to exchange, and a larger job "+
				"would not get those that it needs",
			worst,
			FormatRatio(flinkapi.Known(most)),
		),
		Subject: Subject{Kind: SubjectTaskManager, TaskManager: worst, Name: string(worst)},
		Evidence: []Evidence{{
			Signal: flinkapi.NetworkUsed.String(), Label: "network memory used", Subject: string(worst),
			Value: flinkapi.Known(most), Unit: flinkapi.Ratio, For: true, Age: c.age(),
		}},
		Remedies: []Remedy{{
			Do:  "give the TaskManagers more network memory",
			Key: c.key("taskmanager.memory.network.max"), From: first(c.setting("taskmanager.memory.network.max")),
			Gain: "room for floating buffers, for more subtasks and for a shuffle between all of them",
			Risk: "less memory for the rest of the process, and more data in flight for aligned barriers to pass",
			Undo: c.undo(c.key("taskmanager.memory.network.max")), Link: networkLink,
		}},
		Dont: []string{"under backpressure full buffers are normal: more of them do not make the culprit faster"},
	}
}
