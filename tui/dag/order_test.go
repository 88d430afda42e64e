package dag

import (
	"slices"
	"testing"
)

// orderOf lists the nodes of a layer across the flow.
func orderOf(g Graph, l *Layout, layer int) []string {
	var nodes []int
	for i, b := range l.Boxes {
		if b.Layer == layer {
			nodes = append(nodes, i)
		}
	}
	slices.SortFunc(nodes, func(a, b int) int { return across(l, a) - across(l, b) })
	var names []string
	for _, i := range nodes {
		names = append(names, g.Nodes[i].ID)
	}
	return names
}

func TestOrderSurvivesAnotherOrderOfTheNodes(t *testing.T) {
	g := labelled("s a b c d x y", "s a d", "s b d", "s c d", "x y")
	l := New(g, Options{})
	turned := labelled("y x d c b a s", "s c d", "x y", "s b d", "s a d")
	m := New(turned, Options{Prev: l})
	for layer := range 3 {
		if got, want := orderOf(turned, m, layer), orderOf(g, l, layer); !slices.Equal(got, want) {
			t.Errorf("layer %d: got %v, want %v", layer, got, want)
		}
	}
}

func TestNewcomerLeavesTheOrder(t *testing.T) {
	before := labelled("s a b c", "s a", "s b", "s c")
	l := New(before, Options{})
	after := labelled("n s c b a", "s n", "s c", "s b", "s a")
	m := New(after, Options{Prev: l})
	got := slices.DeleteFunc(orderOf(after, m, 1), func(name string) bool { return name == "n" })
	if want := orderOf(before, l, 1); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The graph can be drawn without crossings.
func TestSweepUntangles(t *testing.T) {
	g := labelled("s", "s a1 a2 a3 t", "s b1 b2 b3 t", "s c1 c2 c3 t", "b1 a3", "c1 b3")
	tangled := New(labelled("s a1 b1 c1 c2 a2 b2 a3 b3 c3 t", "s a1", "s b1", "s c1"), Options{})
	for _, o := range []Options{{}, {Prev: tangled}} {
		if l := New(g, o); l.Crossings > 0 {
			t.Errorf("%d crossings\n%s", l.Crossings, picture(t, g, l, Unicode))
		}
	}
}
