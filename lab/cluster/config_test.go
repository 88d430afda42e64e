package cluster

import (
	"slices"
	"strings"
	"testing"
)

func rendered(t *testing.T, config Config) map[string]string {
	t.Helper()
	options := map[string]string{}
	for line := range strings.Lines(config.withDefaults().render(place{restPort: 1, rpcPort: 2, tmp: "scratch"})) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !ok {
			t.Fatalf("line %q is not key: value", line)
		}
		if _, twice := options[key]; twice {
			t.Errorf("option %s appears twice", key)
		}
		options[key] = value
	}
	return options
}

func TestRenderSetsEveryMemoryFigure(t *testing.T) {
	options := rendered(t, Config{SlotsPerTM: 3, Memory: Memory{Network: 99}})
	for key, want := range map[string]string{
		"taskmanager.numberOfTaskSlots":              `"3"`,
		"taskmanager.memory.network.min":             `"99m"`,
		"taskmanager.memory.network.max":             `"99m"`,
		"taskmanager.memory.task.heap.size":          `"384m"`,
		"taskmanager.memory.framework.off-heap.size": `"128m"`,
		"rest.port":           `"1"`,
		"jobmanager.rpc.port": `"2"`,
		"io.tmp.dirs":         `"scratch"`,
	} {
		if options[key] != want {
			t.Errorf("%s is %s, want %s", key, options[key], want)
		}
	}
	for _, key := range []string{
		"taskmanager.cpu.cores", "taskmanager.memory.task.off-heap.size", "taskmanager.memory.framework.heap.size",
		"taskmanager.memory.managed.size", "taskmanager.memory.jvm-metaspace.size",
		"taskmanager.memory.jvm-overhead.min", "taskmanager.memory.jvm-overhead.max",
	} {
		if options[key] == "" {
			t.Errorf("%s is not set: the TaskManager would refuse to start", key)
		}
	}
}

func TestRenderListensOnLocalhostOnly(t *testing.T) {
	options := rendered(t, Config{})
	for _, key := range []string{"rest.bind-address", "jobmanager.bind-host", "taskmanager.bind-host"} {
		if options[key] != `"localhost"` {
			t.Errorf("%s is %s", key, options[key])
		}
	}
}

func TestRenderKeepsFlinksFetchIntervalUnlessTold(t *testing.T) {
	const key = "metrics.fetcher.update-interval"
	if value, set := rendered(t, Config{})[key]; set {
		t.Errorf("%s is %s, want Flink's default", key, value)
	}
	options := rendered(t, Config{Flink: map[string]string{key: "1000", "rest.port": "7"}})
	if options[key] != `"1000"` || options["rest.port"] != `"7"` {
		t.Errorf("given options do not win: %s, %s", options[key], options["rest.port"])
	}
}

func TestJavaArgsBoundTheMemory(t *testing.T) {
	args := javaArgs(Distribution{Lib: "lib"}, 100, 50, "log4j", "log")
	for _, want := range []string{
		"-Xmx100m", "-XX:MaxDirectMemorySize=50m", "--add-opens=java.base/java.util=ALL-UNNAMED", "-Dlog.file=log",
	} {
		if !slices.Contains(args, want) {
			t.Errorf("no %s in %v", want, args)
		}
	}
	if got := args[len(args)-2:]; got[0] != "-cp" || got[1] != "lib/*" {
		t.Errorf("the class path is %v", got)
	}
}

func TestCacheDirCanBeMoved(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(cacheVariable, dir)
	got, err := CacheDir()
	if err != nil || got != dir {
		t.Errorf("CacheDir() = %q, %v, want %q", got, err, dir)
	}
}

func TestInstallRefusesWhatIsNoVersion(t *testing.T) {
	t.Setenv(cacheVariable, t.TempDir())
	for _, version := range []string{"", "2.3", "2.3.0 --index-url x", "../2.3.0"} {
		if _, err := Install(t.Context(), version, t.Output()); err == nil {
			t.Errorf("Install(%q) did not fail", version)
		}
	}
}
