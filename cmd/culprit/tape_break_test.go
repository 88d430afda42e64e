package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
)

// changing is a transport to a cluster that is lost, or becomes another one.
type changing struct{ inner http.RoundTripper }

func (c *changing) RoundTrip(r *http.Request) (*http.Response, error) { return c.inner.RoundTrip(r) }

// deaf is a server where nobody listens.
type deaf struct{}

func (deaf) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

// TestBreaksInARecording loses the server, restarts its JobManager, and has the job started anew under
// another id while it is recorded: replaying shows what was seen, failures included, and so does going to
// any moment.
func TestBreaksInARecording(t *testing.T) {
	t.Parallel()
	slow, _ := sim.Lookup("slow-sink")
	again := slow // the same job under another id, since it is not the first
	other := lineOf(2)
	again.Config.Jobs = append([]sim.Job{other}, slow.Config.Jobs...)
	named := diagnose.Ask{Name: slow.Config.Jobs[0].Name}
	for name, c := range map[string]struct {
		away int          // how many looks nobody listens
		then sim.Scenario // what is there after that
		ask  diagnose.Ask
	}{
		"lost server":          {12, sim.Scenario{}, named},
		"restarted JobManager": {5, slow, named},
		"job started anew":     {5, again, named},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "broken.culprit")
			live := watchBroken(t, path, slow, c.away, c.then, c.ask)
			ids := blamed(live, named.Name)
			if want := map[bool]int{false: 1, true: 2}[name == "job started anew"]; len(ids) != want {
				t.Errorf("%d jobs of the name have a culprit, want %d", len(ids), want)
			}
			replayBroken(t, path, live, c.ask)
			mustSeek(t, path, 5)
		})
	}
}

// blamed are the ids under which a job of that name had a culprit.
func blamed(all []*diagnose.Observation, name string) map[flinkapi.JobID]bool {
	ids := map[flinkapi.JobID]bool{}
	for _, obs := range all {
		if obs == nil {
			continue
		}
		for _, r := range newReports(obs) {
			if r.Job.Name == name && len(r.Culprits) > 0 {
				ids[r.Job.ID] = true
			}
		}
	}
	return ids
}

// watchBroken records a cluster that goes away and comes back, as another one where then has a job.
func watchBroken(
	t *testing.T, path string, s sim.Scenario, away int, then sim.Scenario, ask diagnose.Ask,
) []*diagnose.Observation {
	t.Helper()
	file, err := tape.Create(path)
	must(t, err)
	cluster := s.Cluster(morning)
	now := cluster
	clock := func() time.Time { return now.Now() }
	recorder := tape.NewRecorder(file, tape.Options{Clock: clock, Settings: diagnose.Settings()})
	server := &changing{sim.Transport(cluster.Handler(), nil)}
	client, err := flinkapi.NewClient(flinkapi.Options{
		URL: "http://sim", Transport: server, Wrap: recorder.Wrap, Timeout: time.Hour,
	})
	must(t, err)
	collector := flinkapi.NewCollector(client, flinkapi.CollectorOptions{
		Clock: recorder.Clock, Signals: diagnose.Needs(), Settings: diagnose.Settings(),
	})
	monitor := diagnose.NewMonitor(recorder.Source(collector), diagnose.DefaultOptions())
	var all []*diagnose.Observation
	failed := 0
	const before, after = 70, 70
	for i := range before + away + after {
		switch i {
		case before:
			server.inner = deaf{}
		case before + away:
			if len(then.Config.Jobs) > 0 {
				cluster = then.Cluster(now.Now())
				now = cluster
			}
			server.inner = sim.Transport(cluster.Handler(), nil)
		}
		obs, err := monitor.Step(t.Context(), ask)
		if err != nil {
			obs = nil
			failed++
		}
		all = append(all, obs)
		cluster.Advance(monitor.Wait())
	}
	must(t, recorder.Close())
	must(t, file.Close())
	if failed < away || all[len(all)-1] == nil {
		t.Fatalf("%d looks failed, of %d that should: this tests something else", failed, away)
	}
	return all
}

// replayBroken plays a recording and holds it to what was seen, look by look.
func replayBroken(t *testing.T, path string, live []*diagnose.Observation, ask diagnose.Ask) {
	t.Helper()
	monitor := diagnose.NewMonitor(play(t, path), diagnose.DefaultOptions())
	var played []*diagnose.Observation
	for {
		obs, err := monitor.Step(t.Context(), ask)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			obs = nil
		}
		played = append(played, obs)
	}
	if len(played) != len(live) {
		t.Errorf("%d looks were taken, %d are played", len(live), len(played))
	}
	for i := range min(len(played), len(live)) {
		if !reflect.DeepEqual(live[i], played[i]) {
			t.Fatalf("look %d of %d differs (-live +replay):\n%.3000s", i, len(live),
				cmp.Diff(live[i], played[i], cmp.Exporter(every)))
		}
	}
}
