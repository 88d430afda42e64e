package main

import (
	"testing"
	"time"

	"culprit/diagnose"
)

// TestSeek goes to moments of a recording, forwards and back: each has the verdict that it had live, and the
// look after it too.
func TestSeek(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"slow-sink", "checkpoint-trend", "catching-up"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, live := recordOne(t, name, 14*time.Minute)
			player := play(t, path)
			monitor := diagnose.NewMonitor(player, diagnose.DefaultOptions())
			for _, i := range []int{len(live) - 2, 700, 3, 241, 400, 0} {
				obs, err := monitor.Seek(t.Context(), i, diagnose.Ask{})
				mustShow(t, i, obs, err, live)
				obs, err = monitor.Step(t.Context(), diagnose.Ask{})
				mustShow(t, i+1, obs, err, live)
			}
			if _, err := monitor.Seek(t.Context(), len(live), diagnose.Ask{}); err == nil {
				t.Error("there is no look behind the last one")
			}
		})
	}
}

// mustShow holds the look i of a replay to the one of the watch.
func mustShow(t *testing.T, i int, obs *diagnose.Observation, err error, live []*diagnose.Observation) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if !obs.At.Equal(live[i].At) {
		t.Fatalf("look %d is of %s, not of %s", i, obs.At, live[i].At)
	}
	if got, want := keyOf(obs), keyOf(live[i]); got != want {
		t.Errorf("look %d says %s, it said %s", i, got, want)
		return
	}
	if obs.Report == nil {
		return
	}
	for k := range obs.Report.Culprits {
		got, want := obs.Report.Culprits[k], live[i].Report.Culprits[k]
		since := got.Since.Sub(want.Since).Abs()
		long := obs.At.Sub(got.Since) >= 9*time.Minute // as far back as a seek plays
		if since > 45*time.Second && (!long || !got.Earlier) {
			t.Errorf("look %d says since %s (or earlier: %v), it said %s", i, got.Since, got.Earlier, want.Since)
		}
	}
}

func keyOf(obs *diagnose.Observation) string {
	if obs.Report == nil {
		return ""
	}
	return verdictKey(obs.Report)
}
