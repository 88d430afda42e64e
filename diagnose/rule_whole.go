package diagnose

import (
	"fmt"
	"strings"

	"culprit/flinkapi"
)

// wholeRules describe the job when nobody is named; the last one always says something.
func wholeRules() []Rule {
	return []Rule{undeterminedRule(), sourceStarvedRule(), sourceThrottledRule(), healthyRule()}
}

func undeterminedRule() Rule {
	return Rule{
		ID: "FD0900", Name: "undetermined", Title: "no verdict is possible", Stage: StageWhole,
		Needs: append(lagSignals(), flinkapi.HeapUsed, flinkapi.HeapMax), Check: checkUndetermined,
	}
}

func checkUndetermined(c *Case) Finding {
	why, missing := c.unclear()
	if why == "" {
		return fine()
	}
	f := Finding{
		Verdict: Firing, Severity: UnknownSeverity, Summary: "undetermined, because " + why, Why: why,
		Missing: []string{missing},
	}
	if len(c.spared) > 0 {
		f.Remedies, f.Dont = c.againstFull(c.spared[0].worker), []string{heapVictimDont}
		return f
	}
	if c.limitOpen() != "" {
		f.Remedies, f.Dont = limitRemedies(), []string{belowSourceDont}
		return f
	}
	if c.pressedLoop() != "" {
		f.Remedies = []Remedy{
			{
				Do:   "send less round the loop: bound or throttle what is fed back, or drop what needs no further round",
				Gain: "the loop keeps room in its buffers, and nobody waits for himself", Risk: "rounds take longer",
				Undo: undoCode, Link: pressureLink,
			},
			{
				Do:   "take thread dumps of its tasks some seconds apart",
				Gain: "shows whether any of them still moves", Risk: "the TaskManagers stop for some 100 ms",
				Undo: undoLook, Link: threadDumpLink,
			},
		}
		f.Dont = []string{
			"more buffers only delay it: a loop that feeds back more than it takes in fills any of them",
		}
	}
	return f
}

// unclear says why nothing can be said of the job, and what is missing; both are empty where it can.
func (c *Case) unclear() (why, missing string) {
	c.note(shareSignals()...)
	s := c.newest()
	age, _ := c.metricAge()
	switch {
	case c.job.State != flinkapi.JobRunning:
		return "the job is " + strings.ToLower(string(c.job.State)), "a running job"
	case c.starting():
		return startingWhy, startingNeeds
	case c.stale():
		return "all metrics stand still, they are " + FormatDuration(age) + " old",
			"fresh metrics of the TaskManagers"
	case s == nil && c.settling():
		return "the tasks have not been running for " + FormatDuration(c.limits.settle) + " yet", "a longer run"
	case s == nil:
		return "no shares of time are there yet", "two readings of the counters of each subtask"
	case s.verdict.abstain != "":
		return s.verdict.abstain, "shares of time of the subtasks"
	case len(c.spared) > 0:
		return c.spared[0].why, "a heap dump of " + string(c.spared[0].worker)
	case s.verdict.pressed:
		if name := c.unmeasured(func(v int) bool { return c.shares(v).known == 0 }); name != "" {
			return "there is backpressure, and the shares of time of " + name + " are not known", "metrics of " + name
		}
		if loop := c.pressedLoop(); loop != "" {
			return "there is backpressure all round the loop of " + loop +
				": a loop whose buffers are full may wait for itself, which is a deadlock", "thread dumps of its tasks"
		}
		if name := c.unmeasured(c.unmeasuredBusy); name != "" {
			return "there is backpressure, and how busy " + name + " is, is not known: its busy time is not a number",
				"the busy time of " + name
		}
		return "there is backpressure, and no operator below it is busy enough to be its cause",
			"network and lock metrics"
	case c.known() < c.limits.wellKnown:
		return "metrics of some subtasks are missing", "shares of time of all subtasks"
	}
	if v, ok := c.strayLag(); ok {
		return "the lag of " + c.vertex(v).Name + " grows, and it is neither busy nor idle nor held back " +
				"enough to tell why",
			"what the source fetches, by partition"
	}
	if open := c.limitOpen(); open != "" {
		return open, "a rate of the source that is not 0, over three slots"
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

// What is said while the tasks were started so lately that their metrics have not moved yet.
const (
	startingWhy   = "the tasks are starting or have just started, and there are no metrics of them yet"
	startingNeeds = "the first metrics of the tasks"
)

// starting tells whether the metrics stand still because the tasks were started anew: after a start, a
// restart or a rescale that is no sign of a TaskManager that does not answer.
func (c *Case) starting() bool {
	if !c.stale() {
		return false
	}
	running := c.job.EnteredAt[flinkapi.JobRunning]
	return !running.IsZero() && c.job.Now.Sub(running) < c.limits.settle || c.newest() == nil && c.settling()
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

func healthyRule() Rule {
	return Rule{
		ID: "FD0901", Name: "healthy", Title: "nothing holds the job back", Stage: StageWhole,
		Needs: lagSignals(), Check: checkHealthy,
	}
}

func checkHealthy(c *Case) Finding {
	if why, missing := c.unclear(); why != "" {
		return cannotTell(why, missing)
	}
	if v, ok := c.lagUnseen(); ok {
		records, _ := c.lag(v)
		why := c.vertex(v).Name + " is idle while " + waiting(records.Or(0)) + " for it, and whether they grow " +
			"more or fewer was not seen for long enough"
		return cannotTell(why, FormatThings(c.limits.lagReadings, "readings")+" of its lag")
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
	if v, open := c.roomOpen(); open {
		f.Summary += fmt.Sprintf("; %s is near its limit at %s, and how much room is left takes longer to measure",
			c.vertex(v).Name, FormatRatio(c.shares(v).busy))
	} else if name != "" {
		f.Summary += fmt.Sprintf("; the busiest is %s at %s", name, FormatRatio(flinkapi.Known(most)))
	}
	if b, ok := c.brief(); ok {
		f.Summary += "; not long ago " + c.briefly(&b) + ", which may come back"
	}
	return f
}
