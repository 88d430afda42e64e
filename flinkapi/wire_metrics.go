package flinkapi

import (
	"cmp"
	"math"
	"slices"
)

// wireMetrics is the answer of every metrics endpoint: value where one subject was asked, the others where
// many were (…rest.messages.job.metrics.Metric, AggregatedMetric).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/
// #jobs-jobid-vertices-vertexid-subtasks-metrics
type wireMetrics []wireMetric

type wireMetric struct {
	ID    text   `json:"id"`
	Value number `json:"value"`
	Min   number `json:"min"`
	Max   number `json:"max"`
	Mean  number `json:"avg"`
	Sum   number `json:"sum"`
}

func (w wireMetrics) recognised() bool { return w != nil }

// readings returns the values of the signals by their metric ids.
func (w wireMetrics) readings(signals []Signal) Readings {
	var r Readings
	for _, m := range w {
		for _, s := range signals {
			if info := s.Info(); string(m.ID) == info.Metric && m.Value != (number{}) {
				r = r.With(s, info.base(m.Value.Value))
			}
		}
	}
	return r
}

// spreads returns the signals over the subtasks by their metric ids.
func (w wireMetrics) spreads(signals []Signal) map[Signal]Spread {
	all := map[Signal]Spread{}
	for _, m := range w {
		for _, s := range signals {
			if info := s.Info(); info.Metric == string(m.ID) {
				all[s] = m.spread(s)
			}
		}
	}
	return all
}

// operators returns the signals by the last part of their metric ids, apart by operator and in its order.
func (w wireMetrics) operators(signals []Signal) map[Signal][]OperatorSpread {
	all := map[Signal][]OperatorSpread{}
	for _, m := range w {
		for _, s := range signals {
			if operator, is := s.Info().operatorOf(string(m.ID)); is {
				all[s] = append(all[s], OperatorSpread{text(operator).name(), m.spread(s)})
			}
		}
	}
	for _, list := range all {
		slices.SortStableFunc(list, func(a, b OperatorSpread) int { return cmp.Compare(a.Operator, b.Operator) })
	}
	return all
}

// joined returns the spread over the operators: the task's own where there is one, as it covers them.
func joined(list []OperatorSpread) Spread {
	all := list[0].Spread
	if list[0].Operator == "" {
		return all
	}
	for _, one := range list[1:] {
		all = all.join(one.Spread)
	}
	return all
}

// spread converts an aggregated metric, or a single value, which is all of its spread.
func (m wireMetric) spread(s Signal) Spread {
	info := s.Info()
	if m.Value != (number{}) {
		v := info.base(s.there(m.Value).Value)
		return Spread{v, v, v, v}
	}
	out := Spread{Min: info.base(s.there(m.Min).Value), Max: info.base(s.there(m.Max).Value)}
	if out.Min.IsKnown() == m.Min.IsKnown() && !(s.epoch() && m.Max.Or(0) >= endOfTime) {
		out.Mean, out.Sum = info.base(m.Mean.Value), info.base(m.Sum.Value)
	}
	return out
}

// endOfTime is Flink's watermark of an input that has ended, in ms, somewhat less than 2^63-1: aggregated
// answers round it. Its negative is that of an input which has none yet.
const endOfTime = 9.2e18

// there drops the numbers that stand for nothing: a watermark that has not come yet, a drift from one that
// has not, and a lag of -1 before the first record. One such number spoils the mean and the sum beside it.
func (s Signal) there(n number) number {
	x, known := n.Float()
	none := false
	switch s {
	case InputWatermark, OutputWatermark:
		none = x <= -endOfTime
	case AlignmentDrift:
		none = math.Abs(x) >= endOfTime/2
	case FetchLag, EmitLag:
		none = x == -1
	default:
	}
	if known && none {
		return number{}
	}
	return n
}

// join returns the spread over what two spreads cover; their mean is not known.
func (s Spread) join(other Spread) Spread {
	return Spread{
		Min: combine(s.Min, other.Min, math.Min), Max: combine(s.Max, other.Max, math.Max),
		Sum: combine(s.Sum, other.Sum, func(a, b float64) float64 { return a + b }),
	}
}

// combine joins two values; what is not known in one of them is not known at all.
func combine(a, b Value, how func(x, y float64) float64) Value {
	x, knownX := a.Float()
	y, knownY := b.Float()
	if !knownX || !knownY {
		return Value{}
	}
	return Known(how(x, y))
}
