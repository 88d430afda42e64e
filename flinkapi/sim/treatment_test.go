package sim

import (
	"strings"
	"testing"
	"time"
)

// Every scenario with a culprit has a fix that belongs to it and one that does not, the right one first.
func TestEachCulpritHasARightAndAWrongTreatment(t *testing.T) {
	for _, s := range Scenarios() {
		right, wrong := 0, 0
		for _, x := range s.Treatments {
			if x.Right {
				right++
			} else {
				wrong++
			}
		}
		if len(s.Treatments) > 0 && !s.Treatments[0].Right {
			t.Errorf("%s: the first treatment is not the right one", s.Name)
		}
		heals := s.Reason == "catching-up" || s.Name == "fleet"
		if len(s.Culprits) > 0 && !heals && (right == 0 || wrong == 0) {
			t.Errorf("%s has %d right and %d wrong treatments", s.Name, right, wrong)
		}
	}
}

// All treatments have a name, say what they do, and alter vertices that are there.
func TestTreatmentsAreWhole(t *testing.T) {
	for _, s := range Scenarios() {
		for _, x := range s.Treatments {
			if x.Name == "" || strings.ContainsAny(x.Name, " _@") || !strings.HasSuffix(x.Says, ".") || len(x.Changes) == 0 {
				t.Errorf("%s: %+v", s.Name, x)
			}
			if found, err := s.Treatment(x.Name); err != nil || found.Says != x.Says {
				t.Errorf("%s: %s is not found: %v", s.Name, x.Name, err)
			}
			for _, change := range x.Changes {
				if v := change.Vertex; v >= len(s.Config.Jobs[x.Job].Vertices) {
					t.Errorf("%s, %s: vertex %d", s.Name, x.Name, v)
				}
			}
		}
	}
}

// planState is what a rescale changes and leaves of a job.
type planState struct {
	ID        string `json:"jid"`
	State     string `json:"state"`
	StartTime int64  `json:"start-time"`
	Vertices  []struct {
		Parallelism int `json:"parallelism"`
	} `json:"vertices"`
	Plan struct {
		Nodes []struct {
			Parallelism int `json:"parallelism"`
		} `json:"nodes"`
	} `json:"plan"`
}

// A rescale stops all tasks, gives the vertex its new subtasks on new slots and restores the last checkpoint.
func TestRescale(t *testing.T) {
	c := New(Config{Jobs: []Job{{Name: "test", Graph: healthyGraph(), Checkpoints: usualCheckpoints()}}})
	c.Advance(49 * time.Second)
	prime(t, c)
	before := get[planState](t, c, c.path())
	if err := c.Apply(inVain("wide", "Wide.", Change{Vertex: 2, Parallelism: 10})); err != nil {
		t.Fatal(err)
	}
	c.Advance(500 * time.Millisecond)
	if got := get[jobState](t, c, c.path()); got.State != restarting || got.Vertices[2].Status != canceled {
		t.Fatalf("during the rescale: %+v", got)
	}
	c.Advance(2300 * time.Millisecond)
	j := c.jobs[0]
	if got := get[planState](t, c, c.path()); got.ID != before.ID || got.State != running ||
		got.Vertices[2].Parallelism != 10 || got.Plan.Nodes[1].Parallelism != 10 ||
		got.StartTime != before.StartTime {
		t.Errorf("after the rescale: %+v", got)
	}
	for i, s := range j.subtasks[2] {
		want := 0
		if i < 4 {
			want = 1
		}
		x := j.net.vertices[2].tasks[i]
		if s.attempt != want || s.status != running || x.busy+x.idle+x.blocked > 1 {
			t.Errorf("subtask %d: attempt %d, %s after %v s", i, s.attempt, s.status, x.busy+x.idle+x.blocked)
		}
	}
	if got := get[overviewBody](t, c, "/overview"); got.TaskManagers != 3 {
		t.Errorf("%+v", got)
	}
	// The checkpoint of 30 s is restored: about 20 s of 2,000 records/s are read again.
	handled, backlog := 0.0, 0.0
	for i := range j.net.vertices[0].tasks {
		x := &j.net.vertices[0].tasks[i]
		handled += j.subtasks[0][i].carried + x.handled
		backlog += x.supply.backlog
	}
	if now := c.seconds(); !near(handled+backlog, 2000*now, 0.01*2000*now) {
		t.Errorf("%v handled and %v waiting after %v s", handled, backlog, now)
	}
	c.Advance(time.Minute)
	prime(t, c)
	if got := get[vertexBody](t, c, c.vertexPath(t, "totals")); len(got.Subtasks) != 10 || got.Subtasks[9].Metrics.ReadRecords == 0 {
		t.Errorf("%+v", got)
	}
}

// A treatment that is to begin later begins then, however far the clock is moved at once.
func TestApplyAfter(t *testing.T) {
	s, _ := Lookup("slow-middle")
	x, err := s.Treatment("more-enrich")
	if err != nil {
		t.Fatal(err)
	}
	c := s.Cluster(noon())
	if err := c.ApplyAfter(x, time.Minute); err != nil {
		t.Fatal(err)
	}
	c.Advance(59 * time.Second)
	if p := c.jobs[0].net.vertices[2].Parallelism; p != 2 {
		t.Fatalf("parallelism %d before its time", p)
	}
	c.Advance(10 * time.Minute)
	began := c.jobs[0].subtasks[2][5].at(created)
	if want := (s.Warm + time.Minute).Seconds() + redeployTime; !near(began, want, 0.15) {
		t.Errorf("deployed at %v s, want %v", began, want)
	}
}

// A treatment of a job that has ended is refused, and so is one that nobody knows.
func TestApplyRefuses(t *testing.T) {
	s, _ := Lookup("failed")
	if err := s.Cluster(noon()).Apply(helps("late", "Late.", Change{Mend: true})); err == nil {
		t.Error("a job that has failed was treated")
	}
	s, _ = Lookup("slow-sink")
	if _, err := s.Treatment("magic"); err == nil || !strings.Contains(err.Error(), "faster-database") {
		t.Errorf("unknown treatment: %v", err)
	}
}
