package diagnose

import (
	"strings"

	"culprit/flinkapi"
)

func slowSinkRule() Rule {
	return Rule{
		ID: "FD0203", Name: "slow-sink", Title: "a sink waits for the system behind it", Stage: StageSink,
		Needs: needs(shareSignals(), []flinkapi.Signal{flinkapi.CPUTime}), Check: checkSlowSink,
	}
}

// isSink tells whether nothing follows a vertex but committers.
func (c *Case) isSink(v int) bool {
	for _, w := range c.g.out[v] {
		if !strings.Contains(strings.ToLower(c.vertex(w).Name), "committer") || !c.isSink(w) {
			return false
		}
	}
	return true
}

func checkSlowSink(c *Case) Finding {
	if f, ok := c.asSink(); !ok {
		return f
	}
	cores, others := c.coresPerBusySubtask()
	n, known := cores.Float()
	if known && !others && n >= c.limits.computing {
		return fine()
	}
	how := "whether it waits or computes is not known yet"
	switch {
	case known && n <= c.limits.waiting:
		how = "it waits (" + coresText(n) + ")"
	case known:
		how = "TaskManager CPU does not tell whether it waits or computes (" + coresText(n) + ")"
	}
	return Finding{
		Verdict:  Firing,
		Summary:  "the last operator, " + how + ": the system that it writes to is slower than the stream",
		Evidence: c.cpuEvidence(cores, known && n <= c.limits.waiting),
		Remedies: []Remedy{
			{
				Do:   "look at the system behind the sink: its latency, locks, quota and load",
				Gain: "the sink takes what that system gains", Risk: "none",
			},
			{
				Do:   "write in larger batches, or with more requests in flight",
				Gain: "fewer waits per record", Risk: "more records are written again after a failure",
			},
		},
		Dont: []string{
			"more parallelism above the sink changes nothing: throughput is the minimum over the operators",
		},
	}
}

// asSink says why the rules about sinks do not apply, if so.
func (c *Case) asSink() (Finding, bool) {
	v := c.subject()
	if !c.isSink(v) {
		return notApplicable("other operators follow it"), false
	}
	if c.culprit.last.source {
		return notApplicable("it is a source"), false
	}
	hot, known := c.oneHot(v)
	if !known {
		return cannotTell("the shares of its subtasks are not known yet", flinkapi.BusyTime.String()), false
	}
	if hot {
		return notApplicable("only few of its subtasks are busy, so it is not the system behind all of them"), false
	}
	return Finding{}, true
}

func sinkComputingRule() Rule {
	return Rule{
		ID: "FD0204", Name: "sink-computing", Title: "a sink spends its time computing", Stage: StageSink,
		Needs: needs(shareSignals(), []flinkapi.Signal{flinkapi.CPUTime}), Check: checkSinkComputing,
	}
}

func checkSinkComputing(c *Case) Finding {
	if f, ok := c.asSink(); !ok {
		return f
	}
	cores, others := c.coresPerBusySubtask()
	n, known := cores.Float()
	if !known || others {
		return cannotTell(
			"the CPU of its TaskManagers is not known, or shared with other jobs",
			flinkapi.CPUTime.String(),
		)
	}
	if n < c.limits.computing {
		return fine()
	}
	return Finding{
		Verdict: Firing,
		Summary: "the last operator, and it computes (" + coresText(
			n,
		) + "): formatting and compression take its time",
		Evidence: c.cpuEvidence(cores, true),
		Remedies: []Remedy{
			{
				Do:   "give this operator alone more parallelism, or a cheaper format or compression",
				Gain: "throughput grows with the number of its subtasks while cores are free",
				Risk: "more files or connections",
			},
		},
		Dont: []string{
			"more parallelism above the sink changes nothing: throughput is the minimum over the operators",
		},
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
