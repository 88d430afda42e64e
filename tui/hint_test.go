package tui

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"culprit/diagnose"
)

// rebound is a key table in which nothing is where it was.
func rebound() []Action {
	return Rebind(Actions(), map[ActionID][]string{
		ActionFreeze: {"f9"}, ActionEarlier: {"f7"}, ActionLater: {"f8"}, ActionBottom: {"f6"}, ActionBack: {"f5"},
		ActionQuit: {"Q"}, ActionOpen: {"f4"},
	})
}

// The keys that notices name are those of the table, whatever it was made of.
func TestHintsFollowTheKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := playWith(t, Options{Monitor: always(t, slowSink), Actions: rebound()}, 120, 36)
		screen := s.press("f9")
		s.wants(screen, "FROZEN at", "f9: live")
		s.lacks(screen, "space")
		s.press("f9")
		screen = s.press("f7")
		s.wants(screen, "moment 1 of 1", "f7 earlier  f8 later  f6: live")
		s.lacks(screen, "[ earlier", "end: live")
		s.press("f6", "/")
		s.press("p", "enter")
		s.wants(s.settle(), "f5 clear")
		s.quit("Q")
	})
	m := mounted(t, jobList(), 30, 10, plainLook())
	m.actions = rebound()
	m.rev++
	if frame := m.View(); !strings.Contains(frame, "Q quits") {
		t.Errorf("too small a screen does not name the key to quit:\n%s", frame)
	}
	m.panes[screenClusters] = &clustersPane{}
	m.opts.Targets = targets(func() Monitor { return still{} })
	m.w, m.h, m.stack = 80, 24, []screen{screenClusters}
	m.rev++
	if frame := m.View(); !strings.Contains(frame, "f4 switches") {
		t.Errorf("the clusters do not name the key to switch:\n%s", frame)
	}
}

// An action that has lost its keys is not named.
func TestHintsOfKeysThatAreGone(t *testing.T) {
	m := mounted(t, slowSink(), 80, 24, plainLook())
	m.actions = Rebind(Actions(), map[ActionID][]string{ActionFreeze: {}})
	m.freeze()
	m.rev++
	frame := m.View()
	sized(t, frame, 80, 24)
	if !strings.Contains(frame, "FROZEN") || strings.Contains(frame, ": live") {
		t.Errorf("a key is named that does nothing:\n%s", frame)
	}
}

// What stands above the other screens, and what the footer says for a while, are seen on a wall too.
func TestWallShowsNotices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, slowSink)
		monitor.step = func(_ context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
			if n == 4 {
				return nil, refused()
			}
			return slowSink(), nil
		}
		s := playWith(t, Options{Monitor: monitor, Wall: true, Notices: []string{"the config has no theme x"}}, 100, 30)
		s.wants(s.settle(), "the config has no theme x")
		time.Sleep(5 * time.Second)
		s.lacks(s.settle(), "the config has no theme x")
		time.Sleep(time.Second)
		s.wants(s.settle(), "nobody listens at http://jobmanager:8081", "next try in")
		s.quit("q")
	})
	for _, size := range [][2]int{{40, 15}, {100, 30}} {
		m := mounted(t, slowSink(), size[0], size[1], plainLook())
		m.opts.Wall = true
		m.rev++
		before := strings.Split(m.View(), "\n")
		m.freeze()
		m.rev++
		frame := m.View()
		sized(t, frame, size[0], size[1])
		after := strings.Split(frame, "\n")
		if !strings.Contains(after[1], "FROZEN at") || strings.Contains(frame, ": live") {
			t.Errorf("a frozen wall:\n%s", frame)
		}
		if before[2] != after[2] {
			t.Errorf("the words moved from\n%s\nto\n%s", strings.Join(before, "\n"), frame)
		}
	}
}

// A key that changes nothing in sight says so.
func TestKeysWithoutEffectSayWhy(t *testing.T) {
	m := mounted(t, slowSink(), 120, 36, plainLook())
	m.View()
	press(m, "M")
	has(t, m.View(), "no small map")
	press(m, "M")
	has(t, m.View(), "a small map, once the graph is larger than the screen")
	press(m, "v", "M", "M")
	has(t, m.View(), "a small map, once the graph is shown")
	press(m, "T")
	has(t, m.View(), "nothing changes, as this terminal shows no colours")
}
