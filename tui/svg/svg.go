package svg

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The grid, in the picture's units: a cell, the place of a text's foot in it, the size of the letters, the
// margin.
const (
	cellWidth  = 9
	cellHeight = 18
	foot       = 14
	letters    = 15
	margin     = 10
)

// fonts are those that hold lines and letters of one width on the usual systems, the commonest last.
const fonts = "'DejaVu Sans Mono','JetBrains Mono','SF Mono',Menlo,Consolas,'Liberation Mono',monospace"

// Options say how a picture looks.
type Options struct {
	// Title is read out where the picture is not seen.
	Title string
	// Light draws on a light ground, for frames that were drawn for one.
	Light bool
}

// Picture returns the SVG document of a frame: lines of text, as wide as the longest, with the sequences for
// colours and attributes that a terminal understands. What else a terminal would obey is dropped.
func Picture(frame string, o Options) string {
	p := painter{fore: "#d4d4d4", back: "#121216"}
	if o.Light {
		p.fore, p.back = "#242424", "#fafafa"
	}
	rows := read(frame)
	width := 0
	for y, row := range rows {
		width = max(width, len(row))
		p.row(row, y)
	}
	w, h := width*cellWidth+2*margin, len(rows)*cellHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"`, w, h)
	fmt.Fprintf(&b, ` viewBox="0 0 %d %d"`, w, h)
	fmt.Fprintf(&b, ` font-family="%s" font-size="%d" role="img">`+"\n", fonts, letters)
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(printable(o.Title)))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="6" fill="%s"/>`+"\n", w, h, p.back)
	fmt.Fprintf(&b, `<g transform="translate(%d %d)" fill="%s">`+"\n", margin, margin, p.fore)
	b.WriteString(p.ground.String())
	for _, s := range p.strokes {
		fmt.Fprintf(&b, `<path fill="none" stroke="%s" stroke-width="%d"`, s.colour, s.width)
		fmt.Fprintf(&b, ` d="%s"/>`+"\n", s.path.String())
	}
	b.WriteString(p.ink.String())
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// painter gathers a picture: the ground of the cells, the lines by colour and width, and all else.
type painter struct {
	fore, back  string
	ground, ink strings.Builder
	strokes     []*stroke
}

// stroke is all lines of one colour and width.
type stroke struct {
	colour string
	width  int
	path   strings.Builder
}

// row draws one row, run by run of cells that are drawn in one go.
func (p *painter) row(row []cell, y int) {
	for x := 0; x < len(row); {
		n := 1
		for x+n < len(row) && joins(row[x], row[x+n-1], row[x+n]) {
			n++
		}
		p.run(row[x:x+n], x, y)
		x += n
	}
}

// joins tells whether a cell is drawn together with the run that first begins and last ends.
func joins(first, last, next cell) bool {
	switch {
	case next.look != first.look:
		return false
	case next.width == 0:
		return true
	case first.text == " ":
		return next.text == " "
	case simple(first.text):
		return simple(next.text) && (last.text != " " || next.text != " ")
	}
	return next.text == first.text && first.width == 1
}

// simple tells whether text is of a kind that every monospaced font has in one width.
func simple(text string) bool { return len(text) == 1 }

// run draws cells of one look.
func (p *painter) run(run []cell, x, y int) {
	l := run[0].look
	fore, back := or(l.fore, p.fore), or(l.back, p.back)
	if l.reverse {
		fore, back = back, fore
	}
	left, top, width := x*cellWidth, y*cellHeight, len(run)*cellWidth
	if back != p.back {
		fmt.Fprintf(&p.ground, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n",
			left, top, width, cellHeight, back)
	}
	r, size := utf8.DecodeRuneInString(run[0].text)
	alone := size == len(run[0].text)
	if a, ok := lineOf(r); ok && alone {
		p.line(a, left, top, len(run), fore)
		return
	}
	if path, ok := cornerOf(r); ok && alone {
		for i := range run {
			fmt.Fprintf(&p.stroke(fore, 1).path, "M%d %d%s", left+i*cellWidth, top, path)
		}
		return
	}
	if parts, density := blockOf(r); len(parts) > 0 && alone {
		p.block(parts, density, left, top, len(run), fore)
		return
	}
	if path := dots(r); path != "" && alone {
		for i := range run {
			fmt.Fprintf(&p.ink, `<path fill="%s" d="M%d %d%s"/>`+"\n", fore, left+i*cellWidth, top, path)
		}
		return
	}
	p.text(run, left, top, fore)
}

// line draws n cells of a line character.
func (p *painter) line(a arms, left, top, n int, colour string) {
	const midX, midY = "4.5", "9.5"
	if a.up == 0 && a.down == 0 && a.left == a.right {
		fmt.Fprintf(&p.stroke(colour, weight(a.left)).path, "M%d %d.5h%d", left, top+9, n*cellWidth)
		return
	}
	for i := range n {
		x := left + i*cellWidth
		for _, arm := range []struct {
			heavy int
			to    string
		}{
			{a.up, "V" + fmt.Sprint(top)},
			{a.right, "H" + fmt.Sprint(x+cellWidth)},
			{a.down, "V" + fmt.Sprint(top+cellHeight)},
			{a.left, "H" + fmt.Sprint(x)},
		} {
			if arm.heavy > 0 {
				fmt.Fprintf(&p.stroke(colour, weight(arm.heavy)).path, "M%d %dm%s %s%s", x, top, midX, midY, arm.to)
			}
		}
	}
}

// weight is the width of a light or a heavy stroke, in the picture's units.
func weight(heavy int) int { return 2*heavy - 1 }

// stroke returns the lines of a colour and width.
func (p *painter) stroke(colour string, width int) *stroke {
	i := slices.IndexFunc(p.strokes, func(s *stroke) bool { return s.colour == colour && s.width == width })
	if i < 0 {
		i = len(p.strokes)
		p.strokes = append(p.strokes, &stroke{colour: colour, width: width})
	}
	return p.strokes[i]
}

// block draws n cells of a block character.
func (p *painter) block(parts []area, density float64, left, top, n int, colour string) {
	shade := ""
	if density < 1 {
		shade = fmt.Sprintf(` fill-opacity="%g"`, density)
	}
	for _, part := range parts {
		each, width := n, float64(part.w)*cellWidth/8
		if part.x == 0 && part.w == 8 {
			each, width = 1, float64(n*cellWidth)
		}
		for i := range each {
			fmt.Fprintf(&p.ink, `<rect x="%g" y="%g" width="%g" height="%g" fill="%s"%s/>`+"\n",
				float64(left+i*cellWidth)+float64(part.x)*cellWidth/8, float64(top)+float64(part.y)*cellHeight/8,
				width, float64(part.h)*cellHeight/8, colour, shade)
		}
	}
}

// text draws the letters of a run at the width of its cells, whatever the font thinks.
func (p *painter) text(run []cell, left, top int, colour string) {
	var b strings.Builder
	for _, c := range run {
		b.WriteString(c.text)
	}
	words, l := b.String(), run[0].look
	if strings.Trim(words, " ") == "" {
		return
	}
	trimmed := strings.TrimLeft(words, " ")
	left += (len(words) - len(trimmed)) * cellWidth
	width := (len(run) - len(words) + len(strings.Trim(words, " "))) * cellWidth
	fmt.Fprintf(&p.ink, `<text x="%d" y="%d" textLength="%d"`, left, top+foot, width)
	p.ink.WriteString(` lengthAdjust="spacingAndGlyphs"`)
	if colour != p.fore {
		fmt.Fprintf(&p.ink, ` fill="%s"`, colour)
	}
	for _, style := range []struct {
		on   bool
		text string
	}{
		{l.bold, ` font-weight="bold"`},
		{l.faint, ` fill-opacity="0.6"`},
		{l.italic, ` font-style="italic"`},
		{l.underlined, ` text-decoration="underline"`},
	} {
		if style.on {
			p.ink.WriteString(style.text)
		}
	}
	fmt.Fprintf(&p.ink, ">%s</text>\n", escape(strings.Trim(words, " ")))
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}
