package main

import (
	"context"
	"errors"
	"fmt"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui"
)

// live opens the monitor on a real cluster.
func live(ctx context.Context, c console, conf *settings, tap *taping, args []string, job string) error {
	source, address, err := conf.link.openTaped(c, args, tap)
	if err != nil {
		return err
	}
	keep := newKeeper(tap, conf.tune)
	err = show(ctx, c, source, conf, tui.Options{
		Job: job, Mode: "live", Target: address, Targets: conf.targets(c, args, address, job, keep), Keeper: keep,
	})
	return errors.Join(err, keep.end())
}

// show runs the screen on a source.
func show(ctx context.Context, c console, source flinkapi.Source, conf *settings, o tui.Options) error {
	options, err := conf.tune.options()
	if err != nil {
		return err
	}
	return showMonitor(ctx, c, diagnose.NewMonitor(source, options), conf, o)
}

// showMonitor runs the screen on a monitor.
func showMonitor(ctx context.Context, c console, monitor tui.Monitor, conf *settings, o tui.Options) error {
	if c.env("TERM") == "dumb" {
		return errors.New("this terminal cannot move its cursor (TERM is dumb), which the monitor needs; " +
			"use `culprit check`, or set TERM to what the terminal is")
	}
	if !tui.IsTerminal(c.in) || !tui.IsTerminal(c.out) {
		return fmt.Errorf("the live monitor needs a terminal; use `culprit check` in scripts")
	}
	o.Monitor = monitor
	o.Zone = conf.tune.zone()
	if o.Clock == nil {
		o.Clock = flinkapi.WallClock
	}
	o.In, o.Out, o.Env = c.in, c.out, c.env
	if err := conf.face.dress(c, conf.file, &o); err != nil {
		return err
	}
	o.Notices = conf.warnings()
	return watchScreen(ctx, c, o)
}

// watchScreen runs the screen to its end with a log beside it. A signal is the reason of its end, where one
// came.
func watchScreen(ctx context.Context, c console, o tui.Options) error {
	if err := c.journal.start(); err != nil {
		return err
	}
	c.journal.log.Info("started", "version", version(), "mode", o.Mode, "target", o.Target)
	o.Monitor = c.journal.watch(o.Monitor)
	for i, t := range o.Targets {
		o.Targets[i].Open = func() (tui.Monitor, error) {
			c.journal.log.Info("switched", "target", t.URL)
			m, err := t.Open()
			if err != nil {
				return nil, err
			}
			return c.journal.watch(m), nil
		}
	}
	err := tui.Run(ctx, o)
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return c.journal.end(err)
}
