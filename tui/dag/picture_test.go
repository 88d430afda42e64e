package dag

import (
	"strings"
	"testing"
)

// labelled makes a graph of boxes that are just wide enough for their names; an edge is "a b".
func labelled(names string, edges ...string) Graph {
	var g Graph
	at := map[string]int{}
	for i, n := range strings.Fields(names) {
		at[n] = i
		g.Nodes = append(g.Nodes, Node{ID: n, W: len(n) + 4, H: 3})
	}
	for _, e := range edges {
		ends := strings.Fields(e)
		for i := 1; i < len(ends); i++ {
			g.Edges = append(g.Edges, Edge{at[ends[i-1]], at[ends[i]]})
		}
	}
	return g
}

// A canvas takes every character once.
type canvas struct {
	t    *testing.T
	grid [][]rune
}

func (c canvas) set(x, y int, r rune) {
	c.t.Helper()
	switch {
	case y < 0 || y >= len(c.grid) || x < 0 || x >= len(c.grid[y]):
		c.t.Fatalf("cell %d,%d lies outside", x, y)
	case c.grid[y][x] != ' ':
		c.t.Fatalf("cell %d,%d is drawn twice: %c over %c", x, y, r, c.grid[y][x])
	}
	c.grid[y][x] = r
}

// box draws a border of the six characters ╭╮╰╯─│ and a name.
func (c canvas) box(b Box, name string, border []rune) {
	for x := b.X + 1; x < b.X+b.W-1; x++ {
		c.set(x, b.Y, border[4])
		c.set(x, b.Y+b.H-1, border[4])
	}
	for y := b.Y + 1; y < b.Y+b.H-1; y++ {
		c.set(b.X, y, border[5])
		c.set(b.X+b.W-1, y, border[5])
	}
	for i, r := range border[:4] {
		c.set(b.X+i%2*(b.W-1), b.Y+i/2*(b.H-1), r)
	}
	for i, r := range []rune(name) {
		c.set(b.X+2+i, b.Y+1, r)
	}
}

// picture draws the edges and boxes with the nodes' IDs.
func picture(t *testing.T, g Graph, l *Layout, charset Charset) string {
	t.Helper()
	c := canvas{t: t}
	for range l.Height {
		c.grid = append(c.grid, []rune(strings.Repeat(" ", l.Width)))
	}
	border := []rune("╭╮╰╯─│")
	if charset == ASCII {
		border = []rune("....-|")
	}
	for i, b := range l.Boxes {
		c.box(b, g.Nodes[i].ID, border)
	}
	for _, cell := range l.Cells(charset) {
		c.set(cell.X, cell.Y, cell.Rune)
	}
	var s strings.Builder
	for _, line := range c.grid {
		s.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	return s.String()
}

type example struct {
	name  string
	graph Graph
}

func examples() []example {
	return []example{
		{"single node", labelled("only")},
		{"chain", labelled("source parse map sink", "source parse map sink")},
		{"fork", labelled("source left right", "source left", "source right")},
		{"join", labelled("orders clicks join", "orders join", "clicks join")},
		{"diamond", labelled("source left right join", "source left join", "source right join")},
		{"two components", labelled("a b c d", "a b", "c d")},
		{"long skip edge", labelled("source map filter sink", "source map filter sink", "source sink")},
		{"double edge", labelled("source join sink", "source join sink", "source join")},
		{"cycle", labelled("source body tail sink", "source body tail sink", "tail body")},
		{"self loop", labelled("a b", "a b", "b b")},
		{"all in a circle", labelled("a b c", "a b c a")},
		{"full bipartite", labelled("a1 a2 b1 b2", "a1 b1", "a1 b2", "a2 b1", "a2 b2")},
		{"swap", labelled("top bottom low high side", "top low", "bottom high", "top side", "bottom side")},
		{"twelve nodes", twelve()},
	}
}

func twelve() Graph {
	return labelled("Source:orders Source:clicks parse parse2 filter keyBy-window join enrich aggregate dedupe"+
		" Sink:kafka Sink:iceberg",
		"Source:orders parse filter keyBy-window aggregate Sink:kafka",
		"Source:clicks parse2 join enrich dedupe aggregate Sink:iceberg", "parse join", "dedupe Sink:iceberg")
}

func TestLook(t *testing.T) {
	for _, e := range examples() {
		for _, d := range []Direction{LeftRight, TopDown} {
			l := New(e.graph, Options{Dir: d})
			t.Logf("%s %d %dx%d crossings %d\n%s", e.name, d, l.Width, l.Height, l.Crossings,
				picture(t, e.graph, l, Unicode))
		}
		for _, r := range ListRows(e.graph, Unicode) {
			t.Log(r.Prefix + e.graph.Nodes[r.Node].ID)
		}
	}
}
