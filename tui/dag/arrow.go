package dag

import (
	"cmp"
	"math/bits"
	"slices"
)

// addArrows puts an arrow into the lines that could be misread without: where a track that also feeds
// others ends in another source's line, since a reader who comes along that line could turn into the track;
// and where a line runs against the flow.
func addArrows(l *Layout, joints []joint, in uint8) {
	for _, route := range l.Routes {
		for i := 1; i < len(route); i++ {
			start, end := route[i-1], route[i]
			ahead := heading(start, end)
			merges := i == len(route)-2 && find(joints, end).arms&in != 0
			if ahead != in && !merges {
				continue
			}
			s := lastRun(joints, start, end)
			switch {
			case ahead == in:
				s.point(len(s.plain)/2, ahead)
			case s.forked:
				s.point(0, ahead)
			}
		}
	}
}

// find returns the joint at a cell that an edge runs through.
func find(joints []joint, at Point) *joint {
	i, _ := slices.BinarySearchFunc(joints, at, func(j joint, at Point) int {
		return cmp.Or(cmp.Compare(j.at.Y, at.Y), cmp.Compare(j.at.X, at.X))
	})
	return &joints[i]
}

// A run is the part of a line between its end and the nearest fork, both left out.
type run struct {
	plain, crossing []*joint // from the end backwards
	forked          bool     // it begins at a fork, not at a corner
}

func lastRun(joints []joint, start, end Point) run {
	var s run
	ahead := heading(start, end)
	for at := end; at != start && !s.forked; {
		at = at.beside(opposite(ahead))
		j := find(joints, at)
		switch {
		case len(j.under) > 0:
			s.crossing = append(s.crossing, j)
		case j.arms == ahead|opposite(ahead):
			s.plain = append(s.plain, j)
		}
		s.forked = bits.OnesCount8(j.arms&^target) > 2
	}
	return s
}

// point puts an arrow into the nth plain cell, or into a crossing where there is none.
func (s run) point(n int, ahead uint8) {
	switch {
	case len(s.plain) > 0:
		s.plain[n].head = ahead
	case len(s.crossing) > 0:
		s.crossing[0].over(ahead)
	}
}

// over puts an arrow into a crossing, so that the other line passes beneath.
func (j *joint) over(head uint8) {
	j.head = head
	if j.arms&head == 0 {
		j.arms = head | opposite(head)
		j.edges, j.under = j.under, j.edges
	}
}
