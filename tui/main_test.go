package tui

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// TestMain shows a hand-built observation on the real terminal where CULPRIT_SCREEN names one; else it runs
// the tests.
func TestMain(m *testing.M) {
	name := os.Getenv("CULPRIT_SCREEN")
	if name == "" {
		m.Run()
		return
	}
	err := Run(context.Background(), Options{
		Monitor: still{screens()[name]}, Mode: "live", Target: "http://jobmanager:8081",
		Clock: flinkapi.WallClock, In: os.Stdin, Out: os.Stdout, Env: os.Getenv,
		Look: DetectLook(os.Stdout, os.Getenv),
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// screens are the hand-built observations by name.
func screens() map[string]func() (*diagnose.Observation, error) {
	out := map[string]func() (*diagnose.Observation, error){
		"refused": func() (*diagnose.Observation, error) { return nil, refused() },
	}
	for name, see := range map[string]func() *diagnose.Observation{
		"slow-sink": slowSink, "healthy": healthy, "stale": stale, "restart-loop": restartLoop,
		"many": manyVertices, "two": twoCulprits, "wide": wide, "jobs": jobList,
		"vertices-60":  func() *diagnose.Observation { return bigJob(60) },
		"vertices-300": func() *diagnose.Observation { return bigJob(300) },
	} {
		out[name] = func() (*diagnose.Observation, error) { return see(), nil }
	}
	return out
}

// still is a monitor that always sees the same.
type still struct {
	see func() (*diagnose.Observation, error)
}

func (s still) Step(context.Context, diagnose.Ask) (*diagnose.Observation, error) { return s.see() }
func (s still) Wait() time.Duration                                               { return 5 * time.Second }
