package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// columnSpread are the known values of a column over all subtasks of the vertex, sorted.
type columnSpread struct {
	values []float64
	top    int // the subtask with the largest
	most   float64
	sum    float64
}

func (t *subtaskTable) spreadOf(c *subtaskColumn) columnSpread {
	out := columnSpread{values: make([]float64, 0, len(t.all))}
	var row subtaskRow // one for all of them: it leaves the stack
	for i := range t.all {
		row = t.row(&t.all[i])
		x, ok := c.value(&row).Float()
		if !ok {
			continue
		}
		if len(out.values) == 0 || x > out.most {
			out.top, out.most = t.all[i].Index, x
		}
		out.values, out.sum = append(out.values, x), out.sum+x
	}
	slices.Sort(out.values)
	return out
}

// spreadLine says how the values of a column are spread over all subtasks of the vertex: the least, the
// median and the largest, and what share of the whole the largest has.
func (t *subtaskTable) spreadLine(c *subtaskColumn, w int, th *Theme) line {
	if c.word != nil {
		return fit(t.wordsLine(c), w, th.ellipsis)
	}
	subtasks, all := len(t.all), t.spreadOf(c)
	head := say(toneDim, c.name+": ")
	if len(all.values) == 0 {
		return fit(line{head, say(toneDim, unknownMark+" of all "+plural(subtasks, "subtask"))}, w, th.ellipsis)
	}
	word := func(x float64) span { return say(tonePlain, strings.TrimSpace(c.format(flinkapi.Known(x)))) }
	known := len(all.values)
	if all.values[0] == all.most && known > 1 {
		return fit(line{head, word(all.most), say(toneDim, fmt.Sprintf(" each of %d", known))}, w, th.ellipsis)
	}
	out := line{
		head, say(toneDim, "min "), word(all.values[0]), say(toneDim, "  median "), word(median(all.values)),
		say(toneDim, "  max "), word(all.most), say(toneDim, fmt.Sprintf(" (subtask %d)", all.top)),
	}
	if c.adds && all.sum > 0 && all.values[0] >= 0 {
		out = append(out, say(toneDim, "  the top one has "), say(tonePlain, partOf100(all.most/all.sum)),
			say(toneDim, " of all, an even share is "+partOf100(1/float64(known))))
	}
	if known < subtasks {
		out = append(out, say(toneUnknown, fmt.Sprintf("  known of %d of %d", known, subtasks)))
	}
	return fit(out, w, th.ellipsis)
}

// partOf100 writes a ratio 0..1 with three digits: one of 2,000 subtasks has 0.05 % of all.
func partOf100(x float64) string { return diagnose.FormatCount(100*x) + " %" }

// median of sorted values, of which there is one at least.
func median(sorted []float64) float64 {
	n := len(sorted)
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// wordsLine counts how many subtasks have which word, the most frequent first.
func (t *subtaskTable) wordsLine(c *subtaskColumn) line {
	counts := map[string]int{}
	for i := range t.all {
		row := t.row(&t.all[i])
		counts[c.word(&row)]++
	}
	words := make([]string, 0, len(counts))
	for word := range counts {
		words = append(words, word)
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) })
	out := line{say(toneDim, c.name+": ")}
	const most = 4
	for i, word := range words[:min(len(words), most)] {
		if i > 0 {
			out = append(out, say(toneDim, ", "))
		}
		out = append(out, say(tonePlain, first(word, unknownMark)),
			say(toneDim, fmt.Sprintf(" has %d", counts[word])))
	}
	if rest := len(words) - most; rest > 0 {
		out = append(out, say(toneDim, fmt.Sprintf(", and %d more", rest)))
	}
	return out
}

// neighbours says who feeds a vertex and whom it feeds, and how records choose the subtask.
func neighbours(job *flinkapi.Job, id flinkapi.VertexID, w int, th *Theme) line {
	if job == nil {
		return nil
	}
	var up, down []string
	for _, e := range job.Edges {
		if e.To == id {
			up = append(up, neighbour(job.Vertex(e.From), e, th))
		}
		if e.From == id {
			down = append(down, neighbour(job.Vertex(e.To), e, th))
		}
	}
	const above, below = "upstream ", "  downstream "
	source := first(strings.Join(up, ", "), "none, it is a source")
	sink := first(strings.Join(down, ", "), "none, it is a sink")
	room := w - cells(above+below)
	half := max(room/2, 12)
	switch { // the shorter side leaves the other one what it does not need
	case cells(source) <= half:
		sink = cutMiddle(sink, room-cells(source), th.ellipsis)
	case cells(sink) <= half:
		source = cutMiddle(source, room-cells(sink), th.ellipsis)
	default:
		source, sink = cutMiddle(source, half, th.ellipsis), cutMiddle(sink, half, th.ellipsis)
	}
	return fit(line{
		say(toneDim, above), say(tonePlain, source), say(toneDim, below), say(tonePlain, sink),
	}, w, th.ellipsis)
}

func neighbour(v *flinkapi.Vertex, e flinkapi.Edge, th *Theme) string {
	if v == nil {
		return unknownMark
	}
	name := fmt.Sprintf("%s x%d", chain(v.Name, 40, &th.glyphs), v.Parallelism)
	if e.Ship != "" {
		name += " (" + strings.ToLower(string(e.Ship)) + ")"
	}
	return name
}

// heatStrip shows how busy each subtask is, in the order of their indices, in at most h rows: one cell each,
// or where there are more of them than cells, the busiest of several.
func heatStrip(v vertexView, w, h int, th *Theme) []line {
	n := max(v.vertex.Parallelism, v.state.Subtasks.Len())
	const name = "busy "
	if n == 0 || v.state.Subtasks.Len() == 0 {
		return []line{{say(toneDim, name+unknownMark)}}
	}
	label := len(name)
	foot := fmt.Sprintf(" subtasks 0 to %d", n-1)
	wide := max(w-label-cells(foot), 1)
	cellCount := min(n, wide)
	if wide < n {
		const room = 14 // for the words behind the first row
		wide = max(w-label-room, 1)
		cellCount = min(n, wide*max(h, 1))
		foot = fmt.Sprintf(" 0 to %d", n-1)
	}
	if each := (n + cellCount - 1) / cellCount; each > 1 {
		foot = fmt.Sprintf(" worst of %d", each)
	}
	worst, gaps := worstOf(&v.state.Subtasks, n, cellCount)
	var out []line
	for from := 0; from < cellCount; from += wide {
		row := line{say(toneDim, name)}
		if from > 0 {
			row = line{say(toneDim, pad(fmt.Sprint((from*n+cellCount-1)/cellCount), label, ""))}
		}
		for i := from; i < min(from+wide, cellCount); i++ {
			b := worst[i]
			if gaps[i] && b.Or(0) < hot { // what is not known may be the hot one
				row = append(row, say(toneUnknown, th.unknown))
				continue
			}
			row = append(row, say(heatTone(b), th.sparkCell(b)))
		}
		if from == 0 {
			row = append(row, say(toneDim, foot))
		}
		out = append(out, row)
	}
	return out
}

// worstOf spreads the busy shares of n subtasks over cells: the largest of each, and whether one is not
// known.
func worstOf(all *diagnose.SubtaskStates, n, cellCount int) (worst []flinkapi.Value, gaps []bool) {
	worst, gaps = make([]flinkapi.Value, cellCount), make([]bool, cellCount)
	for i := range all.Len() {
		s := all.At(i)
		at := s.Index * cellCount / n
		if at < 0 || at >= cellCount {
			continue
		}
		gaps[at] = gaps[at] || !s.Busy.IsKnown()
		if s.Busy.Or(-1) > worst[at].Or(-1) {
			worst[at] = s.Busy
		}
	}
	return worst, gaps
}

// hot and warm are where a busy share begins to look so.
const hot, warm = 0.8, 0.5

// heatTone colours a busy share: idle blue, busy red.
func heatTone(v flinkapi.Value) tone {
	x, ok := v.Float()
	switch {
	case !ok:
		return toneUnknown
	case x >= hot:
		return toneBusy
	case x >= warm:
		return toneWarn
	}
	return toneIdle
}
