package sim

import (
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"
)

// noon is a fixed moment for the tests.
func noon() time.Time { return time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC) }

func rngOf(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// run simulates one job for so many seconds and returns it.
func run(g Graph, seconds int) (*Cluster, *job) {
	c := New(Config{Jobs: []Job{{Name: "test", Graph: g}}})
	c.Advance(time.Duration(seconds) * time.Second)
	return c, c.jobs[0]
}

// scenario starts a built-in incident.
func scenario(t *testing.T, name string) *Cluster {
	t.Helper()
	s, ok := Lookup(name)
	if !ok {
		t.Fatalf("no scenario %q", name)
	}
	return s.Cluster(noon())
}

// shares returns busy, backpressured and idle of each subtask of each vertex over the next so many
// seconds.
func shares(c *Cluster, j *job, seconds int) [][][3]float64 {
	read := func() [][][3]float64 {
		out := make([][][3]float64, len(j.net.vertices))
		for v := range j.net.vertices {
			for _, t := range j.net.vertices[v].tasks {
				out[v] = append(out[v], [3]float64{t.busy, t.blocked, t.idle})
			}
		}
		return out
	}
	before := read()
	c.Advance(time.Duration(seconds) * time.Second)
	after := read()
	for v := range after {
		for i := range after[v] {
			for k := range after[v][i] {
				after[v][i][k] = (after[v][i][k] - before[v][i][k]) / float64(seconds)
			}
		}
	}
	return after
}

// highest returns the largest busy, backpressured and idle share of the subtasks.
func highest(subtasks [][3]float64) [3]float64 {
	var top [3]float64
	for _, x := range subtasks {
		for k := range x {
			top[k] = max(top[k], x[k])
		}
	}
	return top
}

// ask sends one GET and returns status and body.
func ask(t *testing.T, h http.Handler, path string) (int, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://flink"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := Transport(h, nil).RoundTrip(r)
	if err != nil {
		t.Fatalf("GET %s: %v", path, err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, body
}

// get decodes the JSON answer to one GET that must succeed.
func get[T any](t *testing.T, c *Cluster, path string) T {
	t.Helper()
	status, body := ask(t, c.Handler(), path)
	if status != http.StatusOK {
		t.Fatalf("GET %s: status %d: %s", path, status, body)
	}
	var v T
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("GET %s: %v in %s", path, err, body)
	}
	return v
}

// prime makes the metric store full and fresh.
func prime(t *testing.T, c *Cluster) {
	t.Helper()
	ask(t, c.Handler(), c.path())
	c.Advance(200 * time.Millisecond)
}

// path is that of the first job.
func (c *Cluster) path() string { return "/jobs/" + c.jobs[0].id }

// vertexPath is that of a vertex of the first job, by name.
func (c *Cluster) vertexPath(t *testing.T, name string) string {
	t.Helper()
	for v, vx := range c.jobs[0].net.vertices {
		if vx.Name == name {
			return c.path() + "/vertices/" + c.jobs[0].vertexIDs[v]
		}
	}
	t.Fatalf("no vertex %q", name)
	return ""
}
