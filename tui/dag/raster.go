package dag

import (
	"cmp"
	"slices"
)

// A stroke is what one edge draws in one cell.
type stroke struct {
	at   Point
	edge int
	arms uint8
}

// rasterize turns routes into cells and counts those in which lines cross.
func rasterize(l *Layout) ([]joint, int) {
	size := 0
	for _, route := range l.Routes {
		for i := 1; i < len(route); i++ {
			size += distance(route[i].X, route[i-1].X) + distance(route[i].Y, route[i-1].Y)
		}
		size++
	}
	strokes := make([]stroke, 0, size)
	in, out := l.Dir.arms()
	for i, route := range l.Routes {
		if len(route) > 0 {
			strokes = appendStrokes(strokes, i, route, in, out)
		}
	}
	slices.SortFunc(strokes, func(a, b stroke) int {
		return cmp.Or(cmp.Compare(a.at.Y, b.at.Y), cmp.Compare(a.at.X, b.at.X), cmp.Compare(a.edge, b.edge))
	})
	ids := make([]int, 0, len(strokes))
	joints := make([]joint, 0, len(strokes))
	crossings := 0
	for i := 0; i < len(strokes); {
		j := i + 1
		for j < len(strokes) && strokes[j].at == strokes[i].at {
			j++
		}
		here := joint{at: strokes[i].at, strokes: strokes[i:j:j]}
		ids = here.merge(strokes[i:j], ids)
		if here.arms&target != 0 {
			here.head = out
		}
		if len(here.under) > 0 {
			crossings++
		}
		joints = append(joints, here)
		i = j
	}
	addArrows(l, joints, in)
	return joints, crossings
}

// merge joins the strokes of one cell, unless all of them run straight and in both ways: then they cross.
// The edges' indices are appended to ids.
func (j *joint) merge(strokes []stroke, ids []int) []int {
	turns, down, over := false, false, false
	for _, s := range strokes {
		j.arms |= s.arms
		down = down || s.arms == vertical
		over = over || s.arms == horizontal
		turns = turns || s.arms != vertical && s.arms != horizontal
	}
	cross := !turns && down && over
	from := len(ids)
	for _, s := range strokes {
		if !cross || s.arms == vertical {
			ids = append(ids, s.edge)
		}
	}
	j.edges = ids[from:len(ids):len(ids)]
	if !cross {
		return ids
	}
	j.arms = vertical
	from = len(ids)
	for _, s := range strokes {
		if s.arms == horizontal {
			ids = append(ids, s.edge)
		}
	}
	j.under = ids[from:len(ids):len(ids)]
	return ids
}

// arms are the sides at which a line comes to a cell and leaves it along the flow.
func (d Direction) arms() (in, out uint8) {
	if d == TopDown {
		return north, south
	}
	return west, east
}

// appendStrokes walks along a route. Its first cell reaches back to the source, its last one on to the
// target.
func appendStrokes(strokes []stroke, edge int, route []Point, in, out uint8) []stroke {
	from := in
	at := route[0]
	for _, to := range route[1:] {
		for at != to {
			leave := heading(at, to)
			next := at.beside(leave)
			strokes = append(strokes, stroke{at, edge, from | leave})
			at, from = next, opposite(leave)
		}
	}
	return append(strokes, stroke{at, edge, from | out | target})
}

// heading is the arm that leads from a cell to another one of its row or column.
func heading(from, to Point) uint8 {
	switch {
	case to.X > from.X:
		return east
	case to.X < from.X:
		return west
	case to.Y > from.Y:
		return south
	}
	return north
}

func opposite(arm uint8) uint8 {
	if arm == north || arm == east {
		return arm << 2
	}
	return arm >> 2
}

func (p Point) beside(arm uint8) Point {
	switch arm {
	case north:
		p.Y--
	case east:
		p.X++
	case south:
		p.Y++
	case west:
		p.X--
	}
	return p
}
