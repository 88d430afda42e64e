package tui

import (
	"strings"
	"testing"
	"testing/synctest"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"culprit/diagnose"
)

func sixty() *diagnose.Observation        { return bigJob(60) }
func threeHundred() *diagnose.Observation { return bigJob(300) }

// body is what a screen shows between the card and the details, without what goes with time.
func body(screen string) string {
	_, below, _ := strings.Cut(screen, "y copy")
	graph, _, _ := strings.Cut(below, "ladder ")
	return graph
}

func TestZoomKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, manyVertices), 120, 36)
		small := s.settle()
		s.wants(small, "│‖ held back   │", "┃busy 100 % ┃")
		s.wants(s.press("-"), "❯◆ aggregate busy 100 %", "12 vertices as lines")
		s.wants(s.press("-"), "❯ ◆ aggregate", "12 vertices as dots")
		s.wants(s.press("-"), "12 vertices as dots")
		s.wants(s.press("+", "="), "┃busy 100 % ┃")
		s.wants(s.press("+"), "┃ busy ██", "│ 2 victims")
		s.wants(s.press("z"), "┃ busy ██", "12 vertices as boxes", "HJKL move")
		if again := s.press("0"); body(again) != body(small) {
			t.Errorf("0 does not go back to the automatic zoom:\n%s", again)
		}
		s.wants(s.press("v"), "  vertex  ", "❯ ▼ aggregate")
		s.wants(s.press("-"), "┃busy 100 % ┃") // from the list, the first press shows the graph
		s.quit("q")
	})
}

func TestPanKeysAndMap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, threeHundred), 120, 36)
		first := s.settle()
		s.wants(first, "300 vertices as dots", "❯ ◆ sessionize", "╭─ map ─")
		s.lacks(s.press("M"), "─ map ─")
		if back := s.press("M"); body(back) != body(first) {
			t.Error("M twice is not nothing")
		}
		for _, keys := range [][2]string{{"L", "H"}, {"J", "K"}, {"shift+right", "shift+left"}, {"shift+down", "shift+up"}} {
			there := s.press(keys[0])
			if body(there) == body(first) {
				t.Errorf("%s moves nothing", keys[0])
			}
			if back := s.press(keys[1]); body(back) != body(first) {
				t.Errorf("%s does not undo %s:\n%s", keys[1], keys[0], back)
			}
		}
		s.wants(s.press("H", "H", "H", "H", "H", "H", "H", "H"), "culprit is to the right  f goes there")
		if back := s.press("f"); !strings.Contains(back, "❯ ◆ sessionize") {
			t.Errorf("f does not bring the culprit back:\n%s", back)
		}
		s.quit("q")
	})
}

// The window goes where the culprit is until another vertex is selected or the window is moved.
func TestFollowsTheCulprit(t *testing.T) {
	culpritAt := func(i int) *diagnose.Observation {
		obs := threeHundred()
		for k := range obs.Report.Vertices {
			if v := &obs.Report.Vertices[k]; v.Role == diagnose.RoleCulprit {
				v.Role = diagnose.RoleFine
			}
		}
		obs.Report.Vertices[i].Role = diagnose.RoleCulprit
		obs.Report.Culprits[0].Vertex = obs.Report.Vertices[i].Vertex
		return obs
	}
	m := mounted(t, culpritAt(155), 120, 36, plainLook())
	see := func(i int) string {
		m.Update(obsMsg{gen: m.loop.gen, obs: culpritAt(i)})
		return m.View()
	}
	has(t, see(155), "❯ ◆ sessionize")
	has(t, see(11), "❯ ◆ join 11")
	press(m, "right")
	has(t, see(11), "❯ join 17") // selected by hand
	has(t, see(299), "❯ join 17", "culprit is to the right")
	press(m, "f")
	has(t, see(299), "❯ ◆ join 299")
	has(t, see(155), "❯ ◆ sessionize")
	press(m, "H", "H", "H", "H", "H", "H", "H", "H")
	has(t, see(155), "culprit is to the right")
	has(t, see(155), "culprit is to the right")
	quiet := healthy()
	m = mounted(t, quiet, 120, 36, plainLook())
	press(m, "f")
	has(t, m.View(), "no culprit is named now")
}

func TestFoldKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, manyVertices), 120, 36)
		s.lacks(s.settle(), "victims")
		s.wants(s.press("z"), "│ 2 victims", "│ 3 victims", "│ Source: orders", "❯ aggregate x4")
		s.wants(s.press("left"), "❯ keyBy-window x16", "enter opens") // the one next to the culprit
		s.wants(s.press("down"), "❯ dedupe x16")
		s.wants(s.press("left"), "❯ parse clicks x8")
		s.wants(s.press("right"), "❯ dedupe x16")
		s.wants(s.press("enter"), "❯ dedupe x16", "enrich", "│ 2 victims")
		s.lacks(s.settle(), "3 victims", "subtasks of")
		s.wants(s.press("enter"), "subtasks of dedupe")
		s.lacks(s.press("esc", "z"), "victims")
		s.wants(s.press("z"), "│ 3 victims")
		s.lacks(s.press("0"), "victims")
		s.quit("q")
	})
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, healthy), 120, 36)
		s.wants(s.press("z"), "no victims stand in a line")
		s.quit("q")
	})
}

func TestMatchKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, sixty), 200, 60)
		s.wants(s.press("/", "j", "o", "i", "n", " "), "/join", " 9 matches ", "sessionize")
		s.wants(s.press("enter"), "❯ join 41", "6 of 9 matches", "◆ sessionize")
		s.wants(s.press("n"), "❯ join 47", "7 of 9 matches")
		s.wants(s.press("N", "N"), "❯ join 29", "5 of 9 matches")
		s.wants(s.press("N", "N", "N", "N", "N"), "❯ join 59") // round the end
		s.wants(s.press("esc", "n"), "type / and a part of a name first")
		s.wants(s.press("/", "j"), "/j", "enter keep") // what is typed comes before what was said
		s.press("esc")
		s.quit("q")
	})
}

func TestDescribeKey(t *testing.T) {
	long := "Calc(select=[" + strings.Repeat("CAST(a AS VARCHAR) AS b, ", 330) + "zzz_the_end])"
	sql := func() *diagnose.Observation {
		obs := slowSink()
		v := &obs.Snapshot.Job.Vertices[2]
		v.Description, v.MaxParallelism = "[3]:"+long+"\n+- [4]:Sort(a)", 128
		return obs
	}
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, sql), 120, 36)
		s.wants(s.press("left", "d"), "clean", "x4, at most x128", "from ‖ parse  hash", "to   ◆ jdbc-upsert",
			"description in the plan", "[3]:Calc(select=[", "more below")
		s.wants(s.press("G"), "zzz_the_end])", "+- [4]:Sort(a)")
		s.wants(s.press("d", "right", "d"), "1  jdbc-upsert", "2  Sink: warehouse", "the plan has none")
		s.wants(s.press("esc"), "❯ jdbc-upsert")
		s.quit("q")
	})
}

// cellOf finds the first cell of a text on a screen.
func cellOf(t *testing.T, screen, text string) (x, y int) {
	t.Helper()
	for y, row := range strings.Split(screen, "\n") {
		if before, _, ok := strings.Cut(row, text); ok {
			return ansi.StringWidth(before), y
		}
	}
	t.Fatalf("no %q on the screen:\n%s", text, screen)
	return 0, 0
}

func (s *stage) point(button tea.MouseButton, x, y int) string {
	s.p.Send(tea.MouseMsg{X: x, Y: y, Button: button, Action: tea.MouseActionPress})
	return s.settle()
}

func TestMouse(t *testing.T) {
	const reports = "\x1b[?1002h" // asks the terminal for clicks
	synctest.Test(t, func(t *testing.T) {
		s := playWith(t, Options{Monitor: always(t, manyVertices), Mouse: true}, 120, 36)
		click := func(text string) string {
			x, y := cellOf(t, s.settle(), text)
			return s.point(tea.MouseButtonLeft, x, y)
		}
		s.wants(click("│enrich"), "❯ enrich x16")
		s.wants(click("bp 61 %"), "subtasks of enrich") // the selected one opens
		s.wants(s.press("esc", "v"), "  vertex  ")
		s.wants(click("parse clicks"), "❯ parse clicks x8")
		s.wants(s.point(tea.MouseButtonWheelDown, 5, 14), "❯ join x16")
		s.wants(s.point(tea.MouseButtonWheelUp, 5, 14), "❯ parse clicks x8")
		s.wants(s.point(tea.MouseButtonLeft, 0, 0), "❯ parse clicks x8") // nothing is there
		s.wants(click("CULPRIT"), "❯ parse clicks x8")
		if !strings.Contains(s.raw.String(), reports) {
			t.Error("the terminal is not asked for clicks")
		}
		s.quit("q")
	})
	synctest.Test(t, func(t *testing.T) {
		s := playWith(t, Options{Monitor: always(t, threeHundred), Mouse: true}, 120, 36)
		first := s.settle()
		moved := s.point(tea.MouseButtonWheelRight, 60, 15)
		if body(moved) == body(first) {
			t.Error("the wheel moves nothing")
		}
		if back := s.point(tea.MouseButtonWheelLeft, 60, 15); body(back) != body(first) {
			t.Error("the wheel does not move back")
		}
		x, y := cellOf(t, first, "▶◇")
		s.wants(s.point(tea.MouseButtonLeft, x+2, y), "❯ join 161") // beside the dot
		s.quit("q")
	})
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, manyVertices), 120, 36)
		if strings.Contains(s.raw.String(), reports) {
			t.Error("the terminal is asked for clicks though nobody wanted the mouse")
		}
		s.quit("q")
	})
}
