package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// subtaskPane tells all that is known of the subtask under the cursor of the list.
type subtaskPane struct {
	list *subtasksPane
	text *textPane
}

func newSubtaskPane(list *subtasksPane) *subtaskPane {
	p := &subtaskPane{list: list}
	p.text = newText(func(sc *scene, page *paper) { subtaskText(sc, list.at, page) }, nil)
	return p
}

// Key goes to the next subtask of the list, or scrolls.
func (p *subtaskPane) Key(a ActionID, sc *scene, r Rect, th *Theme) bool {
	switch a {
	case ActionNext:
		return p.list.step(sc, 1)
	case ActionPrevious:
		return p.list.step(sc, -1)
	default:
	}
	return p.text.Key(a, sc, r, th)
}

// Draw returns the visible part of the text.
func (p *subtaskPane) Draw(sc *scene, r Rect, th *Theme) []string { return p.text.Draw(sc, r, th) }

// subtaskText tells of one subtask: how it did, beside the others of its vertex, its part in the checkpoints,
// what its thread does, and its TaskManager.
func subtaskText(sc *scene, index int, p *paper) {
	w, th := p.w, p.th
	v, ok := sc.selectedVertex()
	if !ok {
		p.add(line{say(toneDim, sc.emptyWord())})
		return
	}
	table := subtaskTableOf(sc, v)
	row, ok := table.find(index)
	p.add(line{
		say(toneDim, "subtask "), say(toneSelected, strconv.Itoa(index)), say(toneDim, " of "),
		say(toneStrong, v.name(max(w-30, 12), &th.glyphs)), say(toneDim, "  "+timesWord(v)),
	})
	if !ok {
		p.entry(line{say(toneWarn, "  "+th.warn)}, 4, tonePlain, goneWord(v, index))
		return
	}
	p.whereabouts(sc, &row)
	p.course(sc, &row)
	p.beside(&row)
	p.ownCheckpoints(sc, &row)
	p.ownStacks(sc, &row)
	p.ownWorker(sc, &row)
}

// goneWord says why a subtask is not there.
func goneWord(v vertexView, index int) string {
	if v.state.Subtasks.Len() == 0 {
		return "its numbers have not been read yet; they are read for the selected vertex"
	}
	return fmt.Sprintf("subtask %d is not there: the vertex has %s now; tab goes to one of them", index,
		plural(v.state.Subtasks.Len(), "subtask"))
}

// notYetWord says why what is read of the subtasks on the screen is not there.
func notYetWord(sc *scene) string {
	if sc.frozen {
		return "not kept of this moment: it is read while the subtasks are on the screen"
	}
	return "comes with the next look"
}

// whereabouts is its state, and where it runs.
func (p *paper) whereabouts(sc *scene, r *subtaskRow) {
	out := line{
		say(tonePlain, "  "), say(statusTone(r.State), first(string(r.State), unknownMark)),
		say(toneDim, fmt.Sprintf("  attempt %d", r.Attempt)),
	}
	if task := taskOf(r.table.v.vertex, r.Index); task != nil && !task.StartedAt.IsZero() {
		out = append(out, say(toneDim, "  started "+age(sc.job().Now.Sub(task.StartedAt))+" ago"))
	}
	if d, ok := seconds(r.MetricAge); ok {
		out = append(out, say(toneDim, "  data "+age(d)+" old"))
	}
	p.add(append(out, say(toneDim, "  on "), say(tonePlain, first(r.Host, unknownMark))))
}

func taskOf(v *flinkapi.Vertex, index int) *flinkapi.Subtask {
	i := slices.IndexFunc(v.Subtasks, func(s flinkapi.Subtask) bool { return s.Index == index })
	if i < 0 {
		return nil
	}
	return &v.Subtasks[i]
}

// series is one number of a subtask over time.
type series struct {
	name   string
	tone   tone
	format func(flinkapi.Value) string
	of     func(*diagnose.SubtaskPoint) flinkapi.Value
}

func shareSeries() []series {
	return []series{
		{"busy", toneBusy, diagnose.FormatRatio, func(p *diagnose.SubtaskPoint) flinkapi.Value { return p.Busy }},
		{
			"backpressured", toneBack, diagnose.FormatRatio,
			func(p *diagnose.SubtaskPoint) flinkapi.Value { return p.Backpressured },
		},
	}
}

func glanceSeries() []series {
	return []series{
		{
			"idle", toneIdle, diagnose.FormatRatio,
			func(p *diagnose.SubtaskPoint) flinkapi.Value { return p.Idle },
		},
		{
			"records in", tonePlain, trimmedRate,
			func(p *diagnose.SubtaskPoint) flinkapi.Value { return p.RecordsIn },
		},
		{
			"records out", tonePlain, trimmedRate,
			func(p *diagnose.SubtaskPoint) flinkapi.Value { return p.RecordsOut },
		},
	}
}

func trimmedRate(v flinkapi.Value) string { return strings.TrimSpace(rate(v)) }

// graphRows is the height of a graph with an axis: steps of 25 %.
const graphRows = 5

// course draws its shares with an axis, where there is room for one, and the rest as sparklines.
func (p *paper) course(sc *scene, r *subtaskRow) {
	p.heading("the last 15 minutes")
	points := r.table.history.Points(r.Index)
	switch {
	case r.table.history == nil:
		p.entry(nil, 2, toneDim, notYetWord(sc))
		return
	case len(points) == 0:
		p.entry(nil, 2, toneDim, "no share of time is known yet; the first one takes two looks")
		return
	}
	const graphs, leastGraph, gap = 2, 38, 2
	shares, glances := shareSeries(), glanceSeries()
	switch {
	case p.w >= graphs*leastGraph+gap:
		w := (p.w - gap) / graphs
		left, right := p.graph(r, &shares[0], points, w), p.graph(r, &shares[1], points, w)
		for i := range left {
			row := append(fit(left[i], w, p.th.ellipsis), say(tonePlain, blank(gap)))
			p.add(append(row, fit(right[i], w, p.th.ellipsis)...))
		}
	case p.w >= leastGraph+gap:
		for i := range shares {
			for _, row := range p.graph(r, &shares[i], points, p.w) {
				p.add(row)
			}
		}
	default:
		glances = append(shares, glances...)
	}
	for i := range glances {
		p.glance(r, &glances[i], points)
	}
}

func (s *series) columns(r *subtaskRow, points []diagnose.SubtaskPoint, n int) []flinkapi.Value {
	samples := make([]sample, len(points))
	for i := range points {
		samples[i] = sample{points[i].At, s.of(&points[i])}
	}
	return overTrend(samples, r.table.end, n)
}

// graph draws a share 0..1 with its axes in w cells.
func (p *paper) graph(r *subtaskRow, s *series, points []diagnose.SubtaskPoint, w int) []line {
	now := s.of(&points[len(points)-1])
	width := max(w-trendLabel, 1)
	out := []line{{
		say(toneDim, "  "), say(tonePlain, s.name), say(toneDim, "  now "), say(s.tone, s.format(now)),
	}}
	out = append(out, plot(s.columns(r, points, width), graphRows, s.tone, p.th)...)
	return append(out, timeAxis(width))
}

// glance draws a number as a sparkline with its least, its largest and its newest value.
func (p *paper) glance(r *subtaskRow, s *series, points []diagnose.SubtaskPoint) {
	const label, words = 14, 52
	var least, most flinkapi.Value
	for i := range points {
		v := s.of(&points[i])
		if x, ok := v.Float(); ok {
			if !least.IsKnown() || x < least.Or(0) {
				least = v
			}
			if !most.IsKnown() || x > most.Or(0) {
				most = v
			}
		}
	}
	head := line{say(toneDim, "  "+pad(s.name, label, ""))}
	if !most.IsKnown() {
		p.add(append(head, say(toneDim, unknownMark)))
		return
	}
	columns := s.columns(r, points, max(p.w-2-label-words, 8))
	p.add(append(head, say(s.tone, p.th.sparkline(columns, most.Or(0))), say(toneDim, "  now "),
		say(tonePlain, s.format(s.of(&points[len(points)-1]))), say(toneDim, "  least "+s.format(least)+
			"  largest "+s.format(most))))
}

// beside lists its numbers with the median and the largest of all subtasks of the vertex.
func (p *paper) beside(r *subtaskRow) {
	const label, number, wide = 16, 14, 72
	p.heading("now, beside all subtasks of the vertex")
	head := "  " + pad("", label, "") + right("this one", min(number, p.w-2-label-number))
	if head += right("median", number); p.w >= wide {
		head += right("largest", number) + "  of subtask"
	}
	p.add(line{say(toneDim, head)})
	columns := subtaskColumns(true)
	for i := range columns[1:] {
		c := &columns[i+1]
		if c.value == nil {
			continue
		}
		all := r.table.spreadOf(c)
		if len(all.values) == 0 {
			continue
		}
		top := ""
		if all.values[0] < all.most {
			top = strconv.Itoa(all.top)
		}
		write := func(v flinkapi.Value, w int) string { return right(strings.TrimSpace(c.format(v)), w) }
		row := line{
			say(toneDim, "  "+pad(c.name, label, "")),
			say(toneStrong, write(c.value(r), min(number, p.w-2-label-number))),
			say(tonePlain, write(flinkapi.Known(median(all.values)), number)),
		}
		if p.w >= wide {
			row = append(row, say(tonePlain, write(flinkapi.Known(all.most), number)), say(toneDim, "  "+top))
		}
		p.add(row)
	}
}
