package tui

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"culprit/diagnose"
)

var sgrPattern = regexp.MustCompile("\x1b\\[[0-9;]*m")

// plainLook draws without any escape sequence.
func plainLook() Look { return Look{Profile: termenv.Ascii, Dark: true} }

// mounted returns the model with an observation on its screen, a second after it came.
func mounted(t *testing.T, obs *diagnose.Observation, w, h int, look Look) *app {
	t.Helper()
	now := start
	m := newApp(t.Context(), Options{
		Monitor: still{}, Mode: "live", Target: "http://jobmanager:8081", Look: look, Width: w, Height: h,
		Clock: func() time.Time { return now }, Env: func(string) string { return "" },
	})
	m.Init()
	if obs != nil {
		m.Update(obsMsg{obs: obs})
	}
	now = now.Add(time.Second)
	m.Update(clockMsg{})
	return m
}

// press sends keys by name, such as "down", "enter" or "e".
func press(m *app, keys ...string) {
	for _, k := range keys {
		m.Update(keyNamed(k))
	}
}

// sized fails unless a frame is exactly w by h cells and holds no control character but colours.
func sized(t *testing.T, frame string, w, h int) {
	t.Helper()
	rows := strings.Split(frame, "\n")
	if len(rows) != h {
		t.Fatalf("%d rows, want %d", len(rows), h)
	}
	for y, row := range rows {
		if n := ansi.StringWidth(row); n != w {
			t.Fatalf("row %d is %d cells, want %d: %q", y, n, w, row)
		}
		if plain := sgrPattern.ReplaceAllString(row, ""); strings.ContainsFunc(plain, isControl) {
			t.Fatalf("row %d holds a control character: %q", y, row)
		}
	}
}

func TestScreens(t *testing.T) {
	for name, see := range screens() {
		obs, err := see()
		if err != nil {
			continue
		}
		for _, size := range [][2]int{{40, 12}, {40, 15}, {80, 24}, {120, 36}, {200, 60}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				frame := mounted(t, obs, size[0], size[1], plainLook()).View()
				sized(t, frame, size[0], size[1])
				golden(t, t.Name(), frame)
			})
		}
	}
}

func TestDrillDowns(t *testing.T) {
	for _, c := range []struct {
		name string
		obs  *diagnose.Observation
		w, h int
		keys []string
	}{
		{"subtasks", wide(), 120, 36, []string{"enter", "down"}},
		{"subtasks-narrow", wide(), 40, 15, []string{"enter"}},
		{"subtasks-unknown", stale(), 80, 24, []string{"enter"}},
		{"subtasks-scrolled", inspected(), 80, 24, []string{"enter", ">", ">", ">", ">", ">", "S"}},
		{"subtasks-small", thousands(2000), 60, 20, []string{"enter", "G"}},
		{"subtasks-large", thousands(2000), 200, 60, []string{"enter", "s", "s", "s", "s", "s"}},
		{"subtask", inspected(), 120, 60, []string{"enter", "down", "enter"}},
		{"subtask-narrow", inspected(), 40, 15, []string{"enter", "enter", "pgdown"}},
		{"evidence", slowSink(), 120, 50, []string{"e"}},
		{"evidence-narrow", slowSink(), 60, 24, []string{"e"}},
		{"why", slowSink(), 100, 30, []string{"w"}},
		{"help", slowSink(), 100, 60, []string{"?"}},
		{"checkpoints", dissected(), 120, 40, []string{"c"}},
		{"checkpoints-narrow", dissected(), 60, 24, []string{"c"}},
		{"checkpoints-off", stale(), 80, 24, []string{"c"}},
		{"checkpoint-vertices", dissected(), 120, 30, []string{"c", "down", "enter"}},
		{"checkpoint-vertices-narrow", dissected(), 60, 24, []string{"c", "down", "enter"}},
		{"checkpoint-subtasks", dissected(), 140, 30, []string{"c", "down", "enter", "down", "enter"}},
		{"rule-page", slowSink(), 80, 24, []string{"e", "e"}},
		{"sources", sourcing(), 120, 40, []string{"o"}},
		{"sources-narrow", sourcing(), 60, 24, []string{"o"}},
		{"events", eventful(), 120, 30, []string{"x"}},
		{"events-narrow", eventful(), 60, 20, []string{"x"}},
		{"events-none", slowSink(), 80, 24, []string{"x"}},
		{"taskmanagers", working(), 120, 36, []string{"t"}},
		{"taskmanagers-narrow", working(), 60, 24, []string{"t"}},
		{"taskmanagers-unknown", slowSink(), 80, 24, []string{"t"}},
		{"filter", manyVertices(), 80, 24, []string{"/", "s", "i", "n", "k", "q"}},
		{"filter-kept", manyVertices(), 80, 24, []string{"/", "s", "i", "n", "k", "enter"}},
		{"list", slowSink(), 100, 30, []string{"v"}},
		{"graph-panned", manyVertices(), 80, 24, []string{"v"}},
		{"selected", manyVertices(), 120, 36, []string{"left", "left"}},
		{"frozen", slowSink(), 80, 24, []string{" "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := mounted(t, c.obs, c.w, c.h, plainLook())
			press(m, c.keys...)
			frame := m.View()
			sized(t, frame, c.w, c.h)
			golden(t, t.Name(), frame)
		})
	}
}

func TestColours(t *testing.T) {
	for name, look := range map[string]Look{
		"truecolor-dark":  {Profile: termenv.TrueColor, Dark: true},
		"truecolor-light": {Profile: termenv.TrueColor},
		"ansi16-dark":     {Profile: termenv.ANSI, Dark: true},
		"high-contrast":   {Theme: ThemeHighContrast, Profile: termenv.TrueColor, Dark: true},
		"16-colours":      {Theme: Theme16, Profile: termenv.TrueColor},
		"monochrome":      {Theme: ThemeMono, Profile: termenv.TrueColor, Dark: true, Attributes: true},
		"no-color":        {Profile: termenv.Ascii, Dark: true, Attributes: true},
		"ascii":           {Profile: termenv.Ascii, Dark: true, ASCII: true},
	} {
		t.Run(name, func(t *testing.T) {
			frame := mounted(t, slowSink(), 80, 24, look).View()
			sized(t, frame, 80, 24)
			golden(t, t.Name(), frame)
		})
	}
}

// ASCII must mean it: a terminal without UTF-8 would show two or three wrong characters for each other one,
// whatever the names are.
func TestASCIIStaysASCII(t *testing.T) {
	t.Parallel()
	look := Look{Profile: termenv.Ascii, ASCII: true}
	sizes := [][2]int{{40, 12}, {80, 24}, {200, 60}}
	for name, see := range map[string]func() *diagnose.Observation{
		"rich": rich, "jobs": jobList, "hostile": func() *diagnose.Observation {
			return scramble(rand.New(rand.NewPCG(5, 5)))
		},
	} {
		for sc := range screenCount {
			m := mounted(t, see(), 80, 24, look)
			m.opts.Targets = targets(func() Monitor { return still{} })
			if sc != m.base() {
				m.stack = []screen{sc}
			}
			for i, a := range pressable() {
				m.w, m.h = sizes[i%3][0], sizes[i%3][1]
				press(m, a.Binding.Keys()[0])
				frame := m.View()
				sized(t, frame, m.w, m.h)
				if at := strings.IndexFunc(frame, beyondASCII); at >= 0 {
					t.Fatalf("%s, screen %d, %s: %q", name, sc, a.ID, frame[max(at-20, 0):at+8])
				}
				press(m, "esc")
			}
		}
	}
}

func TestBeforeTheFirstAnswer(t *testing.T) {
	m := mounted(t, nil, 80, 24, plainLook())
	golden(t, t.Name()+"/connecting", m.View())
	m.Update(obsMsg{err: refused()})
	golden(t, t.Name()+"/refused", m.View())
	m = mounted(t, nil, 40, 12, plainLook())
	m.Update(obsMsg{err: errors.New("boom")})
	golden(t, t.Name()+"/other-error-narrow", m.View())
}

func TestFailureKeepsThePicture(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 36}} {
		m := mounted(t, slowSink(), size[0], size[1], plainLook())
		m.opts.Clock = func() time.Time { return start.Add(95 * time.Second) }
		m.Update(obsMsg{err: refused()})
		frame := m.View()
		sized(t, frame, size[0], size[1])
		golden(t, fmt.Sprintf("%s/%dx%d", t.Name(), size[0], size[1]), frame)
	}
}
