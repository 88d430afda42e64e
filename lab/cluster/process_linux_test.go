package cluster

import (
	"testing"
	"time"
)

func TestParseCPUTime(t *testing.T) {
	const stat = "42 (a (b) java) S 1 42 42 0 -1 4194304 9 0 0 0 123 45 0 0 20 0 30 0 99 1 2"
	if got, err := parseCPUTime(stat); err != nil || got != 1680*time.Millisecond {
		t.Errorf("got %v, %v, want 1.68s", got, err)
	}
	for _, stat := range []string{"", "42 (java) S 1", "42 (java) S 1 42 42 0 -1 4194304 9 0 0 0 x 45 0 0"} {
		if got, err := parseCPUTime(stat); err == nil {
			t.Errorf("%q was read as %v", stat, got)
		}
	}
}
