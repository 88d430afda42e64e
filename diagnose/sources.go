package diagnose

import (
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

// SourceState is a source in the newest look: a vertex without inputs, or one of several sources in its
// chain. What its connector does not report is missing.
type SourceState struct {
	Vertex VertexRef
	// Operator is the source inside the chain as Flink filtered its name; empty where the vertex has one alone.
	Operator string
	// Lag is how many records wait (pendingRecords); LagSlope by how many that changes a second (Theil-Sen) over
	// LagSpan, missing while too few readings were seen, and for one of several sources.
	Lag, LagSlope flinkapi.Value
	LagSpan       time.Duration
	// Rate is records per second that it gives out; Busy, Backpressured and Idle the largest shares over the
	// subtasks, each by itself. They are of the whole vertex.
	Rate, Busy, Backpressured, Idle flinkapi.Value
	// Watermark and WatermarkAhead are those of the subtask furthest behind and furthest ahead, in seconds since
	// 1970; missing where it has none. WatermarkLag is how far the first was behind the JobManager's clock when
	// it was read, WatermarkStood for how long it has not moved; both in seconds.
	Watermark, WatermarkAhead, WatermarkLag, WatermarkStood flinkapi.Value
	// Ended is true where the last watermark of all has come: the input has ended.
	Ended bool
	// FetchLag and EmitLag are how old records are when they are fetched and given out, of the subtask with the
	// oldest; Silent and SilentLeast for how long the subtasks have read no record, the longest and the
	// shortest; Drift how far it is ahead of its watermark group. In seconds.
	FetchLag, EmitLag, Silent, SilentLeast, Drift flinkapi.Value
	// Unassigned counts the splits that nobody reads yet.
	Unassigned flinkapi.Value
	// Looked tells whether the names of the vertex's metrics were looked up: before that, what is missing may
	// still come.
	Looked bool
	// Age is how old the metrics are, in seconds; missing where they were never read.
	Age flinkapi.Value
}

// sourceMetrics are what a connector may report of a source, the most telling first.
func sourceMetrics() []flinkapi.Signal {
	return []flinkapi.Signal{
		flinkapi.PendingRecords, flinkapi.EmitLag, flinkapi.FetchLag, flinkapi.SourceIdleTime,
		flinkapi.AlignmentDrift, flinkapi.UnassignedSplits,
	}
}

// NotReported lists the metrics, as Flink names them, that the source's connector does not report; empty
// while that is not known.
func (s *SourceState) NotReported() []string {
	if !s.Looked {
		return nil
	}
	var out []string
	for i, v := range []flinkapi.Value{s.Lag, s.EmitLag, s.FetchLag, s.Silent, s.Drift, s.Unassigned} {
		if !v.IsKnown() {
			out = append(out, sourceMetrics()[i].Info().Metric)
		}
	}
	return out
}

// sourceStates describes the sources in the snapshot's order.
func (c *Case) sourceStates() []SourceState {
	var out []SourceState
	for v := range c.job.Vertices {
		if len(c.g.in[v]) > 0 {
			continue
		}
		apart := c.sourcesOf(v)
		if len(apart) < 2 {
			out = append(out, c.sourceState(v))
			continue
		}
		for _, operator := range apart {
			out = append(out, c.chainedSource(v, operator))
		}
	}
	return out
}

// sourcesOf names the operators of a vertex that report something which only sources do.
func (c *Case) sourcesOf(v int) []string {
	var out []string
	for _, signal := range sourceMetrics() {
		all, _ := c.operators(v, signal)
		for _, one := range all {
			if one.Operator != "" && !slices.Contains(out, one.Operator) {
				out = append(out, one.Operator)
			}
		}
	}
	slices.Sort(out)
	return out
}

// sourceState describes a vertex with one source.
func (c *Case) sourceState(v int) SourceState {
	s := c.sourceVertex(v)
	s.fill(c.job.Now, func(signal flinkapi.Signal) flinkapi.Spread { return c.spread(v, signal) })
	if trend, ok := c.lagOf(v, c.limits.lagWindow); ok {
		s.LagSlope, s.LagSpan = flinkapi.Known(trend.slope), trend.span
	}
	all := c.marks(v, flinkapi.OutputWatermark)
	if len(all) > 0 && s.Watermark.IsKnown() {
		stood := stoodFor(all, lowSide)
		if stood >= c.limits.slot { // one that was seen to move moves, though a subtask may be silent
			stood = c.standsFor(v, all)
		}
		s.WatermarkStood = flinkapi.Known(stood.Seconds())
	}
	return s
}

// chainedSource describes one of several sources in a chain.
func (c *Case) chainedSource(v int, operator string) SourceState {
	s := c.sourceVertex(v)
	s.Operator = strings.TrimPrefix(operator, "Source__")
	s.fill(c.job.Now, func(signal flinkapi.Signal) flinkapi.Spread {
		all, _ := c.operators(v, signal)
		i := slices.IndexFunc(all, func(o flinkapi.OperatorSpread) bool { return o.Operator == operator })
		if i < 0 {
			return flinkapi.Spread{}
		}
		return all[i].Spread
	})
	return s
}

// sourceVertex is what a source has from its vertex.
func (c *Case) sourceVertex(v int) SourceState {
	vertex := c.vertex(v)
	s := SourceState{Vertex: c.ref(v), Looked: vertex.Operators != nil}
	if !vertex.SpreadRead.IsZero() {
		s.Age = flinkapi.Known(max(c.snapshot.At.Sub(vertex.SpreadRead), 0).Seconds())
	}
	if !c.stale() && c.job.State == flinkapi.JobRunning {
		sh := c.shares(v)
		all, _ := c.rates(v)
		s.Busy, s.Backpressured, s.Idle, s.Rate = sh.busy, sh.backpressured, sh.maxIdle, all.out
	}
	return s
}

// fill takes over what the connector reports; now is the JobManager's time.
func (s *SourceState) fill(now time.Time, spread func(flinkapi.Signal) flinkapi.Spread) {
	s.Lag, s.Unassigned = spread(flinkapi.PendingRecords).Sum, spread(flinkapi.UnassignedSplits).Sum
	s.FetchLag, s.EmitLag = spread(flinkapi.FetchLag).Max, spread(flinkapi.EmitLag).Max
	silent := spread(flinkapi.SourceIdleTime)
	s.Silent, s.SilentLeast, s.Drift = silent.Max, silent.Min, spread(flinkapi.AlignmentDrift).Max
	mark := spread(flinkapi.OutputWatermark)
	low, ok := mark.Min.Float()
	switch {
	case !ok || low <= noWatermark:
	case low >= lastWatermark:
		s.Ended = true
	default:
		s.Watermark, s.WatermarkAhead = mark.Min, mark.Max
		if age, known := s.Age.Float(); known && !now.IsZero() {
			s.WatermarkLag = flinkapi.Known(float64(now.UnixMilli())/1000 - age - low)
		}
	}
}
