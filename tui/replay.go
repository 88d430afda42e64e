package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"culprit/diagnose"
)

// Replay is the recording behind the monitor. Go and Jump run where a step does, so never beside one; the
// other methods are called by the screen at any time.
type Replay interface {
	// Go shows the look at a moment: the last one that is not after it on the way back, the first one that is
	// not before it on the way on, and the first or last of all beyond the ends.
	Go(ctx context.Context, to time.Time, on bool, ask diagnose.Ask) (*diagnose.Observation, error)
	// Jump shows the first change of the verdict after a moment, or the last one before it. Where there is none
	// it fails with ErrNoChange, and the recording stays where it is.
	Jump(ctx context.Context, from time.Time, on bool, ask diagnose.Ask) (*diagnose.Observation, error)
	// Ahead reads a little on, beside what is shown, so that Go and Jump need not do so, and tells whether there
	// is more. It may run beside a step and beside Go and Jump.
	Ahead(ctx context.Context) (more bool)
	// Samples are what a comparison keeps of the hour before the moment that Go or Jump showed last, of the job
	// that is shown there.
	Samples() []diagnose.Sample
	// ReadTo is the moment up to which was read; zero before anything was.
	ReadTo() time.Time
	// Span is when the first and the last look were taken.
	Span() (from, to time.Time)
	// Speed is how many times faster than it was recorded the time passes.
	Speed() float64
	SetSpeed(times float64)
}

// ErrNoChange is the failure of a jump where no change of the verdict lies in its direction.
var ErrNoChange = errors.New("the verdict does not change any more in this direction")

// The actions on a recording.
const (
	ActionPlay           ActionID = "play"
	ActionSeekBack       ActionID = "seek-back"
	ActionSeekOn         ActionID = "seek-on"
	ActionSlower         ActionID = "slower"
	ActionFaster         ActionID = "faster"
	ActionPreviousChange ActionID = "previous-change"
	ActionNextChange     ActionID = "next-change"
	ActionGoTo           ActionID = "go-to"
)

// winds are the actions on a recording.
func winds() []Action {
	const scope = ScopeAlways | ScopeReplay
	return []Action{
		{
			ActionPlay, bind("p", "play/pause", "p"), scope, 2, 0,
			"in a recording: pause, or play on; at its end, play it again",
		},
		{ActionSeekBack, bind(",", "10 s back", ","), scope, 0, 0, "in a recording: go back by 10 s"},
		{ActionSeekOn, bind(".", "10 s on", "."), scope, 6, 0, "in a recording: go on by 10 s"},
		{ActionSlower, bind("(", "slower", "("), scope, 0, 0, "in a recording: play slower, down to 0.25 times"},
		{ActionFaster, bind(")", "faster", ")"), scope, 7, 0, "in a recording: play faster, up to 100 times"},
		{
			ActionPreviousChange, bind("{", "change before", "{"), scope, 0, 0,
			"in a recording: go to the previous change of the verdict",
		},
		{
			ActionNextChange, bind("}", "next change", "}"), scope, 3, 0,
			"in a recording: go to the next change of the verdict",
		},
		{
			ActionGoTo, bind("@", "go to a time", "@"), scope, 6, 0,
			"in a recording: go to a time that is typed, such as 14:03, 14:03:20, 2026-03-01 14:03, -5m or +90s",
		},
	}
}

// offered leaves out the actions that the source has no use for.
func offered(o Options) []Action {
	out := slices.DeleteFunc(slices.Clone(o.Actions), func(a Action) bool {
		return o.Replay == nil && a.Scope&ScopeReplay != 0 || o.Incident == nil && a.ID == ActionTreat ||
			o.Keeper == nil && (a.ID == ActionSave || a.ID == ActionBundle)
	})
	i := slices.IndexFunc(out, func(a Action) bool { return a.ID == ActionBottom })
	if o.Replay != nil && i >= 0 {
		end := &out[i]
		end.Footer, end.Shown = 5, ScopeGraph
		end.Binding.SetHelp(end.Binding.Help().Key, "end")
	}
	return out
}

// refuse says why a key does nothing in a recording that does something elsewhere.
func (m *app) refuse(msg tea.KeyMsg) {
	for _, a := range m.opts.Actions {
		if !key.Matches(msg, a.Binding) {
			continue
		}
		switch a.ID {
		case ActionSave:
			m.say("there is nothing to save: this is a recording already")
		case ActionBundle:
			m.say("not from a recording on the screen: culprit bundle FILE makes the file for a ticket of it")
		case ActionTreat:
			m.say("nothing can be tried in a recording: culprit demo has incidents to treat")
		default:
		}
	}
}

// toEnd goes to the end of the recording, from the job graph and unless an earlier moment is held; elsewhere
// the key has lines to go to.
func (m *app) toEnd() (tea.Cmd, bool) {
	if m.screen() != screenGraph || m.held.obs != nil {
		return nil, false
	}
	if m.loop.link.ended {
		m.say("this is the end of the recording")
		return nil, true
	}
	_, last := m.opts.Replay.Span()
	return m.goTo(last), true
}

// seekStep is how far one key goes in a recording.
const seekStep = 10 * time.Second

// speeds are those that the keys choose from.
func speeds() []float64 { return []float64{0.25, 0.5, 1, 2, 5, 10, 20, 50, 100} }

// wind carries out an action on a recording and tells whether it was one.
func (m *app) wind(id ActionID) (tea.Cmd, bool) {
	replay := m.opts.Replay
	if replay == nil {
		return nil, false
	}
	switch id {
	case ActionPlay:
		return m.playOrPause(), true
	case ActionSeekBack:
		return m.goTo(m.place().Add(-seekStep)), true
	case ActionSeekOn:
		return m.goTo(m.place().Add(seekStep)), true
	case ActionSlower, ActionFaster:
		replay.SetSpeed(otherSpeed(replay.Speed(), id == ActionFaster))
		return m.loop.again(m.now), true
	case ActionPreviousChange, ActionNextChange:
		return m.jump(id == ActionNextChange), true
	case ActionGoTo:
		m.openTimeLine()
		return nil, true
	case ActionBottom:
		return m.toEnd()
	case ActionRefresh:
		m.say("a recording holds nothing newer")
		return nil, true
	default:
		return nil, false
	}
}

// otherSpeed is the next larger or smaller speed of the table.
func otherSpeed(now float64, faster bool) float64 {
	all := speeds()
	if !faster {
		slices.Reverse(all)
	}
	for _, s := range all {
		if faster && s > now || !faster && s < now {
			return s
		}
	}
	return all[len(all)-1]
}

func (m *app) playOrPause() tea.Cmd {
	if m.loop.link.ended {
		from, _ := m.opts.Replay.Span()
		m.loop.paused = false
		return m.goTo(from)
	}
	m.loop.paused = !m.loop.paused
	return m.loop.again(m.now)
}

// aheadMsg tells that a part of the recording was read ahead and that there is more of it.
type aheadMsg struct{}

// readAhead reads the recording ahead beside what goes on, part by part; nothing where there is none.
func (m *app) readAhead() tea.Cmd {
	replay, ctx := m.opts.Replay, m.ctx
	if replay == nil {
		return nil
	}
	return func() tea.Msg {
		if !replay.Ahead(ctx) {
			return nil
		}
		return aheadMsg{}
	}
}

// place is the moment from which the next seek counts: where the one under way goes, else the one shown.
func (m *app) place() time.Time {
	switch from, to := m.opts.Replay.Span(); {
	case !m.heading.IsZero():
		return m.heading
	case m.loop.link.ended:
		return to
	case m.live.obs == nil:
		return from
	}
	return m.live.obs.At
}

// goTo goes to a moment of the recording.
func (m *app) goTo(to time.Time) tea.Cmd {
	on := to.After(m.place())
	first, last := m.opts.Replay.Span()
	if to.Before(first) {
		to = first
	}
	if to.After(last) {
		to = last
	}
	next := m.leave(func(ctx context.Context, ask diagnose.Ask) (*diagnose.Observation, error) {
		return m.opts.Replay.Go(ctx, to, on, ask)
	})
	m.heading = to
	return next
}

// jump goes to the next change of the verdict, or the previous one.
func (m *app) jump(on bool) tea.Cmd {
	from := m.place()
	return m.leave(func(ctx context.Context, ask diagnose.Ask) (*diagnose.Observation, error) {
		return m.opts.Replay.Jump(ctx, from, on, ask)
	})
}

// leave gives up the moment on the screen for the one that a trip shows.
func (m *app) leave(t trip) tea.Cmd {
	m.show(picture{}, false)
	m.heading = time.Time{}
	m.loop.trip = t
	return m.loop.restart(m.ctx, m.now)
}

// stay gives up the way to another moment.
func (m *app) stay() {
	m.heading = time.Time{}
	m.loop.giveUp()
}

// arrived takes the outcome of a trip: what was kept to look back at is of before it.
func (m *app) arrived(err error) {
	m.heading = time.Time{}
	switch {
	case errors.Is(err, ErrNoChange):
		m.say(err.Error())
	case err == nil:
		m.past, m.hour = past{}, hour{}
		m.compared.kept = slices.Clone(m.opts.Replay.Samples())
		m.toast = ""
	}
}

// openTimeLine asks for a moment in the footer.
func (m *app) openTimeLine() {
	in := m.theme.input
	in.Prompt = "@"
	in.Focus() // a cursor that stands still asks for nothing
	m.timeLine = &in
	m.fitInput()
}

// timeKey applies a key to the moment that is being typed.
func (m *app) timeKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyEsc:
		m.timeLine = nil
		return nil
	case tea.KeyEnter:
		text := m.timeLine.Value()
		m.timeLine = nil
		from, last := m.opts.Replay.Span()
		to, ok := ReadMoment(text, m.place(), from, m.opts.Zone)
		switch {
		case strings.TrimSpace(text) == "":
			return nil
		case !ok:
			m.say(fmt.Sprintf("%q is no time: type one such as 14:03, 14:03:20 or -5m", text))
			return nil
		case to.Before(from.Truncate(time.Second)) || to.After(last):
			m.say("not recorded: the recording goes from " + spanOf(from, last, m.opts.Zone))
			return nil
		}
		return m.goTo(to)
	default:
		msg.Runes = []rune(clean(string(msg.Runes)))
		in, cmd := m.timeLine.Update(msg)
		m.timeLine = &in
		return cmd
	}
}

// ReadMoment reads a time of day, a date with one, or a span from now with its sign. A time of day is the
// first one of the recording that begins at from.
func ReadMoment(text string, now, from time.Time, zone *time.Location) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-") {
		if d, err := time.ParseDuration(text); err == nil {
			return now.Add(d), true
		}
		seconds, err := strconv.Atoi(text)
		return now.Add(time.Duration(seconds) * time.Second), err == nil
	}
	for _, form := range []string{time.DateTime, "2006-01-02 15:04"} {
		if at, err := time.ParseInLocation(form, text, zone); err == nil {
			return at, true
		}
	}
	for _, form := range []string{time.TimeOnly, "15:04"} {
		clock, err := time.Parse(form, text)
		if err != nil {
			continue
		}
		y, month, d := from.In(zone).Date()
		at := time.Date(y, month, d, clock.Hour(), clock.Minute(), clock.Second(), 0, zone)
		if at.Before(from.Truncate(time.Second)) && form == time.TimeOnly ||
			at.Before(from.Truncate(time.Minute)) && form != time.TimeOnly {
			at = at.AddDate(0, 0, 1)
		}
		return at, true
	}
	return time.Time{}, false
}

// spanOf says from when to when a recording goes, in the shortest form that is plain.
func spanOf(from, to time.Time, zone *time.Location) string {
	from, to = from.In(zone), to.In(zone)
	if from.Format(time.DateOnly) == to.Format(time.DateOnly) {
		return from.Format(time.TimeOnly) + " to " + to.Format(time.TimeOnly)
	}
	return from.Format(time.DateTime) + " to " + to.Format(time.DateTime)
}
