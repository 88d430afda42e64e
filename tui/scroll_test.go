package tui

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"
)

// The window shows the painted rows as they are: none broken, joined, moved or coloured anew.
func TestScrollShowsTheRowsAsTheyAre(t *testing.T) {
	t.Parallel()
	th := NewTheme(Look{Profile: termenv.TrueColor, Dark: true})
	texts := hostile()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		w, h := 1+r.IntN(120), 1+r.IntN(30)
		rows := make([]string, 1+r.IntN(60))
		for i := range rows {
			rows[i] = th.paint(line{
				say(tone(r.IntN(int(toneCount))), texts[r.IntN(len(texts))]), say(tonePlain, " "),
				say(tone(r.IntN(int(toneCount))), texts[r.IntN(len(texts))]),
			}, w)
		}
		at := r.IntN(len(rows))
		var s scroll
		got := s.around(len(rows), at, w, h, func(i int) string { return rows[i] })
		above, below := s.hidden()
		want := slices.Clone(rows[above : len(rows)-below])
		for len(want) < h {
			want = append(want, strings.Repeat(" ", w))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d, %d of %d rows of %d cells (-want +got):\n%s", seed, h, len(rows), w, diff)
		}
		if at < above || at >= len(rows)-below {
			t.Fatalf("seed %d: row %d of %d is not among %s", seed, at, len(rows), s.part())
		}
	}
}

func TestScrollMoves(t *testing.T) {
	t.Parallel()
	rows := make([]string, 25)
	for i := range rows {
		rows[i] = string(rune('a' + i))
	}
	var s scroll
	s.load(rows, 1, 10)
	for _, c := range []struct {
		action ActionID
		want   string
	}{
		{ActionUp, "1 to 10 of 25"},
		{ActionDown, "2 to 11 of 25"},
		{ActionPageDown, "12 to 21 of 25"},
		{ActionPageDown, "16 to 25 of 25"},
		{ActionDown, "16 to 25 of 25"},
		{ActionPageUp, "6 to 15 of 25"},
		{ActionBottom, "16 to 25 of 25"},
		{ActionTop, "1 to 10 of 25"},
	} {
		if !s.move(c.action) || s.part() != c.want {
			t.Errorf("%s shows %s, want %s", c.action, s.part(), c.want)
		}
	}
	if s.move(ActionCopy) {
		t.Error("copying scrolls")
	}
	s.move(ActionBottom)
	if s.load(rows[:12], 1, 10); s.part() != "3 to 12 of 12" {
		t.Errorf("a text that became shorter shows %s", s.part())
	}
	if s.load(rows[:5], 1, 10); s.part() != "" || len(s.shown()) != 10 {
		t.Errorf("a text that fits shows %q in %d rows", s.part(), len(s.shown()))
	}
}

func TestTextSaysHowMuchIsOutOfSight(t *testing.T) {
	m := mounted(t, slowSink(), 60, 24, plainLook())
	press(m, "w")
	has(t, m.View(), "why jdbc-upsert", "▼ 6 lines more below")
	press(m, "down", "down")
	has(t, m.View(), "▼ 4 lines more below")
	press(m, "end")
	has(t, m.View(), "▲ the end; 6 lines above")
	press(m, "home")
	has(t, m.View(), "▼ 6 lines more below")
}

// has fails when the frame lacks any of the words.
func has(t *testing.T, frame string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(frame, w) {
			t.Fatalf("no %q on the screen:\n%s", w, frame)
		}
	}
}
