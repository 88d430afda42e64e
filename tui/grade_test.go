package tui

import (
	"strings"
	"testing"

	"culprit/diagnose"
)

// graded is the slow sink with a culprit of some grade.
func graded(c func(*diagnose.Culprit)) *diagnose.Observation {
	obs := slowSink()
	c(&obs.Report.Culprits[0])
	obs.Report.Severity = obs.Report.Culprits[0].Severity
	return obs
}

// What is not critical is not red, and what is not sure says so before the name, at any size.
func TestTheWordAndItsColourFollowTheGrade(t *testing.T) {
	for word, c := range map[string]struct {
		grade func(*diagnose.Culprit)
		onBox string
		red   bool
	}{
		"CULPRIT": {func(*diagnose.Culprit) {}, "culprit", true},
		"PROBABLE CULPRIT": {func(c *diagnose.Culprit) {
			c.Confidence, c.Severity = diagnose.Probable, diagnose.Warning
		}, "probable", false},
		"PERIODIC CULPRIT": {func(c *diagnose.Culprit) {
			c.Pattern, c.Severity = diagnose.Periodic, diagnose.Warning
		}, "culprit", false},
		"MOMENTARY CULPRIT": {func(c *diagnose.Culprit) {
			c.Pattern, c.Severity = diagnose.Momentary, diagnose.OK
		}, "culprit", false},
		"CATCHING UP": {func(c *diagnose.Culprit) {
			c.Pattern, c.Severity = diagnose.CatchingUp, diagnose.OK
		}, "sets pace", false},
	} {
		obs := graded(c.grade)
		for _, size := range sizesOfScreens() {
			frame := mounted(t, obs, size[0], size[1], plainLook()).View()
			has(t, frame, " "+word+" ", c.onBox)
			if c.onBox != "culprit" && strings.Contains(frame, "◆ culprit") {
				t.Errorf("%s, %v: a vertex is called the culprit:\n%s", word, size, frame)
			}
		}
		m := mounted(t, obs, 120, 36, plainLook())
		sc := m.scene()
		for _, tone := range []tone{sc.card(m.theme).tone, sc.vertices()[3].look(m.theme).tone} {
			if (tone == toneCulprit) != c.red {
				t.Errorf("%s: tone %d, want red %v", word, tone, c.red)
			}
		}
		if fill := sc.card(m.theme).fill; (fill == toneCulpritFill) != c.red {
			t.Errorf("%s: filled by tone %d, want red %v", word, fill, c.red)
		}
	}
}

// Of a name and a doubt beside it, the name is cut.
func TestTheDoubtIsNeverCut(t *testing.T) {
	obs := graded(func(c *diagnose.Culprit) {
		c.Vertex.Name = "a-transformation-with-a-rather-long-name -> Sink: warehouse-of-all-of-them"
		c.Reason.Name, c.Reason.Open = "uniform-parallelism", true
		c.Confidence, c.Severity = diagnose.Probable, diagnose.Warning
	})
	for w := minWidth; w <= 130; w++ {
		for _, h := range []int{12, 15, 24, 36} {
			has(t, mounted(t, obs, w, h, plainLook()).View(), "PROBABLE CULPRIT", "perhaps uniform-parallelism")
		}
	}
	second := obs.Report.Culprits[0]
	second.Confidence = diagnose.Firm
	obs.Report.Culprits = append(obs.Report.Culprits, second)
	for w := minWidth; w <= 130; w++ {
		frame := mounted(t, obs, w, 24, plainLook()).View()
		title := strings.Split(frame[strings.Index(frame, "2 CULPRITS"):], "\n")[0]
		has(t, title, "probable")
	}
}

// A demo must not pass for a cluster, however narrow the screen; and there the names of a list have the room,
// not what else is the matter with a vertex.
func TestNarrowScreensKeepTheModeAndTheNames(t *testing.T) {
	obs := healthy()
	obs.Report.Vertices[2].Blamed, obs.Report.Vertices[2].Severity = "checkpoint-stuck", diagnose.Warning
	for w := minWidth; w <= 80; w++ {
		m := mounted(t, obs, w, 24, plainLook())
		m.opts.Mode = ModeDemo
		m.rev++
		frame := m.View()
		if !strings.Contains(frame, "▼ clean") { // a graph, which the key turns into the list
			press(m, "v")
			frame = m.View()
		}
		has(t, strings.Split(frame, "\n")[0], "demo")
		has(t, frame, "▲ ")
		if w < 72 {
			has(t, frame, "parse", "clean", "▲ warning")
		}
	}
}

// The letters of the last hour are in no colour of an alarm: how grave it was then is not kept.
func TestTheLastHourRaisesNoAlarm(t *testing.T) {
	m := mounted(t, slowSink(), 120, 36, plainLook())
	row := hourRow(m.scene(), 60, 118, m.theme)
	letters := 0
	for _, s := range row {
		if s.tone == toneCulprit {
			t.Errorf("%q is drawn as critical", s.text)
		}
		if s.text == "j" {
			letters++
		}
	}
	if letters == 0 {
		t.Error("nobody has a letter")
	}
}
