package diagnose

import "strings"

// activity is what a task thread was seen to do.
type activity int

// The activities. The first two are left out of every share: the thread has nothing to do, or it is held
// back.
const (
	noInput activity = iota
	outputBlocked
	remoteCall    // in a socket
	otherThread   // waits for what another thread brings: a future, a queue, a latch
	sleeping      // waits for time to pass
	unknownWait   // waits, the frames do not tell for what
	diskAccess    // reads or writes a file
	lockWait      // waits for a lock that another thread holds
	asyncFull     // as many asynchronous calls run as may
	asyncSinkFull // as many requests of an asynchronous sink run as may
	stateAccess   // in RocksDB or ForSt
	serializing   // copies, writes or reads records for Flink
	pythonProcess // hands records to a Python process, or waits for it
	parsing       // JSON, XML, Avro, regular expressions, columns of a file
	compressing   // packs or unpacks
	writingLog    // in a logging library
	computing     // in other code
	activityCount
)

// said is an activity as part of a sentence about an operator: "it waits in a network call".
func (a activity) said() string {
	return [activityCount]string{
		noInput: "has no input", outputBlocked: "is held back", remoteCall: "waits in a network call",
		otherThread: "waits for another thread's answer", sleeping: "sleeps", unknownWait: "waits",
		diskAccess: "reads or writes files", lockWait: "waits for a lock",
		asyncFull:     "waits for room among its asynchronous calls",
		asyncSinkFull: "waits for room among its requests", stateAccess: "accesses state",
		serializing:   "serializes records",
		pythonProcess: "waits for its Python process", parsing: "parses or formats",
		compressing: "compresses", writingLog: "writes log lines", computing: "computes",
	}[a]
}

// framePattern says what a thread does that is in such a frame.
type framePattern struct {
	// class is the start of the class's name; a "*" stands for anything, and then the rest is its end.
	class string
	// methods are those that count, by their start; empty for all.
	methods []string
	does    activity
}

func (p *framePattern) matches(class, method string) bool {
	start, end, both := strings.Cut(p.class, "*")
	if !strings.HasPrefix(class, start) || both && !strings.HasSuffix(class, end) {
		return false
	}
	for _, m := range p.methods {
		if strings.HasPrefix(method, m) {
			return true
		}
	}
	return len(p.methods) == 0
}

func pattern(does activity, class string, methods ...string) framePattern {
	return framePattern{class, methods, does}
}

// leafPatterns tell what the innermost frames do, those of the JDK above which other code begins. The first
// that fits any of them counts: older JDKs read sockets through FileDispatcherImpl.
func leafPatterns() []framePattern {
	return []framePattern{
		pattern(writingLog, "java.io.PrintStream"),
		pattern(remoteCall, "java.net.Socket"),
		pattern(remoteCall, "java.net.PlainSocketImpl"),
		pattern(remoteCall, "java.net.AbstractPlainSocketImpl"),
		pattern(remoteCall, "java.net.Inet*AddressImpl"),
		pattern(remoteCall, "sun.nio.ch.Socket"),
		pattern(remoteCall, "sun.nio.ch.NioSocketImpl"),
		pattern(remoteCall, "sun.nio.ch.Net", "poll", "connect"),
		pattern(remoteCall, "sun.nio.ch.EPoll"),
		pattern(
			remoteCall,
			"sun.nio.ch.SelectorImpl",
		),
		pattern(remoteCall, "sun.security.ssl.SSLSocketInputRecord"),
		pattern(lockWait, "java.util.concurrent.locks.Reentrant", "lock"),
		pattern(lockWait, "java.util.concurrent.locks.StampedLock", "readLock", "writeLock"),
		pattern(otherThread, "java.util.concurrent.CompletableFuture", "get", "join", "waitingGet", "timedGet"),
		pattern(otherThread, "java.util.concurrent.FutureTask", "get", "awaitDone"),
		pattern(otherThread, "java.util.concurrent.ForkJoinTask", "awaitDone", "externalAwaitDone"),
		pattern(otherThread, "java.util.concurrent.CountDownLatch", "await"),
		pattern(otherThread, "java.util.concurrent.Semaphore", "acquire", "tryAcquire"),
		pattern(otherThread, "java.util.concurrent.*Queue"),
		pattern(otherThread, "java.util.concurrent.*Deque"),
		pattern(otherThread, "java.util.concurrent.CyclicBarrier", "await", "dowait"),
		pattern(otherThread, "java.util.concurrent.locks.*ConditionObject", "await"),
		pattern(otherThread, "java.lang.Thread", "join"),
		pattern(otherThread, "java.lang.Object", "wait"),
		pattern(otherThread, "java.lang.ProcessImpl", "waitFor"),
		pattern(sleeping, "java.lang.Thread", "sleep"),
		pattern(sleeping, "java.util.concurrent.locks.LockSupport", "parkNanos", "parkUntil"),
		pattern(otherThread, "java.util.concurrent.locks.LockSupport", "park"),
		pattern(otherThread, "jdk.internal.misc.Unsafe", "park"),
		pattern(otherThread, "sun.misc.Unsafe", "park"),
		pattern(diskAccess, "java.io.File"),
		pattern(diskAccess, "java.io.RandomAccessFile"),
		pattern(diskAccess, "java.io.UnixFileSystem"),
		pattern(diskAccess, "sun.nio.ch.*FileDispatcherImpl"),
		pattern(diskAccess, "sun.nio.ch.FileChannelImpl"),
		pattern(diskAccess, "sun.nio.fs."),
		pattern(serializing, "java.io.ObjectOutputStream"),
		pattern(serializing, "java.io.ObjectInputStream"),
		pattern(compressing, "java.util.zip."),
		pattern(parsing, "java.util.regex."),
		pattern(parsing, "java.text."),
		pattern(parsing, "java.time.format."),
		pattern(parsing, "com.sun.org.apache.xerces."),
		pattern(parsing, "javax.xml."),
	}
}

// codePatterns tell what other frames do: those of Flink and of libraries, up to the user's own. The
// innermost that fits counts, and one of weak activities only where no other does.
func codePatterns() []framePattern {
	return []framePattern{
		pattern(outputBlocked, "org.apache.flink.runtime.io.network.buffer.LocalBufferPool",
			"requestMemorySegmentBlocking", "requestBufferBuilderBlocking", "requestBufferBlocking"),
		pattern(outputBlocked, "org.apache.flink.runtime.io.network.partition.BufferWritingResultPartition",
			"requestNew"),
		pattern(stateAccess, "org.rocksdb."),
		pattern(stateAccess, "org.forstdb."),
		pattern(stateAccess, "org.apache.flink.contrib.streaming.state."), // RocksDB's until 1.20
		pattern(
			stateAccess,
			"org.apache.flink.state.rocksdb.",
		),
		pattern(stateAccess, "org.apache.flink.state.forst."),
		pattern(serializing, "com.esotericsoftware.kryo."),
		pattern(serializing, "com.twitter.chill."),
		pattern(serializing, "org.apache.flink.*Serializer"),
		pattern(serializing, "org.apache.flink.core.memory.DataInputDeserializer"),
		pattern(serializing, "org.apache.flink.runtime.io.network.api.serialization."),
		pattern(serializing, "org.apache.flink.api.java.typeutils.runtime."),
		pattern(pythonProcess, "org.apache.beam."),
		pattern(pythonProcess, "org.apache.flink.streaming.api.runners.python."),
		pattern(writingLog, "org.apache.logging.log4j."),
		pattern(writingLog, "org.apache.log4j."),
		pattern(writingLog, "ch.qos.logback."),
		pattern(writingLog, "org.slf4j."),
		pattern(compressing, "org.xerial.snappy."),
		pattern(compressing, "net.jpountz."),
		pattern(compressing, "com.github.luben.zstd."),
		pattern(compressing, "io.airlift.compress."),
		pattern(compressing, "org.apache.hadoop.io.compress."),
		pattern(parsing, "com.fasterxml.jackson."),
		pattern(parsing, "org.apache.flink.shaded.jackson"),
		pattern(
			parsing,
			"com.google.gson.",
		),
		pattern(parsing, "com.alibaba.fastjson"),
		pattern(parsing, "org.json."),
		pattern(parsing, "com.google.protobuf."),
		pattern(parsing, "org.apache.avro."),
		pattern(parsing, "org.apache.parquet."),
		pattern(parsing, "org.apache.orc."),
		pattern(parsing, "org.apache.flink.formats."),
		pattern(parsing, "org.apache.flink.avro."),
	}
}

// yieldPatterns tell who lets the mailbox work while it waits for room.
func yieldPatterns() []framePattern {
	return []framePattern{
		pattern(asyncFull, "org.apache.flink.*AsyncWaitOperator"),
		pattern(asyncFull, "org.apache.flink.table.runtime.operators.join.lookup."),
		pattern(asyncSinkFull, "org.apache.flink.connector.base.sink.writer."),
		pattern(stateAccess, "org.apache.flink.runtime.asyncprocessing."),
		pattern(stateAccess, "org.apache.flink.*AsyncExecutionController"),
	}
}

// libraries are the starts of well-known classes that are neither the JDK's, Flink's nor the user's.
func libraries() []string {
	return strings.Fields(`
		akka. ch.qos.logback. clojure. com.alibaba.fastjson com.amazonaws. com.couchbase. com.datastax.
		com.esotericsoftware. com.fasterxml. com.github.benmanes.caffeine. com.github.luben.zstd.
		com.google.common. com.google.gson. com.google.protobuf. com.jayway.jsonpath.
		com.microsoft.sqlserver. com.mongodb. com.mysql. com.twitter.chill. com.zaxxer.hikari. feign.
		io.airlift. io.confluent. io.grpc. io.lettuce. io.netty. io.vertx. kotlin. kotlinx. net.jpountz.
		net.sf.jsqlparser. ognl. okhttp3. okio. oracle.jdbc. oracle.net. org.apache.avro. org.apache.beam.
		org.apache.calcite. org.apache.cassandra. org.apache.commons. org.apache.hadoop. org.apache.hc.
		org.apache.http. org.apache.hudi. org.apache.iceberg. org.apache.kafka. org.apache.log4j.
		org.apache.logging. org.apache.orc. org.apache.paimon. org.apache.parquet. org.apache.pulsar.
		org.apache.thrift. org.asynchttpclient. org.eclipse.jetty. org.elasticsearch. org.forstdb. org.json.
		org.mariadb. org.opensearch. org.postgresql. org.redisson. org.rocksdb. org.slf4j.
		org.springframework. org.xerial. pemja. reactor. redis.clients. retrofit2. scala. software.amazon.
	`)
}

// weak tells whether an activity gives way to one that is seen further out: Avro below a serializer of Flink
// serializes.
func (a activity) weak() bool { return a == parsing || a == compressing }

// owner tells whose code a frame is.
type owner int

const (
	ofUser owner = iota
	ofLibrary
	ofFlink
	ofJDK
)

func inJDK(class string) bool { return hasPrefix(class, "java.", "javax.", "jdk.", "sun.", "com.sun.") }

func (t *frameTables) ownerOf(class string) owner {
	switch {
	case inJDK(class):
		return ofJDK
	case hasPrefix(class, "org.apache.flink."):
		return ofFlink
	case hasPrefix(class, t.libraries...):
		return ofLibrary
	}
	return ofUser
}

func hasPrefix(text string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// frameTables are the tables by which frames are told, made once for many stacks.
type frameTables struct {
	leaf, code, yields []framePattern
	libraries          []string
}

func newFrameTables() *frameTables {
	return &frameTables{leafPatterns(), codePatterns(), yieldPatterns(), libraries()}
}
