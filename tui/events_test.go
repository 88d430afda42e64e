package tui

import (
	"strings"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// Two culprits of one job are both in the events.
func TestEventsNameAllCulprits(t *testing.T) {
	obs := twoCulprits()
	for i := range obs.Trend {
		obs.Trend[i].Culprit, obs.Trend[i].Others = "", nil
	}
	last := &obs.Trend[len(obs.Trend)-1]
	last.Culprit = obs.Report.Culprits[0].Vertex.ID
	last.Others = []flinkapi.VertexID{obs.Report.Culprits[1].Vertex.ID}
	m := mounted(t, obs, 120, 36, plainLook())
	press(m, "x")
	if frame := m.View(); !strings.Contains(frame, "Sink: warehouse and parse") {
		t.Errorf("the events do not name both culprits:\n%s", frame)
	}
}

// The panel of a job with two culprits says so, also where there is no room for the second.
func TestThePanelCountsTheCulprits(t *testing.T) {
	obs := twoCulprits()
	obs.Report.Culprits[1].Remedies = []diagnose.Remedy{{Do: "spread the hot key"}}
	for _, size := range [][2]int{{40, 15}, {120, 36}} {
		frame := mounted(t, obs, size[0], size[1], plainLook()).View()
		if !strings.Contains(frame, "2 CULPRITS") {
			t.Errorf("%v: the title does not count the culprits:\n%s", size, frame)
		}
		if size[0] == 120 && !strings.Contains(frame, "spread the hot key") {
			t.Errorf("the fix of the second is missing:\n%s", frame)
		}
	}
}

// The time line reaches back as far as the last hour is kept, not only as far as the trend.
func TestEventsTellOfVerdictsOfTheLastHour(t *testing.T) {
	m := mounted(t, slowSink(), 120, 40, plainLook())
	later := healthy()
	later.At = later.At.Add(40 * time.Minute)
	later.Trend = []diagnose.TrendPoint{{At: later.At.Add(-10 * time.Second)}}
	m.Update(obsMsg{obs: later})
	press(m, "x")
	frame := m.View()
	if !strings.Contains(frame, "now named: jdbc-upsert") || !strings.Contains(frame, "now named: nobody") {
		t.Errorf("the verdict of 40 minutes ago is not told:\n%s", frame)
	}
}

// What happened at one time stands in the order of cause and effect, the newest first: the exception, then
// the states in which Flink goes through a restart.
func TestEventsOfOneTimeAreInTheOrderOfTheirCauses(t *testing.T) {
	obs := eventful()
	job := obs.Snapshot.Job
	at := job.Exceptions[0].At
	job.Exceptions = job.Exceptions[:1]
	job.EnteredAt = map[flinkapi.JobState]time.Time{}
	for _, state := range []flinkapi.JobState{
		flinkapi.JobRunning, flinkapi.JobCreated, flinkapi.JobRestarting, flinkapi.JobFailing,
	} {
		job.EnteredAt[state] = at
	}
	m := mounted(t, obs, 120, 36, plainLook())
	for range 20 { // a map gives its entries in another order each time
		press(m, "x")
		frame, from := m.View(), -1
		for _, want := range []string{
			"became RUNNING", "became CREATED", "became RESTARTING", "became FAILING", "● exception",
		} {
			i := strings.Index(frame, want)
			if i <= from {
				t.Fatalf("%q is not below what it caused:\n%s", want, frame)
			}
			from = i
		}
		press(m, "x")
	}
}

// The events say of a culprit that stands since when it does from the same source as the panel.
func TestEventsTellSinceWhenAsThePanelDoes(t *testing.T) {
	obs := slowSink()
	x := &obs.Report.Culprits[0]
	named := false
	for i := range obs.Trend {
		p := &obs.Trend[i]
		p.Culprit, p.Others = "", nil
		if p.At.After(x.Since) {
			p.Culprit, named = x.Vertex.ID, true
		}
	}
	if last := &obs.Trend[len(obs.Trend)-1]; !named {
		last.Culprit, x.Since = x.Vertex.ID, last.At.Add(-7*time.Second)
	}
	m := mounted(t, obs, 120, 40, plainLook())
	press(m, "x")
	for _, row := range strings.Split(m.View(), "\n") {
		if strings.Contains(row, "now named: jdbc-upsert") {
			if want := x.Since.In(m.scene().zone).Format("15:04:05"); !strings.Contains(row, want) {
				t.Errorf("it is named since %s: %s", want, row)
			}
			return
		}
	}
	t.Error("nobody is named in the events")
}
