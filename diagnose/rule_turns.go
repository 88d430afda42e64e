package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

// turnRules tell of culprits that come and go, whatever each of them does meanwhile.
func turnRules() []Rule { return []Rule{alternatingRule(), burstRule()} }

func alternatingRule() Rule {
	return Rule{
		ID: "FD0103", Name: "alternating", Title: "two operators take turns as the slowest", Stage: StageMachine,
		Needs: shareSignals(), Check: checkAlternating,
	}
}

func checkAlternating(c *Case) Finding {
	c.note(shareSignals()...)
	s := c.culprit.swing
	if s == nil {
		return c.unlessShort(c.limits.repeats + 2)
	}
	other, own, others := s.partner(c.culprit.id)
	name := c.vertex(other.vertex).Name
	f := Finding{
		Verdict: Firing, Severity: Warning,
		Summary: fmt.Sprintf("it takes turns with %s, about %s each", name, FormatDuration(own)),
		Evidence: []Evidence{
			c.spanEvidence("turn-length", "length of its turns", c.culprit.id, own),
			c.spanEvidence("turn-length", "length of its turns", other.id, others),
		},
		Remedies: []Remedy{
			{
				Do: "find what changes the load of the two at that rhythm: a window that fires, a timer, a flush, a " +
					"batch of records of another kind",
				Gain: "spread evenly, the work of both fits into less time", Risk: "none",
				Undo: undoLook, Link: pressureLink,
			},
			{
				Do:   "give both of them room, not one alone",
				Gain: "each sets the pace only in its own turns: curing one of them takes away those alone",
				Risk: "more slots",
				Undo: "set the old parallelism", Link: parallelLink,
			},
		},
		Dont: []string{
			"averages over a minute show both half busy, which is true of neither",
			"curing one of the two leaves the job as slow in the turns of the other",
		},
	}
	if (own - others).Abs() > c.limits.slot {
		f.Summary = fmt.Sprintf("it takes turns with %s, about %s for its own and %s for the other's",
			name, FormatDuration(own), FormatDuration(others))
	}
	switch {
	case s.regular:
		f.Summary += ", once round in " + FormatDuration(s.round) + c.sameAs(s.round, c.culprit.last.vertex)
		f.Evidence = append(f.Evidence, c.spanEvidence("period", "once round", c.culprit.id, s.round))
	case s.irregular:
		f.Summary += ", in no fixed rhythm"
	}
	return f
}

// spanEvidence is a length of time about a vertex.
func (c *Case) spanEvidence(signal, label string, id flinkapi.VertexID, d time.Duration) Evidence {
	name := string(id)
	if v := c.job.Vertex(id); v != nil {
		name = v.Name
	}
	return Evidence{
		Signal: signal, Label: label, Subject: name, Value: flinkapi.Known(d.Seconds()), Unit: flinkapi.Seconds,
		For: true, Age: c.age(),
	}
}

func burstRule() Rule {
	return Rule{
		ID: "FD0104", Name: "burst", Title: "an operator works in bursts", Stage: StageMachine, Alone: true,
		Needs: needs(shareSignals(), []flinkapi.Signal{
			flinkapi.TimersFiredRate, flinkapi.PendingRecords, flinkapi.PendingCommittables,
		}, sinkKindSignals()),
		Check: checkBurst,
	}
}

// checkBurst tells of a culprit that comes and goes at equal times, and rests for most of it; and where
// nobody is named, of slight pressure that does.
func checkBurst(c *Case) Finding {
	c.note(shareSignals()...)
	if end, yes := c.blind(); yes {
		return end
	}
	id, r, ok := c.bursting()
	if !ok {
		return c.unlessShort(2 * (c.limits.repeats + 1))
	}
	v := slices.Index(c.g.ids, id)
	mean, high, known := c.burstiness(v)
	if !known {
		return cannotTell("how busy "+c.vertex(v).Name+" was over the window is not known",
			flinkapi.BusyTime.String())
	}
	peak := high
	if newest := c.newest(); c.culprit != nil && r.length < 2*newest.to.Sub(newest.from) {
		peak = 1 // its bursts may fill no slot
	}
	if mean > c.limits.burstMean || peak < c.limits.burstiness*mean {
		return fine()
	}
	f := Finding{
		Verdict: Firing, Severity: OK, Subject: Subject{Kind: SubjectVertex, Vertex: id, Name: c.vertex(v).Name},
		Summary: fmt.Sprintf("it works in bursts, about every %s%s, for %s of it (%s): busy %s on the whole",
			FormatDuration(r.period), c.sameAs(r.period, v), FormatDuration(r.length),
			FormatRatio(flinkapi.Known(r.length.Seconds()/r.period.Seconds())), FormatRatio(flinkapi.Known(mean))),
		Evidence: []Evidence{
			c.spanEvidence("period", "from one burst to the next", id, r.period),
			c.spanEvidence("turn-length", "of that it holds others back", id, r.length),
			c.burstEvidence("busy-mean", "busy, mean over the window", v, mean),
			c.burstEvidence("busy-p95", "busy, 95th percentile of the slots", v, high),
		},
		Remedies: c.burstRemedies(v),
		Dont:     []string{"more parallelism for the mean: on the whole it has room"},
	}
	c.commitsInBursts(v, r.period, &f)
	if c.culprit == nil {
		f.Summary = c.vertex(v).Name + strings.TrimPrefix(f.Summary, "it") + "; in between everything keeps up"
		if c.lagGrows() {
			f.Severity = Warning
			f.Summary += ", but the lag grows"
		}
	}
	return f
}

// unlessShort is the answer where nothing was seen to come and go: no, unless fewer slots could be judged
// than turns need to follow one another.
func (c *Case) unlessShort(least int) Finding {
	judged := 0
	for i := range c.w.slots {
		if s := &c.w.slots[i]; !s.gauges && s.verdict.abstain == "" {
			judged++
		}
	}
	if judged < least {
		return cannotTell("it was not watched for long enough to see turns come back", "a longer watch")
	}
	return fine()
}

// commitsInBursts adds what belongs to a sink that works as checkpoints come: its commits wait for them.
func (c *Case) commitsInBursts(v int, period time.Duration, f *Finding) {
	waiting, known := c.spread(v, flinkapi.PendingCommittables).Sum.Float()
	if !c.isSink(v) || !c.asCheckpoints(period) {
		return
	}
	if known {
		f.Evidence = append(f.Evidence, Evidence{
			Signal: flinkapi.PendingCommittables.String(), Label: "commits that wait", Subject: c.vertex(v).Name,
			Value: flinkapi.Known(waiting), Unit: flinkapi.Count, For: waiting > 0, Age: c.age(),
			Note: "they are made when a checkpoint completes",
		})
	}
	kind, _ := c.kindOfSink(v)
	f.Dont = append(f.Dont, kind.dont...)
}

func (c *Case) burstEvidence(signal, label string, v int, x float64) Evidence {
	return Evidence{
		Signal: signal, Label: label, Subject: c.vertex(v).Name, Value: flinkapi.Known(x), Unit: flinkapi.Ratio,
		For: true, Age: c.age(),
	}
}

func (c *Case) burstRemedies(v int) []Remedy {
	do := "find what makes it work in bursts: a window that fires, timers at round times, a flush on checkpoints"
	if fired, ok := c.spread(v, flinkapi.TimersFiredRate).Max.Float(); ok && fired > 0 {
		do = "spread its windows or timers: an offset for each key (WindowStagger.RANDOM), or an aggregate that " +
			"is kept up to date with each record in place of a list that is worked off when the window fires"
	}
	return []Remedy{{
		Do: do, Gain: "the same work evenly spread presses nobody: it is busy for a part of the time only",
		Risk: "results come at other times", Link: windowsLink,
		Undo: undoCode,
	}}
}

// bursting returns who comes and goes: the culprit in question, or without one the vertex that slight
// pressure points to again and again.
func (c *Case) bursting() (flinkapi.VertexID, rhythm, bool) {
	if c.culprit != nil {
		if c.culprit.rhythm == nil || c.culprit.swing != nil {
			return "", rhythm{}, false
		}
		return c.culprit.id, *c.culprit.rhythm, true
	}
	if c.newest() == nil || c.newest().verdict.pressed || c.newest().verdict.abstain != "" {
		return "", rhythm{}, false
	}
	for v, id := range c.g.ids {
		r, ok := comesBack(c.limits, c.w.slots, id)
		if ok && r.goesOn(c.limits, c.newest().to) {
			r.measure(c.w.slots, id, c.aboveOf(v))
			return id, r, true
		}
	}
	return "", rhythm{}, false
}

// aboveOf are the vertices above another.
func (c *Case) aboveOf(v int) []int {
	var out []int
	for u, above := range c.g.above(v) {
		if above && u != v {
			out = append(out, u)
		}
	}
	return out
}

// burstiness returns the mean and the 95th percentile of a vertex's busy share over the slots of the window.
func (c *Case) burstiness(v int) (mean, high float64, known bool) {
	var all []float64
	for i := range c.w.slots {
		s := &c.w.slots[i]
		if s.gauges || v >= len(s.vertices) {
			continue
		}
		if b, ok := s.vertices[v].busy.Float(); ok {
			all = append(all, b)
			mean += b
		}
	}
	if len(all) < 2*c.limits.firmSlots {
		return 0, 0, false
	}
	slices.Sort(all)
	const percentile = 0.95
	at := int(math.Ceil(percentile*float64(len(all)))) - 1
	return mean / float64(len(all)), all[at], true
}

// lagGrows tells whether the lag of some source grows.
func (c *Case) lagGrows() bool {
	for v := range c.job.Vertices {
		if lag, ok := c.lagOf(v, c.limits.lagWindow); len(c.g.in[v]) == 0 && ok && lag.grows(c.limits) {
			return true
		}
	}
	return false
}

// sameAs says what else recurs at that period: checkpoints, or a window of that size; empty where nothing
// is known to.
func (c *Case) sameAs(period time.Duration, v int) string {
	near := func(d time.Duration) bool {
		return math.Abs(float64(period-d)) <= c.limits.periodMatch*float64(d)
	}
	if size, ok := windowSize(c.vertex(v).Description); ok && near(size) {
		return ", as its window of " + FormatDuration(size) + " does"
	}
	if c.asCheckpoints(period) {
		return ", as checkpoints do"
	}
	return ""
}

// asCheckpoints tells whether checkpoints come at that period.
func (c *Case) asCheckpoints(period time.Duration) bool {
	p := c.job.Checkpoints
	return p != nil && p.Configured &&
		math.Abs(float64(period-p.Interval)) <= c.limits.periodMatch*float64(p.Interval)
}

// windowSize reads the size of a SQL window out of the plan's description of a vertex, such as
// "window=[TUMBLE(time_col=[ts], size=[1 min])]".
func windowSize(description string) (time.Duration, bool) {
	_, rest, found := strings.Cut(description, "size=[")
	text, _, closed := strings.Cut(rest, "]")
	if !found || !closed {
		return 0, false
	}
	var n float64
	var unit string
	if _, err := fmt.Sscanf(text, "%g %s", &n, &unit); err != nil {
		return 0, false
	}
	units := map[string]time.Duration{"s": time.Second, "min": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
	if units[unit] == 0 {
		return 0, false
	}
	return time.Duration(n * float64(units[unit])), true
}
