package diagnose

import "slices"

// Settings are the keys of the cluster's configuration that the rules read or compare, under all their names.
// Of what else a cluster has set, nothing needs to be kept.
func Settings() []string {
	return slices.Concat(jobSettings(), stateSettings(), workerSettings())
}

// jobSettings are those of jobs, their checkpoints and tables, and of the cluster around them.
func jobSettings() []string {
	return []string{
		"cluster.evenly-spread-out-slots",
		"execution.async-state.total-buffer-size",
		"execution.buffer-timeout",
		"execution.buffer-timeout.interval",
		"execution.checkpointing.aligned-checkpoint-timeout",
		"execution.checkpointing.alignment-timeout",
		"execution.checkpointing.dir",
		"execution.checkpointing.incremental",
		"execution.checkpointing.interval",
		"execution.checkpointing.interval-during-backlog",
		"execution.checkpointing.num-retained",
		"execution.checkpointing.storage",
		"execution.checkpointing.timeout",
		"execution.checkpointing.tolerable-failed-checkpoints",
		"execution.checkpointing.unaligned",
		"execution.checkpointing.unaligned.enabled",
		"execution.checkpointing.unaligned.interruptible-timers.enabled",
		"heartbeat.timeout",
		"kubernetes.cluster-id",
		"kubernetes.taskmanager.cpu.amount",
		"kubernetes.taskmanager.cpu.limit-factor",
		"pipeline.generic-types",
		"pipeline.jobvertex-parallelism-overrides",
		"pipeline.max-parallelism",
		"pipeline.object-reuse",
		"pipeline.operator-chaining",
		"pipeline.operator-chaining.enabled",
		"pipeline.registered-kryo-types",
		"pipeline.serialization-config",
		"rest.flamegraph.enabled",
		"restart-strategy.exponential-delay.max-backoff",
		"table.exec.async-lookup.buffer-capacity",
		"table.exec.async-lookup.output-mode",
		"table.exec.mini-batch.size",
		"table.exec.source.idle-timeout",
		"table.exec.state.ttl",
		"table.optimizer.agg-phase-strategy",
		"table.optimizer.distinct-agg.split.enabled",
	}
}

// stateSettings are those of state, where it is kept and written to.
func stateSettings() []string {
	return []string{
		"state.backend",
		"state.backend.incremental",
		"state.backend.latency-track.keyed-state-enabled",
		"state.backend.rocksdb.checkpoint.transfer.thread.num",
		"state.backend.rocksdb.localdir",
		"state.backend.rocksdb.memory.partitioned-index-filters",
		"state.backend.rocksdb.thread.num",
		"state.backend.rocksdb.use-bloom-filter",
		"state.backend.rocksdb.writebuffer.size",
		"state.backend.type",
		"state.checkpoint-storage",
		"state.checkpoints.dir",
		"state.checkpoints.num-retained",
		"state.latency-track.keyed-state-enabled",
	}
}

// workerSettings are those of TaskManagers.
func workerSettings() []string {
	return []string{
		"taskmanager.cpu.cores",
		"taskmanager.load-balance.mode",
		"taskmanager.memory.managed.fraction",
		"taskmanager.memory.managed.size",
		"taskmanager.memory.min-segment-size",
		"taskmanager.memory.network.max",
		"taskmanager.memory.framework.heap.size",
		"taskmanager.memory.task.heap.size",
		"taskmanager.network.adaptive-partitioner.enabled",
		"taskmanager.network.memory.buffer-debloat.enabled",
		"taskmanager.network.memory.floating-buffers-per-gate",
	}
}
