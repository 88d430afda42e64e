package diagnose

import (
	"fmt"
	"slices"

	"culprit/flinkapi"
)

// Outcome grades a comparison of now with before.
type Outcome string

// The outcomes.
const (
	// Helped is more throughput, or more room at the same input, without a new culprit or with the bottleneck
	// elsewhere.
	Helped Outcome = "helped"
	// HelpedInPart is more throughput while the same operator still holds the job back.
	HelpedInPart Outcome = "helped-in-part"
	// BottleneckMoved is another culprit, and no more throughput.
	BottleneckMoved Outcome = "moved"
	Unchanged       Outcome = "unchanged"
	WorseThanBefore Outcome = "worse"
	// Unclear is that it cannot be told, or not yet.
	Unclear Outcome = "unclear"
)

// Comparison says what has changed from one span of a job to a later one.
type Comparison struct {
	Before, After Stretch
	Outcome       Outcome
	// Sentence is the verdict.
	Sentence string
	// Moved is the operator that the bottleneck moved to; nil where it did not.
	Moved *VertexRef
	// Sinks and Sources are the records per second that all sinks take in and all sources give out; Busiest is
	// the largest busy share of the job, and whose it is.
	Sinks, Sources Pair
	Busiest        Pair
	BusiestOf      [2]VertexRef
	// Lag are the records that wait at the sources that report it, LagSlope by how many that changes a second.
	Lag, LagSlope Pair
	Vertices      []VertexChange
}

// Pair is a number before and after; missing where it is not known.
type Pair struct{ Before, After flinkapi.Value }

// VertexChange is a vertex that is there before and after. Capacity is how many records per second it could
// take if its busiest subtask were busy all the time: records over busy share.
type VertexChange struct {
	Vertex                                 VertexRef
	Parallelism                            [2]int
	Records, Busy, Backpressured, Capacity Pair
}

// noise is by which share two rates differ that count as the same; roomChange by which difference two busy
// shares do.
const noise, roomChange = 0.1, 0.1

// Compare compares two spans of a job, given as samples, oldest first.
func Compare(before, after []Sample) Comparison {
	c := Comparison{Before: stretchOf(before), After: stretchOf(after)}
	c.Sinks = c.pair(func(s *Stretch) flinkapi.Value { return s.sum(sinksIn) })
	c.Sources = c.pair(func(s *Stretch) flinkapi.Value { return s.sum(sourcesOut) })
	c.Lag = c.pair(func(s *Stretch) flinkapi.Value { return s.sum(lagAtEnd) })
	c.LagSlope = c.pair(func(s *Stretch) flinkapi.Value { return s.sum(lagSlope) })
	c.Busiest = c.pair(func(s *Stretch) flinkapi.Value { return s.busiest().Busy })
	c.BusiestOf = [2]VertexRef{c.Before.busiest().Vertex, c.After.busiest().Vertex}
	for i := range c.Before.Vertices {
		if k := c.After.find(c.Before.Vertices[i].Vertex); k >= 0 {
			c.Vertices = append(c.Vertices, vertexChange(&c.Before.Vertices[i], &c.After.Vertices[k]))
		}
	}
	c.Outcome, c.Sentence = c.judge()
	return c
}

func (c *Comparison) pair(of func(*Stretch) flinkapi.Value) Pair {
	return Pair{of(&c.Before), of(&c.After)}
}

// The numbers of a vertex that are added up over the job; not ok where the vertex has no part in them.
func sinksIn(v *StretchVertex) (flinkapi.Value, bool)    { return v.In, v.Sink && !v.Source }
func sourcesOut(v *StretchVertex) (flinkapi.Value, bool) { return v.Out, v.Source && !v.Sink }
func lagAtEnd(v *StretchVertex) (flinkapi.Value, bool)   { return v.Lag, v.Source && v.Lag.IsKnown() }

func lagSlope(v *StretchVertex) (flinkapi.Value, bool) {
	return v.LagSlope, v.Source && v.Lag.IsKnown()
}

// sum adds up a number; missing where one of its parts is.
func (s *Stretch) sum(of func(*StretchVertex) (flinkapi.Value, bool)) flinkapi.Value {
	var all flinkapi.Value
	n := 0
	for i := range s.Vertices {
		x, ok := of(&s.Vertices[i])
		if !ok {
			continue
		}
		if n++; n == 1 {
			all = x
		} else {
			all = plus(all, x)
		}
	}
	return all
}

func (s *Stretch) busiest() SampledVertex {
	var out SampledVertex
	for i := range s.Vertices {
		if v := &s.Vertices[i].SampledVertex; larger(out.Busy, v.Busy) != out.Busy {
			out = *v
		}
	}
	return out
}

// find is the place of a vertex, by its id, or by its name where the job was submitted anew; -1 for none.
func (s *Stretch) find(v VertexRef) int {
	byID := func(o StretchVertex) bool { return o.Vertex.ID == v.ID }
	if i := slices.IndexFunc(s.Vertices, byID); i >= 0 {
		return i
	}
	return slices.IndexFunc(s.Vertices, func(o StretchVertex) bool { return o.Vertex.Name == v.Name })
}

func vertexChange(b, a *StretchVertex) VertexChange {
	records := func(v *StretchVertex) flinkapi.Value {
		if v.Source {
			return v.Out
		}
		return v.In
	}
	return VertexChange{
		Vertex: a.Vertex, Parallelism: [2]int{b.Parallelism, a.Parallelism},
		Records: Pair{records(b), records(a)}, Busy: Pair{b.Busy, a.Busy},
		Backpressured: Pair{b.Backpressured, a.Backpressured},
		Capacity:      Pair{atFullLoad(records(b), b.Busy), atFullLoad(records(a), a.Busy)},
	}
}

// atFullLoad is missing for a vertex that is hardly busy: the quotient of two small numbers says nothing.
func atFullLoad(records, busy flinkapi.Value) flinkapi.Value {
	const least = 0.05
	x, ok := records.Float()
	share, known := busy.Float()
	if !ok || !known || share < least || x <= 0 {
		return flinkapi.Value{}
	}
	return flinkapi.Known(x / share)
}

// trend is how a number changed.
type trend int

const (
	unknownTurn trend = iota
	turnedDown
	stayed
	turnedUp
)

// trend compares the two numbers by their ratio.
func (p Pair) trend() trend {
	b, okB := p.Before.Float()
	a, okA := p.After.Float()
	switch {
	case !okA || !okB:
		return unknownTurn
	case a > b*(1+noise) && a > 0:
		return turnedUp
	case a < b*(1-noise):
		return turnedDown
	}
	return stayed
}

// shift compares two shares by their difference.
func (p Pair) shift() trend {
	b, okB := p.Before.Float()
	a, okA := p.After.Float()
	switch {
	case !okA || !okB:
		return unknownTurn
	case a-b >= roomChange:
		return turnedUp
	case b-a >= roomChange:
		return turnedDown
	}
	return stayed
}

// through is the throughput that the verdict speaks of, and its name.
func (c *Comparison) through() (p Pair, name string) {
	if c.Sinks.trend() != unknownTurn || c.Sources.trend() == unknownTurn {
		return c.Sinks, "sink records"
	}
	return c.Sources, "source records"
}

// fromTo says a rate before and after.
func (p Pair) fromTo() string { return RateWords(p.Before) + " to " + RateWords(p.After) }

// RateWords writes records per second, such as "1.2 k/s", or "-".
func RateWords(v flinkapi.Value) string {
	x, ok := v.Float()
	if !ok {
		return UnknownMark
	}
	return FormatQuantity(x, flinkapi.PerSecond)
}

// moved is the first culprit after, where it was none before.
func (c *Comparison) moved() *Blamed {
	after := c.After.Told.Culprits
	if len(after) == 0 {
		return nil
	}
	now := &after[0]
	named := func(b Blamed) bool { return b.Vertex.ID == now.Vertex.ID || b.Vertex.Name == now.Vertex.Name }
	if slices.ContainsFunc(c.Before.Told.Culprits, named) {
		return nil
	}
	return now
}

// of is the change of a vertex; nil where it is gone.
func (c *Comparison) of(v VertexRef) *VertexChange {
	for i := range c.Vertices {
		if x := &c.Vertices[i]; x.Vertex.ID == v.ID || x.Vertex.Name == v.Name {
			return x
		}
	}
	return nil
}

// judge is the verdict and its sentence.
func (c *Comparison) judge() (Outcome, string) {
	b, a := &c.Before, &c.After
	switch {
	case b.Why != "":
		return Unclear, "cannot tell: of before, " + b.Why
	case a.Why != "":
		return Unclear, "cannot tell yet, because " + a.Why
	case b.Job.Name != a.Job.Name:
		return Unclear, fmt.Sprintf("cannot tell: these are two jobs, %s and %s", b.Job.Name, a.Job.Name)
	case a.Told.Trouble != "" || b.Told.Trouble != "":
		return c.judgeTrouble()
	case len(b.Told.Culprits) > 0 && len(a.Told.Culprits) > 0:
		return c.judgeCulprits()
	case len(b.Told.Culprits) > 0:
		return c.judgeGone()
	case len(a.Told.Culprits) > 0:
		return c.judgeCome()
	}
	return c.judgeCalm()
}
