package diagnose

import (
	"fmt"

	"culprit/flinkapi"
)

// alignmentHoldRule stands beside a culprit too: what holds the slowest source back holds its whole group.
func alignmentHoldRule() Rule {
	return Rule{
		ID: "FD0905", Name: "alignment-hold", Title: "watermark alignment makes a source wait",
		Stage: StageBeside, Alone: true,
		Needs: needs(shareSignals(), []flinkapi.Signal{
			flinkapi.PendingRecords, flinkapi.AlignmentDrift, flinkapi.OutputWatermark,
		}),
		Check: checkAlignmentHold,
	}
}

// aligning tells whether a source waits for the others of its watermark group: it is ahead of what they
// allow. A subtask without a watermark has a drift beyond all sense.
func (c *Case) aligning(v int) bool {
	drift := c.spread(v, flinkapi.AlignmentDrift).Max.Or(0)
	return drift > 0 && drift < senseless && c.shares(v).maxIdle.Or(0) >= c.limits.idle
}

// senseless is a drift in seconds that comes from a watermark that is not there: some thousand years.
const senseless = 1e11

func checkAlignmentHold(c *Case) Finding {
	if end, yes := c.blind(); yes {
		return end
	}
	held, aligned := -1, false
	for _, v := range c.sources() {
		drift, ok := c.spread(v, flinkapi.AlignmentDrift).Max.Float()
		aligned = aligned || ok
		records, _ := c.lag(v)
		if n, known := records.Float(); !ok || !c.aligning(v) || known && n == 0 {
			continue
		}
		if held < 0 || drift > c.spread(held, flinkapi.AlignmentDrift).Max.Or(0) {
			held = v
		}
	}
	switch {
	case !aligned && !c.listedSources():
		return cannotTell("the names of the sources' metrics are not known yet", flinkapi.AlignmentDrift.String())
	case !aligned:
		return notApplicable("no source takes part in watermark alignment")
	case held < 0:
		return fine()
	}
	return c.alignmentHold(held)
}

// sources are the vertices without inputs that are not over.
func (c *Case) sources() []int {
	var out []int
	for v := range c.job.Vertices {
		if len(c.g.in[v]) == 0 && !c.over(v) {
			out = append(out, v)
		}
	}
	return out
}

// listedSources tells whether it is known of every source which metrics it has.
func (c *Case) listedSources() bool {
	for _, v := range c.sources() {
		if _, known := c.operators(v, flinkapi.AlignmentDrift); !known {
			return false
		}
	}
	return true
}

// slowest returns the member of the group that the others wait for: the source that is the furthest behind,
// by its drift, or without one by its watermark.
func (c *Case) slowest(held int) (v int, drift flinkapi.Value) {
	v = held
	drift = c.spread(held, flinkapi.AlignmentDrift).Min
	for _, u := range c.sources() {
		both := c.spread(u, flinkapi.AlignmentDrift)
		d := both.Min
		if both.Max.Or(0) >= senseless {
			d = flinkapi.Known(noWatermark)
		}
		if d.IsKnown() && d.Or(0) < drift.Or(0) {
			v, drift = u, d
		}
	}
	return v, drift
}

func (c *Case) alignmentHold(held int) Finding {
	slow, behind := c.slowest(held)
	ahead := c.spread(held, flinkapi.AlignmentDrift).Max
	name := c.vertex(held).Name
	f := Finding{
		Verdict: Firing, Severity: OK, Subject: c.vertexSubject(held),
		Summary: fmt.Sprintf("%s is idle because watermark alignment holds it, %s ahead of what its group allows",
			name, FormatDuration(seconds(ahead.Or(0)))),
		Evidence: []Evidence{
			{
				Signal: flinkapi.AlignmentDrift.String(), Label: "ahead of what its group allows", Subject: name,
				Value: ahead, Unit: flinkapi.Seconds, For: true, Age: c.age(),
			},
			{
				Signal: "idle", Label: "idle, idlest subtask", Subject: name, Value: c.shares(held).maxIdle,
				Unit: flinkapi.Ratio, For: true, Age: c.age(),
			},
		},
		Dont: []string{
			"more parallelism for the source that waits changes nothing: it could read more than it may",
			"the backlog of the source that waits is wanted: it is what alignment keeps out of the state",
		},
	}
	f.Summary += c.whoIsWaitedFor(held, slow, behind)
	if records, _ := c.lag(held); records.IsKnown() {
		f.Severity = Warning
		f.Summary += "; " + waiting(records.Or(0)) + " for it"
		f.Evidence = append(f.Evidence, Evidence{
			Signal: flinkapi.PendingRecords.String(), Label: "records waiting at the source", Subject: name,
			Value: records, Unit: flinkapi.Records, For: true, Age: c.age(),
		})
	}
	if behind.Or(noWatermark) > -senseless && slow != held {
		f.Evidence = append(f.Evidence, Evidence{
			Signal: flinkapi.AlignmentDrift.String(), Label: "behind what its group allows, and waited for",
			Subject: c.vertex(slow).Name,
			Value:   flinkapi.Known(-behind.Or(0)), Unit: flinkapi.Seconds, For: true, Age: c.age(),
		})
	}
	f.Remedies = c.alignmentRemedies(slow)
	return f
}

// whoIsWaitedFor names the slowest of the group, and whether something below holds that one back.
func (c *Case) whoIsWaitedFor(held, slow int, behind flinkapi.Value) string {
	name := c.vertex(slow).Name
	without := c.spread(slow, flinkapi.OutputWatermark).Min.Or(0) <= noWatermark || behind.Or(0) <= -senseless
	switch {
	case without:
		return fmt.Sprintf("; a subtask of %s has no watermark yet, as when it has no split, and all wait for it",
			name)
	case slow == held:
		return "; another of its subtasks is the one behind"
	case c.shares(slow).backpressured.Or(0) > c.limits.low:
		return fmt.Sprintf("; it waits for %s, which is held back itself: backpressured %s",
			name, FormatRatio(c.shares(slow).backpressured))
	}
	return "; it waits for " + name
}

func (c *Case) alignmentRemedies(slow int) []Remedy {
	name := c.vertex(slow).Name
	first := Remedy{
		Do:   "look at why " + name + " is behind: what it reads, and how fast",
		Gain: "the others may go on as it does", Risk: "none",
		Undo: undoLook, Link: watermarkLink + "#watermark-alignment",
	}
	if c.shares(slow).backpressured.Or(0) > c.limits.low {
		first.Do = "cure what holds " + name + " back"
	}
	return []Remedy{
		first,
		{
			Do:   "mark sources without data as idle, so that nobody waits for them",
			Key:  "WatermarkStrategy.withIdleness",
			Gain: "a source or split without records no longer holds the group",
			Risk: "what comes later from it is late", Link: watermarkLink,
			Undo: "take withIdleness out",
		},
		{
			Do:   "allow a larger drift",
			Key:  "WatermarkStrategy.withWatermarkAlignment",
			Gain: "the source that waits goes further ahead", Risk: "windows and joins keep more state",
			Link: watermarkLink + "#watermark-alignment",
			Undo: "give the old drift",
		},
	}
}
