package lab

import (
	"slices"
	"time"

	"culprit/lab/cluster"
)

// stateful are the jobs that checkpoints, state, time or the TaskManagers tell about.
func stateful() []Scenario {
	return slices.Concat(
		checkpoints(), snapshots(), eventTime(), standing(), backends(), machines(), commonLimits(),
	)
}

// checkpoints are the jobs with slow checkpoints. A failed checkpoint restarts none of them, as that would
// empty the queues in which the barriers wait.
func checkpoints() []Scenario {
	slow := []string{
		"--wait-ms", "50", "--execution.checkpointing.timeout", "60 s",
		"--execution.checkpointing.tolerable-failed-checkpoints", "1000",
	}
	unaligned := append([]string{"--execution.checkpointing.unaligned.enabled", "true"}, slow...)
	barriers, none := culprit("enrich", "external-wait"), culprit("enrich", "external-wait")
	barriers.Findings = []Finding{{Reasons: []string{"checkpoint-barriers"}}}
	none.Never = []string{"checkpoint-barriers"}
	return []Scenario{
		{
			Name: "aligned-slow", Class: "SlowMiddle", Args: slow, Expect: barriers,
			Proof: and(showsShares, checkpointTakes("enrich", waits, atLeast(15))),
		},
		{
			Name: "unaligned-slow", Class: "SlowMiddle", Args: slices.Concat(unaligned, []string{"--parse-all", "1"}),
			Expect: none, Proof: and(showsShares, checkpointTakes("enrich", waits, atMost(5))),
		},
		// Unaligned barriers overtake nothing on the edge from orders to parse.
		{
			Name: "unaligned-forward", Class: "SlowMiddle", Args: unaligned, Expect: barriers,
			Proof: and(showsShares, checkpointTakes("parse", waits, atLeast(8))),
		},
	}
}

// snapshots are calm jobs with one operator whose own part of the checkpoint is slow.
func snapshots() []Scenario {
	slow := func(reason string, proof Proof, args ...string) Scenario {
		return Scenario{Name: reason, Class: "SlowSnapshot", Args: args, Proof: and(free, proof), Expect: Expect{
			Findings: []Finding{{Vertex: "profile", Reasons: []string{reason}}},
			Never:    []string{"checkpoint-barriers"},
		}}
	}
	trend := slow("checkpoint-trend", checkpointsClimb, "--keys", "1000000", "--write-us", "1000",
		"--checkpoint-ms", "5000", "--execution.checkpointing.timeout", "60 s")
	trend.Expect.Findings[0].Vertex = ""
	steady := []Scenario{
		slow("checkpoint-sync", checkpointTakes("profile", syncing, atLeast(3)), "--sync-ms", "4000"),
		slow("checkpoint-async", checkpointTakes("profile", asyncing, atLeast(3)),
			"--keys", "1000", "--write-us", "12000"),
	}
	for i := range steady {
		steady[i].Expect.Never = append(steady[i].Expect.Never, "checkpoint-trend")
	}
	return slices.Concat(steady, []Scenario{trend}, neverDone())
}

// neverDone are calm jobs none of whose checkpoints completes, for what profile does in its asynchronous
// part: where the synchronous part fails, so does the task.
func neverDone() []Scenario {
	return []Scenario{
		{
			Name: "checkpoint-failing", Class: "SlowSnapshot", Proof: and(free, checkpointsFail),
			Args: []string{
				"--broken", "1", "--execution.checkpointing.tolerable-failed-checkpoints", "1000",
			},
			Expect: Expect{
				Findings:   []Finding{{Reasons: []string{"checkpoint-failing"}}},
				Severities: []string{"critical"},
			},
		},
		{
			Name: "checkpoint-stuck", Class: "SlowSnapshot", Args: []string{"--first-ms", "3600000"},
			Proof: and(free, checkpointWaits),
			Expect: Expect{
				Findings: []Finding{{Vertex: "profile", Reasons: []string{"checkpoint-stuck"}}},
				Never:    []string{"checkpoint-barriers", "checkpoint-sync"},
			},
		},
	}
}

// eventTime are the jobs that lag or lose data without being slow.
func eventTime() []Scenario {
	finding := func(reason string) Expect {
		return Expect{Findings: []Finding{{Reasons: []string{reason}}}}
	}
	return []Scenario{
		{
			Name: "held-watermark", Class: "HeldWatermark", Expect: finding("watermark-held"),
			Proof: and(free, writesNothing("sum-per-window"),
				not(grows("sum-per-window", "sum-per-window.currentInputWatermark"))),
		},
		{
			Name: "alignment-hold", Class: "AlignmentHold", Slots: 1, Expect: finding("alignment-hold"),
			Proof: and(free, metric("Source: orders", "watermarkAlignmentDrift", atLeast(1)),
				grows("Source: orders", "pendingRecords")),
		},
		{
			Name: "late-data", Class: "LateData", Expect: finding("late-data"),
			Proof: and(free, grows("sum-per-window", "numLateRecordsDropped")),
		},
	}
}

// standing are the jobs that do not move.
func standing() []Scenario {
	return []Scenario{
		{
			// The rule asks for 3 min without a record, more than a check lasts.
			Name: "stuck", Class: "Stuck", Expect: Expect{JobReasons: []string{"stuck"}}, Before: 2 * time.Minute,
			Proof: and(still("Source: orders"), still("reserve"), stands("reserve", "CountDownLatch.await")),
		},
		{
			Name: "lost-taskmanager", Class: "SlowMiddle",
			Own: &cluster.Config{TaskManagers: 2, SlotsPerTM: 1}, Fault: loseTaskManager, Proof: lost,
			Expect: Expect{JobReasons: []string{"taskmanager-lost", "restart-loop"}},
		},
	}
}

// backends are the jobs that their state or their timers hold back. Without the metrics of RocksDB, which are
// off unless asked for, its stalls are seen in stacks only.
func backends() []Scenario {
	blind := culprit("sessionize", "state-backend", "state-disk", "undetermined")
	blind.Culprits[0].Probable = true
	metrics := map[string]string{}
	for _, name := range []string{
		"is-write-stopped", "actual-delayed-write-rate", "num-running-compactions", "compaction-pending",
		"estimate-pending-compaction-bytes", "mem-table-flush-pending", "num-immutable-mem-table",
		"num-files-at-level", "stall-micros", "block-cache-hit", "block-cache-miss",
	} {
		metrics["state.backend.rocksdb.metrics."+name] = "true"
	}
	measured := cluster.Config{TaskManagers: 1, SlotsPerTM: 1, FileCheckpoints: true, Flink: metrics}
	plain := cluster.Config{TaskManagers: 1, SlotsPerTM: 1, FileCheckpoints: true}
	return []Scenario{
		// The rule asks for checkpoints over 10 min; Flink keeps ten of them.
		{
			Name: "state-growth", Class: "GrowingState", Own: &plain, Slots: 2, Before: 11 * time.Minute,
			Args:   []string{"--per-second", "100", "--checkpoint-ms", "75000", "--parallelism", "1"},
			Expect: Expect{Findings: []Finding{{Vertex: "deduplicate", Reasons: []string{"state-growth"}}}},
			Proof:  and(free, stateGrows(10*time.Minute)),
		},
		{
			Name: "state-backend", Class: "HammeredState", Alone: true, Own: &measured, Slots: 1,
			Expect: culprit("sessionize", "state-backend", "state-disk"),
			Proof: and(showsShares, stands("sessionize", "org.rocksdb.RocksDB"),
				grows("sessionize", "rocksdb_block_cache_miss")),
		},
		{
			Name: "state-backend-blind", Class: "HammeredState", Alone: true, Own: &plain, Slots: 1, Expect: blind,
			Proof: and(showsShares, stands("sessionize", "org.rocksdb.RocksDB")),
		},
		{
			Name: "timers", Class: "TimerStorm", Args: []string{"--hash-rounds", "1000"}, Alone: true, Slots: 1,
			Expect: culprit("expire", "timers"),
			Proof: and(showsShares, metric("expire", "numFiredTimersPerSecond", atLeast(500)),
				stands("expire", "onProcessingTime")),
		},
	}
}
