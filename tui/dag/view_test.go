package dag

import (
	"slices"
	"testing"
)

// node finds a node of an example by its name.
func node(t *testing.T, g Graph, name string) int {
	t.Helper()
	i := slices.IndexFunc(g.Nodes, func(n Node) bool { return n.ID == name })
	if i < 0 {
		t.Fatalf("no node %q", name)
	}
	return i
}

func TestNeighbour(t *testing.T) {
	g := twelve()
	steps := []struct {
		dir  Direction
		from string
		to   Side
		want string // "" is nowhere
	}{
		{LeftRight, "Source:orders", Right, "parse"},
		{LeftRight, "parse", Right, "filter"},
		{LeftRight, "parse2", Right, "join"},
		{LeftRight, "join", Left, "parse2"},
		{LeftRight, "aggregate", Left, "dedupe"},
		{LeftRight, "dedupe", Right, "aggregate"},
		{LeftRight, "filter", Down, "join"},
		{LeftRight, "enrich", Up, "keyBy-window"},
		{LeftRight, "Sink:iceberg", Up, "Sink:kafka"},
		{LeftRight, "Source:clicks", Left, ""},
		{LeftRight, "Sink:kafka", Right, ""},
		{LeftRight, "Source:orders", Up, ""},
		{TopDown, "Source:orders", Down, "parse"},
		{TopDown, "parse", Right, "parse2"},
		{TopDown, "aggregate", Up, "dedupe"},
		{TopDown, "aggregate", Down, "Sink:kafka"},
		{TopDown, "Sink:kafka", Right, "Sink:iceberg"},
		{TopDown, "Sink:kafka", Left, ""},
		{TopDown, "Sink:kafka", Down, ""},
	}
	for _, s := range steps {
		l := New(g, Options{Dir: s.dir})
		got := ""
		if n, ok := l.Neighbour(node(t, g, s.from), s.to); ok {
			got = g.Nodes[n].ID
		}
		if got != s.want {
			t.Errorf("direction %d, side %d of %s: got %q, want %q", s.dir, s.to, s.from, got, s.want)
		}
	}
}

func TestNeighbourLiesOnItsSide(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, _ Graph, _ Options, l *Layout) {
		for i, b := range l.Boxes {
			for _, s := range []Side{Up, Down, Left, Right} {
				n, ok := l.Neighbour(i, s)
				if !ok {
					continue
				}
				c := l.Boxes[n]
				right, below := 2*c.X+c.W-2*b.X-b.W, 2*c.Y+c.H-2*b.Y-b.H
				if ahead := map[Side]int{Up: -below, Down: below, Left: -right, Right: right}; ahead[s] <= 0 {
					t.Errorf("side %d of %+v: got %+v", s, b, c)
				}
			}
		}
	})
}

func TestPan(t *testing.T) {
	g := twelve()
	l := New(g, Options{})
	first, last := node(t, g, "Source:orders"), node(t, g, "Sink:iceberg")
	for _, c := range []struct {
		name string
		node int
		w, h int
		from Point
		want Point
	}{
		{"all in sight", last, 200, 40, Point{}, Point{}},
		{"seen already", first, 40, 5, Point{0, 0}, Point{0, 0}},
		{"to the right end", last, 40, 5, Point{0, 0}, Point{l.Width - 40, l.Height - 5}},
		{"back to the left", first, 40, 5, Point{60, 2}, Point{0, 0}},
		{"larger than the window", last, 4, 2, Point{0, 0}, Point{l.Boxes[last].X, l.Boxes[last].Y}},
		{"beyond the drawing", last, 40, 5, Point{500, 500}, Point{l.Width - 40, l.Height - 5}},
		{"no node", -1, 40, 5, Point{500, -3}, Point{l.Width - 40, 0}},
	} {
		if got := l.Pan(c.node, c.w, c.h, c.from); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestAt(t *testing.T) {
	l := New(twelve(), Options{})
	for i, b := range l.Boxes {
		for _, at := range []Point{{b.X, b.Y}, {b.X + b.W - 1, b.Y + b.H - 1}} {
			if n, ok := l.At(at.X, at.Y); !ok || n != i {
				t.Errorf("at %v: got %d %v, want %d", at, n, ok, i)
			}
		}
		if n, ok := l.At(b.X+b.W, b.Y); ok {
			t.Errorf("beside node %d: got %d", i, n)
		}
	}
}

func TestDrawLiftsLitEdges(t *testing.T) {
	g := labelled("a1 a2 b1 b2", "a1 b1", "a1 b2", "a2 b1", "a2 b2")
	cells := New(g, Options{}).Cells(Unicode)
	i := slices.IndexFunc(cells, func(c Cell) bool { return len(c.Under) > 0 })
	if i < 0 {
		t.Fatal("no crossing")
	}
	for _, c := range []struct {
		name string
		lit  []int
		want string
		on   bool
	}{
		{"none", nil, "│", false},
		{"the vertical", cells[i].Edges, "│", true},
		{"the horizontal", cells[i].Under, "─", true},
		{"both", slices.Concat(cells[i].Edges, cells[i].Under), "│", true},
	} {
		r, pen := cells[i].Draw(func(e int) Pen { return Pen{Thin, slices.Contains(c.lit, e)} })
		if r != c.want || pen.Lit != c.on {
			t.Errorf("%s lit: got %s %v, want %s %v", c.name, r, pen.Lit, c.want, c.on)
		}
	}
}

func TestEmptyGraph(t *testing.T) {
	l := New(Graph{Edges: []Edge{{0, 1}}}, Options{Dir: TopDown, MaxW: 10, MaxH: 10})
	if l.Width != 0 || l.Height != 0 || len(l.Cells(ASCII)) != 0 || len(ListRows(Graph{}, ASCII)) != 0 {
		t.Errorf("got %+v", l)
	}
}
