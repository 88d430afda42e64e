package diagnose

import "strings"

// How remedies that set nothing are taken back. A remedy never leaves that open: where nothing is to be
// undone it says so.
const (
	undoLook   = "nothing to undo: it only looks"
	undoWait   = "nothing to undo: nothing is changed"
	undoMend   = "nothing to undo: what is mended stays so"
	undoCode   = "start the version of the job from before the change, from a savepoint"
	undoRekey  = "keep a savepoint from before the change: only the old version of the job can read it"
	undoThere  = "set it back in that system"
	undoSetter = "set it back to what it was"
)

// Pages of Flink's documentation of the stable version that several remedies lead to. Headings become
// anchors there, and settings theirs by settingLink.
const (
	configLink    = docRoot + "deployment/config/"
	watermarkLink = docRoot + "dev/datastream/event-time/generating_watermarks/"
	// ForSt is tuned as RocksDB is.
	rocksDBDoc       = docRoot + "ops/state/large_state_tuning/#tuning-rocksdb-or-forst"
	pressureLink     = docRoot + "ops/monitoring/back_pressure/"
	flameLink        = docRoot + "ops/debugging/flame_graphs/"
	threadDumpLink   = docRoot + "ops/rest_api/#taskmanagers-taskmanagerid-thread-dump"
	metricsLink      = docRoot + "ops/metrics/"
	asyncLink        = docRoot + "dev/datastream/operators/asyncio/"
	sourcesLink      = docRoot + "dev/datastream/sources/"
	sinksLink        = docRoot + "connectors/datastream/overview/"
	recoveryLink     = docRoot + "ops/state/task_failure_recovery/"
	resumeLink       = docRoot + "ops/state/checkpoints/#resuming-from-a-retained-checkpoint"
	partitioningLink = docRoot + "dev/datastream/operators/overview/#physical-partitioning"
	chainingLink     = docRoot + "dev/datastream/operators/overview/#task-chaining-and-resource-groups"
	parallelLink     = docRoot + "dev/datastream/execution/parallel/"
	functionsLink    = docRoot + "dev/datastream/user_defined_functions/#rich-functions"
	typesLink        = docRoot + "dev/datastream/fault-tolerance/serialization/types_serialization/"
	keyedLink        = docRoot + "dev/datastream/fault-tolerance/state/#keyed-datastream"
	windowsLink      = docRoot + "dev/datastream/operators/windows/"
	tuningLink       = docRoot + "dev/table/tuning/"
	tableConfigLink  = docRoot + "dev/table/config/"
	loggingLink      = docRoot + "deployment/advanced/logging/"
	heapLink         = docRoot + "deployment/memory/mem_trouble/#outofmemoryerror-java-heap-space"
	networkLink      = docRoot + "deployment/memory/network_mem_tuning/"
	pressedLink      = docRoot + "ops/state/checkpointing_under_backpressure/"
)

// settingLink leads to a setting by its newest name: Flink's page of settings has an anchor for each.
func settingLink(name string) string {
	return configLink + "#" + strings.ToLower(strings.ReplaceAll(name, ".", "-"))
}
