package diagnose

import (
	"fmt"

	"culprit/flinkapi"
)

// tell completes a glance by what else was read of the job: its checkpoints, its restarts and its lag. Who
// holds it back is told first; the rest stands beside that.
func (w *fleetWatch) tell(options *Options, s *flinkapi.Snapshot, g *graph) {
	w.told = nil
	if w.glance == nil {
		return
	}
	c := &Case{
		limits: options.limits, options: options, snapshot: s, job: w.newest, w: w.past, g: g,
		phrases: phrases{},
	}
	told := *w.glance
	if w.told = &told; w.newest.State != flinkapi.JobRunning {
		return
	}
	told.Checkpoints = c.failingCheckpoints()
	switch restart := c.restartSeen(); {
	case told.Checkpoints != nil:
		told = told.beside(SightCheckpoints, told.Checkpoints.Summary).and(restart.text)
	case restart.matters:
		told = told.beside(SightRestarted, restart.text)
	case c.fallsBehind(w.lag, told.reads):
		told = told.beside(SightLag, growingText(w.lag)).and(restart.text)
	case told.Sight == SightCalm:
		told = told.and(c.checkpointsSeen()).and(restart.text)
	default:
		told = told.and(restart.text)
	}
}

// beside is a glance at a job that is held back with something else told after it; at any other job that is
// what is told.
func (g Glance) beside(s Sight, text string) Glance {
	if g.Sight == SightLikely || g.Sight == SightPressed {
		return g.and(text)
	}
	return g.say(s, text)
}

func (g Glance) and(text string) Glance {
	if text != "" {
		g.Text += "; " + text
	}
	return g
}

// failingCheckpoints is the finding of a full look that checkpoints fail, from what was read of them; nil
// where it does not fire, or is silenced.
func (c *Case) failingCheckpoints() *Finding {
	rule := checkpointFailingRule()
	if c.job.Checkpoints == nil || c.options.silences(rule.Name) {
		return nil
	}
	if f := ask(&rule, c); f.Verdict == Firing {
		return &f
	}
	return nil
}

// checkpointsSeen says what was read of checkpoints that are not seen to fail.
func (c *Case) checkpointsSeen() string {
	_, end, ok := c.checkpointing()
	done := withStatus(c.checkpoints(), flinkapi.CheckpointCompleted)
	switch {
	case c.job.Checkpoints == nil:
		return "checkpoints not read yet"
	case !ok:
		return end.Why
	case len(done) == 0:
		return "no checkpoint has completed that is known"
	}
	return "the last checkpoint completed " + FormatDuration(c.endedAgo(&done[len(done)-1])) + " ago"
}

// restartSeen is the last restart of a job that runs, as far as a glance tells; text is empty where none is
// to be told of.
type restartSeen struct {
	text string
	// matters is true for a restart of the last minutes, and for one since which no checkpoint has completed:
	// the next failure takes the job back to before it.
	matters bool
}

func (c *Case) restartSeen() restartSeen {
	ago, known := c.restartedAgo()
	if !known || c.job.State.Over() {
		return restartSeen{}
	}
	text := "it restarted " + FormatDuration(ago) + " ago"
	out := restartSeen{text: text, matters: ago < c.limits.restartWindow}
	// One may take its interval and as long again.
	if cp, _, ok := c.checkpointing(); ok && !out.matters && ago >= 2*cp.Interval && c.job.Now.Add(-ago).Before(
		c.checkpointsRead()) {
		out.matters = len(withStatus(c.attempt(), flinkapi.CheckpointCompleted)) == 0
	}
	if out.matters && ago >= c.limits.restartWindow {
		out.text += ", and no checkpoint has completed since"
	}
	if !out.matters && ago > c.limits.restartTold {
		return restartSeen{}
	}
	return out
}

// fallsBehind tells whether a lag grows for long enough to be told of, and by more than a second's worth of
// what the sources read, by which single readings scatter.
func (c *Case) fallsBehind(lag Lag, reads flinkapi.Value) bool {
	slope, known := lag.Slope.Float()
	return known && lag.Trend > 0 && lag.Span >= c.limits.lagWindow*9/10 &&
		c.snapshot.At.Sub(lag.At) < lagOld && slope*lag.Span.Seconds() >= reads.Or(0)
}

func growingText(lag Lag) string {
	by := FormatQuantity(lag.Slope.Or(0), flinkapi.RecordsPerSecond)
	return fmt.Sprintf("lag grows by %s, %s", by, waiting(lag.Records.Or(0)))
}
