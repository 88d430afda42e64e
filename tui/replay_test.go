package tui

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"culprit/diagnose"
)

// reel is a recording of some looks, 2 s apart, and the monitor that plays it. At some of them the verdict
// changes.
type reel struct {
	t       *testing.T
	begun   time.Time
	looks   int
	changes []int

	mu    sync.Mutex
	next  int
	ahead int
	speed float64
	busy  bool
	slow  time.Duration // how long a way through it takes
	read  time.Time     // up to where it was read; zero for wholly
}

const reelStep = 2 * time.Second

func newReel(t *testing.T) *reel {
	begun := time.Date(2026, time.March, 1, 23, 58, 0, 0, time.UTC)
	return &reel{t: t, begun: begun, looks: 121, changes: []int{30, 60}, speed: 1}
}

func (r *reel) at(i int) time.Time { return r.begun.Add(time.Duration(i) * reelStep) }

// enter fails where two steps overlap.
func (r *reel) enter() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy {
		r.t.Error("two steps in flight")
	}
	r.busy = true
}

func (r *reel) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy = false
}

func (r *reel) Step(context.Context, diagnose.Ask) (*diagnose.Observation, error) {
	r.enter()
	defer r.leave()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next >= r.looks {
		return nil, io.EOF
	}
	return r.look(), nil
}

// look returns the next look; the lock is held.
func (r *reel) look() *diagnose.Observation {
	obs := healthy()
	if seen, _ := slices.BinarySearch(r.changes, r.next+1); seen == 1 {
		obs = slowSink()
	}
	obs.At = r.at(r.next)
	r.next++
	return obs
}

func (r *reel) Wait() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Duration(float64(reelStep) / r.speed)
}

func (r *reel) Now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at(max(r.next-1, 0))
}

func (r *reel) Go(ctx context.Context, to time.Time, on bool, _ diagnose.Ask) (*diagnose.Observation, error) {
	r.enter()
	defer r.leave()
	const parts = 12
	for i := range parts {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(r.slow / parts):
		}
		r.mu.Lock()
		if !r.read.IsZero() {
			r.read = r.begun.Add(to.Sub(r.begun) * time.Duration(i+1) / parts)
		}
		r.mu.Unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next = int(to.Sub(r.begun) / reelStep)
	if on && r.at(r.next).Before(to) {
		r.next++
	}
	return r.look(), nil
}

func (r *reel) Jump(
	ctx context.Context, from time.Time, on bool, ask diagnose.Ask,
) (*diagnose.Observation, error) {
	all := slices.Clone(r.changes)
	if !on {
		slices.Reverse(all)
	}
	for _, i := range all {
		if on && r.at(i).After(from) || !on && r.at(i).Before(from) {
			return r.Go(ctx, r.at(i), on, ask)
		}
	}
	return nil, ErrNoChange
}

func (r *reel) Ahead(context.Context) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ahead += 100
	return r.ahead < r.looks
}

// Samples are those of the looks before the next one but one, which is shown.
func (r *reel) Samples() []diagnose.Sample {
	r.mu.Lock()
	defer r.mu.Unlock()
	var kept []diagnose.Sample
	was := r.next
	for r.next = 0; r.next < was-1; {
		obs := r.look()
		obs.Snapshot.Job.MetricRound = r.next
		if s, ok := diagnose.SampleOf(obs); ok {
			kept = diagnose.KeepSample(kept, s)
		}
	}
	r.next = was
	return kept
}

func (r *reel) ReadTo() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.read.IsZero() {
		return r.at(r.looks - 1)
	}
	return r.read
}

func (r *reel) Span() (from, to time.Time) { return r.begun, r.at(r.looks - 1) }

func (r *reel) Speed() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.speed
}

func (r *reel) SetSpeed(times float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.speed = times
}

// project shows the recording; it is paused at its first look.
func project(t *testing.T, r *reel, w, h int) *stage {
	t.Helper()
	s := playWith(t, Options{
		Monitor: r, Replay: r, Mode: ModeReplay, Clock: r.Now,
		Target: "recorded 2026-03-01 23:58:00 to 2026-03-02 00:02:00, incident.culprit",
	}, w, h)
	s.wants(s.press("p"), "paused", "recording of Mar 01 23:58:00", "0 % of 4 min")
	return s
}

func TestReplayKeys(t *testing.T) {
	for _, c := range []struct {
		name  string
		keys  []string
		wants []string
		lacks string
	}{
		{"save", []string{"R"}, []string{"this is a recording already"}, ""},
		{"bundle", []string{"B"}, []string{"culprit bundle FILE"}, ""},
		{"treat", []string{"a"}, []string{"nothing can be tried in a recording"}, ""},
		{
			"earlier",
			[]string{".", ".", ".", "["},
			[]string{"; moment ", "recorded 2026-03-01 23:58:00 to 2026-03-02 00:02:00", "end: back"},
			"live",
		},
		{"on", []string{"."}, []string{"paused", "of Mar 01 23:58:10"}, ""},
		{"to the end", []string{"end"}, []string{"of Mar 02 00:02:00"}, ""},
		{"end of a text", []string{"e", "end", "esc"}, []string{"of Mar 01 23:58:00"}, ""},
		{"end and back", []string{"end", ","}, []string{"of Mar 02 00:01:50"}, ""},
		{"on and back", []string{".", ".", ","}, []string{"of Mar 01 23:58:10"}, ""},
		{"not before the beginning", []string{",", ","}, []string{"of Mar 01 23:58:00"}, ""},
		{"to a change", []string{"}"}, []string{"of Mar 01 23:59:00", "CULPRIT"}, "looking"},
		{"to the next one", []string{"}", "}"}, []string{"of Mar 02 00:00:00", "HEALTHY"}, ""},
		{"beyond the last", []string{"}", "}", "}"}, []string{"of Mar 02 00:00:00", "does not change any more"}, ""},
		{"to the one before", []string{"}", "}", "{"}, []string{"of Mar 01 23:59:00", "CULPRIT"}, ""},
		{"to a time", keysOf("@23:59:31", "enter"), []string{"of Mar 01 23:59:32", "38 % of 4 min"}, ""},
		{"to a time of the next day", keysOf("@0:01", "enter"), []string{"of Mar 02 00:01:00"}, ""},
		{"to a date", keysOf("@2026-03-02 00:01:30", "enter"), []string{"of Mar 02 00:01:30"}, ""},
		{"on by a span", keysOf("@+1m30s", "enter"), []string{"of Mar 01 23:59:30"}, ""},
		{"by seconds", keysOf("@+20", "enter"), []string{"of Mar 01 23:58:20"}, ""},
		{"to what is no time", keysOf("@noon", "enter"), []string{"23:58:00", `"noon" is no time`}, ""},
		{
			"to what was not recorded", keysOf("@14:00", "enter"),
			[]string{"23:58:00", "not recorded: the recording goes from 2026-03-01 23:58:00 to 2026-03-02 00:02:00"},
			"",
		},
		{"to nowhere", keysOf("@23:59", "esc"), []string{"of Mar 01 23:58:00", "p play/pause"}, "@23"},
		{"slower", []string{"(", "(", "(", "p"}, []string{"0.25x", "recording of"}, "paused"},
		{"faster", []string{")", ")", "p"}, []string{"5x", "recording of"}, "paused"},
		{"never faster than 100", append(slices.Repeat([]string{")"}, 12), "p"), []string{"100x"}, "paused"},
		{"at the speed of life", []string{"p"}, []string{"recording of"}, "paused"},
		{"refreshed", []string{"r"}, []string{"of Mar 01 23:58:00", "holds nothing newer"}, ""},
		{"help", []string{"?", "end"}, []string{"numbers"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := project(t, newReel(t), 120, 36)
				screen := s.press(c.keys...)
				s.wants(screen, c.wants...)
				if c.lacks != "" {
					s.lacks(screen, c.lacks)
				}
				s.quit("q")
			})
		})
	}
}

// keysOf are the letters of a text, then other keys.
func keysOf(text string, more ...string) []string { return append(strings.Split(text, ""), more...) }

func TestReplayPlaysAtItsSpeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := project(t, newReel(t), 80, 24)
		time.Sleep(time.Minute)
		s.wants(s.settle(), "of Mar 01 23:58:00")
		s.press(")", ")", "p") // 5 times
		time.Sleep(10 * time.Second)
		s.wants(s.settle(), "5x", "of Mar 01 23:58:5")
		s.press("p")
		time.Sleep(time.Minute)
		s.wants(s.settle(), "paused", "of Mar 01 23:58:5")
		s.press("p")
		time.Sleep(time.Minute)
		s.wants(s.settle(), "the recording ends here", "p: play it again", "of Mar 02 00:02:00")
		s.wants(s.press(","), "5x", "of Mar 02 00:01:5")
		time.Sleep(10 * time.Second)
		s.wants(s.press("p"), "of Mar 01 23:58:00")
		s.quit("q")
	})
}

// Keys that come faster than the seeks add up, and the last one counts; the rest of the screen goes on.
func TestSeeksAddUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReel(t)
		r.slow = 3 * time.Second
		s := project(t, r, 80, 24)
		s.press(".", ".", ".", ",", "e")
		time.Sleep(4 * time.Second)
		s.wants(s.press("esc"), "paused", "of Mar 01 23:58:20")
		s.wants(s.press("}"), "looking for the change of the verdict")
		s.press("r") // which does not disturb it
		time.Sleep(4 * time.Second)
		s.wants(s.settle(), "of Mar 01 23:59:00", "CULPRIT")
		s.quit("q")
	})
}

// A way into what was not read yet tells how far it is; meanwhile the screen can be used, and esc stays.
func TestAFarWayTellsHowFarItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReel(t)
		r.slow, r.read = 12*time.Second, r.begun
		s := project(t, r, 120, 36)
		s.wants(s.press(keysOf("@0:01", "enter")...), "reading 0 %, esc: stay", "of Mar 01 23:58:00")
		time.Sleep(3500 * time.Millisecond)
		s.wants(s.settle(), "reading 25 %", "paused")
		time.Sleep(3 * time.Second)
		s.wants(s.press("?"), "reading 50 %", "keys")
		s.press("?")
		screen := s.press("esc")
		s.lacks(screen, "reading")
		s.wants(screen, "paused", "of Mar 01 23:58:00")
		time.Sleep(time.Minute)
		s.wants(s.settle(), "paused", "of Mar 01 23:58:00", "0 % of 4 min")
		s.wants(s.press("}"), "looking for the change of the verdict, ", " % read", "esc gives it up")
		s.lacks(s.press("esc"), "looking")
		s.press(keysOf("@0:01", "enter")...)
		time.Sleep(13 * time.Second)
		s.wants(s.settle(), "of Mar 02 00:01:00", "paused")
		s.press("@", "-", "9", "0", "s", "enter")
		s.quit("q") // which does not wait for the end of the way
	})
}

// A recording that plays goes on playing when a way is given up.
func TestAWayThatIsGivenUpGoesOnPlaying(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReel(t)
		r.slow, r.read = 12*time.Second, r.begun
		s := project(t, r, 120, 36)
		s.press(keysOf("@0:01", "enter", "p")...) // p takes effect at the end of the way
		time.Sleep(2 * time.Second)
		s.press("esc")
		time.Sleep(7 * time.Second)
		s.wants(s.settle(), "of Mar 01 23:58:06")
		s.quit("q")
	})
}

// A comparison goes on at another moment of a recording, with what was seen up to there, on the way back too;
// before the mark there is nothing to compare with it.
func TestAComparisonOutlivesASeek(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReel(t)
		r.changes = []int{1, 60}
		s := project(t, r, 120, 36)
		s.press(keysOf("@23:59:50", "enter", "m", "b")...)
		s.wants(s.settle(), "before and after Mar 01 23:59:50", "nothing was seen")
		s.press(keysOf("@0:01:50", "enter")...)
		s.wants(s.settle(), "before and after Mar 01 23:59:50", "23:58:02 to 23:59:50", "23:59:52 to 00:01:50")
		s.lacks(s.settle(), "nothing was seen")
		s.press(keysOf("@0:01:30", "enter")...)
		s.wants(s.settle(), "23:59:52 to 00:01:30")
		s.press(keysOf("@23:59", "enter")...)
		s.wants(s.settle(), "nothing was seen")
		s.quit("q")
	})
}

// A live monitor offers nothing of this, and takes no such key.
func TestNoReplayKeysInALiveMonitor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, slowSink), 200, 60)
		screen := s.press("p", ",", "}", "@", "?")
		s.lacks(screen, "in a recording", "paused", "play/pause")
		s.quit("q")
	})
}

// In all sizes it is plain that this is a recording.
func TestRecordingIsNamedInAllSizes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := project(t, newReel(t), 80, 24)
		for _, size := range [][2]int{{200, 60}, {120, 36}, {60, 20}, {40, 12}} {
			s.term.Resize(size[0], size[1])
			s.p.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			s.wants(s.settle(), "recording")
			s.wants(s.press("@"), "@")
			s.press("esc")
		}
		s.quit("q")
	})
}

// What one does with a recording stands in its footer on the job graph: to play, to go to where the verdict
// changes and to the end; with more room, to step, and to a time that is typed.
func TestTheFooterOfARecordingNamesWhatMattersThere(t *testing.T) {
	th, actions := NewTheme(plainLook()), offered(Options{Actions: Actions(), Replay: newReel(t)})
	for w, want := range map[int][]string{
		80:  {"enter open", "p play/pause", "{ } changes", "e evidence", "end/G end", "? keys", "q quit"},
		120: {"{ } changes", "end/G end", "q quit", ": commands", ", . 10 s", "@ go to a time"},
		160: {"end/G end", "( ) speed", "w why not another"},
	} {
		has(t, th.shortHelp(w, footerOf(actions, ScopeGraph)), want...)
	}
	has(t, th.shortHelp(80, footerOf(offered(Options{Actions: Actions()}), ScopeGraph)), "e evidence", "w why not another")
}
