package diagnose

import (
	"fmt"
	"time"

	"culprit/flinkapi"
)

func jobManagerSlowRule() Rule {
	return Rule{
		ID: "FD0007", Name: "jobmanager-slow", Title: "the JobManager completes checkpoints late",
		Stage: StageBeside, Check: checkJobManagerSlow,
	}
}

func checkJobManagerSlow(c *Case) Finding {
	all := c.checkpoints()
	if c.job.Checkpoints == nil {
		return cannotTell("the checkpoints were not read yet", "the history of checkpoints")
	}
	if !c.job.Checkpoints.Enabled || len(all) == 0 {
		return notApplicable("no checkpoint was taken")
	}
	if last := &all[len(all)-1]; last.Status == flinkapi.CheckpointInProgress && last.Acked >= last.Subtasks &&
		!last.AckedAt.IsZero() {
		if late := c.checkpointsRead().Sub(last.AckedAt); late >= c.limits.completionTime {
			return c.jobManagerSlow(late, fmt.Sprintf("%s acknowledged checkpoint %d %s ago, and it "+
				"has not completed",
				allOf(last.Subtasks, "subtasks"), last.ID, FormatSpan(late)))
		}
	}
	late, n := c.lateStarts(all)
	if n < c.limits.lateCompletions {
		return fine()
	}
	return c.jobManagerSlow(late, fmt.Sprintf(
		"the last %d checkpoints began %s and more after they were due, though all had acknowledged the one before",
		n, FormatSpan(late)))
}

// lateStarts returns how many of the newest checkpoints, one after the other, were triggered late, and by how
// much at least: due is an interval after the one before was triggered and a pause after its last
// acknowledgement, and what comes after is the JobManager's own time.
func (c *Case) lateStarts(all []flinkapi.Checkpoint) (least time.Duration, n int) {
	conf := c.job.Checkpoints
	if _, other, _ := c.setting("execution.checkpointing.interval-during-backlog"); other ||
		!conf.Configured || conf.MaxConcurrent > 1 {
		return 0, 0
	}
	for i := len(all) - 1; i > 0; i-- {
		before, next := &all[i-1], &all[i]
		if before.Status != flinkapi.CheckpointCompleted || before.AckedAt.IsZero() || next.ID != before.ID+1 {
			break
		}
		due := before.TriggeredAt.Add(conf.Interval)
		if free := before.AckedAt.Add(conf.MinPause); free.After(due) {
			due = free
		}
		late := next.TriggeredAt.Sub(due)
		if late < c.limits.completionTime {
			break
		}
		if n++; n == 1 || late < least {
			least = late
		}
	}
	return least, n
}

func (c *Case) jobManagerSlow(late time.Duration, what string) Finding {
	const retained = "execution.checkpointing.num-retained"
	f := Finding{
		Verdict: Firing, Severity: Warning,
		Summary: what + ": the JobManager, or the storage that it writes the checkpoint to, is slow",
		Evidence: []Evidence{{
			Signal: "completion-delay", Label: "from the last acknowledgement on", Subject: "job",
			Value: flinkapi.Known(late.Seconds()), Unit: flinkapi.Seconds, For: true,
		}},
		Remedies: []Remedy{
			{
				Do: "look at the JobManager: its garbage collection, its CPU, and what sources and committers do " +
					"in its main thread",
				Gain: "checkpoints complete when the last subtask has acknowledged", Risk: "none",
				Undo: undoLook, Link: metricsLink + "#garbagecollection",
			},
		},
		Dont: []string{"more parallelism makes it worse: more subtasks acknowledge, more files are kept"},
	}
	if now, set, _ := c.setting(retained); set { // one is the default
		f.Remedies = append(f.Remedies, Remedy{
			Do:  "keep fewer checkpoints",
			Key: c.key(retained), From: now, To: "1",
			Gain: "less to delete after each checkpoint", Risk: "no older checkpoint to go back to",
			Undo: c.undo(c.key(retained)), Link: settingLink(retained),
		})
	}
	return f
}
