package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// wrap breaks text between words into at most n rows of w cells; the last one ends in an ellipsis when there
// is more.
func wrap(text string, w, n int, ellipsis string) []string {
	if w <= 0 || n <= 0 {
		return nil
	}
	rows := rowsOf(strings.TrimSpace(clean(text)), w)
	for i := range rows {
		rows[i] = cut(strings.TrimRight(rows[i], " "), w, ellipsis)
	}
	return firstRows(rows, w, n, ellipsis)
}

// wrapSteady breaks text as wrap does, such that where it breaks does not depend on how many digits its
// numbers have: those of a verdict change with each look, and nothing else must move.
func wrapSteady(text string, w, n int, ellipsis string) []string {
	if w <= 0 || n <= 0 {
		return nil
	}
	rows := rowsOf(steady(strings.TrimSpace(clean(text))), w)
	for i := range rows {
		rows[i] = cut(strings.TrimRight(strings.ReplaceAll(rows[i], filler, ""), " "), w, ellipsis)
	}
	return firstRows(rows, w, n, ellipsis)
}

// firstRows are the first n of rows that were wrapped to w cells; the last one ends in an ellipsis when there
// are more.
func firstRows(rows []string, w, n int, ellipsis string) []string {
	if n <= 0 || len(rows) <= n {
		return rows[:min(len(rows), max(n, 0))]
	}
	return append(rows[:n-1:n-1], cut(rows[n-1]+" "+rows[n], w, ellipsis))
}

// rowsOf breaks text into rows of w cells, which are parts of it. A word that is longer, such as a class or a
// setting, is broken.
func rowsOf(text string, w int) []string {
	rows := make([]string, 0, cells(text)/w+2)
	from, end, used := 0, 0, 0 // the row so far, and its cells
	for end < len(text) {
		next := end
		for next < len(text) && text[next] == ' ' {
			next++
		}
		word := wordEnd(text, next)
		n := cells(text[next:word])
		if used > 0 && used+next-end+n > w {
			rows, from, used = append(rows, text[from:end]), next, 0
		}
		if used > 0 {
			used += next - end
		}
		for n > w {
			head := breakOf(text[next:word], w)
			rows = append(rows, text[next:next+head])
			next += head
			from, n = next, cells(text[next:word])
		}
		end, used = word, used+n
	}
	return append(rows, text[from:])
}

// wordEnd is where the word that begins at from ends. A number and its unit are one word.
func wordEnd(text string, from int) int {
	end := blankFrom(text, from)
	number := strings.HasSuffix(text[from:end], filler) || end > from && text[end-1] >= '0' && text[end-1] <= '9'
	if !number || end == len(text) {
		return end
	}
	unit := blankFrom(text, end+1)
	switch strings.TrimRight(text[end+1:unit], ",;:.)") {
	case "%", "ms", "s", "min", "h", "d", "k", "M", "/s", "k/s", "M/s", "B", "KB", "MB", "GB", "TB", "times":
		return unit
	}
	return end
}

// blankFrom is where the next blank is, or the end of the text.
func blankFrom(text string, from int) int {
	if i := strings.IndexByte(text[from:], ' '); i >= 0 {
		return from + i
	}
	return len(text)
}

// breakOf is how many bytes of a word longer than w cells stand on its first row: up to a sign between its
// parts where there is one in the second half, and one character at least.
func breakOf(word string, w int) int {
	head := len(ansi.Truncate(word, w, ""))
	if at := strings.LastIndexAny(word[:head], ".-:/_,"); at >= head/2 {
		return at + 1
	}
	if head == 0 {
		_, head = utf8.DecodeRuneInString(word)
	}
	return head
}

// filler stands for a digit that a number does not have. It is of the private use area and takes one cell.
const filler = "\uf8ff"

// steady fills the numbers of a text up to the cells of three digits and a point.
func steady(text string) string {
	const most = 4
	text = strings.ReplaceAll(text, filler, "?")
	var out strings.Builder
	out.Grow(len(text) + len(text)/8)
	digits, before := 0, ' '
	for _, r := range text {
		part := r >= '0' && r <= '9' || r == '.' && digits > 0
		switch {
		case part && (digits > 0 || before == ' ' || before == '('):
			digits++
		case digits > 0 && strings.ContainsRune(" ,);", r):
			out.WriteString(strings.Repeat(filler, max(most-digits, 0)))
			digits = 0
		default:
			digits = 0
		}
		out.WriteRune(r)
		before = r
	}
	return out.String()
}
