package dag

import (
	"testing"
	"unicode/utf8"
)

func TestListHasEveryNodeAfterItsInputs(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, g Graph, _ Options, _ *Layout) {
		k := link(g)
		listed := map[int]bool{}
		for _, r := range ListRows(g, Unicode) {
			for _, u := range k.in[r.Node] {
				if !listed[u] {
					t.Errorf("node %d comes before its input %d", r.Node, u)
				}
			}
			if listed[r.Node] {
				t.Errorf("node %d comes twice", r.Node)
			}
			listed[r.Node] = true
			if n := utf8.RuneCountInString(r.Prefix); n != r.Depth+2 {
				t.Errorf("prefix %q at depth %d", r.Prefix, r.Depth)
			}
		}
		if len(listed) != len(g.Nodes) {
			t.Errorf("%d of %d nodes", len(listed), len(g.Nodes))
		}
	})
}
