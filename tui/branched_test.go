package tui

import (
	"testing"

	"culprit/tui/dag"
)

func TestAChainHasNoBranches(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edges []dag.Edge
		want  bool
	}{
		"one vertex":   {nil, false},
		"chain":        {[]dag.Edge{{From: 0, To: 1}, {From: 1, To: 2}}, false},
		"two chains":   {[]dag.Edge{{From: 0, To: 1}, {From: 2, To: 3}}, false},
		"fork":         {[]dag.Edge{{From: 0, To: 1}, {From: 0, To: 2}}, true},
		"join":         {[]dag.Edge{{From: 0, To: 2}, {From: 1, To: 2}}, true},
		"double edges": {[]dag.Edge{{From: 0, To: 1}, {From: 0, To: 1}}, true},
	} {
		if got := branched(c.edges); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
