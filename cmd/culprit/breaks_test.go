package main

import (
	"context"
	"errors"
	"os"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui"
)

// breaks is the program on a monitor that fails as its first argument says; the second is the log.
func breaks() {
	ctx, stop := untilSignal(context.Background())
	c := console{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv}
	c.journal = &journal{file: os.Args[2]}
	code := c.exit(watchScreen(ctx, c, tui.Options{
		Monitor: &broken{how: os.Args[1]}, Mode: "live", Target: "http://jobmanager:8081",
		Clock: flinkapi.WallClock, In: c.in, Out: c.out, Env: c.env,
	}))
	stop()
	os.Exit(code) //nolint:forbidigo // it stands in for main
}

// broken is a monitor that answers once in an odd way.
type broken struct {
	how   string
	steps int
}

// Step fails once the screen has shown that it connects.
func (b *broken) Step(context.Context, diagnose.Ask) (*diagnose.Observation, error) {
	b.steps++
	if b.steps == 1 {
		return nil, errors.New("not yet")
	}
	if b.how == "step" {
		panic("a step that fails \x1b[31mbadly")
	}
	return &diagnose.Observation{}, nil // no screen expects one without a snapshot
}

// Wait leaves time for a frame.
func (b *broken) Wait() time.Duration { return 200 * time.Millisecond }
