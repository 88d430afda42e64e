package diagnose

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"culprit/flinkapi"
)

// UnknownMark stands for every number that is not known, which is never written as 0.
const UnknownMark = "-"

// FormatDuration writes a length of time, or an age, in whole seconds with its two largest units: "8 s",
// "4 min 12 s", "3 h 4 min", "2 d 5 h".
func FormatDuration(d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return pair(s/60, "min", s%60, "s")
	case s < 86400:
		return pair(s/3600, "h", s%3600/60, "min")
	}
	return pair(s/86400, "d", s%86400/3600, "h")
}

// FormatSpan writes a measured length of time, where parts of a second count: "350 ms", "4.2 s",
// "4 min 12 s"; less than none gives "-".
func FormatSpan(d time.Duration) string {
	switch {
	case d < 0:
		return UnknownMark
	case d == 0:
		return "0 s"
	case d < time.Millisecond:
		return "< 1 ms"
	case d < time.Second-500*time.Microsecond:
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	case d < 9950*time.Millisecond:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " s"
	}
	return FormatDuration(d)
}

func pair(large int, unit string, small int, smaller string) string {
	if small == 0 {
		return fmt.Sprintf("%d %s", large, unit)
	}
	return fmt.Sprintf("%d %s %d %s", large, unit, small, smaller)
}

// FormatRatio writes a ratio 0..1 as whole percent, "99 %", or "-" where it is not known.
func FormatRatio(v flinkapi.Value) string {
	x, ok := v.Float()
	if !ok {
		return UnknownMark
	}
	var room [8]byte
	return string(append(strconv.AppendFloat(room[:0], 100*x, 'f', 0, 64), " %"...))
}

// FormatCount writes a count, or the number of a quantity before its unit, with three significant digits
// and no zeros at its end: "950", "1.2 k", "12.3 M".
func FormatCount(x float64) string {
	digits, prefix := Scale(x)
	if strings.Contains(digits, ".") {
		digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
	}
	if prefix == "" {
		return digits
	}
	return digits + " " + prefix
}

// wholeBelow is the number below which what was counted is written in full.
const wholeBelow = 100_000

// FormatWhole writes what was counted one by one, such as failures or subtasks: every digit below 100 000,
// from there on three digits as [FormatCount] has them.
func FormatWhole(n float64) string {
	if whole := math.Round(n); math.Abs(whole) < wholeBelow {
		return strconv.FormatFloat(whole, 'f', 0, 64)
	}
	return FormatCount(n)
}

// roughly writes a factor that a model gives, which is not known to three digits: "1.4", "7", "33".
func roughly(x float64) string {
	const small, large = 3, 100
	switch {
	case x < small:
		x = math.Round(10*x) / 10
	case x < large:
		x = math.Round(x)
	default:
		last := math.Pow(10, math.Floor(math.Log10(x))-1)
		x = math.Round(x/last) * last
	}
	return FormatCount(x)
}

// Scale returns three significant digits of x, never with an exponent, and the decimal prefix of its unit:
// "1.20" and "k" of 1200, "0.0251" and "" of 0.02512.
func Scale(x float64) (digits, prefix string) {
	prefixes := [...]string{"", "k", "M", "G", "T", "P"}
	i := 0
	for math.Abs(x) >= 999.5 && i < len(prefixes)-1 {
		x /= 1000
		i++
	}
	if x == 0 {
		return "0", ""
	}
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 2, 64), "e")
	n, err := strconv.Atoi(exponent)
	if err != nil { // infinite
		return strconv.FormatFloat(x, 'f', 0, 64), prefixes[i]
	}
	return strconv.FormatFloat(x, 'f', max(2-n, 0), 64), prefixes[i]
}
