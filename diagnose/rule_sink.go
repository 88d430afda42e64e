package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"culprit/flinkapi"
)

func sinkRules() []Rule { return []Rule{slowSinkRule(), sinkComputingRule()} }

func slowSinkRule() Rule {
	return Rule{
		ID: "FD0203", Name: "slow-sink", Title: "a sink waits for the system behind it", Stage: StageSink,
		Needs: needs(hotNeeds(), []flinkapi.Signal{
			flinkapi.SendTime, flinkapi.SendErrors, flinkapi.PendingCommittables, flinkapi.HeapUsed, flinkapi.HeapMax,
		}),
		Check: checkSlowSink,
	}
}

func sinkComputingRule() Rule {
	return Rule{
		ID: "FD0204", Name: "sink-computing", Title: "a sink spends its time computing", Stage: StageSink,
		Needs: hotNeeds(), Check: checkSinkComputing,
	}
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

// atWork is what a busy sink does.
type atWork struct {
	waits, computes bool // neither: it cannot be told
	how             string
	evidence        []Evidence
	// shared is true where other jobs use the CPU too, known where it is known.
	known, shared bool
}

// sinkAtWork tells working from waiting by the CPU of the TaskManagers for each busy subtask on them.
func (c *Case) sinkAtWork() atWork {
	cores, others := c.coresPerBusySubtask()
	n, known := cores.Float()
	w := atWork{
		waits: known && n <= c.limits.waiting, computes: known && !others && n >= c.limits.computing,
		known: known, shared: others, how: "whether it waits or computes is not known yet",
	}
	switch {
	case w.waits:
		w.how = "it waits (" + coresText(n) + ")"
	case w.computes:
		w.how = "it computes (" + coresText(n) + ")"
	case known:
		w.how = "TaskManager CPU does not tell whether it waits or computes (" + coresText(n) + ")"
	}
	w.evidence = c.cpuEvidence(cores, w.waits || w.computes)
	return w
}

func checkSlowSink(c *Case) Finding {
	if f, ok := c.asSink(); !ok {
		return f
	}
	w := c.sinkAtWork()
	switch {
	case w.computes:
		return fine()
	case c.culprit.last.source && !w.waits:
		return cannotTell("source and sink are one chain, and "+w.how, flinkapi.CPUTime.String())
	}
	v := c.subject()
	kind, known := c.kindOfSink(v)
	target := "the system that it writes to"
	if known {
		target += " (" + kind.name + ", by its name)"
	}
	f := Finding{
		Verdict: Firing, Summary: "the last operator, " + w.how + ": " + target + " is slower than the stream",
		Evidence: w.evidence,
		Remedies: append([]Remedy{{
			Do:   "look at the system behind the sink: its latency, locks, quota and load",
			Gain: "the sink takes what that system gains", Risk: "none",
		}}, kind.waiting...),
		Dont: append([]string{aboveSinkDont}, kind.dont...),
	}
	if c.culprit.last.source {
		f.Summary = "source and sink are one chain, and " + w.how + ": " + target + " is slower than the stream, " +
			"or an operator before it waits; waiting for input would count as idle"
		f.Remedies = append(f.Remedies, Remedy{
			Do:   "run the job once with a discarding sink, or with the sink unchained (disableChaining())",
			Gain: "tells the sink from the operators before it", Risk: "the discarded records are not written",
		})
	}
	c.commits(v, &f)
	c.sends(v, &f)
	c.holdsInMemory(v, &f)
	return f
}

const aboveSinkDont = "more parallelism above the sink changes nothing: throughput is the minimum over the " +
	"operators"

// asSink says why the rules about sinks do not apply, if so.
func (c *Case) asSink() (Finding, bool) {
	v := c.subject()
	if !c.isSink(v) {
		return notApplicable("other operators follow it"), false
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
		f.Summary += fmt.Sprintf("; %s sends failed in %s", FormatCount(failed), FormatDuration(span))
		f.Evidence = append(f.Evidence, c.number(flinkapi.SendErrors.String(), "failed sends", "", failed,
			flinkapi.Records, "in "+FormatDuration(span)))
		f.Remedies = slices.Insert(f.Remedies, 1, Remedy{
			Do: "look up why that system refuses the writes (throttling, quota, mappings, constraints) in the " +
				"sink's log",
			Gain: "no record is sent twice", Risk: "none",
		})
	}
}

func checkSinkComputing(c *Case) Finding {
	if f, ok := c.asSink(); !ok {
		return f
	}
	w := c.sinkAtWork()
	switch {
	case c.culprit.last.source:
		return notApplicable("source and sink are one chain: what computes there is not known to be the sink")
	case !w.known || w.shared && !w.waits:
		return cannotTell("the CPU of its TaskManagers is not known, or shared with other jobs",
			flinkapi.CPUTime.String())
	case !w.computes:
		return fine()
	}
	kind, _ := c.kindOfSink(c.subject())
	return Finding{
		Verdict:  Firing,
		Summary:  "the last operator, and " + w.how + ": formatting and compression take its time",
		Evidence: w.evidence,
		Remedies: append(slices.Clone(kind.computing), Remedy{
			Do:   "give this operator alone more parallelism, or a cheaper format or compression",
			Gain: "throughput grows with the number of its subtasks while cores are free",
			Risk: "more files or connections",
		}),
		Dont: []string{aboveSinkDont},
	}
}

func coresText(n float64) string {
	return "TaskManager CPU " + FormatCount(n) + " core per busy subtask"
}

func (c *Case) cpuEvidence(cores flinkapi.Value, supports bool) []Evidence {
	if !cores.IsKnown() {
		return nil
	}
	return []Evidence{
		{
			Signal:  "cpu-per-busy-subtask",
			Label:   "TaskManager CPU per busy subtask",
			Subject: c.vertex(c.subject()).Name,
			Value:   cores,
			Unit:    Cores,
			For:     supports,
			Age:     c.age(),
			Note:    "about 0 when busy means waiting, about 1 when it means computing",
		},
	}
}

// Cores is the unit of CPU use.
const Cores flinkapi.Unit = "cores"
