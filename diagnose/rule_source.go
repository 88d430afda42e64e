package diagnose

import (
	"fmt"
	"time"

	"culprit/flinkapi"
)

// lagSignals tell of a source that lags and waits, and why.
func lagSignals() []flinkapi.Signal {
	return needs(shareSignals(), rateSignals(), []flinkapi.Signal{
		flinkapi.PendingRecords, flinkapi.FetchLag, flinkapi.EmitLag, flinkapi.UnassignedSplits,
		flinkapi.AlignmentDrift, flinkapi.SourceIdleTime,
	})
}

func sourceStarvedRule() Rule {
	return Rule{
		ID: "FD0904", Name: "source-starved", Title: "the source lags and waits", Stage: StageWhole,
		Needs: lagSignals(), Check: checkStarved,
	}
}

func sourceThrottledRule() Rule {
	return Rule{
		ID: "FD0903", Name: "source-throttled", Title: "the source lags at a constant rate", Stage: StageWhole,
		Needs: lagSignals(), Check: checkThrottled,
	}
}

// waitingSource is a source that waits although records wait for it.
type waitingSource struct {
	vertex int
	// said is what waits, as the end of a sentence; evidence the same as a number.
	said     string
	evidence Evidence
	// splits are those that nobody reads yet; 0 for none, or where it is not known.
	splits float64
}

// laggingIdle returns the first source that is idle, not held by watermark alignment, and has a lag that does
// not fall.
func (c *Case) laggingIdle() (waitingSource, bool) {
	for _, v := range c.sources() {
		if c.shares(v).idle.Or(0) < c.limits.idle || c.aligning(v) {
			continue
		}
		w := waitingSource{vertex: v, splits: c.spread(v, flinkapi.UnassignedSplits).Sum.Or(0)}
		if c.recordsWait(&w) || c.splitsWait(&w) || c.oldRecords(&w) {
			return w, true
		}
	}
	return waitingSource{}, false
}

func (c *Case) lags(w *waitingSource, said string, signal flinkapi.Signal, value float64,
	unit flinkapi.Unit,
) bool {
	w.said = said
	w.evidence = Evidence{
		Signal: signal.String(), Label: signal.Info().Label, Subject: c.vertex(w.vertex).Name,
		Value: flinkapi.Known(value), Unit: unit, For: true, Age: c.age(),
	}
	return true
}

// recordsWait tells whether more records wait at a source than a moment brings, and do not grow fewer.
func (c *Case) recordsWait(w *waitingSource) bool {
	lag, ok := c.lagOf(w.vertex, c.limits.lagWindow)
	if all, _ := c.rates(w.vertex); !ok || lag.records <= 0 || lag.falls(c.limits, all.out) {
		return false
	}
	if waits, known := c.readTime(w.vertex, lag.records).Float(); known && waits < c.limits.lagLeast.Seconds() {
		return false
	}
	return c.lags(w, waiting(lag.records)+" for it", flinkapi.PendingRecords, lag.records,
		flinkapi.Records)
}

// lagUnseen returns an idle source for which records wait, while there are too few readings to know their
// course.
func (c *Case) lagUnseen() (source int, found bool) {
	for _, v := range c.sources() {
		records, _ := c.lag(v)
		waits, known := c.readTime(v, records.Or(0)).Float()
		_, seen := c.lagOf(v, c.limits.lagWindow)
		if !seen && (!known || waits >= c.limits.lagLeast.Seconds()) && records.Or(0) > 0 &&
			c.shares(v).idle.Or(0) >= c.limits.idle && !c.aligning(v) {
			return v, true
		}
	}
	return 0, false
}

// splitsWait tells whether a source that gives out nothing has splits that nobody was told to read.
func (c *Case) splitsWait(w *waitingSource) bool {
	if all, _ := c.rates(w.vertex); w.splits <= 0 || all.out.Or(1) > 0 {
		return false
	}
	return c.lags(w, FormatWhole(w.splits)+" splits wait for a reader", flinkapi.UnassignedSplits, w.splits,
		flinkapi.Count)
}

// oldRecords tells whether a source without a count of what waits gets its records long after they were made.
func (c *Case) oldRecords(w *waitingSource) bool {
	pending, _ := c.lag(w.vertex)
	age, known := c.spread(w.vertex, flinkapi.FetchLag).Max.Float()
	all, _ := c.rates(w.vertex)
	if pending.IsKnown() || !known || age < c.limits.fetchAge.Seconds() || all.out.Or(0) <= 0 {
		return false
	}
	text := "its records are " + FormatDuration(seconds(age)) + " old when it gets them"
	return c.lags(w, text, flinkapi.FetchLag, age, flinkapi.Seconds)
}

func checkStarved(c *Case) Finding   { return c.lagging(false) }
func checkThrottled(c *Case) Finding { return c.lagging(true) }

// lagging tells of a source that is idle although it lags: throttled at a constant rate, or where records
// wait inside it; else starved.
func (c *Case) lagging(throttled bool) Finding {
	w, found := c.laggingIdle()
	if _, unseen := c.lagUnseen(); !found && unseen {
		return cannotTell("whether the lag grows was not seen for long enough", flinkapi.PendingRecords.String())
	} else if !found {
		return fine()
	}
	if limited, known := c.limited(&w); !known || limited != throttled { // what is not known is undetermined
		return fine()
	}
	name := c.vertex(w.vertex).Name
	f := Finding{
		Verdict: Firing, Severity: Warning, Subject: c.vertexSubject(w.vertex),
		Summary:  fmt.Sprintf("nothing is slow: %s is idle while %s", name, w.said),
		Dont:     []string{belowSourceDont},
		Evidence: c.lagEvidence(&w),
	}
	if throttled {
		f.Summary += ", at a constant rate, as with a rate limit"
		f.Remedies = []Remedy{{
			Do:   "raise the rate limit of the source, or the quota of the system that it reads from, if one is set",
			Gain: "the lag falls", Risk: "the operators below get more to do",
			Undo: undoThere, Link: sourcesLink,
		}}
		return f
	}
	f.Remedies = []Remedy{{
		Do:   "look at the system that it reads from: its quota, its network, and the fetch settings of the source",
		Gain: "the lag falls", Risk: "none",
		Undo: undoLook, Link: sourcesLink,
	}}
	if w.splits > 0 {
		f.Summary += ": its enumerator does not hand out what is to be read"
		f.Remedies[0].Do = "look at the JobManager's log for the enumerator of the source, which hands out splits"
		if w.evidence.Signal != flinkapi.UnassignedSplits.String() {
			f.Evidence = append(f.Evidence, c.signalEvidence(w.vertex, flinkapi.UnassignedSplits, w.splits,
				flinkapi.Count, true, "nobody was told to read them"))
		}
		return f
	}
	f.Summary += ": the system that it reads from is slow to answer"
	return f
}

// limited tells a rate that is configured from one that comes about: it does not move at all, or records that
// were fetched wait inside the source.
func (c *Case) limited(w *waitingSource) (yes, known bool) {
	fetched, okFetched := c.spread(w.vertex, flinkapi.FetchLag).Max.Float()
	emitted, okEmitted := c.spread(w.vertex, flinkapi.EmitLag).Max.Float()
	switch {
	case w.splits > 0:
		return false, true
	case okFetched && okEmitted && fetched >= 0 && emitted-fetched >= c.limits.lagLeast.Seconds():
		return true, true
	}
	if all, _ := c.rates(w.vertex); all.out.IsKnown() && all.out.Or(0) == 0 &&
		c.idleFor(w.vertex) >= c.limits.firmWindow {
		return false, true
	}
	p := c.pace(w.vertex)
	return p.same, p.same || p.moved
}

// whyNoPace says why the rate of a source does not tell whether it is limited.
func (c *Case) whyNoPace(v int) string {
	p := c.pace(v)
	switch {
	case p.slots >= c.limits.firmSlots && p.high > 0:
		return "its rate moved by " + FormatRatio(p.spread()) + ", more than a limit lets it and too little to " +
			"tell a slow system"
	case p.slots >= c.limits.firmSlots:
		return "the source gave out nothing, which a limit and a silent system do alike"
	}
	return "the source's rate was not seen for long enough"
}

// limitOpen says what is seen of a source that lags and waits, and why it is not known whether it is limited;
// empty where it is known, or there is none.
func (c *Case) limitOpen() string {
	w, found := c.laggingIdle()
	if !found {
		return ""
	}
	if _, known := c.limited(&w); known {
		return ""
	}
	// A log also counts what nobody reads, such as the marks of transactions: those wait and grow no more.
	lag, ok := c.lagOf(w.vertex, c.limits.lagWindow)
	if c.pace(w.vertex).high <= 0 && (!ok || !lag.grows(c.limits)) {
		return ""
	}
	return c.vertex(w.vertex).Name + " is idle while " + w.said + ", and whether a limit that is set or the " +
		"system that it reads from keeps it from reading is not known: " + c.whyNoPace(w.vertex)
}

const belowSourceDont = "more parallelism below the source changes nothing: those operators wait for it"

// limitRemedies are where to look for what keeps a source from reading.
func limitRemedies() []Remedy {
	return []Remedy{
		{
			Do: "look at the source's own settings and at quotas: a rate limit in its code or table, a quota of " +
				"the system for this client (with Kafka fetch-throttle-time-avg)",
			Gain: "finds a limit that is set", Risk: "none", Undo: undoLook, Link: sourcesLink,
		},
		{
			Do:   "look at the system that it reads from: how long it takes to answer, its network, its errors",
			Gain: "finds a system that is slow or silent", Risk: "none", Undo: undoLook, Link: sourcesLink,
		},
	}
}

// lagEvidence is what a source that lags and waits shows, and what tells a limit from a slow system.
func (c *Case) lagEvidence(w *waitingSource) []Evidence {
	v := w.vertex
	number := func(signal, label string, x flinkapi.Value, unit flinkapi.Unit, note string) Evidence {
		return Evidence{
			Signal: signal, Label: label, Subject: c.vertex(v).Name, Value: x, Unit: unit, For: true, Age: c.age(),
			Note: note,
		}
	}
	out := []Evidence{
		w.evidence,
		number("idle", "idle, its least idle subtask", c.shares(v).idle, flinkapi.Ratio,
			"nothing below holds it back"),
	}
	all, _ := c.rates(v)
	if rate, known := all.out.Float(); known {
		out = append(out,
			number("records-rate", "records that it gives out", all.out, flinkapi.RecordsPerSecond, ""))
		if lag, ok := c.lagOf(v, c.limits.lagWindow); ok {
			out = append(out,
				number("lag-slope", "change of the records that wait", flinkapi.Known(lag.slope),
					flinkapi.RecordsPerSecond, "median of all pairs over "+FormatDuration(lag.span)),
				number("arrival-rate", "records that come in", flinkapi.Known(max(rate+lag.slope, 0)),
					flinkapi.RecordsPerSecond, "what it gives out and what the lag changes by"))
		}
	}
	if p := c.pace(v); p.spread().IsKnown() {
		note := fmt.Sprintf("from %s to %s records/s; a limit that is set keeps it within %s", FormatCount(p.low),
			FormatCount(p.high), FormatRatio(flinkapi.Known(c.limits.steadyRate)))
		out = append(out, number("rate-spread", "how much its rate moved in the last minute",
			p.spread(), flinkapi.Ratio, note))
	}
	return append(out, c.ageEvidence(v)...)
}

// idleFor is for how long every subtask of a source has had no record; 0 where it does not tell.
func (c *Case) idleFor(v int) time.Duration {
	return seconds(c.spread(v, flinkapi.SourceIdleTime).Min.Or(0))
}

// ageEvidence are the ages of what a source fetches and gives out, where it tells them, and how long it keeps
// what it has fetched: a limit inside the source holds that back, a slow system does not.
func (c *Case) ageEvidence(v int) []Evidence {
	var out []Evidence
	ages := map[flinkapi.Signal]float64{}
	for _, s := range []flinkapi.Signal{flinkapi.FetchLag, flinkapi.EmitLag} {
		age, known := c.spread(v, s).Max.Float()
		if !known || age < 0 {
			continue
		}
		ages[s] = age
		out = append(out, c.signalEvidence(v, s, age, flinkapi.Seconds, true, ""))
	}
	if len(ages) == 2 {
		kept := max(ages[flinkapi.EmitLag]-ages[flinkapi.FetchLag], 0)
		note := "it hands on what it has fetched at once: what keeps it waiting lies before it"
		if kept >= c.limits.lagLeast.Seconds() {
			note = "what it has fetched waits inside it, as behind a rate limit of its own"
		}
		out = append(out, Evidence{
			Signal: "kept-inside", Label: "time that it keeps what it has fetched", Subject: c.vertex(v).Name,
			Value: flinkapi.Known(kept), Unit: flinkapi.Seconds, For: true, Age: c.age(), Note: note,
		})
	}
	return out
}
