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

// The checkpoints' keys: choose one of the history, open it by vertex, then by subtask, and come back.
func TestCheckpointIsOpenedByVertexAndSubtask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, dissected)
		s := play(t, monitor, 120, 40)
		s.wants(s.press("c"), "❯     8", "12 of 14", "interval 3 min", "→ timeout 10 min", "configuration")
		s.wants(s.press("down"), "❯     7")
		s.wants(s.press("enter"), "checkpoint 7", "by vertex", "❯ parse", "jdbc-upsert → Sink", "2 of 2", "start delay")
		last := func() diagnose.Ask {
			time.Sleep(3 * time.Second)
			asks := monitor.asks()
			return asks[len(asks)-1]
		}
		if ask := last(); !ask.Checkpoints || ask.Inspect != (flinkapi.CheckpointRef{ID: 7}) {
			t.Errorf("asked %+v for an opened checkpoint", ask)
		}
		s.wants(s.press("down", "enter"), "subtasks of jdbc-upsert", "❯ subtask 0", "3 min 10 s")
		if ask := last(); ask.Inspect != (flinkapi.CheckpointRef{ID: 7, Vertex: vertexID(3)}) {
			t.Errorf("asked %+v for an opened vertex", ask)
		}
		s.wants(s.press("esc"), "by vertex", "❯ jdbc-upsert")
		s.wants(s.press("esc"), "❯     7")
		s.wants(s.press("esc"), "held back", "ladder")
		if ask := last(); ask.Checkpoints || ask.Inspect.ID != 0 {
			t.Errorf("asked %+v after the screen was left", ask)
		}
		s.quit("q")
	})
}

// What was not read says why: it is still being read, or Flink has dropped it.
func TestCheckpointThatWasNotRead(t *testing.T) {
	obs := dissected()
	gone := flinkapi.Checkpoint{
		ID: 0, Status: "COMPLETED", TriggeredAt: start.Add(-time.Hour), Duration: time.Second, Subtasks: 14, Acked: 14,
	}
	obs.Report.Checkpoints = &diagnose.CheckpointOutlook{
		History: append(append([]flinkapi.Checkpoint{}, obs.Snapshot.Job.Checkpoints.History...), gone),
	}
	m := mounted(t, obs, 100, 40, plainLook())
	press(m, "c", "down", "down", "enter")
	has(t, m.View(), "checkpoint 6", "it is being read by vertex")
	press(m, " ")
	has(t, m.View(), "not read by vertex before the picture was frozen")
	press(m, " ", "esc", "end", "enter")
	has(t, m.View(), "checkpoint 0", "Flink no longer tells of it")
	press(m, "esc")
	has(t, m.View(), "Flink no longer tells of the following")
}

// A checkpoint that leaves the history under the cursor leaves the cursor where it is; new ones above do not
// move it to another one.
func TestCursorStaysWithItsCheckpoint(t *testing.T) {
	obs := dissected()
	m := mounted(t, obs, 100, 40, plainLook())
	see := func(change func(*flinkapi.Checkpoints)) {
		next := dissected()
		change(next.Snapshot.Job.Checkpoints)
		m.Update(obsMsg{gen: m.loop.gen, obs: next})
	}
	press(m, "c")
	see(func(cp *flinkapi.Checkpoints) {
		cp.History = append([]flinkapi.Checkpoint{{ID: 9, Status: "COMPLETED", TriggeredAt: start}}, cp.History...)
	})
	has(t, m.View(), "❯     9") // nobody chose one: the newest
	press(m, "down", "down", "down")
	has(t, m.View(), "❯     6")
	see(func(cp *flinkapi.Checkpoints) {
		for id := int64(9); id < 12; id++ {
			cp.History = append([]flinkapi.Checkpoint{{ID: id, Status: "COMPLETED", TriggeredAt: start}}, cp.History...)
		}
	})
	has(t, m.View(), "❯     6")
	press(m, "end")
	has(t, m.View(), "❯     1")
	see(func(cp *flinkapi.Checkpoints) { cp.History = cp.History[:3] })
	has(t, m.View(), "❯     6")
	see(func(cp *flinkapi.Checkpoints) { cp.History = nil })
	has(t, m.View(), "none yet")
	press(m, "enter", "down", "esc")
	has(t, m.View(), "ladder")
}

// The evidence's keys: choose a line, read the page of its rule, and come back to it.
func TestEvidenceOpensThePageOfARule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, always(t, slowSink), 100, 30)
		s.wants(s.press("e"), "❯ ◆ slow-sink", "[1] /jobs/:jobid/vertices/:vertexid")
		page := s.press("e")
		s.wants(page, "How it is measured")
		s.lacks(page, "❯ ◆ slow-sink")
		s.wants(s.press("e"), "❯ ◆ slow-sink")
		s.wants(s.press("enter"), "How it is measured")
		s.wants(s.press("esc"), "❯ ◆ slow-sink")
		s.wants(s.press("down"), "❯ ● 1 culprit")
		s.wants(s.press("enter"), "How it is measured")
		s.wants(s.press("esc", "esc"), "held back")
		// The page is left where the screen is opened anew.
		s.press("e", "enter", "w")
		s.press("w", "x", "e")
		s.wants(s.press("e"), "❯ ● 1 culprit")
		s.quit("q")
	})
}

// Every line that can be picked leads to a page.
func TestEveryLineOfTheEvidenceHasAPage(t *testing.T) {
	for name, see := range screens() {
		obs, err := see()
		if err != nil || obs.Report == nil {
			continue
		}
		p := &paper{w: 100, th: NewTheme(plainLook())}
		m := mounted(t, obs, 100, 30, plainLook())
		evidenceText(m.scene(), p)
		p.close()
		for _, x := range p.items {
			if rulePage(nil, x.key) == nil {
				t.Errorf("%s: %q leads nowhere", name, x.key)
			}
		}
	}
}

// The events' keys: choose one, see its stack trace, and come back.
func TestEventShowsItsStackTrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		see := func() *diagnose.Observation {
			obs := eventful()
			x := &obs.Snapshot.Job.Exceptions[0]
			x.Trace = "java.io.IOException: outer\n at a.B.c(B.java:1)\nCaused by: reset by peer\n ... 3 more"
			for i := range 3 {
				again := *x
				again.At, again.Task = x.At.Add(-time.Duration(i+1)*time.Minute), fmt.Sprintf("clean (2/4) - execution #%d", i)
				obs.Snapshot.Job.Exceptions = append(obs.Snapshot.Job.Exceptions, again)
			}
			return obs
		}
		s := play(t, always(t, see), 120, 30)
		s.wants(s.press("x"), "❯ Mar 14 03:03:00", "4 times in 3 min: IOException: connection reset by peer (in subtask 1",
			"of clean)")
		s.wants(s.press("down", "down", "down", "down"), "❯ Mar 14 02:46:00       21 min ago  ● exception")
		s.wants(s.press("enter"), "stack trace of the newest", "Caused by: reset by peer", "at a.B.c(B.java:1)",
			"Mar 14 02:43:00 UTC, 24 min ago")
		s.wants(s.press("esc"), "❯ Mar 14 02:46:00")
		s.wants(s.press("home", "enter"), "failed: Checkpoint expired", "where   6, after 2 min 20 s")
		s.wants(s.press("esc", "esc"), "held back")
		s.quit("q")
	})
}

// An event that vanishes while it is read says so.
func TestEventThatVanishes(t *testing.T) {
	m := mounted(t, eventful(), 100, 30, plainLook())
	press(m, "x", "end", "enter")
	m.Update(obsMsg{gen: m.loop.gen, obs: dissected()})
	has(t, m.View(), "this event is no longer known")
	press(m, "esc")
	has(t, m.View(), "❯ Mar 1")
}

// wordy is a text of three lines that can be picked, with more text after each than fits in sight.
func wordy(_ *scene, p *paper) {
	for i := range 3 {
		p.item(fmt.Sprint(i))
		p.add(plainLine(fmt.Sprintf("  item %d", i)))
		p.heading("words")
		for k := range 20 {
			p.add(plainLine(fmt.Sprintf("  text %d of %d", k, i)))
		}
	}
}

// Text between the lines that can be picked is reached, too, and there is never more than one cursor.
func TestFolioScrollsThroughTextBetweenItsLines(t *testing.T) {
	th, r := NewTheme(plainLook()), Rect{W: 30, H: 11}
	s := &folio{write: wordy}
	seen := ""
	for range 80 {
		items, _ := s.load(nil, r, th)
		shown := strings.Join(s.scroll.shown(), "\n") + "\n"
		if n := strings.Count(shown, "❯"); n > 1 {
			t.Fatalf("%d cursors in\n%s", n, shown)
		}
		seen += shown
		s.move(ActionDown, items)
	}
	for i := range 3 {
		has(t, seen, fmt.Sprintf("item %d ", i), fmt.Sprintf("text 19 of %d", i))
	}
	if s.picked != "2" {
		t.Errorf("the cursor is on %q at the end", s.picked)
	}
	for range 80 {
		items, _ := s.load(nil, r, th)
		s.move(ActionUp, items)
	}
	if s.load(nil, r, th); s.picked != "0" || s.scroll.view.YOffset != 0 {
		t.Errorf("back at the top the cursor is on %q, %d rows down", s.picked, s.scroll.view.YOffset)
	}
}

// A count that is read now and then tells of several restarts at one moment, which is written once.
func TestTheMomentsOfAnEventAreWrittenOnce(t *testing.T) {
	at := start.Add(-time.Minute)
	sc := &scene{obs: slowSink(), zone: time.UTC}
	p := &paper{th: NewTheme(plainLook()), w: 80}
	p.moments(sc, []time.Time{at, at, at.Add(-time.Second)})
	if text := strings.Join(p.rows, "\n"); len(p.rows) != 2 || !strings.Contains(text, ", 2 times") {
		t.Errorf("two moments are written as\n%s", text)
	}
}
