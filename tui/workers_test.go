package tui

import (
	"strings"
	"testing"
)

// The TaskManagers are read like the other screens: bars with their numbers, a cursor, one of them in full.
func TestTaskManagersHaveBarsAndAreOpened(t *testing.T) {
	m := mounted(t, working(), 120, 36, plainLook())
	press(m, "t")
	frame := m.View()
	for _, want := range []string{
		"❯ tm-1", "███████░  88 %", "██▊░░░░░  34 %", "████░░░░  50 %", "██████░░    3 of 4",
		"███████▉  99 %  jdbc-upsert → Sink: warehouse", "busy, subtask 0 ", "busy, max of subtasks 0 to 3",
	} {
		if !strings.Contains(frame, want) {
			t.Errorf("no %q on the screen:\n%s", want, frame)
		}
	}
	press(m, "down")
	if frame = m.View(); !strings.Contains(frame, "❯ tm-2") || !strings.Contains(frame, "- ") {
		t.Errorf("the cursor did not go to the second:\n%s", frame)
	}
	press(m, "enter")
	frame = m.View()
	sized(t, frame, 120, 36)
	if !strings.Contains(frame, "TaskManager tm-2") || strings.Contains(frame, "tm-1  ") {
		t.Errorf("it was not opened:\n%s", frame)
	}
	m.live.obs.Report.TaskManagers = m.live.obs.Report.TaskManagers[:1]
	m.rev++
	if frame = m.View(); !strings.Contains(frame, "no longer lists this TaskManager") {
		t.Errorf("one that is gone is\n%s", frame)
	}
}
