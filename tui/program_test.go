package tui

import (
	"context"
	"encoding/base64"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/vt"

	"culprit/diagnose"
	"culprit/flinkapi"
)

func TestKeysLeadThroughTheScreens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, slowSink)
		s := play(t, monitor, 100, 30)
		s.wants(s.settle(), "CULPRIT  jdbc-upsert → Sink: warehouse", "held back", "ladder  1 culprit ●")
		s.wants(s.press("e"), "evidence: jdbc-upsert", "against  garbage collection")
		s.wants(s.press("w"), "runner-up clean")
		s.wants(s.press("esc", "esc", "?"), "select the vertex above")
		s.wants(s.press("?", "enter"), "subtasks of jdbc-upsert", "worker-1")
		s.wants(s.press("shift+tab"), "subtasks of clean")
		s.wants(s.press("s"), "sorted by busy, 15 min")
		screen := s.press("esc")
		s.wants(screen, "❯ clean x4", "CULPRIT  jdbc-upsert")
		s.wants(s.press("left"), "❯ parse x4")
		s.wants(s.press("esc"), "❯ jdbc-upsert → Sink: warehouse x2")
		asks := monitor.asks()
		if s.press("h"); asks[0].Vertex != "" {
			t.Errorf("asked for vertex %q before one was selected", asks[0].Vertex)
		}
		time.Sleep(3 * time.Second)
		if asks = monitor.asks(); asks[len(asks)-1].Vertex != vertexID(2) {
			t.Errorf("asked for vertex %q, want the selected one", asks[len(asks)-1].Vertex)
		}
		s.quit("q")
	})
}

func TestFirstFrameComesBeforeTheFirstAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(context.Context, int, diagnose.Ask) (*diagnose.Observation, error) {
			time.Sleep(5 * time.Second)
			return slowSink(), nil
		}
		s := play(t, monitor, 80, 24)
		s.wants(s.settle(), "CONNECTING", "connecting to http://jobmanager:8081, 0 s")
		time.Sleep(2 * time.Second)
		s.wants(s.settle(), "connecting to http://jobmanager:8081, 2 s")
		time.Sleep(4 * time.Second)
		s.wants(s.settle(), "CULPRIT  jdbc-upsert")
		s.quit("q")
	})
}

func TestFreezeHoldsThePictureWhileDataGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(_ context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
			if n > 3 {
				return healthy(), nil
			}
			return slowSink(), nil
		}
		s := play(t, monitor, 80, 24)
		s.wants(s.press(" "), "FROZEN at", "not live", "CULPRIT")
		time.Sleep(30 * time.Second)
		s.wants(s.settle(), "FROZEN at", "30 s ago, not live", "CULPRIT")
		if n := len(monitor.asks()); n < 15 {
			t.Errorf("%d steps in 30 s while frozen, want 15", n)
		}
		screen := s.press(" ")
		s.wants(screen, "HEALTHY")
		s.lacks(screen, "FROZEN")
		s.quit("q")
	})
}

func TestResize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, slowSink), 120, 36)
		for _, size := range [][2]int{{80, 24}, {40, 12}, {39, 12}, {200, 60}, {1, 1}, {60, 20}} {
			s.term.Resize(size[0], size[1])
			s.p.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			screen := s.settle()
			switch {
			case size[0] >= minWidth:
				s.wants(screen, "CULPRIT", "jdbc-upsert")
			case size[0] > 1:
				s.wants(screen, "culprit needs 40x12 cells")
			}
		}
		s.quit("q")
	})
}

func TestErrorKeepsThePicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.pause = 10 * time.Second
		monitor.step = func(_ context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
			if n == 2 || n == 3 {
				return nil, refused()
			}
			return slowSink(), nil
		}
		s := play(t, monitor, 120, 36)
		time.Sleep(14 * time.Second)
		s.wants(s.settle(), "CULPRIT  jdbc-upsert", "nobody listens at http://jobmanager:8081",
			"is the JobManager up", "next try in 6 s", "data 17 s old")
		time.Sleep(10 * time.Second)
		s.wants(s.settle(), "nobody listens", "data 27 s old")
		time.Sleep(6 * time.Second)
		screen := s.settle()
		s.wants(screen, "data 3 s old")
		s.lacks(screen, "nobody listens")
		s.quit("q")
	})
}

func TestQuitsAtOnceWhileTheServerHangs(t *testing.T) {
	for _, key := range []string{"ctrl+c", "q"} {
		t.Run(key, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				monitor := always(t, nil)
				monitor.step = func(ctx context.Context, _ int, _ diagnose.Ask) (*diagnose.Observation, error) {
					<-ctx.Done()
					return nil, ctx.Err()
				}
				s := play(t, monitor, 80, 24)
				if took := s.quit(key); took > 200*time.Millisecond {
					t.Errorf("took %v to quit", took)
				}
			})
		})
	}
}

func TestHangingStepMeetsItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(ctx context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
			if n == 1 {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return slowSink(), nil
		}
		s := play(t, monitor, 80, 24)
		time.Sleep(stepDeadline)
		s.wants(s.settle(), "NO ANSWER", "deadline")
		time.Sleep(3 * time.Second)
		s.wants(s.settle(), "CULPRIT")
		s.quit("q")
	})
}

// The actor fails the test when a step begins before the one in flight has returned.
func TestRefreshCancelsTheStepInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(ctx context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
			if n == 1 {
				<-ctx.Done()
				time.Sleep(time.Second) // it takes its time to give up
				return healthy(), nil
			}
			return slowSink(), nil
		}
		s := play(t, monitor, 80, 24)
		s.press("r", "r", "r")
		if n := len(monitor.asks()); n != 1 {
			t.Fatalf("%d steps began, want 1", n)
		}
		time.Sleep(time.Second)
		screen := s.settle()
		s.wants(screen, "CULPRIT")
		s.lacks(screen, "HEALTHY")
		if asks := monitor.asks(); len(asks) != 2 || !asks[1].Refresh {
			t.Errorf("asked %+v, want one refresh after the first", asks)
		}
		time.Sleep(10 * time.Second)
		if n := len(monitor.asks()); n < 5 || n > 8 {
			t.Errorf("%d steps, want one each 2 s", n)
		}
		s.quit("q")
	})
}

func TestFilterTakesLetters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, manyVertices), 100, 40)
		screen := s.press("v", "/", "d", "e", "d", "u", "q")
		s.wants(screen, "/deduq", "no vertex is named like this")
		screen = s.press("backspace")
		s.wants(screen, "/dedu", "  dedupe")
		s.wants(s.press("enter", "down"), "❯ dedupe x16")
		s.wants(s.press("esc"), "Source: orders")
		s.press("/", "q")
		if took := s.quit("ctrl+c"); took > 200*time.Millisecond {
			t.Errorf("took %v to quit while typing", took)
		}
	})
}

// Over a slow line several letters arrive at once.
func TestLettersThatArriveTogetherCountEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, slowSink), 100, 30)
		s.settle()
		s.p.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("hh")})
		s.wants(s.settle(), "❯ parse x4")
		s.p.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/cleaq")})
		s.wants(s.settle(), "/cleaq")
		s.quit("ctrl+c")
	})
}

// A terminal that answers late, as over a slow line, types nothing.
func TestLateAnswerOfTheTerminalIsNotTyped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, slowSink), 100, 30)
		s.settle()
		for _, msg := range []tea.KeyMsg{
			{Type: tea.KeyRunes, Runes: []rune("]"), Alt: true},
			{Type: tea.KeyRunes, Runes: []rune("11;rgb:1212/1212/1616qe")},
			{Type: tea.KeyRunes, Runes: []rune("\\"), Alt: true},
		} {
			s.p.Send(msg)
		}
		screen := s.settle()
		s.wants(screen, "held back")
		s.lacks(screen, "enter keeps", "evidence: jdbc")
		s.wants(s.press("e"), "evidence: jdbc") // and what comes after is typed
		s.quit("q")
	})
}

// A job given by name that is not there: the screen says so, and esc leads to those that are.
func TestJobThatIsNotThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(_ context.Context, _ int, ask diagnose.Ask) (*diagnose.Observation, error) {
			if ask.Name != "" {
				return nil, &flinkapi.Error{
					Op: "find the job", Kind: flinkapi.KindNoJob,
					Detail: "no job is called " + ask.Name, Hint: "esc lists the jobs",
				}
			}
			return jobList(), nil
		}
		s := playJob(t, monitor, "typo", 80, 24)
		s.wants(s.settle(), "NO SUCH JOB", "no job is called typo", "esc lists the jobs")
		s.wants(s.press("esc"), "5 jobs", "lab-orders")
		s.quit("q")
	})
}

func TestCopyReachesTheTerminal(t *testing.T) {
	want := base64.StdEncoding.EncodeToString([]byte(slowSink().Report.Text()))
	for name, c := range map[string]struct{ env, sequence string }{
		"plain": {"TERM=xterm", "\x1b]52;c;" + want + "\a"},
		"tmux":  {"TMUX=/tmp/tmux", "\x1bPtmux;\x1b\x1b]52;c;" + want + "\a\x1b\\"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := play(t, always(t, slowSink), 80, 24, c.env)
				s.wants(s.press("y"), "verdict sent to the terminal's clipboard")
				if !strings.Contains(s.raw.String(), c.sequence) {
					t.Error("the terminal did not get the verdict")
				}
				time.Sleep(toastTime + time.Second)
				s.lacks(s.settle(), "verdict sent")
				s.quit("q")
			})
		})
	}
}

func TestOneHourOfPolls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, slowSink)
		s := play(t, monitor, 80, 24)
		time.Sleep(time.Hour)
		s.wants(s.settle(), "CULPRIT")
		if n := len(monitor.asks()); n < 1790 || n > 1801 {
			t.Errorf("%d polls in an hour of one each 2 s", n)
		}
		if n := len(s.raw.String()); n > 2<<20 {
			t.Errorf("wrote %d bytes in an hour of one picture", n)
		}
		s.quit("q")
	})
}

func TestEndOfARecordingStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(_ context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
			if n > 2 {
				return nil, io.EOF
			}
			return slowSink(), nil
		}
		s := play(t, monitor, 80, 24)
		time.Sleep(time.Minute)
		s.wants(s.settle(), "the recording ends here", "CULPRIT")
		if n := len(monitor.asks()); n != 3 {
			t.Errorf("%d steps, want none after the end", n)
		}
		s.quit("q")
	})
}

func TestContextEndsTheProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		term := vt.NewSafeEmulator(80, 24)
		done := make(chan error, 1)
		go func() {
			done <- newProgram(ctx, Options{
				Monitor: always(t, slowSink), Clock: flinkapi.WallClock, Out: term, Look: plainLook(),
				Width: 80, Height: 24,
			}, tea.WithoutSignals()).run()
		}()
		time.Sleep(time.Second)
		cancel()
		if err := <-done; err != nil {
			t.Errorf("run: %v", err)
		}
		time.Sleep(time.Minute)
	})
}

// While there is no answer nothing is called live and no duration grows; afterwards the time line has the
// gap.
func TestNoAnswerIsNeverLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.pause = 10 * time.Second
		began := flinkapi.WallClock()
		monitor.step = func(_ context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
			if n == 2 || n == 3 {
				return nil, refused()
			}
			obs := slowSink()
			later := flinkapi.WallClock().Sub(began)
			obs.At, obs.Report.At = obs.At.Add(later), obs.Report.At.Add(later)
			obs.Report.Data.MetricAge = flinkapi.Known(3 + later.Seconds()) // its metrics stand still
			return obs, nil
		}
		s := play(t, monitor, 120, 36)
		lasted := slowSink().Report.Culprits[0].Lasted(slowSink().Report.DataAt())
		s.wants(s.settle(), "old  live", lasted)
		time.Sleep(14 * time.Second)
		screen := s.settle()
		s.wants(screen, "no answer", "not live")
		s.lacks(screen, "old  live")
		s.wants(s.press("x"), "no answer", "4 s ago  ? no answer")
		time.Sleep(16 * time.Second)
		s.wants(s.settle(), "old  live", lasted, "(no data for", "20 s)")
		s.quit("q")
	})
}

// An answer that is long overdue makes the picture one of the past.
func TestOverdueAnswerIsNotLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(ctx context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
			if n == 2 {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return slowSink(), nil
		}
		s := play(t, monitor, 120, 36)
		time.Sleep(15 * time.Second)
		screen := s.settle()
		s.wants(screen, "not live")
		s.lacks(screen, "old  live")
		s.quit("q")
	})
}

// A name that several jobs have is not one that no job has, and of their past nothing was read.
func TestSeveralJobsOfOneName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(_ context.Context, n int, ask diagnose.Ask) (*diagnose.Observation, error) {
			if n == 1 || ask.Name == "" {
				return jobList(), nil
			}
			_, err := flinkapi.FindJob([]flinkapi.JobSummary{
				{ID: "aa", Name: "twice", State: flinkapi.JobRunning},
				{ID: "bb", Name: "twice", State: flinkapi.JobRunning},
			}, ask.Name)
			return nil, err
		}
		s := playJob(t, monitor, "twice", 120, 36)
		time.Sleep(5 * time.Second)
		screen := s.settle()
		s.wants(screen, `2 running jobs are called "twice"`)
		s.lacks(screen, "NO SUCH JOB")
		screen = s.press("x")
		s.wants(screen, "nothing was read of the job yet")
		s.lacks(screen, "nothing has happened")
		s.quit("q")
	})
}

// Every step after the way back to the list glances at the jobs, the first one too.
func TestListGlancesAfterAJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, jobList)
		s := play(t, monitor, 120, 36)
		s.settle()
		s.press("enter")
		n := len(monitor.asks())
		s.press("esc")
		time.Sleep(5 * time.Second)
		for i, ask := range monitor.asks()[n:] {
			if ask.Job == "" && !ask.Fleet {
				t.Errorf("step %d after the job looks into one job of the list", i+1)
			}
		}
		s.quit("q")
	})
}
