package main

import (
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/diagnose"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
)

// seekable are incidents whose diagnosis remembers different things: firmness, checkpoints, lag, threads,
// restarts, turns, several jobs.
func seekable(t *testing.T) []sim.Scenario {
	t.Helper()
	var all []sim.Scenario
	for _, name := range []string{
		"slow-sink", "checkpoint-trend", "catching-up", "restart-loop", "hot-key", "gc", "fleet",
	} {
		s, ok := sim.Lookup(name)
		if !ok {
			t.Fatalf("no scenario is called %s", name)
		}
		all = append(all, s)
	}
	return all
}

// TestSeek goes to random moments of recordings, forwards and back: each shows the same report, to the last
// field, as playing to it does, and so does the look after it.
func TestSeek(t *testing.T) {
	t.Parallel()
	for i, s := range seekable(t) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			span := 5 * time.Minute
			if i < 2 { // longer than the diagnosis looks back
				span = 18 * time.Minute
			}
			path := filepath.Join(t.TempDir(), "watch.culprit")
			record(t, s, path, tape.Options{}).run(t, span)
			mustSeek(t, path, uint64(i))
		})
	}
}

// mustSeek holds seeks in a recording to what playing it shows.
func mustSeek(t *testing.T, path string, seed uint64) {
	t.Helper()
	played := playedWhole(t, path)
	player := play(t, path)
	monitor := diagnose.NewMonitor(player, diagnose.DefaultOptions())
	index := diagnose.NewIndex(play(t, path), diagnose.DefaultOptions(), nil)
	random := rand.New(rand.NewPCG(7, seed)) //nolint:gosec // moments, the same each time
	moments := []int{len(played) / 2, 0, len(played) - 1, 1}
	for range 10 {
		moments = append(moments, random.IntN(len(played)))
	}
	for _, i := range moments {
		obs, err := index.Seek(t.Context(), monitor, i, diagnose.Ask{})
		mustEqual(t, i, obs, err, played)
		if i+1 < len(played) {
			obs, err = monitor.Step(t.Context(), diagnose.Ask{})
			mustEqual(t, i+1, obs, err, played)
		}
	}
	for _, i := range []int{-1, len(played)} {
		if _, err := index.Seek(t.Context(), monitor, i, diagnose.Ask{}); err == nil {
			t.Errorf("there is no look %d", i)
		}
	}
}

// playedWhole is what each look of a recording shows when it is played; nil for one that failed.
func playedWhole(t *testing.T, path string) []*diagnose.Observation {
	t.Helper()
	monitor := diagnose.NewMonitor(play(t, path), diagnose.DefaultOptions())
	var all []*diagnose.Observation
	for {
		obs, err := monitor.Step(t.Context(), diagnose.Ask{})
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			obs = nil
		}
		all = append(all, obs)
	}
}

// mustEqual holds the look i of a replay to what playing to it shows.
func mustEqual(t *testing.T, i int, obs *diagnose.Observation, err error, played []*diagnose.Observation) {
	t.Helper()
	if err != nil {
		obs = nil
	}
	if !reflect.DeepEqual(played[i], obs) {
		t.Fatalf("look %d of %d differs (-played +sought), error %v:\n%.4000s", i, len(played), err,
			cmp.Diff(played[i], obs, cmp.Exporter(every)))
	}
}

// TestSeekOfOneOfSeveralJobs goes to moments of one job of a recording in which several took turns.
func TestSeekOfOneOfSeveralJobs(t *testing.T) {
	t.Parallel()
	a, _ := sim.Lookup("slow-sink")
	b, _ := sim.Lookup("hot-key")
	a.Config.Jobs = append(a.Config.Jobs, b.Config.Jobs...)
	a.Config.Jobs[len(a.Config.Jobs)-1].Name = "another"
	path := filepath.Join(t.TempDir(), "watch.culprit")
	record(t, a, path, tape.Options{}).run(t, 4*time.Minute)
	mustSeek(t, path, 1)

	// The one that is asked for says what it says where it was asked for all along.
	ask := diagnose.Ask{Name: "another"}
	alone := diagnose.NewMonitor(play(t, path), diagnose.DefaultOptions())
	told := map[string]*diagnose.Report{}
	for {
		obs, err := alone.Step(t.Context(), ask)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && obs.Report != nil {
			told[obs.At.String()] = obs.Report
		}
	}
	monitor := diagnose.NewMonitor(play(t, path), diagnose.DefaultOptions())
	source := play(t, path)
	index := diagnose.NewIndex(source, diagnose.DefaultOptions(), nil)
	met := 0
	for i := 60; i < source.Len()-2; i += 23 {
		obs, err := index.Seek(t.Context(), monitor, i, ask)
		must(t, err)
		want := told[obs.At.String()]
		if want == nil || obs.Report == nil {
			continue
		}
		met++
		if diff := cmp.Diff(want, obs.Report, cmp.Exporter(every)); diff != "" {
			t.Fatalf("look %d differs (-played +sought):\n%.4000s", i, diff)
		}
	}
	if met == 0 {
		t.Error("no look of that job was met: this tests nothing")
	}
}

// mustShow holds the look i of a replay to the one of the watch.
func mustShow(t *testing.T, i int, obs *diagnose.Observation, err error, live []*diagnose.Observation) {
	t.Helper()
	must(t, err)
	if diff := cmp.Diff(live[i].Report, obs.Report, cmp.Exporter(every)); diff != "" || !obs.At.Equal(live[i].At) {
		t.Errorf("the look of %s is not that of %s (-live +shown):\n%.4000s", obs.At, live[i].At, diff)
	}
}
