package diagnose

import (
	"fmt"
	"strings"
	"time"

	"culprit/flinkapi"
)

func restartedRule() Rule {
	return Rule{
		ID: "FD0908", Name: "restarted", Title: "the job restarted lately", Stage: StageBeside,
		Check: checkRestarted,
	}
}

// checkRestarted tells of a restart that is over: what came of it is judged by the other rules, and many
// of them are a restart loop.
func checkRestarted(c *Case) Finding {
	ago, known := c.restartedAgo()
	if !known || ago > c.limits.restartTold || c.job.State != flinkapi.JobRunning {
		return fine()
	}
	n, more := c.failuresTold()
	if n == 0 && c.w.byRescale(c.snapshot.At.Add(-ago)) {
		return notApplicable("that restart was the rescale, which was seen")
	}
	why := "no exception is known, as after a rescale"
	if n > 0 {
		why = c.lastException()
	}
	f := Finding{
		Verdict: Firing, Severity: OK,
		Summary: fmt.Sprintf("restarted %s ago: %s", FormatDuration(ago), why),
		Evidence: []Evidence{{
			Signal: "restarted-ago", Label: "time since the last restart", Subject: "job",
			Value: flinkapi.Known(ago.Seconds()), Unit: flinkapi.Seconds, For: true, Age: c.age(),
		}},
		Remedies: []Remedy{{
			Do:   "look at what the exception names, before it comes again",
			Gain: "no record is read again", Risk: "none", Undo: undoMend,
			Link: docRoot + "ops/state/task_failure_recovery/",
		}},
		Dont: []string{"the first minute after a restart says little: caches and state are cold"},
	}
	if n > 0 {
		f.Summary += fmt.Sprintf("; %s%s in the last %s", more, FormatThings(n, "restarts"),
			FormatDuration(c.limits.restartTold))
	}
	if r, is := c.heldInMemory(); is {
		f.Severity = Warning
		f.Summary += "; " + memoryStorageWhy
		f.Remedies = []Remedy{r}
	}
	return f
}

// restartedAgo is how long ago the job last restarted, by its exceptions or its states.
func (c *Case) restartedAgo() (ago time.Duration, known bool) {
	at := c.job.EnteredAt[flinkapi.JobRestarting]
	for i := range c.job.Exceptions {
		if e := &c.job.Exceptions[i]; e.At.After(at) {
			at = e.At
		}
	}
	if at.IsZero() {
		return 0, false
	}
	return max(c.job.Now.Sub(at), 0), true
}

// failuresTold counts the failures of the time that is told of; more is "at least " where as many as the
// history holds are among them.
func (c *Case) failuresTold() (n int, more string) {
	for i := range c.w.exceptions {
		if ago := c.job.Now.Sub(c.w.exceptions[i].At); ago <= c.limits.restartTold {
			n++
		}
	}
	if seen := len(c.w.restarts); seen > n && n > 0 {
		n = seen
	}
	if n >= historyRead {
		more = "at least "
	}
	return n, more
}

// historyRead is how many exceptions are read at a time.
const historyRead = 5

// memoryStorageText is what Flink says where state is too large for JobManagerCheckpointStorage
// (org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory).
const (
	memoryStorageText = "maximum permitted memory-backed state"
	memoryStorageWhy  = "checkpoints are kept in the JobManager's memory, which takes 5 MB of state for each " +
		"subtask of an operator: each checkpoint with more fails"
)

// heldInMemory tells whether what failed lately is a checkpoint that is too large for the JobManager's
// memory, and what helps.
func (c *Case) heldInMemory() (r Remedy, is bool) {
	for i := range c.w.exceptions {
		e := &c.w.exceptions[i]
		recent := c.job.Now.Sub(e.At) <= c.limits.restartTold
		is = is || recent && strings.Contains(e.Root+e.Trace, memoryStorageText)
	}
	if c.job.Checkpoints != nil {
		for _, x := range withStatus(c.checkpoints(), flinkapi.CheckpointFailed) {
			is = is || strings.Contains(x.Failure, memoryStorageText)
		}
	}
	if !is {
		return Remedy{}, false
	}
	return c.outOfMemory(), true
}

// outOfMemory takes the checkpoints out of the JobManager's memory.
func (c *Case) outOfMemory() Remedy {
	key := c.key("execution.checkpointing.storage")
	return Remedy{
		Do: "store checkpoints in a file system that all TaskManagers and the JobManager reach, and name it in " +
			c.key("execution.checkpointing.dir"),
		Key: key, From: first(c.setting("execution.checkpointing.storage")), To: "filesystem",
		Gain: "checkpoints complete whatever the size of the state", Risk: "the job must restart for it",
		Undo: c.undo("execution.checkpointing.storage"), Link: settingLink(key),
	}
}
