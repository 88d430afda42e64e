package tui

import (
	"fmt"
	"strings"
	"testing"
)

// pictures of the arrangement: every part spans the width, so one letter stands for one row.
func TestArrange(t *testing.T) {
	for _, c := range []struct {
		w, h int
		mode layoutMode
		want string
	}{
		{39, 24, layoutGraph, "too small"},
		{80, 11, layoutGraph, "too small"},
		{40, 12, layoutGraph, "H CCCC BBBBBB F"},
		{40, 15, layoutGraph, "H CCCCCC BBBBBB L F"},
		{59, 20, layoutGraph, "H CCCCCCC BBBBBBBBB D L F"},
		{60, 18, layoutGraph, "H CCCCC BBBBBBBBB D L F"},
		{80, 20, layoutGraph, "H CCCCCC BBBBBBBBBB D L F"},
		{80, 24, layoutGraph, "HH CCCCCCCC BBBBBBBBB D L TT F"},
		{100, 30, layoutGraph, "HH CCCCCCCC BBBBBBBBBBBBBB DD L TT F"},
		{120, 36, layoutGraph, "HH CCCCCCCC BBBBBBBBBBBBB DDDDDDDD L TTT F"},
		{120, 36, layoutDrill, "HH CCCCCCCC BBBBBBBBBBBBBBBBBBBBBBBBB F"},
		{80, 24, layoutDrill, "HH CCCCC BBBBBBBBBBBBBBBB F"}, // the room is the content's
		{40, 15, layoutDrill, "H CCC BBBBBBBBBB F"},
		{80, 24, layoutJobs, "HH BBBBBBBBBBBBBBBBB DDDD F"},
		{80, 24, layoutFull, "HH BBBBBBBBBBBBBBBBBBBBB F"},
		{40, 12, layoutDrill, "H CC BBBBBBBB F"},
		{40, 12, layoutJobs, "H BBBBBBBBBB F"},
		{
			200, 60, layoutGraph,
			"HH CCCCCCCCCC BBBBBBBBBBBBBBBBBBBBBBBBBBBB DDDDDDDD L TTTTTTTTTT F",
		},
	} {
		t.Run(fmt.Sprintf("%dx%d-%d", c.w, c.h, c.mode), func(t *testing.T) {
			if got := portrait(arrange(c.w, c.h, c.mode, layoutAsk{})); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// What the body does not need goes to the details.
func TestSpareRowsGoToTheDetails(t *testing.T) {
	for need, want := range map[int]string{
		0:  "HH CCCCCCCC BBBBBBBBB D L TT F",
		1:  "HH CCCCCCCC BBB DDDDDDD L TT F",
		7:  "HH CCCCCCCC BBBBBBB DDD L TT F",
		9:  "HH CCCCCCCC BBBBBBBBB D L TT F",
		99: "HH CCCCCCCC BBBBBBBBB D L TT F",
	} {
		if got := portrait(arrange(80, 24, layoutGraph, layoutAsk{body: need})); got != want {
			t.Errorf("need %d\ngot  %s\nwant %s", need, got, want)
		}
	}
}

// The card grows as far as the graph keeps its room for what it wants, and beyond that for what it must have;
// a chart takes what the details do not need.
func TestTheCardGrows(t *testing.T) {
	for want, c := range map[string]struct {
		w, h int
		ask  layoutAsk
	}{
		"HH CCCCCCCCC BBBBBBBB D L TT F":                          {80, 24, layoutAsk{card: cardWish{6, 30}}},
		"HH CCCCCCCCCCCCC BBBBBBB L F":                            {80, 24, layoutAsk{card: cardWish{13, 30}}},
		"HH CCCCCCCCCCCCCCCCC BBB L F":                            {80, 24, layoutAsk{card: cardWish{17, 30}}},
		"H CCCCCCC BBBBB L F":                                     {40, 15, layoutAsk{card: cardWish{4, 7}}},
		"H CCCCCCCCCC BBB F":                                      {40, 15, layoutAsk{card: cardWish{12, 12}}},
		"HH CCCCCCCC BBBBBBBBB DDDDDDDDDDDD L TTT F":              {120, 36, layoutAsk{body: 9, detail: 20}},
		"HH CCCCCCCCC BBBBBBBBB DDDDDDDDDDDD L TTTTTTTTTTTTTTT F": {200, 49, layoutAsk{body: 9, detail: 12}},
	} {
		if got := portrait(arrange(c.w, c.h, layoutGraph, c.ask)); got != want {
			t.Errorf("%dx%d %+v\ngot  %s\nwant %s", c.w, c.h, c.ask, got, want)
		}
	}
}

func portrait(p panels) string {
	if p.TooSmall {
		return "too small"
	}
	var out []string
	for _, part := range []struct {
		name string
		rect Rect
	}{
		{"H", p.Header},
		{"C", p.Card},
		{"B", p.Body},
		{"D", p.Detail},
		{"L", p.Ladder},
		{"T", p.Trend},
		{"F", p.Footer},
	} {
		if part.rect.H > 0 {
			out = append(out, strings.Repeat(part.name, part.rect.H))
		}
	}
	return strings.Join(out, " ")
}

// At every size the parts tile the screen: no row is left out or drawn twice, none is negative.
func TestPartsTile(t *testing.T) {
	t.Parallel()
	for w := 1; w <= 400; w++ {
		for h := 1; h <= 150; h++ {
			for mode := layoutGraph; mode <= layoutFull; mode++ {
				tile(t, arrange(w, h, mode, layoutAsk{}), w, h)
				n := 1 + (w+h)%40
				tile(t, arrange(w, h, mode, layoutAsk{body: n, detail: n % 7}), w, h)
				tile(t, arrange(w, h, mode, layoutAsk{card: cardWish{n / 2, n}, body: n}), w, h)
			}
		}
	}
}

func tile(t *testing.T, p panels, w, h int) {
	t.Helper()
	y := 0
	for _, r := range []Rect{p.Header, p.Card, p.Body, p.Detail, p.Ladder, p.Trend, p.Footer} {
		if r.H == 0 {
			continue
		}
		if r.H < 0 || r.X != 0 || r.W != w || r.Y != y {
			t.Fatalf("%dx%d: a part at %+v, want it at row %d", w, h, r, y)
		}
		y += r.H
	}
	if y != h || p.Body.H < 1 || !p.TooSmall && p.Body.H < 3 {
		t.Fatalf("%dx%d: %d rows used, %d for the body", w, h, y, p.Body.H)
	}
}
