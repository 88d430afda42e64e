package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"culprit/flinkapi"
)

// failureCause is what made a checkpoint fail, as far as its message tells.
type failureCause int

const (
	causeUntold failureCause = iota
	causeTimeout
	causeStorage
	causeSnapshot
)

// causeOf reads the message of a failed checkpoint: the words of Flink's CheckpointFailureReason, and those
// of the exceptions that storage throws.
func causeOf(failure string) failureCause {
	text := strings.ToLower(failure)
	for _, known := range []struct {
		cause failureCause
		words []string
	}{
		{causeTimeout, []string{"expired before completing", "checkpoint expired"}},
		{causeStorage, []string{
			"io-problem", "ioexception", "failure to finalize checkpoint", "no space left", "could not flush",
			"accessdenied", "access denied", "amazons3exception", "remoteexception", "filenotfoundexception",
		}},
		{causeSnapshot, []string{
			"asynchronous task checkpoint failed", "checkpoint was declined", "channelstate file",
			"could not complete snapshot", "could not materialize checkpoint",
		}},
	} {
		if slices.ContainsFunc(known.words, func(w string) bool { return strings.Contains(text, w) }) {
			return known.cause
		}
	}
	return causeUntold
}

// failingRemedies are what helps against the cause of a failed checkpoint.
func (c *Case) failingRemedies(x *flinkapi.Checkpoint) []Remedy {
	var out []Remedy
	timeout := c.job.Checkpoints.Timeout
	switch cause := causeOf(x.Failure); {
	case cause == causeTimeout || cause == causeUntold && timeout > 0 && x.Duration >= timeout:
		out = c.expiredRemedies(x)
	case cause == causeStorage:
		out = []Remedy{c.storageFrom(nil), c.declinedBy(x)}
	case strings.Contains(c.job.Checkpoints.Storage, "JobManager"):
		out = []Remedy{c.outOfMemory(), c.declinedBy(x)}
	default:
		out = []Remedy{c.declinedBy(x)}
	}
	return append(out, c.tolerate()...)
}

// expiredRemedies are those for a checkpoint that took longer than it may.
func (c *Case) expiredRemedies(x *flinkapi.Checkpoint) []Remedy {
	const key = "execution.checkpointing.timeout"
	var out []Remedy
	if a, known := c.dissect(x); known && c.dominant(&a) == phaseBarrier {
		v, how := c.blamed(&a)
		out = append([]Remedy{c.cureFirst(v, how)}, c.unalignedRemedies(c.job.Checkpoints, &a, v, how)...)
	} else if known && len(a.missing) > 0 {
		out = append(out, c.dump(&a.missing[0],
			fmt.Sprintf("while the next checkpoint hangs as checkpoint %d did, take a thread dump", x.ID)))
	}
	if timeout := c.job.Checkpoints.Timeout; timeout > 0 {
		out = append(out, Remedy{
			Do: "win time until the cause is mended", Key: key,
			From: FormatSpan(timeout), To: FormatSpan(2 * timeout),
			Gain: "slow checkpoints complete", Risk: "the job must restart for it", Undo: c.undo(key),
			Link: settingLink(key),
		})
	}
	return out
}

// storageFrom looks at the storage that checkpoints are written to, from some TaskManagers, or from all and
// the JobManager.
func (c *Case) storageFrom(on []flinkapi.TaskManagerID) Remedy {
	const dir = "execution.checkpointing.dir"
	r := Remedy{
		Do: "see that the JobManager and all TaskManagers can write to the checkpoint storage: its credentials, " +
			"quota, free space and latency",
		Key: c.key(dir), Gain: "checkpoints complete again", Risk: "none, to look", Undo: undoLook,
		Link: checkpointDoc("checkpoints/#checkpoint-storage"),
	}
	if len(on) > 0 {
		r.Do = "see how fast the host of " + taskManagersText(on) + " writes to the checkpoint storage: all " +
			"others have written their part"
		r.Gain = "tells a slow way to the storage from a call that does not return"
	}
	return r
}

// declinedBy says where Flink tells which subtask made a checkpoint fail, and by what exception.
func (c *Case) declinedBy(x *flinkapi.Checkpoint) Remedy {
	return Remedy{
		Do: fmt.Sprintf("find the exception in the JobManager's log: \"Decline checkpoint %d by task\" names the "+
			"subtask and its TaskManager, \"Failed to trigger or complete checkpoint %d\" what failed in the "+
			"JobManager itself", x.ID, x.ID),
		Key:  fmt.Sprintf("/jobs/%s/checkpoints/details/%d", c.job.ID, x.ID),
		Gain: "names the call to mend; with that the job gets a point to recover to again", Risk: "none",
		Link: checkpointDoc("checkpoint_monitoring/"), Undo: undoLook,
	}
}

// runsOn are the TaskManagers of some subtasks of a vertex, each once, in their order.
func (c *Case) runsOn(v int, subtasks []int) []flinkapi.TaskManagerID {
	var out []flinkapi.TaskManagerID
	all := c.vertex(v).Subtasks
	for _, i := range subtasks {
		at := slices.IndexFunc(all, func(s flinkapi.Subtask) bool { return s.Index == i })
		if at >= 0 && all[at].TaskManager != "" && !slices.Contains(out, all[at].TaskManager) {
			out = append(out, all[at].TaskManager)
		}
	}
	return out
}
