package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"culprit/flinkapi"
)

func sinkRules() []Rule { return []Rule{slowSinkRule(), sinkComputingRule()} }

func slowSinkRule() Rule {
	return Rule{
		ID: "FD0203", Name: "slow-sink", Title: "a sink waits for the system behind it", Stage: StageSink,
		Needs: needs(sinkNeeds(), []flinkapi.Signal{
			flinkapi.SendTime, flinkapi.SendErrors, flinkapi.PendingCommittables, flinkapi.HeapUsed, flinkapi.HeapMax,
			flinkapi.KafkaThrottleTime, flinkapi.KafkaBufferWait, flinkapi.KafkaQueueTime,
		}),
		Check: checkSlowSink,
	}
}

func sinkComputingRule() Rule {
	return Rule{
		ID: "FD0204", Name: "sink-computing", Title: "a sink spends its time computing", Stage: StageSink,
		Needs: sinkNeeds(), Check: checkSinkComputing,
	}
}

func sinkNeeds() []flinkapi.Signal {
	return needs(hotNeeds(), []flinkapi.Signal{flinkapi.CPULoad}, sinkKindSignals())
}

// isSink tells whether nothing follows a vertex but what finishes the writing.
func (c *Case) isSink(v int) bool { return c.endsWriting(v, make([]bool, len(c.g.ids))) }

func (c *Case) endsWriting(v int, seen []bool) bool {
	if seen[v] {
		return false // a cycle
	}
	seen[v] = true
	return !slices.ContainsFunc(c.g.out[v], func(w int) bool {
		return !c.finishesWriting(w) || !c.endsWriting(w, seen)
	})
}

// finishesWriting tells whether a vertex commits, merges or cleans what a sink has written, by the names that
// Flink's sinks, Hudi and Paimon give it.
func (c *Case) finishesWriting(v int) bool {
	name := strings.ToLower(c.vertex(v).Name)
	return slices.ContainsFunc([]string{
		"committer", "compactor", "compact_plan", "compact_task", "compact_commit", "clean_commits", "clustering_",
	}, func(word string) bool { return strings.Contains(name, word) })
}

// sinkAtWork says what a busy sink does, as part of a sentence, and which looks at its threads say so.
func (c *Case) sinkAtWork() (j judgement, how string, of []activity) {
	j = c.nature()
	n, known := j.cores.Float()
	switch {
	case j.kind == waits:
		of = append(waitActivities(), writingLog)
		how = "it waits"
	case j.kind == computes:
		of, how = workActivities(), "it computes"
	case known && !j.byLooks:
		return j, "TaskManager CPU does not tell whether it waits or computes (" + coresText(n) + ")", nil
	default:
		return j, "whether it waits or computes is not known yet", nil
	}
	if j.byLooks {
		how = "it " + j.looks.most(of...).said()
	}
	return j, how + " (" + j.because(of...) + ")", of
}

func checkSlowSink(c *Case) Finding {
	if f, ok := c.asSink(); !ok {
		return f
	}
	j, how, of := c.sinkAtWork()
	source := c.culprit.last.source
	switch {
	case j.kind == unclearNature && source:
		return cannotTell("source and sink are one chain, and "+how, j.missing...)
	case j.kind == unclearNature && j.byLooks:
		return cannotTell(j.why, j.missing...)
	case j.kind != unclearNature && j.kind != waits:
		return fineBy("it is a sink, but does not wait for the system behind it")
	}
	v := c.subject()
	kind, said := c.kindOfSink(v)
	if said == "" && j.byLooks && j.looks.count(asyncSinkFull) > 0 {
		kind = asyncSink()
		said = "through " + kind.name + ", by its threads"
	}
	target := "the system that it writes to"
	if said != "" {
		target += " (" + said + ")"
	}
	slow := target + " is slower than the stream"
	switch {
	case j.kind == unclearNature:
		slow += ", or the sink's own work takes that long; " + c.threadsTell(v)
	case source && !j.byLooks:
		slow += ", or an operator before it waits; waiting for input would count as idle; " + c.threadsTell(v)
	case !j.byLooks:
		slow += ", or it waits for a lock or a disk; " + c.threadsTell(v)
	}
	f := Finding{
		Verdict: Firing, Operator: c.operatorOf(v, j.looks, of...), byCPU: !j.byLooks, several: !j.byLooks,
		Summary:  "the last operator, " + how + ": " + slow,
		Evidence: c.natureEvidence(&j, true, of...), // the system behind it is slow where it waits
		Remedies: kind.waitingFirst(),
		Dont:     append([]string{aboveSinkDont}, kind.dont...),
	}
	if source && f.Operator == "" {
		f.Summary = "source and sink are one chain, and " + how + ": " + slow
		f.Remedies = append(f.Remedies, c.unchained()...)
	}
	c.commits(v, &f)
	c.sends(v, &f)
	c.ofItsKind(v, &f)
	c.holdsInMemory(v, &f)
	return f
}

// waitingFirst are the remedies for a sink that waits: those of its kind, then a look at the system behind
// it, which goes first where the kind is not known.
func (k *sinkKind) waitingFirst() []Remedy {
	look := Remedy{
		Do:   "look at the system behind the sink: its latency, locks, quota and load",
		Gain: "the sink takes what that system gains", Risk: "none",
		Undo: undoLook, Link: sinksLink,
	}
	if k.name == "" {
		return append([]Remedy{look}, k.waiting...)
	}
	look.Do = "look at the system behind the sink, " + k.name + ": its latency, locks, quota and load"
	return append(slices.Clone(k.waiting), look)
}

// unchained are the tests that tell the operators of one chain apart.
func (c *Case) unchained() []Remedy {
	const chaining = "pipeline.operator-chaining.enabled"
	return []Remedy{
		{
			Do: "run the job once with its operators unchained (or disableChaining() at the sink): the slow one " +
				"then holds the others back",
			Key: c.key(chaining), From: cmp.Or(c.from(chaining, "true"), byDefault("true")), To: "false",
			Gain: "tells the sink from the operators before it",
			Risk: "each record is serialized between the operators meanwhile", Undo: undoSetter,
			Link: chainingLink,
		},
		{
			Do:   "run it once with a discarding sink",
			Gain: "it gets faster where the sink is the slow one", Risk: "the discarded records are not written",
			Undo: "start the job with its sink again", Link: sinksLink,
		},
	}
}

const aboveSinkDont = "more parallelism above the sink changes nothing: throughput is the minimum over the " +
	"operators"

// asSink says why the rules about sinks do not apply, if so.
func (c *Case) asSink() (Finding, bool) {
	v := c.subject()
	if !c.isSink(v) {
		return notApplicable("it is no sink: other operators follow it"), false
	}
	if op := c.slowOperator(v); op != "" && !c.writes(v, op) {
		return notApplicable("its threads were seen in " + op + ", which comes before the sink"), false
	}
	u := c.uneven(v)
	switch u.cause {
	case notUneven:
		return Finding{}, true
	case unevenUnknown:
		return cannotTell(u.why, u.missing), false
	default:
		return notApplicable("only few of its subtasks are busy, so it is not the system behind all of them"), false
	}
}

// commits adds what is known of the commits that follow the writing.
func (c *Case) commits(v int, f *Finding) {
	below := c.g.below(v)
	waiting := c.spread(v, flinkapi.PendingCommittables).Sum
	for w := range c.g.ids {
		if !below[w] {
			continue
		}
		if n, ok := c.spread(w, flinkapi.PendingCommittables).Sum.Float(); ok {
			waiting = flinkapi.Known(waiting.Or(0) + n)
		}
		busy := c.shares(w).busy
		if busy.Or(0) < c.limits.busy {
			continue
		}
		f.Summary += fmt.Sprintf("; %s is busy %s too: the commit there takes long", c.vertex(w).Name,
			FormatRatio(busy))
		f.Evidence = append(f.Evidence, c.number("committer-busy", "busy", c.vertex(w).Name, busy.Or(0),
			flinkapi.Ratio,
			"it finishes what the sink writes"))
	}
	if c.finishesWriting(v) {
		f.Summary = strings.Replace(f.Summary, "the last operator", "the step that finishes the writing (commit "+
			"or compaction)", 1)
	}
	if n, ok := waiting.Float(); ok && n > 0 {
		f.Evidence = append(f.Evidence, c.number(flinkapi.PendingCommittables.String(), "commits that wait", "", n,
			flinkapi.Count, "they are made when a checkpoint completes"))
	}
}

// sends adds how long a send takes and how many failed, where the sink counts them.
func (c *Case) sends(v int, f *Finding) {
	if s, ok := c.spread(v, flinkapi.SendTime).Max.Float(); ok && s > 0 {
		f.Evidence = append(f.Evidence, c.number(flinkapi.SendTime.String(), "longest of the last sends", "", s,
			flinkapi.Seconds, "a subtask's throughput is at most requests in flight x batch / this time"))
	}
	all := c.series(v, flinkapi.SendErrors)
	if len(all) == 0 {
		return
	}
	first, okFirst := all[0].spread.Sum.Float()
	newest, okNewest := all[len(all)-1].spread.Sum.Float()
	if failed := newest - first; okFirst && okNewest && failed > 0 {
		span := all[len(all)-1].at.Sub(all[0].at)
		f.Summary += fmt.Sprintf("; %s sends failed in %s", FormatWhole(failed), FormatDuration(span))
		f.Evidence = append(f.Evidence, c.number(flinkapi.SendErrors.String(), "failed sends", "", failed,
			flinkapi.Records, "in "+FormatDuration(span)))
		f.Remedies = slices.Insert(f.Remedies, 0, Remedy{
			Do: "look up why that system refuses the writes (throttling, quota, mappings, constraints) in the " +
				"sink's log",
			Gain: "no record is sent twice", Risk: "none",
			Undo: undoLook, Link: sinksLink,
		})
	}
}

// writes tells whether an operator of v's chain is its sink: the last one, or one that writes by its name.
func (c *Case) writes(v int, operator string) bool {
	names, complete := chainNames(c.vertex(v).Name)
	return complete && names[len(names)-1] == operator || slices.Contains(c.sinkNames(v), operator)
}

func checkSinkComputing(c *Case) Finding {
	if f, ok := c.asSink(); !ok {
		return f
	}
	j, how, of := c.sinkAtWork()
	operator := c.operatorOf(c.subject(), j.looks, of...)
	switch {
	case c.culprit.last.source && operator == "":
		return notApplicable("source and sink are one chain: what computes there is not known to be the sink")
	case j.kind == unclearNature:
		return cannotTell(j.why, j.missing...)
	case j.kind != computes:
		return fine()
	}
	kind, _ := c.kindOfSink(c.subject())
	return Finding{
		Verdict: Firing, Operator: operator, byCPU: !j.byLooks,
		Summary:  "the last operator, and " + how + ": formatting and compression take its time",
		Evidence: c.natureEvidence(&j, false, of...),
		Remedies: append(slices.Clone(kind.computing), Remedy{
			Do:   "use a cheaper format or compression",
			Gain: "a record takes less CPU", Risk: "what reads the output must know the format",
			Undo: "set the format back", Link: sinksLink,
		}, Remedy{
			Do: "give this operator alone more parallelism; how much is not computed, because what room the system " +
				"has that it writes to is not known",
			Gain: "throughput grows with the number of its subtasks while cores are free",
			Risk: "more files or connections",
			Undo: "set its parallelism back", Link: parallelLink, scales: true,
		}),
		Dont: []string{aboveSinkDont},
	}
}

func coresText(n float64) string {
	return "TaskManager CPU " + FormatCount(n) + " core per busy subtask"
}

// cpuEvidence is the culprit's CPU as evidence that it waits, or else that it computes. Between the two
// bounds it speaks for neither.
func (c *Case) cpuEvidence(cores flinkapi.Value, waiting bool) []Evidence {
	n, known := cores.Float()
	if !known {
		return nil
	}
	return []Evidence{
		{
			Signal:  "cpu-per-busy-subtask",
			Label:   "TaskManager CPU per busy subtask",
			Subject: c.vertex(c.subject()).Name,
			Value:   cores,
			Unit:    Cores,
			For:     waiting && n <= c.limits.waiting || !waiting && n >= c.limits.computing,
			Neutral: n > c.limits.waiting && n < c.limits.computing,
			Age:     c.age(),
			Note:    "about 0 when busy means waiting, about 1 when it means computing",
		},
	}
}

// Cores is the unit of CPU use.
const Cores flinkapi.Unit = "cores"
