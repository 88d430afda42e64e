package diagnose

import (
	"math"

	"culprit/flinkapi"
)

// spent is how a subtask spent its time in a slot, and its records. A job of 20 000 subtasks keeps 90 of
// each, so it is small.
type spent struct {
	busy, backpressured, idle billionths // they add up to 1 where all are known
	in, out                   float32    // records per second; below 0 where they are not known
}

// billionths is a share of time in billionths.
type billionths uint32

const (
	billion               = 1_000_000_000
	unmeasured billionths = math.MaxUint32
	// notNumber is the busy time of a legacy source: Flink answers, but with NaN.
	notNumber billionths = math.MaxUint32 - 1
	// mostRate is more records per second than one subtask can take.
	mostRate    = 1e9
	unknownRate = -1
)

// unspent is a subtask of which nothing is known.
func unspent() spent {
	return spent{unmeasured, unmeasured, unmeasured, unknownRate, unknownRate}
}

// billionthsOf is a share of time, which is at least 0.
func billionthsOf(x float64) billionths { return billionths(min(x, 1)*billion + 0.5) }

// billionthsFrom is a share that Flink reports.
func billionthsFrom(v flinkapi.Value) billionths {
	x, known := v.Float()
	switch {
	case known:
		return billionthsOf(max(x, 0))
	case v.IsNaN():
		return notNumber
	}
	return unmeasured
}

// float returns the share 0..1 and whether there is one.
func (b billionths) float() (x float64, known bool) { return float64(b) / billion, b < notNumber }

func (b billionths) value() flinkapi.Value {
	switch b {
	case unmeasured:
		return flinkapi.Value{}
	case notNumber:
		return flinkapi.NaN()
	}
	return flinkapi.Known(float64(b) / billion)
}

func narrow(v flinkapi.Value) float32 {
	x, known := v.Float()
	if !known {
		return unknownRate
	}
	return float32(min(x, mostRate))
}

func wide(x float32) flinkapi.Value {
	if x < 0 {
		return flinkapi.Value{}
	}
	return flinkapi.Known(float64(x))
}

func (s *spent) rate() rate { return rate{wide(s.in), wide(s.out)} }
