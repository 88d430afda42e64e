package flinkapi

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

const testVertex = "00112233445566778899aabbccddeeff"

func TestThePathsOfTheListPassAndNothingElse(t *testing.T) {
	passed := 0
	g := guard{
		base: address{scheme: "http", host: "jobmanager:8081", prefix: "/flink"},
		next: roundTrip(func(r *http.Request) (*http.Response, error) {
			passed++
			return &http.Response{StatusCode: 200, Body: http.NoBody, Request: r}, nil
		}),
	}
	const base = "http://jobmanager:8081/flink"
	job := base + "/jobs/" + testJob
	cases := []struct {
		method, url string
		pass        bool
	}{
		{"GET", base + "/config", true},
		{"GET", base + "/jobs/overview", true},
		{"GET", job, true},
		{"GET", job + "/exceptions?maxExceptions=5", true},
		{"GET", job + "/vertices/" + testVertex + "/subtasks/metrics?get=a,b", true},
		{"GET", base + "/taskmanagers/10.0.0.1:43651-a%2Fb/metrics?get=x", true},
		{"GET", base + "/taskmanagers/tm-1/thread-dump", true},
		{"GET", job + "/config", true},
		{"GET", job + "/checkpoints/details/17", true},
		{"GET", job + "/checkpoints/details/17/subtasks/" + testVertex, true},
		{"GET", job + "/vertices/" + testVertex + "/jm-operator-metrics?get=a.b", true},
		{"GET", job + "/vertices/" + testVertex + "/flamegraph?type=FULL&subtaskindex=1", true},
		{"GET", job + "/vertices/" + testVertex + "/flamegraph?get=a", false},
		{"GET", job + "/checkpoints/details/latest", false},
		{"GET", job + "/checkpoints/details/-1", false},
		{"GET", job + "/checkpoints/details/12345678901234567890", false},
		{"GET", job + "/checkpoints/details/17/subtasks/x", false},
		{"GET", job + "/jobmanager/config", false},
		{"GET", base + "/taskmanagers/x/logs", false},
		{"GET", base + "/taskmanagers/x/thread-dump/more", false},
		{"GET", base + "/jobmanager/thread-dump", false},
		{"POST", job, false},
		{"PATCH", job, false},
		{"DELETE", job, false},
		{"HEAD", job, false},
		{"get", job, false},
		{"GET", job + "/yarn-cancel", false},
		{"GET", job + "/yarn-stop", false},
		{"GET", job + "/", false},
		{"GET", job + "/../../config", false},
		{"GET", job + "?mode=cancel", false},
		{"GET", job + "/metrics?get=a&agg=max;x", false},
		{"GET", base + "/jobs/nothex", false},
		{"GET", base + "/jobs/" + strings.Repeat("0", 31) + "%2F", false},
		{"GET", base + "/taskmanagers/../metrics", false},
		{"GET", base + "/taskmanagers/%2E%2E/metrics", false},
		{"GET", base + "/taskmanagers//metrics", false},
		{"GET", base + "/jars", false},
		{"GET", "http://jobmanager:8081/config", false},
		{"GET", "https://jobmanager:8081/flink/config", false},
		{"GET", "http://other:8081/flink/config", false},
		{"GET", "http://jobmanager:8081/flinkx/config", false},
	}
	for _, c := range cases {
		r, err := http.NewRequestWithContext(t.Context(), c.method, c.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		passed = 0
		response, err := g.RoundTrip(r)
		var e *Error
		if c.pass != (passed == 1) || c.pass != (err == nil) {
			t.Errorf("%s %s: passed %d times, error %v", c.method, c.url, passed, err)
		}
		if !c.pass && (!errors.As(err, &e) || e.Kind != KindForbidden) {
			t.Errorf("%s %s: error %v is not of kind %s", c.method, c.url, err, KindForbidden)
		}
		if response != nil {
			_ = response.Body.Close()
		}
	}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, job, io.NopCloser(strings.NewReader("x")))
	if g.permit(r) == nil {
		t.Error("a request with a body passed")
	}
}

func TestTheClientCannotSendAnythingElse(t *testing.T) {
	never := roundTrip(func(r *http.Request) (*http.Response, error) {
		t.Errorf("%s %s left the guard", r.Method, r.URL)
		return nil, io.EOF
	})
	c := newTestClient(t, Options{URL: "jobmanager", Transport: never})
	for _, send := range []func() error{
		func() error { _, err := c.http.R().Post("/jobs/" + testJob); return err },
		func() error { _, err := c.http.R().Patch("/jobs/" + testJob + "?mode=cancel"); return err },
		func() error { _, err := c.http.R().Get("/jobs/" + testJob + "/yarn-cancel"); return err },
		func() error { _, err := c.http.R().Get("http://elsewhere/config"); return err },
	} {
		var e *Error
		if err := send(); !errors.As(err, &e) || e.Kind != KindForbidden {
			t.Errorf("got %v, want an error of kind %s", err, KindForbidden)
		}
	}
}

func TestIDsOfPathsAreChecked(t *testing.T) {
	never := roundTrip(func(*http.Request) (*http.Response, error) {
		t.Error("a request was sent")
		return nil, io.EOF
	})
	c := newTestClient(t, Options{URL: "jobmanager", Transport: never})
	wrong := [][]string{nil, {""}, {"x"}, {testJob + "/x"}, {"../config"}, {testJob, testJob}, {"\x1b[31m"}}
	for _, ids := range wrong {
		var e *Error
		err := c.get(t.Context(), call{op: "read the job", path: pathJob, ids: ids}, &wireJob{})
		if !errors.As(err, &e) || e.Kind != KindForbidden || strings.Contains(e.Detail, "\x1b") {
			t.Errorf("ids %q: %v", ids, err)
		}
	}
}

// FuzzTaskManagerID holds that no id of a TaskManager, whatever it is, leads to another path than its own.
func FuzzTaskManagerID(f *testing.F) {
	seeds := []string{"tm-1", "10.0.0.1:43651-a/b", "..", ".", "a/../../jobs", "%2e%2e", "x?get=y", "x#y", "é"}
	for _, seed := range seeds {
		f.Add(seed)
	}
	var got string
	note := func(_ http.ResponseWriter, r *http.Request) { got = r.URL.EscapedPath() }
	server := httptest.NewServer(http.HandlerFunc(note))
	f.Cleanup(server.Close)
	c, err := NewClient(Options{URL: server.URL + "/flink"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, id string) {
		got = ""
		_ = c.get(t.Context(), call{op: "read", path: pathTaskManagerMetrics, ids: []string{id}}, &wireMetrics{})
		if got == "" {
			return // refused
		}
		inner, found := strings.CutPrefix(got, "/flink/taskmanagers/")
		inner, foundEnd := strings.CutSuffix(inner, "/metrics")
		back, err := url.PathUnescape(inner)
		if !found || !foundEnd || err != nil || back != id || strings.Contains(inner, "/") {
			t.Errorf("id %q led to %s", id, got)
		}
	})
}
