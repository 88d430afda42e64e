package tui

import (
	"cmp"
	"slices"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// heldOrder is the order that the rows of a table were put into, so that they do not change places for noise.
type heldOrder struct {
	of orderedBy
	at time.Time
	// rank is the place of each subtask.
	rank map[int]int
}

// orderedBy is what an order was made for.
type orderedBy struct {
	vertex  flinkapi.VertexID
	by      int
	reverse bool
	filter  string
}

// reorderAfter is how long rows keep an order that is not quite right any more, and coarseShare by how much
// of a share it may be wrong: beyond that it is put right at once.
const (
	reorderAfter = 6 * time.Second
	coarseShare  = 0.05
)

// ordered are the rows of a table by the column that they are sorted by: in the order that they had, as long
// as that is young and nearly right.
func (p *subtasksPane) ordered(sc *scene, t *subtaskTable) []*diagnose.SubtaskState {
	by := &p.columns()[p.by]
	rows := t.shown(sc, by, p.reverse)
	of, now := orderedBy{t.v.vertex.ID, p.by, p.reverse, sc.filter}, t.end
	if age := now.Sub(p.held.at); of == p.held.of && age >= 0 && age < reorderAfter && p.held.ranks(rows) {
		kept := slices.Clone(rows)
		slices.SortFunc(kept, func(a, b *diagnose.SubtaskState) int {
			return cmp.Compare(p.held.rank[a.Index], p.held.rank[b.Index])
		})
		if !t.wrong(kept, by, p.reverse) {
			return kept
		}
	}
	p.held = heldOrder{of, now, make(map[int]int, len(rows))}
	for i, s := range rows {
		p.held.rank[s.Index] = i
	}
	return rows
}

// ranks tells whether the order is of these rows and no others.
func (o *heldOrder) ranks(rows []*diagnose.SubtaskState) bool {
	return len(rows) == len(o.rank) && !slices.ContainsFunc(rows, func(s *diagnose.SubtaskState) bool {
		_, known := o.rank[s.Index]
		return !known
	})
}

// wrong tells whether some row stands before one that it should plainly stand behind.
func (t *subtaskTable) wrong(rows []*diagnose.SubtaskState, by *subtaskColumn, reverse bool) bool {
	leeway := 0.0
	if by.step == shareStep {
		leeway = coarseShare / shareStep
	}
	ascending := by.ascending != reverse
	var row subtaskRow
	var last sortKey // of the rows so far, the one that belongs furthest behind
	for i, s := range rows {
		row = t.row(s)
		key := by.key(&row)
		over, word := key.x-last.x, cmp.Compare(key.word, last.word)
		if ascending {
			over, word = -over, -word
		}
		if i > 0 && key.known && (!last.known || over > leeway || word > 0) {
			return true
		}
		if i == 0 || !key.known || over < 0 || word < 0 {
			last = key
		}
	}
	return false
}
