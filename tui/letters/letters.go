// Package letters draws short texts in large letters of character cells, to be read from across a room.
// [Draw] is all of it.
package letters

import (
	"strings"
	"unicode"
)

// The size of a letter in dots, and of the gap behind it.
const (
	dotsWide = 3
	dotsHigh = 5
	dotGap   = 1
)

// dots are the letters: five rows from the top, each an octal digit whose bits are the dots from the left.
func dots(r rune) (string, bool) {
	d, ok := map[rune]string{
		'A': "25755", 'B': "65656", 'C': "34443", 'D': "65556", 'E': "74647", 'F': "74644", 'G': "34553",
		'H': "55755", 'I': "72227", 'J': "11152", 'K': "55655", 'L': "44447", 'M': "57755", 'N': "65555",
		'O': "25552", 'P': "65644", 'Q': "25563", 'R': "65655", 'S': "34216", 'T': "72222", 'U': "55557",
		'V': "55552", 'W': "55775", 'X': "55255", 'Y': "55222", 'Z': "71247", '0': "75557", '1': "26227",
		'2': "61247", '3': "61216", '4': "55711", '5': "74616", '6': "34652", '7': "71222", '8': "25252",
		'9': "25316", '-': "00700", '.': "00002", '_': "00007", ':': "02020", '/': "11244", '%': "51245",
		'(': "24442", ')': "21112", '>': "42124", ' ': "00000",
	}[unicode.ToUpper(r)]
	return d, ok
}

// Draw returns a text in the largest letters that fit into w by h cells, as rows of equal width; full is the
// cell of a dot. With halves set, a letter may also be made of half cells, which fit where whole ones do not.
// It is not ok where no size fits, or for characters that have no letter here.
func Draw(text string, w, h int, full string, halves bool) (rows []string, ok bool) {
	all := []rune(text)
	bitmap := make([]string, dotsHigh)
	for i, r := range all {
		d, known := dots(r)
		if !known {
			return nil, false
		}
		for y := range bitmap {
			row := d[y] - '0'
			for x := range dotsWide {
				bitmap[y] += string("01"[row>>(dotsWide-1-x)&1])
			}
			if i < len(all)-1 {
				bitmap[y] += strings.Repeat("0", dotGap)
			}
		}
	}
	width := len(bitmap[0])
	if width == 0 {
		return nil, false
	}
	// A dot is twice as wide as high in cells, which are about twice as high as wide.
	if size := min(w/(2*width), h/dotsHigh); size > 0 {
		return whole(bitmap, size, full), true
	}
	if halves && width <= w && (dotsHigh+1)/2 <= h {
		return half(bitmap), true
	}
	return nil, false
}

func whole(bitmap []string, size int, full string) []string {
	var out []string
	for _, dotRow := range bitmap {
		var b strings.Builder
		for _, dot := range dotRow {
			cell := " "
			if dot == '1' {
				cell = full
			}
			b.WriteString(strings.Repeat(cell, 2*size))
		}
		for range size {
			out = append(out, b.String())
		}
	}
	return out
}

// half puts two dots above each other into one cell.
func half(bitmap []string) []string {
	var out []string
	for y := 0; y < dotsHigh; y += 2 {
		var b strings.Builder
		for x := range bitmap[y] {
			upper, lower := bitmap[y][x] == '1', y+1 < dotsHigh && bitmap[y+1][x] == '1'
			switch {
			case upper && lower:
				b.WriteString("█")
			case upper:
				b.WriteString("▀")
			case lower:
				b.WriteString("▄")
			default:
				b.WriteString(" ")
			}
		}
		out = append(out, b.String())
	}
	return out
}
