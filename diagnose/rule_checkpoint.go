package diagnose

import (
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

// checkpointRules are those of rung 5: first whether checkpoints fail or will, then why they are slow.
func checkpointRules() []Rule {
	return []Rule{
		checkpointFailingRule(), checkpointTrendRule(), checkpointStuckRule(),
		checkpointBarriersRule(), checkpointSyncRule(), checkpointAsyncRule(),
	}
}

// checkpointLimits are the thresholds of rung 5.
type checkpointLimits struct {
	checkpointLeast, checkpointLong, syncLong time.Duration
	checkpointPart, intervalShare             float64
	timeoutShare, blockedShare, partialAcks   float64
	alignedPart                               float64
	failuresOf, failuresLeast                 int
	partialAge                                float64
	trendPoints, trendMost                    int
	trendOrder, trendGrowth, trendReach       float64
	trendHorizon, trendUrgent, trendSpan      time.Duration
	debloatedLeast, storeRate                 float64
}

func (t *thresholds) checkpointEntries() []entry {
	return []entry{
		span(
			&t.checkpointLeast,
			"checkpoint-least",
			3*time.Second,
			"a checkpoint that takes less is never told of",
		),
		span(&t.checkpointLong, "checkpoint-long", 10*time.Second,
			"how long a barrier waits before it is told of; a running checkpoint is looked into from then on"),
		portion(&t.checkpointPart, "checkpoint-part", 0.5,
			"share of a checkpoint's time from which one of its parts is its reason"),
		ratio(&t.intervalShare, "interval-share", 0.5, "share of the checkpoint interval that counts as slow"),
		portion(&t.timeoutShare, "timeout-share", 0.8, "share of the checkpoint timeout that is critical"),
		span(
			&t.syncLong,
			"sync-long",
			time.Second,
			"how long a snapshot blocks its subtask before it is told of",
		),
		portion(&t.alignedPart, "aligned-part", 0.25,
			"share of the barrier's wait up to which a time is offered for which checkpoints stay aligned"),
		portion(&t.blockedShare, "blocked-share", 0.1,
			"share of all time that snapshots block their subtask from which that is a warning"),
		portion(&t.partialAcks, "partial-acks", 0.25,
			"share of a vertex's subtasks up to which those without acknowledgement are few; one always is"),
		factor(&t.partialAge, "partial-age", 3,
			"how many times the usual a checkpoint must have been running to be told to wait for those few"),
		count(&t.failuresOf, "failures-of", 5, "how many of the newest checkpoints are looked at for failures"),
		count(&t.failuresLeast, "failures-least", 2, "failed ones of those that are told of though the newest "+
			"completed"),
		count(&t.trendPoints, "trend-points", 5, "least number of checkpoints for a trend"),
		count(&t.trendMost, "trend-most", 10, "how many of the newest checkpoints a trend is formed over"),
		portion(&t.trendOrder, "trend-order", 0.5, "Kendall's tau above which durations climb"),
		ratio(
			&t.trendGrowth,
			"trend-growth",
			0.2,
			"least growth over those checkpoints, relative to their median",
		),
		factor(&t.trendReach, "trend-reach", 30, "how many times the time watched a trend may look ahead"),
		span(&t.trendSpan, "trend-span", 10*time.Minute,
			"time watched from which reaching the interval is told of"),
		span(
			&t.trendHorizon,
			"trend-horizon",
			6*time.Hour,
			"time left to the timeout below which a trend is told of",
		),
		span(
			&t.trendUrgent,
			"trend-urgent",
			30*time.Minute,
			"time left to the timeout below which it is critical",
		),
		ratio(&t.debloatedLeast, "debloated-least", 1024,
			"bytes below which debloated buffers are too small for a record"),
		ratio(&t.storeRate, "store-rate", 1e6,
			"bytes a second of a checkpoint's upload below which the storage is slow, not the state large"),
	}
}

// checkpointing returns what is known of the job's checkpoints; where that is nothing, end says why.
func (c *Case) checkpointing() (cp *flinkapi.Checkpoints, end Finding, ok bool) {
	cp = c.job.Checkpoints
	switch {
	case cp == nil:
		return nil, cannotTell("the checkpoints were not read yet", "the checkpoint history"), false
	case !cp.Enabled || cp.Configured && cp.Interval <= 0:
		return nil, notApplicable(
			"checkpointing is off: after a failure the job begins anew, from nothing",
		), false
	}
	return cp, Finding{}, true
}

// attempt returns the checkpoints since the job last began to run, oldest first, without savepoints: before
// that, queues and caches were others.
func (c *Case) attempt() []flinkapi.Checkpoint {
	from := c.job.EnteredAt[flinkapi.JobRunning]
	listed := c.job.Checkpoints.History
	return slices.DeleteFunc(c.checkpoints(), func(x flinkapi.Checkpoint) bool {
		running := slices.ContainsFunc(listed, func(h flinkapi.Checkpoint) bool {
			return h.ID == x.ID && h.Status == flinkapi.CheckpointInProgress
		})
		return x.TriggeredAt.Before(from) || x.Status == flinkapi.CheckpointInProgress && !running
	})
}

func withStatus(all []flinkapi.Checkpoint, status string) []flinkapi.Checkpoint {
	var out []flinkapi.Checkpoint
	for i := range all {
		if all[i].Status == status {
			out = append(out, all[i])
		}
	}
	return out
}

// checkpointAge is how long a checkpoint took; of one that runs, how long it had been running when it was
// read: it may have completed right after.
func (c *Case) checkpointAge(x *flinkapi.Checkpoint) time.Duration {
	if read := c.checkpointsRead(); x.Status == flinkapi.CheckpointInProgress && !read.IsZero() {
		return max(x.Duration, read.Sub(x.TriggeredAt))
	}
	return x.Duration
}

// checkpointsRead is when the checkpoints were read, by the JobManager's clock.
func (c *Case) checkpointsRead() time.Time {
	if c.job.Checkpoints == nil {
		return c.job.Now
	}
	return c.job.NowAt(c.job.Checkpoints.Read)
}

// runningCheckpoint returns the oldest checkpoint that runs, or nil.
func runningCheckpoint(all []flinkapi.Checkpoint) *flinkapi.Checkpoint {
	i := slices.IndexFunc(
		all,
		func(x flinkapi.Checkpoint) bool { return x.Status == flinkapi.CheckpointInProgress },
	)
	if i < 0 {
		return nil
	}
	return &all[i]
}

// usual is the median duration of the last three completed checkpoints, of two the shorter: one slow one
// among fast ones does not move it. It is unknown before two have completed.
func usual(all []flinkapi.Checkpoint) (d time.Duration, known bool) {
	done := withStatus(all, flinkapi.CheckpointCompleted)
	if len(done) < 2 {
		return 0, false
	}
	var last []time.Duration
	for _, x := range done[max(len(done)-3, 0):] {
		last = append(last, x.Duration)
	}
	slices.Sort(last)
	return last[(len(last)-1)/2], true
}

// tooSlow tells whether a duration is long beside the interval between two checkpoints.
func (c *Case) tooSlow(d time.Duration) bool {
	interval := c.job.Checkpoints.Interval
	share := time.Duration(c.limits.intervalShare * float64(interval))
	return d >= c.limits.checkpointLeast && interval > 0 && d >= share
}

// atRiskOfTimeout tells whether a duration comes near the checkpoint timeout.
func (c *Case) atRiskOfTimeout(d time.Duration) bool {
	timeout := c.job.Checkpoints.Timeout
	return timeout > 0 && d >= time.Duration(c.limits.timeoutShare*float64(timeout))
}

// slowness grades checkpoints that take that long.
func (c *Case) slowness(d time.Duration) Severity {
	if c.atRiskOfTimeout(d) {
		return Critical
	}
	return Warning
}

// heldBack tells whether a vertex is held back now.
func (c *Case) heldBack(v int) bool {
	return c.shares(v).backpressured.Or(0) >= c.limits.high
}

// behindPressure tells whether a vertex or one above it is held back now, so that records wait before it.
func (c *Case) behindPressure(v int) bool {
	if c.heldBack(v) {
		return true
	}
	for u, yes := range c.g.above(v) {
		if yes && c.heldBack(u) {
			return true
		}
	}
	return false
}

// restorePoint says how far apart checkpoints come that take d, where that is further than is asked for.
func (c *Case) restorePoint(d time.Duration) string {
	interval := c.job.Checkpoints.Interval
	const clearly = 1.1
	if interval <= 0 || d.Seconds() < clearly*interval.Seconds() {
		return ""
	}
	return ", so one comes every " + FormatSpan(d+c.job.Checkpoints.MinPause) +
		" and not every " + FormatSpan(interval)
}

// crashRisk says what the next failed checkpoint does to the job.
func (c *Case) crashRisk() string {
	n, known := c.job.Checkpoints.TolerableFailures.Float()
	switch {
	case known && n == 0 && c.noneCompleted():
		return "the next checkpoint that fails restarts the job, from its start or the savepoint it was started " +
			"from, since no checkpoint has completed"
	case known && n == 0:
		return "the next checkpoint that fails restarts the job, which reads all since the last good one again"
	case known:
		return "more than " + FormatThings(int(n), "failures") + " in a row restart the job"
	}
	return ""
}

// noneCompleted tells whether no checkpoint of the job has completed, in the history or before it.
func (c *Case) noneCompleted() bool {
	done := withStatus(c.checkpoints(), flinkapi.CheckpointCompleted)
	return c.job.Checkpoints.Completed == 0 && len(done) == 0
}

// tolerate is the remedy that keeps a slow checkpoint from restarting the job; none where that is so already.
func (c *Case) tolerate() []Remedy {
	n, known := c.job.Checkpoints.TolerableFailures.Float()
	if !known || n > 0 {
		return nil
	}
	return []Remedy{
		{
			Do:   "let the job survive some failed checkpoints",
			Key:  "execution.checkpointing.tolerable-failed-checkpoints",
			From: "0",
			To:   "3",
			Gain: "a slow checkpoint no longer restarts the job, which would make the backlog larger",
			Risk: "the last good checkpoint is older after a failure; more is read again",
			Undo: "set it back to 0",
			Link: settingLink("execution.checkpointing.tolerable-failed-checkpoints"),
		},
	}
}

func checkpointDoc(section string) string {
	return docRoot + "ops/state/" + section
}

// durationEvidence is a part of a checkpoint's time as evidence, as of its end or of now.
func (c *Case) durationEvidence(
	x *flinkapi.Checkpoint,
	signal, label, subject string,
	d time.Duration,
) Evidence {
	age := time.Duration(0)
	if end := x.TriggeredAt.Add(
		c.checkpointAge(x),
	); x.Status != flinkapi.CheckpointInProgress &&
		c.job.Now.After(end) {
		age = c.job.Now.Sub(end)
	}
	return Evidence{
		Signal: signal, Label: label, Subject: subject,
		Value: flinkapi.Known(d.Seconds()), Unit: flinkapi.Seconds, For: true, Age: age,
	}
}

// partSubject is the subject of a finding about some subtasks of a vertex.
func (c *Case) partSubject(v int, subtasks []int) Subject {
	s := c.vertexSubject(v)
	s.Subtasks = subtasks
	return s
}

// uncounted tells whether Flink itself does not hold a failed checkpoint against the job: the job was
// stopping, starting or restarting (CheckpointFailureReason, CheckpointFailureManager).
func uncounted(failure string) bool {
	return slices.ContainsFunc([]string{
		"not all required tasks are currently running", "is not being executed at the moment",
		"tasks not ready", "task is closing", "coordinator is suspending", "coordinator shutdown",
		"the job has failed", "task has failed", "task local checkpoint failure", "is restarting",
		"has been subsumed", "from newer checkpoint", "cancellation from one of its inputs",
		"one input stream is finished", "scheduler is shut down", "minimum time between checkpoints",
		"maximum number of",
	}, func(part string) bool { return strings.Contains(strings.ToLower(failure), part) })
}
