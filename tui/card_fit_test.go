package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

// watched is a built-in incident with what was seen of it after a while, for screens of any size.
type watched struct {
	cluster *sim.Cluster
	monitor *diagnose.Monitor
	obs     *diagnose.Observation
}

// watch looks at an incident for so long, in simulated time.
func watch(t *testing.T, s sim.Scenario, long time.Duration) *watched {
	t.Helper()
	w := &watched{cluster: s.Cluster(start)}
	client, err := flinkapi.NewClient(flinkapi.Options{
		URL: "http://" + s.Name, Transport: sim.Transport(w.cluster.Handler(), nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.monitor = diagnose.NewMonitor(flinkapi.NewCollector(client, flinkapi.CollectorOptions{
		Clock: w.cluster.Now, Signals: diagnose.Needs(),
	}), diagnose.DefaultOptions())
	for w.cluster.Now().Before(start.Add(long)) {
		if w.obs, err = w.monitor.Step(t.Context(), diagnose.Ask{}); err != nil {
			t.Fatal(err)
		}
		w.cluster.Advance(w.monitor.Wait())
	}
	return w
}

// Step answers with what was seen last.
func (w *watched) Step(context.Context, diagnose.Ask) (*diagnose.Observation, error) {
	return w.obs, nil
}

func (w *watched) Wait() time.Duration { return time.Second }

// screen is what was seen last on a screen of so many cells.
func (w *watched) screen(t *testing.T, width, height int) *Still {
	t.Helper()
	still := NewStill(t.Context(), Options{
		Monitor: w, Mode: "demo", Target: "simulated", Clock: w.cluster.Now, Look: plainLook(),
		Width: width, Height: height,
	})
	if err := still.Step(); err != nil {
		t.Fatal(err)
	}
	return still
}

// sizesOfScreens are from a corner of the screen to a wall.
func sizesOfScreens() [][2]int { return [][2]int{{40, 15}, {80, 24}, {120, 36}, {200, 60}} }

// squeezed is a frame without its borders and blanks: a word that is longer than a row is broken.
func squeezed(frame string) string {
	borders := strings.NewReplacer("│", " ", "╭", " ", "╮", " ", "╰", " ", "╯", " ", "─", " ")
	return strings.Join(strings.Fields(borders.Replace(frame)), "")
}

// Whoever looks must find who, why and what to do whole, at any size.
func TestTheFixIsWholeAtEverySize(t *testing.T) {
	t.Parallel()
	for _, s := range sim.Scenarios() {
		synctest.Test(t, func(t *testing.T) { // a busy machine must not look like a slow cluster
			holdsWhole(t, s.Name, watch(t, s, time.Minute))
		})
	}
}

func holdsWhole(t *testing.T, scenario string, w *watched) {
	t.Helper()
	if w.obs.Report == nil {
		return // a list of jobs
	}
	for _, size := range sizesOfScreens() {
		frame := w.screen(t, size[0], size[1]).Frame()
		text := squeezed(frame)
		for _, want := range wholeOf(w.obs.Report) {
			if !strings.Contains(text, squeezed(want)) {
				t.Errorf("%s, %dx%d: no %q on the screen:\n%s", scenario, size[0], size[1], want, frame)
			}
		}
	}
}

// wholeOf are the words of a report that a screen must hold.
func wholeOf(report *diagnose.Report) []string {
	var out []string
	fix := func(remedies []diagnose.Remedy) {
		if len(remedies) > 0 {
			out = append(out, remedies[0].Do+remedies[0].Change())
		}
	}
	if len(report.Culprits) == 0 {
		f := report.Lead()
		fix(f.Remedies)
		return append(out, capitals(f.Rule))
	}
	first := report.Culprits[0]
	fix(first.Remedies)
	who := first.Operator
	if who == "" {
		who = strings.TrimSuffix(first.Vertex.Name, ": Writer")
	}
	out = append(out, first.Reason.Name, who)
	if n := len(report.Culprits); n > 1 {
		second := report.Culprits[1]
		out = append(out, fmt.Sprintf("%d CULPRITS", n), second.Vertex.Name, brief(second.Remedies[0].Do))
	}
	return out
}

// A reason that is not known stands in no title: beside "probable" it would read as a doubt about who it is.
func TestOpenReasonIsNotInTheTitle(t *testing.T) {
	obs := slowSink()
	c := &obs.Report.Culprits[0]
	c.Reason.Name, c.Reason.Summary = "undetermined", "why it is slow is not known: the CPU is not known yet"
	c.Confidence = diagnose.Probable
	for _, size := range [][2]int{{40, 15}, {80, 24}} {
		frame := mounted(t, obs, size[0], size[1], plainLook()).View()
		has(t, frame, "PROBABLE CULPRIT  jdbc-upse", "why it is slow is not")
		if strings.Contains(frame, "undetermined") {
			t.Errorf("%v: the title doubts who it is:\n%s", size, frame)
		}
	}
}

// What is to be known of a job that is well stands on its card: a watermark that trails is no alarm, but it
// is why results come late.
func TestTheCardOfAHealthyJobTellsWhatElseIsKnown(t *testing.T) {
	obs := healthy()
	obs.Report.Also = append(obs.Report.Also, diagnose.Finding{
		Rule: watermarkHeldRule, Severity: diagnose.OK, Summary: "the watermark trails its records by 12 min 1 s",
	})
	for _, size := range [][2]int{{40, 15}, {80, 24}} {
		has(t, mounted(t, obs, size[0], size[1], plainLook()).View(), "HEALTHY", "also", "the watermark trails")
	}
}

// The operator that is slow inside a chain stands alone where its chain has no room. The title says who it is
// and how sure that is; how sure the reason is stands before the reason.
func TestTheTitleIsAboutWhoItIs(t *testing.T) {
	obs := slowSink()
	obs.Report.Culprits[0].Operator = "Sink: warehouse"
	obs.Report.Culprits[0].Reason.Open = true
	for _, size := range [][2]int{{40, 15}, {80, 24}} {
		frame := mounted(t, obs, size[0], size[1], plainLook()).View()
		title := strings.Split(frame[strings.Index(frame, "CULPRIT"):], "\n")[0]
		has(t, title, "Sink: warehouse")
		has(t, frame, "perhaps slow-sink: ")
		for _, word := range []string{"jdbc-upsert", "firm", "perhaps"} {
			if strings.Contains(title, word) {
				t.Errorf("%v: %q stands in the title:\n%s", size, word, title)
			}
		}
	}
	has(t, mounted(t, obs, 120, 36, plainLook()).View(), "Sink: warehouse in jdbc-upsert → Sink: warehouse")
}

// All culprits stand in the title, and the second one's fix on the card, however long the first one's is.
func TestTheSecondCulpritIsNamedWithItsFix(t *testing.T) {
	obs := twoCulprits()
	first, second := &obs.Report.Culprits[0], &obs.Report.Culprits[1]
	first.Remedies[0].Do = strings.Repeat("raise the parallelism and then some more ", 6)
	first.Reason.Summary = strings.Repeat("it waits for an answer and then some more ", 6)
	second.Remedies = []diagnose.Remedy{{Do: "batch the requests"}}
	frame := mounted(t, obs, 80, 24, plainLook()).View()
	title := strings.Split(frame[strings.Index(frame, "2 CULPRITS"):], "\n")[0]
	has(t, frame, "fix batch the requests")
	for _, c := range obs.Report.Culprits {
		if !strings.Contains(title, c.Vertex.Name[:4]) {
			t.Errorf("%s is not in the title %q", c.Vertex.Name, title)
		}
	}
}

// Room is shared evenly, and what needs little leaves its part to the others.
func TestRoomIsSharedEvenly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		wants, out []int
		room       int
	}{
		{[]int{4, 20}, []int{4, 16}, 20},
		{[]int{30, 20}, []int{10, 10}, 20},
		{[]int{3, 4}, []int{3, 4}, 20},
		{[]int{3, 4}, []int{0, 0}, -1},
	} {
		if out := evenly(c.wants, c.room); !slices.Equal(out, c.out) {
			t.Errorf("%v in %d: %v, want %v", c.wants, c.room, out, c.out)
		}
	}
}
