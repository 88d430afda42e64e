package tui

import (
	"context"
	"errors"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// stepDeadline bounds one step, whatever the transport does; tripDeadline a way through a recording, which
// asks no network but reads much where the next change of the verdict is far.
const (
	stepDeadline = time.Minute
	tripDeadline = 10 * time.Minute
)

// obsMsg is the outcome of one step.
type obsMsg struct {
	gen int
	obs *diagnose.Observation
	err error
	// trip tells that the step went to another moment of a recording.
	trip bool
}

// trip is a step to another moment of a recording.
type trip func(ctx context.Context, ask diagnose.Ask) (*diagnose.Observation, error)

// pollMsg asks for the next step.
type pollMsg struct{ gen int }

// clockMsg lets the ages on the screen move.
type clockMsg struct{}

// link is the state of the connection to the source.
type link struct {
	// running is set while a step is in flight; started is when it, or the first try, began.
	running bool
	started time.Time
	// err is why the last step failed, nil when it did not; since is when the failures in a row began.
	err   error
	since time.Time
	// next is when the next step begins, where one is due.
	next time.Time
	// ended is set at the end of a recording.
	ended bool
}

// loop keeps at most one step in flight. A step that is no longer wanted is cancelled and its message dropped
// by its generation; only then does the next one start, because the monitor is not concurrent.
type loop struct {
	monitor Monitor
	gen     int
	// oldest is the first generation of this monitor; what comes from older ones is of another cluster.
	oldest int
	cancel context.CancelFunc
	ask    diagnose.Ask
	link   link
	// trip is made instead of the next step, and again where that one becomes obsolete; nil for none.
	trip trip
	// given is set while a trip that was given up has not returned: nothing begins in its stead.
	given bool
	// paused holds a recording where it is.
	paused bool
}

// step starts one step at the time now.
func (l *loop) step(ctx context.Context, now time.Time) tea.Cmd {
	deadline := stepDeadline
	if l.trip != nil {
		deadline = tripDeadline
	}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	l.cancel = cancel
	l.link.running, l.link.started, l.link.next = true, now, time.Time{}
	gen, ask, look, trip := l.gen, l.ask, l.monitor.Step, l.trip != nil
	if trip {
		look = l.trip
	}
	l.ask.Refresh = false
	return func() tea.Msg {
		defer cancel()
		obs, err := look(ctx, ask)
		return obsMsg{gen, obs, err, trip}
	}
}

// restart makes what is in flight obsolete and steps again as soon as that has returned.
func (l *loop) restart(ctx context.Context, now time.Time) tea.Cmd {
	l.gen++
	l.link.ended, l.given = false, false
	if l.link.running {
		l.cancel()
		return nil
	}
	return l.step(ctx, now)
}

// giveUp ends the trip under way; the recording goes on from where it was.
func (l *loop) giveUp() {
	l.gen++
	l.trip, l.given = nil, true
	if l.link.running {
		l.cancel()
	}
}

// change goes on with another monitor at once; what the old one still says is dropped.
func (l *loop) change(ctx context.Context, now time.Time, monitor Monitor, ask diagnose.Ask) tea.Cmd {
	if l.link.running {
		l.cancel()
	}
	gen := l.gen + 1
	*l = loop{monitor: monitor, gen: gen, oldest: gen, ask: ask}
	return l.step(ctx, now)
}

// returned notes the outcome of a step; wanted is false for one that became obsolete. The command is the next
// step or the wait for it.
func (l *loop) returned(ctx context.Context, now time.Time, msg obsMsg) (wanted bool, next tea.Cmd) {
	if msg.gen < l.oldest {
		return false, nil
	}
	l.link.running, l.cancel = false, nil
	switch {
	case msg.gen == l.gen:
	case l.given:
		l.given = false
		return false, l.wait(now)
	default:
		return false, l.step(ctx, now)
	}
	l.trip = nil
	switch {
	case errors.Is(msg.err, ErrNoChange):
		return false, l.wait(now)
	case errors.Is(msg.err, io.EOF):
		l.link.ended, l.link.err = true, nil
		return false, nil
	case msg.err != nil || msg.obs == nil:
		if l.link.err == nil {
			l.link.since = now
		}
		l.link.err = msg.err
		if msg.err == nil {
			l.link.err = errors.New("the source gave no data")
		}
	default:
		l.link.err = nil
	}
	return l.link.err == nil, l.wait(now)
}

// wait lets the pause before the next step pass; a recording that is held has none.
func (l *loop) wait(now time.Time) tea.Cmd {
	if l.paused || l.link.ended {
		return nil
	}
	wait := l.monitor.Wait()
	l.link.next = now.Add(wait)
	gen := l.gen
	return tea.Tick(wait, func(time.Time) tea.Msg { return pollMsg{gen} })
}

// again begins the pause before the next step anew, which was cut short, stretched, held or taken up.
func (l *loop) again(now time.Time) tea.Cmd {
	if l.link.running {
		return nil // it begins after that step
	}
	l.gen++
	return l.wait(now)
}

// due starts the step that a poll message asks for, unless it is obsolete.
func (l *loop) due(ctx context.Context, now time.Time, msg pollMsg) tea.Cmd {
	if msg.gen != l.gen || l.link.running {
		return nil
	}
	return l.step(ctx, now)
}

// cause returns what happened and what to do about it.
func cause(err error) (detail, hint string) {
	var known *flinkapi.Error
	if errors.As(err, &known) {
		if known.Detail == "" {
			return known.Op, known.Hint
		}
		return known.Detail, known.Hint
	}
	return err.Error(), ""
}
