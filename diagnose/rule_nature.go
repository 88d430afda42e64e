package diagnose

import (
	"fmt"
	"strings"

	"culprit/flinkapi"
)

// natureRules say what a culprit does while it is busy, when no rung before gave the reason.
func natureRules() []Rule {
	return []Rule{
		parallelismOneRule(),
		sourceBoundRule(),
		asyncFullRule(),
		lockRule(),
		serializationRule(),
		cpuBoundRule(),
		externalWaitRule(),
	}
}

func sourceBoundRule() Rule {
	return Rule{
		ID: "FD0102", Name: "source-bound", Title: "the source itself is the limit", Stage: StageNature,
		Needs: roomSignals(), Check: checkSourceBound,
	}
}

func checkSourceBound(c *Case) Finding {
	if !c.culprit.last.source {
		return notApplicable("it is not a source that nothing holds back")
	}
	v := c.subject()
	summary := "the source is busy and nothing below holds it back: reading and decoding is the limit"
	if c.isSink(v) {
		summary = "source and sink are one chain, and nothing below holds it back: reading, decoding, an " +
			"operator in between or writing is the limit"
	}
	lag, _ := c.lag(v)
	records, known := lag.Float()
	if !known {
		summary += "; whether it lags is not known, since the source reports no lag"
	} else {
		summary += "; " + waiting(records) + " to be read"
	}
	f := Finding{
		Verdict: Firing, Summary: summary,
		Remedies: []Remedy{{
			Do:   "make decoding cheaper",
			Gain: "throughput grows with the source", Risk: "the operators below get more to do",
			Undo: undoCode, Link: sourcesLink,
		}, c.widened(Remedy{
			Do:   "give the source more parallelism, up to the number of its partitions",
			Gain: "throughput grows with the source", Risk: "the operators below get more to do",
			Undo: "set the old parallelism", Link: sourcesLink, scales: true,
		})},
		Dont: []string{belowSourceDont},
	}
	if c.isSink(v) {
		f.Remedies = append(c.unchained(), f.Remedies...)
		f.Dont = []string{
			"more parallelism before it is known which of its operators is slow: what waits for another system may " +
				"only wait in more places",
		}
	}
	if known {
		f.Evidence = append(f.Evidence, Evidence{
			Signal:  flinkapi.PendingRecords.String(),
			Label:   "records waiting at the source",
			Subject: c.vertex(v).Name,
			Value:   lag,
			Unit:    flinkapi.Records,
			For:     true,
			Age:     c.age(),
		})
	}
	if l := c.looks(v); l.enough() {
		all := append(waitActivities(), append(workActivities(), stateAccess, lockWait)...)
		most := l.most(all...)
		f.Summary += "; it " + most.said() + " in " + l.told(l.count(most))
		f.Evidence = append(f.Evidence, c.looksEvidence(l, most)...)
	}
	return f
}

func cpuBoundRule() Rule {
	return Rule{
		ID: "FD0801", Name: "cpu-bound", Title: "the operator computes", Stage: StageNature,
		Needs: needs(natureSignals(), rateSignals(), []flinkapi.Signal{flinkapi.PendingRecords}),
		Check: checkCPUBound,
	}
}

func checkCPUBound(c *Case) Finding {
	j := c.nature()
	if j.kind != computes {
		return j.other()
	}
	l, main := j.looks, computing
	if j.byLooks {
		main = l.most(workActivities()...)
	}
	f := Finding{
		Verdict: Firing, Operator: c.operatorOf(c.subject(), l, workActivities()...), byCPU: !j.byLooks,
		Summary:  "it " + main.said() + " all the time (" + j.because(workActivities()...) + ")",
		Evidence: c.natureEvidence(&j, false, workActivities()...),
		Remedies: c.cheaper(l, main),
		Dont:     []string{"one parallelism for all operators only adds idle subtasks elsewhere"},
	}
	if n := l.count(serializing); j.byLooks && n > 0 && main != serializing {
		f.Summary += fmt.Sprintf("; %d of them in serializers", n)
	}
	if n, known := j.cores.Float(); j.byLooks && known && n < c.limits.computing {
		f.several = true
		f.Summary += fmt.Sprintf("; but it gets only %s: too few cores may be why", coresText(n))
	}
	return f
}

// cheaper are what helps an operator that computes.
func (c *Case) cheaper(l *looks, main activity) []Remedy {
	wider := c.widened(Remedy{
		Do:   "give this operator alone more parallelism",
		Gain: "throughput grows with the number of its subtasks while cores are free",
		Risk: "the next limit shows; more state to move when it is keyed",
		Undo: "set its parallelism back", Link: parallelLink, scales: true,
	})
	at, _ := l.where(workActivities()...)
	if at == "" {
		at = "the operator"
	}
	first := Remedy{
		Do:   "look at what it computes and make that cheaper: " + at,
		Gain: "throughput grows by the factor that a record gets cheaper", Risk: "none",
		Link: flameLink,
		Undo: undoCode,
	}
	switch main {
	case parsing:
		first.Do = "parse less: read only the fields that are needed, compile regular expressions once, reuse " +
			"the parser, or take a binary format (" + at + ")"
	case compressing:
		first.Do = "take a cheaper compression, or a lower level of it (" + at + ")"
	case writingLog:
		first.Do = "log less for each record: no line on the hot path, or a higher level for that logger (" +
			at + ")"
	case serializing:
		first.Do = "make records cheaper to serialize: fewer and simpler fields, no generic types"
	default:
	}
	out := []Remedy{first, wider}
	if l.enough() && l.countIf(func(s *sighting) bool { return s.copies }) > 0 {
		out = append(out, c.objectReuse())
	}
	return out
}

// objectReuse spares the copy of each record between chained operators.
func (c *Case) objectReuse() Remedy {
	return Remedy{
		Do: "hand records on inside the chain without copying them, if no operator changes or keeps " +
			"what it was given",
		Key:  c.key("pipeline.object-reuse"),
		From: c.from("pipeline.object-reuse", "false"),
		To:   "true",
		Gain: "the copy of each record between two chained operators goes away",
		Risk: "wrong results where a function changes or keeps a record that it handed on",
		Undo: c.undo(c.key("pipeline.object-reuse")),
		Link: settingLink("pipeline.object-reuse"),
	}
}

func externalWaitRule() Rule {
	return Rule{
		ID: "FD0802", Name: "external-wait", Title: "the operator waits for something outside", Stage: StageNature,
		Needs: natureSignals(), Check: checkExternalWait,
	}
}

func checkExternalWait(c *Case) Finding {
	j := c.nature()
	if j.kind != waits {
		return j.other()
	}
	l, v := j.looks, c.subject()
	of := append(waitActivities(), writingLog)
	f := Finding{
		Verdict: Firing, Operator: c.operatorOf(v, l, of...),
		Summary: "it is busy without computing (" + j.because() + "): it waits for a call, a lock, a disk " +
			"or a core; " + c.threadsTell(v),
		byCPU: !j.byLooks, several: !j.byLooks && !c.lookup(v),
		Evidence: c.natureEvidence(&j, true, of...),
		Dont:     []string{"more CPU or memory does not help: the operator does not use what it has"},
	}
	main := remoteCall
	if j.byLooks {
		main = l.most(of...)
		f.Summary = "it " + main.said() + " instead of computing (" + j.because(of...) + ")"
		if n := l.countIf(func(s *sighting) bool { return s.snapshot }); 2*n > l.counted {
			f.Summary += fmt.Sprintf("; %d looks were in the synchronous part of a checkpoint", n)
		}
	}
	if f.Remedies = c.shorterWaits(main); f.several {
		f.Remedies = []Remedy{c.seeThreads(v)}
	}
	return f
}

// seeThreads is what to do where only the threads of a vertex can tell what helps.
func (c *Case) seeThreads(v int) Remedy {
	l := c.looks(v)
	switch {
	case l.counted == 0 && l.shared:
		return Remedy{
			Do:   "switch flame graphs on: they tell its threads from those of the other task of its name",
			Key:  "rest.flamegraph.enabled",
			To:   "true",
			From: c.from("rest.flamegraph.enabled", "false"),
			Gain: "shows what it waits for, and with that what helps",
			Risk: "each flame graph that is asked for interrupts its threads some hundred times",
			Undo: "set it back to false", Link: docRoot + "ops/debugging/flame_graphs/",
		}
	case c.looksToCome(v):
		return Remedy{
			Do:   "wait half a minute: what it waits for needs more looks at its threads",
			Gain: "the reason, and the fix that belongs to it", Risk: "none",
			Undo: undoWait, Link: threadDumpLink,
		}
	}
	return c.dumpRemedy(v)
}

// dumpRemedy looks at the threads of the TaskManagers where the busy subtasks of a vertex run.
func (c *Case) dumpRemedy(v int) Remedy {
	return Remedy{
		Do: "take a thread dump of " + taskManagersText(c.taskManagers(v)) + ", or look at the flame graph of " +
			c.vertex(v).Name,
		Key: dumpPath(c.taskManagers(v)), Gain: "shows what it does while it is busy",
		Risk: "the TaskManager stops for some 100 ms", Undo: undoLook, Link: threadDumpLink,
	}
}

// taskManagersText names TaskManagers, the first few of many.
func taskManagersText(all []flinkapi.TaskManagerID) string {
	const most = 3
	switch len(all) {
	case 0:
		return "its TaskManager"
	case 1:
		return "the TaskManager " + string(all[0])
	}
	var names []string
	for _, id := range all[:min(len(all), most)] {
		names = append(names, string(id))
	}
	if more := len(all) - most; more > 0 {
		return fmt.Sprintf("the TaskManagers %s and %d more", strings.Join(names, ", "), more)
	}
	return "the TaskManagers " + strings.Join(names, ", ")
}

// dumpPath is where Flink's REST API gives the threads of the first of some TaskManagers; empty where none is
// known.
func dumpPath(all []flinkapi.TaskManagerID) string {
	if len(all) == 0 {
		return ""
	}
	return "/taskmanagers/" + string(all[0]) + "/thread-dump"
}

// lookup tells whether a vertex joins with a table outside, by the names that SQL gives.
func (c *Case) lookup(v int) bool {
	return strings.Contains(c.vertex(v).Name+c.vertex(v).Description, "LookupJoin")
}

// lookupRemedies are what helps an operator that looks records up in a table outside.
func lookupRemedies() []Remedy {
	return []Remedy{
		{
			Do: "answer repeated lookups from a cache, also those for keys that are not there " +
				"(lookup.partial-cache.cache-missing-key: true)",
			Key: "lookup.cache", To: "PARTIAL",
			Gain: "a cached key costs no call; a key that is not there costs a call each time without its entry",
			Risk: "answers are as old as lookup.partial-cache.expire-after-write allows; heap",
			Undo: "lookup.cache: NONE", Link: docRoot + "connectors/table/jdbc/#lookup-cache",
		},
		{
			Do:   "look up asynchronously: the hint LOOKUP('table'='…', 'async'='true'), where the connector can",
			Gain: "waits overlap instead of adding up", Risk: "more calls at a time for the system that is called",
			Undo: "take the hint out", Link: docRoot + "dev/table/sql/queries/hints/#lookup",
		},
	}
}

// shorterWaits are what helps an operator that waits.
func (c *Case) shorterWaits(main activity) []Remedy {
	wider := Remedy{
		Do: "give this operator alone more parallelism: waiting costs no CPU; how much is not computed, because " +
			"how many calls the called system has room for is not known",
		Gain: "throughput grows with the number of its subtasks, while the called system has room",
		Risk: "that system gets more load",
		Undo: "set its parallelism back", Link: parallelLink, scales: true,
	}
	switch {
	case c.lookup(c.subject()):
		return append(lookupRemedies(), wider)
	case main == diskAccess:
		return []Remedy{
			{
				Do:   "give what it reads or writes a faster disk, or fewer and larger accesses",
				Gain: "throughput grows by the factor that an access gets shorter", Risk: "none",
				Undo: undoThere, Link: asyncLink,
			},
			wider,
		}
	case main == writingLog:
		return []Remedy{
			{
				Do:   "log less for each record, or with an asynchronous appender to a faster disk",
				Gain: "the wait for each line goes away", Risk: "the newest lines may be lost in a crash",
				Undo: "set the old level or appender", Link: loggingLink,
			},
		}
	case main == sleeping:
		return []Remedy{
			{
				Do:   "take the sleep or the rate limit out of the operator, or make it as short as the load allows",
				Gain: "throughput is the number of subtasks over the time that a record takes",
				Risk: "what it spares gets more load",
				Undo: undoCode, Link: asyncLink,
			},
			wider,
		}
	}
	return []Remedy{
		{
			Do:   "make the calls asynchronous (async I/O), in batches, or answer them from a cache",
			Gain: "waits overlap instead of adding up", Risk: "more calls at a time for the system that is called",
			Link: asyncLink,
			Undo: undoCode,
		},
		wider,
	}
}
