package strip

import (
	"strings"
	"testing"
	"time"
)

func end() time.Time { return time.Date(2026, time.March, 1, 4, 0, 0, 0, time.UTC) }

// draw writes one letter for each cell.
func draw(s *Strip, n int) string {
	var b strings.Builder
	for _, c := range s.Row(end(), n) {
		switch c.Kind {
		case Named:
			b.WriteString(s.Letter(c.Who))
		default:
			b.WriteByte(" .?-N!"[c.Kind])
		}
	}
	return b.String()
}

func name(who string) string { return who }

// fill adds a moment every ten seconds of the minutes from to to before the end.
func fill(s *Strip, from, to int, kind Kind, who string) {
	until := end().Add(-time.Duration(to) * time.Minute)
	for at := end().Add(-time.Duration(from) * time.Minute); at.Before(until); at = at.Add(10 * time.Second) {
		s.Add([]Mark{{At: at, Kind: kind, Who: who}}, name)
	}
}

func TestRow(t *testing.T) {
	t.Parallel()
	var s Strip
	fill(&s, 50, 40, Quiet, "")
	fill(&s, 40, 30, Named, "sink")
	fill(&s, 30, 25, Held, "")
	fill(&s, 20, 10, Unknown, "")
	s.Add([]Mark{{At: end().Add(-10 * time.Minute), Kind: Restart}}, name)
	fill(&s, 10, 0, Named, "score")
	for n, want := range map[int]string{
		12: "  ..ss- ??!c",
		60: "          ..........ssssssssss-----     ??????????!ccccccccc",
	} {
		if got := draw(&s, n); got != want {
			t.Errorf("%d cells:\n%s, want\n%s", n, got, want)
		}
	}
	if got := s.Named(end()); len(got) != 2 || got[0] != "score" {
		t.Errorf("named %v", got)
	}
	if got := draw(&s, 0); got != "" {
		t.Errorf("no cells: %q", got)
	}
}

// A moment fills the cells since the one before it, however fine they are, and no gap.
func TestFineCells(t *testing.T) {
	t.Parallel()
	var s Strip
	for _, ago := range []int{60, 50, 40} {
		s.Add([]Mark{{At: end().Add(-time.Duration(ago) * time.Second), Kind: Quiet}}, name)
	}
	row := draw(&s, 720) // of 5 s each
	if got := row[705:]; got != "   .....       " {
		t.Errorf("%q", got)
	}
}

func TestAnHourIsKept(t *testing.T) {
	t.Parallel()
	var s Strip
	for range 2 { // the same moments again
		fill(&s, 180, 0, Quiet, "")
	}
	if s.Len() > 361 {
		t.Errorf("%d moments are kept", s.Len())
	}
}

func TestLettersStayAndDiffer(t *testing.T) {
	t.Parallel()
	var s Strip
	for i := range 30 {
		s.Add([]Mark{{
			At: end().Add(time.Duration(i) * time.Second), Kind: Named, Who: strings.Repeat("a", i+1),
		}}, name)
	}
	if s.Letter("a") != "a" || s.Letter("aa") != "b" || s.Letter(strings.Repeat("a", 30)) != "*" {
		t.Errorf("letters %q %q %q", s.Letter("a"), s.Letter("aa"), s.Letter(strings.Repeat("a", 30)))
	}
}

// Two who are named at once have their turns, and both have a letter.
func TestThoseNamedTogetherTakeTurns(t *testing.T) {
	var s Strip
	for i := range 60 {
		at := end().Add(-time.Duration(60-i) * time.Minute)
		s.Add([]Mark{{At: at, Kind: Named, Who: "lookup", Others: []string{"enrich"}}}, name)
	}
	if got, want := draw(&s, 10), "elelelelel"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := strings.Join(s.Named(end()), " "); got != "lookup enrich" {
		t.Errorf("named are %s", got)
	}
}

// Changes of who is named are told for the whole span, without restarts and what comes after the end.
func TestTurns(t *testing.T) {
	t.Parallel()
	var s Strip
	fill(&s, 50, 40, Quiet, "")
	fill(&s, 40, 30, Named, "a")
	s.Add([]Mark{{At: end().Add(-35 * time.Minute), Kind: Restart}}, name)
	fill(&s, 30, 20, Named, "b")
	fill(&s, 20, 10, Held, "")
	fill(&s, 10, 0, Named, "a")
	var got []string
	for _, m := range s.Turns(end().Add(-15 * time.Minute)) {
		got = append(got, end().Sub(m.At).String()+" "+m.Who)
	}
	if want := "40m0s a, 30m0s b, 20m0s "; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", strings.Join(got, ", "), want)
	}
}
