package diagnose

import (
	"fmt"
	"strings"

	"culprit/flinkapi"
)

func undeterminedRule() Rule {
	return Rule{
		ID: "FD0900", Name: "undetermined", Title: "no verdict is possible", Stage: StageWhole,
		Needs: needs(shareSignals()), Check: checkUndetermined,
	}
}

func checkUndetermined(c *Case) Finding {
	why, missing := c.unclear()
	if why == "" {
		return fine()
	}
	return Finding{
		Verdict: Firing, Severity: UnknownSeverity, Summary: "undetermined, because " + why, Why: why,
		Missing: []string{missing},
	}
}

// unclear says why nothing can be said of the job, and what is missing; both are empty where it can.
func (c *Case) unclear() (why, missing string) {
	c.note(shareSignals()...)
	s := c.newest()
	age, _ := c.metricAge()
	switch {
	case c.job.State != flinkapi.JobRunning:
		return "the job is " + strings.ToLower(string(c.job.State)), "a running job"
	case c.stale():
		return "all metrics stand still, they are " + FormatDuration(age) + " old",
			"fresh metrics of the TaskManagers"
	case s == nil && c.settling():
		return "the tasks have not been running for " + FormatDuration(c.limits.settle) + " yet", "a longer run"
	case s == nil:
		return "no shares of time are there yet", "two readings of the counters of each subtask"
	case s.verdict.abstain != "":
		return s.verdict.abstain, "shares of time of the subtasks"
	case s.verdict.pressed:
		if name := c.unmeasured(func(v int) bool { return c.shares(v).known == 0 }); name != "" {
			return "there is backpressure, and the shares of time of " + name + " are not known", "metrics of " + name
		}
		return "there is backpressure, and no operator below it is busy enough to be its cause",
			"network and lock metrics"
	case c.known() < c.limits.wellKnown:
		return "metrics of some subtasks are missing", "shares of time of all subtasks"
	}
	if name := c.unmeasured(c.unmeasuredBusy); name != "" {
		return "Flink does not measure how busy " + name + " is (a source of the old kind)", "its busy time"
	}
	return "", ""
}

// unmeasured returns the first vertex that is not over and of which something is not known; empty for none.
func (c *Case) unmeasured(unknown func(int) bool) string {
	for v := range c.job.Vertices {
		if !finished(c.vertex(v)) && !c.shares(v).finished && unknown(v) {
			return c.vertex(v).Name
		}
	}
	return ""
}

// unmeasuredBusy tells whether a vertex may be busy all the time without showing it: its busy time is NaN,
// and it is neither idle nor backpressured for long.
func (c *Case) unmeasuredBusy(v int) bool {
	sh := c.shares(v)
	return sh.known > 0 && !sh.busy.IsKnown() && sh.idle.Or(0) < c.limits.idle &&
		sh.backpressured.Or(0) < c.limits.high
}

// settling tells whether some task runs for too short a time to be judged.
func (c *Case) settling() bool {
	for i := range c.job.Vertices {
		v := &c.job.Vertices[i]
		if v.State != flinkapi.TaskRunning && !finished(v) {
			return true
		}
		for k := range v.Subtasks {
			if v.Subtasks[k].State != flinkapi.TaskFinished && !c.w.settled(c.job, &v.Subtasks[k]) {
				return true
			}
		}
	}
	return false
}

func sourceStarvedRule() Rule {
	return Rule{
		ID:    "FD0904",
		Name:  "source-starved",
		Title: "the source lags and waits",
		Stage: StageWhole,
		Needs: needs(
			shareSignals(),
			rateSignals(),
			[]flinkapi.Signal{flinkapi.PendingRecords},
		),
		Check: checkStarved,
	}
}

func sourceThrottledRule() Rule {
	return Rule{
		ID:    "FD0903",
		Name:  "source-throttled",
		Title: "the source lags at a constant rate",
		Stage: StageWhole,
		Needs: needs(
			shareSignals(),
			rateSignals(),
			[]flinkapi.Signal{flinkapi.PendingRecords},
		),
		Check: checkThrottled,
	}
}

// laggingIdle returns a source that waits although records wait for it and do not grow fewer.
func (c *Case) laggingIdle() (v int, lag float64, found bool) {
	for v := range c.job.Vertices {
		if len(c.g.in[v]) > 0 {
			continue
		}
		records, slope := c.lag(v)
		n, ok := records.Float()
		growth, okSlope := slope.Float()
		if ok && okSlope && n > 0 && growth >= 0 && c.shares(v).idle.Or(0) >= c.limits.idle {
			return v, n, true
		}
	}
	return 0, 0, false
}

func checkStarved(c *Case) Finding   { return c.lagging(false) }
func checkThrottled(c *Case) Finding { return c.lagging(true) }

// lagging tells of a source that is idle although it lags: at a constant rate it is throttled, else starved.
func (c *Case) lagging(throttled bool) Finding {
	v, lag, found := c.laggingIdle()
	if !found {
		return fine()
	}
	steady, known := c.steady(v)
	if !known {
		return cannotTell("the source's rate was not seen for long enough", flinkapi.RecordsWritten.String())
	}
	if steady != throttled {
		return fine()
	}
	f := Finding{
		Verdict: Firing, Severity: Warning,
		Subject: Subject{Kind: SubjectVertex, Vertex: c.job.Vertices[v].ID, Name: c.vertex(v).Name},
		Dont:    []string{"more parallelism below the source changes nothing: those operators wait for it"},
		Evidence: []Evidence{
			{
				Signal:  flinkapi.PendingRecords.String(),
				Label:   "records waiting at the source",
				Subject: c.vertex(v).Name,
				Value:   flinkapi.Known(lag),
				Unit:    flinkapi.Records,
				For:     true,
				Age:     c.age(),
			},
		},
	}
	f.Summary = fmt.Sprintf(
		"nothing is slow: %s is idle while %s records wait for it",
		c.vertex(v).Name,
		FormatCount(lag),
	)
	if throttled {
		f.Summary += ", at a constant rate, as with a rate limit"
		f.Remedies = []Remedy{
			{
				Do:   "raise the rate limit of the source, if one is set",
				Gain: "the lag falls",
				Risk: "the operators below get more to do",
			},
		}
		return f
	}
	f.Summary += ": the system that it reads from is slow to answer"
	f.Remedies = []Remedy{
		{
			Do:   "look at the broker, its quota and the fetch settings of the source",
			Gain: "the lag falls",
			Risk: "none",
		},
	}
	return f
}

func healthyRule() Rule {
	return Rule{
		ID: "FD0901", Name: "healthy", Title: "nothing holds the job back", Stage: StageWhole,
		Needs: needs(shareSignals()), Check: checkHealthy,
	}
}

func checkHealthy(c *Case) Finding {
	if why, missing := c.unclear(); why != "" {
		return cannotTell(why, missing)
	}
	most, name := 0.0, ""
	for v := range c.job.Vertices {
		if b, ok := c.shares(v).busy.Float(); ok && b > most {
			most, name = b, c.vertex(v).Name
		}
	}
	f := Finding{
		Verdict:  Firing,
		Severity: OK,
		Summary:  "nothing holds the job back: no operator is backpressured",
	}
	if s := c.newest(); s != nil && s.verdict.early {
		f.Summary = "nothing holds the job back: backpressure is slight and no operator is busy all the time"
	}
	if name != "" {
		f.Summary += fmt.Sprintf("; the busiest is %s at %s", name, FormatRatio(flinkapi.Known(most)))
	}
	return f
}
