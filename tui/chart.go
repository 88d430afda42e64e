package tui

import (
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"culprit/flinkapi"
)

// meter draws a ratio 0..1 as a bar of w cells; the track beyond it stays visible. What is not known gives an
// empty row, not an empty track.
func (th *Theme) meter(v flinkapi.Value, w int, t tone) line {
	return th.meterOnto(make(line, 0, meterSpans), v, w, t)
}

// meterSpans is how many pieces a meter has at the most.
const meterSpans = 3

// meterOnto appends a meter to out.
func (th *Theme) meterOnto(out line, v flinkapi.Value, w int, t tone) line {
	x, ok := v.Float()
	if !ok || w <= 0 {
		return append(out, span{toneDim, blank(w)})
	}
	x = min(max(x, 0), 1)
	parts := len(th.halves) + 1
	filled := int(math.Round(x * float64(w*parts)))
	used := filled / parts
	out = append(out, span{t, th.run(th.fill, used)})
	if rest := filled % parts; rest > 0 {
		out = append(out, span{t, th.halves[rest-1]})
		used++
	}
	return append(out, span{toneTrack, th.run(th.empty, w-used)})
}

// loadBar draws how a vertex spends its time in w cells: busy from the left, backpressured from the right,
// each with a sign of its own; where the two are of different subtasks and fill more than the bar, busy stays
// whole.
func (th *Theme) loadBar(busy, pressed flinkapi.Value, w int, busyTone tone) line {
	b, known := busy.Float()
	p, too := pressed.Float()
	if !known && !too || w <= 0 {
		return line{{toneDim, blank(w)}}
	}
	part := func(x float64) int { return int(math.Round(min(max(x, 0), 1) * float64(w))) }
	left := part(b)
	right := min(part(p), w-left)
	return line{
		say(busyTone, th.run(th.fill, left)),
		say(toneTrack, th.run(th.empty, w-left-right)),
		say(toneBack, th.run(th.pressed, right)),
	}
}

// sparkCell returns the character for a ratio 0..1; what is not known is a blank.
func (th *Theme) sparkCell(v flinkapi.Value) string {
	x, ok := v.Float()
	if !ok {
		return " "
	}
	last := len(th.bars) - 1
	return th.bars[min(max(int(x*float64(last)+0.5), 0), last)]
}

// sparkline draws one character per value, as a ratio of top.
func (th *Theme) sparkline(values []flinkapi.Value, top float64) string {
	var out strings.Builder
	out.Grow(len(values) * utf8.UTFMax)
	for _, v := range values {
		if top > 0 {
			v = v.Times(1 / top)
		}
		out.WriteString(th.sparkCell(v))
	}
	return out.String()
}

// sample is one value at one time.
type sample struct {
	at    time.Time
	value flinkapi.Value
}

// bucketMax spreads samples over n buckets that end at end, and keeps the largest known value of each, so
// that a short peak stays visible at any width. A bucket without samples is missing.
func bucketMax(samples []sample, end time.Time, span time.Duration, n int) []flinkapi.Value {
	out := make([]flinkapi.Value, max(n, 0))
	for _, s := range samples {
		i, ok := bucketOf(s.at, end, span, n)
		if !ok || !s.value.IsKnown() {
			continue
		}
		if !out[i].IsKnown() || s.value.Or(0) > out[i].Or(0) {
			out[i] = s.value
		}
	}
	return out
}

// overTrend spreads samples over n columns of the last 15 minutes up to end. Where columns are finer than the
// samples, one fills those up to the next.
func overTrend(samples []sample, end time.Time, n int) []flinkapi.Value {
	return bridge(bucketMax(samples, end, trendSpan, n), n/30)
}

// bucketOf returns the bucket of a moment among n that span the time up to end.
func bucketOf(at, end time.Time, span time.Duration, n int) (int, bool) {
	back := end.Sub(at)
	if n <= 0 || back < 0 || back >= span {
		return 0, false
	}
	return n - 1 - int(int64(back)*int64(n)/int64(span)), true
}

// bridge fills gaps of at most gap buckets between known ones with the value before them: samples are further
// apart than columns where the screen is wide.
func bridge(values []flinkapi.Value, gap int) []flinkapi.Value {
	last := -1
	for i := range values {
		if !values[i].IsKnown() {
			continue
		}
		if last >= 0 && i-last-1 <= gap {
			for j := last + 1; j < i; j++ {
				values[j] = values[last]
			}
		}
		last = i
	}
	return values
}
