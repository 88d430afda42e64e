package dag

import (
	"slices"
	"strings"
	"testing"
)

// A reader follows the characters, knowing that data never flows against the direction, that a gap is no
// joint and that an arrow in a line is a one-way street.
type reader struct {
	layout  *Layout
	cells   map[Point]Cell
	in, out uint8
}

// arms are the sides to which a reader can go on who comes to a cell with a heading; none if the cell is
// closed.
func (r reader) arms(c Cell, heading uint8) uint8 {
	arms, oneWay := uint8(max(0, slices.Index([]rune(" ╵╶└╷│┌├╴┘─┴┐┤┬┼"), c.Rune))), false
	switch c.Rune {
	case '▲', '▼':
		arms, oneWay = vertical, true
	case '◀', '▶':
		arms, oneWay = horizontal, true
	}
	switch {
	case len(c.Under) > 0 && arms&heading == 0:
		return heading
	case arms&opposite(heading) == 0, oneWay && c.Rune != Unicode.head(heading):
		return 0
	}
	if arms &^= opposite(heading); arms == heading || arms&r.in == 0 || r.leadsBack(c) {
		return arms
	}
	return arms &^ r.in
}

// leadsBack says whether a line that leaves a cell against the flow has an arrow that says so.
func (r reader) leadsBack(c Cell) bool {
	for at := (Point{c.X, c.Y}); ; {
		at = at.beside(r.in)
		next, ok := r.cells[at]
		straight := len(next.Under) > 0 || next.Rune == Unicode.line(r.in|r.out)
		if !ok || !straight {
			return ok && next.Rune == Unicode.head(r.in)
		}
	}
}

// targets lists the nodes to whose arrows the reader comes from a node.
func (r reader) targets(node int) []int {
	type step struct {
		at      Point
		heading uint8
	}
	start, _ := ports(r.layout, node)
	todo := []step{{start, r.out}}
	seen := map[step]bool{}
	var found []int
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		c, ok := r.cells[s.at]
		if !ok || seen[s] {
			continue
		}
		seen[s] = true
		if c.Arrow {
			found = append(found, r.beyond(s.at))
			continue
		}
		arms := r.arms(c, s.heading)
		for _, arm := range []uint8{north, east, south, west} {
			if arms&arm != 0 {
				todo = append(todo, step{s.at.beside(arm), arm})
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// beyond is the node behind an arrow, -1 if there is none.
func (r reader) beyond(at Point) int {
	at = at.beside(r.out)
	if node, ok := r.layout.At(at.X, at.Y); ok {
		return node
	}
	return -1
}

// Without colour, a reader finds exactly the nodes that a node feeds.
func TestReaderFindsTheTargets(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, g Graph, _ Options, l *Layout) {
		r := reader{layout: l, cells: cellsAt(l)}
		r.in, r.out = l.Dir.arms()
		for v := range g.Nodes {
			want := l.joined(v, true)
			slices.Sort(want)
			want = slices.Compact(want)
			if got := r.targets(v); !slices.Equal(got, want) {
				t.Errorf("from node %d one reads %v, want %v", v, got, want)
			}
		}
	})
}

// asciiArms are the sides of a + at which a reader sees it joined: its neighbours tell.
func asciiArms(runes map[Point]rune, at Point) uint8 {
	var arms uint8
	for _, arm := range []uint8{north, south} {
		if strings.ContainsRune("|+^v", runes[at.beside(arm)]) {
			arms |= arm
		}
	}
	for _, arm := range []uint8{east, west} {
		next := at.beside(arm)
		for runes[next] == '|' { // perhaps a line that it passes beneath
			next = next.beside(arm)
		}
		if strings.ContainsRune("-+<>", runes[next]) {
			arms |= arm
		}
	}
	return arms
}

// In ASCII all corners and joints look the same. The narrowest tracks promise nothing there.
func TestASCIITellsJoints(t *testing.T) {
	eachRandom(t, 0.1, func(t *testing.T, _ Graph, o Options, l *Layout) {
		if o.MaxW > 0 {
			return
		}
		runes := map[Point]rune{}
		for _, c := range l.Cells(ASCII) {
			runes[Point{c.X, c.Y}] = c.Rune
		}
		for _, j := range l.cells {
			if got := asciiArms(runes, j.at); runes[j.at] == '+' && got != j.arms {
				t.Errorf("cell %v reads as %04b, want %04b", j.at, got, j.arms)
			}
		}
	})
}
