package dag

import (
	"strings"
	"testing"
)

// drawn is the picture of a graph of one-cell nodes whose edges have the given strokes.
func drawn(g Graph, c Charset, strokes ...Stroke) string {
	l := New(g, Options{})
	rows := make([][]string, l.Height)
	for y := range rows {
		rows[y] = strings.Split(strings.Repeat(" ", l.Width), "")
	}
	for _, cell := range l.Cells(c) {
		rows[cell.Y][cell.X], _ = cell.Draw(func(e int) Pen { return Pen{Stroke: strokes[e]} })
	}
	for i, b := range l.Boxes {
		rows[b.Y][b.X] = g.Nodes[i].ID
	}
	out := make([]string, len(rows))
	for y := range rows {
		out[y] = strings.TrimRight(strings.Join(rows[y], ""), " ")
	}
	return strings.Join(out, "\n")
}

// dots are nodes of one cell.
func dots(names string, edges ...Edge) Graph {
	g := Graph{Edges: edges}
	for _, n := range strings.Fields(names) {
		g.Nodes = append(g.Nodes, Node{ID: n, W: 1, H: 1})
	}
	return g
}

func TestStrokes(t *testing.T) {
	fork := dots("a b c", Edge{0, 1}, Edge{0, 2})
	for _, c := range []struct {
		name    string
		charset Charset
		strokes []Stroke
		want    string
	}{
		{"thin", Unicode, []Stroke{Thin, Thin}, "a──┬─▶b\n   │\n   └─▶c"},
		{"one branch blocked", Unicode, []Stroke{Thin, Heavy}, "a━━┱─▶b\n   ┃\n   ┗━▶c"},
		{"both blocked", Unicode, []Stroke{Heavy, Heavy}, "a━━┳━▶b\n   ┃\n   ┗━▶c"},
		{"nothing flows", Unicode, []Stroke{Dotted, Dotted}, "a┈┈┬┈▶b\n   ┊\n   └┈▶c"},
		{"ASCII, one branch blocked", ASCII, []Stroke{Dotted, Heavy}, "a==#.>b\n   #\n   #=>c"},
		{"ASCII, nothing flows", ASCII, []Stroke{Dotted, Dotted}, "a..+.>b\n   :\n   +.>c"},
	} {
		if got := drawn(fork, c.charset, c.strokes...); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

func TestSamples(t *testing.T) {
	for s, want := range map[Stroke][2]string{Dotted: {"┈┈▶", "..>"}, Thin: {"──▶", "-->"}, Heavy: {"━━▶", "==>"}} {
		if got := [2]string{Unicode.Sample(s), ASCII.Sample(s)}; got != want {
			t.Errorf("stroke %d: %q, want %q", s, got, want)
		}
	}
}

// Thin strokes draw what the plain characters of the cells say, and every joint has a character.
func TestThinStrokesAreThePlainCharacters(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, _ Graph, _ Options, l *Layout) {
		for _, charset := range []Charset{Unicode, ASCII} {
			for _, c := range l.Cells(charset) {
				got, pen := c.Draw(func(int) Pen { return Pen{Stroke: Thin} })
				if got != string(c.Rune) || pen != (Pen{Stroke: Thin}) {
					t.Fatalf("%q with %+v at %d,%d, want %q", got, pen, c.X, c.Y, c.Rune)
				}
				if got, _ = c.Draw(func(int) Pen { return Pen{Stroke: Heavy} }); len([]rune(got)) != 1 || got == " " {
					t.Fatalf("heavy %q at %d,%d", got, c.X, c.Y)
				}
			}
		}
	})
}
