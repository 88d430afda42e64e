package diagnose

import (
	"fmt"
	"math"
	"time"

	"culprit/flinkapi"
)

func watermarkHeldRule() Rule {
	return Rule{
		ID: "FD0906", Name: "watermark-held", Title: "a watermark stands still, or trails far behind",
		Stage: StageBeside,
		Needs: needs(shareSignals(), rateSignals(), []flinkapi.Signal{
			flinkapi.InputWatermark, flinkapi.OutputWatermark, flinkapi.SourceIdleTime, flinkapi.EmitLag,
			flinkapi.LateRecords,
		}),
		Check: checkWatermarkHeld,
	}
}

func checkWatermarkHeld(c *Case) Finding {
	if end, yes := c.blind(); yes {
		return end
	}
	told, pressed := false, false
	for v := range c.job.Vertices {
		if len(c.g.in[v]) == 0 || c.over(v) {
			continue
		}
		in, ok := c.lastMark(v, flinkapi.InputWatermark)
		if !ok {
			continue
		}
		told = told || in.high > noWatermark
		f, held := c.heldAt(v, in)
		pressed = pressed || held
		if f.Verdict == Firing {
			return f
		}
		told = told || f.Verdict == Fine
	}
	switch {
	case pressed:
		return notApplicable("records are held up by backpressure, and the watermarks behind them")
	case told:
		return c.trailing()
	}
	for v := range c.job.Vertices {
		if _, known := c.operators(v, flinkapi.InputWatermark); !known && len(c.g.in[v]) > 0 && !c.over(v) {
			return cannotTell("the watermark of "+c.vertex(v).Name+" is not known yet",
				flinkapi.InputWatermark.String())
		}
	}
	return notApplicable("no operator has a watermark: the job does without event time")
}

// heldAt judges the watermark that reaches a vertex. pressed tells that backpressure forbids a verdict; the
// finding is NotApplicable where the vertex does without event time.
func (c *Case) heldAt(v int, in mark) (f Finding, pressed bool) {
	if in.low >= lastWatermark {
		return c.endedEarly(v), false
	}
	b, ok := c.furthestBehind(v, in.at)
	if !ok {
		return c.heldSomewhere(v, in)
	}
	if ahead, read := c.lastMark(b.ahead, flinkapi.OutputWatermark); !read || ahead.high <= noWatermark {
		return notApplicable("nobody above it makes watermarks"), false
	}
	if c.heldAbove(b.origin, v) {
		return Finding{}, true
	}
	if !c.flows(b.ahead) || in.high > b.low.low+c.limits.watermarkSlack.Seconds() {
		return Finding{}, false
	}
	switch {
	case b.low.low <= noWatermark && b.origin != b.ahead && !c.eventTime(v):
		return Finding{}, false
	case b.gap >= c.limits.watermarkBehind.Seconds():
		if since := c.standsFor(b.origin, b.readings); since >= c.limits.watermarkStill {
			return c.heldBehind(v, &b, since), false
		}
	default:
		all := c.marks(b.ahead, flinkapi.OutputWatermark)
		if since := stoodFor(all, highSide); since >= c.limits.watermarkAllStill {
			return c.heldByAll(v, &b, since), false
		}
	}
	return Finding{}, false
}

// heldSomewhere judges a vertex above which nobody tells the watermark that it gives out.
func (c *Case) heldSomewhere(v int, in mark) (f Finding, pressed bool) {
	since := stoodFor(c.marks(v, flinkapi.InputWatermark), highSide)
	for _, u := range c.sources() {
		if !c.g.above(v)[u] || in.high <= noWatermark {
			continue
		}
		if c.heldAbove(u, v) {
			return Finding{}, true
		}
		if c.flows(u) && since >= c.limits.watermarkAllStill {
			return c.heldByAll(v, &behind{origin: v, ahead: u}, since), false
		}
	}
	return notApplicable("its origin is not known"), false
}

// flows tells whether a vertex gives out records now.
func (c *Case) flows(v int) bool {
	all, _ := c.rates(v)
	return all.out.Or(0) > 0
}

// eventTime tells whether a vertex is seen to work by event time: it counts what comes late.
func (c *Case) eventTime(v int) bool {
	return c.spread(v, flinkapi.LateRecords).Sum.IsKnown()
}

// standsFor is for how long the watermark that is furthest behind is known to have stood: as long as it was
// seen to, or as long as a subtask of a source there says that it has had no record, which may reach back
// before the watch.
func (c *Case) standsFor(origin int, readings []mark) time.Duration {
	seen := stoodFor(readings, lowSide)
	idle := c.spread(origin, flinkapi.SourceIdleTime).Max.Or(0)
	return max(seen, seconds(idle))
}

func (c *Case) heldBehind(v int, b *behind, since time.Duration) Finding {
	origin := c.vertex(b.origin).Name
	f := Finding{
		Verdict: Firing, Severity: Warning, Subject: c.vertexSubject(b.origin), Evidence: c.markEvidence(v, b),
	}
	f.Subject.Subtasks = c.withoutRecords(b.origin)
	switch {
	case b.low.low <= noWatermark:
		f.Summary = fmt.Sprintf("the watermark of %s never came: a subtask of %s has none, as one without a "+
			"partition",
			c.vertex(v).Name, origin)
	case b.origin == b.ahead:
		f.Summary = fmt.Sprintf("the watermark of %s has stood still for %s: a subtask of %s gives no records, "+
			"the others are %s ahead",
			c.vertex(v).Name, FormatDuration(since), origin, eventSpan(b.gap))
	default:
		f.Summary = fmt.Sprintf("the watermark of %s has stood still for %s: %s gives no records, %s is %s ahead",
			c.vertex(v).Name, FormatDuration(since), origin, c.vertex(b.ahead).Name, eventSpan(b.gap))
	}
	f.Summary += "; windows give no result and keep their state"
	f.Remedies = []Remedy{
		{
			Do:   "mark what gives no records as idle, so that the watermark goes on without it",
			Key:  "WatermarkStrategy.withIdleness",
			Gain: "windows and timers fire again", Risk: "records that come from it later are late",
			Link: watermarkLink + "#dealing-with-idle-sources",
			Undo: "take withIdleness out",
		},
		{
			Do:   "in SQL, set the same for the sources of the job or of the table",
			Key:  "table.exec.source.idle-timeout",
			Gain: "the same (scan.watermark.idle-timeout for one table)", Risk: "the same",
			Link: tableConfigLink + "#table-exec-source-idle-timeout",
			Undo: c.undo("table.exec.source.idle-timeout"),
		},
	}
	f.Dont = []string{watermarkDont}
	return f
}

const watermarkDont = "more parallelism does not move a watermark: more subtasks without records hold it too"

// withoutRecords are the subtasks of a source that give nothing while others do.
func (c *Case) withoutRecords(v int) []int {
	_, all := c.rates(v)
	var out []int
	for k := range all {
		if n, ok := all[k].rate().out.Float(); ok && n == 0 {
			out = append(out, k)
		}
	}
	return out
}

// eventSpan is a length of event time.
func eventSpan(d float64) string {
	return FormatDuration(seconds(d))
}

// markEvidence are the watermarks by how far they are behind the furthest.
func (c *Case) markEvidence(v int, b *behind) []Evidence {
	out := []Evidence{{
		Signal: flinkapi.InputWatermark.String(), Label: "watermark that reaches it, behind the furthest ahead",
		Subject: c.vertex(v).Name, Unit: flinkapi.Seconds, For: true, Age: c.age(),
	}}
	if b.low.low > noWatermark {
		out[0].Value = flinkapi.Known(b.gap)
	}
	if idle := c.spread(b.origin, flinkapi.SourceIdleTime).Max; idle.IsKnown() {
		out = append(out, Evidence{
			Signal: flinkapi.SourceIdleTime.String(), Label: "without a record, longest subtask",
			Subject: c.vertex(b.origin).Name, Value: idle, Unit: flinkapi.Seconds, For: true, Age: c.age(),
		})
	}
	all, _ := c.rates(b.ahead)
	return append(out, Evidence{
		Signal: "records-rate", Label: "records that go out, a second", Subject: c.vertex(b.ahead).Name,
		Value: all.out,
		Unit:  flinkapi.RecordsPerSecond, For: true, Age: c.age(),
	})
}

// heldByAll is about records whose timestamps do not advance.
func (c *Case) heldByAll(v int, b *behind, since time.Duration) Finding {
	why := "their timestamps do not advance"
	if b.origin == v {
		why = "a source without records may hold it, or their timestamps do not advance"
	}
	return Finding{
		Verdict: Firing, Severity: Warning, Subject: c.vertexSubject(b.origin), Evidence: c.markEvidence(v, b),
		Summary: fmt.Sprintf("the watermark of %s has stood still for %s though records come: %s",
			c.vertex(v).Name, FormatDuration(since), why),
		Remedies: []Remedy{{
			Do:   "look at the timestamps of the records and at the strategy that takes them",
			Gain: "windows and timers fire again", Risk: "none", Link: watermarkLink,
			Undo: undoLook,
		}},
		Dont: []string{watermarkDont},
	}
}

// endedEarly tells of a vertex that was told that all its inputs have ended while one of them still runs
// (FLINK-38477).
func (c *Case) endedEarly(v int) Finding {
	for u, above := range c.g.above(v) {
		if !above || len(c.g.in[u]) > 0 || c.over(u) {
			continue
		}
		return Finding{
			Verdict: Firing, Severity: Warning, Subject: c.vertexSubject(v),
			Summary: fmt.Sprintf("%s was told the end of event time while %s still runs: inputs that have "+
				"finished speak for idle ones, and what still comes is late",
				c.vertex(v).Name, c.vertex(u).Name),
			Evidence: []Evidence{{
				Signal: flinkapi.InputWatermark.String(), Label: "the last watermark of all has come",
				Subject: c.vertex(v).Name,
				Value:   flinkapi.Known(1), Unit: flinkapi.Count, For: true, Age: c.age(),
			}},
			Remedies: []Remedy{{
				Do: "do not let inputs that end feed the same operator as idle ones that go on, or leave out the " +
					"idleness",
				Gain: "windows wait for what still comes", Risk: "without idleness a silent input holds the watermark",
				Link: "https://issues.apache.org/jira/browse/FLINK-38477",
				Undo: undoCode,
			}},
			Dont: []string{watermarkDont},
		}
	}
	return fine()
}

// trailing tells of a source whose watermark goes on, but far behind the records that it gives out: as far as
// the bound that was set for records out of order.
func (c *Case) trailing() Finding {
	for _, u := range c.sources() {
		all := c.marks(u, flinkapi.OutputWatermark)
		emitted, ok := c.spread(u, flinkapi.EmitLag).Max.Float()
		if len(all) < c.limits.roomSlots || !ok || emitted < 0 || c.shares(u).backpressured.Or(0) > c.limits.low {
			continue
		}
		first, last := all[0], all[len(all)-1]
		was, is := c.watermarkLag(first)-emitted, c.watermarkLag(last)-emitted
		moved, steady := last.low > first.low, math.Abs(is-was) < c.limits.watermarkSteady*is
		if !moved || !steady || is < c.limits.watermarkBound.Seconds() {
			continue
		}
		return c.trails(u, is)
	}
	return fine()
}

// watermarkLag is how far a watermark was behind the JobManager's clock when it was read, in seconds.
func (c *Case) watermarkLag(m mark) float64 {
	return float64(c.job.NowAt(m.at).UnixMilli())/1000 - m.low
}

func (c *Case) trails(u int, bound float64) Finding {
	name := c.vertex(u).Name
	return Finding{
		Verdict: Firing, Severity: OK, Subject: c.vertexSubject(u),
		Summary: fmt.Sprintf("the watermark of %s trails its own records by a constant %s: each window's "+
			"result comes that much later, and its state is kept as long",
			name, eventSpan(bound)),
		Evidence: []Evidence{{
			Signal: flinkapi.OutputWatermark.String(), Label: "watermark behind the records that it belongs to",
			Subject: name,
			Value:   flinkapi.Known(bound), Unit: flinkapi.Seconds, For: true, Age: c.age(),
		}},
		Remedies: []Remedy{{
			Do:   "allow less for records out of order, if so much is not needed",
			Key:  "WatermarkStrategy.forBoundedOutOfOrderness",
			From: eventSpan(bound), Gain: "results come earlier, and less state is kept",
			Risk: "records that are later than the new bound are dropped or come as late ones", Link: watermarkLink,
			Undo: "give the old bound",
		}},
		Dont: []string{"more parallelism does not make results come earlier: they wait for event time"},
	}
}
