package main

import (
	"context"
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
				for _, at := range []int{i, i + 1} {
					step := monitor.Step
					if at == i {
						step = func(ctx context.Context, ask diagnose.Ask) (*diagnose.Observation, error) {
							return monitor.Seek(ctx, i, ask)
						}
					}
					obs, err := step(t.Context(), diagnose.Ask{})
					if err != nil {
						t.Fatal(err)
					}
					if !obs.At.Equal(live[at].At) {
						t.Fatalf("look %d is of %s, not of %s", at, obs.At, live[at].At)
					}
					if got, want := keyOf(obs), keyOf(live[at]); got != want {
						t.Errorf("look %d says %s, it said %s", at, got, want)
					}
				}
			}
			if _, err := monitor.Seek(t.Context(), len(live), diagnose.Ask{}); err == nil {
				t.Error("there is no look behind the last one")
			}
		})
	}
}

func keyOf(obs *diagnose.Observation) string {
	if obs.Report == nil {
		return ""
	}
	return verdictKey(obs.Report)
}
