package tui

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/vt"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// turning is a monitor whose verdict changes between two of them, every n steps.
func turning(t *testing.T, n int, a, b func() *diagnose.Observation) *actor {
	monitor := always(t, nil)
	monitor.step = func(_ context.Context, step int, _ diagnose.Ask) (*diagnose.Observation, error) {
		if (step-1)/n%2 == 0 {
			return a(), nil
		}
		return b(), nil
	}
	return monitor
}

func playNotifying(t *testing.T, monitor Monitor, how string) *stage {
	t.Helper()
	return playWith(t, Options{Monitor: monitor, Notify: how}, 80, 24)
}

func TestChangeOfTheVerdictIsTold(t *testing.T) {
	for how, want := range map[string]string{
		NotifyBell: "\a",
		NotifyOSC9: "\x1b]9;culprit: lab-orders: " + healthy().Report.Headline + "\a",
		NotifyOff:  "",
	} {
		t.Run(how, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := playNotifying(t, turning(t, 5, slowSink, healthy), how)
				time.Sleep(9 * time.Second)
				s.settle()
				before := bells(s, how)
				time.Sleep(4 * time.Second)
				s.wants(s.settle(), "HEALTHY")
				if got := bells(s, how) - before; want != "" && got != 1 || want == "" && got != 0 {
					t.Errorf("told %d times", got)
				}
				if how == NotifyOSC9 && !strings.Contains(s.raw.String(), want) {
					t.Errorf("no %q", want)
				}
				s.quit("q")
			})
		})
	}
}

// bells counts the notifications that the terminal got; a bell also ends the titles and notifications.
func bells(s *stage, how string) int {
	raw := s.raw.String()
	if how == NotifyOSC9 {
		return strings.Count(raw, "\x1b]9;")
	}
	return strings.Count(raw, "\a") - strings.Count(raw, "\x1b]")
}

func TestFlappingVerdictIsToldSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := playNotifying(t, turning(t, 1, slowSink, healthy), NotifyBell)
		time.Sleep(5 * time.Minute)
		s.settle()
		if n := bells(s, NotifyBell); n < 1 || n > 10 {
			t.Errorf("told %d times in five minutes, want one each 30 s at most", n)
		}
		s.quit("q")
	})
}

func TestTitleOfTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := vt.NewSafeEmulator(80, 24)
		raw := &tape{out: term}
		p := newProgram(t.Context(), Options{
			Monitor: turning(t, 3, slowSink, healthy), Clock: flinkapi.WallClock, Out: raw, Look: plainLook(),
			Width: 80, Height: 24,
		}, tea.WithoutSignals())
		done := make(chan error, 1)
		go func() { done <- p.run() }()
		time.Sleep(30 * time.Second)
		p.Send(keyNamed("q"))
		if err := <-done; err != nil {
			t.Error(err)
		}
		text := raw.String()
		for _, want := range []string{
			"\x1b]2;CULPRIT jdbc-upsert → Sink: warehouse - lab-orders\a", "\x1b]2;HEALTHY",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q was sent", want)
			}
		}
		if n := strings.Count(text, "\x1b]2;"); n > 8 {
			t.Errorf("the title was sent %d times", n)
		}
		if !strings.HasPrefix(text, pushTitle) || !strings.HasSuffix(text, popTitle) {
			t.Error("the terminal's own title was not kept and taken back")
		}
		time.Sleep(time.Minute)
	})
}

func TestCopiesOfRowAndScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, slowSink), 100, 30)
		copied := func(key, said string) string {
			t.Helper()
			s.wants(s.press(key), said)
			raw := s.raw.String()
			raw = raw[strings.LastIndex(raw, "\x1b]52;c;")+len("\x1b]52;c;"):]
			raw, _, _ = strings.Cut(raw, "\a")
			text, err := base64.StdEncoding.DecodeString(raw)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		row := copied("Y", "row sent to the terminal's clipboard")
		if !strings.HasPrefix(row, "jdbc-upsert -> Sink: warehouse\tx2\tculprit\tbusy 99 %\t") {
			t.Errorf("copied %q", row)
		}
		s.press("enter", "down")
		if row = copied("Y", "row sent"); !strings.HasPrefix(row, "1\t") || !strings.Contains(row, "\tworker-2:") {
			t.Errorf("copied %q", row)
		}
		if screen := copied("ctrl+y", "screen sent"); !strings.Contains(screen, "CULPRIT  jdbc-upsert") ||
			strings.Contains(screen, "\x1b") {
			t.Errorf("copied %q", screen)
		}
		s.press("esc")
		s.wants(s.press("w", "Y"), "no row is marked here")
		s.quit("q")
	})
}

func TestClipboardIsNotOverfilled(t *testing.T) {
	long := strings.Repeat("some row of text, ä\n", 5000)
	got := fitClipboard(long)
	if n := base64.StdEncoding.EncodedLen(len(got)); n > clipboardLimit || n < clipboardLimit-100 {
		t.Errorf("%d bytes of base64", n)
	}
	if !strings.HasSuffix(got, "\n") || !strings.HasPrefix(long, got) {
		t.Error("it is not cut at a line")
	}
	if wide := fitClipboard(strings.Repeat("漢", 50_000)); !strings.HasSuffix(wide, "漢") {
		t.Error("a character is cut in two")
	}
	if fitClipboard("short") != "short" {
		t.Error("a short text is changed")
	}
}
