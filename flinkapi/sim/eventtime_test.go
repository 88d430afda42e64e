package sim

import (
	"testing"
	"time"
)

// A source that is ahead of what its group allows waits, and goes on as fast as the slowest.
func TestAlignedSourcesWaitForTheSlowest(t *testing.T) {
	s := alignmentHold()
	c := s.Cluster(noon())
	j := c.jobs[0]
	for i, x := range shares(c, j, 60)[1] {
		if x[2] < 0.9 || x[1] > 0.02 {
			t.Errorf("reader %d of payments: %.2f", i, x)
		}
	}
	for i := range j.net.vertices[1].tasks {
		slow, held := &j.net.vertices[0].tasks[i].supply, &j.net.vertices[1].tasks[i].supply
		if ahead := held.event - slow.event; !near(ahead, 30, 4) {
			t.Errorf("reader %d is %.1f s ahead, and 30 are allowed", i, ahead)
		}
	}
	read := func(v int) float64 { return j.net.vertices[v].tasks[0].handled }
	before := [2]float64{read(0), read(1)}
	c.Advance(time.Minute)
	if a, b := read(0)-before[0], read(1)-before[1]; !near(a, b, 0.1*a) {
		t.Errorf("in a minute orders read %.0f, payments %.0f", a, b)
	}
}

// A partition without records holds the watermark of all below, until it is marked as idle.
func TestASilentPartitionHoldsTheWatermark(t *testing.T) {
	s := watermarkIdle()
	mark := func(c *Cluster, v int) float64 {
		for range 3 {
			prime(t, c)
			c.Advance(11 * time.Second)
		}
		prime(t, c)
		return c.store.current.jobs[0].subtasks[v][1].watermark
	}
	c := s.Cluster(noon())
	before := mark(c, 2)
	c.Advance(time.Minute)
	if after := mark(c, 2); after != before {
		t.Errorf("the watermark of totals went from %.0f to %.0f", before, after)
	}
	if err := c.Apply(s.Treatments[0]); err != nil {
		t.Fatal(err)
	}
	c.Advance(time.Minute)
	for v, name := range map[int]string{2: "totals", 0: "a reader with records"} {
		at := mark(c, v)
		if behind := (float64(c.Now().UnixMilli()) - at) / 1000; behind < 0 || behind > 20 {
			t.Errorf("with idle partitions marked the watermark of %s is %.0f s behind", name, behind)
		}
	}
}

// What is older than the retention is deleted from the log unread.
func TestTheLogDeletes(t *testing.T) {
	g := healthyGraph()
	g.Vertices[0].Source = &Source{Rate: 2000, Log: true, Retention: time.Minute}
	g.Vertices[2].Service = 4 * time.Millisecond // half of what comes
	_, j := run(g, 300)
	handled, waits, lost := 0.0, 0.0, 0.0
	for i := range j.net.vertices[0].tasks {
		x := &j.net.vertices[0].tasks[i]
		handled, waits, lost = handled+x.handled, waits+x.supply.backlog, lost+x.supply.lost
	}
	if !near(waits, 120e3, 1000) || lost < 100e3 || !near(handled+waits+lost, 2000*300, 3000) {
		t.Errorf("%.0f handled, %.0f wait, %.0f lost", handled, waits, lost)
	}
}

// A time to live keeps the state as large as what comes in that time.
func TestTimeToLive(t *testing.T) {
	g := healthyGraph()
	g.Vertices[2].StateGrowth, g.Vertices[2].TTL = 100, time.Minute
	c := New(Config{Jobs: []Job{{Name: "test", Graph: g, Checkpoints: usualCheckpoints()}}})
	c.Advance(10 * time.Minute)
	if got := c.jobs[0].checkpoint.latest.stateBytes(); !near(got, 100*2000*60, 0.02*100*2000*60) {
		t.Errorf("%.0f bytes of state", got)
	}
}
