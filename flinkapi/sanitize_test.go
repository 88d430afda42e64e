package flinkapi

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestSanitize(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"plain", "Source: orders -> (Calc[2], Calc[11])", "Source: orders -> (Calc[2], Calc[11])"},
		{"other scripts", "Zürich 注文 заказы", "Zürich 注文 заказы"},
		{"colour", "\x1b[1;31mred\x1b[0m", "red"},
		{"title", "a\x1b]0;owned\ab", "ab"},
		{"link", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"clipboard without an end", "\x1b]52;c;aGk=", "52;c;aGk="},
		{"cut off CSI", "a\x1b[", "a"},
		{"lone ESC", "a\x1bb", "ab"},
		{"C0", "a\x00b\x07c\x08d\x7f", "abcd"},
		{"C1 as runes", "a\u009b31mb", "a31mb"},
		{"C1 as bytes", "a\x9b31mb", "a\ufffd31mb"},
		{"invalid UTF-8", "a\xff\xfeb", "a\ufffd\ufffdb"},
		{"BOM and zero width", "\ufeffa\u200bb\u200dc\u2060d", "abcd"},
		{"bidi", "a\u202eb\u2066c\u061cd", "abcd"},
		{"white space", " a\t\tb\r\n c\u00a0\u3000d\u2028e ", "a b c d e"},
		{"fillers", "a\u3164\u115fb\ufe0f", "ab"},
		{"stacked marks", "a" + strings.Repeat("\u0301", 50), "a\u0301\u0301"},
		{"empty", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Sanitize(c.in); got != c.want {
				t.Errorf("Sanitize(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
	long := Sanitize(strings.Repeat("é", 10_000))
	if n := utf8.RuneCountInString(long); n != maxLine || !strings.HasSuffix(long, "…") {
		t.Errorf("a long name was cut to %d runes, want %d with an ellipsis", n, maxLine)
	}
}

func TestSanitizeLinesKeepsTheShapeOfATree(t *testing.T) {
	got := sanitizeLines("[6]:Join\r\n:- [1]:Source\x1b[31m\n+-\t[2]:Calc  \n\n", maxDescription)
	if want := "[6]:Join\n:- [1]:Source\n+- [2]:Calc"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzSanitize(f *testing.F) {
	seeds := []string{"a", "\x1b[31mx", "\x1b]0;t\a", "\xff", "\u202e", "a\u0301\u0301\u0301", "\x1b\x1b[m"}
	for _, seed := range append(seeds, strings.Repeat("ab ", 400)) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		out := Sanitize(in)
		if strings.ContainsFunc(out, func(r rune) bool {
			return r != ' ' && unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
		}) {
			t.Errorf("%q became %q, which a terminal may act upon", in, out)
		}
		if !utf8.ValidString(out) || utf8.RuneCountInString(out) > maxLine {
			t.Errorf("%q became %d runes, valid: %v", in, utf8.RuneCountInString(out), utf8.ValidString(out))
		}
		if again := Sanitize(out); again != out {
			t.Errorf("%q became %q, and that %q", in, out, again)
		}
		for line := range strings.Lines(sanitizeLines(in, maxDescription)) {
			if Sanitize(line) != strings.Join(strings.Fields(line), " ") && utf8.RuneCountInString(line) < maxLine {
				t.Errorf("line %q of %q is not safe", line, in)
			}
		}
	})
}
