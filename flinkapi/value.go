package flinkapi

import (
	"math"
	"strconv"
)

// Value is one number of a cluster in base units (seconds, bytes, records, ratio 0..1), or the reason why
// there is none. The zero Value is missing.
type Value struct {
	// code is the number's bits, turned by mask so that 0 stands for the NaN that means missing. It takes half
	// the room that a number and a state beside it would take, and a large job has some millions of these.
	code uint64
}

// mask is the NaN that means missing; notANumber is another NaN, turned by it.
const (
	mask       uint64 = 0x7ff8_0000_0000_0001
	notANumber uint64 = mask ^ 0x7ff8_0000_0000_0002
)

// Known returns a Value that holds x. NaN and the infinities give a Value that is not a number.
func Known(x float64) Value {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return NaN()
	}
	return Value{math.Float64bits(x+0) ^ mask} // -0 + 0 is 0: there is one zero
}

// NaN returns the Value of a metric that Flink reported as "NaN", such as the busy time of a legacy source.
func NaN() Value { return Value{notANumber} }

// Float returns the number and whether there is one.
func (v Value) Float() (x float64, known bool) {
	x = math.Float64frombits(v.code ^ mask)
	if math.IsNaN(x) {
		return 0, false
	}
	return x, true
}

// IsKnown tells whether v holds a number.
func (v Value) IsKnown() bool {
	_, known := v.Float()
	return known
}

// IsNaN tells whether Flink answered, but with "NaN".
func (v Value) IsNaN() bool { return v.code == notANumber }

// Or returns the number, or fallback when there is none. It is for arithmetic whose caller has checked the
// state.
func (v Value) Or(fallback float64) float64 {
	if x, known := v.Float(); known {
		return x
	}
	return fallback
}

// Plus returns v with x added; what is not known stays so.
func (v Value) Plus(x float64) Value {
	n, known := v.Float()
	if !known {
		return v
	}
	return Known(n + x)
}

// Times returns v scaled by factor; what is not known stays so.
func (v Value) Times(factor float64) Value {
	n, known := v.Float()
	if !known {
		return v
	}
	return Known(n * factor)
}

// String returns the shortest form of the number, "NaN", or "-" when it is missing.
func (v Value) String() string {
	x, known := v.Float()
	switch {
	case known:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case v.IsNaN():
		return "NaN"
	}
	return "-"
}
