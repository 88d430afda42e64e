package diagnose

import "culprit/flinkapi"

// courseRules tell of a course that ends by itself.
func courseRules() []Rule { return []Rule{catchingUpRule()} }

func catchingUpRule() Rule {
	return Rule{
		ID: "FD0902", Name: "catching-up", Title: "the job works off its backlog", Stage: StageBeside, Alone: true,
		Needs: needs(shareSignals(), rateSignals(), []flinkapi.Signal{flinkapi.PendingRecords}),
		Check: checkCatchingUp,
	}
}

// checkCatchingUp is about the whole job; a culprit that sets the pace has the same as its pattern.
func checkCatchingUp(c *Case) Finding {
	c.note(shareSignals()...)
	c.note(rateSignals()...)
	c.note(flinkapi.PendingRecords)
	if end, yes := c.blind(); yes {
		return end
	}
	var pressed []int
	for v := range c.job.Vertices {
		if c.shares(v).backpressured.Or(0) > c.limits.low {
			pressed = append(pressed, v)
		}
	}
	b, ok := c.catchingUp(pressed)
	if name := c.lagUnknown(pressed); !ok && name != "" {
		return cannotTell("how the lag of "+name+" moves is not known", flinkapi.PendingRecords.String())
	}
	if !ok {
		return fine()
	}
	return Finding{
		Verdict: Firing, Severity: OK,
		Summary:  "the job works off its backlog: " + b.text(),
		Evidence: c.backlogEvidence(pressed),
		Remedies: []Remedy{untilWorkedOff(b)},
		Dont:     []string{backlogDont},
	}
}

const backlogDont = "a restart or a rescale adds to the backlog: none while you can wait"

// untilWorkedOff is what to do about a backlog that is worked off.
func untilWorkedOff(b backlog) Remedy {
	out := Remedy{
		Do: "wait until the backlog is worked off", Gain: "the backpressure ends by itself",
		Risk: "none while the log keeps its records", Undo: undoWait, Link: pressureLink,
	}
	if b.fall > 0 {
		out.Gain += ", in about " + FormatDuration(b.left()) + " at this pace"
	}
	return out
}

// lagUnknown names a source that is held back and whose lag is not known for long enough; empty where all
// are, or where another one's does not fall, which decides.
func (c *Case) lagUnknown(pressed []int) string {
	name := ""
	for _, v := range pressed {
		if len(c.g.in[v]) > 0 {
			continue
		}
		lag, known := c.lagOf(v, c.limits.lagWindow)
		all, _ := c.rates(v)
		switch {
		case known && !lag.falls(c.limits, all.out) && (lag.grows(c.limits) || lag.records > c.leastBacklog(v)):
			return ""
		case !known && name == "":
			name = c.vertex(v).Name
		}
	}
	return name
}

// backlogEvidence are the lags of the sources among vertices and how they move.
func (c *Case) backlogEvidence(vertices []int) []Evidence {
	var out []Evidence
	for _, v := range vertices {
		if len(c.g.in[v]) > 0 {
			continue
		}
		lag, ok := c.lagOf(v, c.limits.lagWindow)
		if !ok {
			continue
		}
		out = append(out,
			Evidence{
				Signal: flinkapi.PendingRecords.String(), Label: "records waiting at the source",
				Subject: c.vertex(v).Name, Value: flinkapi.Known(lag.records), Unit: flinkapi.Records,
				For: true, Age: c.age(),
			},
			Evidence{
				Signal: "lag-slope", Label: "change of those, median of all pairs over " + FormatDuration(lag.span),
				Subject: c.vertex(v).Name, Value: flinkapi.Known(lag.slope), Unit: flinkapi.RecordsPerSecond,
				For: true, Age: c.age(),
			},
		)
	}
	return out
}
