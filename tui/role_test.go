package tui

import (
	"strings"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// waiting is a job that is well but for a source whose silent subtask holds the watermark.
func waiting() *diagnose.Observation {
	obs := healthy()
	rep := obs.Report
	rep.Severity = diagnose.Warning
	rep.Headline = "the watermark of clean has stood still for 20 min: Source: orders gives no records"
	rep.Also = []diagnose.Finding{{
		Rule: "watermark-held", Title: "a watermark stands still, or trails far behind",
		Verdict: diagnose.Firing, Severity: diagnose.Warning, Summary: rep.Headline,
		Subject: diagnose.Subject{Kind: diagnose.SubjectVertex, Vertex: vertexID(0), Name: "Source: orders"},
	}}
	return obs
}

// A vertex that holds a watermark keeps up by its shares of time; that must not look calm anywhere.
func TestAHeldWatermarkShowsOnItsVertex(t *testing.T) {
	for _, c := range []struct {
		w, h int
		keys []string
		want string
	}{
		{120, 36, nil, "▲ watermark held"},
		{80, 24, nil, "▲ wm held"},
		{40, 15, nil, "▲ watermark held"},
		{120, 36, []string{"v"}, "▲ watermark held"},
	} {
		m := mounted(t, waiting(), c.w, c.h, plainLook())
		press(m, c.keys...)
		frame := m.View()
		sized(t, frame, c.w, c.h)
		if !strings.Contains(frame, c.want) || !strings.Contains(frame, "WATERMARK HELD") {
			t.Errorf("%dx%d %v: no %q on the screen:\n%s", c.w, c.h, c.keys, c.want, frame)
		}
		if c.h == 36 && (!strings.Contains(frame, "❯ Source: orders x4") ||
			strings.Count(frame, "has stood still for 20 min") < 2) {
			t.Errorf("the details do not say why:\n%s", frame)
		}
	}
}

// A calm glance goes by shares of time: it takes nothing back that they do not show.
func TestTheListOfJobsKeepsWhatAGlanceCannotSee(t *testing.T) {
	obs := jobList()
	obs.Jobs[2].Report, obs.Jobs[2].At = waiting().Report, start.Add(-20*time.Minute)
	obs.Jobs[2].Glance = &diagnose.Glance{Sight: diagnose.SightCalm, At: start, Text: "no instance is held back"}
	m := mounted(t, obs, 120, 36, plainLook())
	if frame := m.View(); !strings.Contains(frame, "▲ watermark held") || strings.Contains(frame, "calm") {
		t.Errorf("the list is\n%s", frame)
	}
	obs.Jobs[2].Glance.Sight, obs.Jobs[2].Glance.Text = diagnose.SightPressed, "backpressured up to 90 %"
	if frame := mounted(t, obs, 120, 36, plainLook()).View(); !strings.Contains(frame, "≈▲ pressed") {
		t.Errorf("a glance that sees more does not count:\n%s", frame)
	}
}

// A vertex that a warning is about shows it, though it keeps up by its shares of time.
func TestABlamedVertexIsMarked(t *testing.T) {
	obs := healthy()
	for i := range obs.Report.Vertices {
		if v := &obs.Report.Vertices[i]; v.Vertex.ID == vertexID(0) {
			v.Blamed, v.Severity = "checkpoint-sync", diagnose.Warning
			v.Trouble = "Source: orders handles no records for 4 s of each checkpoint"
		}
	}
	for size, want := range map[[2]int]string{{120, 36}: "▲ checkpoint-sync", {80, 24}: "▲ warning"} {
		frame := mounted(t, obs, size[0], size[1], plainLook()).View()
		if !strings.Contains(frame, want) {
			t.Errorf("no %q on the screen:\n%s", want, frame)
		}
	}
}

func TestTheThrowerIsMarked(t *testing.T) {
	obs := restartLoop()
	job := obs.Snapshot.Job
	job.Exceptions = []flinkapi.Exception{{Root: "boom", Task: "clean (2/4) - execution #75"}}
	frame := mounted(t, obs, 120, 36, plainLook()).View()
	if !strings.Contains(frame, "▲ threw") || !strings.Contains(frame, "❯ clean x4  ▲ threw") {
		t.Errorf("no thrower on the screen:\n%s", frame)
	}
	job.Exceptions[0].Task = "clean-up (2/4)"
	if frame := mounted(t, obs, 120, 36, plainLook()).View(); strings.Contains(frame, "▲ threw") {
		t.Errorf("clean is not clean-up:\n%s", frame)
	}
}

// Shares that are of different subtasks say so on the box.
func TestABoxSaysThatItsSharesAreOfSeveralSubtasks(t *testing.T) {
	obs := healthy()
	if frame := mounted(t, obs, 120, 36, plainLook()).View(); strings.Contains(frame, "max") {
		t.Errorf("shares that add up are of one subtask:\n%s", frame)
	}
	obs.Report.Vertices[1].Busy = flinkapi.Known(0.99)
	if frame := mounted(t, obs, 120, 36, plainLook()).View(); !strings.Contains(frame, "max of 4 ━") &&
		!strings.Contains(frame, "max of 4 ─") {
		t.Errorf("nothing says that busy and idle are of different subtasks:\n%s", frame)
	}
	if frame := mounted(t, obs, 80, 24, plainLook()).View(); !strings.Contains(frame, "max ─") {
		t.Errorf("80x24: nothing says that busy and idle are of different subtasks:\n%s", frame)
	}
}

// Without colours the parts of a bar differ by their signs, and a vertex that is not busy has no full bar.
func TestLoadBarSaysBusyAndBackpressured(t *testing.T) {
	th := NewTheme(plainLook())
	for _, c := range []struct {
		busy, pressed flinkapi.Value
		want          string
	}{
		{flinkapi.Known(0), flinkapi.Known(0), "░░░░░░░░░░"},
		{flinkapi.Known(0.05), flinkapi.Known(0.95), "█▒▒▒▒▒▒▒▒▒"},
		{flinkapi.Known(0.4), flinkapi.Known(0.3), "████░░░▒▒▒"},
		{flinkapi.Known(1), flinkapi.Known(0.8), "██████████"},
		{flinkapi.Value{}, flinkapi.Known(0.3), "░░░░░░░▒▒▒"},
		{flinkapi.Value{}, flinkapi.Value{}, "          "},
	} {
		got := ""
		for _, s := range th.loadBar(c.busy, c.pressed, 10, toneBusy) {
			got += s.text
		}
		if got != c.want {
			t.Errorf("busy %v, backpressured %v: %q, want %q", c.busy, c.pressed, got, c.want)
		}
	}
}

// In ASCII a letter before the name of a column would be read as a part of it.
func TestASCIIHasNoLetterBeforeTheSortedColumn(t *testing.T) {
	look := plainLook()
	look.ASCII = true
	if frame := mounted(t, wide(), 120, 36, look).View(); strings.Contains(frame, "vbusy") ||
		!strings.Contains(frame, "*busy") {
		t.Errorf("the table is\n%s", frame)
	}
}

// An earlier moment has the subtasks of the vertex that was selected then, and says so for the others.
func TestEarlierMomentsSayWhatWasNotKept(t *testing.T) {
	m := mounted(t, slowSink(), 200, 60, plainLook())
	for i := range m.live.obs.Report.Vertices {
		m.live.obs.Report.Vertices[i].Subtasks = diagnose.SubtasksOf()
	}
	press(m, " ")
	if frame := m.View(); !strings.Contains(frame, "not kept of this moment") {
		t.Errorf("the frozen screen is\n%s", frame)
	}
}

// A vertex behind a held watermark that lets nothing through is not called fine.
func TestAVertexBehindAHeldWatermarkWaits(t *testing.T) {
	obs := healthy()
	obs.Report.Also = append(obs.Report.Also, diagnose.Finding{
		Rule: watermarkHeldRule, Severity: diagnose.Warning, Summary: "the watermark is held",
		Subject: diagnose.Subject{Vertex: obs.Report.Vertices[0].Vertex.ID},
	})
	n := len(obs.Report.Vertices)
	obs.Report.Vertices[n-1].RecordsIn = flinkapi.Known(0)
	m := mounted(t, obs, 120, 36, plainLook())
	all := m.scene().vertices()
	if got := all[n-1].look(m.theme); got.word != waitsWord || got.glyph == m.theme.fine {
		t.Errorf("what gets no records looks %+v", got)
	}
	if got := all[1].look(m.theme); got.word != "fine" {
		t.Errorf("what gets records looks %+v", got)
	}
}
