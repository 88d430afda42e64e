package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/muesli/termenv"

	"culprit/diagnose"
	"culprit/tui"
	"culprit/tui/svg"
)

// shot is a picture of the screen: a scenario, how long it is watched, and the keys that are then pressed.
type shot struct {
	file, scenario, title string
	w, h                  int
	watched               time.Duration
	keys                  []string
	light, wall           bool
}

// shots are the pictures of the documents.
func shots() []shot {
	const short, long = 2 * time.Minute, 8 * time.Minute
	return []shot{
		{
			"screen.svg", "slow-sink", "culprit names the sink that holds a job back, why, and the fix",
			120, 36, long, nil, false, false,
		},
		{
			"screen-light.svg", "diamond", "The same screen on a light ground, with a job that branches",
			120, 36, short, nil, true, false,
		},
		{
			"screen-narrow.svg", "hot-key", "The screen in a pane of 60 by 20 cells",
			60, 20, short, nil, false, false,
		},
		{"jobs.svg", "fleet", "The list of jobs with a verdict on each", 120, 30, short, nil, false, false},
		{"wall.svg", "hot-key", "The verdict alone, in large letters", 100, 30, long, nil, false, true},
		{
			"subtasks.svg", "hot-key", "The subtasks of an operator, one of them hot",
			120, 36, short,
			[]string{"enter"},
			false, false,
		},
		{
			"evidence.svg", "slow-sink", "What speaks for and against the verdict",
			120, 40, short,
			[]string{"e"},
			false, false,
		},
		{
			"checkpoints.svg", "checkpoint-trend", "The history of the checkpoints, part by part",
			120, 36, long,
			[]string{"c"},
			false, false,
		},
	}
}

// writePictures draws the pictures from the built-in incidents, in simulated time: the same on each machine.
func writePictures(ctx context.Context, folder string) error {
	for _, s := range shots() {
		text, err := s.take(ctx)
		if err != nil {
			return fmt.Errorf("draw %s: %w", s.file, err)
		}
		if err := os.WriteFile(filepath.Join(folder, s.file), []byte(text), 0o644); err != nil {
			return fmt.Errorf("write a picture: %w", err)
		}
	}
	return nil
}

func (s shot) take(ctx context.Context) (string, error) {
	start := time.Date(2026, 3, 14, 3, 0, 0, 0, time.UTC)
	source, cluster, err := openDemoAt(s.scenario, time.Second, start, nil, &taping{})
	if err != nil {
		return "", err
	}
	monitor := diagnose.NewMonitor(source, diagnose.DefaultOptions())
	still := tui.NewStill(ctx, tui.Options{
		Monitor: monitor, Mode: tui.ModeDemo, Target: s.scenario, Clock: cluster.Now,
		Width: s.w, Height: s.h, Wall: s.wall,
		Look: tui.Look{Profile: termenv.TrueColor, Dark: !s.light},
	})
	look := func() error {
		failure := still.Step()
		cluster.Advance(monitor.Wait())
		return failure
	}
	for cluster.Now().Before(start.Add(s.watched)) {
		if err := look(); err != nil {
			return "", err
		}
	}
	for _, key := range s.keys {
		if err := still.Press(key); err != nil {
			return "", err
		}
		if err := look(); err != nil { // some screens ask for more
			return "", err
		}
	}
	return svg.Picture(still.Frame(), svg.Options{Title: s.title, Light: s.light}), nil
}
