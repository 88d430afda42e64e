package flinkapi

const (
	perMilli  = 1e-3
	perMicro  = 1e-6
	perNano   = 1e-9
	unchanged = 1
)

// catalogue is a list of every signal, by its number.
type catalogue [signalCount]SignalInfo

func newCatalogue() *catalogue {
	var c catalogue
	c.addCounters()
	c.addGauges()
	c.addOperators()
	c.addConnectors()
	c.addSinkKinds()
	c.addQueues()
	c.addState()
	c.addOthers()
	return &c
}

// addCounters adds the counters of vertices and subtasks.
func (c *catalogue) addCounters() {
	c[BusyTime] = SignalInfo{
		"busy-time", "busy", VertexCounters,
		"accumulated-busy-time", Seconds, perMilli, 116,
	}
	c[BackpressuredTime] = SignalInfo{
		"backpressured-time", "backpressured", VertexCounters,
		"accumulated-backpressured-time", Seconds, perMilli, 116,
	}
	c[IdleTime] = SignalInfo{
		"idle-time", "idle", VertexCounters,
		"accumulated-idle-time", Seconds, perMilli, 116,
	}
	c[RecordsRead] = SignalInfo{
		"records-read", "records in", VertexCounters,
		"read-records", Records, unchanged, 113,
	}
	c[RecordsWritten] = SignalInfo{
		"records-written", "records out", VertexCounters,
		"write-records", Records, unchanged, 113,
	}
	c[BytesRead] = SignalInfo{"bytes-read", "bytes in", VertexCounters, "read-bytes", Bytes, unchanged, 113}
	c[BytesWritten] = SignalInfo{
		"bytes-written", "bytes out", VertexCounters,
		"write-bytes", Bytes, unchanged, 113,
	}
}

// addGauges adds what is reported over the subtasks of a vertex.
func (c *catalogue) addGauges() {
	c[BusyShare] = SignalInfo{
		"busy-share", "busy", SubtaskMetrics,
		"busyTimeMsPerSecond", Ratio, perMilli, 113,
	}
	c[BackpressuredShare] = SignalInfo{
		"backpressured-share", "backpressured", SubtaskMetrics,
		"backPressuredTimeMsPerSecond", Ratio, perMilli, 113,
	}
	c[IdleShare] = SignalInfo{
		"idle-share", "idle", SubtaskMetrics,
		"idleTimeMsPerSecond", Ratio, perMilli, 113,
	}
	c[InPoolUsage] = SignalInfo{
		"in-pool-usage", "input buffers", SubtaskMetrics,
		"Shuffle.Netty.Input.Buffers.inPoolUsage", Ratio, unchanged, 113,
	}
	c[OutPoolUsage] = SignalInfo{
		"out-pool-usage", "output buffers", SubtaskMetrics,
		"Shuffle.Netty.Output.Buffers.outPoolUsage", Ratio, unchanged, 113,
	}
	c[RecordsInRate] = SignalInfo{
		"records-in-rate", "records in", SubtaskMetrics,
		"numRecordsInPerSecond", RecordsPerSecond, unchanged, 113,
	}
	c[RecordsOutRate] = SignalInfo{
		"records-out-rate", "records out", SubtaskMetrics,
		"numRecordsOutPerSecond", RecordsPerSecond, unchanged, 113,
	}
	c[PendingRecords] = SignalInfo{
		"pending-records", "source lag", OperatorMetrics,
		"pendingRecords", Records, unchanged, 114,
	}
}

// addOperators adds what only some operators report. Watermarks are epoch times in seconds; one that has not
// come yet is missing, and an input that has ended has 9.22e15 s.
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/metrics/#io
func (c *catalogue) addOperators() {
	c[HardBackpressuredShare] = SignalInfo{
		"hard-backpressured-share", "backpressured in the middle of a record", OperatorMetrics,
		"hardBackPressuredTimeMsPerSecond", Ratio, perMilli, 115,
	}
	c[InputWatermark] = SignalInfo{
		"input-watermark", "input watermark", OperatorMetrics,
		"currentInputWatermark", Seconds, perMilli, 113,
	}
	c[OutputWatermark] = SignalInfo{
		"output-watermark", "output watermark", OperatorMetrics,
		"currentOutputWatermark", Seconds, perMilli, 113,
	}
	c[LateRecords] = SignalInfo{
		"late-records", "records dropped as late", OperatorMetrics,
		"numLateRecordsDropped", Records, unchanged, 113,
	}
	c[TimersFiredRate] = SignalInfo{
		"timers-fired-rate", "timers fired", OperatorMetrics,
		"numFiredTimersPerSecond", PerSecond, unchanged, 120,
	}
	c[AsyncStateInFlight] = SignalInfo{
		"async-state-in-flight", "records that wait for state", OperatorMetrics,
		"numInFlightRecords", Records, unchanged, 200,
	}
	c[StartDelay] = SignalInfo{
		"start-delay", "start delay of the last checkpoint", OperatorMetrics,
		"checkpointStartDelayNanos", Seconds, perNano, 113,
	}
	c[DebloatedBufferSize] = SignalInfo{
		"debloated-buffer-size", "size that buffers are filled to", OperatorMetrics,
		"debloatedBufferSize", Bytes, unchanged, 114,
	}
}

// addQueues adds what is read of single subtasks alone. A queue is counted in buffers.
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/metrics/#default-shuffle-service
func (c *catalogue) addQueues() {
	c[SoftBackpressuredShare] = SignalInfo{
		"soft-backpressured-share", "backpressured between two records", GaugeMetrics,
		"softBackPressuredTimeMsPerSecond", Ratio, perMilli, 115,
	}
	c[InputQueue] = SignalInfo{
		"input-queue", "buffers that wait to be read", GaugeMetrics,
		"Shuffle.Netty.Input.Buffers.inputQueueLength", Count, unchanged, 113,
	}
	c[OutputQueue] = SignalInfo{
		"output-queue", "buffers that wait to be sent", GaugeMetrics,
		"Shuffle.Netty.Output.Buffers.outputQueueLength", Count, unchanged, 113,
	}
}

// addConnectors adds what sources and sinks report, as far as their connector does (FLIP-33, FLIP-143).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/metrics/#connectors
func (c *catalogue) addConnectors() {
	c[FetchLag] = SignalInfo{
		"fetch-lag", "age of what is fetched", OperatorMetrics,
		"currentFetchEventTimeLag", Seconds, perMilli, 114,
	}
	c[EmitLag] = SignalInfo{
		"emit-lag", "age of what is emitted", OperatorMetrics,
		"currentEmitEventTimeLag", Seconds, perMilli, 114,
	}
	c[SourceIdleTime] = SignalInfo{
		"source-idle-time", "time since the last record", OperatorMetrics,
		"sourceIdleTime", Seconds, perMilli, 114,
	}
	c[AlignmentDrift] = SignalInfo{
		"alignment-drift", "ahead of the watermark group", OperatorMetrics,
		"watermarkAlignmentDrift", Seconds, perMilli, 115,
	}
	c[SendTime] = SignalInfo{
		"send-time", "time of the last send", OperatorMetrics,
		"currentSendTime", Seconds, perMilli, 115,
	}
	c[SendErrors] = SignalInfo{
		"send-errors", "failed sends", OperatorMetrics,
		"numRecordsSendErrors", Records, unchanged, 115,
	}
	c[PendingCommittables] = SignalInfo{
		"pending-committables", "commits that wait", OperatorMetrics,
		"pendingCommittables", Count, unchanged, 116,
	}
	c[UnassignedSplits] = SignalInfo{
		"unassigned-splits", "splits that nobody reads yet", CoordinatorMetrics,
		"unassignedSplits", Count, unchanged, 120,
	}
}

// addSinkKinds adds what only one kind of sink reports, in a group of its own below the operator: Kafka's
// producer in KafkaProducer, Iceberg in IcebergFilesCommitter and IcebergStreamWriter, Paimon in paimon.
// https://kafka.apache.org/documentation/#producer_monitoring,
// https://iceberg.apache.org/docs/latest/flink-writes/#monitoring-metrics,
// https://paimon.apache.org/docs/master/maintenance/metrics/
func (c *catalogue) addSinkKinds() {
	c[KafkaSendRate] = SignalInfo{
		"kafka-send-rate", "records that the Kafka producer sends", OperatorMetrics,
		"record-send-rate", RecordsPerSecond, unchanged, 114,
	}
	c[KafkaThrottleTime] = SignalInfo{
		"kafka-throttle-time", "time that brokers throttle a request", OperatorMetrics,
		"produce-throttle-time-avg", Seconds, perMilli, 114,
	}
	c[KafkaBufferWait] = SignalInfo{
		"kafka-buffer-wait", "time that waits for room in the Kafka producer", OperatorMetrics,
		"bufferpool-wait-ratio", Ratio, unchanged, 114,
	}
	c[KafkaQueueTime] = SignalInfo{
		"kafka-queue-time", "time that a batch waits in the Kafka producer", OperatorMetrics,
		"record-queue-time-avg", Seconds, perMilli, 114,
	}
	c[IcebergCommitTime] = SignalInfo{
		"iceberg-commit-time", "time of the last Iceberg commit", OperatorMetrics,
		"lastCommitDurationMs", Seconds, perMilli, 114,
	}
	c[IcebergFlushTime] = SignalInfo{
		"iceberg-flush-time", "time of the last flush to Iceberg", OperatorMetrics,
		"lastFlushDurationMs", Seconds, perMilli, 114,
	}
	c[PaimonCommitTime] = SignalInfo{
		"paimon-commit-time", "time of the last Paimon commit", OperatorMetrics,
		"lastCommitDuration", Seconds, perMilli, 114,
	}
}

// addState adds what state backends report where it is switched on (state.backend.rocksdb.metrics.* and
// state.latency-track.*).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/deployment/config/#rocksdb-native-metrics
func (c *catalogue) addState() {
	c[WriteStopped] = SignalInfo{
		"write-stopped", "RocksDB has stopped writes", OperatorMetrics,
		"rocksdb_is-write-stopped", Count, unchanged, 113,
	}
	c[DelayedWriteRate] = SignalInfo{
		"delayed-write-rate", "RocksDB's reduced write rate", OperatorMetrics,
		"rocksdb_actual-delayed-write-rate", BytesPerSecond, unchanged, 113,
	}
	c[PendingCompaction] = SignalInfo{
		"pending-compaction", "RocksDB compaction that waits", OperatorMetrics,
		"rocksdb_estimate-pending-compaction-bytes", Bytes, unchanged, 113,
	}
	c[RunningCompactions] = SignalInfo{
		"running-compactions", "RocksDB compactions", OperatorMetrics,
		"rocksdb_num-running-compactions", Count, unchanged, 113,
	}
	c[FlushPending] = SignalInfo{
		"flush-pending", "RocksDB flushes that wait", OperatorMetrics,
		"rocksdb_mem-table-flush-pending", Count, unchanged, 113,
	}
	c[Level0Files] = SignalInfo{
		"level-0-files", "RocksDB files of level 0", OperatorMetrics,
		"rocksdb_num-files-at-level0", Count, unchanged, 120,
	}
	c[WriteStallTime] = SignalInfo{
		"write-stall-time", "time that RocksDB held writes back", OperatorMetrics,
		"rocksdb_stall_micros", Seconds, perMicro, 116,
	}
	c[BlockCacheHits] = SignalInfo{
		"block-cache-hits", "RocksDB cache hits", OperatorMetrics,
		"rocksdb_block_cache_hit", Count, unchanged, 116,
	}
	c[BlockCacheMisses] = SignalInfo{
		"block-cache-misses", "RocksDB cache misses", OperatorMetrics,
		"rocksdb_block_cache_miss", Count, unchanged, 116,
	}
	c[StateGetLatency] = SignalInfo{
		"state-get-latency", "time of a state read, 99th percentile", OperatorMetrics,
		"StateGetLatency_p99", Seconds, perNano, 113,
	}
}

// addOthers adds what belongs to a TaskManager or the whole job.
func (c *catalogue) addOthers() {
	c[CPUTime] = SignalInfo{
		"cpu-time", "TaskManager CPU", TaskManagerMetrics,
		"Status.JVM.CPU.Time", Seconds, perNano, 113,
	}
	c[GCShare] = SignalInfo{
		"gc-share", "garbage collection", TaskManagerMetrics,
		"Status.JVM.GarbageCollector.All.TimeMsPerSecond", Ratio, perMilli, 119,
	}
	c[HeapUsed] = SignalInfo{
		"heap-used", "heap used", TaskManagerMetrics,
		"Status.JVM.Memory.Heap.Used", Bytes, unchanged, 113,
	}
	c[HeapMax] = SignalInfo{
		"heap-max", "heap size", TaskManagerMetrics,
		"Status.JVM.Memory.Heap.Max", Bytes, unchanged, 113,
	}
	c[CPULoad] = SignalInfo{
		"cpu-load", "share of the machine's CPU", TaskManagerMetrics,
		"Status.JVM.CPU.Load", Ratio, unchanged, 113,
	}
	c[ManagedUsed] = SignalInfo{
		"managed-used", "managed memory used", TaskManagerMetrics,
		"Status.Flink.Memory.Managed.Used", Bytes, unchanged, 113,
	}
	c[ManagedMax] = SignalInfo{
		"managed-max", "managed memory", TaskManagerMetrics,
		"Status.Flink.Memory.Managed.Total", Bytes, unchanged, 113,
	}
	c[NetworkUsed] = SignalInfo{
		"network-used", "network memory used", TaskManagerMetrics,
		"Status.Shuffle.Netty.UsedMemory", Bytes, unchanged, 113,
	}
	c[NetworkMax] = SignalInfo{
		"network-max", "network memory", TaskManagerMetrics,
		"Status.Shuffle.Netty.TotalMemory", Bytes, unchanged, 113,
	}
	c[RestartCount] = SignalInfo{"restarts", "restarts", JobMetrics, "numRestarts", Count, unchanged, 113}
}
