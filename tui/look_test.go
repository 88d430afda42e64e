package tui

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/muesli/termenv"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui/dag"
)

// everyScreen shows each screen of a program in turn, and calls see with what is on the terminal then.
func everyScreen(t *testing.T, o Options, see func(s *stage, sc screen, shown string), env ...string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o.Monitor, o.Targets = townsman(t), targets(func() Monitor { return townsman(t) })
		s := playWith(t, o, 120, 36, env...)
		for sc := range screenCount {
			s.show(sc)
			s.sound("the screen came up")
			see(s, sc, s.settle())
		}
		s.quit("q")
	})
}

// styled finds the parameters of colours and attributes (SGR).
var styled = regexp.MustCompile("\x1b\\[([0-9;:]*)m")

// A dumb terminal gets neither colours nor attributes, nor a character that its locale has not.
func TestDumbTerminal(t *testing.T) {
	env := []string{"TERM=dumb", "LANG=C"}
	look := detected(env...)
	if look.Attributes || !look.ASCII || look.Profile != termenv.Ascii {
		t.Fatalf("a dumb terminal is taken for %+v", look)
	}
	everyScreen(t, Options{Look: look}, func(s *stage, sc screen, shown string) {
		if at := strings.IndexFunc(shown, func(r rune) bool { return beyondASCII(r) && r != '\n' }); at >= 0 {
			t.Errorf("screen %d shows %q", sc, shown[at:min(at+8, len(shown))])
		}
		if found := styled.FindString(s.frame()); found != "" {
			t.Errorf("screen %d sends %q", sc, found)
		}
	}, env...)
}

// NO_COLOR drops the colours alone: bold, faint and reverse stay.
func TestNoColour(t *testing.T) {
	look := detected("NO_COLOR=1", "TERM=xterm-256color", "LANG=C.UTF-8")
	if look.Profile != termenv.Ascii || !look.Attributes || look.ASCII {
		t.Fatalf("NO_COLOR is taken for %+v", look)
	}
	attributes := false
	everyScreen(t, Options{Look: look}, func(s *stage, sc screen, _ string) {
		for _, found := range styled.FindAllStringSubmatch(s.frame(), -1) {
			for part := range strings.FieldsFuncSeq(found[1], func(r rune) bool { return r == ';' || r == ':' }) {
				n, err := strconv.Atoi(part)
				if err != nil || n >= 30 {
					t.Errorf("screen %d sends the colour %q", sc, found[0])
				}
				attributes = attributes || n > 0
			}
		}
	}, "NO_COLOR=1", "TERM=xterm-256color")
	if !attributes {
		t.Error("nothing is bold, faint or reverse")
	}
}

// detected is how an environment that is no terminal is taken; the number of colours is that of no terminal.
func detected(env ...string) Look {
	return DetectLook(io.Discard, func(name string) string {
		for _, pair := range env {
			if value, ok := strings.CutPrefix(pair, name+"="); ok {
				return value
			}
		}
		return ""
	})
}

// Inside tmux and screen the plain name says nothing of colours, which they have.
func TestMultiplexersHaveColours(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  []string
		want termenv.Profile
	}{
		{[]string{"TERM=screen"}, termenv.ANSI},
		{[]string{"TERM=tmux"}, termenv.ANSI},
		{[]string{"TERM=screen", "NO_COLOR=1"}, termenv.Ascii},
		{[]string{"TERM=tmux", "CLICOLOR=0"}, termenv.Ascii},
		{[]string{"TERM=dumb"}, termenv.Ascii},
	} {
		if got := detected(c.env...).Profile; got != c.want {
			t.Errorf("%v: %s, want %s", c.env, got.Name(), c.want.Name())
		}
	}
}

// On a light background every character stands out: by a contrast of 3 to 1 at least, which WCAG 2 asks of
// large text and of graphics. Empty tracks of meters and lines between boxes carry no meaning by themselves.
func TestLightBackground(t *testing.T) {
	const least = 3
	everyScreen(t, Options{Look: Look{Profile: termenv.TrueColor}}, func(s *stage, sc screen, shown string) {
		for y := range 36 {
			for x := range 120 {
				c := s.term.CellAt(x, y)
				if c == nil || !strings.ContainsFunc(c.Content, wordly) {
					continue
				}
				front := cmp.Or[color.Color](c.Style.Fg, color.Black)
				back := cmp.Or[color.Color](c.Style.Bg, color.White)
				if got := contrast(s.t, hexOf(front), hexOf(back)); got < least {
					t.Fatalf("screen %d: %q at %d,%d has a contrast of %.1f:\n%s", sc, c.Content, x, y, got, shown)
				}
			}
		}
	})
}

// wordly tells the characters of words and numbers.
func wordly(r rune) bool { return r > ' ' && r < 0x2500 }

// hexOf is a colour as the themes write it.
func hexOf(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// clockTimes are times of day in what is shown, with the day where that is told; a port behind a name is
// none.
var clockTimes = regexp.MustCompile(`\b([A-Z][a-z]{2} \d\d )?([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?\b`)

// Every time of day is in the zone of the screen: in a zone that is 5 h 30 min ahead each one is later by
// that, and nothing else differs.
func TestTimesAreInTheZoneOfTheScreen(t *testing.T) {
	const ahead = 5*time.Hour + 30*time.Minute
	ist := time.FixedZone("IST", int(ahead.Seconds()))
	found := 0
	for sc := range screenCount {
		for _, mode := range []string{"live", ModeReplay} {
			for _, hold := range []bool{false, true} {
				utc := zoned(t, sc, mode, hold, time.UTC)
				found += len(clockTimes.FindAllString(utc, -1))
				later := clockTimes.ReplaceAllStringFunc(utc, func(at string) string { return laterBy(t, at, ahead) })
				if east := zoned(t, sc, mode, hold, ist); later != east {
					t.Errorf("screen %d: in UTC\n%s\n5 h 30 min ahead\n%s", sc, utc, east)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d times of day were seen", found)
	}
}

// laterBy is a time of day, as it was found, so much later.
func laterBy(t *testing.T, at string, by time.Duration) string {
	t.Helper()
	for _, layout := range []string{"Jan 02 15:04:05", "Jan 02 15:04", time.TimeOnly, "15:04"} {
		if then, err := time.Parse(layout, at); err == nil {
			return then.Add(by).Format(layout)
		}
	}
	t.Fatalf("%q is no time of day", at)
	return ""
}

// zoned is one screen in a time zone, live or held.
func zoned(t *testing.T, sc screen, mode string, hold bool, zone *time.Location) string {
	t.Helper()
	see := func() *diagnose.Observation { return rich() }
	if sc == screenJobs {
		see = jobList
	}
	m := mounted(t, see(), 160, 50, plainLook())
	m.opts.Zone, m.opts.Mode = zone, mode
	if sc != m.base() {
		m.stack = []screen{sc}
	}
	if hold {
		m.freeze()
	}
	m.rev++
	return m.View()
}

// The console of Linux gets signs that its fonts have, and its 16 colours.
func TestLinuxConsole(t *testing.T) {
	if look := detected("TERM=linux", "LANG=C.UTF-8"); !look.ASCII || look.Profile == termenv.TrueColor {
		t.Errorf("the console of Linux is taken for %+v", look)
	}
	if look := detected("TERM=xterm-256color", "LANG=C.UTF-8"); look.ASCII {
		t.Errorf("xterm is taken for %+v", look)
	}
}

// A list that is longer than its pane says so, also where it has no head.
func TestAListSaysThatThereIsMore(t *testing.T) {
	m := mounted(t, manyVertices(), minWidth, 15, plainLook())
	sc := m.scene()
	n, shown := len(sc.vertices()), 3
	sc.selected = sc.vertices()[0].vertex.ID
	rows := drawList(sc, Rect{W: minWidth, H: shown + 1}, &scroll{}, m.theme)
	has(t, rows[shown], fmt.Sprintf("%d of %d vertices: ▲ 0 above, ▼ %d below", shown, n, n-shown))
}

// What data stands in is seen also beside the selection.
func TestTheSelectionHidesNoBlockedEdge(t *testing.T) {
	t.Parallel()
	if got := edgeTone(dag.Pen{Stroke: dag.Heavy, Lit: true}); got != toneJam {
		t.Errorf("a blocked edge beside the selection has tone %d", got)
	}
	if got := edgeTone(dag.Pen{Stroke: dag.Thin, Lit: true}); got != toneSelected {
		t.Errorf("an edge beside the selection has tone %d", got)
	}
}

// Shares of different subtasks do not read as the parts of one whole, and the signs of the ladder are
// explained where it stands.
func TestWhatIsShownExplainsItself(t *testing.T) {
	obs := healthy()
	v := &obs.Report.Vertices[0]
	v.Busy, v.Idle = flinkapi.Known(1), flinkapi.Known(0.99)
	m := mounted(t, obs, 120, 36, plainLook())
	has(t, m.View(), "busiest ", "idlest ")
	text := newText(evidenceText, nil).Draw(m.scene(), Rect{W: 100, H: 60}, m.theme)
	has(t, strings.Join(text, "\n"), "● hit", "– not reached")
}
