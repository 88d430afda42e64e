package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

func checkpointFailingRule() Rule {
	return Rule{
		ID: "FD0505", Name: "checkpoint-failing", Title: "checkpoints fail", Stage: StageCheckpoints,
		Needs: needs(shareSignals(), rateSignals(), stallSignals()), Check: checkCheckpointFailing,
	}
}

func checkCheckpointFailing(c *Case) Finding {
	_, end, ok := c.checkpointing()
	if !ok {
		return end
	}
	over := c.judged()
	over = over[max(len(over)-c.limits.failuresOf, 0):]
	failed := withStatus(over, flinkapi.CheckpointFailed)
	if len(over) == 0 {
		return cannotTell("no checkpoint is over yet")
	}
	if over[len(over)-1].Status != flinkapi.CheckpointFailed && len(failed) < c.limits.failuresLeast {
		return fineBy(fewFailed(len(failed), len(over)))
	}
	last := failed[len(failed)-1]
	f := Finding{
		Verdict:  Firing,
		Severity: Critical,
		Summary:  manyFailed(len(failed), len(over)) + ": " + c.whyFailed(&last),
		Evidence: []Evidence{
			{
				Signal:  "checkpoints-failed",
				Label:   "failed, of the last " + FormatThings(len(over), "checkpoints"),
				Subject: "job",
				Value:   flinkapi.Known(float64(len(failed))),
				Unit:    flinkapi.Count,
				For:     true,
				Age:     c.endedAgo(&last),
			},
		},
	}
	risk := c.crashRisk()
	if risk == "" || !c.noneCompleted() {
		f.Summary += "; " + c.lastGood()
	}
	if risk != "" {
		f.Summary += "; " + risk
	}
	f.Remedies = c.failingRemedies(&last)
	if v := c.expiredBehind(&last); v >= 0 {
		f.causedBy = c.job.Vertices[v].ID
		f.Remedies[0] = c.cureFirst(v, blameCulprit)
	}
	if r, is := c.heldInMemory(); is {
		f.Summary += "; " + memoryStorageWhy
		f.Remedies = []Remedy{r}
	}
	dont := "a restart by hand now begins again from the last checkpoint that completed"
	if c.noneCompleted() {
		dont = "a restart by hand now begins again from the start of the job: no checkpoint has completed"
	}
	f.Dont = []string{dont}
	return f
}

// manyFailed says how many of the newest checkpoints failed, where that is told of.
func manyFailed(failed, of int) string {
	if of == 1 {
		return "the only checkpoint that is over failed"
	}
	return fmt.Sprintf("%d of the last %d checkpoints failed", failed, of)
}

// fewFailed says how many of the newest checkpoints failed, where that is no matter.
func fewFailed(failed, of int) string {
	switch {
	case failed == 0 && of == 1:
		return "the only checkpoint that is over did not fail"
	case failed == 0:
		return fmt.Sprintf("none of the last %d checkpoints failed", of)
	}
	return fmt.Sprintf("%d of the last %d checkpoints failed, and the newest did not", failed, of)
}

// expiredBehind is the culprit in whose queues the barriers waited until a checkpoint expired, -1 where it
// failed otherwise, or who had not acknowledged is not known.
func (c *Case) expiredBehind(x *flinkapi.Checkpoint) int {
	a, ok := c.dissect(x)
	if !ok || len(a.missing) == 0 || !strings.Contains(strings.ToLower(x.Failure), "expired") ||
		!c.behindPressure(a.missing[0].vertex) {
		return -1
	}
	return c.holder(a.missing[0].vertex)
}

// judged are the checkpoints that completed, or failed by themselves, oldest first. A failure often restarts
// the job, so those before a restart count, too.
func (c *Case) judged() []flinkapi.Checkpoint {
	return slices.DeleteFunc(c.checkpoints(), func(x flinkapi.Checkpoint) bool {
		return x.Status != flinkapi.CheckpointCompleted &&
			(x.Status != flinkapi.CheckpointFailed || uncounted(x.Failure))
	})
}

// whyFailed is the failure's message, with who had not acknowledged.
func (c *Case) whyFailed(x *flinkapi.Checkpoint) string {
	why := x.Failure
	if why == "" {
		why = "Flink gives no reason"
	}
	if a, ok := c.dissect(x); ok && len(a.missing) > 0 {
		first := &a.missing[0]
		why += fmt.Sprintf(" (%d of %s acknowledged; the first without is %s)", x.Acked,
			FormatThings(x.Subtasks, "subtasks"), c.vertex(first.vertex).Name)
	}
	return why
}

func (c *Case) endedAgo(x *flinkapi.Checkpoint) time.Duration {
	end := x.TriggeredAt.Add(x.Duration)
	if !x.FailedAt.IsZero() {
		end = x.FailedAt
	}
	return max(c.job.Now.Sub(end), 0)
}

// lastGood says how old the newest completed checkpoint is: what a failure now would read again.
func (c *Case) lastGood() string {
	done := withStatus(c.checkpoints(), flinkapi.CheckpointCompleted)
	switch {
	case c.noneCompleted():
		return "none has completed"
	case len(done) == 0:
		return "the last good one is older than the history that Flink keeps"
	}
	return "the last good one is " + FormatSpan(c.checkpointsRead().Sub(done[len(done)-1].TriggeredAt)) + " old"
}

func checkpointStuckRule() Rule {
	return Rule{
		ID:    "FD0506",
		Name:  "checkpoint-stuck",
		Title: "a checkpoint waits for few subtasks",
		Stage: StageCheckpoints,
		Needs: needs(shareSignals(), rateSignals()),
		Check: checkCheckpointStuck,
	}
}

func checkCheckpointStuck(c *Case) Finding {
	_, end, ok := c.checkpointing()
	if !ok {
		return end
	}
	all := c.attempt()
	x := runningCheckpoint(all)
	if x == nil || c.checkpointAge(x) < c.limits.checkpointLong || x.Acked >= x.Subtasks {
		return fine()
	}
	age := c.checkpointAge(x)
	typical, settled := usual(all)
	if !settled {
		typical = c.limits.checkpointLong
	}
	if float64(age) < c.limits.partialAge*float64(typical) {
		return fine()
	}
	a, known := c.dissect(x)
	if !known {
		return cannotTell("a checkpoint runs for long, and who has not acknowledged was not read yet",
			"the running checkpoint by subtask")
	}
	if len(a.missing) != 1 || !c.few(&a.missing[0]) {
		return fine()
	}
	m := &a.missing[0]
	if still := c.standsStill(m); still || !c.behindPressure(m.vertex) {
		return c.waitsFor(x, m, still)
	}
	return fine() // its barrier waits among the records
}

func (c *Case) waitsFor(x *flinkapi.Checkpoint, m *missingAcks, still bool) Finding {
	age, name := c.checkpointAge(x), c.vertex(m.vertex).Name
	on := c.runsOn(m.vertex, m.subtasks)
	f := Finding{
		Verdict:  Firing,
		Severity: c.slowness(age),
		Subject:  c.partSubject(m.vertex, m.subtasks),
		Summary: fmt.Sprintf(
			"a checkpoint has been running for %s and waits for %s of %s alone: %d of %d have acknowledged",
			FormatSpan(age),
			subtasksText(m),
			name,
			x.Acked,
			x.Subtasks,
		),
		Evidence: []Evidence{c.durationEvidence(x, "checkpoint-duration", "checkpoint, so far", "job", age)},
		Remedies: append([]Remedy{
			c.dump(m, "take a thread dump"),
			c.storageFrom(on),
		}, c.tolerate()...),
		Dont: []string{"unaligned checkpoints do not help: the other subtasks have acknowledged already"},
	}
	if len(on) == 1 {
		f.Subject.TaskManager = on[0]
	}
	if still {
		f.Summary += ", and it reads no records"
	}
	if timeout := c.job.Checkpoints.Timeout; timeout > 0 {
		f.Summary += "; it fails after " + FormatSpan(timeout)
	}
	if risk := c.crashRisk(); risk != "" {
		f.Summary += "; " + risk
	}
	return f
}

// dump looks at what subtasks that do not acknowledge a checkpoint wait for. The synchronous part runs in the
// subtask's own thread, which handles no records meanwhile, the asynchronous one in a thread of a pool
// (org.apache.flink.streaming.runtime.tasks.StreamTask).
func (c *Case) dump(m *missingAcks, when string) Remedy {
	on := c.runsOn(m.vertex, m.subtasks)
	where := "in a thread called AsyncOperations-thread, which writes snapshots, else in its own " +
		"thread for snapshotState or flush"
	if c.standsStill(m) {
		where = "in its own thread for snapshotState, flush or close"
	}
	return Remedy{
		Do: fmt.Sprintf("%s of %s, where %s of %s runs, and look %s",
			when, taskManagersText(on), subtasksText(m), c.vertex(m.vertex).Name, where),
		Key:  dumpPath(on),
		Gain: "shows the call that does not return",
		Risk: "the TaskManager stops for some 100 ms",
		Link: threadDumpLink,
		Undo: undoLook,
	}
}

func subtasksText(m *missingAcks) string {
	if len(m.subtasks) == 0 {
		return FormatThings(m.count, "subtasks")
	}
	return "subtask " + list(m.subtasks)
}

// few tells whether the subtasks without acknowledgement are few of their vertex.
func (c *Case) few(m *missingAcks) bool {
	return m.count == 1 || float64(m.count) <= c.limits.partialAcks*float64(c.vertex(m.vertex).Parallelism)
}

// standsStill tells whether subtasks are known to handle no records, and are not idle.
func (c *Case) standsStill(m *missingAcks) bool {
	_, rates := c.rates(m.vertex)
	c.note(shareSignals()...)
	for _, i := range m.subtasks {
		if i >= len(rates) {
			return false
		}
		r := rates[i].rate()
		in, okIn := r.in.Float()
		out, okOut := r.out.Float()
		busy, _ := rates[i].busy.float()
		if !okIn || !okOut || in > 0 || out > 0 || busy < c.limits.busy {
			return false
		}
	}
	return len(m.subtasks) > 0
}
