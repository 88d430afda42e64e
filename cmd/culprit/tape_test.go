package main

import (
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
)

// morning is when each simulated cluster is looked at first.
var morning = time.Date(2026, time.January, 2, 8, 0, 0, 0, time.UTC)

// liveWatch is a watch of a simulated cluster that is recorded.
type liveWatch struct {
	cluster  *sim.Cluster
	recorder *tape.Recorder
	file     *tape.File
	monitor  *diagnose.Monitor
}

func record(t testing.TB, s sim.Scenario, path string, o tape.Options) *liveWatch {
	t.Helper()
	file, err := tape.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	cluster := s.Cluster(morning)
	o.Clock, o.Settings = cluster.Now, diagnose.Settings()
	recorder := tape.NewRecorder(file, o)
	client, err := flinkapi.NewClient(flinkapi.Options{
		URL: "http://sim", Transport: sim.Transport(cluster.Handler(), nil), Wrap: recorder.Wrap,
		Timeout: time.Hour, // which runs by the wall clock: on a busy machine a look takes longer than it should
	})
	if err != nil {
		t.Fatal(err)
	}
	collector := flinkapi.NewCollector(client, flinkapi.CollectorOptions{
		Clock: recorder.Clock, Signals: diagnose.Needs(), Settings: diagnose.Settings(),
	})
	monitor := diagnose.NewMonitor(recorder.Source(collector), diagnose.DefaultOptions())
	return &liveWatch{cluster, recorder, file, monitor}
}

// run watches for a time and returns what it saw.
func (w *liveWatch) run(t testing.TB, span time.Duration) []*diagnose.Observation {
	t.Helper()
	var all []*diagnose.Observation
	for end := w.cluster.Now().Add(span); w.cluster.Now().Before(end); w.cluster.Advance(w.monitor.Wait()) {
		obs, err := w.monitor.Step(t.Context(), diagnose.Ask{})
		if err != nil {
			obs = nil
		}
		all = append(all, obs)
	}
	if err := w.recorder.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

func every(reflect.Type) bool { return true }

func play(t testing.TB, path string) *tape.Player {
	t.Helper()
	recording, err := tape.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = recording.Close() })
	player, err := recording.Play(tape.PlayerOptions{Signals: diagnose.Needs(), Settings: diagnose.Settings()})
	if err != nil {
		t.Fatal(err)
	}
	return player
}

// TestReplayEqualsLive holds the snapshots and verdicts of every scenario's recording to those of the watch.
func TestReplayEqualsLive(t *testing.T) {
	t.Parallel()
	for i, s := range sim.Scenarios() {
		for _, version := range []string{"2.3.0", "1.15.4"} {
			if version == "1.15.4" && i%4 != 0 { // without accumulated times the collector asks otherwise
				continue
			}
			t.Run(s.Name+"/"+version, func(t *testing.T) {
				t.Parallel()
				s.Config.Version = version
				path := filepath.Join(t.TempDir(), "watch.culprit")
				live := record(t, s, path, tape.Options{}).run(t, 100*time.Second)
				mustReplay(t, path, live)
			})
		}
	}
}

// mustReplay holds a recording to what its watch saw, look by look.
func mustReplay(t *testing.T, path string, live []*diagnose.Observation) {
	t.Helper()
	monitor := diagnose.NewMonitor(play(t, path), diagnose.DefaultOptions())
	for i, want := range live {
		got, err := monitor.Step(t.Context(), diagnose.Ask{})
		if err != nil {
			got = nil
		}
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("look %d of %d differs (-live +replay), error %v:\n%s", i, len(live), err,
				cmp.Diff(want, got, cmp.Exporter(every)))
		}
	}
	if _, err := monitor.Step(t.Context(), diagnose.Ask{}); !errors.Is(err, io.EOF) {
		t.Errorf("after the last look comes %v, not the end", err)
	}
}
