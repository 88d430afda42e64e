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

// FormatQuantity writes a number of a unit as people read it: "99 %", "12345", "2 min 16 s", "5 GB",
// "59.2 k/s", "1 record", "1.23 k records/s".
func FormatQuantity(x float64, unit flinkapi.Unit) string {
	switch unit {
	case flinkapi.Ratio:
		return FormatRatio(flinkapi.Known(x))
	case flinkapi.Count:
		return FormatWhole(x)
	case flinkapi.Seconds:
		return secondsText(x)
	case flinkapi.Bytes:
		return prefixed(x, "B")
	case flinkapi.BytesPerSecond:
		return prefixed(x, "B/s")
	case flinkapi.PerSecond:
		return prefixed(x, "/s")
	case Times:
		return times(x)
	default:
		return withNoun(x, string(unit))
	}
}

// secondsText writes a number of seconds: "315 ms", "12.5 s", "2 min 16 s", "-45 s".
func secondsText(x float64) string {
	switch {
	case x < 0:
		return "-" + secondsText(-x)
	case x > 0 && x < 1:
		return FormatCount(x/time.Millisecond.Seconds()) + " ms"
	case x < time.Minute.Seconds():
		return FormatCount(x) + " s"
	}
	return FormatSpan(seconds(x))
}

// FormatBytes writes an amount of memory, or of data: "950 B", "11.3 GB".
func FormatBytes(x float64) string { return FormatQuantity(x, flinkapi.Bytes) }

// prefixed writes a number before a unit that takes its decimal prefix: "12 /s", "59.2 k/s", "5 GB".
func prefixed(x float64, unit string) string {
	text := FormatCount(x)
	if last := text[len(text)-1]; last >= '0' && last <= '9' {
		text += " "
	}
	return text + unit
}

// withNoun writes a number of things, of which the word is for several: "1 record", "7 cores", "1 record/s".
func withNoun(x float64, things string) string {
	text := FormatCount(x)
	if text == "1" {
		noun, per, _ := strings.Cut(things, "/")
		noun = strings.TrimSuffix(noun, "s")
		if per != "" {
			noun += "/" + per
		}
		return text + " " + noun
	}
	return text + " " + things
}

// FormatThings writes how many there are of what the word names, which is for several: "1 subtask", "7 looks"
// and so on.
func FormatThings(n int, things string) string {
	if n == 1 {
		return "1 " + strings.TrimSuffix(things, "s")
	}
	return FormatWhole(float64(n)) + " " + things
}

// allOf says of how many something holds that are all: "all 7 subtasks", "the only subtask".
func allOf(n int, things string) string {
	if n == 1 {
		return "the only " + strings.TrimSuffix(things, "s")
	}
	return "all " + FormatThings(n, things)
}

// often says how many times something happened: "once", "7 times".
func often(n int) string {
	if n == 1 {
		return "once"
	}
	return FormatThings(n, "times")
}

// freeText says how many slots are free: "1 is free", "7 are free".
func freeText(n int) string {
	if n == 1 {
		return "1 is free"
	}
	return FormatWhole(float64(n)) + " are free"
}

// waiting says how many records wait: "1 record waits", "1.23 k records wait".
func waiting(records float64) string {
	verb := " wait"
	if FormatCount(records) == "1" {
		verb = " waits"
	}
	return withNoun(records, "records") + verb
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

// roughly writes a factor that a model gives, which is not known to three digits: "1.0", "1.4", "7", "33".
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
	if text := FormatCount(x); text != "1" {
		return text
	}
	return "1.0"
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
