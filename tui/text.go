package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// tone says what a piece of text means; the Theme says how that looks.
type tone uint8

// The tones. Every tone that carries meaning goes with a glyph or a word beside it.
const (
	tonePlain tone = iota
	toneDim
	toneStrong
	toneKey
	toneCulprit
	toneCulpritFill
	toneBusy
	toneBack
	toneIdle
	toneFine
	toneUnknown
	toneWarn
	toneSelected
	toneNotice
	toneTrack
	toneJam
	toneCount
)

// span is a piece of text in one tone; it holds no escape sequences.
type span struct {
	tone tone
	text string
}

// line is one row of the screen, in semantic tones.
type line []span

// say returns a span; it keeps the rows of panes short to write.
func say(t tone, text string) span { return span{t, text} }

// plainLine returns a line of one plain span.
func plainLine(text string) line { return line{{tonePlain, text}} }

// width returns the number of cells that l takes.
func (l line) width() int {
	w := 0
	for _, s := range l {
		w += cells(s.text)
	}
	return w
}

// cells returns the number of cells that text takes once it is clean.
func cells(text string) int {
	if n, ok := simple(text); ok {
		return n
	}
	return ansi.StringWidth(clean(text))
}

// simple counts the cells of text that holds only characters known to take one cell each, which is nearly all
// of a frame; the full answer costs ten times as much.
func simple(text string) (n int, ok bool) {
	for _, r := range text {
		switch {
		case r >= ' ' && r < 0x7f: // ASCII
		case r >= 0xa1 && r < 0x300 && r != 0xad: // Latin, without the soft hyphen
		case r == '–' || r == '…' || r == '‖' || r == '✓' || r == '❯':
		case r >= 0x2190 && r <= 0x2199: // arrows
		case r >= 0x2500 && r <= 0x25fc: // lines, blocks, shapes
		default:
			return 0, false
		}
		n++
	}
	return n, true
}

// clean drops control characters, the last line of defence before the terminal; text of a cluster was
// sanitised before.
func clean(text string) string {
	if _, ok := simple(text); ok || !strings.ContainsFunc(text, isControl) && utf8.ValidString(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n':
			return ' '
		case isControl(r) || r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
}

func isControl(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff ||
		r >= 0xfe00 && r <= 0xfe0f || // variation selectors, which terminals disagree on
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// cutMiddle shortens text to w cells from its middle: of names that begin alike the ends tell them apart.
func cutMiddle(text string, w int, ellipsis string) string {
	text = clean(text)
	head := (w - cells(ellipsis) + 1) / 2
	if tail := w - cells(ellipsis) - head; cells(text) > w && tail > 0 {
		end := ansi.TruncateLeft(text, cells(text)-tail, "")
		for cells(end) > tail { // a wide character lies across the edge
			_, n := utf8.DecodeRuneInString(end)
			end = end[n:]
		}
		return ansi.Truncate(text, head, "") + ellipsis + end
	}
	return cut(text, w, ellipsis)
}

// cut shortens text to at most w cells and marks the cut with an ellipsis.
func cut(text string, w int, ellipsis string) string {
	text = clean(text)
	if cells(text) <= w {
		return text
	}
	if w <= 0 {
		return ""
	}
	if cells(ellipsis) > w {
		ellipsis = ""
	}
	return ansi.Truncate(text, w, ellipsis)
}

// pad fills text with spaces on its right up to w cells, and cuts it there.
func pad(text string, w int, ellipsis string) string {
	text = cut(text, w, ellipsis)
	return text + blank(w-cells(text))
}

// padLeft fills text with spaces on its left up to w cells, and cuts it there.
func padLeft(text string, w int, ellipsis string) string {
	text = cut(text, w, ellipsis)
	return blank(w-cells(text)) + text
}

// toRight appends text to l so that it ends w cells further right; every character of it takes one cell.
func (l line) toRight(t tone, text string, w int) line {
	return append(l, span{t, blank(w - utf8.RuneCountInString(text))}, span{t, text})
}

func blank(n int) string {
	const spaces = "                                                                "
	if n <= len(spaces) {
		return spaces[:max(n, 0)]
	}
	return strings.Repeat(" ", n)
}

// fit returns l cut or padded to exactly w cells.
func fit(l line, w int, ellipsis string) line {
	return fitOnto(make(line, 0, len(l)+1), l, w, ellipsis)
}

// fitOnto appends l, cut or padded to exactly w cells, to out.
func fitOnto(out, l line, w int, ellipsis string) line {
	begin, left := len(out), w
	for i, s := range l {
		text := clean(s.text)
		n := cells(text)
		if n <= left && (n < left || l[i+1:].width() == 0) {
			out = append(out, span{s.tone, text})
			left -= n
			continue
		}
		room := left
		text = cut(text+strings.Repeat(" ", max(room-n+1, 0)), room, ellipsis)
		out = append(out, span{s.tone, text})
		left -= cells(text)
		break
	}
	if left > 0 {
		out = append(out, span{tonePlain, blank(left)})
	}
	settle(out[begin:], w)
	return out
}

// plain tells whether every character of l takes one cell, whatever stands beside it.
func (l line) plain() bool {
	for _, s := range l {
		if _, ok := simple(s.text); !ok {
			return false
		}
	}
	return true
}

// settle makes sure that l takes w cells as a whole: characters at the seam of two spans may join into one
// that is narrower or wider than both. Such rare ones give way to question marks.
func settle(l line, w int) {
	if l.plain() {
		return
	}
	var whole strings.Builder
	for _, s := range l {
		whole.WriteString(s.text)
	}
	if ansi.StringWidth(whole.String()) == w {
		return
	}
	for i, s := range l {
		if _, ok := simple(s.text); !ok {
			l[i].text = strings.Repeat("?", ansi.StringWidth(s.text))
		}
	}
}

// spread puts left and right at the two ends of w cells; right gives way first when there is no room.
func spread(left, right line, w int, ellipsis string) line {
	gap := w - left.width() - right.width()
	if gap < 1 {
		return fit(left, w, ellipsis)
	}
	out := make(line, 0, len(left)+len(right)+1)
	out = append(out, left...)
	out = append(out, span{tonePlain, blank(gap)})
	return append(out, right...)
}
