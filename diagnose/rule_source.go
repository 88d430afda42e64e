package diagnose

import (
	"fmt"
	"time"

	"culprit/flinkapi"
)

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

// lagUnseen tells whether records wait for an idle source, and there are too few readings to know their
// course.
func (c *Case) lagUnseen() bool {
	for _, v := range c.sources() {
		records, _ := c.lag(v)
		waits, known := c.readTime(v, records.Or(0)).Float()
		_, seen := c.lagOf(v, c.limits.lagWindow)
		if !seen && (!known || waits >= c.limits.lagLeast.Seconds()) && records.Or(0) > 0 &&
			c.shares(v).idle.Or(0) >= c.limits.idle && !c.aligning(v) {
			return true
		}
	}
	return false
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
	switch {
	case !found && c.lagUnseen():
		return cannotTell("whether the lag grows was not seen for long enough", flinkapi.PendingRecords.String())
	case !found:
		return fine()
	}
	limited, known := c.limited(&w)
	if !known {
		return cannotTell("the source's rate was not seen for long enough", flinkapi.RecordsWritten.String())
	}
	if limited != throttled {
		return fine()
	}
	name := c.vertex(w.vertex).Name
	f := Finding{
		Verdict: Firing, Severity: Warning, Subject: c.vertexSubject(w.vertex),
		Summary:  fmt.Sprintf("nothing is slow: %s is idle while %s", name, w.said),
		Dont:     []string{"more parallelism below the source changes nothing: those operators wait for it"},
		Evidence: append([]Evidence{w.evidence}, c.ageEvidence(w.vertex)...),
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
	return c.steady(w.vertex)
}

// idleFor is for how long every subtask of a source has had no record; 0 where it does not tell.
func (c *Case) idleFor(v int) time.Duration {
	return seconds(c.spread(v, flinkapi.SourceIdleTime).Min.Or(0))
}

// ageEvidence are the ages of what a source fetches and gives out, where it tells them.
func (c *Case) ageEvidence(v int) []Evidence {
	var out []Evidence
	for _, s := range []flinkapi.Signal{flinkapi.FetchLag, flinkapi.EmitLag} {
		if age := c.spread(v, s).Max; age.Or(-1) >= 0 {
			out = append(out, Evidence{
				Signal: s.String(), Label: s.Info().Label, Subject: c.vertex(v).Name, Value: age, Unit: flinkapi.Seconds,
				For: true, Age: c.age(),
			})
		}
	}
	return out
}
