package lab

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"culprit/lab/rest"
)

// told serves one answer to every question about a job.
func told(t *testing.T, answer string) Evidence {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(answer)) // a broken connection fails the test by itself
	}))
	t.Cleanup(server.Close)
	return Evidence{Client: rest.Client{URL: server.URL}, Job: "j"}
}

// history gives Flink's answer with these checkpoints, newest first.
func history(checkpoints ...string) string {
	return `{"history": [` + strings.Join(checkpoints, ",") + `]}`
}

func done(triggered, acked time.Duration, size int) string {
	return fmt.Sprintf(`{"status": "COMPLETED", "trigger_timestamp": %d, "latest_ack_timestamp": %d,
		"state_size": %d}`, triggered.Milliseconds(), acked.Milliseconds(), size)
}

func TestProofsOfRecovery(t *testing.T) {
	waiting := func(age time.Duration, acked int) string {
		return fmt.Sprintf(`{"status": "IN_PROGRESS", "trigger_timestamp": %d, "num_subtasks": 6,
			"num_acknowledged_subtasks": %d}`, time.Now().Add(-age).UnixMilli(), acked)
	}
	const failed, completed = `{"status": "FAILED"}`, `{"status": "COMPLETED"}`
	tests := map[string]struct {
		prove  Proof
		answer string
		want   bool
	}{
		"all fail":            {checkpointsFail, history(failed, failed, failed), true},
		"one is under way":    {checkpointsFail, history(`{"status": "IN_PROGRESS"}`, failed, failed), true},
		"two are too few":     {checkpointsFail, history(failed, failed), false},
		"some complete":       {checkpointsFail, history(completed, failed, completed, failed), false},
		"one waits for one":   {checkpointWaits, history(waiting(time.Minute, 5)), true},
		"for two":             {checkpointWaits, history(waiting(time.Minute, 4)), false},
		"not for long":        {checkpointWaits, history(waiting(time.Second, 5)), false},
		"no checkpoint":       {checkpointWaits, history(), false},
		"state grows":         {stateGrows(time.Minute), history(done(time.Minute, 0, 9), done(0, 0, 5)), true},
		"state stays":         {stateGrows(time.Minute), history(done(time.Minute, 0, 5), done(0, 0, 5)), false},
		"too short to tell":   {stateGrows(time.Hour), history(done(time.Minute, 0, 9), done(0, 0, 5)), false},
		"a storage is slow":   {completesLate(30 * time.Second), late(45 * time.Second), true},
		"checkpoints on time": {completesLate(30 * time.Second), late(10 * time.Second), false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			ok, seen, err := tc.prove(t.Context(), told(t, tc.answer))
			if err != nil || ok != tc.want {
				t.Errorf("got %v, want %v: %s, %v", ok, tc.want, seen, err)
			}
		})
	}
}

// late is three checkpoints that are acknowledged at once, each so long after the one before.
func late(after time.Duration) string {
	return history(done(2*after, 2*after, 1), done(after, after, 1), done(0, 0, 1))
}
