package tui

import (
	"fmt"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// workerColumn is a column of the table of TaskManagers: a bar where there is a whole, and words.
type workerColumn struct {
	name string
	w    int
	// part is the share that the bar shows and how it is toned; nil for a column without a bar.
	part func(*diagnose.WorkerState) (flinkapi.Value, tone)
	text func(*diagnose.WorkerState) string
}

// barCells is how long the bars are in a table of w cells.
func barCells(w int) int { return step(w, 4, 80, 6, 120, 8, 180, 12) }

// workerColumns are as many columns as fit in w cells with bars of so many.
func workerColumns(w, bar int) []workerColumn {
	all := workerColumnsAll(bar)
	for i := range all {
		if w -= all[i].w; w < 0 {
			return all[:i]
		}
	}
	return all
}

// workerColumnsAll are all columns, the most telling first.
func workerColumnsAll(bar int) []workerColumn {
	const gap = 2
	barred := func(words int) int { return gap + bar + 1 + words }
	share := func(name string, of func(*diagnose.WorkerState) (flinkapi.Value, tone)) workerColumn {
		w := max(barred(percentWidth), gap+cells(name))
		return workerColumn{name, w, of, func(t *diagnose.WorkerState) string {
			v, _ := of(t)
			return percent(v)
		}}
	}
	return []workerColumn{
		{"CPU", barred(12), func(t *diagnose.WorkerState) (flinkapi.Value, tone) {
			used := shareOf(t.Cores, t.MachineCores)
			return used, heatTone(used)
		}, func(t *diagnose.WorkerState) string { return cores(t.Cores) }},
		share("least heap", func(t *diagnose.WorkerState) (flinkapi.Value, tone) {
			left := shareOf(t.HeapFloor, t.HeapMax)
			return left, heatTone(left)
		}),
		share("GC time", func(t *diagnose.WorkerState) (flinkapi.Value, tone) { return t.GC, gcTone(t.GC) }),
		share("network memory", func(t *diagnose.WorkerState) (flinkapi.Value, tone) {
			return shareOf(t.NetworkUsed, t.NetworkMax), toneBack
		}),
		{"slots", barred(9), func(t *diagnose.WorkerState) (flinkapi.Value, tone) {
			if t.Slots == 0 {
				return flinkapi.Value{}, toneDim
			}
			return flinkapi.Known(float64(t.Slots-t.Free) / float64(t.Slots)), toneIdle
		}, func(t *diagnose.WorkerState) string { return fmt.Sprintf("%d of %d", t.Slots-t.Free, t.Slots) }},
		{"heartbeat", 15, nil, func(t *diagnose.WorkerState) string {
			d, ok := seconds(t.Silent)
			if !ok {
				return unknownMark
			}
			return age(d) + " ago"
		}},
		{"heap", 20, nil, func(t *diagnose.WorkerState) string { return ofSize(t.HeapUsed, t.HeapMax) }},
		{"managed memory", 20, nil, func(t *diagnose.WorkerState) string {
			return ofSize(t.ManagedUsed, t.ManagedMax)
		}},
	}
}

// shareOf is a part of a whole; missing where either is.
func shareOf(part, whole flinkapi.Value) flinkapi.Value {
	if most, ok := whole.Float(); ok && most > 0 {
		return part.Times(1 / most)
	}
	return flinkapi.Value{}
}

// cell is the column of one TaskManager.
func (c *workerColumn) cell(t *diagnose.WorkerState, bar int, th *Theme) line {
	if c.part == nil {
		return line{say(tonePlain, right(c.text(t), c.w))}
	}
	v, tn := c.part(t)
	out := th.meterOnto(line{say(tonePlain, "  ")}, v, bar, tn)
	return append(out, say(tn, right(c.text(t), c.w-2-bar)))
}

// headOf names the columns behind first; a name stands over the bar.
func headOf(first string, cols []workerColumn) line {
	for i := range cols {
		c := &cols[i]
		if c.part == nil {
			first += right(c.name, c.w)
			continue
		}
		first += "  " + pad(c.name, c.w-2, "")
	}
	return line{say(toneDim, first)}
}
