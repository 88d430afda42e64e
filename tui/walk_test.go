package tui

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// rich is a job that gives every screen something to show.
func rich() *diagnose.Observation {
	obs := wide()
	job, well := obs.Snapshot.Job, eventful()
	job.Checkpoints, job.Exceptions, job.Now = well.Snapshot.Job.Checkpoints, well.Snapshot.Job.Exceptions, start
	obs.Report.TaskManagers = working().Report.TaskManagers
	return obs
}

// town is a cluster of several jobs; each that is asked for is rich.
func town(ask diagnose.Ask) *diagnose.Observation {
	list := jobList()
	if ask.Job == "" && ask.Name == "" {
		return list
	}
	obs := rich()
	obs.Jobs, obs.Snapshot.Jobs = list.Jobs, list.Snapshot.Jobs
	if ask.Job != "" {
		obs.Snapshot.Job.ID, obs.Report.Job.ID = ask.Job, ask.Job
	}
	return obs
}

// townsman is a monitor of the town.
func townsman(t *testing.T) *actor {
	a := always(t, nil)
	a.step = func(_ context.Context, _ int, ask diagnose.Ask) (*diagnose.Observation, error) {
		return town(ask), nil
	}
	return a
}

// targets are the clusters that the walks can switch to, each with a monitor of its own.
func targets(monitor func() Monitor) []Target {
	open := func() (Monitor, error) { return monitor(), nil }
	return []Target{
		{Name: "production", URL: "http://jobmanager:8081", Open: open},
		{Name: "gone", URL: "http://gone:8081", Open: func() (Monitor, error) { return nil, refused() }},
		{Name: "staging", URL: "http://staging:8081", Open: open},
	}
}

// pressable are the actions that leave the program running.
func pressable() []Action {
	return slices.DeleteFunc(Actions(), func(a Action) bool {
		// The first two have a test of their own, the third would suspend the tests.
		return a.ID == ActionQuit || a.ID == ActionAbort || a.ID == ActionSuspend
	})
}

// show brings a screen up on a program at rest, whatever was there.
func (s *stage) show(sc screen) {
	s.press("esc", "esc", "esc", "esc")
	inJobs := false
	s.within(func(m *app) {
		m.input.Blur()
		m.input.Reset()
		m.stack = nil
		if sc == screenJobs {
			m.enter(flinkapi.JobSummary{})
			return
		}
		inJobs = m.base() == screenJobs
	})
	if inJobs {
		s.press("home", "enter")
	}
	s.within(func(m *app) {
		if sc != screenJobs && sc != screenGraph {
			m.stack = []screen{sc}
		}
		m.rev++
	})
	s.p.Send(clockMsg{})
	time.Sleep(3 * time.Second)
	s.settle()
}

// sound fails unless what the terminal shows is the whole frame, exactly, and tells how old it is.
func (s *stage) sound(after string) {
	s.t.Helper()
	frame, w, h, missing := s.look()
	sized(s.t, frame, w, h)
	differs := s.differs(frame)
	for try := 0; differs != "" && try < 5; try++ { // what came just now is written within a frame's time
		s.settle()
		frame, _, _, missing = s.look()
		differs = s.differs(frame)
	}
	if differs != "" {
		s.t.Fatalf("after %s %s", after, differs)
	}
	if missing != "" {
		s.t.Fatalf("after %s the screen keeps quiet about %s:\n%s", after, missing, ansi.Strip(frame))
	}
}

// look returns what the program would draw now, its size, and what the top of it keeps quiet about.
func (s *stage) look() (frame string, w, h int, missing string) {
	s.within(func(m *app) {
		frame, w, h = m.View(), m.w, m.h
		if w >= minWidth && h >= minHeight {
			missing = untold(m, frame)
		}
	})
	return frame, w, h, missing
}

// differs says where the terminal shows something else than the frame; empty when it shows the frame.
func (s *stage) differs(frame string) string {
	s.raw.mu.Lock()
	shown := strings.Split(s.term.String(), "\n")
	s.raw.mu.Unlock()
	for y, row := range strings.Split(ansi.Strip(frame), "\n") {
		got := ""
		if y < len(shown) {
			got = strings.TrimRight(shown[y], " ")
		}
		if want := strings.TrimRight(row, " "); got != want {
			return fmt.Sprintf("row %d of the terminal is %q, of the frame %q", y, got, want)
		}
	}
	return ""
}

// untold names what the top of the screen should say of how old it is and does not; empty when all is said.
func untold(m *app, frame string) string {
	if m.palette != nil { // it may cover the top for as long as it is open
		return ""
	}
	sc := m.scene()
	rows := strings.SplitN(ansi.Strip(frame), "\n", 4)
	head := strings.Join(rows[:3], "\n")
	old, known := sc.dataAge()
	// A frame is drawn once a second.
	tells := func(d time.Duration) bool {
		return strings.Contains(head, age(d)) || strings.Contains(head, age(d-time.Second))
	}
	switch {
	case sc.frozen && !tells(sc.now.Sub(sc.received)) &&
		!strings.Contains(head, sc.received.In(sc.zone).Format("15:04:05")):
		return "when the frozen picture is from"
	case sc.link.err != nil && sc.obs == nil && !strings.Contains(frame, failureWord(sc.link.err)) &&
		!strings.Contains(head, "no answer"):
		return "the failure"
	case sc.link.err != nil && sc.obs != nil && !sc.frozen:
		detail, _ := cause(sc.link.err)
		word := strings.ToLower(failureWord(sc.link.err))
		if !strings.Contains(head, detail[:min(len(detail), 8)]) && !strings.Contains(strings.ToLower(head), word) {
			return "the failure of the last step"
		}
	}
	if known && m.w >= 60 && !sc.frozen && !tells(old) {
		return "the age of the data, " + age(old)
	}
	return ""
}

// Every action of the key table on every screen, whether it is offered there or not: the terminal shows the
// frame, the frame fills it, and nothing panics.
func TestEveryActionOnEveryScreen(t *testing.T) {
	for _, size := range [][2]int{{100, 30}, {40, 12}} {
		for sc := range screenCount {
			t.Run(fmt.Sprintf("%dx%d/%d", size[0], size[1], sc), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					there := targets(func() Monitor { return townsman(t) })
					s := playWith(t, Options{Monitor: townsman(t), Targets: there}, size[0], size[1])
					s.settle()
					for _, a := range pressable() {
						key := a.Binding.Keys()[0]
						s.show(sc)
						var got screen
						if s.within(func(m *app) { got = m.screen() }); got != sc {
							t.Fatalf("screen %d came up, want %d", got, sc)
						}
						s.press(key)
						s.sound(fmt.Sprintf("%s (%q) on screen %d", a.ID, key, sc))
					}
					s.leave()
				})
			})
		}
	}
}

// leave quits and checks that the terminal is given back.
func (s *stage) leave() {
	s.t.Helper()
	s.quit("ctrl+c")
	if s.term.IsAltScreen() {
		s.t.Error("the alternate screen stays")
	}
	for _, mode := range []string{"1000", "1002", "1003", "1006", "2004", "1004"} {
		on := strings.LastIndex(s.raw.String(), "\x1b[?"+mode+"h")
		off := strings.LastIndex(s.raw.String(), "\x1b[?"+mode+"l")
		if on > off {
			s.t.Errorf("mode %s of the terminal stays on", mode)
		}
	}
	if strings.LastIndex(s.raw.String(), "\x1b[?25l") > strings.LastIndex(s.raw.String(), "\x1b[?25h") {
		s.t.Error("the cursor stays hidden")
	}
}

func TestEveryScreenIsQuitAtOnce(t *testing.T) {
	for _, key := range []string{"q", "ctrl+c"} {
		for sc := range screenCount {
			synctest.Test(t, func(t *testing.T) {
				s := playWith(t, Options{Monitor: townsman(t)}, 100, 30)
				s.show(sc)
				if took := s.quit(key); took > 200*time.Millisecond {
					t.Errorf("screen %d: took %v to quit by %s", sc, took, key)
				}
			})
		}
	}
}

// Each screen can be reached by keys alone, from the first one.
func TestEveryScreenIsReached(t *testing.T) {
	t.Parallel()
	paths := map[screen][]string{}
	queue := [][]string{nil}
	for len(queue) > 0 && len(paths) < int(screenCount) {
		path := queue[0]
		queue = queue[1:]
		for _, a := range pressable() {
			key := a.Binding.Keys()[0]
			m := mounted(t, nil, 100, 30, plainLook())
			m.opts.Targets = targets(func() Monitor { return still{} })
			see := func() { m.Update(obsMsg{gen: m.loop.gen, obs: town(m.loop.ask)}) }
			see()
			for _, k := range append(path[:len(path):len(path)], key) {
				press(m, k)
				see()
			}
			if at := m.screen(); paths[at] == nil {
				paths[at] = append(path[:len(path):len(path)], key)
				queue = append(queue, paths[at])
			}
		}
	}
	for sc := range screenCount {
		if paths[sc] == nil {
			t.Errorf("no keys lead to screen %d", sc)
		}
	}
}

// weather is a monitor on a bad day: it fails, stalls, loses the job and finds it again, finds other jobs,
// and hands out hostile names, as a seed says.
func weather(t *testing.T, seed uint64) *actor {
	random := rand.New(rand.NewPCG(seed, 3))
	a := always(t, nil)
	a.step = func(ctx context.Context, _ int, ask diagnose.Ask) (*diagnose.Observation, error) {
		switch n := random.IntN(16); n {
		case 0:
			return nil, refused()
		case 1:
			return nil, &flinkapi.Error{Op: "find the job", Kind: flinkapi.KindNoJob, Detail: "no job is called x"}
		case 2:
			return nil, io.ErrUnexpectedEOF
		case 3:
			return nil, nil
		case 4: // a server that hangs for longer than anyone waits
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(20 * time.Second):
			}
			return healthy(), nil
		case 5: // the job is gone, and all others
			return &diagnose.Observation{Snapshot: &flinkapi.Snapshot{At: start}}, nil
		case 6: // the job runs with other vertices
			return slowSink(), nil
		case 7:
			return restartLoop(), nil
		case 8, 9:
			return scramble(random), nil
		}
		return town(ask), nil
	}
	return a
}

// A random walk by a seed: any keys in any order, on a bad day, in a window that changes its size.
func TestRandomWalks(t *testing.T) {
	var keys []string
	for _, a := range pressable() {
		keys = append(keys, a.Binding.Keys()...)
	}
	keys = append(keys, "x", "é", "日", "\x1b[31m", "tab tab")
	seeds := 8
	if testing.Short() {
		seeds = 4
	}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { walk(t, seed, keys) })
		})
	}
}

func walk(t *testing.T, seed uint64, keys []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 4))
	there := targets(func() Monitor { return weather(t, seed+1000) })
	// The palette runs any action there is; one that suspends would suspend the tests.
	actions := slices.DeleteFunc(Actions(), func(a Action) bool { return a.ID == ActionSuspend })
	s := playWith(t, Options{Monitor: weather(t, seed), Targets: there, Actions: actions}, 100, 30)
	for step := range 150 {
		key := keys[random.IntN(len(keys))]
		s.p.Send(keyNamed(key))
		switch random.IntN(12) {
		case 0:
			w, h := 1+random.IntN(220), 1+random.IntN(70)
			s.term.Resize(w, h)
			s.p.Send(tea.WindowSizeMsg{Width: w, Height: h})
		case 1:
			time.Sleep(time.Duration(random.IntN(90)) * time.Second)
		case 2: // the next key comes before the screen is drawn
			continue
		}
		s.settle()
		if len(s.done) > 0 { // the palette quits, too
			break
		}
		frame, w, h, missing := s.look()
		sized(t, frame, w, h)
		if missing != "" {
			t.Fatalf("step %d (%q): the screen keeps quiet about %s:\n%s", step, key, missing, ansi.Strip(frame))
		}
	}
	if foreign := foreignSequences(s.raw.String()); foreign != "" {
		t.Errorf("the terminal was sent %q", foreign)
	}
	s.leave()
}

// ownSequences are all that the program may send: colours, moves of the cursor, clearing, its modes and the
// clipboard. The titles and notices that it may send are its own too.
var ownSequences = regexp.MustCompile(
	"\x1b(\\[[0-9;]*[mHKJABCDG]|\\[\\?(25|1049|2004|100[0-6])[hl]|]52;c;[A-Za-z0-9+/=]*\a|" +
		"\\[2[23];2t|]2;[^[:cntrl:]]*\a)")

// foreignSequences returns the first sequence that is not the program's own.
func foreignSequences(written string) string {
	rest := ownSequences.ReplaceAllString(written, "")
	i := strings.IndexFunc(rest, func(r rune) bool { return isControl(r) && r != '\r' && r != '\n' })
	if i < 0 {
		return ""
	}
	return rest[max(i-20, 0):min(i+40, len(rest))]
}
