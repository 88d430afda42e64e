package svg

import (
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
	"github.com/google/go-cmp/cmp"
)

const sample = "\x1b[1;38;2;255;107;100m┏━━━━┓\x1b[0m \x1b[36mok\x1b[39m  a<b\n" +
	"\x1b[31m┃\x1b[7m 99 \x1b[27m┃\x1b[m\x1b[48;5;160m日本\x1b[49m \x1b[2mfaint\x1b[22m\n" +
	"╰─┬▶ ▁▄█░▍▞⣿ é→…"

// The picture is held whole, so that a change of it is seen.
func TestPictureIsTheSameEachTime(t *testing.T) {
	got := Picture(sample, Options{Title: "a & b"})
	const path = "testdata/sample.svg"
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("no golden file; run with UPDATE=1 and look at what it wrote: %v", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the picture differs (-want +got):\n%s", diff)
	}
	if light := Picture(sample, Options{Light: true}); light == got || !strings.Contains(light, "#fafafa") {
		t.Error("the light ground makes no difference")
	}
}

// A terminal is the measure: each cell holds the same character in the same colours as there.
func TestCellsAreThoseOfATerminal(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	pieces := []string{
		"a", " ", "é", "│", "█", "日", "👍", "\x1b[0m", "\x1b[m", "\x1b[1m", "\x1b[2m", "\x1b[3m", "\x1b[4m", "\x1b[7m",
		"\x1b[22m", "\x1b[23m", "\x1b[24m", "\x1b[27m", "\x1b[31m", "\x1b[97m", "\x1b[44m", "\x1b[103m", "\x1b[39m",
		"\x1b[49m", "\x1b[38;5;203m", "\x1b[48;5;17m", "\x1b[38;2;1;2;3m", "\x1b[1;48;2;9;8;7;4m",
	}
	for range 300 {
		var b strings.Builder
		for range 25 {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		text := b.String()
		term := vt.NewEmulator(80, 1)
		if _, err := io.WriteString(term, text); err != nil {
			t.Fatal(err)
		}
		row := read(text)[0]
		for x, c := range row {
			want := term.CellAt(x, 0)
			if got := asCell(c); c.width > 0 && got != describe(want) {
				t.Fatalf("cell %d of %q is %s, want %s", x, text, got, describe(want))
			}
		}
	}
}

func asCell(c cell) string {
	l := c.look
	return fmt.Sprint(c.text, c.width, or(l.fore, "-"), or(l.back, "-"), l.bold, l.faint, l.italic, l.underlined,
		l.reverse)
}

func describe(c *uv.Cell) string {
	colour := func(c color.Color) string {
		if c == nil {
			return "-"
		}
		return hex(c)
	}
	has := func(attr uint8) bool { return c.Style.Attrs&attr != 0 }
	s := c.Style
	return fmt.Sprint(c.Content, c.Width, colour(s.Fg), colour(s.Bg), has(uv.AttrBold), has(uv.AttrFaint),
		has(uv.AttrItalic), s.Underline != 0, has(uv.AttrReverse))
}

// Whatever the screen holds, the picture is well-formed, and nothing of it is markup.
func FuzzPictureIsWellFormed(f *testing.F) {
	for _, seed := range []string{
		sample, "", "\n", "</svg><script>", "\x1b[38;2m", "\x1b[38;5m", "\x1b]0;title\a", "\x00\xff\ufffe", "&amp;",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, frame string) {
		d := xml.NewDecoder(strings.NewReader(Picture(frame, Options{Title: frame})))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatalf("%q gives no XML: %v", frame, err)
			}
			if e, ok := token.(xml.StartElement); ok {
				switch e.Name.Local {
				case "svg", "title", "rect", "g", "path", "text":
				default:
					t.Fatalf("%q gives an element %q", frame, e.Name.Local)
				}
			}
		}
	})
}

// Boxes close: where two cells meet, the strokes of both end at the edge between them.
func TestEveryLineCharacterOfTheScreenIsDrawnAsLines(t *testing.T) {
	for _, r := range "─│╭╮╰╯┏━┓┃┗┛┌┐└┘├┤┬┴┼" {
		if p := Picture(string(r), Options{}); strings.Contains(p, "<text") || !strings.Contains(p, "<path") {
			t.Errorf("%c is not drawn as lines", r)
		}
	}
	for _, r := range "▁▂▃▄▅▆▇█▏▎▍▌▋▊▉░▒▓▖▗▘▙▚▛▜▝▞▟⡇⣿" {
		if p := Picture(string(r), Options{}); strings.Contains(p, "<text") {
			t.Errorf("%c is left to a font", r)
		}
	}
}
