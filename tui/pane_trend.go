package tui

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/guptarohit/asciigraph"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui/dag"
)

const (
	// trendSpan is how far back the trend reaches.
	trendSpan = 15 * time.Minute
	// trendLabel is the width of the words on the left of the trend's rows.
	trendLabel = 9
	// leastHour is the least width of the last hour, where the screen has it.
	leastHour = 40
	// legendWidth is left free on the right of the rows for what they mean.
	legendWidth = 36
	// checkpointWidth is what the checkpoints need beside the pressure.
	checkpointWidth = 42
	// chartRows is the least height that a chart with an axis is drawn in: its steps are then 25 %, with one
	// more row 20 %.
	chartRows = 9
	// fineChartRows is the height of a chart with steps of 10 %.
	fineChartRows = 15
)

// drawTrend shows how it came to this: the pressure, who was named, and the checkpoints.
func drawTrend(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	t := trendOf(sc)
	switch {
	case r.H >= chartRows:
		return th.fillRect(t.chart(sc, r, th), r)
	case r.H >= 3:
		w := trendWidth(r.W)
		return th.fillRect([]line{t.pressure(sc, w, th), hourRow(sc, w, r.W, th), checkpointRow(sc, r.W, th)}, r)
	}
	w := max(min((r.W-trendLabel)/2, r.W-trendLabel-2-checkpointWidth), 10)
	top := fit(t.pressure(sc, w, th)[:2], w+trendLabel+2, th.ellipsis)
	top = append(top, checkpointRow(sc, r.W-w-trendLabel-2, th)...)
	return th.fillRect([]line{top, hourRow(sc, trendWidth(r.W), r.W, th)}, r)
}

// trendWidth is the width of the time axis on a row of w cells: what the label and the legend leave.
func trendWidth(w int) int { return max(w-trendLabel-legendWidth, w/2, leastHour) }

// trendView is the trend of the picture on the screen.
type trendView struct {
	end    time.Time
	points []diagnose.TrendPoint
}

func trendOf(sc *scene) trendView {
	if sc.obs == nil || sc.opening != "" {
		return trendView{}
	}
	return trendView{sc.obs.At, sc.obs.Trend}
}

// columns returns the pressure in w columns.
func (t trendView) columns(w int) []flinkapi.Value {
	samples := make([]sample, len(t.points))
	for i, p := range t.points {
		samples[i] = sample{p.At, p.Pressure}
	}
	return overTrend(samples, t.end, w)
}

// pressure is the largest backpressured share, as a sparkline.
func (t trendView) pressure(sc *scene, w int, th *Theme) line {
	out := line{say(toneDim, pad("pressure", trendLabel, "")), say(toneBack, th.sparkline(t.columns(w), 1))}
	if len(t.points) > 0 {
		now := diagnose.FormatRatio(sc.pressure())
		out = append(out, say(tonePlain, "  "+now), say(toneDim, " now, last 15 min"))
	}
	return out
}

// pressure is the largest backpressured share now; the newest point of the trend may be old.
func (sc *scene) pressure() flinkapi.Value {
	var most flinkapi.Value
	for _, v := range sc.vertices() {
		if b := v.state.Backpressured; b.IsKnown() && b.Or(0) >= most.Or(0) {
			most = b
		}
	}
	return most
}

// chart draws the pressure with axes; below it, with a scale of its own, who was named.
func (t trendView) chart(sc *scene, r Rect, th *Theme) []line {
	width := trendWidth(r.W)
	rows := []line{{say(toneDim, "pressure: the largest backpressured share, last 15 min")}}
	rows = append(rows, plot(t.columns(width), r.H-4, toneBack, th)...)
	return append(rows, timeAxis(width), hourRow(sc, width, r.W, th), checkpointRow(sc, r.W, th))
}

// timeAxis names the ends of the time axis below a plot of w columns.
func timeAxis(w int) line {
	return line{say(toneDim, blank(trendLabel)+pad("-15 min", w-3, "")+"now")}
}

// plot draws shares 0..1 with asciigraph in h rows, one column per value: its own scaling would lose short
// peaks, and it cannot draw what is not finite.
func plot(values []flinkapi.Value, h int, curve tone, th *Theme) []line {
	series := make([]float64, len(values))
	known := false
	for i, v := range values {
		x, ok := v.Float()
		if series[i] = math.NaN(); ok {
			series[i], known = 100*x, true
		}
	}
	if !known || h < 2 {
		return slices.Repeat([]line{nil}, max(h, 0))
	}
	text := asciigraph.Plot(series, asciigraph.Height(h-1), asciigraph.LowerBound(0), asciigraph.UpperBound(100),
		asciigraph.YAxisValueFormatter(func(v float64) string { return fmt.Sprintf("%5.0f %%", v) }))
	if th.charset() == dag.ASCII {
		text = strings.NewReplacer("┤", "|", "│", "|", "─", "-", "╴", "-", "╶", "-", "┼", "+", "╭", "+", "╮", "+",
			"╯", "+", "╰", "+").Replace(text)
	}
	var out []line
	for row := range strings.SplitSeq(text, "\n") {
		at, n := len(row), 0
		for i := range row { // which goes by characters
			if n == trendLabel {
				at = i
				break
			}
			n++
		}
		out = append(out, line{say(toneDim, row[:at]), say(curve, row[at:])})
	}
	return out
}

// checkpointRow shows the durations of the last checkpoints, and those of the first and the last of them.
func checkpointRow(sc *scene, w int, th *Theme) line {
	label := say(toneDim, "checkpoints ")
	job := sc.job()
	switch {
	case job == nil || job.Checkpoints == nil:
		return line{label, say(toneDim, unknownMark)}
	case !job.Checkpoints.Enabled:
		return line{label, say(toneDim, "off")}
	}
	cp := job.Checkpoints
	done := durationsOf(cp)
	if len(done) == 0 {
		return line{label, say(toneDim, "none completed")}
	}
	from, to := done[0], done[len(done)-1]
	text := line{
		say(toneDim, " first "), say(tonePlain, diagnose.FormatSpan(from)),
		say(toneDim, ", last "), say(tonePlain, diagnose.FormatSpan(to)),
	}
	switch {
	case len(done) == 1:
		text = line{say(toneDim, " took "), say(tonePlain, diagnose.FormatSpan(to))}
	case cells(label.text)+text.width()+min(len(done), 10) > w:
		text = line{say(tonePlain, " "+diagnose.FormatSpan(from)+" to "+diagnose.FormatSpan(to))}
	}
	for _, extra := range checkpointExtras(cp) {
		if cells(label.text)+text.width()+2+extra.width()+min(len(done), 10) <= w {
			text = append(append(text, say(toneDim, ", ")), extra...)
		}
	}
	room := max(w-cells(label.text)-text.width(), 1)
	done = done[max(len(done)-room, 0):]
	top := slices.Max(done).Seconds()
	values := make([]flinkapi.Value, len(done))
	for i, d := range done {
		values[i] = flinkapi.Known(d.Seconds())
	}
	return append(line{label, say(toneIdle, th.sparkline(values, top))}, text...)
}

// durationsOf returns the durations of the completed checkpoints, oldest first; savepoints are no measure.
func durationsOf(cp *flinkapi.Checkpoints) []time.Duration {
	var out []time.Duration
	for _, c := range slices.Backward(cp.History) {
		if c.Status == "COMPLETED" && !c.Savepoint {
			out = append(out, c.Duration)
		}
	}
	return out
}

// failedCheckpoints counts the failed ones. Flink counts one that could not even be triggered too, such as
// while tasks start: it has no row, and no colour.
func failedCheckpoints(cp *flinkapi.Checkpoints) line {
	text := fmt.Sprintf("%d failed", cp.Failed)
	failed := func(x flinkapi.Checkpoint) bool { return x.Status == flinkapi.CheckpointFailed }
	if slices.ContainsFunc(cp.History, failed) {
		return line{say(toneWarn, text)}
	}
	if n := len(cp.History); n > 0 {
		text += fmt.Sprintf(" before the last %d", n)
	}
	return line{say(toneDim, text)}
}

// checkpointExtras are the facts that stand behind the durations where there is room.
func checkpointExtras(cp *flinkapi.Checkpoints) []line {
	var out []line
	if cp.Failed > 0 {
		out = append(out, failedCheckpoints(cp))
	}
	if cp.Timeout > 0 {
		out = append(out, line{say(toneDim, "timeout "+diagnose.FormatSpan(cp.Timeout))})
	}
	if cp.Interval > 0 {
		out = append(out, line{say(toneDim, "every "+diagnose.FormatSpan(cp.Interval))})
	}
	if cp.Unaligned {
		out = append(out, line{say(toneDim, "unaligned")})
	}
	return out
}
