package sim

import (
	"math"
	"testing"
	"time"
)

// A window that fires keeps its task busy for what its records cost, and the records wait meanwhile.
func TestAWindowFires(t *testing.T) {
	g := healthyGraph()
	g.Vertices[2].Window = &Window{Size: time.Minute, Fire: perRecord(200), Keys: 400}
	c, j := run(g, 59)
	// 500 records/s for each of 4 tasks: 30,000 in a minute, which take 6 s. Each takes 0.5 ms before that.
	busy := 0.0
	for range 8 {
		busy += shares(c, j, 1)[2][0][0]
	}
	// Before it fires the task is busy for a quarter of a second, and behind it works off what has waited.
	if want := 0.25 + 6 + 1; !near(busy, want, 0.4) {
		t.Errorf("busy for %.2f s of 8, want about %.2f", busy, want)
	}
	x := &j.net.vertices[2].tasks[0]
	if x.fired != 100 || x.owed > 0 {
		t.Errorf("%v timers fired, %v s are owed", x.fired, x.owed)
	}
	c.Advance(50 * time.Second)
	if got := x.handled; !near(got, 500*117, 0.03*500*117) {
		t.Errorf("%v records after 117 s", got)
	}
}

// Timers take their part of the time: 30 of 0.1 ms with each record of 1 ms leave a quarter of it.
func TestTimersTakeTime(t *testing.T) {
	g := healthyGraph()
	g.Vertices[2].Service = time.Millisecond
	g.Vertices[2].Timers = &Timers{PerRecord: 30, Fire: 100 * time.Microsecond}
	c, j := run(g, 60)
	before := j.net.vertices[2].tasks[0].handled
	c.Advance(20 * time.Second)
	x := &j.net.vertices[2].tasks[0]
	if got := (x.handled - before) / 20; !near(got, 250, 5) {
		t.Errorf("%.1f records/s, want 250", got)
	}
	if !near(x.fired, 30*x.handled, 1) {
		t.Errorf("%v timers fired with %v records", x.fired, x.handled)
	}
	if share := j.net.vertices[2].timerShare(); !near(share, 0.75, 1e-9) {
		t.Errorf("%v of its time goes to timers", share)
	}
}

// The synchronous part of a snapshot stops its task for that long.
func TestASnapshotBlocksItsTask(t *testing.T) {
	g := healthyGraph()
	g.Vertices[3].SyncTime = 5 * time.Second
	c := New(Config{Jobs: []Job{{Name: "test", Graph: g, Checkpoints: usualCheckpoints()}}})
	c.Advance(32 * time.Second)
	for i, x := range shares(c, c.jobs[0], 2)[3] {
		if !near(x[0], 1, 0.01) {
			t.Errorf("subtask %d during the snapshot: %.2f", i, x)
		}
	}
	c.Advance(20 * time.Second)
	for i, x := range shares(c, c.jobs[0], 2)[3] {
		if !near(x[0], 0.35, 0.02) {
			t.Errorf("subtask %d after the snapshot: %.2f", i, x)
		}
	}
}

// A call that does not return stops everything, a restart with the cause still there does too, and the
// records move again once the calls return.
func TestCallsThatDoNotReturn(t *testing.T) {
	g := healthyGraph()
	hangs, returns := true, false
	c := New(Config{Jobs: []Job{{
		Name: "test", Graph: g, Changes: []Change{{At: 0, Vertex: 2, Hang: &hangs}},
	}}})
	c.Advance(time.Minute)
	read := func() float64 { return c.jobs[0].net.vertices[2].tasks[1].handled }
	if err := c.Apply(redeployed(inVain("again", "Again."))); err != nil {
		t.Fatal(err)
	}
	c.Advance(time.Minute)
	if x := &c.jobs[0].net.vertices[2].tasks[1]; read() != 0 || !math.IsInf(x.owed, 1) || x.idle > 1 {
		t.Fatalf("%+v", x)
	}
	if err := c.Apply(helps("back", "Back.", Change{Vertex: 2, Hang: &returns})); err != nil {
		t.Fatal(err)
	}
	c.Advance(time.Minute)
	if got := read(); !near(got, 500*180, 0.05*500*180) { // with what has waited
		t.Errorf("%v records in the minute after", got)
	}
}

// A rhythm makes the same records dearer for a part of each round.
func TestRhythm(t *testing.T) {
	r := &Rhythm{Every: time.Minute, After: 20 * time.Second, For: 15 * time.Second, Factor: 4}
	for at, want := range map[float64]float64{0: 1, 19: 1, 20: 4, 34.9: 4, 35: 1, 80: 4, 96: 1} {
		if got := r.pace(at); got != want {
			t.Errorf("at %v s: %v, want %v", at, got, want)
		}
	}
	if got := (*Rhythm)(nil).pace(7); got != 1 {
		t.Errorf("without a rhythm: %v", got)
	}
}
