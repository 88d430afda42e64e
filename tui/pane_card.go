package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// card is what the pinned card says, before it is fitted into its rectangle.
type card struct {
	word string // the word that is filled, such as CULPRIT
	tone tone   // of the border and, where there is no fill, of the word
	fill tone
	name string
	// prose is set where that is a sentence, which is read from its beginning, and no name.
	prose bool
	// brief is the operator alone, for where its chain beside it leaves the marks no room; empty for none.
	brief string
	// others are the culprits beside the first, which stand in the title beside it.
	others []string
	marks  []string // what stands at the right of the title, the most important first
	doubts int      // how many of the first marks say that something is not sure: they stand before the name
	large  string   // the word in few letters, for a wall; empty where that is word
	items  []cardItem
	keys   bool // whether the keys of a verdict make sense
	// narrow is set for a card in few words.
	narrow bool
	laid   int // the cells that the texts of the items are wrapped to; 0 before they are
}

// cardItem is one labelled row of the card; text may take several rows where there is room.
type cardItem struct {
	label string
	text  string
	tone  tone
	row   []line   // instead of text, for rows with tones of their own: its parts, as many as fit; never wrapped
	rows  []string // of text, once it is laid
	// short says the same in a few words, for a narrow card; empty where text does.
	short string
	// need orders the items when there is no room for all: the lowest stay.
	need need
}

// need orders the items of a card.
type need int

const (
	needWhy need = iota
	needFix
	needNumbers
	needOthers
	needOtherFix
	needNot
	needRisk
	needGain
	needMore
	needs
)

// drawCard shows the verdict: a culprit, else the state of the job, else what is being tried.
func drawCard(sc *scene, r Rect, compact bool, th *Theme) []string {
	if r.empty() {
		return nil
	}
	c := sc.cardFor(compact, th)
	if compact {
		rows := append([]line{c.bar(r.W, th)}, c.rows(r.W, r.H-1, th)...)
		return th.fillRect(rows, r)
	}
	title := line{say(c.fill, " "+c.word+" ")}
	if c.name != "" {
		title = append(title, say(toneStrong, " "+c.nameBeside(c.nameRoom(r.W), th)))
	}
	marks := c.marksFor(r.W-title.width()-10, len(c.marks), th)
	b := boxed{
		border: th.thin, tone: c.tone, title: title, innerBlank: 1,
		rows: c.rows(r.W-4, r.H-2, th),
	}
	if marks != "" {
		b.right = line{say(toneStrong, marks)}
	}
	rows := th.fillRect(th.box(b, r), r)
	if c.keys {
		rows[r.H-1] = c.keyRim(sc, r.W, th)
	}
	return rows
}

// keyRim is the lower border with the keys that lead further set into it.
func (c *card) keyRim(sc *scene, w int, th *Theme) string {
	b := th.thin
	left, right := b.bottomLeft+b.top+" ", " "+b.top+b.bottomRight
	keys := th.shortHelp(w-cells(left+right), bindingsOf(sc.actions, ActionEvidence, ActionWhyNot, ActionCopy))
	right = " " + strings.Repeat(b.top, max(w-cells(left+right)-ansi.StringWidth(keys), 0)) + right[1:]
	paint := func(text string) string { return th.paint(line{say(c.tone, text)}, cells(text)) }
	return exact(paint(left)+keys+paint(right), w, "")
}

// nameRoom is what the word leaves of the title of a card of w cells to the name and the marks.
func (c *card) nameRoom(w int) int {
	const around = 13 // the ends of the border, and blanks
	return w - cells(c.word) - around
}

// compact returns the card in few words.
func (c *card) compact() *card {
	out := *c
	out.items, out.laid, out.narrow = nil, 0, true
	for _, item := range c.items {
		switch {
		case item.need == needOtherFix:
			continue // it is in the words of its culprit
		case item.short != "":
			item.text, item.row = item.short, nil
		}
		out.items = append(out.items, item)
	}
	return &out
}

// bar is the title of a card without a border.
func (c *card) bar(w int, th *Theme) line {
	word := " " + c.word + " "
	room := w - cells(word) - 1
	name, doubt := c.name, c.doubt(th)
	if c.brief != "" && cells(name) > room-cells(doubt)-2 {
		name = c.brief
	}
	if doubt != "" {
		room -= cells(doubt) + 2
	}
	name = c.names(name, room, th)
	marks := c.marksFor(w-cells(word)-cells(name)-3, len(c.marks), th)
	left := line{say(c.fill, word), say(toneStrong, " "+name)}
	return spread(left, line{say(toneDim, marks)}, w, th.ellipsis)
}

// nameBeside is the name in the room that is left beside the doubts: the operator alone where its chain would
// leave none to for how long it has been so, which must not change the name by its length.
func (c *card) nameBeside(w int, th *Theme) string {
	const lasting, least = 23, 8
	name, room := c.name, max(w-cells(c.doubt(th)), least)
	if c.brief != "" && cells(c.name) > room-lasting {
		name = c.brief
	}
	return c.names(name, room, th)
}

// names is the first name with those of the others behind it in w cells, as many as have room for enough of
// each; the rest is counted.
func (c *card) names(first string, w int, th *Theme) string {
	all, tail := append([]string{first}, c.others...), ""
	const least, gap = 8, 2
	n := min(max((w+gap)/(least+gap), 1), len(all))
	if n < len(all) {
		tail = fmt.Sprintf(" +%d", len(all)-n)
	}
	if n == 1 {
		return c.fitName(first, w-cells(tail), th) + tail
	}
	room, whole := w-cells(tail)-gap*(n-1), make([]int, n)
	for i, name := range all[:n] {
		whole[i] = cells(chain(name, room, &th.glyphs))
	}
	for i, most := range evenly(whole, room) {
		all[i] = chain(all[i], most, &th.glyphs)
	}
	return strings.Join(all[:n], ", ") + tail
}

// evenly shares room among what wants so much each: what is small is whole, the rest gets as much each.
func evenly(wants []int, room int) []int {
	out := make([]int, len(wants))
	for room > 0 {
		open := 0
		for i, want := range wants {
			if out[i] < want {
				open++
			}
		}
		if open == 0 {
			break
		}
		each := max(room/open, 1)
		for i, want := range wants {
			more := min(each, want-out[i], room)
			out[i], room = out[i]+more, room-more
		}
	}
	return out
}

// fitName is the name, or what is said instead of one, in w cells.
func (c *card) fitName(name string, w int, th *Theme) string {
	if c.prose {
		return cut(name, w, th.ellipsis)
	}
	return chain(name, w, &th.glyphs)
}

// doubt are the marks that must not be cut.
func (c *card) doubt(th *Theme) string { return strings.Join(c.marks[:c.doubts], " "+th.bullet+" ") }

// marksFor returns as many marks as fit into w cells, most of them at the most.
func (c *card) marksFor(w, most int, th *Theme) string {
	sep := " " + th.bullet + " "
	for n := min(most, len(c.marks)); n > 0; n-- {
		if text := strings.Join(c.marks[:n], sep); cells(text) <= w {
			return text
		}
	}
	return ""
}
