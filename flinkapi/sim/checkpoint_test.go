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

// An unaligned checkpoint with an aligned timeout waits among the records for that long, and then overtakes
// them.
func TestAlignedTimeout(t *testing.T) {
	spec := usualCheckpoints()
	spec.Unaligned, spec.AlignedTimeout = true, 6*time.Second
	g := healthyGraph()
	g.Vertices[3].Service = 8 * time.Millisecond // a quarter of what comes: the queues are full
	c := New(Config{Jobs: []Job{{Name: "test", Graph: g, Checkpoints: spec}}})
	c.Advance(2 * time.Minute)
	cp := c.jobs[0].checkpoint.latest
	if cp == nil {
		t.Fatal("no checkpoint completed")
	}
	if took := cp.ended - cp.triggered; took < 6 || took > 7 {
		t.Errorf("it took %.1f s, want a little over 6", took)
	}
}

// State that is larger than the storage takes fails each checkpoint, and a checkpoint that the JobManager is
// slow to complete delays the next one.
func TestStorageAndJobManagerSetLimits(t *testing.T) {
	g := healthyGraph()
	g.Vertices[2].StateBytes = 40e6
	spec := usualCheckpoints()
	spec.Most = 5 << 20
	c := New(Config{Jobs: []Job{{Name: "test", Graph: g, Checkpoints: spec}}})
	c.Advance(2 * time.Minute)
	got := &c.jobs[0].checkpoint
	if got.completed != 0 || got.failed != 3 || got.latestFailed.failure != asyncFails {
		t.Errorf("%d completed, %d failed: %+v", got.completed, got.failed, got.latestFailed)
	}
	spec = usualCheckpoints()
	spec.Completion = 50 * time.Second
	c = New(Config{Jobs: []Job{{Name: "test", Graph: healthyGraph(), Checkpoints: spec}}})
	c.Advance(70 * time.Second)
	one := c.jobs[0].checkpoint.current
	if one == nil || one.acked != one.total || one.id != 1 {
		t.Fatalf("%+v", one)
	}
	c.Advance(time.Minute)
	if got := &c.jobs[0].checkpoint; got.completed != 1 || got.history[0].triggered-one.triggered < 50 {
		t.Errorf("%d completed, the next began %.1f s later", got.completed, got.history[0].triggered-one.triggered)
	}
}
