package diagnose

import (
	"testing"
	"time"

	"culprit/flinkapi"
)

// Flink keeps one checkpoint by default: to keep one is no advice then.
func TestFewerCheckpointsAreAdvisedOnlyWhereMoreAreKept(t *testing.T) {
	t.Parallel()
	for kept, want := range map[string]int{"": 1, "1": 1, "3": 2} {
		s := &flinkapi.Snapshot{Cluster: flinkapi.Cluster{Settings: map[string]string{}}}
		if kept != "" {
			s.Cluster.Settings["execution.checkpointing.num-retained"] = kept
		}
		rule := Rule{Check: func(c *Case) Finding { return c.jobManagerSlow(time.Minute, "it is late") }}
		f := ask(&rule, &Case{snapshot: s})
		if len(f.Remedies) != want {
			t.Errorf("with num-retained %q: %d remedies, want %d", kept, len(f.Remedies), want)
		}
	}
}
