package lab

import "slices"

// stateful are the jobs that checkpoints, state, time or the TaskManagers tell about.
func stateful() []Scenario {
	return slices.Concat(checkpoints())
}

// checkpoints are the jobs with slow checkpoints. A failed checkpoint restarts none of them, as that would
// empty the queues in which the barriers wait.
func checkpoints() []Scenario {
	slow := []string{
		"--wait-ms", "50", "--execution.checkpointing.timeout", "60 s",
		"--execution.checkpointing.tolerable-failed-checkpoints", "1000",
	}
	aligned, unaligned := culprit("enrich", "external-wait"), culprit("enrich", "external-wait")
	aligned.Findings = []Finding{{Reasons: []string{"checkpoint-barriers"}}}
	unaligned.Never = []string{"checkpoint-barriers"}
	return []Scenario{
		{Name: "aligned-slow", Class: "SlowMiddle", Args: slow, Expect: aligned},
		{
			Name: "unaligned-slow", Class: "SlowMiddle", Expect: unaligned,
			Args: append([]string{"--execution.checkpointing.unaligned.enabled", "true"}, slow...),
		},
	}
}
