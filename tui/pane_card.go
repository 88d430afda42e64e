package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// card is what the pinned card says, before it is fitted into its rectangle.
type card struct {
	word  string // the word that is filled, such as CULPRIT
	tone  tone   // of the border and, where there is no fill, of the word
	fill  tone
	name  string
	marks []string // what stands at the right of the title, the most important first
	items []cardItem
	keys  bool // whether the keys of a verdict make sense
}

// cardItem is one labelled row of the card; text may take several rows where there is room.
type cardItem struct {
	label string
	text  string
	tone  tone
	row   []line // instead of text, for rows with tones of their own: its parts, as many as fit; never wrapped
	// need orders the items when there is no room for all: the lowest stay.
	need need
}

const cardLabel = 6 // cells of a label with its gap

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
	c := cardOf(sc, th)
	if compact {
		rows := append([]line{c.bar(r.W, th)}, c.rows(r.W, r.H-1, th)...)
		return th.fillRect(rows, r)
	}
	title := line{say(c.fill, " "+c.word+" ")}
	if c.name != "" {
		title = append(title, say(toneStrong, " "+chain(c.name, max(r.W-20, 8), &th.glyphs)))
	}
	marks := c.marksFor(r.W-title.width()-10, th)
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
func (c card) keyRim(sc *scene, w int, th *Theme) string {
	b := th.thin
	left, right := b.bottomLeft+b.top+" ", " "+b.top+b.bottomRight
	keys := th.shortHelp(w-cells(left+right), bindingsOf(sc.actions, ActionEvidence, ActionWhyNot, ActionCopy))
	right = " " + strings.Repeat(b.top, max(w-cells(left+right)-ansi.StringWidth(keys), 0)) + right[1:]
	paint := func(text string) string { return th.paint(line{say(c.tone, text)}, cells(text)) }
	return exact(paint(left)+keys+paint(right), w, "")
}

// bar is the title of a card without a border.
func (c card) bar(w int, th *Theme) line {
	word := " " + c.word + " "
	room := w - cells(word) - 1
	marks := c.marksFor(room-cells(c.name)-2, th)
	left := line{say(c.fill, word), say(toneStrong, " "+chain(c.name, room, &th.glyphs))}
	return spread(left, line{say(toneDim, marks)}, w, th.ellipsis)
}

// marksFor returns as many marks as fit into w cells.
func (c card) marksFor(w int, th *Theme) string {
	sep := " " + th.bullet + " "
	for n := len(c.marks); n > 0; n-- {
		if text := strings.Join(c.marks[:n], sep); cells(text) <= w {
			return text
		}
	}
	return ""
}

// rows fits the items into h rows: one row each for the most needed, then further rows for those that are
// longer.
func (c card) rows(w, h int, th *Theme) []line {
	give := c.share(w, h, th)
	var out []line
	for i, item := range c.items {
		for y := range give[i] {
			label := pad("", cardLabel, "")
			if y == 0 {
				label = pad(item.label, cardLabel, th.ellipsis)
			}
			if item.row != nil {
				out = append(out, append(line{say(toneDim, label)}, joinFitting(item.row, w-cardLabel)...))
				continue
			}
			text := wrap(item.text, w-cardLabel, give[i], th.ellipsis)
			if y < len(text) {
				out = append(out, line{say(toneDim, label), say(item.tone, text[y])})
			}
		}
	}
	return out
}

// joinFitting sets parts side by side, as many as fit into w cells; the first one always, cut if it must be.
func joinFitting(parts []line, w int) line {
	var out line
	for i, p := range parts {
		if i > 0 && out.width()+2+p.width() > w {
			break
		}
		if i > 0 {
			out = append(out, say(tonePlain, "  "))
		}
		out = append(out, p...)
	}
	return out
}

// share says how many of h rows each item gets: the first row of the most needed items, then the further rows
// of the reason and the remedy, then the rest.
func (c card) share(w, h int, th *Theme) []int {
	give := make([]int, len(c.items))
	take := func(i, rows int) {
		rows = min(rows, h)
		give[i] += rows
		h -= rows
	}
	longer := func(i int) {
		if item := c.items[i]; give[i] > 0 && item.row == nil {
			take(i, len(wrap(item.text, w-cardLabel, give[i]+h, th.ellipsis))-give[i])
		}
	}
	wrapAfter := needOthers
	if w < 60 { // the numbers are in the list too
		wrapAfter = needFix
	}
	for need := range needs {
		for i := range c.items {
			if c.items[i].need == need {
				take(i, 1)
			}
		}
		for i := 0; need == wrapAfter && i < len(c.items); i++ {
			if c.items[i].need <= needFix {
				longer(i)
			}
		}
	}
	for i := range c.items {
		longer(i)
	}
	return give
}
