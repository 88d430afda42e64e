package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// partRow is a vertex's, or a subtask's, part in a checkpoint.
type partRow struct {
	name, acked string
	late        bool // not all of it has acknowledged
	duration    string
	parts       *flinkapi.CheckpointPart // nil where not known
	size        flinkapi.Value
	slowest     string
	whole       time.Duration
}

// vertexPart sums up a vertex: its parts are those of the subtask that acknowledged last, for which the
// vertex had to wait.
func vertexPart(name string, v *flinkapi.CheckpointVertex) partRow {
	r := partRow{
		name: name, acked: fmt.Sprintf("%d of %d", v.Acked, v.Subtasks), late: v.Acked < v.Subtasks,
		duration: diagnose.FormatSpan(v.Duration), parts: slowestPart(v), size: v.StateBytes, slowest: unknownMark,
		whole: v.Duration,
	}
	if r.parts != nil {
		r.slowest = strconv.Itoa(r.parts.Subtask)
	}
	if r.late { // Flink tells of those that have acknowledged so far, which says nothing of the vertex
		r.duration, r.parts, r.size, r.slowest, r.whole = unknownMark, nil, flinkapi.Value{}, unknownMark, 0
	}
	return r
}

func subtaskPart(part *flinkapi.CheckpointPart) partRow {
	r := partRow{
		name: "subtask " + strconv.Itoa(part.Subtask), acked: ackWord(part.Acked), late: !part.Acked,
		duration: unknownMark,
	}
	if part.Acked {
		r.duration, r.whole = diagnose.FormatSpan(part.Duration), part.Duration
		r.parts, r.size = part, part.StateBytes
	}
	return r
}

func ackWord(acked bool) string {
	if acked {
		return "yes"
	}
	return "no"
}

// partColumns says which columns a table of parts has room for.
type partColumns struct {
	what    string
	name    int
	parts   int // how many of the four
	size    bool
	slowest bool
	bar     int
	longest time.Duration
}

// The widths of the columns of parts.
const (
	partNameLeast   = 15
	partAckedWidth  = 11
	partSpanWidth   = 12
	partSizeWidth   = 10
	partSlowWidth   = 9
	partBarLeast    = 16
	partNameMost    = 40
	partNameComfort = 24
)

func partColumnsFor(w int, what string, longest time.Duration) partColumns {
	c := partColumns{what: what, longest: longest}
	left := w - partNameLeast - partAckedWidth - partSpanWidth
	take := func(n int) bool {
		if left < n {
			return false
		}
		left -= n
		return true
	}
	for c.parts < 4 && take(partSpanWidth) {
		c.parts++
	}
	if c.parts < 4 { // the parts go to a row of their own
		left += c.parts * partSpanWidth
		c.parts = 0
	}
	c.size = take(partSizeWidth)
	c.slowest = what == "vertex" && c.parts == 4 && take(partSlowWidth)
	c.name = partNameLeast
	if what == "vertex" {
		c.name += min(left, partNameComfort-partNameLeast)
	}
	left -= c.name - partNameLeast
	if left < partBarLeast || c.parts < 4 {
		return c
	}
	if what == "vertex" {
		more := min((left-partBarLeast)/2, partNameMost-c.name)
		c.name, left = c.name+more, left-more
	}
	c.bar = left - 2
	return c
}

func (c partColumns) head() line {
	text := "  " + pad(c.what, c.name-2, "") + right("acked", partAckedWidth) + right("duration", partSpanWidth)
	for _, name := range partNames()[:c.parts] {
		text += right(name, partSpanWidth)
	}
	if c.size {
		text += right("state", partSizeWidth)
	}
	if c.slowest {
		text += right("slowest", partSlowWidth)
	}
	if c.bar > 0 {
		text += "  0 to " + diagnose.FormatSpan(c.longest)
	}
	return line{say(toneDim, text)}
}

func partNames() []string { return []string{"start delay", "alignment", "sync", "async"} }

// part writes a row of a table of parts; where it has no room for the four parts, they follow below.
func (p *paper) part(c partColumns, r partRow) {
	t := tonePlain
	if r.late {
		t = toneWarn
	}
	row := line{
		say(tonePlain, "  "+pad(chain(r.name, c.name-2, &p.th.glyphs), c.name-2, p.th.ellipsis)),
		say(t, right(r.acked, partAckedWidth)), say(tonePlain, right(r.duration, partSpanWidth)),
	}
	parts := checkpointParts{}
	if r.parts != nil {
		parts = partsIn(r.parts)
	}
	var below []string
	for i, look := range p.th.partLooks() {
		text := unknownMark
		if r.parts != nil {
			text = diagnose.FormatSpan(parts[i])
		}
		if i < c.parts {
			row = append(row, say(look.tone, right(text, partSpanWidth)))
		}
		below = append(below, look.name+" "+text)
	}
	if c.size {
		row = append(row, say(tonePlain, right(size(r.size), partSizeWidth)))
	}
	if c.slowest {
		row = append(row, say(toneDim, right(r.slowest, partSlowWidth)))
	}
	if c.bar > 0 {
		row = append(append(row, say(tonePlain, "  ")), p.th.stacked(parts, r.whole, c.longest, c.bar)...)
	}
	p.add(row)
	if c.parts == 0 {
		p.entry(nil, 4, toneDim, strings.Join(below, ", "))
	}
}
