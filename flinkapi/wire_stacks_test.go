package flinkapi

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// thread wraps one thread as Flink's thread dump does.
func thread(t *testing.T, name, rest string) wireThreadDump {
	t.Helper()
	body, err := json.Marshal(map[string]any{"threadInfos": []any{
		map[string]any{"threadName": name, "stringifiedThreadInfo": `"` + name + `"` + rest},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var w wireThreadDump
	if err := unmarshal(body, &w); err != nil {
		t.Fatal(err)
	}
	return w
}

func every(string) bool { return true }

func TestATaskThread(t *testing.T) {
	const stack = ` Id=78 BLOCKED on java.util.HashMap@62187757 owned by "parse (2/2)#1" Id=79
	at app//org.rocksdb.RocksDB.put(Native Method)
	-  blocked on java.util.HashMap@62187757
	at java.base@17.0.15/java.util.concurrent.locks.LockSupport.parkNanos(LockSupport.java:252)
	at com.example.shop.Sessions$Inner.<init>(Sessions.java:118)
	at app//org.apache.flink.runtime.taskmanager.Task$$Lambda$1004/0x00007f9513640000.run(Unknown Source)

	Number of locked synchronizers = 1
	- java.util.concurrent.locks.ReentrantLock$NonfairSync@3d9

`
	got := thread(t, `a "quoted" <name> -> b (2/4)#1`, stack).tasks(every, maxStacks)
	want := []taskThread{{
		Task: `a "quoted" <name> -> b`, Parallelism: 4, Attempt: 1,
		Stack: Stack{
			Subtask: 1, State: "BLOCKED", Lock: "java.util.HashMap", LockOwner: "parse (2/2)#1", Count: 1,
			Frames: []Frame{
				{"org.rocksdb.RocksDB", "put", 0},
				{"java.util.concurrent.locks.LockSupport", "parkNanos", 252},
				{"com.example.shop.Sessions$Inner", "<init>", 118},
				{"org.apache.flink.runtime.taskmanager.Task$$Lambda", "run", 0},
			},
		},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestThreadsThatRunNoTask(t *testing.T) {
	for _, name := range []string{
		"main", "flink-rate-limiter-thread-1", "sessionize (3/2)#0", "sessionize (0/2)#0", "(1/2)#0", "x (1/2)",
		"x (1/2)#0 more",
	} {
		if got := thread(t, name, ` Id=1 RUNNABLE`).tasks(every, maxStacks); len(got) != 0 {
			t.Errorf("%q is taken for a task: %+v", name, got)
		}
	}
}

// TestAFullTaskManager holds that the threads of other tasks, however many, leave room for the wanted one's.
func TestAFullTaskManager(t *testing.T) {
	var w wireThreadDump
	for i := range maxStacks {
		w.Threads = append(w.Threads, wireThread{Name: text(fmt.Sprintf("other (%d/%d)#0", i+1, maxStacks))})
	}
	w.Threads = append(w.Threads, wireThread{Name: "enrich (1/1)#0"})
	if got := w.tasks(func(task string) bool { return task == "enrich" }, maxStacks); len(got) != 1 || got[0].Task != "enrich" {
		t.Errorf("of a full TaskManager are read %+v", got)
	}
}

func TestAFlameGraphGivesItsEnds(t *testing.T) {
	var w wireFlameGraph
	body := `{"endTimestamp":1795981501543,"data":{"name":"root","value":10,"children":[
	 {"name":"java.lang.Thread.run:840","value":10,"children":[
	  {"name":"a.b.Outer$$Lambda$0/0x0.run:-1","value":9,"children":[
	   {"name":"a.b.C.slow:7","value":6,"children":[]},{"name":"a.b.C.quick:9","value":1}]}]}]}}`
	if err := unmarshal([]byte(body), &w); err != nil || !w.recognised() {
		t.Fatal(err)
	}
	run, lambda := Frame{"java.lang.Thread", "run", 840}, Frame{"a.b.Outer$$Lambda", "run", 0}
	want := []Stack{
		{Subtask: -1, Count: 6, Frames: []Frame{{"a.b.C", "slow", 7}, lambda, run}},
		{Subtask: -1, Count: 2, Frames: []Frame{lambda, run}},
		{Subtask: -1, Count: 1, Frames: []Frame{{"a.b.C", "quick", 9}, lambda, run}},
		{Subtask: -1, Count: 1, Frames: []Frame{run}},
	}
	if diff := cmp.Diff(want, w.stacks()); diff != "" {
		t.Error(diff)
	}
	for _, none := range []string{`{"endTimestamp":-2}`, `{"endTimestamp":-3}`} {
		var w wireFlameGraph
		if err := unmarshal([]byte(none), &w); err != nil || !w.recognised() || w.stacks() != nil {
			t.Errorf("%s gives %+v", none, w.stacks())
		}
	}
}

// TestRecordedThreads holds that exactly the task threads of real dumps have a vertex's name.
func TestRecordedThreads(t *testing.T) {
	for _, version := range []string{"1.20.5", "2.3.0"} {
		dir := "testdata/rest/" + version + "/every-metric/"
		var job wireJob
		load(t, dir+"job.json", &job)
		var threads []taskThread
		for _, host := range []string{"tm-1", "tm-2"} {
			var dump wireThreadDump
			load(t, dir+"threads-"+host+".json", &dump)
			threads = append(threads, dump.tasks(every, maxStacks)...)
		}
		if len(threads) <= 2*len(job.Vertices) {
			t.Errorf("%s: the dumps hold no helper's thread to be told apart", version)
		}
		for _, v := range job.Vertices {
			checkThreads(t, version+" "+v.Name.line(), slices.DeleteFunc(slices.Clone(threads), func(one taskThread) bool {
				return one.Task != v.Name.line()
			}))
		}
	}
}

// checkThreads holds the threads of a vertex to one whole stack for each subtask.
func checkThreads(t *testing.T, vertex string, threads []taskThread) {
	t.Helper()
	if len(threads) != 2 || threads[0].Stack.Subtask == threads[1].Stack.Subtask {
		t.Errorf("%s has the threads %+v", vertex, threads)
	}
	for _, thread := range threads {
		frames := thread.Stack.Frames
		whole := len(frames) > 10 && frames[len(frames)-1].Class == "java.lang.Thread"
		if thread.Parallelism != 2 || thread.Stack.State == "" || !whole {
			t.Errorf("%s: %+v", vertex, thread)
		}
	}
}

func load(t *testing.T, file string, into answer) {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if unmarshal(body, into) != nil || !into.recognised() {
		t.Fatalf("%s is not decoded", file)
	}
}

// A frame's line is taken apart as this pattern says.
func TestTheFormOfAFrame(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^\s*at (?:[^/($]*/)*([^(]+)\.([^.(]+)\(([^)]*)\)`)
	lines := []string{
		"\tat app//com.shop.Price.lookUp(Price.java:7)", "at java.base@17/java.lang.Thread.run(Thread.java:840)",
		"at com.shop.Job$$Lambda$14/0x000071.apply(Unknown Source)", "- locked <0x1>", "at a./b(c)", "at .b(c)", "at a.(c)",
	}
	rng, signs := rand.New(rand.NewPCG(1, 2)), []string{"at ", "a", "b", ".", "/", "$", "(", ")", ":7", " ", "\t"}
	for range 60_000 {
		line := "at "
		for range rng.IntN(14) {
			line += signs[rng.IntN(len(signs))]
		}
		lines = append(lines, line)
	}
	matched := 0
	for _, line := range lines {
		class, method, place, is := frameParts(line)
		got, want := []string(nil), form.FindStringSubmatch(line)
		if is {
			got, matched = []string{class, method, place}, matched+1
		}
		if is != (want != nil) || is && !slices.Equal(got, want[1:]) {
			t.Fatalf("of %q it reads %q, the pattern %q", line, got, want)
		}
	}
	if matched < 500 {
		t.Errorf("only %d lines are frames", matched)
	}
}

func BenchmarkThreadDump(b *testing.B) {
	text := "\"t\" Id=7 RUNNABLE\n" + strings.Repeat("\tat app//com.shop.pricing.PriceLookUp.lookUp(Price.java:7)\n", 50)
	b.ReportAllocs()
	for b.Loop() {
		var k Stack
		k.read("t", text)
		if len(k.Frames) != 50 {
			b.Fatal(len(k.Frames))
		}
	}
}
