package diagnose

import (
	"fmt"
	"strconv"
)

func lockRule() Rule {
	return Rule{
		ID:    "FD0805",
		Name:  "lock",
		Title: "the operator waits for a lock that another thread holds",
		Stage: StageNature,
		Needs: natureSignals(),
		Check: checkLock,
	}
}

func checkLock(c *Case) Finding {
	j := c.nature()
	if !j.byLooks {
		return cannotTell("only its threads can tell whether they wait for a lock", j.looks.missing())
	}
	if j.kind != locked {
		return j.other()
	}
	l, v := j.looks, c.subject()
	of := []activity{lockWait}
	summary := "its threads wait for a lock (" + j.because(lockWait) + ")"
	if class, _ := l.tally(of, func(s *sighting) string { return s.lock }); class != "" {
		summary += ", an object of " + class
	}
	if owner, n := l.tally(of, func(s *sighting) string { return s.owner }); owner != "" {
		vertex, _, isTask := TaskOf(owner)
		if !isTask {
			owner = strconv.Quote(owner)
		}
		summary += fmt.Sprintf("; %s held it in %d of them", TaskText(owner), n)
		if isTask && vertex == c.vertex(v).Name {
			summary += ", so its own subtasks take turns"
		}
	}
	return Finding{
		Verdict: Firing, Operator: c.operatorOf(v, l, lockWait), Summary: summary,
		Evidence: c.natureEvidence(&j, true, lockWait),
		Remedies: []Remedy{
			{
				Do: "give each subtask its own object: create the client or the cache in open(), not as a static field",
				Gain: fmt.Sprintf("up to %s of the busy time of its threads, which now goes to waiting",
					FormatRatio(c.looksEvidence(l, lockWait)[0].Value)),
				Risk: "more connections or memory",
				Link: functionsLink,
				Undo: undoCode,
			},
			{
				Do:   "hold the lock for less: do the call outside of it, or use a pool or a concurrent collection",
				Gain: "the time that each thread holds it no longer counts for all",
				Risk: "what it guards must stay consistent",
				Undo: undoCode, Link: functionsLink,
			},
			{
				Do: "run one subtask for each TaskManager process, which then have an object each",
				Key: c.key(
					"taskmanager.numberOfTaskSlots",
				),
				To:   "1",
				From: first(c.setting("taskmanager.numberOfTaskSlots")),
				Gain: "no two subtasks share a static object",
				Risk: "more processes, each with its own memory",
				Undo: c.undo(c.key("taskmanager.numberOfTaskSlots")),
				Link: settingLink("taskmanager.numberOfTaskSlots"),
			},
		},
		Dont: []string{
			"more parallelism on the same TaskManagers does not help: its subtasks would wait for the same lock",
		},
	}
}

func first(value string, _, _ bool) string { return value }
