package main

import (
	"context"
	"fmt"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui"
)

// live opens the monitor on a real cluster.
func live(
	ctx context.Context, c console, conf *settings, link *connection, tune *tuning, face *face, args []string, job string,
) error {
	source, address, err := link.open(c, args)
	if err != nil {
		return err
	}
	return show(ctx, c, source, conf, tune, face, tui.Options{
		Job: job, Mode: "live", Target: address, Targets: conf.targets(c, link, tune, args, address),
	})
}

// show runs the screen on a source.
func show(
	ctx context.Context, c console, source flinkapi.Source, conf *settings, tune *tuning, face *face, o tui.Options,
) error {
	options, err := tune.options()
	if err != nil {
		return err
	}
	if !tui.IsTerminal(c.in) || !tui.IsTerminal(c.out) {
		return fmt.Errorf("the live monitor needs a terminal; use `culprit check` in scripts")
	}
	o.Monitor = diagnose.NewMonitor(source, options)
	o.Zone = tune.zone()
	o.Clock, o.In, o.Out, o.Env = flinkapi.WallClock, c.in, c.out, c.env
	if err := face.dress(c, conf.file, &o); err != nil {
		return err
	}
	o.Notices = conf.warnings()
	return tui.Run(ctx, o)
}
