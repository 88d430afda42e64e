package tui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// subtaskOrder is what the subtasks are sorted by.
type subtaskOrder uint8

const (
	byBusy subtaskOrder = iota
	byBackpressured
	byRecords
	byIndex
	orderCount
)

func (o subtaskOrder) String() string {
	return [orderCount]string{"busy", "backpressured", "records", "index"}[o]
}

// subtasksPane shows every subtask of the selected vertex: a heat strip over all of them, and a table. The
// cursor follows the subtask, not the row.
type subtasksPane struct {
	order subtaskOrder
	at    int // index of the subtask under the cursor; -1 for the first row
	// scroll is the window on the table.
	scroll scroll
}

// subtaskHead are the rows above the table: the vertex, the heat strip, the names of the columns.
const subtaskHead = 3

// Key moves the cursor, sorts, or goes to the next vertex.
func (p *subtasksPane) Key(a ActionID, sc *scene, r Rect, _ *Theme) bool {
	switch a {
	case ActionSort:
		p.order = (p.order + 1) % orderCount
		return true
	case ActionNext, ActionPrevious:
		return stepVertex(a, sc)
	default:
	}
	v, _ := sc.selectedVertex()
	rows := p.shown(sc, v)
	if len(rows) == 0 {
		return false
	}
	i, ok := moved(a, p.row(rows), len(rows), r.H-subtaskHead)
	p.at = rows[i].Index
	return ok
}

// stepVertex selects the next or previous vertex in topological order.
func stepVertex(a ActionID, sc *scene) bool {
	all := sc.shownVertices()
	if len(all) == 0 {
		return false
	}
	i := indexOf(all, sc.selected) + 1
	if a == ActionPrevious {
		i += len(all) - 2
	}
	sc.selected = all[i%len(all)].vertex.ID
	return true
}

// shown are the subtasks that pass the filter, in order. Shares count in steps of 5 %, so that rows do not
// change places for noise.
func (p *subtasksPane) shown(sc *scene, v vertexView) []diagnose.SubtaskState {
	rows := slices.DeleteFunc(slices.Clone(v.state.Subtasks), func(s diagnose.SubtaskState) bool {
		return sc.filter != "" && !sc.matches(strconv.Itoa(s.Index)+" "+s.Host+" "+string(s.TaskManager))
	})
	key := func(s diagnose.SubtaskState) float64 {
		switch p.order {
		case byBusy:
			return math.Round(s.Busy.Or(-1) * 20)
		case byBackpressured:
			return math.Round(s.Backpressured.Or(-1) * 20)
		case byRecords:
			return recordsOf(s.RecordsIn, s.RecordsOut).Or(-1)
		case byIndex, orderCount:
		}
		return 0
	}
	slices.SortStableFunc(rows, func(a, b diagnose.SubtaskState) int {
		return cmp.Or(cmp.Compare(key(b), key(a)), cmp.Compare(a.Index, b.Index))
	})
	return rows
}

// recordsOf is the rate that stands for the load: what comes in, or of a source, what goes out.
func recordsOf(in, out flinkapi.Value) flinkapi.Value {
	if in.IsKnown() {
		return in
	}
	return out
}

func (p *subtasksPane) row(rows []diagnose.SubtaskState) int {
	return max(slices.IndexFunc(rows, func(s diagnose.SubtaskState) bool { return s.Index == p.at }), 0)
}

// Draw returns the strip and the table.
func (p *subtasksPane) Draw(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	v, ok := sc.selectedVertex()
	if !ok {
		return th.fillRect([]line{{say(toneDim, sc.emptyWord())}}, r)
	}
	below := r
	below.H--
	table := p.table(sc, v, below, true, th) // first, since the title says which rows it shows
	return append([]string{th.paint(p.title(v, r.W, th), r.W)}, table...)
}

// table is the heat strip and as many subtasks as fit; with a cursor, the one under it is in sight.
func (p *subtasksPane) table(sc *scene, v vertexView, r Rect, cursor bool, th *Theme) []string {
	head := []line{heatStrip(v, r.W, th)}
	subtasks := p.shown(sc, v)
	if len(subtasks) == 0 {
		why := "no numbers per subtask yet; they are read for the selected vertex"
		if sc.filter != "" {
			why = "no subtask matches the filter"
		}
		return th.fillRect(append(head, line{say(toneDim, why)}), r)
	}
	if r.H < subtaskHead { // no row under the names of the columns
		return th.fillRect(head, r)
	}
	c := subtaskColumnsFor(r.W)
	head = append(head, c.head())
	at := p.row(subtasks)
	rows := p.scroll.around(len(subtasks), at, r.W, r.H-len(head), func(i int) string {
		return th.paint(c.line(subtasks[i], cursor && i == at, th), r.W)
	})
	return append(th.fillRect(head, Rect{W: r.W, H: len(head)}), rows...)
}

func (p *subtasksPane) title(v vertexView, w int, th *Theme) line {
	role := roleLook(v.state.Role, th)
	tail := line{say(toneDim, "sorted by "+p.order.String())}
	if part := p.scroll.part(); part != "" {
		tail = append(line{say(toneDim, part+", ")}, tail...)
	}
	left := line{
		say(toneDim, "subtasks of "), say(toneStrong, chain(v.vertex.Name, max(w-52, 12), &th.glyphs)),
		say(toneDim, "  "+timesWord(v)+"  "), say(role.tone, role.glyph+" "+string(v.state.Role)),
	}
	return spread(left, tail, w, th.ellipsis)
}

// heatStrip shows how busy each subtask is, in the order of their indices: one cell each, or the busiest of
// several.
func heatStrip(v vertexView, w int, th *Theme) line {
	label := "busy "
	n := max(v.vertex.Parallelism, len(v.state.Subtasks))
	if n == 0 || len(v.state.Subtasks) == 0 {
		return line{say(toneDim, label+unknownMark)}
	}
	width := min(n, max(w-cells(label)-12, 1))
	worst, gaps := make([]flinkapi.Value, width), make([]bool, width)
	for _, s := range v.state.Subtasks {
		i := s.Index * width / n
		if i >= width {
			continue
		}
		gaps[i] = gaps[i] || !s.Busy.IsKnown()
		if s.Busy.Or(-1) > worst[i].Or(-1) {
			worst[i] = s.Busy
		}
	}
	out := line{say(toneDim, label)}
	for i, b := range worst {
		if gaps[i] && b.Or(0) < hot { // what is not known may be the hot one
			out = append(out, say(toneUnknown, th.unknown))
			continue
		}
		out = append(out, say(heatTone(b), th.sparkCell(b)))
	}
	return append(out, say(toneDim, fmt.Sprintf(" subtasks 0 to %d", n-1)))
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

// subtaskColumns says which columns a table of w cells has room for.
type subtaskColumns struct {
	shares, out, attempt, age bool
	host, manager             int
}

func subtaskColumnsFor(w int) subtaskColumns {
	c := subtaskColumns{shares: w >= 60, out: w >= 76, attempt: w >= 92, age: w >= 84}
	left := w - 2 - 5 - 6 - 9
	for _, col := range []struct {
		on bool
		w  int
	}{{c.shares, 15 + 7}, {c.out, 9}, {c.attempt, 9}, {c.age, 9}} {
		if col.on {
			left -= col.w
		}
	}
	c.host = max(min(left-2, 32), 0)
	if rest := left - 2 - c.host - 2; rest >= 12 {
		c.manager = rest
	}
	return c
}

func (c subtaskColumns) head() line {
	text := "  " + right("#", 4) + right("busy", 7)
	if c.shares {
		text += right("backpressured", 15) + right("idle", 7)
	}
	text += right("in", 9)
	if c.out {
		text += right("out", 9)
	}
	if c.age {
		text += right("age", 9)
	}
	if c.attempt {
		text += right("attempt", 9)
	}
	text += "  " + pad("host", c.host, "")
	if c.manager > 0 {
		text += "  TaskManager"
	}
	return line{say(toneDim, text)}
}

func (c subtaskColumns) line(s diagnose.SubtaskState, at bool, th *Theme) line {
	mark, t := "  ", tonePlain
	if at {
		mark, t = th.pointer+" ", toneSelected
	}
	out := line{
		say(toneSelected, mark), say(t, right(strconv.Itoa(s.Index), 4)),
		say(heatTone(s.Busy), right(percent(s.Busy), 7)),
	}
	if c.shares {
		out = append(out, say(shareTone(s.Backpressured, toneBack), right(percent(s.Backpressured), 15)),
			say(shareTone(s.Idle, toneIdle), right(percent(s.Idle), 7)))
	}
	out = append(out, say(tonePlain, right(rate(s.RecordsIn), 9)))
	if c.out {
		out = append(out, say(tonePlain, right(rate(s.RecordsOut), 9)))
	}
	if c.age {
		old := unknownMark
		if d, ok := seconds(s.MetricAge); ok {
			old = age(d)
		}
		out = append(out, say(toneDim, right(old, 9)))
	}
	if c.attempt {
		out = append(out, say(toneDim, right(strconv.Itoa(s.Attempt), 9)))
	}
	out = append(out, say(tonePlain, "  "+pad(first(s.Host, unknownMark), c.host, th.ellipsis)))
	if c.manager > 0 {
		out = append(out, say(toneDim, "  "+cut(first(string(s.TaskManager), unknownMark), c.manager, th.ellipsis)))
	}
	return out
}
