package tui

import (
	"math"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
)

// A peak of one slot in a long calm must be seen at any width.
func TestShortPeakSurvivesAnyWidth(t *testing.T) {
	var samples []sample
	for i := range 600 {
		v := flinkapi.Known(0.1)
		if i == 333 {
			v = flinkapi.Known(1)
		}
		samples = append(samples, sample{start.Add(-time.Duration(i) * time.Second), v})
	}
	for w := 1; w <= 200; w++ {
		peak := 0.0
		for _, v := range bucketMax(samples, start, trendSpan, w) {
			peak = max(peak, v.Or(0))
		}
		if peak != 1 {
			t.Fatalf("the peak is %v in %d columns", peak, w)
		}
	}
}

func TestBucketsKeepGapsUnknown(t *testing.T) {
	samples := []sample{
		{start, flinkapi.Known(1)},
		{start.Add(-14 * time.Minute), flinkapi.Known(0)},
		{start.Add(-20 * time.Minute), flinkapi.Known(1)},
	}
	got := NewTheme(plainLook()).sparkline(bucketMax(samples, start, trendSpan, 15), 1)
	if want := "▁             █"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMeter(t *testing.T) {
	th := NewTheme(plainLook())
	for _, c := range []struct {
		v    flinkapi.Value
		want string
	}{
		{flinkapi.Value{}, "    "},
		{flinkapi.Known(0), "░░░░"},
		{flinkapi.Known(0.5), "██░░"},
		{flinkapi.Known(0.99), "████"},
		{flinkapi.Known(0.9), "███▋"},
		{flinkapi.Known(7), "████"},
		{flinkapi.Known(-1), "░░░░"},
	} {
		got := ""
		for _, s := range th.meter(c.v, 4, toneBusy) {
			got += s.text
		}
		if got != c.want {
			t.Errorf("meter(%v) = %q, want %q", c.v, got, c.want)
		}
	}
}

// asciigraph panics on nothing and on infinity, and prints nonsense for all unknown.
func TestPlotSurvivesAnything(t *testing.T) {
	th := NewTheme(plainLook())
	for _, values := range [][]flinkapi.Value{
		nil,
		{{}},
		{flinkapi.NaN(), {}},
		{flinkapi.Known(math.Inf(1))},
		{flinkapi.Known(0.5)},
		{{}, flinkapi.Known(1), {}, flinkapi.Known(0)},
	} {
		for _, h := range []int{0, 1, 5} {
			if got := len(plot(values, h, toneBack, th)); got != h {
				t.Errorf("plot of %v in %d rows has %d", values, h, got)
			}
		}
	}
	var text []string
	for _, l := range plot([]flinkapi.Value{{}, flinkapi.Known(1), {}, flinkapi.Known(0)}, 3, toneBack, th) {
		row := ""
		for _, s := range l {
			row += s.text
		}
		text = append(text, row)
	}
	if got := strings.Join(text, "\n"); !strings.Contains(text[0], "100 %") || strings.Contains(got, "NaN") {
		t.Errorf("the plot is\n%s", got)
	}
}
