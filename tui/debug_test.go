package tui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// timed is an observation whose stages took milliseconds.
func timed(collect, decode, diagnosed float64) *diagnose.Observation {
	obs := slowSink()
	obs.Snapshot.Cost.PerSecond = 3.2
	obs.Took = diagnose.Stages{
		Collect: flinkapi.Known(collect / 1e3), Decode: flinkapi.Known(decode / 1e3),
		Diagnose: flinkapi.Known(diagnosed / 1e3),
	}
	return obs
}

// debugged are options with the overlay on, whose clock is 2.5 ms on at each reading.
func debugged() Options {
	at := start
	return Options{
		DebugOverlay: true,
		Stopwatch:    func() time.Time { at = at.Add(2500 * time.Microsecond); return at },
		Machine: func() Machine {
			return Machine{Goroutines: flinkapi.Known(14), Memory: flinkapi.Known(23_100_000)}
		},
	}
}

func TestDebugOverlay(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 36}} {
		m := mounted(t, nil, size[0], size[1], plainLook())
		o := debugged()
		m.opts.Stopwatch, m.opts.Machine, m.debug.on = o.Stopwatch, o.Machine, true
		m.View() // which is measured
		m.Update(obsMsg{obs: timed(12.3, 1.25, 0.82)})
		frame := m.View()
		sized(t, frame, size[0], size[1])
		golden(t, fmt.Sprintf("%s/%dx%d", t.Name(), size[0], size[1]), frame)
	}
}

// The overlay through the whole program: nothing is told before it is known, and the list of commands hides
// and shows it.
func TestDebugOverlayInTheProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, func() *diagnose.Observation { return timed(40, 4, 2) })
		o := debugged()
		o.Monitor, o.Machine = monitor, nil
		s := playWith(t, o, 80, 24)
		time.Sleep(3 * time.Second)
		s.wants(s.settle(), "collect        40.0 ms", "decode         4.00 ms", "diagnose       2.00 ms",
			"draw           2.50 ms", "requests       3.20 /s", "goroutines           -", "memory               -")
		s.press(":")
		for _, r := range "debug" {
			s.press(string(r))
		}
		s.lacks(s.press("enter"), "collect   ")
		s.quit("q")
	})
}

func TestDebugOverlayIsOffUnlessAsked(t *testing.T) {
	m := mounted(t, timed(1, 1, 1), 80, 24, plainLook())
	if strings.Contains(m.View(), "goroutines") || len(m.debug.collect) > 0 {
		t.Error("the overlay is there without being asked for")
	}
}

func TestMedianOfTheLastMinute(t *testing.T) {
	var d durations
	if d.median(start).IsKnown() {
		t.Error("a median of nothing is known")
	}
	for i, x := range []float64{9, 9, 9, 1, 3, 2} {
		d.note(start.Add(time.Duration(i)*15*time.Second), flinkapi.Known(x))
	}
	d.note(start.Add(75*time.Second), flinkapi.Value{})
	if got := d.median(start.Add(75 * time.Second)); got != flinkapi.Known(3) {
		t.Errorf("the median is %v, want 3 of 9 1 3 2 sorted", got)
	}
	if d.median(start.Add(5 * time.Minute)).IsKnown() {
		t.Error("what is older than a minute still counts")
	}
}
