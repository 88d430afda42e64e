package sim

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

type jobState struct {
	State    string `json:"state"`
	Vertices []struct {
		Status string `json:"status"`
	} `json:"vertices"`
}

func TestRestartLoop(t *testing.T) {
	c := scenario(t, "restart-loop")
	prime(t, c)
	vertex := c.vertexPath(t, "parse")
	states := map[string]int{}
	attempts, longest := map[int]bool{}, int64(0)
	for range 300 {
		states[get[jobState](t, c, c.path()).State]++
		s := get[vertexBody](t, c, vertex).Subtasks[2]
		attempts[s.Attempt] = true
		longest = max(longest, s.Durations[running])
		c.Advance(100 * time.Millisecond)
	}
	if states[running] == 0 || states[restarting] == 0 || len(states) != 2 {
		t.Errorf("states: %v", states)
	}
	if len(attempts) < 3 || longest > 6500 {
		t.Errorf("%d attempts, the longest of %d ms", len(attempts), longest)
	}
	restarts := get[[]struct{ Value string }](t, c, c.path()+"/metrics?get=numRestarts")
	if len(restarts) != 1 || restarts[0].Value == "0" {
		t.Errorf("numRestarts: %+v", restarts)
	}
	type history struct {
		History exceptionsHistory `json:"exceptionHistory"`
	}
	got := get[history](t, c, c.path()+"/exceptions").History
	if len(got.Entries) != 16 || !got.Truncated || got.Entries[0].Timestamp <= got.Entries[1].Timestamp {
		t.Fatalf("%d exceptions, truncated %v", len(got.Entries), got.Truncated)
	}
	if e := got.Entries[0]; e.Name != "java.lang.IllegalArgumentException" ||
		!strings.HasPrefix(*e.TaskName, "parse (3/4) - execution #") || *e.TaskManagerID != "tm-1" {
		t.Errorf("%+v", e)
	}
	if got = get[history](t, c, c.path()+"/exceptions?maxExceptions=3").History; len(got.Entries) != 3 {
		t.Errorf("%d exceptions of 3 asked for", len(got.Entries))
	}
}

func TestRestartResetsCountersAndReadsAgain(t *testing.T) {
	c := New(Config{Jobs: []Job{{
		Name: "test", Graph: healthyGraph(), Checkpoints: usualCheckpoints(), Restart: &Restart{Delay: time.Second},
		Faults: []Fault{{Kind: TaskFails, At: 50 * time.Second, Vertex: 1}},
	}}})
	c.Advance(49 * time.Second)
	j := c.jobs[0]
	if lag := j.net.vertices[0].tasks[0].supply.backlog; lag > 1 {
		t.Fatalf("lag before the failure: %v", lag)
	}
	c.Advance(2800 * time.Millisecond)
	s, x := &j.subtasks[2][0], &j.net.vertices[2].tasks[0]
	if s.attempt != 1 || s.status != initializing || x.busy+x.idle+x.blocked > 0 || j.restarts != 1 {
		t.Errorf("attempt %d after %v s, %d restarts", s.attempt, x.busy+x.idle+x.blocked, j.restarts)
	}
	// The checkpoint of 30 s is restored: what was written since then waits to be read, 500 records/s for
	// each subtask.
	if replayed := j.net.vertices[0].tasks[0].supply.backlog; !near(replayed, 500*21.8, 100) {
		t.Errorf("lag after the restart: %v", replayed)
	}
	counts := get[checkpointStatisticsBody](t, c, c.path()+"/checkpoints")
	if counts.Counts.Restored != 1 || counts.Latest.Restored.ID != 1 {
		t.Errorf("%+v", counts.Counts)
	}
}

func TestJobsEnd(t *testing.T) {
	tests := []struct{ scenario, state, vertex string }{
		{"finished", "FINISHED", "FINISHED"},
		{"failed", "FAILED", "FAILED"},
		{"batch", "RUNNING", "RUNNING"},
		{"healthy", "RUNNING", "RUNNING"},
	}
	for _, tt := range tests {
		c := scenario(t, tt.scenario)
		got := get[jobState](t, c, c.path())
		if last := got.Vertices[len(got.Vertices)-1]; got.State != tt.state || last.Status != tt.vertex {
			t.Errorf("%s: %+v", tt.scenario, got)
		}
	}
	if got := get[jobState](t, scenario(t, "batch"), scenario(t, "batch").path()); got.Vertices[0].Status != finished {
		t.Errorf("first stage of batch: %+v", got)
	}
}

// A finished vertex answers /backpressure with 500 if its metrics were ever fetched, and its metrics
// with [].
func TestFinishedVertexHasNoBackpressure(t *testing.T) {
	c := scenario(t, "finished")
	prime(t, c)
	vertex := c.vertexPath(t, "parse")
	if got := get[backpressureBody](t, c, vertex+"/backpressure"); got.Status != "deprecated" {
		t.Errorf("never watched: %+v", got)
	}

	s, _ := Lookup("finished")
	c = New(s.Config)
	c.Advance(5 * time.Second)
	prime(t, c)
	c.Advance(5 * time.Minute)
	if status, body := ask(t, c.Handler(), vertex+"/backpressure"); status != http.StatusInternalServerError ||
		!strings.Contains(string(body), "NoSuchElementException") {
		t.Errorf("watched while it ran: %d %s", status, body)
	}
	if got := get[[]any](t, c, vertex+"/subtasks/metrics?get=busyTimeMsPerSecond,numRecordsIn"); len(got) != 0 {
		t.Errorf("metrics: %v", got)
	}
	if got := get[ioBody](t, c, c.path()).Vertices[1].Metrics; !got.Complete || got.Read != 300_000 {
		t.Errorf("final counters: %+v", got)
	}
}

func TestLostTaskManager(t *testing.T) {
	config := func(r *Restart) Config {
		return Config{
			TaskManagers: []TaskManager{{}, {}, {}},
			Jobs: []Job{{
				Name: "test", Restart: r,
				Graph: Graph{
					Vertices: []Vertex{kafka("s", 8, 200, 1000), computing("work", 8, 300)}, Edges: chain(Rebalance),
				},
				Faults: []Fault{{Kind: TaskManagerStalls, At: time.Minute, TaskManager: 1}},
			}},
		}
	}
	c := New(config(nil))
	c.Advance(2 * time.Minute)
	if got := get[jobState](t, c, c.path()); got.State != failed {
		t.Errorf("without a restart strategy: %+v", got)
	}
	if got := get[overviewBody](t, c, "/overview"); got.TaskManagers != 2 {
		t.Errorf("%+v", got)
	}
	lost := get[vertexBody](t, c, c.vertexPath(t, "work")).Subtasks[4]
	if lost.Status != canceled || lost.Metrics.Busy != 0 || lost.Metrics.ReadRecords != 0 {
		t.Errorf("subtask on the lost worker: %+v", lost)
	}

	c = New(config(&Restart{Delay: time.Second}))
	c.Advance(2 * time.Minute)
	if got := get[jobState](t, c, c.path()); got.State != running {
		t.Errorf("with a restart strategy: %+v", got)
	}
	if got := get[vertexBody](t, c, c.vertexPath(t, "work")).Subtasks[4]; got.TaskManagerID != "tm-3" || got.Attempt != 1 {
		t.Errorf("the replacement: %+v", got)
	}
}
