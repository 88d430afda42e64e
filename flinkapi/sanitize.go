package flinkapi

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The longest texts that are kept, in runes: a name or a line, a description of several lines, and a stack
// trace.
const (
	maxLine        = 500
	maxDescription = 16000 // SQL operators reach 8 kB
	maxTrace       = 20000
	maxMarks       = 2 // combining marks on one letter; more only serve to draw over other lines
)

// Sanitize makes text of a cluster safe for a terminal and returns it as one line of at most 500 runes.
// Escape sequences, control, zero-width and bidi characters are removed, white space becomes one space, and
// invalid UTF-8 is replaced.
func Sanitize(text string) string {
	if len(text) <= maxLine && printable(text) &&
		!strings.Contains(text, "  ") && strings.TrimSpace(text) == text {
		return text
	}
	return shorten(strings.Join(strings.Fields(visible(text)), " "), maxLine)
}

// sanitizeLines does the same for a text of at most limit runes whose line breaks and indentation carry
// meaning.
func sanitizeLines(text string, limit int) string {
	text = limited(text, limit)
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(visible(line), " ")
	}
	return shorten(strings.Trim(strings.Join(lines, "\n"), "\n"), limit)
}

// limited is the beginning of a text, long enough for so many runes with what is removed between them.
func limited(text string, limit int) string { return text[:min(len(text), 8*limit)] }

func shorten(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:limit-1]), " ") + "…"
}

// printable tells whether a text is all printable ASCII, as nearly all texts of a cluster are.
func printable[T string | []byte](text T) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// visible drops what a terminal would act upon or not show. Every white space becomes a space.
func visible(text string) string {
	if len(text) < 4*maxDescription && printable(text) {
		return text
	}
	var out strings.Builder
	out.Grow(min(len(text), 4*maxDescription))
	marks := 0
	for len(text) > 0 && out.Len() < 4*maxDescription {
		if skip := escapeSequence(text); skip > 0 {
			text = text[skip:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text) // an invalid byte gives U+FFFD
		text = text[size:]
		switch {
		case unicode.IsSpace(r) && r != '\u0085':
			r = ' '
		case invisible(r):
			continue
		}
		if unicode.In(r, unicode.Mn, unicode.Me) {
			if marks++; marks > maxMarks {
				continue
			}
		} else {
			marks = 0
		}
		out.WriteRune(r)
	}
	return out.String()
}

func invisible(r rune) bool {
	switch {
	case unicode.In(r, unicode.Cc, unicode.Cf): // ESC, C0, C1, BOM, zero-width, bidi, tags
		return true
	case r == '\u034f', r == '\u115f', r == '\u1160', r == '\u3164', r == '\uffa0': // joiner and fillers
		return true
	case r >= '\ufe00' && r <= '\ufe0f', r >= 0xe0100 && r <= 0xe01ef: // variation selectors change the width
		return true
	}
	return false
}

// escapeSequence returns the length of the terminal sequence at the start of text, 0 when there is none. Of
// a sequence without an end only the introducer counts.
func escapeSequence(text string) int {
	if text[0] != 0x1b || len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '[': // CSI: parameters, then one final byte
		end := strings.IndexFunc(text[2:], func(r rune) bool { return r < ' ' || r > '?' })
		if end >= 0 && text[2+end] >= '@' && text[2+end] <= '~' {
			return 2 + end + 1
		}
		return 2
	case ']', 'P', 'X', '^', '_': // OSC, DCS, SOS, PM, APC: up to BEL or ST
		if end := strings.IndexAny(text[2:], "\a\x1b"); end >= 0 {
			if text[2+end] == '\a' {
				return 2 + end + 1
			}
			if strings.HasPrefix(text[2+end:], "\x1b\\") {
				return 2 + end + 2
			}
		}
		return 2
	}
	return 0
}
