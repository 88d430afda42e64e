package diagnose

import (
	"fmt"
	"math"
	"strings"

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
		return cannotTell("the garbage collection of its TaskManagers is not known"+
			c.tellsFrom(flinkapi.GCShare.Info().Since),
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
		Remedies: c.moreHeap(worst),
		Dont: []string{
			sharedHeapDont,
			"salting or splitting keys does not help: the subtasks there are slow whatever they do",
		},
	}
	f = c.withRise(c.withHeap(f, worst, heap), worst)
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
		f = c.holdsOn(f, id)
	}
	least, label := h.share, "least use of the heap"
	if left, ok := c.leftOf(id); ok && left > x { // it has filled up: what was long ago says nothing of now
		least, label = flinkapi.Known(left), "least use of the heap lately"
	}
	f.Evidence = append(f.Evidence, Evidence{
		Signal: flinkapi.HeapUsed.String(), Label: label, Subject: string(id), Value: least, Unit: flinkapi.Ratio,
		For: full || least.Or(0) >= c.limits.heapFull, Age: c.age(), Note: "about what a collection leaves",
	})
	return f
}

// findLeak is to look for what a heap is full of.
func (c *Case) findLeak(id flinkapi.TaskManagerID) Remedy {
	return Remedy{
		Do: fmt.Sprintf("find what holds on to memory: take a heap dump of %s (jmap -dump:live) and look at its "+
			"largest classes; statements and results that are never closed, caches without a bound, static "+
			"collections", id),
		Gain: "the heap stays at its level, and so does the speed",
		Risk: "a heap dump stops the process for seconds",
		Undo: undoLook, Link: heapLink,
	}
}

// moreHeap are what helps a full heap that is not known to be full of what something holds on to.
func (c *Case) moreHeap(id flinkapi.TaskManagerID) []Remedy {
	slots, half := c.fewerSlots()
	fewer := Remedy{
		Do:  "run fewer subtasks in each TaskManager",
		Key: c.key("taskmanager.numberOfTaskSlots"), From: slots, To: half,
		Gain: "each has a larger part of the heap", Risk: "more TaskManagers are needed for the same slots",
		Undo: c.undo(c.key("taskmanager.numberOfTaskSlots")), Link: settingLink("taskmanager.numberOfTaskSlots"),
	}
	return []Remedy{c.largerHeap(id), fewer, {
		Do:  "if the state lives on the heap, move it out of it",
		Key: c.key("state.backend.type"), To: "rocksdb", From: first(c.setting("state.backend.type")),
		Gain: "state no longer counts for the collector", Risk: "each access costs more; needs a savepoint",
		Undo: "state.backend.type: hashmap, by a savepoint", Link: docRoot + "ops/state/state_backends/",
		fits: fit{backends: backendsOf(backendHeap, backendUnknown)},
	}, c.findLeak(id)}
}

// largerHeap is to give the TaskManagers twice the heap that collections leave on one of them: with half of
// it free they cost little. What a collection leaves is known from enough readings only.
func (c *Case) largerHeap(id flinkapi.TaskManagerID) Remedy {
	key := c.key("taskmanager.memory.task.heap.size")
	out := Remedy{
		Do: "give the TaskManagers more heap", Key: key, From: first(c.setting(key)),
		Gain: "collections get rarer; with half of the heap free they cost little",
		Risk: "more memory for each TaskManager; if something leaks it only takes longer",
		Undo: c.undo(key), Link: docRoot + "deployment/memory/mem_setup_tm/",
	}
	heap := c.heapUse(id)
	floor, known := heap.floor.Float()
	size, sized := c.newestOf(id, flinkapi.HeapMax).Float()
	switch {
	case !known || !sized || heap.readings < c.limits.heapReadings:
		out.Do += "; how much is not computed, because what a collection leaves is not known yet"
		return out
	case floor < size/2:
		out.Do += "; how much is not computed, because collections leave half of it free and more: it is the " +
			"garbage that is made"
		return out
	}
	// The framework's part of the heap stays as it is (taskmanager.memory.framework.heap.size).
	framework := c.bytesOf("taskmanager.memory.framework.heap.size", frameworkHeap)
	task := math.Ceil((2*floor-framework)/heapStep) * heapStep
	out.To = fmt.Sprintf("%.0f mb", task/(1<<20))
	out.Gain = fmt.Sprintf("half of the heap is free after a collection: 2 x %s that it leaves, less %s of the "+
		"framework, is %s; the heap is %s now", FormatBytes(floor), FormatBytes(framework), out.To,
		FormatBytes(size))
	return out
}

const (
	// frameworkHeap is Flink's default of taskmanager.memory.framework.heap.size, in bytes.
	frameworkHeap = 128 << 20
	// heapStep is to what a heap is rounded up, in bytes.
	heapStep = 64 << 20
)

// bytesOf is a setting's size in bytes, normally where it is not set or not read.
func (c *Case) bytesOf(key string, normally float64) float64 {
	value, set, _ := c.setting(key)
	n, unit, ok := amount(strings.ToLower(value))
	if size := unitSize(unit); set && ok && (size.of == "memory" || unit == "") {
		return n * size.size
	}
	return normally
}

func heapFullRule() Rule {
	return Rule{
		ID: "FD1003", Name: "heap-full", Title: "a TaskManager's heap is nearly full, or its collector works hard",
		Stage: StageBeside, Needs: needs(gcSignals(), shareSignals(), rateSignals(), sinkKindSignals()),
		Check: checkHeapFull,
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
	if id := c.stillFull(); id != "" {
		return c.fullHeap(id)
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
		Remedies: c.moreHeap(id),
		Dont:     []string{sharedHeapDont},
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
	f = c.withRise(c.withHeap(f, id, heap), id)
	c.toldElsewhere(&f, id)
	return f
}

// toldElsewhere marks a finding about a TaskManager's heap as a consequence where its collections are the
// reason of a culprit, or why nobody is named: what helps is told there, once.
func (c *Case) toldElsewhere(f *Finding, id flinkapi.TaskManagerID) {
	for i := range c.spared {
		if c.spared[i].worker == id {
			f.same = undeterminedRule().Name
		}
	}
	for i := range c.stands {
		v := c.stands[i].last.vertex
		if x := c.collectingOf(v); x.slows() && x.worst == id && c.mayBeStuck(v) == "" {
			f.same, f.causedBy = gcRule().Name, c.g.ids[v]
		}
	}
	if f.same != "" {
		f.Remedies, f.Dont = nil, nil
	}
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
