package tui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"culprit/flinkapi"
)

// unknownMark stands for every number that is not known.
const unknownMark = "-"

// Widths of the fixed formats, in cells.
const (
	percentWidth = 5
	rateWidth    = 8
)

// percent formats a ratio 0..1 as " 99 %", right-aligned in 5 cells.
func percent(v flinkapi.Value) string {
	x, ok := v.Float()
	if !ok {
		return right(unknownMark, percentWidth)
	}
	return right(fmt.Sprintf("%.0f %%", x*100), percentWidth)
}

// rate formats records per second as "1.23 k/s", right-aligned in 8 cells.
func rate(v flinkapi.Value) string {
	x, ok := v.Float()
	if !ok {
		return right(unknownMark, rateWidth)
	}
	digits, prefix := scaled(x)
	return right(digits+" "+prefix+"/s", rateWidth)
}

// scaled returns three significant digits of x and the decimal prefix of its unit.
func scaled(x float64) (digits, prefix string) {
	prefixes := []string{"", "k", "M", "G", "T", "P"}
	i := 0
	for math.Abs(x) >= 999.5 && i < len(prefixes)-1 {
		x /= 1000
		i++
	}
	return significant(x), prefixes[i]
}

// significant formats a number below 1000 with three significant digits and no exponent; whole small counts
// and zero stay whole.
func significant(x float64) string {
	size := math.Abs(x)
	switch {
	case size == 0:
		return "0"
	case size < 0.0005:
		return "0.000"
	case size >= 99.95:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case size >= 9.995:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case size >= 0.9995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// duration formats a length of time with its two largest units: "350 ms", "4.2 s", "4 min 12 s", "3 d 4 h".
func duration(d time.Duration) string {
	switch {
	case d < 0:
		return unknownMark
	case d == 0:
		return "0 s"
	case d < time.Millisecond:
		return "< 1 ms"
	case d < time.Second-500*time.Microsecond:
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	case d < 9950*time.Millisecond:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " s"
	}
	return longDuration(d)
}

// longDuration formats whole seconds and more with the two largest units.
func longDuration(d time.Duration) string {
	s := int64(d.Round(time.Second) / time.Second)
	units := []struct {
		seconds int64
		name    string
	}{{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}}
	for i, u := range units {
		if s < u.seconds || i == len(units)-1 {
			continue
		}
		next := units[i+1]
		if rest := s % u.seconds / next.seconds; rest > 0 {
			return fmt.Sprintf("%d %s %d %s", s/u.seconds, u.name, rest, next.name)
		}
		return fmt.Sprintf("%d %s", s/u.seconds, u.name)
	}
	return fmt.Sprintf("%d s", s)
}

// age formats how old something is, in whole seconds: "3 s", "2 min 5 s"; what is not known gives "-".
func age(d time.Duration) string {
	if d < 0 {
		return unknownMark
	}
	return longDuration(d.Truncate(time.Second))
}

// seconds turns a Value in seconds into a length of time.
func seconds(v flinkapi.Value) (time.Duration, bool) {
	x, ok := v.Float()
	return time.Duration(x * float64(time.Second)), ok
}

// counted formats a count: "12", "1.23 M".
func counted(n int) string {
	x := float64(n)
	digits, prefix := scaled(x)
	if prefix == "" {
		digits = strconv.Itoa(n)
	}
	return strings.TrimSpace(digits + " " + prefix)
}

// plural returns "1 thing" or "n things".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

func right(text string, w int) string { return fmt.Sprintf("%*s", w, text) }
