package diagnose

import (
	"fmt"
	"slices"
	"time"

	"culprit/flinkapi"
)

// runningRules are the gate before the ladder: does the job run at all.
func runningRules() []Rule {
	return []Rule{
		failedRule(), finishedRule(), batchRule(), restartLoopRule(), taskManagerLostRule(), stuckRule(),
	}
}

func failedRule() Rule {
	return Rule{
		ID:    "FD0001",
		Name:  "failed",
		Title: "the job has failed",
		Stage: StageRunning,
		Check: checkFailed,
	}
}

func checkFailed(c *Case) Finding {
	if c.job.State != flinkapi.JobFailed && c.job.State != flinkapi.JobFailing {
		return fine()
	}
	return Finding{
		Verdict: Firing, Severity: Critical,
		Summary: "the job has failed: " + c.lastException(),
		Remedies: []Remedy{{
			Do:   "mend the cause that the exception names, then start the job from its last checkpoint or savepoint",
			Gain: "the job runs again", Risk: "records since that checkpoint are read again",
			Undo: undoMend, Link: resumeLink,
		}},
		Dont: []string{"starting it without state loses what the checkpoint holds"},
	}
}

// lastException is the newest exception's first useful line, and which task it came from.
func (c *Case) lastException() string {
	if len(c.job.Exceptions) == 0 {
		return "the exception is not known"
	}
	e := c.job.Exceptions[0]
	if e.Task != "" {
		return fmt.Sprintf("%s (in %s)", e.Root, TaskText(e.Task))
	}
	return e.Root
}

func finishedRule() Rule {
	return Rule{
		ID:    "FD0002",
		Name:  "finished",
		Title: "the job is over",
		Stage: StageRunning,
		Check: checkFinished,
	}
}

func checkFinished(c *Case) Finding {
	switch c.job.State {
	case flinkapi.JobFinished:
		return Finding{Verdict: Firing, Severity: OK, Summary: "the job has finished: all its input is read"}
	case flinkapi.JobCanceled, flinkapi.JobCancelling:
		return Finding{Verdict: Firing, Severity: OK, Summary: "the job was canceled"}
	case flinkapi.JobSuspended:
		return Finding{
			Verdict:  Firing,
			Severity: UnknownSeverity,
			Summary:  "the job is suspended: no JobManager leads it now",
		}
	default:
		return fine()
	}
}

func batchRule() Rule {
	return Rule{
		ID: "FD0003", Name: "batch", Title: "a batch job", Stage: StageRunning, Needs: shareSignals(),
		Check: checkBatch,
	}
}

func checkBatch(c *Case) Finding {
	c.note(shareSignals()...)
	blocking := false
	for _, e := range c.job.Edges {
		blocking = blocking || e.Blocking
	}
	if c.job.Type != flinkapi.TypeBatch && !blocking {
		return fine()
	}
	f := Finding{
		Verdict: Firing, Severity: OK,
		Summary: "a batch job: its stages wait for each other by design, so backpressure names nobody",
	}
	if v, ok := c.busiest(); ok {
		f.Summary += "; the busiest stage now is " + c.vertex(v).Name + " at " + FormatRatio(c.shares(v).busy)
	}
	return f
}

// busiest returns the vertex that is busy most; none where nothing fresh is known.
func (c *Case) busiest() (v int, known bool) {
	most := 0.0
	for i := range c.job.Vertices {
		if b, ok := c.shares(i).busy.Float(); ok && b > most && !c.stale() {
			v, most, known = i, b, true
		}
	}
	return v, known
}

func restartLoopRule() Rule {
	return Rule{
		ID: "FD0004", Name: "restart-loop", Title: "the job restarts again and again", Stage: StageRunning,
		Needs: []flinkapi.Signal{flinkapi.RestartCount}, Check: checkRestartLoop,
	}
}

func checkRestartLoop(c *Case) Finding {
	lately, over := c.restarts()
	if c.job.State.Over() {
		return notApplicable("the job is over: its last failure was no restart")
	}
	if lately < c.limits.restarts || over {
		return fine()
	}
	f := Finding{
		Verdict: Firing, Severity: Critical,
		Summary: fmt.Sprintf("the job restarts again and again, %s: %s", c.howOften(lately), c.lastException()),
		Evidence: []Evidence{{
			Signal: flinkapi.RestartCount.String(), Label: "restarts since the job started", Subject: "job",
			Value: c.job.Restarts, Unit: flinkapi.Count, For: true, Age: c.age(),
		}},
		Remedies: []Remedy{{
			Do:   "mend the cause that the exception names",
			Gain: "the job stops reading the same records again",
			Risk: "none; until then each restart adds to the lag",
			Undo: undoMend, Link: recoveryLink,
		}},
		Dont: []string{
			"the shares of time of a job that restarts say busy 100 % everywhere: they name nobody",
			"more parallelism does not help a job that fails",
		},
	}
	if r, is := c.heldInMemory(); is {
		f.Summary += "; " + memoryStorageWhy
		f.Remedies = []Remedy{r}
	}
	f.Remedies = append(f.Remedies, c.longerPause())
	return f
}

// fewerRestarts is how many times as long the pauses of a job that restarts are made.
const fewerRestarts = 10

// longerPause lets a job that restarts again and again wait longer in between, until its cause is mended.
func (c *Case) longerPause() Remedy {
	const key = "restart-strategy.exponential-delay.max-backoff"
	out := Remedy{
		Do: "until then let it wait longer between restarts (the exponential-delay restart strategy)", Key: key,
		From: first(c.setting(key)), Gain: "fewer restarts read the same records again and load what failed",
		Risk: "it stands still for longer after a failure", Undo: c.undo(key), Link: recoveryLink,
	}
	ago := c.w.restartsLately(c.snapshot)
	n := len(ago) - 1
	if n < 1 {
		out.Do += "; how long is not computed, because the time between two restarts is not known"
		return out
	}
	each := ((ago[n] - ago[0]) / time.Duration(n)).Round(time.Second)
	out.To = FormatSpan(fewerRestarts * each)
	out.Gain = fmt.Sprintf("a tenth of the restarts: one in %s at last, not one in %s (%d x %s)", out.To,
		FormatSpan(each), fewerRestarts, FormatSpan(each))
	return out
}

// howOften says how often the job restarted: by Flink's count over the time watched, or where the exceptions
// tell of more, which reach back further, that it was at least as often as they say.
func (c *Case) howOften(told int) string {
	n, over := c.w.restartsCounted(c.snapshot.At)
	switch window := c.limits.restartWindow; {
	case n < told:
		return fmt.Sprintf("at least %s in the last %s", often(told), FormatDuration(window))
	case over >= window:
		return fmt.Sprintf("%s in the last %s", often(n), FormatDuration(window))
	}
	return fmt.Sprintf("%s in %s", often(n), FormatDuration(over))
}

// listedLately tells whether a heartbeat was read since the metrics stand still.
func (c *Case) listedLately() bool {
	return slices.ContainsFunc(c.snapshot.TaskManagers, func(t flinkapi.TaskManager) bool {
		return !t.Heartbeat.IsZero() && c.snapshot.At.Sub(t.AsOf) < c.age()
	})
}

func taskManagerLostRule() Rule {
	return Rule{
		ID: "FD0005", Name: "taskmanager-lost", Title: "a TaskManager does not answer", Stage: StageRunning,
		Check: checkTaskManagerLost,
	}
}

// heartbeatTimeout is after which silence Flink gives a TaskManager up: as configured (milliseconds where no
// unit is given), else by default, which is the same in all versions (HeartbeatManagerOptions).
func (c *Case) heartbeatTimeout() string {
	value, set, known := c.setting("heartbeat.timeout")
	switch n, unit, ok := amount(value); {
	case set && ok && unit == "":
		return FormatSpan(time.Duration(n * float64(time.Millisecond)))
	case set:
		return value
	case known:
		return "50 s by default"
	}
	return "50 s where the configuration, which is not known, sets no other"
}

func checkTaskManagerLost(c *Case) Finding {
	age := c.age()
	tm, silence, silent := c.silent()
	switch {
	case !c.stale():
		return fine()
	case !silent && !c.listedLately():
		return cannotTell("all metrics stand still, and the list of TaskManagers was not read since",
			"heartbeats of the TaskManagers")
	case !silent:
		return fine()
	}
	return Finding{
		Verdict:  Firing,
		Severity: UnknownSeverity,
		Subject:  Subject{Kind: SubjectTaskManager, TaskManager: tm.ID, Name: string(tm.ID)},
		Summary: fmt.Sprintf(
			"TaskManager %s does not answer: last heartbeat %s ago; all metrics stand still, they are %s old",
			tm.ID,
			FormatDuration(silence),
			FormatDuration(age),
		),
		Evidence: []Evidence{
			{
				Signal: "heartbeat-age", Label: "last heartbeat", Subject: string(tm.ID),
				Value: flinkapi.Known(silence.Seconds()), Unit: flinkapi.Seconds, For: true,
			},
			{
				Signal: "metric-age", Label: "age of all metrics", Subject: "job",
				Value: flinkapi.Known(age.Seconds()), Unit: flinkapi.Seconds, For: true,
			},
		},
		Remedies: []Remedy{
			{
				Do: fmt.Sprintf(
					"look at the host of %s: is the process stopped, swapping, or cut off from the network",
					tm.ID,
				),
				Gain: "data moves again; after the heartbeat timeout (" + c.heartbeatTimeout() +
					") Flink restarts its tasks",
				Risk: "none",
				Key:  "heartbeat.timeout",
				Undo: undoLook, Link: settingLink("heartbeat.timeout"),
			},
		},
		Dont:    []string{"the last shares are not shown as if they were now: they say nothing about who is slow"},
		Missing: []string{"fresh metrics of the TaskManagers"},
	}
}
