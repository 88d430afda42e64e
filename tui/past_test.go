package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"culprit/diagnose"
)

// moment is an observation that closes the n-th slot.
func moment(n, subtasks int) *diagnose.Observation {
	obs := slowSink()
	if n > 5 {
		obs = healthy()
	}
	obs.Report.Job.ID, obs.Snapshot.Job.ID = "one job", "one job" // both pictures are of the same
	obs.At = start.Add(time.Duration(n) * 10 * time.Second)
	obs.Trend = []diagnose.TrendPoint{{At: obs.At}}
	if len(obs.Report.Culprits) > 0 {
		obs.Trend[0].Culprit = obs.Report.Culprits[0].Vertex.ID
	}
	obs.Report.Data.SubtasksTotal = subtasks
	return obs
}

func TestPastIsBounded(t *testing.T) {
	t.Parallel()
	var p past
	for n := range 1000 {
		next := picture{moment(n, 10), start.Add(time.Duration(n) * 10 * time.Second)}
		p.keep(next)
		p.keep(next) // the same slot
	}
	if n := len(p.kept); n != 361 {
		t.Errorf("%d moments of an hour are kept", n)
	}
	p = past{}
	for n := range 300 {
		p.keep(picture{moment(n, pastBytes/20/subtaskBytes), start.Add(time.Duration(n) * 10 * time.Second)})
	}
	if p.bytes > pastBytes || len(p.kept) < 10 {
		t.Errorf("%d moments of a huge job are kept, %d bytes", len(p.kept), p.bytes)
	}
	if old := p.kept[len(p.kept)-1].at.Sub(p.kept[0].at); old < 10*time.Minute {
		t.Errorf("they reach back for %s, thinned out they should reach further", old)
	}
	other := moment(30, 1)
	other.Report.Job.ID = "another job"
	if p.keep(picture{other, start}); len(p.kept) != 1 || p.bytes != bytesOf(other) {
		t.Errorf("%d moments of two jobs are kept", len(p.kept))
	}
}

func TestStepsThroughTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(_ context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
			return moment(n, 10), nil
		}
		s := play(t, monitor, 120, 36)
		time.Sleep(30 * time.Second)
		s.wants(s.settle(), "HEALTHY")
		screen := s.press("[")
		s.wants(screen, "HEALTHY", " ago, not live; moment ", "end: live")
		for range 40 { // far before the first, which stays
			screen = s.press("[")
		}
		s.wants(screen, "CULPRIT", "moment 1 of ")
		time.Sleep(30 * time.Second)
		s.wants(s.settle(), "CULPRIT", "moment 1 of ")
		s.wants(s.press("]"), "CULPRIT", "moment 2 of ")
		s.lacks(s.press("end"), "moment ")
		s.wants(s.press("["), "moment ")
		s.lacks(s.press("]", "]", "]"), "moment ")
		s.lacks(s.press("]"), "moment ")
		s.quit("q")
	})
}

// On every screen [ and ] step through the moments, the mark stands above, the data goes on, and end shows
// the newest again.
func TestLooksBackOnEveryScreen(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {40, 15}} {
		for _, keys := range [][]string{{}, {"enter"}, {"e"}, {"w"}, {"c"}, {"t"}, {"x"}, {"?"}, {"C"}} {
			t.Run(fmt.Sprint(size, keys), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					monitor := always(t, nil)
					monitor.step = func(_ context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
						return moment(n, 10), nil
					}
					s := play(t, monitor, size[0], size[1])
					time.Sleep(30 * time.Second)
					s.press(keys...)
					s.wants(s.press("[", "[", "["), "not live", "end: live")
					asked := len(monitor.asks())
					time.Sleep(20 * time.Second)
					s.wants(s.settle(), "not live")
					if n := len(monitor.asks()); n < asked+8 {
						t.Errorf("%d steps in 20 s while looking back", n-asked)
					}
					s.wants(s.press("]"), "not live")
					s.lacks(s.press("end"), "not live")
					s.quit("q")
				})
			})
		}
	}
}

// The list of jobs has its moments too: a verdict that has changed since is seen as it was.
func TestLooksBackAtTheListOfJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, nil)
		monitor.step = func(_ context.Context, n int, _ diagnose.Ask) (*diagnose.Observation, error) {
			obs := fleetOf(5)
			obs.At = start.Add(time.Duration(n) * 2 * time.Second)
			if n > 20 {
				obs.Jobs = obs.Jobs[:4]
			}
			return obs, nil
		}
		s := play(t, monitor, 120, 24)
		time.Sleep(time.Minute)
		s.lacks(s.settle(), "job-004")
		s.wants(s.press("[", "[", "[", "["), "job-004", "≈▲ likely", "not live")
		s.lacks(s.press("end"), "job-004", "not live")
		s.quit("q")
	})
}

// The strip has a letter for the culprit, a dot for nobody, and a pointer at the moment on the screen.
func TestStripOfTheLastHour(t *testing.T) {
	t.Parallel()
	m := mounted(t, nil, 200, 36, plainLook())
	for n := range 240 {
		obs := moment(n, 10)
		if n >= 120 {
			obs = moment(0, 10)
			obs.At = start.Add(time.Duration(n) * 10 * time.Second)
			obs.Trend = []diagnose.TrendPoint{{At: obs.At, Culprit: vertexID(3)}}
		}
		m.live, m.now = picture{obs, obs.At}, obs.At
		m.past.keep(m.live)
		m.hour.note(obs)
	}
	row := func() string {
		for _, text := range strings.Split(m.draw(), "\n") {
			if strings.HasPrefix(text, "last hour") {
				return text
			}
		}
		return ""
	}
	if got := row(); !strings.Contains(got, "·····jjjjj") || !strings.Contains(got, "j=jdbc-upsert") ||
		!strings.Contains(got, "blank=no data") {
		t.Errorf("%q", got)
	}
	m.show(m.past.kept[60], true)
	if got := row(); !strings.Contains(got, "·❯·") {
		t.Errorf("with a pointer: %q", got)
	}
}
