package sim

import (
	"strconv"
	"testing"
	"time"
)

// held is a chain of four behind a slow last operator.
func held(c Checkpoints) Config {
	g := Graph{
		Vertices: []Vertex{
			kafka("s", 2, 100, 1000), computing("first", 2, 200), computing("second", 2, 200), waiting("last", 2, 4000),
		},
		Edges: chain(Rebalance, Rebalance, Rebalance),
	}
	for i := range g.Edges {
		g.Edges[i].Buffer = 15_000
	}
	return Config{Jobs: []Job{{Name: "test", Graph: g, Checkpoints: c}}}
}

func TestAlignedCheckpointsWaitInTheQueues(t *testing.T) {
	c := New(held(Checkpoints{Interval: 5 * time.Second, Timeout: 2 * time.Minute, Tolerable: 1000}))
	c.Advance(15 * time.Minute)
	got := get[checkpointStatisticsBody](t, c, c.path()+"/checkpoints")
	if got.Counts.Failed < 3 || got.Counts.Completed == 0 || got.Summary.Duration.Min > 10_000 {
		t.Errorf("%+v, durations %+v", got.Counts, got.Summary.Duration)
	}
	if f := got.Latest.Failed; f.Duration != 120_000 || *f.Failure != expired || f.Acknowledged >= f.Subtasks {
		t.Errorf("latest failed: %+v", f)
	}
}

func TestUnalignedCheckpointsOvertake(t *testing.T) {
	c := New(held(Checkpoints{Interval: 5 * time.Second, Timeout: 2 * time.Minute, Unaligned: true}))
	c.Advance(15 * time.Minute)
	got := get[checkpointStatisticsBody](t, c, c.path()+"/checkpoints")
	if got.Counts.Failed != 0 || got.Summary.Duration.Max > 1000 {
		t.Errorf("%+v, durations %+v", got.Counts, got.Summary.Duration)
	}
	if l := got.Latest.Completed; l.Persisted < 1e6 || l.Type != "UNALIGNED_CHECKPOINT" {
		t.Errorf("latest: %+v", l)
	}
}

func TestTooManyFailedCheckpointsRestartTheJob(t *testing.T) {
	cfg := held(Checkpoints{Interval: 5 * time.Second, Timeout: 30 * time.Second})
	cfg.Jobs[0].Restart = &Restart{Delay: time.Second}
	c := New(cfg)
	c.Advance(10 * time.Minute)
	got := get[exceptionsBody](t, c, c.path()+"/exceptions")
	if n := len(got.History.Entries); n == 0 || got.History.Entries[0].TaskName != nil {
		t.Errorf("%+v", got)
	}
}

func TestCheckpointDetails(t *testing.T) {
	c := scenario(t, "two-sinks")
	latest := get[checkpointStatisticsBody](t, c, c.path()+"/checkpoints").Latest.Completed
	path := c.path() + "/checkpoints/details/" + strconv.Itoa(latest.ID)
	details := get[checkpointBody](t, c, path)
	if len(details.Tasks) != 5 || details.Duration != latest.Duration {
		t.Fatalf("%+v", details)
	}
	delays := map[string]int64{}
	for v, vx := range c.jobs[0].net.vertices {
		got := get[checkpointSubtasksBody](t, c, path+"/subtasks/"+c.jobs[0].vertexIDs[v])
		if len(got.Subtasks) != vx.Parallelism || got.Acknowledged != vx.Parallelism {
			t.Errorf("%s: %+v", vx.Name, got)
		}
		delays[vx.Name] = got.Summary.StartDelay.Max
	}
	if delays["Source: products"] > 100 || delays["search-index: Writer"] < 8000 ||
		delays["archive: Writer"] >= delays["search-index: Writer"] {
		t.Errorf("start delays in ms: %v", delays)
	}
}

func TestCheckpointingOff(t *testing.T) {
	c, _ := run(healthyGraph(), 60)
	if got := get[checkpointConfigBody](t, c, c.path()+"/checkpoints/config"); got.Interval != checkpointsOff {
		t.Errorf("%+v", got)
	}
	got := get[struct {
		Counts  struct{ Total int }
		Summary map[string]struct{ P99 string }
		History []any
	}](t, c, c.path()+"/checkpoints")
	if got.Counts.Total != 0 || got.Summary["state_size"].P99 != "NaN" || got.History == nil {
		t.Errorf("%+v", got)
	}
}
