package flinkapi

import (
	"math"
	"strconv"
)

// Value is one number of a cluster in base units (seconds, bytes, records, ratio 0..1), or the reason why
// there is none. The zero Value is missing.
type Value struct {
	number float64
	state  valueState
}

type valueState uint8

const (
	missing valueState = iota
	notANumber
	known
)

// Known returns a Value that holds x. NaN and the infinities give a Value that is not a number.
func Known(x float64) Value {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return NaN()
	}
	return Value{number: x, state: known}
}

// NaN returns the Value of a metric that Flink reported as "NaN", such as the busy time of a legacy source.
func NaN() Value { return Value{state: notANumber} }

// Float returns the number and whether there is one.
func (v Value) Float() (float64, bool) { return v.number, v.state == known }

// IsKnown tells whether v holds a number.
func (v Value) IsKnown() bool { return v.state == known }

// IsNaN tells whether Flink answered, but with "NaN".
func (v Value) IsNaN() bool { return v.state == notANumber }

// Or returns the number, or fallback when there is none. It is for arithmetic whose caller has checked the
// state.
func (v Value) Or(fallback float64) float64 {
	if v.state == known {
		return v.number
	}
	return fallback
}

// Plus returns v with x added; what is not known stays so.
func (v Value) Plus(x float64) Value {
	if v.state != known {
		return v
	}
	return Known(v.number + x)
}

// Times returns v scaled by factor; what is not known stays so.
func (v Value) Times(factor float64) Value {
	if v.state != known {
		return v
	}
	return Known(v.number * factor)
}

// String returns the shortest form of the number, "NaN", or "-" when it is missing.
func (v Value) String() string {
	switch v.state {
	case known:
		return strconv.FormatFloat(v.number, 'g', -1, 64)
	case notANumber:
		return "NaN"
	default:
		return "-"
	}
}
