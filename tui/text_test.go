package tui

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// The fast count must agree with the full one on every character that it claims to know.
func TestSimpleCountsLikeTheFullMeasure(t *testing.T) {
	known := 0
	for r := range rune(0x11000) {
		if n, ok := simple(string(r)); ok {
			known++
			if want := ansi.StringWidth(string(r)); n != want {
				t.Errorf("%q (%U) counted %d cells, takes %d", r, r, n, want)
			}
		}
	}
	if known < 800 {
		t.Errorf("knows %d characters, want Latin, lines and blocks", known)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		w    int
		want string
	}{
		{"short", 10, "short"},
		{"exactly", 7, "exactly"},
		{"too long", 5, "too …"},
		{"集計ジョブ", 10, "集計ジョブ"},
		{"集計ジョブ", 6, "集計…"}, // half a character does not fit
		{"集計", 1, "…"},
		{"anything", 0, ""},
		{"e\u0301te\u0301 long", 4, "e\u0301te\u0301…"},
		{"\x1b[31mred", 20, "[31mred"},
	} {
		got := cut(c.text, c.w, "…")
		if got != c.want || cells(got) > c.w {
			t.Errorf("cut(%q, %d) = %q, want %q", c.text, c.w, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	text := "the last operator, and it waits: the system it writes to is slower than the stream"
	for _, c := range []struct {
		w, n int
		want string
	}{
		{100, 3, text},
		{42, 3, "the last operator, and it waits: the|system it writes to is slower than the|stream"},
		{42, 2, "the last operator, and it waits: the|system it writes to is slower than the st…"},
		{42, 1, "the last operator, and it waits: the syst…"},
		{0, 3, ""},
	} {
		if got := strings.Join(wrap(text, c.w, c.n, "…"), "|"); got != c.want {
			t.Errorf("wrap to %d cells in %d rows:\ngot  %s\nwant %s", c.w, c.n, got, c.want)
		}
	}
}

// A number is not torn from its unit.
func TestWrapKeepsUnitsWithTheirNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"the busiest is warehouse at 35 %":     "the busiest is|warehouse at|35 %",
		"it took about 14 min, and 6 min 42 s": "it took about|14 min, and|6 min 42 s",
		"it stood for 6 min 42 s in all":       "it stood for|6 min 42 s in|all",
	} {
		if got := strings.Join(wrap(text, 15, 9, "…"), "|"); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		for _, row := range wrapSteady(text, 18, 9, "…") {
			if strings.HasPrefix(row, "%") || strings.HasPrefix(row, "min") || strings.HasPrefix(row, "s ") {
				t.Errorf("a row begins with a unit: %q", row)
			}
		}
	}
}

func TestChainKeepsItsEnds(t *testing.T) {
	g := unicodeGlyphs()
	name := "Source: orders -> parse -> filter -> Sink: warehouse"
	for _, c := range []struct {
		w    int
		want string
	}{
		{60, "Source: orders → parse → filter → Sink: warehouse"},
		{35, "Source: orders →…→ Sink: warehouse"},
		{20, "Source: or…warehouse"},
		{16, "Source: …rehouse"},
	} {
		if got := chain(name, c.w, &g); got != c.want {
			t.Errorf("chain in %d cells: %q, want %q", c.w, got, c.want)
		}
	}
}

// The operator that is named is what one looks for.
func TestChainKeepsTheNamedOperator(t *testing.T) {
	g := unicodeGlyphs()
	name := "normalize -> geocode -> mask -> Sink: warehouse"
	for _, c := range []struct {
		operator string
		w        int
		want     string
	}{
		{"geocode", 60, "normalize → geocode → mask → Sink: warehouse"},
		{"geocode", 30, "… → geocode → …"},
		{"geocode", 11, "… → geocode"},
		{"geocode", 9, "geocode"},
		{"geocode", 5, "ge…de"},
		{"Sink: warehouse", 32, "normalize →…→ Sink: warehouse"},
		{"Sink: warehouse", 20, "… → Sink: warehouse"},
		{"normalize", 20, "normalize → …"},
		{"elsewhere", 32, "normalize →…→ Sink: warehouse"},
	} {
		if got := chainAround(name, c.operator, c.w, &g); got != c.want {
			t.Errorf("%s in %d cells: %q, want %q", c.operator, c.w, got, c.want)
		}
	}
}

// hostile are texts that broke other terminal programs.
func hostile() []string {
	return []string{
		"", " ", "plain", "日本語のジョブ名がここに入ります", "👩‍👩‍👧‍👦 family 🇩🇪 flags 👍🏽",
		"e\u0301\u0301\u0301 combining a\u030a",
		"\x1b[31mred\x1b[0m", "\x1b]52;c;aGk=\a", "tab\tnew\nline\rreturn", "\ufeffBOM\u200b\u200d\u202eRTL",
		"\x00\x07\x7f\u009b1m",
		"bad \xff\xfe utf-8", strings.Repeat("long ", 400), strings.Repeat("長", 300), "x -> y -> z",
		strings.Repeat("GroupAggregate(groupBy=[k], select=[k, COUNT(*) AS n]) -> Calc(where=[n > 1]) -> ", 100),
		"½ ‰ ◽ ▶️ ☺️",
		"مرحبا بالعالم", "ไทยภาษา", "각각", "\u00adsoft\u00adhyphen",
	}
}

func FuzzFitIsExact(f *testing.F) {
	for i, s := range hostile() {
		f.Add(s, hostile()[(i+3)%len(hostile())], i*3)
	}
	f.Fuzz(func(t *testing.T, a, b string, w int) {
		w = min(max(w, 0), 300)
		for _, g := range []string{"…", "~"} {
			checkLine(t, fit(line{say(tonePlain, a), say(toneBusy, b)}, w, g), w)
			checkLine(t, fit(spread(line{say(tonePlain, a)}, line{say(toneDim, b)}, w, g), w, g), w)
		}
		c := newCanvas(w, 3, 2, 0)
		c.put(0, 0, line{say(tonePlain, a), say(toneBusy, b)})
		c.put(w-1, 1, line{say(tonePlain, b)})
		for _, row := range c.rows() {
			checkLine(t, fit(row, w, "…"), w)
		}
		for _, row := range wrap(a, w, 4, "…") {
			if cells(row) > w {
				t.Errorf("wrap(%q, %d) gave %q of %d cells", a, w, row, cells(row))
			}
		}
	})
}

func checkLine(t *testing.T, l line, w int) {
	t.Helper()
	text := ""
	for _, s := range l {
		text += s.text
	}
	if n := ansi.StringWidth(text); n != w {
		t.Errorf("%d cells, want %d: %q", n, w, text)
	}
	if strings.ContainsFunc(text, isControl) || !utf8.ValidString(text) {
		t.Errorf("not clean: %q", text)
	}
}

func TestCutMiddleKeepsBothEnds(t *testing.T) {
	for _, c := range []struct {
		text string
		w    int
		want string
	}{
		{"orders-eu", 9, "orders-eu"},
		{"orders-enrichment-eu", 11, "order…nt-eu"},
		{"orders-enrichment-us", 11, "order…nt-us"},
		{"注文を集める仕事", 8, "注文…事"},
		{"orders", 2, "o…"},
		{"orders", 0, ""},
	} {
		got := cutMiddle(c.text, c.w, "…")
		if got != c.want || cells(got) > c.w {
			t.Errorf("%q in %d cells: %q, want %q", c.text, c.w, got, c.want)
		}
	}
}
