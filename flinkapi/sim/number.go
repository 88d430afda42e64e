package sim

import (
	"math"
	"strconv"
	"strings"
)

// double is a Java double in JSON: always with a fraction or an exponent, NaN as the string "NaN".
type double float64

// MarshalJSON writes d as Jackson does.
func (d double) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(d)) || math.IsInf(float64(d), 0) {
		return []byte(`"` + javaDouble(float64(d)) + `"`), nil
	}
	return []byte(javaDouble(float64(d))), nil
}

// javaDouble is Double.toString.
func javaDouble(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	}
	if size := math.Abs(x); x == 0 || size >= 1e-3 && size < 1e7 {
		s := strconv.FormatFloat(x, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	power, _ := strconv.Atoi(exponent)
	return mantissa + "E" + strconv.Itoa(power)
}
