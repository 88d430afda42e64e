package letters

import (
	"strings"
	"testing"
)

func TestDraw(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		w, h   int
		halves bool
		want   string
	}{
		{"ok", 20, 5, true, "  ##    ##  ##\n##  ##  ##  ##\n##  ##  ####  \n##  ##  ##  ##\n  ##    ##  ##"},
		{"ok", 10, 4, true, "▄▀▄ █ █\n█ █ █▀▄\n ▀  ▀ ▀"},
		{"ok", 10, 4, false, ""},
		{"ok", 5, 4, true, ""},
		{"漢", 80, 24, true, ""},
		{"", 80, 24, true, ""},
	} {
		rows, ok := Draw(c.text, c.w, c.h, "#", c.halves)
		if got := strings.Join(rows, "\n"); got != c.want || ok != (c.want != "") {
			t.Errorf("%q in %dx%d gives %v\n%s\nwant\n%s", c.text, c.w, c.h, ok, got, c.want)
		}
	}
	rows, _ := Draw("A", 80, 24, "#", true)
	if len(rows) != 20 || len(rows[0]) != 24 {
		t.Errorf("the largest A in 80x24 is %dx%d", len(rows[0]), len(rows))
	}
}

// No two letters look the same.
func TestLettersDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]rune{}
	for r := ' '; r <= 'Z'; r++ {
		d, ok := dots(r)
		if !ok {
			continue
		}
		if other, twice := seen[d]; twice || len(d) != dotsHigh {
			t.Errorf("%c is %q, as %c", r, d, other)
		}
		seen[d] = r
	}
}
