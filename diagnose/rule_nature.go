package diagnose

import (
	"fmt"

	"culprit/flinkapi"
)

func sourceBoundRule() Rule {
	return Rule{
		ID: "FD0102", Name: "source-bound", Title: "the source itself is the limit", Stage: StageNature,
		Needs: []flinkapi.Signal{flinkapi.PendingRecords}, Check: checkSourceBound,
	}
}

func checkSourceBound(c *Case) Finding {
	if !c.culprit.last.source {
		return notApplicable("it is not a source that nothing holds back")
	}
	v := c.subject()
	summary := "the source is busy and nothing below holds it back: reading and decoding is the limit"
	if c.isSink(v) {
		summary = "source and sink are one chain, and nothing below holds it back: reading, decoding, an operator in " +
			"between or writing is the limit"
	}
	lag, _ := c.lag(v)
	records, known := lag.Float()
	if !known {
		summary += "; whether it lags is not known, since the source reports no lag"
	} else {
		summary += fmt.Sprintf("; %s records wait to be read", FormatCount(records))
	}
	f := Finding{
		Verdict: Firing, Summary: summary,
		Remedies: []Remedy{{
			Do:   "make decoding cheaper, or give the source more parallelism, up to the number of its partitions",
			Gain: "throughput grows with the source", Risk: "the operators below get more to do",
		}},
		Dont: []string{"more parallelism below the source changes nothing: those operators wait for it"},
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
	return f
}

func cpuBoundRule() Rule {
	return Rule{
		ID: "FD0801", Name: "cpu-bound", Title: "the operator computes", Stage: StageNature,
		Needs: needs(shareSignals(), []flinkapi.Signal{flinkapi.CPUTime}), Check: checkCPUBound,
	}
}

func checkCPUBound(c *Case) Finding {
	cores, n, end, ok := c.nature()
	if !ok {
		return end
	}
	if n < c.limits.computing {
		return fine()
	}
	return Finding{
		Verdict:  Firing,
		Summary:  "it computes all the time (" + coresText(n) + ")",
		Evidence: c.cpuEvidence(cores, true),
		Remedies: []Remedy{
			{
				Do:   "give this operator alone more parallelism; look at what it computes (parsing, serialization)",
				Gain: "throughput grows with the number of its subtasks while cores are free",
				Risk: "the next limit shows; more state to move when it is keyed",
			},
		},
		Dont: []string{"one parallelism for all operators only adds idle subtasks elsewhere"},
	}
}

func externalWaitRule() Rule {
	return Rule{
		ID: "FD0802", Name: "external-wait", Title: "the operator waits for something outside", Stage: StageNature,
		Needs: needs(shareSignals(), []flinkapi.Signal{flinkapi.CPUTime}), Check: checkExternalWait,
	}
}

func checkExternalWait(c *Case) Finding {
	cores, n, end, ok := c.nature()
	if !ok {
		return end
	}
	if n > c.limits.waiting {
		return fine()
	}
	return Finding{
		Verdict: Firing,
		Summary: "it is busy without computing (" + coresText(
			n,
		) + "): it waits for a call, a lock, a disk or a core",
		Evidence: c.cpuEvidence(cores, true),
		Remedies: []Remedy{
			{
				Do:   "make the calls asynchronous (async I/O), in batches, or answer them from a cache",
				Gain: "waits overlap instead of adding up", Risk: "more calls at a time for the system that is called",
			},
			{
				Do:   "give this operator alone more parallelism: waiting costs no CPU",
				Gain: "throughput grows with the number of its subtasks, while the called system has room",
				Risk: "that system gets more load",
			},
		},
		Dont: []string{"more CPU or memory does not help: the operator does not use what it has"},
	}
}

// nature returns the CPU per busy subtask where it proves something about the culprit. A low number does
// even where other jobs share the process: its own part can only be smaller.
func (c *Case) nature() (cores flinkapi.Value, n float64, end Finding, ok bool) {
	cores, others := c.coresPerBusySubtask()
	n, known := cores.Float()
	switch {
	case !known:
		return cores, 0, cannotTell(
			"the CPU of its TaskManagers is not known yet",
			flinkapi.CPUTime.String(),
		), false
	case others && n > c.limits.waiting:
		return cores, n, cannotTell("other jobs run on the cluster, so its TaskManagers' CPU proves nothing"), false
	}
	return cores, n, Finding{}, true
}
