package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Memory sizes one TaskManager, in MiB. Zero means the default.
type Memory struct {
	// TaskHeap is what user code and heap state may use (default 384).
	TaskHeap int
	// Network holds the buffers between tasks, 32 KiB each (default 256).
	Network int
	// Managed is for RocksDB and for batch sorting (default 64).
	Managed int
}

// Config says which cluster to start. The zero value is one TaskManager with eight slots.
type Config struct {
	// Version is the Flink version, 1.19 or later (default 2.3.0).
	Version      string
	TaskManagers int
	SlotsPerTM   int
	Memory       Memory
	// FileCheckpoints keeps checkpoints in files of the cluster's folder. Without it they stay in the
	// JobManager's memory, which takes 5 MB a state.
	FileCheckpoints bool
	// Nice lowers the priority of the JVMs, from 0 (default) to 19, for a cluster beside one that needs its
	// core.
	Nice int
	// Cores is how many cores the TaskManagers may use together, by taskset, which Linux has; 0 for all.
	Cores int
	// LinkRate is how many bytes a second TaskManagers can send to each other in one direction; 0 for as many as
	// the machine can.
	LinkRate int
	// KeepLogs leaves logs and configuration in Logs when the cluster is stopped.
	KeepLogs bool
	// Flink holds further Flink options; they win over the lab's own. Without
	// metrics.fetcher.update-interval the JobManager fetches metrics every 10 s, as it does for most users.
	Flink map[string]string
}

// Fixed sizes in MiB: small, as a lab machine runs several processes.
const (
	jobManagerHeap    = 512
	metaspace         = 256
	frameworkHeap     = 64
	frameworkOffHeap  = 128
	jvmOverhead       = 64
	jobManagerProcess = 1200
)

func (c Config) withDefaults() Config {
	c.Version = orString(c.Version, "2.3.0")
	c.TaskManagers = orInt(c.TaskManagers, 1)
	c.SlotsPerTM = orInt(c.SlotsPerTM, 8)
	c.Memory.TaskHeap = orInt(c.Memory.TaskHeap, 384)
	c.Memory.Network = orInt(c.Memory.Network, 256)
	c.Memory.Managed = orInt(c.Memory.Managed, 64)
	return c
}

func orInt(value, otherwise int) int {
	if value == 0 {
		return otherwise
	}
	return value
}

func orString(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

// place is where a cluster lives: its two fixed ports and its folder for temporary files.
type place struct {
	restPort int
	rpcPort  int
	tmp      string
}

// render gives the text of config.yaml. Flink's start scripts compute the memory figures; without them every
// one of them must be set, or the TaskManager refuses to start.
func (c Config) render(at place) string {
	options := map[string]string{
		"rest.address":                               "localhost",
		"rest.bind-address":                          "localhost",
		"rest.port":                                  strconv.Itoa(at.restPort),
		"jobmanager.rpc.address":                     "localhost",
		"jobmanager.bind-host":                       "localhost",
		"jobmanager.rpc.port":                        strconv.Itoa(at.rpcPort),
		"jobmanager.memory.process.size":             mib(jobManagerProcess),
		"taskmanager.host":                           "localhost",
		"taskmanager.bind-host":                      "localhost",
		"taskmanager.numberOfTaskSlots":              strconv.Itoa(c.SlotsPerTM),
		"taskmanager.cpu.cores":                      strconv.Itoa(c.SlotsPerTM),
		"taskmanager.memory.task.heap.size":          mib(c.Memory.TaskHeap),
		"taskmanager.memory.task.off-heap.size":      mib(0),
		"taskmanager.memory.framework.heap.size":     mib(frameworkHeap),
		"taskmanager.memory.managed.size":            mib(c.Memory.Managed),
		"taskmanager.memory.network.min":             mib(c.Memory.Network),
		"taskmanager.memory.network.max":             mib(c.Memory.Network),
		"taskmanager.memory.jvm-metaspace.size":      mib(metaspace),
		"taskmanager.memory.jvm-overhead.min":        mib(jvmOverhead),
		"taskmanager.memory.jvm-overhead.max":        mib(jvmOverhead),
		"io.tmp.dirs":                                at.tmp,
		"pekko.ask.timeout":                          "60 s", // 10 s fails deployments on a busy machine
		"web.tmpdir":                                 at.tmp,
		"taskmanager.memory.framework.off-heap.size": mib(frameworkOffHeap),
	}
	if c.FileCheckpoints {
		options["execution.checkpointing.dir"] = "file://" + at.tmp + "/checkpoints"
	}
	maps.Copy(options, c.Flink)
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(options)) {
		fmt.Fprintf(&text, "%s: %s\n", key, strconv.Quote(options[key]))
	}
	return text.String()
}

func mib(n int) string { return strconv.Itoa(n) + "m" }

// javaArgs gives the arguments of java for a process of the cluster, up to and without the main class.
func javaArgs(dist Distribution, heapMiB, directMiB int, log4j, logFile string) []string {
	args := []string{
		fmt.Sprintf("-Xms%dm", heapMiB/2),
		fmt.Sprintf("-Xmx%dm", heapMiB),
		fmt.Sprintf("-XX:MaxDirectMemorySize=%dm", directMiB),
		fmt.Sprintf("-XX:MaxMetaspaceSize=%dm", metaspace),
		"-Dlog.file=" + logFile,
		"-Dlog4j.configurationFile=" + log4j,
		"--add-exports=java.base/sun.net.util=ALL-UNNAMED",
	}
	for _, name := range openPackages() {
		args = append(args, "--add-opens=java.base/"+name+"=ALL-UNNAMED")
	}
	return append(args, "-cp", dist.Lib+"/*")
}

// openPackages lists the packages of java.base that Flink reads by reflection; Java 17 refuses unless told.
func openPackages() []string {
	return []string{
		"java.lang", "java.lang.reflect", "java.net", "java.io", "java.nio", "java.text", "java.time", "java.util",
		"java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks", "sun.nio.ch",
	}
}

// log4jConfig writes each process's log to the file that -Dlog.file names.
func log4jConfig() string {
	return `rootLogger.level = INFO
rootLogger.appenderRef.file.ref = File
appender.file.name = File
appender.file.type = File
appender.file.fileName = ${sys:log.file}
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d{HH:mm:ss,SSS} %-5p %c{1} - %m%n
`
}
