package main

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
)

// moody is a transport to a server that may be silent to some questions, or away.
type moody struct {
	inner  http.RoundTripper
	silent func(*http.Request) bool // nil for none
	away   bool
}

func (s *moody) RoundTrip(r *http.Request) (*http.Response, error) {
	switch {
	case s.silent != nil && s.silent(r):
		<-r.Context().Done()
		return nil, r.Context().Err()
	case s.away:
		return nil, errors.New("connection refused")
	}
	return s.inner.RoundTrip(r)
}

// recordMoody records a job of some vertices in a line, whose cluster answers as the test says.
func recordMoody(t *testing.T, vertices int, path string, timeout time.Duration) (*liveWatch, *moody) {
	t.Helper()
	server := &moody{}
	line := sim.Scenario{Config: sim.Config{Jobs: []sim.Job{lineOf(vertices)}}, Warm: time.Minute}
	w := recordBehind(t, line, path, tape.Options{}, timeout, func(c http.RoundTripper) http.RoundTripper {
		server.inner = c
		return server
	})
	return w, server
}

// A look that fails is recorded with what was asked until then, but one that ended with the time of the whole
// check is not: the check does not count it, and its replay must not either.
func TestOnlyLooksThatCountAreRecorded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gone.culprit")
	w, server := recordMoody(t, 3, path, time.Minute)
	cluster, live := w.cluster, w.monitor
	check := &watch{monitor: live, clock: cluster.Now}
	check.begin(cluster.Now())
	step := func(ctx context.Context) {
		check.step(ctx)
		cluster.Advance(live.Wait())
	}
	step(t.Context())
	step(t.Context())
	server.away = true
	step(t.Context())
	spent, _ := live.Spent()
	server.away, server.silent = false, func(*http.Request) bool { return true }
	over, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	step(over)
	if cost := check.out.cost; cost.Requests != spent.Requests || check.failures != 1 {
		t.Errorf("the check counts %d requests and %d failures: the look that its end cut off, too",
			cost.Requests, check.failures)
	}
	must(t, w.recorder.Close())
	must(t, w.file.Close())
	if looks, _ := w.recorder.Size(); looks != 3 {
		t.Errorf("%d looks were recorded, not those two and the failure", looks)
	}
	again := diagnose.NewMonitor(play(t, path), diagnose.DefaultOptions())
	var err error
	for range 3 {
		_, err = again.Step(t.Context(), diagnose.Ask{})
	}
	told, _ := again.Spent()
	if err == nil || told.Requests != spent.Requests || told.Bytes != spent.Bytes || spent.Requests == 0 {
		t.Errorf("the failure is told as %v after %d requests of %d bytes, not %d of %d", err,
			told.Requests, told.Bytes, spent.Requests, spent.Bytes)
	}
}
