package diagnose

import "testing"

func TestWalk(t *testing.T) {
	t.Parallel()
	runArchives(t, "testdata/walk.txtar")
}
