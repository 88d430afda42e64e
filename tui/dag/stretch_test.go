package dag

import (
	"slices"
	"testing"
)

func TestStretches(t *testing.T) {
	always := func(int, int) bool { return true }
	for _, c := range []struct {
		name  string
		g     Graph
		joins func(from, to int) bool
		want  [][]int
	}{
		{"nothing", Graph{}, always, nil},
		{"one node", dots("a"), always, nil},
		{"chain", dots("a b c", Edge{0, 1}, Edge{1, 2}), always, [][]int{{0, 1, 2}}},
		{"listed backwards", dots("a b c", Edge{1, 0}, Edge{2, 1}), always, [][]int{{2, 1, 0}}},
		{"repeated edges", dots("a b", Edge{0, 1}, Edge{0, 1}), always, [][]int{{0, 1}}},
		{"fork ends it", dots("a b c d", Edge{0, 1}, Edge{1, 2}, Edge{1, 3}), always, [][]int{{0, 1}}},
		{"join begins it", dots("a b c d", Edge{0, 2}, Edge{1, 2}, Edge{2, 3}), always, [][]int{{2, 3}}},
		{
			"a step that does not join", dots("a b c d", Edge{0, 1}, Edge{1, 2}, Edge{2, 3}),
			func(from, _ int) bool { return from != 1 },
			[][]int{{0, 1}, {2, 3}},
		},
		{"cycle", dots("a b c", Edge{0, 1}, Edge{1, 2}, Edge{2, 0}), always, nil},
		{"edges to nowhere", dots("a b", Edge{0, 1}, Edge{1, 9}), always, [][]int{{0, 1}}},
	} {
		got := Stretches(c.g, c.joins)
		if !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestNoLayoutIsSmallerThanLeast(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, g Graph, o Options, l *Layout) {
		if w, h := Least(g, o.Dir); w > l.Width || h > l.Height {
			t.Errorf("%dx%d is smaller than the least, %dx%d", l.Width, l.Height, w, h)
		}
	})
}
