package diagnose

import (
	"strings"
	"testing"

	"culprit/flinkapi"
)

// A legacy source that is neither idle nor backpressured may be busy all the time: that is not good news.
func TestABusyTimeThatIsNotMeasuredIsNotGoodNews(t *testing.T) {
	t.Parallel()
	source := vertexSlot{
		total: 1, subtasks: []spent{{busy: notNumber}},
	}
	source.sumUp()
	limits := defaultThresholds()
	job := &flinkapi.Job{
		State:    flinkapi.JobRunning,
		Vertices: []flinkapi.Vertex{{ID: "a", Name: "Source: old", Parallelism: 1, State: flinkapi.TaskRunning}},
	}
	c := &Case{
		limits: limits, job: job, snapshot: &flinkapi.Snapshot{Job: job}, g: graphOf(job),
		w:    &window{limits: limits, slots: []slot{{to: noon, vertices: []vertexSlot{source}}}},
		read: map[flinkapi.Signal]bool{},
	}
	if f := checkHealthy(c); f.Verdict != Unknown {
		t.Errorf("healthy says %v: %s", f.Verdict, f.Summary)
	}
	f := checkUndetermined(c)
	if f.Verdict != Firing || !strings.Contains(f.Summary, "does not measure how busy Source: old is") {
		t.Errorf("undetermined says %v: %s", f.Verdict, f.Summary)
	}
	if role, _ := c.role(0, false); role != RoleUnknown {
		t.Errorf("its role is %s, want %s", role, RoleUnknown)
	}
}
