package main

import (
	"context"
	"errors"
	"io"
	"sort"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi/tape"
	"culprit/tui"
)

// deck lets the screen go to any moment of a recording.
type deck struct {
	*tape.Player
	recording *tape.Recording
	monitor   *diagnose.Monitor
	options   diagnose.Options
	changes   *changes // of the job that was asked for last; nil before
	// shown is the look at which a jump to the change arrived ended.
	shown, arrived int
}

// latest is how many looks later than a change a jump may show it: after a seek, which plays only a part of
// what was before, a verdict may take some more looks to become firm.
const latest = 20

var _ tui.Replay = (*deck)(nil)

// Span implements [tui.Replay].
func (d *deck) Span() (from, to time.Time) { return d.recording.Span() }

// Go implements [tui.Replay].
func (d *deck) Go(
	ctx context.Context, to time.Time, on bool, ask diagnose.Ask,
) (*diagnose.Observation, error) {
	before, after := d.recording.Around(to)
	if on {
		return d.monitor.Seek(ctx, after, ask)
	}
	return d.monitor.Seek(ctx, before, ask)
}

// Jump implements [tui.Replay].
func (d *deck) Jump(
	ctx context.Context, from time.Time, on bool, ask diagnose.Ask,
) (*diagnose.Observation, error) {
	if d.changes == nil || d.changes.ask.Job != ask.Job {
		player, err := playerOf(d.recording, 1)
		if err != nil {
			return nil, err
		}
		d.changes = &changes{
			ask:    diagnose.Ask{Job: ask.Job, Name: ask.Name},
			player: player, monitor: diagnose.NewMonitor(player, d.options),
		}
	}
	here, _ := d.recording.Around(from)
	if here == d.shown && here > 0 {
		here = d.arrived
	}
	to, err := d.changes.near(ctx, here, on)
	if err != nil {
		return nil, err
	}
	obs, err := d.monitor.Seek(ctx, to.at, ask)
	for err == nil && obs.Report != nil && verdictKey(obs.Report) != to.verdict &&
		d.Position() < min(to.at+latest, d.Len()) {
		obs, err = d.monitor.Step(ctx, ask)
	}
	d.shown, d.arrived = d.Position()-1, to.at
	return obs, err
}

// changes are the looks at which the verdict on a job changes, read from the beginning as far as they were
// asked for. It plays the recording beside the screen, so that it says the same however one jumps.
type changes struct {
	ask     diagnose.Ask
	player  *tape.Player
	monitor *diagnose.Monitor
	all     []turning
	last    string // the verdict at the last look that was read
	ended   bool
}

// turning is the look at which the verdict became another one, and that one.
type turning struct {
	at      int
	verdict string
}

// near returns the first change after the look here, or the last one before it.
func (c *changes) near(ctx context.Context, here int, on bool) (turning, error) {
	for !c.ended && (c.player.Position() <= here || on && (len(c.all) == 0 || c.all[len(c.all)-1].at <= here)) {
		if err := c.read(ctx); err != nil {
			return turning{}, err
		}
	}
	next := sort.Search(len(c.all), func(i int) bool { return c.all[i].at > here })
	before := sort.Search(len(c.all), func(i int) bool { return c.all[i].at >= here }) - 1
	switch {
	case on && next < len(c.all):
		return c.all[next], nil
	case !on && before >= 0:
		return c.all[before], nil
	}
	return turning{}, tui.ErrNoChange
}

// read takes the next look.
func (c *changes) read(ctx context.Context) error {
	obs, err := c.monitor.Step(ctx, c.ask)
	switch {
	case errors.Is(err, io.EOF):
		c.ended = true
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil || obs.Report == nil:
		return nil // a failure that was recorded says nothing of the verdict
	}
	if now := verdictKey(obs.Report); now != c.last {
		if c.last != "" {
			c.all = append(c.all, turning{c.player.Position() - 1, now})
		}
		c.last = now
	}
	return nil
}
