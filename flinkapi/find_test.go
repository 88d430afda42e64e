package flinkapi

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// Two running jobs of one name are told apart by id, state and start.
func TestSeveralJobsOfOneName(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 14, 3, 7, 0, 0, time.UTC)
	jobs := []JobSummary{
		{ID: "aa", Name: "orders", State: JobRunning, StartedAt: start},
		{ID: "bb", Name: "orders", State: JobRestarting, StartedAt: start.Add(time.Hour)},
		{ID: "cc", Name: "orders", State: JobCanceled, StartedAt: start},
	}
	_, err := FindJob(jobs, "orders")
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindSeveralJobs {
		t.Fatalf("got %v, want %s", err, KindSeveralJobs)
	}
	for _, want := range []string{
		"aa (RUNNING, started Mar 14 03:07:00 UTC)", "bb (RESTARTING, started Mar 14 04:07:00 UTC)",
	} {
		if !strings.Contains(e.Hint, want) {
			t.Errorf("no %q in %q", want, e.Hint)
		}
	}
	if strings.Contains(e.Hint, "cc") {
		t.Errorf("%q offers the job that is over", e.Hint)
	}
}
