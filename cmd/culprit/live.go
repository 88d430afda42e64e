package main

import (
	"context"
	"fmt"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui"
)

// live opens the monitor on a real cluster.
func live(ctx context.Context, c console, conf *settings, args []string, job string) error {
	source, address, err := conf.link.open(c, args)
	if err != nil {
		return err
	}
	return show(ctx, c, source, conf, tui.Options{
		Job: job, Mode: "live", Target: address, Targets: conf.targets(c, args, address),
	})
}

// show runs the screen on a source.
func show(ctx context.Context, c console, source flinkapi.Source, conf *settings, o tui.Options) error {
	options, err := conf.tune.options()
	if err != nil {
		return err
	}
	if !tui.IsTerminal(c.in) || !tui.IsTerminal(c.out) {
		return fmt.Errorf("the live monitor needs a terminal; use `culprit check` in scripts")
	}
	o.Monitor = diagnose.NewMonitor(source, options)
	o.Zone = conf.tune.zone()
	o.Clock, o.In, o.Out, o.Env = flinkapi.WallClock, c.in, c.out, c.env
	if err := conf.face.dress(c, conf.file, &o); err != nil {
		return err
	}
	o.Notices = conf.warnings()
	return tui.Run(ctx, o)
}
