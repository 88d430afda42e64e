package flinkapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestNumbersAreReadAsFlinkWritesThem(t *testing.T) {
	cases := []struct {
		json string
		want Value
	}{
		{`12`, Known(12)},
		{`-1`, Known(-1)},
		{`0`, Known(0)},
		{`1230.0`, Known(1230)},
		{`-9.223372036854776e+18`, Known(-9.223372036854776e18)},
		{`1E3`, Known(1000)},
		{`"12"`, Known(12)},
		{`"0.0"`, Known(0)},
		{`"NaN"`, NaN()},
		{`"Infinity"`, NaN()},
		{`"-Infinity"`, NaN()},
		{`1e999`, NaN()},
		{`null`, Value{}},
		{`""`, Value{}},
		{`"true"`, Value{}},
		{`true`, Value{}},
		{`{}`, Value{}},
		{`[1]`, Value{}},
	}
	for _, c := range cases {
		var w struct {
			N number `json:"n"`
		}
		if err := unmarshal([]byte(`{"n":`+c.json+`}`), &w); err != nil || w.N.Value != c.want {
			t.Errorf("%s was read as %v, want %v (error %v)", c.json, w.N.Value, c.want, err)
		}
	}
	var absent struct {
		N number `json:"n"`
	}
	if err := unmarshal([]byte(`{}`), &absent); err != nil || absent.N.Value != (Value{}) {
		t.Errorf("an absent number was read as %v", absent.N.Value)
	}
}

func TestDurationsOfTheConfiguration(t *testing.T) {
	cases := map[string]time.Duration{
		"10 s": 10 * time.Second, "10s": 10 * time.Second, "10000": 10 * time.Second, "5000 ms": 5 * time.Second,
		"1 min": time.Minute, "2 minutes": 2 * time.Minute, "1 h": time.Hour, "1 d": 24 * time.Hour,
		"3 sec": 3 * time.Second, " 1 S ": time.Second, "0": 0, "250 millis": 250 * time.Millisecond,
		"7 µs": 7 * time.Microsecond,
	}
	for spelling, want := range cases {
		if got, ok := parseDuration(spelling); !ok || got != want {
			t.Errorf("%q was read as %v (%v), want %v", spelling, got, ok, want)
		}
	}
	wrong := []string{"", "s", "-1 s", "1.5 s", "10 apples", "99999999999999999999 d", "********"}
	for _, spelling := range wrong {
		if got, ok := parseDuration(spelling); ok {
			t.Errorf("%q was read as %v, want nothing", spelling, got)
		}
	}
}

// exactly lets go-cmp look into values.
func exactly() cmp.Option { return cmp.AllowUnexported(Value{}) }

// times is a vertex's three accumulated times, in ms.
func times(busy string, idle, backpressured int) string {
	const format = `"accumulated-busy-time":%s,"accumulated-idle-time":%d,"accumulated-backpressured-time":%d`
	return fmt.Sprintf(format, busy, idle, backpressured)
}

// jobBody is a job of one vertex with the given metrics object.
func jobBody(vertex string) []byte {
	return []byte(`{"jid":"` + testJob + `","state":"RUNNING","now":1800000000000,"vertices":[
	 {"id":"` + testVertex + `","parallelism":2,"status":"RUNNING","start-time":1799999000000,` + vertex + `}]}`)
}

func TestCountersThatAreNotThere(t *testing.T) {
	cases := []struct {
		name, vertex string
		want         Readings
	}{
		{"no metrics", `"tasks":{"RUNNING":2}`, nil},
		{
			"before anything was collected",
			`"metrics":{"read-records":0,"read-records-complete":false,` + times("0.0", 0, 0) + `}`,
			nil,
		},
		{
			"idle since it began",
			`"metrics":{"read-records":0,"read-records-complete":true,` + times("0.0", 2000, 0) + `}`,
			Readings{RecordsRead: Known(0), BusyTime: Known(0), IdleTime: Known(2), BackpressuredTime: Known(0)},
		},
		{
			"busy since 1970", `"metrics":{` + times("1.8e12", 5, 0) + `}`,
			Readings{IdleTime: Known(0.005), BackpressuredTime: Known(0)},
		},
		{
			"a legacy source", `"metrics":{` + times(`"NaN"`, 0, 7000) + `}`,
			Readings{BusyTime: NaN(), IdleTime: Known(0), BackpressuredTime: Known(7)},
		},
		{
			"before 1.16", `"metrics":{"read-bytes":10,"read-bytes-complete":true}`,
			Readings{BytesRead: Known(10)},
		},
		{
			"cancelled",
			`"tasks":{"CANCELED":2},"metrics":{"read-records":0,` + times("0.0", 0, 0) + `}`,
			nil,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var w wireJob
			if err := unmarshal(jobBody(c.vertex), &w); err != nil {
				t.Fatal(err)
			}
			got := w.job(time.Time{}).Vertices[0].Sums
			if diff := cmp.Diff(c.want, got, exactly()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSumsOfManyLongRunningSubtasksAreNotNonsense(t *testing.T) {
	var w wireJob
	body := string(jobBody(`"metrics":{` + times("1.8e12", 5, 0) + `}`))
	body = strings.Replace(body, `"parallelism":2`, `"parallelism":1000`, 1)
	body = strings.Replace(body, `"start-time":1799999000000`, `"start-time":1790000000000`, 1)
	if err := unmarshal([]byte(body), &w); err != nil {
		t.Fatal(err)
	}
	if got := w.job(time.Time{}).Vertices[0].Sums.Of(BusyTime); got != Known(1.8e9) {
		t.Errorf("the busy time is %v s, want 1.8e9", got)
	}
}

func TestBothSpellingsOfAPlan(t *testing.T) {
	plan := `{"type":"BATCH","nodes":[{"id":"` + testVertex + `",
	 "description":"[6]:Join(on=[a &lt; b])<br/>:- C:&#92;x<br/>+- y"}]}`
	asText, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{plan, string(asText)} {
		var w wireJob
		if err := unmarshal(jobBody(`"x":1}],"plan":`+form+`,"y":[{"z":1`), &w); err != nil {
			t.Fatal(err)
		}
		job := w.job(time.Time{})
		if got, want := job.Vertices[0].Description, "[6]:Join(on=[a < b])\n:- C:\\x\n+- y"; got != want {
			t.Errorf("the description is %q, want %q", got, want)
		}
		if job.Type != TypeBatch {
			t.Errorf("the type is %q", job.Type)
		}
	}
}

func TestEdgesKeepDoubleConnections(t *testing.T) {
	const other = "ffeeddccbbaa99887766554433221100"
	body := `{"jid":"` + testJob + `","state":"RUNNING",
	 "vertices":[{"id":"` + testVertex + `"},{"id":"` + other + `"}],
	 "plan":{"nodes":[{"id":"` + other + `","inputs":[
	  {"num":0,"id":"` + testVertex + `","ship_strategy":"HASH","exchange":"pipelined_bounded"},
	  {"num":1,"id":"` + testVertex + `","ship_strategy":"BROADCAST","exchange":"blocking_persistent"},
	  {"num":2,"id":"gone","ship_strategy":"HASH"}]}]}}`
	var w wireJob
	if err := unmarshal([]byte(body), &w); err != nil {
		t.Fatal(err)
	}
	want := []Edge{
		{From: testVertex, To: other, Ship: ShipHash},
		{From: testVertex, To: other, Ship: ShipBroadcast, Blocking: true},
	}
	if diff := cmp.Diff(want, w.job(time.Time{}).Edges); diff != "" {
		t.Error(diff)
	}
}

func TestSubtasksBeyondTheParallelismAreDropped(t *testing.T) {
	body := `{"id":"x","parallelism":2,"subtasks":[{"subtask":1,"endpoint":"b:1","host":"b"},
	 {"subtask":0,"host":"a","start_time":5},{"subtask":2,"host":"ghost"},{"subtask":3},
	 {"subtask":1,"host":"twice"},{"subtask":-1},{}]}`
	var w wireVertex
	if err := unmarshal([]byte(body), &w); err != nil {
		t.Fatal(err)
	}
	got := w.subtasks(4)
	if len(got) != 2 || got[0].Host != "a" || got[1].Host != "b:1" || got[0].StartedAt.UnixMilli() != 5 {
		t.Errorf("got %+v", got)
	}
}

func TestSharesOfBackpressure(t *testing.T) {
	body := `{"status":"ok","backpressure-level":"high","subtasks":[
	 {"subtask":0,"ratio":0.9,"idleRatio":0.0,"busyRatio":0.1},
	 {"subtask":1,"ratio":0.0,"idleRatio":0.0,"busyRatio":0.0},
	 {"subtask":2,"ratio":0.5,"idleRatio":0.5,"busyRatio":"NaN"}]}`
	var w wireBackpressure
	if err := unmarshal([]byte(body), &w); err != nil {
		t.Fatal(err)
	}
	want := map[int]Readings{
		0: {BackpressuredShare: Known(0.9), IdleShare: Known(0), BusyShare: Known(0.1)},
		2: {BackpressuredShare: Known(0.5), IdleShare: Known(0.5), BusyShare: NaN()},
	}
	if diff := cmp.Diff(want, w.shares(), exactly()); diff != "" {
		t.Error(diff)
	}
	var early wireBackpressure
	err := unmarshal([]byte(`{"status":"deprecated"}`), &early)
	if err != nil || len(early.shares()) != 0 || !early.recognised() {
		t.Errorf("%q gave %v", early.Status, early.shares())
	}
}

func TestCheckpointingThatIsOff(t *testing.T) {
	var stats wireCheckpoints
	var config wireCheckpointConfig
	zeros := `{"counts":{"completed":0,"failed":0,"in_progress":0},"summary":{"state_size":{"p50":"NaN"}}}`
	off := `{"mode":"at_least_once","interval":9223372036854775807,"timeout":600000}`
	if err := errors.Join(unmarshal([]byte(zeros), &stats), unmarshal([]byte(off), &config)); err != nil {
		t.Fatal(err)
	}
	c := stats.checkpoints(&config, time.Time{}, time.Time{})
	if c.Enabled || c.Interval != 0 || c.Timeout != 10*time.Minute {
		t.Errorf("got %+v", c)
	}
}

func TestChainedSourcesAreJoined(t *testing.T) {
	var w wireMetrics
	body := `[{"id":"Source__a.pendingRecords","min":1,"max":5,"avg":3,"sum":6},
	 {"id":"Source__b.pendingRecords","min":0,"max":9,"avg":4,"sum":9},{"id":"otherPendingRecords","sum":99}]`
	if err := unmarshal([]byte(body), &w); err != nil {
		t.Fatal(err)
	}
	list := w.operators([]Signal{PendingRecords})[PendingRecords]
	if len(list) != 2 || list[0].Operator != "Source__a" || list[1].Spread.Max != Known(9) {
		t.Errorf("apart: %+v", list)
	}
	if diff := cmp.Diff(Spread{Min: Known(0), Max: Known(9), Sum: Known(15)}, joined(list), exactly()); diff != "" {
		t.Error(diff)
	}
}

func TestTheHostOfATaskManager(t *testing.T) {
	cases := map[string]string{
		"pekko.tcp://flink@10.0.0.1:6122/user/rpc/taskmanager_0":   "10.0.0.1",
		"akka.ssl.tcp://flink@[fe80::1]:6122/user/rpc/taskmanager": "[fe80::1]",
		"pekko://flink/user/rpc/taskmanager_0":                     "",
		"":                                                         "",
	}
	for path, want := range cases {
		if got := hostOfPath(path); got != want {
			t.Errorf("the host of %q is %q, want %q", path, got, want)
		}
	}
}
