package sim

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestOnlyGetIsAnswered(t *testing.T) {
	c := scenario(t, "healthy")
	methods := []string{"POST", "PATCH", "DELETE", "PUT", "HEAD"}
	want := make([]string, len(methods))
	for i, method := range methods {
		want[i] = method + " " + c.path()
		r, err := http.NewRequestWithContext(t.Context(), method, "http://flink"+c.path(), nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := Transport(c.Handler(), nil).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: status %d", method, answer.StatusCode)
		}
	}
	if got := c.Traffic(); !slices.Equal(got.Writes, want) || got.Requests != 5 || got.Escapes != nil {
		t.Errorf("%+v", got)
	}
}

func TestRequestsOutsideThePrefixAreRecorded(t *testing.T) {
	s, _ := Lookup("healthy")
	s.Config.Prefix = "/proxy/flink/"
	c := s.Cluster(noon())
	tests := []struct {
		path   string
		status int
	}{
		{"/proxy/flink/config", http.StatusOK},
		{"/proxy/flink/v1/jobs/overview", http.StatusOK},
		{"/proxy/flink" + c.path() + "/plan", http.StatusOK},
		{"/proxy/flink/taskmanagers/tm%2D1/metrics", http.StatusOK},
		{"/proxy/flink/taskmanagers/a%2Fb", http.StatusNotFound},
		{"/proxy/flink/nope", http.StatusNotFound},
		{"/config", http.StatusInternalServerError},
		{"/proxy/flinkconfig", http.StatusInternalServerError},
	}
	for _, tt := range tests {
		if status, body := ask(t, c.Handler(), tt.path); status != tt.status {
			t.Errorf("%s: status %d: %s", tt.path, status, body)
		}
	}
	if got := c.Traffic().Escapes; !slices.Equal(got, []string{"/config", "/proxy/flinkconfig"}) {
		t.Errorf("escapes: %v", got)
	}
}

func TestUnknownThings(t *testing.T) {
	c := scenario(t, "healthy")
	vertex := c.vertexPath(t, "parse")
	tests := []struct {
		path, body string
		status     int
	}{
		{"/nope", `{"errors":["Not found: /nope"]}`, http.StatusNotFound},
		{"/jobs/0123", "Job 0123 not found", http.StatusNotFound},
		{c.path() + "/vertices/4567", "JobVertex 4567 not found", http.StatusNotFound},
		{c.path() + "/checkpoints/details/77", "checkpoint 77", http.StatusNotFound},
		{"/taskmanagers/tm-9", "No TaskManager registered under tm-9", http.StatusNotFound},
		{"/taskmanagers/tm-9/metrics?get=x", "[]", http.StatusOK},
		{c.path() + "/vertices/4567/backpressure", `{"status":"deprecated"}`, http.StatusOK},
		{vertex + "/metrics?get=" + strings.Repeat("a", 4096), "/bad-request", http.StatusNotFound},
	}
	for _, tt := range tests {
		status, body := ask(t, c.Handler(), tt.path)
		if status != tt.status || !strings.Contains(string(body), tt.body) {
			t.Errorf("%s: %d %s", tt.path, status, body)
		}
	}
}

// tour asks for a bit of everything, twice with time in between, and returns all the bytes.
func tour(t *testing.T, c *Cluster) []byte {
	t.Helper()
	var all bytes.Buffer
	for range 2 {
		paths := []string{"/config", "/overview", "/jobs/overview", "/taskmanagers", "/taskmanagers/tm-1/metrics"}
		for i, j := range c.jobs {
			job := "/jobs/" + c.jobs[i].id
			paths = append(paths, job, job+"/exceptions", job+"/checkpoints", job+"/metrics?get=numRestarts,runningTime")
			for _, id := range j.vertexIDs {
				v := job + "/vertices/" + id
				paths = append(paths, v, v+"/backpressure", v+"/watermarks", v+"/subtasks/metrics?get=numRecordsIn")
			}
		}
		for _, p := range paths {
			_, body := ask(t, c.Handler(), p)
			all.Write(body)
		}
		c.Advance(12345 * time.Millisecond)
	}
	return all.Bytes()
}

func TestSameConfigurationGivesTheSameBytes(t *testing.T) {
	for _, s := range Scenarios() {
		first, second := tour(t, s.Cluster(noon())), tour(t, s.Cluster(noon()))
		if !bytes.Equal(first, second) {
			t.Errorf("%s: two runs differ", s.Name)
		}
	}
	for seed := range uint64(20) {
		cluster := func() *Cluster {
			return New(Config{Jobs: []Job{{Name: "r", Graph: Random(rngOf(seed), RandomOptions{}), Jitter: 0.1}}})
		}
		if !bytes.Equal(tour(t, cluster()), tour(t, cluster())) {
			t.Errorf("seed %d: two runs differ", seed)
		}
	}
}

// However the time is cut into pieces, the cluster is in the same state afterwards.
func TestAdvanceAddsUp(t *testing.T) {
	whole, pieces := scenario(t, "hot-key"), scenario(t, "hot-key")
	whole.Advance(10 * time.Second)
	for range 1000 {
		pieces.Advance(10 * time.Millisecond)
	}
	if !whole.Now().Equal(noon().Add(10*time.Second)) || !bytes.Equal(tour(t, whole), tour(t, pieces)) {
		t.Errorf("the two clusters differ at %v", whole.Now())
	}
	whole.AdvanceTo(noon())
	if !whole.Now().After(noon()) {
		t.Error("time went backwards")
	}
}

func TestFollowMapsAnotherClock(t *testing.T) {
	c := scenario(t, "healthy")
	clock := time.Unix(1000, 0)
	client := http.Client{Transport: Transport(c.Handler(), c.Follow(func() time.Time { return clock }, 60))}
	clock = clock.Add(2 * time.Second)
	answer, err := client.Get("http://flink/config") //nolint:noctx // nothing to cancel in memory
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if got := c.Now().Sub(noon()); got != 2*time.Minute {
		t.Errorf("2 s at 60 times the speed moved the cluster by %v", got)
	}
	if date := answer.Header.Get("Date"); date != "Wed, 04 Mar 2026 12:02:00 GMT" {
		t.Errorf("Date: %s", date)
	}
}

func TestClusterMayBeUsedFromSeveralGoroutines(t *testing.T) {
	c := scenario(t, "two-sinks")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://flink"+c.path(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 50 {
				answer, err := Transport(c.Handler(), nil).RoundTrip(r)
				if err != nil || answer.StatusCode != http.StatusOK {
					t.Errorf("%v, %v", answer, err)
					return
				}
				answer.Body.Close()
				c.Advance(time.Second)
			}
		})
	}
	group.Wait()
	if got := c.Now().Sub(noon()); got != 200*time.Second || c.Traffic().Requests != 200 {
		t.Errorf("after 200 requests and seconds: %v, %d requests", got, c.Traffic().Requests)
	}
}

func TestTransportHonoursTheContext(t *testing.T) {
	c := scenario(t, "healthy")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://flink/config", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := Transport(c.Handler(), nil).RoundTrip(r)
	if answer != nil {
		answer.Body.Close()
	}
	if !errors.Is(err, context.Canceled) || c.Traffic().Requests != 0 {
		t.Errorf("error %v after %d requests", err, c.Traffic().Requests)
	}
}

func TestFieldsFollowTheVersion(t *testing.T) {
	tests := []struct {
		path          string
		only120, only string
	}{
		{"", "", `"schedulerType":"Default"`},
		{"/exceptions", `"root-exception":null`, ""},
		{"/config", `"execution-mode"`, ""},
		{"/vertices/{}", `"host":"10.0.3.11"`, ""},
		{"/vertices/{}/subtasks/metrics", "buffers.inPoolUsage", ""},
		{"/metrics", "fullRestarts", "numRescales"},
	}
	for _, tt := range tests {
		var bodies [2]string
		for i, version := range []string{"1.20.5", "2.3.0"} {
			s, _ := Lookup("healthy")
			s.Config.Version = version
			c := s.Cluster(noon())
			prime(t, c)
			path := c.path() + strings.ReplaceAll(tt.path, "{}", c.jobs[0].vertexIDs[1])
			_, body := ask(t, c.Handler(), path)
			bodies[i] = string(body)
		}
		if tt.only120 != "" && (!strings.Contains(bodies[0], tt.only120) || strings.Contains(bodies[1], `"`+tt.only120)) {
			t.Errorf("%s: %s should be in 1.20.5 alone", tt.path, tt.only120)
		}
		if tt.only != "" && (strings.Contains(bodies[0], tt.only) || !strings.Contains(bodies[1], tt.only)) {
			t.Errorf("%s: %s should be in 2.3.0 alone", tt.path, tt.only)
		}
	}
}

func TestLegacySourceHasNoBusyTime(t *testing.T) {
	g := healthyGraph()
	g.Vertices[0].Legacy = true
	c, _ := run(g, 60)
	prime(t, c)
	_, body := ask(t, c.Handler(), c.vertexPath(t, "Source: orders")+"/subtasks/metrics?get=busyTimeMsPerSecond")
	want := `[{"id":"busyTimeMsPerSecond","min":"NaN","max":"NaN","avg":"NaN","sum":"NaN","skew":"NaN"}]`
	if string(body) != want {
		t.Errorf("got %s", body)
	}
	if _, body = ask(t, c.Handler(), c.path()); !strings.Contains(string(body), `"accumulated-busy-time":"NaN"`) {
		t.Errorf("no NaN in %s", body)
	}
}

func TestJavaDouble(t *testing.T) {
	tests := map[float64]string{
		0: "0.0", 12: "12.0", 0.125: "0.125", 1234567.5: "1234567.5", 1e7: "1.0E7", -9.223372036854775808e18: "-9.223372036854776E18",
		0.001: "0.001", 0.00025: "2.5E-4",
	}
	for x, want := range tests {
		if got := javaDouble(x); got != want {
			t.Errorf("javaDouble(%v) = %s, want %s", x, got, want)
		}
	}
}
