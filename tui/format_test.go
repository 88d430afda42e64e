package tui

import (
	"testing"
	"time"

	"culprit/flinkapi"
)

func TestRate(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "    0 /s"},
		{0.1234, "0.123 /s"},
		{0.99951, " 1.00 /s"},
		{1, " 1.00 /s"},
		{9.994, " 9.99 /s"},
		{9.996, " 10.0 /s"},
		{177.4, "  177 /s"},
		{999.4, "  999 /s"},
		{999.6, "1.00 k/s"},
		{1234, "1.23 k/s"},
		{12345, "12.3 k/s"},
		{123456, " 123 k/s"},
		{999600, "1.00 M/s"},
		{1.5e12, "1.50 T/s"},
	} {
		if got := rate(flinkapi.Known(c.x)); got != c.want {
			t.Errorf("rate(%v) = %q, want %q", c.x, got, c.want)
		}
	}
}

func TestUnknownIsADash(t *testing.T) {
	for _, v := range []flinkapi.Value{{}, flinkapi.NaN()} {
		if p, r := percent(v), rate(v); p != "    -" || r != "       -" {
			t.Errorf("unknown gives %q and %q", p, r)
		}
	}
}

func TestPercent(t *testing.T) {
	for x, want := range map[float64]string{0: "  0 %", 0.994: " 99 %", 1: "100 %"} {
		if got := percent(flinkapi.Known(x)); got != want {
			t.Errorf("percent(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestAgesAreWholeSecondsThatHavePassed(t *testing.T) {
	if got := age(3900 * time.Millisecond); got != "3 s" {
		t.Errorf("age = %q", got)
	}
}

// Columns stay in place: a known number of any size is never wider than its format.
func TestWidthsAreFixed(t *testing.T) {
	for x := 1e-5; x < 1e17; x *= 1.37 {
		if got := rate(flinkapi.Known(x)); len(got) != rateWidth {
			t.Errorf("rate(%v) = %q, %d cells", x, got, len(got))
		}
	}
}
