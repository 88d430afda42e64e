package sim

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"
)

type ioBody struct {
	Vertices []struct {
		Name    string `json:"name"`
		Metrics struct {
			Complete bool    `json:"read-records-complete"`
			Read     int64   `json:"read-records"`
			Blocked  float64 `json:"accumulated-backpressured-time"`
			Idle     float64 `json:"accumulated-idle-time"`
			Busy     float64 `json:"accumulated-busy-time"`
		} `json:"metrics"`
	} `json:"vertices"`
}

func TestFirstLookFindsNothingAndTheNextEverything(t *testing.T) {
	c := scenario(t, "slow-middle")
	vertex := c.vertexPath(t, "parse")
	if got := get[ioBody](t, c, c.path()).Vertices[1].Metrics; got.Complete || got.Read != 0 || got.Busy != 0 {
		t.Errorf("first look: %+v", got)
	}
	if got := get[[]any](t, c, vertex+"/subtasks/metrics?get=busyTimeMsPerSecond"); len(got) != 0 {
		t.Errorf("first look: %v", got)
	}
	if got := get[backpressureBody](t, c, vertex+"/backpressure"); got.Status != "deprecated" || got.Subtasks != nil {
		t.Errorf("first look: %+v", got)
	}
	c.Advance(200 * time.Millisecond)
	if got := get[ioBody](t, c, c.path()).Vertices[1].Metrics; !got.Complete || got.Blocked < 5e5 {
		t.Errorf("second look: %+v", got)
	}
	if got := get[backpressureBody](t, c, vertex+"/backpressure"); got.Status != "ok" || got.Subtasks[0].Ratio < 0.8 {
		t.Errorf("second look: %+v", got)
	}
}

// Values step once per fetch interval, and the request that starts a fetch still gets the old ones.
func TestMetricsFreezeBetweenFetches(t *testing.T) {
	c := scenario(t, "slow-middle")
	prime(t, c)
	read := func() int64 { return get[ioBody](t, c, c.path()).Vertices[1].Metrics.Read }
	first := read()
	var changes []time.Duration
	last := first
	for waited := time.Duration(0); waited < 31*time.Second; waited += 500 * time.Millisecond {
		if now := read(); now != last {
			changes = append(changes, waited)
			last = now
		}
		c.Advance(500 * time.Millisecond)
	}
	want := []time.Duration{10500 * time.Millisecond, 21 * time.Second}
	if len(changes) != 2 || changes[0] != want[0] || changes[1] != want[1] {
		t.Errorf("values changed after %v, want %v", changes, want)
	}
	if got, exact := last-first, 1000*(21-0.7); !near(float64(got), exact, 0.1*exact) {
		t.Errorf("%d records in two fetches, want about %.0f", got, exact)
	}
}

// In its first seconds a task's gauges say busy, while its counters tell the truth.
func TestGaugesOfAYoungTaskMislead(t *testing.T) {
	c, _ := run(healthyGraph(), 3)
	prime(t, c)
	vertex := c.vertexPath(t, "totals")
	for _, s := range get[backpressureBody](t, c, vertex+"/backpressure").Subtasks {
		if s.Busy != 1 || s.Idle != 0 || s.Ratio != 0 {
			t.Errorf("after 3 s: %+v", s)
		}
	}
	if got := get[ioBody](t, c, c.path()).Vertices[2].Metrics; got.Idle < got.Busy {
		t.Errorf("after 3 s: %+v", got)
	}
	c.Advance(70 * time.Second)
	prime(t, c)
	for _, s := range get[backpressureBody](t, c, vertex+"/backpressure").Subtasks {
		if !near(float64(s.Busy), 0.25, 0.01) || !near(float64(s.Idle), 0.75, 0.01) {
			t.Errorf("after 70 s: %+v", s)
		}
	}
}

func TestRateMetersClimbForAMinute(t *testing.T) {
	c, _ := run(healthyGraph(), 31)
	prime(t, c)
	rate := func() float64 {
		got := get[[]struct{ Sum float64 }](t, c, c.vertexPath(t, "totals")+"/subtasks/metrics?get=numRecordsInPerSecond")
		return got[0].Sum
	}
	if got := rate(); !near(got, 1000, 100) {
		t.Errorf("after 30 s: %v/s of 2000/s", got)
	}
	c.Advance(time.Minute)
	prime(t, c)
	if got := rate(); !near(got, 2000, 40) {
		t.Errorf("after 90 s: %v/s of 2000/s", got)
	}
}

func TestAggregatedMetricsAreAllOrNothing(t *testing.T) {
	c := scenario(t, "hot-key")
	prime(t, c)
	base := c.vertexPath(t, "customer-totals") + "/subtasks/metrics"
	type body []struct {
		ID                       string
		Min, Max, Avg, Sum, Skew *float64
	}
	got := get[body](t, c, base+"?get=busyTimeMsPerSecond,numRecordsIn")
	if len(got) != 2 || got[0].ID != "busyTimeMsPerSecond" || *got[0].Max < 990 || *got[0].Min > 300 || *got[0].Skew < 50 {
		t.Errorf("two names: %+v", got)
	}
	if got = get[body](t, c, base+"?get=busyTimeMsPerSecond,noSuchThing,numRecordsIn"); len(got) != 0 {
		t.Errorf("with an unknown name: %+v", got)
	}
	if got = get[body](t, c, base+"?get=isBackPressured,numRecordsIn&agg=max&subtasks=4"); len(got) != 1 || got[0].Min != nil {
		t.Errorf("max of one subtask, without the text: %+v", got)
	}
	if got = get[body](t, c, base); len(got) < 50 || got[0].Max != nil {
		t.Errorf("the list of names: %+v", got)
	}
	if status, _ := ask(t, c.Handler(), base+"?get=numRecordsIn&agg=median"); status != http.StatusBadRequest {
		t.Errorf("unknown aggregation: status %d", status)
	}
	if got = get[body](t, c, c.path()+"/vertices/nope/subtasks/metrics?get=numRecordsIn"); len(got) != 0 {
		t.Errorf("unknown vertex: %+v", got)
	}
}

func TestUnaggregatedMetricsLeaveOutWhatIsUnknown(t *testing.T) {
	c := scenario(t, "hot-key")
	prime(t, c)
	type body []struct{ ID, Value string }
	base := c.vertexPath(t, "customer-totals")
	got := get[body](t, c, base+"/metrics?get=0.busyTimeMsPerSecond,9.busyTimeMsPerSecond,4.isBackPressured,0.nope")
	if len(got) != 2 || got[0].ID != "0.busyTimeMsPerSecond" || got[1].Value != "false" {
		t.Errorf("by vertex: %+v", got)
	}
	got = get[body](t, c, base+"/subtasks/4/metrics?get=accumulateBusyTimeMs,customer-totals.numRecordsIn,nope")
	if len(got) != 2 || got[1].ID != "customer-totals.numRecordsIn" || got[1].Value == "0" {
		t.Errorf("by subtask: %+v", got)
	}
	source := c.vertexPath(t, "Source: purchases")
	if got = get[body](t, c, source+"/metrics?get=0.Source__purchases.pendingRecords"); len(got) != 1 || got[0].Value == "0" {
		t.Errorf("lag: %+v", got)
	}
	if got = get[body](t, c, source+"/watermarks"); len(got) != 0 {
		t.Errorf("watermarks of a source: %+v", got)
	}
	if got = get[body](t, c, base+"/watermarks"); len(got) != 8 || got[0].ID != "0.currentInputWatermark" {
		t.Errorf("watermarks: %+v", got)
	}
}

func TestStalledTaskManagerFreezesAllMetrics(t *testing.T) {
	c := scenario(t, "stalled-taskmanager")
	prime(t, c)
	job, heartbeats := c.path(), func() []int64 {
		var list []int64
		for _, tm := range get[struct {
			TaskManagers []taskManagerBody `json:"taskmanagers"`
		}](t, c, "/taskmanagers").TaskManagers {
			list = append(list, noon().UnixMilli()-tm.LastHeartbeat)
		}
		return list
	}
	for range 6 {
		ask(t, c.Handler(), job)
		c.Advance(11 * time.Second)
	}
	before := get[json.RawMessage](t, c, c.vertexPath(t, "parse")+"/subtasks/metrics?get=numRecordsIn")
	c.Advance(60 * time.Second)
	ask(t, c.Handler(), job)
	c.Advance(time.Second)
	after := get[json.RawMessage](t, c, c.vertexPath(t, "parse")+"/subtasks/metrics?get=numRecordsIn")
	if string(before) != string(after) {
		t.Errorf("metrics moved from %s to %s", before, after)
	}
	age := heartbeats()
	if now := c.Now().Sub(noon()).Milliseconds(); now+age[0] > 10_000 || now+age[1] < 100_000 {
		t.Errorf("after %d ms: heartbeats were %v ms before noon", now, age)
	}
}
