package diagnose

import (
	"math"
	"testing"
	"time"

	"culprit/flinkapi"
)

func TestFormatDuration(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0 s"},
		{499 * time.Millisecond, "0 s"},
		{8600 * time.Millisecond, "9 s"},
		{59 * time.Second, "59 s"},
		{59600 * time.Millisecond, "1 min"},
		{252 * time.Second, "4 min 12 s"},
		{time.Hour, "1 h"},
		{3*time.Hour + 4*time.Minute + 59*time.Second, "3 h 4 min"},
		{53 * time.Hour, "2 d 5 h"},
		{48 * time.Hour, "2 d"},
		{48*time.Hour + 30*time.Second, "2 d"},
	} {
		if got := FormatDuration(c.d); got != c.want {
			t.Errorf("%s is written %q, want %q", c.d, got, c.want)
		}
	}
}

func TestFormatSpan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{-1, "-"},
		{0, "0 s"},
		{20 * time.Microsecond, "< 1 ms"},
		{350 * time.Millisecond, "350 ms"},
		{1200 * time.Millisecond, "1.2 s"},
		{4 * time.Second, "4 s"},
		{9960 * time.Millisecond, "10 s"},
		{59600 * time.Millisecond, "1 min"},
		{252 * time.Second, "4 min 12 s"},
		{time.Hour, "1 h"},
		{76 * time.Hour, "3 d 4 h"},
		{24*time.Hour + 30*time.Second, "1 d"},
	} {
		if got := FormatSpan(c.d); got != c.want {
			t.Errorf("FormatSpan(%v) = %q, want %q", c.d, got, c.want)
		}
	}
}

func TestFormatRatio(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    flinkapi.Value
		want string
	}{
		{flinkapi.Known(0), "0 %"},
		{flinkapi.Known(0.994), "99 %"},
		{flinkapi.Known(1), "100 %"},
		{flinkapi.Value{}, "-"},
		{flinkapi.NaN(), "-"},
	} {
		if got := FormatRatio(c.v); got != c.want {
			t.Errorf("%s is written %q, want %q", written(c.v), got, c.want)
		}
	}
}

func TestFormatCount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		x                   float64
		count, digits, unit string
	}{
		{0, "0", "0", ""},
		{1, "1", "1.00", ""},
		{40, "40", "40.0", ""},
		{950, "950", "950", ""},
		{999.4, "999", "999", ""},
		{999.6, "1 k", "1.00", "k"},
		{1204, "1.2 k", "1.20", "k"},
		{12345, "12.3 k", "12.3", "k"},
		{999_600, "1 M", "1.00", "M"},
		{20e6, "20 M", "20.0", "M"},
		{100e9, "100 G", "100", "G"},
		{0.0251, "0.0251", "0.0251", ""},
		{0.9996, "1", "1.00", ""},
		{2e-5, "0.00002", "0.0000200", ""},
		{-1234, "-1.23 k", "-1.23", "k"},
		{math.Inf(1), "+Inf P", "+Inf", "P"},
	} {
		digits, unit := Scale(c.x)
		if got := FormatCount(c.x); got != c.count || digits != c.digits || unit != c.unit {
			t.Errorf("%v is written %q and scaled to %q %q, want %q and %q %q",
				c.x, got, digits, unit, c.count, c.digits, c.unit)
		}
	}
}

func TestWhatIsCountedIsWrittenInFull(t *testing.T) {
	t.Parallel()
	for n, want := range map[float64]string{
		0: "0", 7: "7", 1000: "1000", 1234: "1234", 99_999: "99999", 100_000: "100 k", 1_234_567: "1.23 M",
	} {
		if got := FormatWhole(n); got != want {
			t.Errorf("%g is written %q, want %q", n, got, want)
		}
	}
}
