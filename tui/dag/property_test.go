package dag

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"
)

// randomGraph makes a graph of n nodes whose edges span few nodes; back is the share of edges that run
// backwards, some of them to their own node.
func randomGraph(r *rand.Rand, n int, back float64) Graph {
	var g Graph
	for i := range n {
		g.Nodes = append(g.Nodes, Node{ID: strconv.Itoa(i), W: 5 + r.IntN(12), H: 3 + r.IntN(3)})
		if i == 0 || r.IntN(8) == 0 {
			continue
		}
		for range 1 + r.IntN(3) {
			e := Edge{max(0, i-1-r.IntN(8)), i}
			if r.Float64() < back {
				e.From, e.To = e.To, e.From+r.IntN(2)
			}
			g.Edges = append(g.Edges, e)
		}
	}
	return g
}

// eachRandom runs a check on bounded, seeded random graphs in both directions, with room and without.
func eachRandom(t *testing.T, back float64, check func(t *testing.T, g Graph, o Options, l *Layout)) {
	t.Helper()
	for seed := range uint64(81) {
		r := rand.New(rand.NewPCG(seed, 1))
		size := 1 + int(seed)%40
		if seed == 80 {
			size = 200
		}
		g := randomGraph(r, size, back)
		for _, d := range []Direction{LeftRight, TopDown} {
			for _, o := range []Options{{Dir: d}, {Dir: d, MaxW: 1, MaxH: 1}, {Dir: d, MaxW: 80, MaxH: 24}} {
				check(t, g, o, New(g, o))
				if t.Failed() {
					t.Fatalf("seed %d, %+v", seed, o)
				}
			}
		}
	}
}

func TestBoxesKeepApart(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, g Graph, _ Options, l *Layout) {
		for i, b := range l.Boxes {
			if b.W != g.Nodes[i].W || b.H != g.Nodes[i].H || b.X < 0 || b.Y < 0 {
				t.Errorf("node %d of %+v is at %+v", i, g.Nodes[i], b)
			}
			for j, c := range l.Boxes[:i] {
				if b.X < c.X+c.W && c.X < b.X+b.W && b.Y < c.Y+c.H && c.Y < b.Y+b.H {
					t.Errorf("nodes %d and %d overlap: %+v %+v", j, i, c, b)
				}
			}
		}
	})
}

func TestSizeIsWhatTheDrawingTakes(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, _ Graph, _ Options, l *Layout) {
		right, bottom := 0, 0
		for _, b := range l.Boxes {
			right, bottom = max(right, b.X+b.W), max(bottom, b.Y+b.H)
		}
		for _, c := range l.Cells(Unicode) {
			right, bottom = max(right, c.X+1), max(bottom, c.Y+1)
		}
		if right != l.Width || bottom != l.Height {
			t.Errorf("%dx%d promised, %dx%d taken", l.Width, l.Height, right, bottom)
		}
	})
}

func TestEdgesKeepOffBoxes(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, _ Graph, _ Options, l *Layout) {
		last := Point{-1, -1}
		for _, c := range l.Cells(Unicode) {
			if _, hit := l.At(c.X, c.Y); hit || c.X < 0 || c.Y < 0 {
				t.Errorf("%c at %d,%d lies on a box or outside", c.Rune, c.X, c.Y)
			}
			if c.Y < last.Y || c.Y == last.Y && c.X <= last.X {
				t.Errorf("cell %d,%d comes after %v", c.X, c.Y, last)
			}
			last = Point{c.X, c.Y}
		}
	})
}

// ports are the cells beside a box where lines leave and arrive.
func ports(l *Layout, node int) (out, in Point) {
	b := l.Boxes[node]
	if l.Dir == TopDown {
		return Point{b.X + (b.W-1)/2, b.Y + b.H}, Point{b.X + (b.W-1)/2, b.Y - 1}
	}
	return Point{b.X + b.W, b.Y + (b.H-1)/2}, Point{b.X - 1, b.Y + (b.H-1)/2}
}

// cellsAt are a layout's cells by where they are.
func cellsAt(l *Layout) map[Point]Cell {
	cells := map[Point]Cell{}
	for _, c := range l.Cells(Unicode) {
		cells[Point{c.X, c.Y}] = c
	}
	return cells
}

func TestRoutesConnectSourceAndTarget(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, g Graph, _ Options, l *Layout) {
		cells := cellsAt(l)
		for i, e := range g.Edges {
			route := l.Routes[i]
			start, _ := ports(l, e.From)
			_, end := ports(l, e.To)
			if len(route) == 0 || route[0] != start || route[len(route)-1] != end || !cells[end].Arrow {
				t.Errorf("edge %d %v runs %v, want from %v to the arrow at %v", i, e, route, start, end)
				continue
			}
			for j := 1; j < len(route); j++ {
				checkStretch(t, cells, i, route[j-1], route[j])
			}
		}
	})
}

// checkStretch holds that an edge runs straight from one point to another, through cells that list it.
func checkStretch(t *testing.T, cells map[Point]Cell, edge int, from, to Point) {
	t.Helper()
	if (from.X == to.X) == (from.Y == to.Y) {
		t.Errorf("edge %d does not run along the grid from %v to %v", edge, from, to)
		return
	}
	for at := from; at != to; at = at.beside(heading(at, to)) {
		if c := cells[at]; !slices.Contains(slices.Concat(c.Edges, c.Under), edge) {
			t.Errorf("edge %d is not in cell %v: %+v", edge, at, c)
		}
	}
}

func TestEdgesShareOnlyWithTheirOwn(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, g Graph, _ Options, l *Layout) {
		crossings := 0
		for _, c := range l.Cells(Unicode) {
			if strangers(g, c.Edges) || strangers(g, c.Under) {
				t.Errorf("edges with neither source nor target in common share %+v", c)
			}
			if len(c.Under) > 0 {
				crossings++
			}
		}
		if crossings != l.Crossings {
			t.Errorf("%d crossings, %d counted", crossings, l.Crossings)
		}
	})
}

// strangers says whether two of the edges have neither their source nor their target in common.
func strangers(g Graph, edges []int) bool {
	for i, a := range edges {
		for _, b := range edges[:i] {
			if g.Edges[a].From != g.Edges[b].From && g.Edges[a].To != g.Edges[b].To {
				return true
			}
		}
	}
	return false
}

func TestSameInputSameLayout(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, g Graph, o Options, l *Layout) {
		if !reflect.DeepEqual(l, New(g, o)) {
			t.Error("a second layout differs")
		}
		o.Prev = l
		if !reflect.DeepEqual(l, New(g, o)) {
			t.Error("a layout after itself differs")
		}
		o.Prev = New(g, Options{Dir: LeftRight + TopDown - o.Dir, Prev: l})
		if !reflect.DeepEqual(l, New(g, o)) {
			t.Error("a layout differs after one in the other direction")
		}
	})
}

// across is the place of a box across the flow.
func across(l *Layout, node int) int {
	if l.Dir == TopDown {
		return l.Boxes[node].X
	}
	return l.Boxes[node].Y
}

func TestOrderStaysWhenBoxesChange(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, g Graph, o Options, l *Layout) {
		wider := Graph{Nodes: slices.Clone(g.Nodes), Edges: g.Edges}
		for i := range wider.Nodes {
			wider.Nodes[i].W += i % 7
			wider.Nodes[i].H += i % 2
		}
		o.Prev = l
		m := New(wider, o)
		for i := range l.Boxes {
			for j := range i {
				before, after := across(l, i) < across(l, j), across(m, i) < across(m, j)
				if l.Boxes[i].Layer == l.Boxes[j].Layer && before != after {
					t.Errorf("nodes %d and %d changed places", i, j)
				}
			}
		}
	})
}

func TestLimitsAreKeptWhereTheyCan(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, g Graph, o Options, l *Layout) {
		tight := New(g, Options{Dir: o.Dir, MaxW: 1, MaxH: 1})
		roomy := New(g, Options{Dir: o.Dir})
		if tight.Width > roomy.Width || tight.Height > roomy.Height {
			t.Errorf("%dx%d without room, %dx%d with", tight.Width, tight.Height, roomy.Width, roomy.Height)
		}
		exact := New(g, Options{Dir: o.Dir, MaxW: roomy.Width, MaxH: roomy.Height})
		if !reflect.DeepEqual(exact, roomy) {
			t.Error("a layout with just enough room differs from one with endless room")
		}
		if o.MaxW > 0 && tight.Fits(o.MaxW, o.MaxH) && !l.Fits(o.MaxW, o.MaxH) {
			t.Errorf("%dx%d is possible, but it is %dx%d for %+v", tight.Width, tight.Height, l.Width, l.Height, o)
		}
	})
}

func TestDataFlowsForward(t *testing.T) {
	eachRandom(t, 0, func(t *testing.T, g Graph, _ Options, l *Layout) {
		for _, e := range g.Edges {
			out, _ := ports(l, e.From)
			_, in := ports(l, e.To)
			if l.Dir == LeftRight && out.X >= in.X || l.Dir == TopDown && out.Y >= in.Y {
				t.Errorf("edge %v runs from %v to %v", e, out, in)
			}
		}
	})
}
