package dag

import (
	"slices"
	"strings"
	"testing"
)

// labelled makes a graph of boxes that are just wide enough for their names, from names and paths of edges;
// a path may name new nodes.
func labelled(names string, paths ...string) Graph {
	var g Graph
	at := map[string]int{}
	for i, path := range append([]string{names}, paths...) {
		last := -1
		for _, n := range strings.Fields(path) {
			if _, ok := at[n]; !ok {
				at[n] = len(g.Nodes)
				g.Nodes = append(g.Nodes, Node{ID: n, W: len(n) + 4, H: 3})
			}
			if i > 0 && last >= 0 {
				g.Edges = append(g.Edges, Edge{last, at[n]})
			}
			last = at[n]
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

// An example is a graph with its pictures in both directions and its list.
type example struct {
	name  string
	graph Graph
	want  map[string]string // by section: right, down, list
}

// readExamples reads sections that begin with a line like "-- name --". Each example has four: the nodes in
// one line and paths of edges in the next ones, under the example's name; then right, down and list.
func readExamples(text string) []example {
	var all []example
	for _, section := range strings.Split(strings.TrimSuffix(text, "\n"), "\n-- ")[1:] {
		name, body, _ := strings.Cut(section, " --\n")
		switch name {
		case "right", "down", "list":
			all[len(all)-1].want[name] = body + "\n"
		default:
			lines := strings.Split(body, "\n")
			all = append(all, example{name, labelled(lines[0], lines[1:]...), map[string]string{}})
		}
	}
	return all
}

func examples() []example {
	return slices.Concat(readExamples(simplePictures), readExamples(branchedPictures))
}

// twelve is the largest of the examples.
func twelve() Graph {
	all := examples()
	return all[len(all)-1].graph
}

func TestPictures(t *testing.T) {
	for _, e := range examples() {
		t.Run(e.name, func(t *testing.T) {
			right := New(e.graph, Options{Dir: LeftRight})
			down := New(e.graph, Options{Dir: TopDown})
			same(t, "right", picture(t, e.graph, right, Unicode), e.want["right"])
			same(t, "down", picture(t, e.graph, down, Unicode), e.want["down"])
			same(t, "list", list(e.graph, Unicode), e.want["list"])
		})
	}
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("%s: got\n%swant\n%s", what, got, want)
	}
}

// list writes the compact list, a node a line.
func list(g Graph, c Charset) string {
	var s strings.Builder
	for _, r := range ListRows(g, c) {
		s.WriteString(r.Prefix + g.Nodes[r.Node].ID + "\n")
	}
	return s.String()
}

func TestPictureWithoutRoom(t *testing.T) {
	g := twelve()
	same(t, "right", picture(t, g, New(g, Options{MaxW: 112, MaxH: 6}), Unicode), `
╭───────────────╮   ╭───────╮    ╭────────╮   ╭──────────────╮                                 ╭────────────╮
│ Source:orders │──▶│ parse │──┬▶│ filter │──▶│ keyBy-window │───────────────┐ ╭───────────╮ ┌▶│ Sink:kafka │
╰───────────────╯   ╰───────╯  │ ╰────────╯   ╰──────────────╯              ┌┴▶│ aggregate │─┤ ╰────────────╯
╭───────────────╮   ╭────────╮ ▼ ╭──────╮     ╭────────╮         ╭────────╮ │  ╰───────────╯ ▼ ╭──────────────╮
│ Source:clicks │──▶│ parse2 │─┴▶│ join │────▶│ enrich │────────▶│ dedupe │─┴────────────────┴▶│ Sink:iceberg │
╰───────────────╯   ╰────────╯   ╰──────╯     ╰────────╯         ╰────────╯                    ╰──────────────╯
`)
}

func TestPictureInASCII(t *testing.T) {
	g := labelled("a1 a2 b1 b2 c", "a1 b1 c", "a1 b2 c", "a2 b1", "a2 b2")
	same(t, "right", picture(t, g, New(g, Options{}), ASCII), `
.----.         .----.     .---.
| a1 |--+-+--->| b1 |--+->| c |
.----.  +-|-+  .----.  |  .---.
          ^ |          |
.----.    | |  .----.  |
| a2 |----+-+->| b2 |--+
.----.         .----.
`)
	same(t, "down", picture(t, g, New(g, Options{Dir: TopDown}), ASCII), `
.----.   .----.
| a1 |   | a2 |
.----.   .----.
  |        |
  ++       |
  ||       |
  +|<------+
  ||       |
  |+-------+
  v        v
.----.   .----.
| b1 |   | b2 |
.----.   .----.
  |        |
  +--------+
  v
.---.
| c |
.---.
`)
	same(t, "list", list(labelled("a b c d", "a b d", "a c d"), ASCII), `
  a
+> b
+> c
v d
`)
}
