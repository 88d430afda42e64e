package diagnose

import (
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

func checkStuck(c *Case) Finding {
	if len(c.job.Edges) == 0 {
		return notApplicable("its operators are one chain, between which Flink counts no records")
	}
	if _, yes := c.blind(); yes {
		return fine() // another rule says so
	}
	stands, seen := c.still()
	held := c.held()
	if len(held) == 0 || seen < c.limits.roomSlots {
		return fine()
	}
	missing, since := c.unacknowledged()
	if lasts := max(stands, c.job.Now.Sub(since), c.sourcesIdle()); lasts >= c.limits.stuckTime {
		return c.stuck(lasts, held, missing)
	}
	return fine()
}

// mayBeStuck says so where no record has moved since the watch began, or for a while: then nobody is proven
// to be slow, as long as it may be one call that does not return. It is empty where records move.
func (c *Case) mayBeStuck() string {
	stands, seen := c.still()
	if seen < c.limits.roomSlots || len(c.job.Edges) == 0 {
		return ""
	}
	return "no record has moved in the whole job for " + FormatDuration(stands) +
		": it may be stuck, which is told after " + FormatDuration(c.limits.stuckTime)
}

// still returns for how long no vertex has read or written a record, and over how many slots that was seen.
func (c *Case) still() (d time.Duration, slots int) {
	c.note(rateSignals()...)
	for i := len(c.w.slots) - 1; i >= 0; i-- {
		s := &c.w.slots[i]
		if s.gauges || !motionless(s) {
			break
		}
		d, slots = d+s.to.Sub(s.from), slots+1
	}
	return d, slots
}

// motionless tells whether all that is counted of a slot's records is nothing.
func motionless(s *slot) bool {
	for i := range s.vertices {
		v := &s.vertices[i]
		in, okIn := v.all.in.Float()
		out, okOut := v.all.out.Float()
		if !v.finished && (!okIn || !okOut || in > 0 || out > 0) {
			return false
		}
	}
	return true
}

// held says what keeps a job in which nothing moves from being a quiet stream: a task that is busy or
// backpressured all the time, or records that wait. A source does not count as busy: it may read, and drop
// all.
func (c *Case) held() []Evidence {
	var out []Evidence
	add := func(v int, signal, label string, value flinkapi.Value, unit flinkapi.Unit) {
		out = append(out, Evidence{
			Signal: signal, Label: label, Subject: c.vertex(v).Name, Value: value, Unit: unit, For: true, Age: c.age(),
		})
	}
	for v := range c.job.Vertices {
		sh := c.shares(v)
		source := len(c.g.in[v]) == 0
		if b := sh.busy.Or(0); b >= c.limits.busy && !source {
			add(v, "busy", "busy, busiest subtask", sh.busy, flinkapi.Ratio)
		}
		if p := sh.backpressured.Or(0); p >= c.limits.high {
			add(v, "backpressured", "backpressured, most pressed subtask", sh.backpressured, flinkapi.Ratio)
		}
		if records, slope := c.lag(v); source && !c.aligning(v) && (records.Or(0) > someRecords ||
			slope.Or(0) > 0) {
			add(v, flinkapi.PendingRecords.String(), "records waiting at the source", records, flinkapi.Records)
		}
	}
	return out
}

// someRecords is how many may be told to wait though nothing does: the marks of transactions count as records
// of Kafka's log.
const someRecords = 100

// unacknowledged returns of which vertices the newest checkpoint lacks acknowledgements, and since when one
// of those that did not complete waits for some; now where there is none.
func (c *Case) unacknowledged() (missing []missingAcks, since time.Time) {
	since = c.job.Now
	all := c.checkpoints()
	for i := len(all) - 1; i >= 0 && all[i].Status != flinkapi.CheckpointCompleted; i-- {
		if all[i].Acked >= all[i].Subtasks {
			break
		}
		since = all[i].TriggeredAt
		if a, read := c.dissect(&all[i]); read && missing == nil {
			missing = a.missing
		}
	}
	return missing, since
}

// sourcesIdle is for how long every subtask of every source has had no record; 0 where one does not tell.
func (c *Case) sourcesIdle() time.Duration {
	least := time.Duration(-1)
	for v := range c.job.Vertices {
		if len(c.g.in[v]) > 0 || c.over(v) {
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

func (c *Case) stuck(lasts time.Duration, held []Evidence, missing []missingAcks) Finding {
	f := Finding{
		Verdict: Firing, Severity: Critical, Evidence: append(held, c.unackedEvidence(missing)...),
		Summary: "stuck: no record has moved for " + FormatDuration(lasts),
		Remedies: []Remedy{
			{
				Do: "take a thread dump of its TaskManager, some of them a few seconds apart, before anything is " +
					"restarted",
				Gain: "shows which call does not return, and who holds the lock", Risk: "the TaskManager stops for " +
					"some 100 ms",
			},
			{
				Do:   "then let the job fail and restart from its last checkpoint: end the TaskManager's process",
				Gain: "records move again, until it happens again", Risk: "records since the last checkpoint are " +
					"read again",
			},
			{
				Do:   "give the call that does not return a time limit",
				Gain: "it fails with an exception instead of standing still", Risk: "none",
			},
		},
		Dont: []string{
			"more parallelism does not help a task that stands still",
			"a savepoint does not complete either: it waits for the same tasks",
		},
	}
	if v, ok := c.goesNowhere(); ok {
		f.Subject, f.Summary = c.vertexSubject(v), f.Summary+", "+c.vertex(v).Name+" is busy and gets nowhere"
		f.Subject.Subtasks = c.busySubtasks(v)
		if at, n := c.looks(v).where(activities()...); n > 0 {
			f.Summary += ", it stands in " + at
		}
	}
	if c.feedsBack() {
		f.Summary += "; it feeds records back, and both ends may wait for each other"
		f.Remedies = append(f.Remedies, Remedy{
			Do:   "let less through the feedback than its buffers hold",
			Gain: "the loop cannot fill up", Risk: "a slower loop",
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

// goesNowhere returns the deepest vertex below the sources that is busy all the time.
func (c *Case) goesNowhere() (deepest int, found bool) {
	for v := range c.job.Vertices {
		if len(c.g.in[v]) > 0 && c.shares(v).busy.Or(0) >= c.limits.busy {
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

// feedsBack tells whether the job has a loop. Flink's plan shows one as a pair of vertices without an edge.
func (c *Case) feedsBack() bool {
	for v := range c.job.Vertices {
		if c.g.below(v)[v] || strings.HasPrefix(c.vertex(v).Name, "IterationSource") {
			return true
		}
	}
	return false
}
