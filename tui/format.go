package tui

import (
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// unknownMark stands for every number that is not known.
const unknownMark = diagnose.UnknownMark

// Widths of the fixed formats, in cells.
const (
	percentWidth = 5
	rateWidth    = 8
)

// percent formats a ratio 0..1 as " 99 %", right-aligned in 5 cells.
func percent(v flinkapi.Value) string { return right(diagnose.FormatRatio(v), percentWidth) }

// rate is rateWord right-aligned in 8 cells.
func rate(v flinkapi.Value) string { return right(rateWord(v), rateWidth) }

// rateWord formats records per second as "1.23 k/s". It changes in place, so zeros at its end stay and its
// point does not jump; below 0.1 there is room for three decimals only.
func rateWord(v flinkapi.Value) string {
	x, ok := v.Float()
	if !ok {
		return unknownMark
	}
	digits, prefix := diagnose.Scale(x)
	if x != 0 && math.Abs(x) < 0.1 {
		digits = strconv.FormatFloat(x, 'f', 3, 64)
	}
	return digits + " " + prefix + "/s"
}

// age formats how old something is, in whole seconds: "3 s", "2 min 5 s"; what is not known gives "-".
func age(d time.Duration) string {
	if d < 0 {
		return unknownMark
	}
	return diagnose.FormatDuration(d.Truncate(time.Second))
}

// seconds turns a Value in seconds into a length of time.
func seconds(v flinkapi.Value) (time.Duration, bool) {
	x, ok := v.Float()
	return time.Duration(x * float64(time.Second)), ok
}

// counted formats a count: "12", "1234", "123 k".
func counted(n int) string { return diagnose.FormatWhole(float64(n)) }

// plural returns "1 thing" or "n things".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

func right(text string, w int) string { return blank(w-utf8.RuneCountInString(text)) + text }
