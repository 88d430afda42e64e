package diagnose

import (
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

// stuckRule belongs to the gate: where nothing moves there is no slow operator.
func stuckRule() Rule {
	return Rule{
		ID: "FD0006", Name: "stuck", Title: "no record moves though some wait", Stage: StageRunning,
		Needs: needs(shareSignals(), rateSignals(), []flinkapi.Signal{
			flinkapi.PendingRecords, flinkapi.SourceIdleTime, flinkapi.AlignmentDrift,
		}),
		Check: checkStuck,
	}
}

// blockage is what is known of the pipelines in which no record moves though some wait.
type blockage struct {
	in      pipeline
	whole   bool // nothing moves in any pipeline
	lasts   time.Duration
	held    []Evidence
	missing []missingAcks
}

func checkStuck(c *Case) Finding {
	all := c.g.pipelines()
	if len(all) == 0 {
		return notApplicable("its operators are one chain, between which Flink counts no records")
	}
	if end, yes := c.blind(); yes {
		return end
	}
	stuck, uncounted := blockage{in: make(pipeline, len(c.job.Vertices)), whole: true}, ""
	for _, p := range all {
		one, seen := c.blockageIn(p)
		if !seen {
			stuck.whole = false
			if _, known := p.motionless(c.newest()); !known && len(c.held(p)) > 0 {
				uncounted = p.names(c.job)[0]
			}
			continue
		}
		if len(one.held) == 0 || one.lasts < c.limits.stuckTime {
			continue
		}
		stuck.in.add(p)
		stuck.lasts = max(stuck.lasts, one.lasts)
		stuck.held, stuck.missing = append(stuck.held, one.held...), append(stuck.missing, one.missing...)
	}
	switch {
	case len(stuck.held) > 0:
		return c.stuck(&stuck)
	case uncounted != "":
		return cannotTell("the records of "+uncounted+" and what is connected with it are not counted",
			flinkapi.RecordsRead.String(), flinkapi.RecordsWritten.String())
	}
	return fine()
}

// blockageIn returns since when no record moves in a pipeline, and what waits there; seen is false where
// some move, or that was not seen for long enough.
func (c *Case) blockageIn(p pipeline) (s blockage, seen bool) {
	lasts, slots := c.still(p)
	if slots < c.limits.roomSlots {
		return blockage{}, false
	}
	s = blockage{in: p, held: c.held(p)}
	missing, since := c.unacknowledged(p)
	s.missing, s.lasts = missing, max(lasts, c.checkpointsRead().Sub(since), c.sourcesIdle(p))
	return s, true
}

// mayBeStuck says so where no record has moved in the pipeline of v since the watch began, or for a while:
// then nobody is proven to be slow, as long as it may be one call that does not return. It is empty where
// records move.
func (c *Case) mayBeStuck(v int) string {
	p := c.g.pipelineOf(v)
	if p == nil {
		return ""
	}
	stands, seen := c.still(p)
	if seen < c.limits.roomSlots {
		return ""
	}
	where := "in the whole job"
	if len(c.g.pipelines()) > 1 {
		where = "in its part of the job"
	}
	return "no record has moved " + where + " for " + FormatDuration(stands) +
		": it may be stuck, which is told after " + FormatDuration(c.limits.stuckTime)
}

// still returns for how long no vertex of a pipeline has read or written a record, and over how many slots
// that was seen.
func (c *Case) still(p pipeline) (d time.Duration, slots int) {
	c.note(rateSignals()...)
	for i := len(c.w.slots) - 1; i >= 0; i-- {
		s := &c.w.slots[i]
		if stands, _ := p.motionless(s); s.gauges || !stands {
			break
		}
		d, slots = d+s.to.Sub(s.from), slots+1
	}
	return d, slots
}

// held says what keeps a pipeline in which nothing moves from being a quiet stream: a task that is busy or
// backpressured all the time, or records that wait. A source does not count as busy: it may read, and drop
// all.
func (c *Case) held(p pipeline) []Evidence {
	var out []Evidence
	add := func(v int, signal, label string, value flinkapi.Value, unit flinkapi.Unit) {
		out = append(out, Evidence{
			Signal: signal, Label: label, Subject: c.vertex(v).Name, Value: value, Unit: unit, For: true, Age: c.age(),
		})
	}
	for v := range c.job.Vertices {
		if !p[v] {
			continue
		}
		sh := c.shares(v)
		source := len(c.g.in[v]) == 0
		if b := sh.busy.Or(0); b >= c.limits.busy && !source {
			add(v, "busy", "busy, busiest subtask", sh.busy, flinkapi.Ratio)
		}
		if p := sh.backpressured.Or(0); p >= c.limits.high {
			add(v, "backpressured", "backpressured, most pressed subtask", sh.backpressured, flinkapi.Ratio)
		}
		records, slope := c.lag(v)
		waiting := records.Or(0) > float64(c.limits.stuckRecords) || slope.Or(0) > 0
		if source && waiting && !c.aligning(v) {
			add(v, flinkapi.PendingRecords.String(), "records waiting at the source", records, flinkapi.Records)
		}
	}
	return out
}

// unacknowledged returns of which vertices of a pipeline the newest checkpoint lacks acknowledgements, and
// since when one of those that did not complete waits for some; when they were read where there is none.
// Where a job has several pipelines, only what was read of a checkpoint tells which of them it waits for.
func (c *Case) unacknowledged(p pipeline) (missing []missingAcks, since time.Time) {
	since = c.checkpointsRead()
	all, alone := c.checkpoints(), len(c.g.pipelines()) == 1
	for i := len(all) - 1; i >= 0 && all[i].Status != flinkapi.CheckpointCompleted; i-- {
		if all[i].Acked >= all[i].Subtasks {
			break
		}
		a, read := c.dissect(&all[i])
		here := slices.DeleteFunc(slices.Clone(a.missing), func(m missingAcks) bool { return !p[m.vertex] })
		if !alone && len(here) == 0 {
			break
		}
		since = all[i].TriggeredAt
		if read && missing == nil {
			missing = here
		}
	}
	return missing, since
}

// sourcesIdle is for how long every subtask of every source of a pipeline has had no record; 0 where one does
// not tell.
func (c *Case) sourcesIdle(p pipeline) time.Duration {
	least := time.Duration(-1)
	for v := range c.job.Vertices {
		if !p[v] || len(c.g.in[v]) > 0 || c.over(v) {
			continue
		}
		idle, ok := c.spread(v, flinkapi.SourceIdleTime).Min.Float()
		if !ok {
			return 0
		}
		if d := seconds(idle); least < 0 || d < least {
			least = d
		}
	}
	return max(least, 0)
}

func (c *Case) stuck(s *blockage) Finding {
	on := c.placed.ids // of which all are suspects until one is known to stand
	if v, ok := c.goesNowhere(s.in); ok {
		on = c.taskManagers(v)
	} else if len(s.missing) > 0 {
		on = c.runsOn(s.missing[0].vertex, s.missing[0].subtasks)
	}
	f := Finding{
		Verdict: Firing, Severity: Critical, Evidence: append(s.held, c.unackedEvidence(s.missing)...),
		Summary: "stuck: no record has moved for " + FormatDuration(s.lasts),
		Remedies: []Remedy{
			{
				Do: "take a thread dump of " + taskManagersText(on) + ", some of them a few seconds apart, before " +
					"anything is restarted", Key: dumpPath(on),
				Gain: "shows which call does not return, and who holds the lock", Risk: "the TaskManager stops for " +
					"some 100 ms",
				Undo: undoLook, Link: threadDumpLink,
			},
			{
				Do: "then let the job fail and restart from its last checkpoint: end the process of " +
					taskManagersText(on),
				Gain: "records move again, until it happens again", Risk: "records since the last checkpoint are " +
					"read again",
				Undo: "nothing to undo: the job goes on from its last checkpoint", Link: recoveryLink,
			},
			{
				Do:   "give the call that does not return a time limit",
				Gain: "it fails with an exception instead of standing still", Risk: "none",
				Undo: undoCode, Link: asyncLink + "#timeout-handling",
			},
		},
		Dont: []string{
			"more parallelism does not help a task that stands still",
			"a savepoint does not complete either: it waits for the same tasks",
		},
	}
	if !s.whole {
		f.Summary += " in " + strings.Join(s.in.names(c.job), ", ") + " (the rest of the job moves)"
	}
	if v, ok := c.goesNowhere(s.in); ok {
		f.Subject, f.Summary = c.vertexSubject(v), f.Summary+", "+c.vertex(v).Name+" is busy and gets nowhere"
		f.Subject.Subtasks = c.busySubtasks(v)
		if at, n := c.looks(v).where(activities()...); n > 0 {
			f.Summary += ", it stands in " + at
		}
	}
	if c.feedsBack(s.in) {
		f.Summary += "; it feeds records back, and both ends may wait for each other"
		f.Remedies = append(f.Remedies, Remedy{
			Do:   "let less through the feedback than its buffers hold",
			Gain: "the loop cannot fill up", Risk: "a slower loop",
			Undo: undoCode, Link: pressureLink,
		})
	}
	return f
}

// activities are all that a thread may be seen to do.
func activities() []activity {
	out := make([]activity, activityCount)
	for i := range out {
		out[i] = activity(i)
	}
	return out
}

// goesNowhere returns the deepest vertex below the sources of a pipeline that is busy all the time.
func (c *Case) goesNowhere(p pipeline) (deepest int, found bool) {
	for v := range c.job.Vertices {
		if p[v] && len(c.g.in[v]) > 0 && c.shares(v).busy.Or(0) >= c.limits.busy {
			deepest, found = v, true
		}
	}
	return deepest, found
}

// unackedEvidence has a line for each vertex of which acknowledgements are missing.
func (c *Case) unackedEvidence(missing []missingAcks) []Evidence {
	var out []Evidence
	for _, m := range missing {
		e := Evidence{
			Signal: "unacknowledged", Label: "subtasks that have not acknowledged the checkpoint",
			Subject: c.vertex(m.vertex).Name, Value: flinkapi.Known(float64(m.count)), Unit: flinkapi.Count, For: true,
			Age: c.age(),
		}
		if len(m.subtasks) > 0 {
			e.Note = "subtask " + list(m.subtasks)
		}
		out = append(out, e)
	}
	return out
}

// feedsBack tells whether a pipeline has a loop. Flink's plan shows one as a pair of vertices without an
// edge.
func (c *Case) feedsBack(p pipeline) bool {
	for v := range c.job.Vertices {
		if p[v] && (c.g.below(v)[v] || strings.HasPrefix(c.vertex(v).Name, "IterationSource")) {
			return true
		}
	}
	return false
}
