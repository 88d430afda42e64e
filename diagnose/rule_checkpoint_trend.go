package diagnose

import (
	"fmt"
	"time"

	"culprit/flinkapi"
)

func checkpointTrendRule() Rule {
	return Rule{
		ID:    "FD0504",
		Name:  "checkpoint-trend",
		Title: "checkpoints take ever longer, or nearly as long as they may",
		Stage: StageCheckpoints,
		Needs: shareSignals(),
		Check: checkCheckpointTrend,
	}
}

// trend is how the durations of checkpoints develop.
type checkpointTrend struct {
	n           int
	from, to    time.Duration // the oldest and the newest of them
	over        time.Duration
	sloped      bool    // there are enough of them for a slope
	slope       float64 // seconds per second
	at          time.Time
	level       time.Duration // the line's duration at the end of the newest of them
	climbs      bool
	timeout     time.Duration // left until a checkpoint takes that long; 0 where it never does
	interval    time.Duration
	first, last *flinkapi.Checkpoint
	part        growth
	// filling says why timeout and interval, by a straight line, are no times to be told; empty where they are.
	filling string
}

func checkCheckpointTrend(c *Case) Finding {
	cp, end, ok := c.checkpointing()
	if !ok {
		return end
	}
	all := c.attempt()
	typical, settled := usual(all)
	t := c.durations(all)
	if c.foreseen(&t) {
		return c.climbing(cp, &t)
	}
	if running := runningCheckpoint(all); running != nil && c.atRiskOfTimeout(c.checkpointAge(running)) {
		return c.nearTimeout(running, c.checkpointAge(running))
	}
	if settled && c.atRiskOfTimeout(typical) {
		done := withStatus(all, flinkapi.CheckpointCompleted)
		return c.nearTimeout(&done[len(done)-1], typical)
	}
	a, known := c.newestAnatomy()
	if settled && c.tooSlow(typical) && (!known || c.dominant(&a) == phaseNone) {
		done := withStatus(all, flinkapi.CheckpointCompleted)
		return c.mostOfInterval(&done[len(done)-1], typical)
	}
	if len(withStatus(all, flinkapi.CheckpointCompleted)) == 0 &&
		len(withStatus(all, flinkapi.CheckpointFailed)) == 0 {
		return cannotTell("no checkpoint has completed since the job began to run")
	}
	return fineBy(c.longest(all))
}

// longest says how long the newest checkpoints took at most, beside the time they may take; empty before one
// has completed.
func (c *Case) longest(all []flinkapi.Checkpoint) string {
	done := withStatus(all, flinkapi.CheckpointCompleted)
	done = done[max(len(done)-c.limits.trendMost, 0):]
	most := time.Duration(0)
	for i := range done {
		most = max(most, done[i].Duration)
	}
	text := ""
	switch len(done) {
	case 0:
		return ""
	case 1:
		text = "the one that has completed took " + FormatSpan(most)
	default:
		text = fmt.Sprintf("the longest of the last %d took %s", len(done), FormatSpan(most))
	}
	if timeout := c.job.Checkpoints.Timeout; timeout > 0 {
		text += " of the " + FormatSpan(timeout) + " that it may take"
	}
	return text
}

// foreseen tells whether durations climb such that a limit is near, as far ahead as the time watched allows:
// a job that has just begun fills its state, and a minute of that says nothing about hours.
func (c *Case) foreseen(t *checkpointTrend) bool {
	reach := time.Duration(c.limits.trendReach * float64(t.over))
	return t.climbs && (soon(t.timeout, min(c.limits.trendHorizon, reach)) || c.atRiskOfTimeout(t.to) ||
		t.over >= c.limits.trendSpan && soon(t.interval, min(c.limits.trendHorizon, reach)))
}

func soon(left, limit time.Duration) bool { return left > 0 && left <= limit }

// durations forms the trend over the newest checkpoints. One that has been running for twice the last one's
// time counts with its age, which is the least it will take.
func (c *Case) durations(all []flinkapi.Checkpoint) checkpointTrend {
	done := withStatus(all, flinkapi.CheckpointCompleted)
	done = done[max(len(done)-c.limits.trendMost, 0):]
	t := checkpointTrend{}
	var points []point
	for i := range done {
		x := &done[i]
		points = append(points, point{x.TriggeredAt.Add(x.Duration), x.Duration.Seconds()})
	}
	if len(points) == 0 {
		return t
	}
	t.first, t.last = &done[0], &done[len(done)-1]
	t.from, t.to = t.first.Duration, t.last.Duration
	if x := runningCheckpoint(all); x != nil && c.checkpointAge(x) >= 2*t.to {
		t.to, t.last = c.checkpointAge(x), x
		points = append(points, point{x.TriggeredAt.Add(t.to), t.to.Seconds()})
	}
	t.n, t.over = len(points), points[len(points)-1].at.Sub(points[0].at)
	slope, ok := theilSen(points)
	if !ok || t.n < c.limits.trendPoints {
		return t
	}
	t.sloped, t.slope, t.at = true, slope, points[len(points)-1].at
	t.level = seconds(levelAt(points, slope, t.at))
	if t.to < c.limits.checkpointLeast {
		return t
	}
	ys := make([]float64, len(points))
	for i := range points {
		ys[i] = points[i].y
	}
	growth := slope * t.over.Seconds()
	t.climbs = kendall(points) > c.limits.trendOrder && growth >= c.limits.trendGrowth*median(ys) &&
		growth >= 1
	if t.climbs {
		t.timeout = timeTo(c.job.Checkpoints.Timeout, t.to, slope)
		t.interval = timeTo(c.job.Checkpoints.Interval, t.to, slope)
		t.part = c.grows()
		t.filling = c.filling(&t.part, &t)
	}
	return t
}

// timeTo is the time until durations reach a limit: (limit - last) / slope. It is 0 where they have reached
// it, or the limit is not known.
func timeTo(limit, last time.Duration, slope float64) time.Duration {
	if limit <= last || slope <= 0 {
		return 0
	}
	const far = 365 * 24 * time.Hour
	return time.Duration(min((limit-last).Seconds()/slope, far.Seconds()) * float64(time.Second))
}

func (c *Case) climbing(cp *flinkapi.Checkpoints, t *checkpointTrend) Finding {
	f := Finding{Verdict: Firing, Severity: Warning}
	if soon(t.timeout, c.limits.trendUrgent) && t.filling == "" || c.atRiskOfTimeout(t.to) {
		f.Severity = Critical
	}
	f.Summary = fmt.Sprintf(
		"checkpoints went from %s to %s in %s",
		FormatSpan(t.from),
		FormatSpan(t.to),
		FormatSpan(t.over),
	)
	f.Summary += c.leftText(cp, t)
	f.Evidence = []Evidence{
		c.durationEvidence(t.last, "checkpoint-duration", "checkpoint, end to end", "job", t.to),
		c.durationEvidence(t.first, "checkpoint-duration",
			"checkpoint, end to end, "+FormatThings(t.n-1, "checkpoints")+" before", "job", t.from),
	}
	text, evidence := c.grewText(&t.part, t.last)
	f.Summary += text
	f.Evidence = append(f.Evidence, evidence...)
	if grown, ok := stateGrown(t.first, t.last); ok {
		f.Summary += "; the state grew " + grown
	}
	c.trendAdvice(&f)
	return f
}

// leftText says how much time is left until durations meet their limits, or why that cannot be told.
func (c *Case) leftText(cp *flinkapi.Checkpoints, t *checkpointTrend) string {
	text := ""
	switch {
	case cp.Timeout > 0 && t.to >= cp.Timeout:
		text = ", past their timeout of " + FormatSpan(cp.Timeout)
	case t.filling != "" && cp.Timeout > 0:
		return fmt.Sprintf(", with a timeout of %s; %s", FormatSpan(cp.Timeout), t.filling)
	case t.filling != "":
		return "; " + t.filling
	case t.timeout > 0:
		text = fmt.Sprintf(" and reach their timeout of %s in about %s",
			FormatSpan(cp.Timeout), FormatSpan(t.timeout))
	}
	if t.interval > 0 && t.filling == "" {
		text += fmt.Sprintf(", the interval of %s in %s", FormatSpan(cp.Interval), FormatSpan(t.interval))
	}
	return text
}

// stateGrown tells by how much the whole state grew between two checkpoints.
func stateGrown(first, last *flinkapi.Checkpoint) (text string, ok bool) {
	from, to := stateSize(first), stateSize(last)
	if last.Status != flinkapi.CheckpointCompleted || !from.IsKnown() || to.Or(0) < 1.05*from.Or(0) {
		return "", false
	}
	return fmt.Sprintf("from %s to %s meanwhile", FormatBytes(from.Or(0)), FormatBytes(to.Or(0))), true
}

// stateSize is the size of the whole state in a checkpoint, in bytes, without the data in flight.
func stateSize(x *flinkapi.Checkpoint) flinkapi.Value {
	n, ok := x.StateBytes.Float()
	if !ok {
		return flinkapi.Value{}
	}
	return flinkapi.Known(max(n-x.PersistedBytes.Or(0), 0))
}

func (c *Case) nearTimeout(x *flinkapi.Checkpoint, d time.Duration) Finding {
	verb := "takes"
	if x.Status == flinkapi.CheckpointInProgress {
		verb = "has been running for"
	}
	f := Finding{
		Verdict: Firing, Severity: Critical,
		Summary: fmt.Sprintf("a checkpoint %s %s, and fails after %s", verb, FormatSpan(d),
			FormatSpan(c.job.Checkpoints.Timeout)),
		Evidence: []Evidence{c.durationEvidence(x, "checkpoint-duration", "checkpoint, end to end", "job", d)},
	}
	c.trendAdvice(&f)
	return f
}

func (c *Case) mostOfInterval(x *flinkapi.Checkpoint, d time.Duration) Finding {
	f := Finding{
		Verdict: Firing, Severity: Warning,
		Summary: fmt.Sprintf("a checkpoint takes %s of the %s from one to the next%s", FormatSpan(d),
			FormatSpan(c.job.Checkpoints.Interval), c.restorePoint(d)),
		Evidence: []Evidence{c.durationEvidence(x, "checkpoint-duration", "checkpoint, end to end", "job", d)},
	}
	c.trendAdvice(&f)
	return f
}

// trendAdvice adds what to do before checkpoints fail.
func (c *Case) trendAdvice(f *Finding) {
	timeout := c.job.Checkpoints.Timeout
	first := Remedy{
		Do:   "look at which part of the checkpoint grows, and at which vertex, in the details of the newest ones",
		Gain: "names the cure: the barrier's wait, the snapshot or the upload", Risk: "none",
		Link: checkpointDoc("checkpoint_monitoring/"),
		Undo: undoLook,
	}
	g := c.grows()
	holder := c.blameHolder(f, &g)
	switch {
	case holder >= 0:
		first = c.cureFirst(holder, blameCulprit)
	case g.kind != phaseNone:
		what := "what takes most"
		if g.compared {
			what = "what grew most"
		}
		first.Do = fmt.Sprintf("shorten %s, %s at %s: %s", what, g.kind, c.vertex(g.vertex).Name, g.kind.cure())
		first.Gain = "checkpoints stay as short as they were"
		first.Undo, first.Link = undoMend, checkpointDoc("large_state_tuning/")
	}
	f.Remedies = append(f.Remedies, first)
	if timeout > 0 {
		f.Remedies = append(f.Remedies, Remedy{
			Do:   "win time",
			Key:  "execution.checkpointing.timeout",
			From: FormatSpan(timeout),
			To:   FormatSpan(2 * timeout),
			Gain: "checkpoints may take twice as long before they fail",
			Risk: "the last good checkpoint gets older: more is read again after a failure",
			Undo: c.undo("execution.checkpointing.timeout"),
			Link: settingLink("execution.checkpointing.timeout"),
		})
	}
	f.Remedies = append(f.Remedies, c.tolerate()...)
	f.Dont = []string{"a shorter interval does not help: the next checkpoint waits until this one is done"}
	if risk := c.crashRisk(); risk != "" {
		f.Summary += "; " + risk
	}
}
