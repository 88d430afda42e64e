package diagnose

import (
	"cmp"
	"time"

	"culprit/flinkapi"
)

const (
	// fleetLagSpan is over which time the lag of a job of the fleet is seen to grow or to fall.
	fleetLagSpan = 5 * time.Minute
	// lagHold is how long a direction is told of that single readings no longer show: one of them may be of
	// another moment than the rest.
	lagHold = time.Minute
	// lagOld is how old a lag may be to say that it grows now.
	lagOld = 2 * time.Minute
)

// Lag is how far the sources of a job are behind.
type Lag struct {
	// Records wait at its sources; missing where no source tells.
	Records flinkapi.Value
	// Behind is the age of what is fetched, in seconds, where the records are not known.
	Behind flinkapi.Value
	// Slope is by how many records it changes a second; missing without enough readings. Trend is its sign
	// where the readings agree on it: 1 grows, -1 falls, 0 neither.
	Slope flinkapi.Value
	Trend int
	// Span is over which time the slope was seen.
	Span time.Duration
	// At is when it was read, by the source's clock.
	At time.Time
}

// readLag adds up what the sources of a job tell; it is as old as the oldest of that. What one of them does
// not tell leaves the whole unknown.
func (w *window) readLag(job *flinkapi.Job, g *graph) (out Lag) {
	records, slope, trend, known, trends := 0.0, 0.0, 0, true, true
	for v := range job.Vertices {
		source := &job.Vertices[v]
		if len(g.in[v]) > 0 {
			continue
		}
		if out.At.IsZero() || source.SpreadRead.Before(out.At) {
			out.At = source.SpreadRead
		}
		if behind, ok := source.Spread[flinkapi.FetchLag].Max.Float(); ok {
			out.Behind = flinkapi.Known(max(behind, out.Behind.Or(0)))
		}
		waiting, ok := source.Spread[flinkapi.PendingRecords].Sum.Float()
		known = known && ok
		records += waiting
		t, ok := w.lagTrend(source.ID, fleetLagSpan)
		trends = trends && ok
		slope += t.slope
		out.Span = max(out.Span, t.span)
		trend += t.direction(w.limits)
	}
	if !known || len(job.Vertices) == 0 {
		return out
	}
	out.Records = flinkapi.Known(records)
	if trends {
		out.Slope, out.Trend = flinkapi.Known(slope), cmp.Compare(trend, 0)
	}
	return out
}

// direction is 1 for a lag that grows, -1 for one that falls, 0 for neither.
func (l *lagTrend) direction(limits thresholds) int {
	switch {
	case l.grows(limits):
		return 1
	case l.slope < 0 && l.tau <= -limits.trendTau:
		return -1
	}
	return 0
}

// noteLag takes in the newest lag of a job. A direction stays for a while, unless the opposite one is seen.
func (w *fleetWatch) noteLag(g *graph) {
	for i := range w.newest.Vertices {
		w.past.noteSeries(&w.newest.Vertices[i])
	}
	lag := w.past.readLag(w.newest, g)
	switch held := w.lag.Trend; {
	case lag.Trend != 0:
		w.directed = lag.At
	case held != 0 && lag.Slope.Or(0)*float64(held) >= 0 && lag.At.Sub(w.directed) < lagHold:
		lag.Trend = held
	}
	w.lag = lag
}

// newerLag is the lag as the last full look has it, where that is newer than what a glance gave.
func (w *jobWatch) newerLag(than Lag) Lag {
	if w.lag.At.After(than.At) {
		return w.lag
	}
	return than
}
