package dag

import "unicode/utf8"

// A Stroke is the kind of line that an edge is drawn with, from the faintest to the one that stands out.
type Stroke uint8

// The strokes. Dotted shows on straight stretches only.
const (
	Dotted Stroke = iota
	Thin
	Heavy
)

// A Pen is how an edge is drawn. Lit edges go over others where lines cross.
type Pen struct {
	Stroke Stroke
	Lit    bool
}

// Draw picks the character of a cell when each edge is drawn with a pen, and the pen that shows: lit where
// one of the edges seen is, with the heaviest of their strokes. Each arm of a joint has the stroke of the
// edges that run through it.
func (c Cell) Draw(pen func(edge int) Pen) (string, Pen) {
	arms, head := c.joint.arms, c.joint.head
	if len(c.Under) > 0 && !anyLit(c.Edges, pen) && anyLit(c.Under, pen) {
		arms, head = (horizontal|vertical)&^arms, 0
	}
	var seen Pen
	heavy := uint8(0)
	for _, s := range c.joint.strokes {
		if len(c.Under) > 0 && s.arms&arms == 0 {
			continue
		}
		p := pen(s.edge)
		seen.Lit = seen.Lit || p.Lit
		seen.Stroke = max(seen.Stroke, p.Stroke)
		if p.Stroke == Heavy {
			heavy |= s.arms
		}
	}
	if head != 0 {
		return c.charset.text(c.charset.head(head)), seen
	}
	return c.charset.stroke(arms&15, heavy&arms&15, seen.Stroke), seen
}

func anyLit(edges []int, pen func(edge int) Pen) bool {
	for _, e := range edges {
		if pen(e).Lit {
			return true
		}
	}
	return false
}

// weighed has the box characters by the weight of each arm, thin 1 and heavy 2: north counts once, east 3
// times, south 9 times, west 27 times. It begins at 1, and each takes three bytes.
const weighed = "╵╹╶└┖╺┕┗╷│╿┌├┞┍┝┡╻╽┃┎┟┠┏┢┣╴┘┚─┴┸╼┶┺┐┤┦┬┼╀┮┾╄┒┧┨┰╁╂┲╆╊╸┙┛╾┵┹━┷┻┑┥┩┭┽╃┯┿╇┓┪┫┱╅╉┳╈╋"

// stroke is the character for a set of arms, some of them heavy, when the heaviest stroke of all is most.
func (c Charset) stroke(arms, heavy uint8, most Stroke) string {
	straight := arms&horizontal == arms || arms&vertical == arms
	level := arms&horizontal != 0
	switch {
	case c == ASCII && heavy != 0 && straight && level:
		return "="
	case c == ASCII && heavy != 0:
		return "#"
	case most == Dotted && straight && c == ASCII && level:
		return "."
	case most == Dotted && straight && c == ASCII:
		return ":"
	case most == Dotted && straight && level:
		return "┈"
	case most == Dotted && straight:
		return "┊"
	case c == ASCII:
		return c.text(c.line(arms))
	}
	at := -1
	for i, times := range [...]int{1, 3, 9, 27} {
		if bit := uint8(1) << i; heavy&bit != 0 {
			at += 2 * times
		} else if arms&bit != 0 {
			at += times
		}
	}
	if at < 0 {
		return " "
	}
	const size = len("│")
	return weighed[at*size : (at+1)*size]
}

// Sample is a piece of an edge with its arrow, as a legend shows it.
func (c Charset) Sample(s Stroke) string {
	heavy := uint8(0)
	if s == Heavy {
		heavy = horizontal
	}
	line := c.stroke(horizontal, heavy, s)
	return line + line + c.text(c.head(east))
}

// text is a character of the set as a text that costs nothing to make.
func (c Charset) text(r rune) string {
	const all = "-|+><^v▲▶▼◀"
	for i, known := range all {
		if known == r {
			return all[i : i+utf8.RuneLen(r)]
		}
	}
	return string(r)
}
