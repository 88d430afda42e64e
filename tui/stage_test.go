package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/vt"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// actor is a monitor whose steps a test writes; it fails when two of them overlap.
type actor struct {
	t     *testing.T
	step  func(ctx context.Context, n int, ask diagnose.Ask) (*diagnose.Observation, error)
	pause time.Duration

	mu    sync.Mutex
	busy  bool
	asked []diagnose.Ask
}

func (a *actor) Step(ctx context.Context, ask diagnose.Ask) (*diagnose.Observation, error) {
	a.mu.Lock()
	if a.busy {
		a.t.Error("two steps in flight")
	}
	a.busy = true
	a.asked = append(a.asked, ask)
	n := len(a.asked)
	a.mu.Unlock()
	obs, err := a.step(ctx, n, ask)
	a.mu.Lock()
	a.busy = false
	a.mu.Unlock()
	return obs, err
}

func (a *actor) Wait() time.Duration { return a.pause }

func (a *actor) asks() []diagnose.Ask {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]diagnose.Ask{}, a.asked...)
}

// always is a monitor that sees the same each time.
func always(t *testing.T, see func() *diagnose.Observation) *actor {
	step := func(context.Context, int, diagnose.Ask) (*diagnose.Observation, error) { return see(), nil }
	return &actor{t: t, pause: 2 * time.Second, step: step}
}

// stage is the whole program in front of a virtual terminal, in fake time. The program asks the terminal
// nothing, so the emulator's answers need no reader. It must be used inside synctest.Test.
type stage struct {
	t    *testing.T
	p    *program
	term *vt.SafeEmulator
	raw  *tape
	done chan error
	over bool // the program has ended
}

// tape hands all on to the terminal and keeps it.
type tape struct {
	out io.Writer
	mu  sync.Mutex
	all bytes.Buffer
}

func (w *tape) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all.Write(p)
	return w.out.Write(p)
}

func (w *tape) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.String()
}

func play(t *testing.T, monitor Monitor, w, h int, env ...string) *stage {
	t.Helper()
	return playJob(t, monitor, "", w, h, env...)
}

func playJob(t *testing.T, monitor Monitor, job string, w, h int, env ...string) *stage {
	t.Helper()
	return playWith(t, Options{Monitor: monitor, Job: job}, w, h, env...)
}

func playWith(t *testing.T, o Options, w, h int, env ...string) *stage {
	t.Helper()
	s := &stage{t: t, term: vt.NewSafeEmulator(w, h), done: make(chan error, 1)}
	s.raw = &tape{out: s.term}
	if o.Mode == "" {
		o.Mode, o.Target, o.Clock = "live", "http://jobmanager:8081", flinkapi.WallClock
	}
	o.Out = s.raw
	o.Width, o.Height = w, h
	if o.Look == (Look{}) {
		o.Look = plainLook()
	}
	o.Env = func(name string) string {
		for _, pair := range env {
			if value, ok := strings.CutPrefix(pair, name+"="); ok {
				return value
			}
		}
		return ""
	}
	s.p = newProgram(t.Context(), o, tea.WithoutSignals(), tea.WithFilter(peeks))
	go func() { s.done <- s.p.run() }()
	t.Cleanup(func() { // a test that failed
		if !s.over {
			s.p.Kill()
			if err := <-s.done; err != nil {
				t.Logf("run: %v", err)
			}
			time.Sleep(2 * stepDeadline)
		}
	})
	s.settle()
	s.p.Send(tea.WindowSizeMsg{Width: w, Height: h})
	return s
}

// peek is a message that looks at the model between two others, where nothing else touches it.
type peek struct {
	look func()
	done chan struct{}
}

// peeks lets the messages of the tests look, and hands on all others.
func peeks(_ tea.Model, msg tea.Msg) tea.Msg {
	p, ok := msg.(peek)
	if !ok {
		return msg
	}
	p.look()
	close(p.done)
	return nil
}

// within looks at the model, or changes it, on the program's own goroutine.
func (s *stage) within(look func(m *app)) {
	done := make(chan struct{})
	s.p.Send(peek{func() { look(s.p.app) }, done})
	<-done
}

// frame is what the program would draw now.
func (s *stage) frame() (text string) {
	s.within(func(m *app) { text = m.View() })
	return text
}

// settle lets the program come to rest; the screen is written within 100 ms.
func (s *stage) settle() string {
	time.Sleep(100 * time.Millisecond)
	synctest.Wait()
	s.raw.mu.Lock() // the emulator's own lock does not cover reading the screen
	defer s.raw.mu.Unlock()
	return s.term.String()
}

// press sends keys one by one and returns the screen after the last.
func (s *stage) press(keys ...string) string {
	for _, k := range keys {
		s.p.Send(keyNamed(k))
		s.settle()
	}
	return s.settle()
}

// wants fails unless the screen holds all the words.
func (s *stage) wants(screen string, words ...string) {
	s.t.Helper()
	for _, w := range words {
		if !strings.Contains(screen, w) {
			s.t.Fatalf("no %q on the screen:\n%s", w, screen)
		}
	}
}

// lacks fails when the screen holds any of the words.
func (s *stage) lacks(screen string, words ...string) {
	s.t.Helper()
	for _, w := range words {
		if strings.Contains(screen, w) {
			s.t.Fatalf("%q on the screen:\n%s", w, screen)
		}
	}
}

// quit ends the program by a key and tells how long that took.
func (s *stage) quit(key string) time.Duration {
	s.t.Helper()
	from := flinkapi.WallClock()
	s.p.Send(keyNamed(key))
	err := <-s.done
	s.over = true
	var defect *Panicked
	if errors.As(err, &defect) {
		s.t.Fatalf("run: %v\n%s", err, defect.Stack)
	}
	if err != nil {
		s.t.Fatalf("run: %v", err)
	}
	took := flinkapi.WallClock().Sub(from)
	time.Sleep(2 * stepDeadline) // pending ticks run out
	return took
}
