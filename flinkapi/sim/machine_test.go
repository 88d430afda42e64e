package sim

import (
	"testing"
	"time"
)

// Tasks that want more cores than there are take turns: together they use what there is.
func TestTasksShareCores(t *testing.T) {
	g := healthyGraph()
	g.Vertices[2].Service = 2 * time.Millisecond // 4 tasks, all busy: 3.8 cores
	c := New(Config{
		Jobs:         []Job{{Name: "test", Graph: g}},
		TaskManagers: []TaskManager{{Cores: 2}},
	})
	c.Advance(time.Minute)
	w, before := c.workers[0], c.cpuSeconds(c.workers[0], c.seconds())
	busy := shares(c, c.jobs[0], 30)[2]
	if cores := (c.cpuSeconds(w, c.seconds()) - before) / 30; !near(cores, 2, 0.05) {
		t.Errorf("%.2f cores are used of 2", cores)
	}
	for i, x := range busy {
		if x[0] < 0.99 {
			t.Errorf("subtask %d: %.2f", i, x)
		}
	}
	if w.stretch < 1.5 || w.stretch > 3 {
		t.Errorf("computing takes %.2f times as long", w.stretch)
	}
}

// A link that carries half of what comes holds its senders back, and its receivers wait.
func TestALinkHoldsItsSendersBack(t *testing.T) {
	g := healthyGraph()
	g.Edges[1].Link = 1000
	c, j := run(g, 60)
	before := j.net.vertices[2].tasks[0].handled
	x := shares(c, j, 30)
	sender, receiver := highest(x[1]), highest(x[2])
	if sender[1] < 0.5 || receiver[1] > 0 || receiver[0] > 0.2 {
		t.Errorf("sender %.2f, receiver %.2f", sender, receiver)
	}
	if got := (j.net.vertices[2].tasks[0].handled - before) / 30; !near(got, 250, 3) {
		t.Errorf("%.0f records/s come to a receiver, want 250", got)
	}
	q := &j.net.edges[1].queues[0]
	if q.standing() > 0.1 || q.held() < 0.9 {
		t.Errorf("its input is %.2f full, the output before it %.2f", q.standing(), q.held())
	}
}

// A sink that keeps what is not confirmed fills its heap, its collector works ever harder, and then the job
// fails.
func TestAHeapFillsUp(t *testing.T) {
	g := healthyGraph()
	g.Vertices[3].Holding = &Holding{Confirmed: 100, Bytes: 10e3}
	c := New(Config{Jobs: []Job{{Name: "test", Graph: g, Restart: &Restart{Delay: 5 * time.Second}}}})
	w := c.workers[0]
	c.Advance(20 * time.Second)
	live, held := c.live(w)
	if want := 0.4 + 19*1900*10e3/(1<<30); !held || !near(live, want, 0.02) {
		t.Errorf("%.3f of the heap are live, want %.3f", live, want)
	}
	_, gc := c.heap(w, 20)
	if gc < 0.02 || gc > 0.2 {
		t.Errorf("collecting takes %.2f of the time", gc)
	}
	c.Advance(20 * time.Second)
	if j := c.jobs[0]; len(j.exceptions) != 1 || j.exceptions[0].class != "java.lang.OutOfMemoryError" {
		t.Errorf("%s: %+v", j.state, j.exceptions)
	}
}

// Channels from another TaskManager have buffers of their own, those within one have none.
func TestNetworkBuffersInUse(t *testing.T) {
	s := networkMemory()
	c := s.Cluster(noon())
	// Three edges of all to all: 12 receivers here with 12 channels from elsewhere each, two buffers a channel.
	used, total := c.segments(c.workers[0])
	if exclusive := int64(3 * 12 * 12 * 2); used <= exclusive || used > total {
		t.Errorf("%d of %d segments, of which %d are exclusive", used, total, exclusive)
	}
	c = scenario(t, "healthy")
	if used, _ := c.segments(c.workers[0]); used > 100 {
		t.Errorf("%d segments within one TaskManager", used)
	}
}
