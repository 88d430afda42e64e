package tui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"culprit/diagnose"
	"culprit/tui/letters"
)

func TestWall(t *testing.T) {
	for name, obs := range map[string]*diagnose.Observation{
		"slow-sink": slowSink(), "healthy": healthy(), "restart-loop": restartLoop(), "jobs": jobList(),
		"many": manyVertices(),
	} {
		for _, size := range [][2]int{{40, 15}, {80, 24}, {120, 36}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				m := mounted(t, obs, size[0], size[1], plainLook())
				m.opts.Wall = true
				m.rev++
				frame := m.View()
				sized(t, frame, size[0], size[1])
				golden(t, t.Name(), frame)
			})
		}
	}
}

// What is not known any more must not look like a verdict that stands.
func TestWallSaysWhatIsLostOrStale(t *testing.T) {
	m := mounted(t, slowSink(), 100, 30, plainLook())
	m.opts.Wall = true
	m.opts.Clock = func() time.Time { return start.Add(3 * time.Minute) }
	m.rev++
	m.Update(clockMsg{})
	if frame := m.View(); !strings.Contains(frame, "the last verdict was CULPRIT jdbc-upsert") {
		t.Errorf("old data stands as the verdict:\n%s", frame)
	}
	golden(t, t.Name()+"/stale", m.View())
	m.Update(obsMsg{err: refused()})
	golden(t, t.Name()+"/lost", m.View())
	m = mounted(t, nil, 100, 30, plainLook())
	m.opts.Wall = true
	m.Update(obsMsg{err: refused()})
	golden(t, t.Name()+"/never", m.View())
}

func TestWallTakesNoKeysButTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := playWith(t, Options{Monitor: always(t, slowSink), Wall: true}, 80, 24)
		before := s.settle()
		for _, key := range []string{"e", "?", ":", "T", " ", "enter", "/"} {
			if screen := s.press(key); screen != before && !strings.Contains(screen, " ▄▀▀ █ █ █ ") {
				t.Errorf("%s changed the wall:\n%s", key, screen)
			}
		}
		s.lacks(s.settle(), "commands", "quit", "FROZEN")
		s.quit("q")
	})
}

// The wall says what to do, without the conditions behind it, where the fix is known and the verdict stands.
func TestWallSaysTheFix(t *testing.T) {
	for _, size := range [][2]int{{40, 15}, {80, 24}, {120, 36}} {
		m := mounted(t, slowSink(), size[0], size[1], plainLook())
		m.opts.Wall = true
		m.rev++
		frame := m.View()
		has(t, frame, "fix  batch the writes", "slow-sink: the last operator")
		if strings.Contains(frame, "sink.buffer-flush.max-rows") {
			t.Errorf("%v: the wall goes into detail:\n%s", size, frame)
		}
	}
	m := mounted(t, slowSink(), 80, 24, plainLook())
	m.opts.Wall = true
	m.Update(obsMsg{err: refused()})
	if frame := m.View(); strings.Contains(frame, "fix  ") {
		t.Errorf("a verdict that may be over still says what to do:\n%s", frame)
	}
}

// The share of the culprit and since when it stands are in large letters, and a wall that does not show a
// cluster as it is now says so.
func TestWallTellsTheNumbersAndWhatIsNotLive(t *testing.T) {
	for size, large := range map[[2]int]string{
		{40, 15}: "99% 03:02", {80, 24}: "99% SINCE 03:02", {120, 36}: "BUSY 99% SINCE 03:02",
	} {
		m := mounted(t, slowSink(), size[0], size[1], plainLook())
		m.opts.Wall = true
		m.rev++
		rows, ok := letters.Draw(large, size[0]-2, 3, m.theme.fill, true)
		if !ok {
			t.Fatalf("%q has no room in %d cells", large, size[0])
		}
		live := m.View()
		has(t, live, rows...)
		for mode, says := range map[string]string{
			ModeDemo: "DEMO: a simulated cluster", ModeReplay: "RECORDING of Mar 14 03:07",
		} {
			if strings.Contains(live, says) {
				t.Errorf("a cluster is called a %s:\n%s", mode, live)
			}
			m.opts.Mode = mode
			m.rev++
			has(t, strings.Split(m.View(), "\n")[1], says)
			sized(t, m.View(), size[0], size[1])
		}
	}
}
