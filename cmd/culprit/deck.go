package main

import (
	"context"
	"sort"
	"sync"
	"sync/atomic"
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
	index     *diagnose.Index
	turnings  turnings
	// mu is held by whatever goes on in the recording: what is shown and what is read ahead know things
	// together.
	mu sync.Mutex
	// samples are those of the hour before the moment that was gone to last.
	samples atomic.Pointer[[]diagnose.Sample]
	// readTo is the time of the newest look that was read ahead, in ms since 1970.
	readTo atomic.Int64
}

// shown is the monitor of a deck as the screen steps it.
type shown struct {
	*diagnose.Monitor
	deck *deck
}

// Step steps the monitor.
func (s shown) Step(ctx context.Context, ask diagnose.Ask) (*diagnose.Observation, error) {
	s.deck.mu.Lock()
	defer s.deck.mu.Unlock()
	return s.Monitor.Step(ctx, ask)
}

var _ tui.Replay = (*deck)(nil)

// newDeck returns the deck of a monitor on the player. The recording is read by another player beside it.
func newDeck(
	recording *tape.Recording, player *tape.Player, monitor *diagnose.Monitor, options diagnose.Options,
) (*deck, error) {
	beside, err := playerOf(recording, 1, time.UTC)
	if err != nil {
		return nil, err
	}
	d := &deck{Player: player, recording: recording, monitor: monitor}
	d.turnings.of = map[string]*course{}
	d.index = diagnose.NewIndex(beside, options, d.note)
	return d, nil
}

// note takes a look that was read ahead.
func (d *deck) note(look int, obs *diagnose.Observation) {
	d.turnings.note(look, obs)
	d.readTo.Store(obs.At.UnixMilli())
}

// ReadTo implements [tui.Replay].
func (d *deck) ReadTo() time.Time {
	if at := d.readTo.Load(); at > 0 {
		return time.UnixMilli(at)
	}
	return time.Time{}
}

// Span implements [tui.Replay].
func (d *deck) Span() (from, to time.Time) { return d.recording.Span() }

// Ahead implements [tui.Replay].
func (d *deck) Ahead(ctx context.Context) (more bool) {
	const looks = 10 // a small part of a second, for which a step may have to wait
	d.mu.Lock()
	defer d.mu.Unlock()
	more, err := d.index.Ahead(ctx, looks)
	return more && err == nil
}

// Go implements [tui.Replay].
func (d *deck) Go(
	ctx context.Context, to time.Time, on bool, ask diagnose.Ask,
) (*diagnose.Observation, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before, after := d.recording.Around(to)
	if on {
		return d.seek(ctx, after, ask)
	}
	return d.seek(ctx, before, ask)
}

// seek shows a look, with what was sampled by then.
func (d *deck) seek(ctx context.Context, look int, ask diagnose.Ask) (*diagnose.Observation, error) {
	obs, err := d.index.Seek(ctx, d.monitor, look, ask)
	var samples []diagnose.Sample
	if err == nil && obs.Snapshot.Job != nil {
		samples = d.index.Samples(obs.Snapshot.Job.Name)
	}
	d.samples.Store(&samples)
	return obs, err
}

// Samples implements [tui.Replay].
func (d *deck) Samples() []diagnose.Sample {
	if all := d.samples.Load(); all != nil {
		return *all
	}
	return nil
}

// Jump implements [tui.Replay].
func (d *deck) Jump(
	ctx context.Context, from time.Time, on bool, ask diagnose.Ask,
) (*diagnose.Observation, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	here, _ := d.recording.Around(from)
	of, to, found := courseOf(ask), 0, false
	err := d.index.Until(ctx, func(read int) bool {
		to, found = d.turnings.near(of, here, on)
		return read > here && (found || !on)
	})
	if err != nil {
		return nil, err
	}
	if to, found = d.turnings.near(of, here, on); !found {
		return nil, tui.ErrNoChange
	}
	return d.seek(ctx, to, ask)
}

// turnings are the looks at which a verdict changes, as far as the recording was read.
type turnings struct {
	of map[string]*course // by the job's id and by its name; of the one that is shown unasked by nothing
}

// course is how the verdict on a job went.
type course struct {
	changes []int
	last    string // the verdict at the last look
}

// courseOf is what the course is kept by of the job that is asked for.
func courseOf(ask diagnose.Ask) string { return first(string(ask.Job), ask.Name) }

func (t *turnings) note(look int, obs *diagnose.Observation) {
	if obs.Report != nil {
		t.add("", look, obs.Report)
	}
	for _, r := range newReports(obs) {
		t.add(string(r.Job.ID), look, r)
		if r.Job.Name != string(r.Job.ID) {
			t.add(r.Job.Name, look, r)
		}
	}
}

func (t *turnings) add(of string, look int, r *diagnose.Report) {
	now := verdictKey(r)
	c := t.of[of]
	switch {
	case c == nil:
		t.of[of] = &course{last: now}
	case c.last != now:
		c.changes, c.last = append(c.changes, look), now
	}
}

// near returns the first change after the look here, or the last one before it.
func (t *turnings) near(of string, here int, on bool) (look int, found bool) {
	c := t.of[of]
	if c == nil {
		return 0, false
	}
	if on {
		i := sort.SearchInts(c.changes, here+1)
		if i == len(c.changes) {
			return 0, false
		}
		return c.changes[i], true
	}
	i := sort.SearchInts(c.changes, here) - 1
	if i < 0 {
		return 0, false
	}
	return c.changes[i], true
}
