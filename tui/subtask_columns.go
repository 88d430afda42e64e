package tui

import (
	"math"
	"slices"
	"strconv"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// subtaskColumn is a column of the table of subtasks: what it is called, how it is read, shown and sorted.
type subtaskColumn struct {
	name string
	// w is its width with the gap before it; a column of words may be squeezed down to least.
	w, least int
	// value is its number, and format how that is written; nil for a column of words.
	value  func(*subtaskRow) flinkapi.Value
	format func(flinkapi.Value) string
	// word is what a column of words holds.
	word func(*subtaskRow) string
	// show is for what is neither, in at most n cells.
	show func(r *subtaskRow, n int, th *Theme) span
	tone func(*subtaskRow) tone
	// ascending is true where the smallest is looked for, and comes first.
	ascending bool
	// step is how coarse values count for the order; 0 is two significant digits.
	step float64
	// dear is true for what is read only while the subtasks are on the screen.
	dear bool
	// adds is true where the values of the subtasks add up to something, so that each has a share of it.
	adds bool
}

// leastWord is how narrow a column of words may become.
const leastWord = 12

// subtaskColumns are the columns of the table, the most telling first, with or without what is dear. The
// first one stays in sight.
func subtaskColumns(dear bool) []subtaskColumn {
	all := slices.Concat(subtaskShares(), subtaskGauges(), subtaskPlaces())
	if dear {
		return all
	}
	return slices.DeleteFunc(all, func(c subtaskColumn) bool { return c.dear })
}

func subtaskShares() []subtaskColumn {
	return []subtaskColumn{
		{
			name: "index", w: 5, ascending: true, step: 1, format: countWord,
			value: func(r *subtaskRow) flinkapi.Value { return flinkapi.Known(float64(r.Index)) },
		},
		{
			name: "busy", w: 8, format: diagnose.FormatRatio, step: shareStep, adds: true,
			value: func(r *subtaskRow) flinkapi.Value { return r.Busy },
			tone:  func(r *subtaskRow) tone { return heatTone(r.Busy) },
		},
		{
			name: "busy, 15 min", w: 15, dear: true, format: diagnose.FormatRatio, step: shareStep,
			value: func(r *subtaskRow) flinkapi.Value { return r.table.history.MeanBusy(r.Index) },
			show: func(r *subtaskRow, n int, th *Theme) span {
				over := r.busyOver(n)
				if !slices.ContainsFunc(over, flinkapi.Value.IsKnown) {
					if r.Busy.IsKnown() { // of before the first whole slot
						return say(heatTone(r.Busy), "now "+diagnose.FormatRatio(r.Busy))
					}
					return say(toneDim, unknownMark)
				}
				return say(heatTone(r.Busy), th.sparkline(over, 1))
			},
		},
		{
			name: "backpressured", w: 16, format: diagnose.FormatRatio, step: shareStep,
			value: func(r *subtaskRow) flinkapi.Value { return r.Backpressured },
			tone:  func(r *subtaskRow) tone { return shareTone(r.Backpressured, toneBack) },
		},
		{
			name: "idle", w: 8, format: diagnose.FormatRatio, step: shareStep,
			value: func(r *subtaskRow) flinkapi.Value { return r.Idle },
			tone:  func(r *subtaskRow) tone { return shareTone(r.Idle, toneIdle) },
		},
		{
			name: "records in", w: 13, format: rateWord, adds: true,
			value: func(r *subtaskRow) flinkapi.Value { return r.RecordsIn },
		},
		{
			name: "host", w: 24, least: leastWord, ascending: true,
			word: func(r *subtaskRow) string { return r.Host },
		},
		{
			name: "records out", w: 14, format: rateWord, adds: true,
			value: func(r *subtaskRow) flinkapi.Value { return r.RecordsOut },
		},
		{name: "state", w: 11, format: size, adds: true, dear: true, value: (*subtaskRow).state},
		{
			name: "watermark age", w: 17, format: behind, step: 1, dear: true,
			value: func(r *subtaskRow) flinkapi.Value { x, _ := r.watermark(); return x },
			show: func(r *subtaskRow, _ int, _ *Theme) span {
				x, ended := r.watermark()
				if ended {
					return say(toneDim, "ended")
				}
				return say(tonePlain, behind(x))
			},
		},
	}
}

// subtaskGauges are the numbers that are read of each subtask by itself.
func subtaskGauges() []subtaskColumn {
	gauge := func(s flinkapi.Signal) func(*subtaskRow) flinkapi.Value {
		return func(r *subtaskRow) flinkapi.Value { return r.gauges.Of(s) }
	}
	return []subtaskColumn{
		{
			name: "in buffers", w: 13, dear: true, format: diagnose.FormatRatio, step: shareStep,
			value: gauge(flinkapi.InPoolUsage),
		},
		{
			name: "out buffers", w: 14, dear: true, format: diagnose.FormatRatio, step: shareStep,
			value: gauge(flinkapi.OutPoolUsage),
		},
		{name: "in queue", w: 11, dear: true, format: countWord, adds: true, value: gauge(flinkapi.InputQueue)},
		{name: "out queue", w: 12, dear: true, format: countWord, adds: true, value: gauge(flinkapi.OutputQueue)},
		{
			name: "soft bp", w: 10, dear: true, format: diagnose.FormatRatio, step: shareStep,
			value: gauge(flinkapi.SoftBackpressuredShare),
		},
		{
			name: "hard bp", w: 10, dear: true, format: diagnose.FormatRatio, step: shareStep,
			value: gauge(flinkapi.HardBackpressuredShare),
		},
		{
			name: "bytes in", w: 12, dear: true, format: byteRate, adds: true,
			value: func(r *subtaskRow) flinkapi.Value { in, _ := r.bytes(); return in },
		},
		{
			name: "bytes out", w: 12, dear: true, format: byteRate, adds: true,
			value: func(r *subtaskRow) flinkapi.Value { _, out := r.bytes(); return out },
		},
	}
}

// subtaskPlaces are where the subtasks run, and in which state.
func subtaskPlaces() []subtaskColumn {
	return []subtaskColumn{
		{
			name: "status", w: 14, least: leastWord, ascending: true,
			word: func(r *subtaskRow) string { return string(r.State) },
			tone: func(r *subtaskRow) tone { return statusTone(r.State) },
		},
		{
			name: "attempt", w: 10, step: 1, format: countWord,
			value: func(r *subtaskRow) flinkapi.Value { return flinkapi.Known(float64(r.Attempt)) },
		},
		{
			name: "data age", w: 12, step: 1,
			format: func(v flinkapi.Value) string {
				d, ok := seconds(v)
				if !ok {
					return unknownMark
				}
				return age(d)
			},
			value: func(r *subtaskRow) flinkapi.Value { return r.MetricAge },
			tone:  func(*subtaskRow) tone { return toneDim },
		},
		{
			name: "TaskManager", w: 32, least: leastWord, ascending: true,
			word: func(r *subtaskRow) string { return string(r.TaskManager) },
			tone: func(*subtaskRow) tone { return toneDim },
		},
	}
}

// shareStep is how coarse shares of time count for the order: as they are shown.
const shareStep = 0.01

// statusTone marks a subtask that neither runs nor has finished.
func statusTone(s flinkapi.TaskState) tone {
	switch s {
	case flinkapi.TaskRunning, flinkapi.TaskFinished:
		return tonePlain
	case flinkapi.TaskInitializing:
	}
	return toneWarn
}

func countWord(v flinkapi.Value) string {
	x, ok := v.Float()
	if !ok {
		return unknownMark
	}
	return diagnose.FormatCount(x)
}

func byteRate(v flinkapi.Value) string {
	if !v.IsKnown() {
		return unknownMark
	}
	return size(v) + "/s"
}

// behind writes how far something is behind a clock, in seconds; it may be ahead of it, too.
func behind(v flinkapi.Value) string {
	x, ok := v.Float()
	switch {
	case !ok:
		return unknownMark
	case x < 0:
		return diagnose.FormatSpan(lengthOf(-x)) + " ahead"
	}
	return diagnose.FormatSpan(lengthOf(x))
}

// lengthOf turns seconds into a length of time, as long as one can be.
func lengthOf(seconds float64) time.Duration {
	if seconds > math.MaxInt64/float64(time.Second) {
		return math.MaxInt64
	}
	return time.Duration(seconds * float64(time.Second))
}

// sortKey is what a row is sorted by.
type sortKey struct {
	known bool
	x     float64
	word  string
}

func (c *subtaskColumn) key(r *subtaskRow) sortKey {
	if c.word != nil {
		word := c.word(r)
		return sortKey{known: word != "", word: word}
	}
	x, ok := c.value(r).Float()
	switch {
	case !ok:
		return sortKey{}
	case c.step > 0:
		return sortKey{known: true, x: math.Round(x / c.step)}
	}
	return sortKey{known: true, x: coarse(x)}
}

// coarse keeps two significant digits.
func coarse(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 1, 64), 64)
	if err != nil {
		return x
	}
	return y
}

// cell appends to out what a row shows in the column, w cells wide with the gap before it.
func (c *subtaskColumn) cell(out line, r *subtaskRow, w int, th *Theme) line {
	const gap = 2
	t := tonePlain
	if c.tone != nil {
		t = c.tone(r)
	}
	switch {
	case c.show != nil:
		shown := c.show(r, w-gap, th)
		return append(out, say(tonePlain, blank(gap))).toRight(shown.tone, shown.text, w-gap)
	case c.word != nil:
		text := cut(first(c.word(r), unknownMark), w-gap, th.ellipsis)
		return append(out, say(t, blank(gap)), say(t, text), say(t, blank(w-gap-cells(text))))
	}
	return out.toRight(t, c.format(c.value(r)), w)
}

// head is the column's name, with a mark where the rows are sorted by it.
func (c *subtaskColumn) head(w int, mark string) span {
	const gap = 2
	t := toneDim
	if mark != "" {
		t = toneStrong
	}
	if c.word != nil {
		return say(t, blank(gap)+pad(c.name+mark, w-gap, ""))
	}
	return say(t, right(mark+c.name, w))
}

// placedColumn is a column with the width that it has on the screen.
type placedColumn struct {
	*subtaskColumn
	number, w int
}

// placeColumns puts the columns from first on side by side into w cells, and tells whether some are left out
// on the right. A column of words that comes last takes what is left, or does with less.
func placeColumns(all []subtaskColumn, first, w int) (placed []placedColumn, more bool) {
	placed = make([]placedColumn, 0, max(len(all)-first, 0))
	for i := first; i < len(all); i++ {
		c := &all[i]
		width := c.w
		if c.least > 0 && w < width {
			width = max(w, c.least)
		}
		if width > w {
			return placed, true
		}
		placed = append(placed, placedColumn{c, i, width})
		w -= width
	}
	if n := len(placed); n > 0 && placed[n-1].word != nil {
		placed[n-1].w += w
	}
	return placed, false
}

// lastFirst is the column from which on all that follow fit into w cells: scrolling further shows nothing
// more.
func lastFirst(all []subtaskColumn, w int) int {
	for first := 1; first < len(all); first++ {
		if _, more := placeColumns(all, first, w); !more {
			return first
		}
	}
	return len(all) - 1
}
