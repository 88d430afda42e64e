package diagnose

import "culprit/flinkapi"

// sinkKind is a kind of system that sinks write to: how it is recognised, and what helps there.
type sinkKind struct {
	// name is what follows "writes to".
	name string
	// marks are in the names of the sink's operators or of its table, in small letters and without what parts
	// words.
	marks []string
	// metrics are those that only this kind registers.
	metrics []sinkMetric
	// holds names what bounds the records that it keeps in memory; empty where that is not known.
	holds string
	// waiting and computing are the remedies of the kind for a sink that waits and for one that computes.
	waiting, computing []Remedy
	// dont is what does not help with this kind.
	dont []string
}

// sinkKinds are those that can be recognised; files come last, since others store in them. The defaults are
// those of the connectors' documentation. JDBC, searches and the AWS services report nothing that others do
// not, too.
func sinkKinds() []sinkKind {
	return []sinkKind{lakeSink(), searchSink(), awsSink(), kafkaSink(), jdbcSink(), fileSink()}
}

const connectors = docRoot + "connectors/"

func jdbcSink() sinkKind {
	const link = connectors + "table/jdbc/"
	return sinkKind{
		name: "a database over JDBC", holds: "sink.buffer-flush.max-rows",
		marks: []string{
			"jdbc", "mysql", "mariadb", "postgres", "postgresql", "oracle", "sqlserver", "mssql", "tidb",
			"oceanbase", "db2",
		},
		waiting: []Remedy{
			{
				Do: "let the driver send a batch as one statement: rewriteBatchedStatements=true in the URL of MySQL " +
					"and MariaDB, reWriteBatchedInserts=true in that of PostgreSQL",
				Key: "rewriteBatchedStatements", From: byDefault("false"), To: "true",
				Gain: "one round trip per batch instead of one per row: many times the rows where the network is the " +
					"wait",
				Risk: "errors name the batch, no longer the row", Undo: "take it out of the URL", Link: link,
			},
			{
				Do:  "write larger batches (DataStream: JdbcExecutionOptions, withBatchSize, 5000 by default)",
				Key: "sink.buffer-flush.max-rows", From: byDefault("100"), To: "1000 to 5000",
				Gain: "fewer round trips and commits per row", Undo: undoSetter, Link: link,
				Risk: "larger transactions and longer locks; more rows are written again after a failure",
			},
			{
				Do: "where rows are only appended, leave the primary key out of the table's definition in the job: " +
					"with one, each row is an upsert, which the database looks up first",
				Gain: "plain inserts", Risk: "rows that are written again after a failure stand there twice",
				Undo: "put the primary key back", Link: link,
			},
			{
				Do:   "look for locks, missing or too many indexes and the commit latency of the table that is written",
				Link: link,
				Gain: "what the database gains; only then do more subtasks of the sink help",
				Risk: "each further subtask holds a connection and can wait for the others' locks",
				Undo: undoThere,
			},
		},
		dont: []string{
			"a longer sink.buffer-flush.interval does not help a sink that is always busy: its batches are full " +
				"before",
		},
	}
}

func kafkaSink() sinkKind {
	const link = connectors + "datastream/kafka/"
	return sinkKind{
		name: "Kafka", marks: []string{"kafka", "redpanda"}, holds: "buffer.memory",
		// KAFKA_PRODUCER_METRIC_NAME of org.apache.flink.connector.kafka.sink.KafkaWriter.
		metrics: []sinkMetric{{flinkapi.KafkaSendRate, "KafkaProducer"}},
		waiting: []Remedy{
			{
				Do:  "let the producer form larger batches: linger.ms of 20 to 100 and a larger batch.size",
				Key: "batch.size", From: byDefault("16384 bytes"), To: "131072 to 524288 bytes",
				Gain: "fewer requests per record at the brokers", Undo: "set both back", Link: link,
				Risk: "each record waits up to linger.ms; more memory (buffer.memory, 32 MB per producer by default)",
			},
			{
				Do: "compress the batches", Key: "compression.type", From: byDefault("none"), To: "lz4",
				Gain: "less network and disk at the brokers", Risk: "some CPU in the sink", Undo: undoSetter,
				Link: link,
			},
			{
				Do: "look at the brokers: produce throttling by quota, request latency, acks and replicas, and whether " +
					"the topic has enough partitions",
				Gain: "the sink takes what the brokers gain", Risk: "more partitions change which one a key is in",
				Undo: "more partitions cannot be taken back; set the others back there", Link: link,
			},
		},
		computing: []Remedy{
			{
				Do: "choose a cheaper serialization or compression (lz4 instead of gzip)", Key: "compression.type",
				Gain: "CPU per record", Risk: "larger messages", Link: link,
				Undo: undoSetter,
			},
		},
		dont: []string{
			"a shorter checkpoint interval does not speed up an exactly-once sink: it only commits more often",
			"transaction.timeout.ms must stay above the longest checkpoint plus a restart, or data is lost",
		},
	}
}

func searchSink() sinkKind {
	const link = connectors + "table/elasticsearch/"
	return sinkKind{
		name: "a search index", marks: []string{"elasticsearch", "opensearch", "searchindex"},
		holds: "sink.bulk-flush.max-actions, sink.bulk-flush.max-size",
		waiting: []Remedy{
			{
				Do:  "send larger bulk requests, with sink.bulk-flush.max-size (2mb) raised along",
				Key: "sink.bulk-flush.max-actions", From: byDefault("1000"), To: "2000 to 10000",
				Gain: "fewer requests per document", Undo: undoSetter, Link: link,
				Risk: "more memory in the index's nodes; more documents are written again after a failure",
			},
			{
				Do: "let the index refresh less often while it takes so much", Key: "index.refresh_interval",
				From: byDefault("1s"), To: "30s", Gain: "less work per document in the index", Undo: undoSetter,
				Risk: "documents are found later",
				Link: connectors + "datastream/elasticsearch/",
			},
			{
				Do:  "retry rejected requests with growing pauses instead of failing",
				Key: "sink.bulk-flush.backoff.strategy", From: byDefault("DISABLED"), To: "EXPONENTIAL",
				Gain: "no restarts by a full queue of the index", Risk: "hides that the index is too small", Link: link,
				Undo: "set it to DISABLED",
			},
		},
		dont: []string{
			"more subtasks of the sink do not help while the index rejects requests: its queue is full already",
		},
	}
}

func awsSink() sinkKind {
	const link = connectors + "table/kinesis/"
	return sinkKind{
		name: "an AWS service with quotas", holds: "sink.requests.max-buffered, setMaxBufferedRequests",
		marks: []string{"kinesis", "dynamodb", "firehose", "sqs", "timestream"},
		waiting: []Remedy{
			{
				Do: "look at the quota first: write throttling, hot shards or partitions (a Kinesis shard takes 1 MB " +
					"or 1000 records a second); add shards or capacity",
				Gain: "throughput grows with the shards", Risk: "cost; records of one partition key stay in one shard",
				Undo: "take shards or capacity away again", Link: link,
			},
			{
				Do:  "where nothing is throttled, allow more requests at a time (DataStream: setMaxInFlightRequests, 50)",
				Key: "sink.requests.max-inflight", From: byDefault("16"), To: "50 or more",
				Gain: "throughput of a subtask = requests in flight x batch / time of a send", Undo: undoSetter,
				Link: link,
				Risk: "more records are sent again after a failure; order changes on retries",
			},
			{
				Do:  "fill the batches (Kinesis and Firehose take up to 500 records, DynamoDB 25)",
				Key: "sink.batch.max-size", Gain: "fewer requests per record", Link: link,
				Risk: "a batch waits up to sink.flush-buffer.timeout (5 s)",
				Undo: undoSetter,
			},
		},
		dont: []string{
			"more requests in flight do not help once the service throttles: the sink then lowers them by itself",
		},
	}
}

func lakeSink() sinkKind {
	return sinkKind{
		name: "a table format",
		marks: []string{
			"iceberg", "hudi", "hoodie", "paimon", "deltasink", "bucketwrite", "streamwrite", "appendwrite",
			"compacttask", "globalcommitter",
		},
		// org.apache.iceberg.flink.sink.IcebergFilesCommitterMetrics and IcebergStreamWriterMetrics,
		// org.apache.paimon.operation.metrics.CommitMetrics.
		metrics: []sinkMetric{
			{flinkapi.IcebergCommitTime, "IcebergFilesCommitter"},
			{flinkapi.IcebergFlushTime, "IcebergStreamWriter"},
			{flinkapi.PaimonCommitTime, "paimon"},
		},
		waiting: []Remedy{
			{
				Do: "compare the sink's parallelism with the number of buckets that are written: further subtasks get " +
					"nothing (Hudi write.tasks and hoodie.bucket.index.num.buckets, Paimon sink.parallelism and bucket)",
				Gain: "throughput up to the number of buckets", Risk: "changing buckets rewrites the table",
				Undo: "set the old parallelism; buckets take another rewrite", Link: sinksLink,
			},
			{
				Do: "commit less often: lengthen the checkpoint interval", Key: "execution.checkpointing.interval",
				Gain: "larger files, fewer commits and less metadata per record", Undo: undoSetter,
				Risk: "data becomes visible later, and more of it is processed again after a failure",
				Link: settingLink("execution.checkpointing.interval"),
			},
			{
				Do: "take compaction out of the writing job: a job of its own (Paimon write-only: true, Hudi " +
					"compaction.async.enabled: false with a compaction service)",
				Gain: "the writer no longer waits for merges", Risk: "readers see more small files until the other job " +
					"ran",
				Undo: "switch the compaction of the writing job on again", Link: sinksLink,
			},
		},
		computing: []Remedy{
			{
				Do: "write changes instead of rewriting files: Hudi MERGE_ON_READ, Iceberg equality deletes, Paimon " +
					"with fewer changelog steps (changelog-producer)",
				Key: "table.type", From: byDefault("COPY_ON_WRITE"), To: "MERGE_ON_READ",
				Gain: "no whole file is rewritten for one row", Risk: "reading gets dearer until compaction",
				Undo: "write another table; the type of a table stays as it is", Link: sinksLink,
			},
			{
				Do: "look for sorting in the write path and for Kryo in stack samples (Iceberg's shuffle by statistics " +
					"before its own serializer)",
				Gain: "several times the throughput in public reports", Risk: "an upgrade of the connector",
				Link: "https://github.com/apache/iceberg/pull/11557",
				Undo: "start the old version of the connector, from a savepoint",
			},
		},
		dont: []string{
			"more subtasks than buckets write nothing",
			"checkpoints every few seconds make files of a few records: that slows writers and readers",
		},
	}
}

func fileSink() sinkKind {
	const link = connectors + "datastream/filesystem/"
	return sinkKind{
		name: "files",
		marks: []string{
			"filesink", "filesystem", "streamingfile", "partitioncommitter", "hdfs", "s3", "gcs", "oss",
			"parquet", "orc", "compactor",
		},
		waiting: []Remedy{
			{
				Do: "look at the storage: latency and rate limits of the object store, and how many files are open at " +
					"a time; send each partition to one subtask where there are many",
				Key: "sink.shuffle-by-partition.enable", From: byDefault("false"), To: "true",
				Gain: "fewer and larger files and uploads", Risk: "a large partition makes one subtask hot", Link: link,
				Undo: "set it to false",
			},
			{
				Do: "roll larger files, less often (formats such as Parquet roll at each checkpoint: lengthen its " +
					"interval)",
				Key: "sink.rolling-policy.file-size", From: byDefault("128MB"),
				Gain: "fewer uploads and renames per record",
				Risk: "data becomes visible later", Undo: undoSetter, Link: link,
			},
			{
				Do:   "give compaction more subtasks, or do it outside the job (auto-compaction: false)",
				Gain: "the writer no longer waits for the compactor", Risk: "readers see small files until it ran",
				Link: link,
				Undo: "set it to true again",
			},
		},
		computing: []Remedy{
			{
				Do:   "choose a cheaper compression (Snappy, LZ4 or Zstandard at a low level instead of gzip)",
				Gain: "CPU per record", Risk: "larger files", Link: link,
				Undo: undoSetter,
			},
		},
	}
}

// asyncSink is a sink that sends requests in the background (org.apache.flink.connector.base.sink), to
// whatever.
func asyncSink() sinkKind {
	const link = "https://cwiki.apache.org/confluence/display/FLINK/FLIP-171%3A+Async+Sink"
	return sinkKind{
		name: "an asynchronous sink", holds: "sink.requests.max-buffered, setMaxBufferedRequests",
		waiting: []Remedy{
			{
				Do: "where the system behind it does not throttle, allow more requests at a time (DataStream: " +
					"setMaxInFlightRequests)",
				Key:  "sink.requests.max-inflight",
				Gain: "throughput of a subtask = requests in flight x batch / time of a send", Undo: "set it back",
				Risk: "more load there; more records are sent again after a failure", Link: link,
			},
			{
				Do:  "fill the batches (DataStream: setMaxBatchSize; setMaxBufferedRequests must be larger)",
				Key: "sink.batch.max-size", Gain: "fewer requests per record", Undo: "set it back", Link: link,
				Risk: "larger requests; a batch waits up to setMaxTimeInBufferMS",
			},
		},
		dont: []string{
			"more requests in flight do not help once the service throttles: the sink then lowers them by itself, " +
				"and raises them slowly (FLINK-25793)",
		},
	}
}

// anySink is what helps whatever is written to.
func anySink() sinkKind {
	return sinkKind{
		waiting: []Remedy{
			{
				Do: "write in larger batches, or with more requests in flight", Gain: "fewer waits per record",
				Risk: "more records are written again after a failure",
				Undo: undoSetter, Link: sinksLink,
			},
			{
				Do: "raise the parallelism of the sink alone (setParallelism, of a table sink.parallelism) while that " +
					"system has room, and watch the records per second of a subtask: when they fall with more " +
					"subtasks, that system is the limit; how much is not computed, because what room it has is not " +
					"known",
				Gain: "throughput grows with the subtasks up to that limit",
				Risk: "more connections and load there", Undo: undoSetter,
				Link: parallelLink, scales: true,
			},
		},
	}
}
