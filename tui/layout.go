package tui

// The smallest screen that the monitor draws on, in cells.
const (
	minWidth  = 40
	minHeight = 12
	minBody   = 3
)

// layoutMode says which parts the screen has.
type layoutMode uint8

const (
	// layoutGraph is the main screen: everything.
	layoutGraph layoutMode = iota
	// layoutDrill keeps the header and the card and gives the rest to one pane.
	layoutDrill
	// layoutJobs is the list of jobs with words on the one under the cursor.
	layoutJobs
	// layoutFull gives everything between header and footer to one pane.
	layoutFull
)

// panels are the rectangles of the parts; they tile the screen. A part without room is empty.
type panels struct {
	Header, Card, Body, Detail, Ladder, Trend, Footer Rect
	// Compact is set where the card has no border.
	Compact bool
	// TooSmall is set where nothing but a sentence fits.
	TooSmall bool
}

// arrange places the parts on a screen of w by h cells. The body is given need rows where there are more, and
// the rest goes to the details; 0 asks for all. Neither depends on numbers, so that nothing moves when the
// data does.
func arrange(w, h int, mode layoutMode, need int) panels {
	if w < minWidth || h < minHeight {
		return panels{TooSmall: true, Body: Rect{0, 0, max(w, 0), max(h, 0)}}
	}
	rows := heights(w, h, mode)
	p := panels{Compact: compactCard(w, h)}
	body := h - rows.header - rows.card - rows.detail - rows.ladder - rows.trend - 1
	if need > 0 && need < body {
		rows.detail += body - max(need, minBody)
		body = max(need, minBody)
	}
	y := 0
	for _, slot := range []struct {
		rect *Rect
		rows int
	}{
		{&p.Header, rows.header},
		{&p.Card, rows.card},
		{&p.Body, body},
		{&p.Detail, rows.detail},
		{&p.Ladder, rows.ladder},
		{&p.Trend, rows.trend},
		{&p.Footer, 1},
	} {
		*slot.rect = Rect{0, y, w, slot.rows}
		y += slot.rows
	}
	return p
}

// compactCard tells whether the card goes without its border, which costs two rows and four columns.
func compactCard(w, h int) bool { return w < 60 || h < 18 }

type rowBudget struct{ header, card, detail, ladder, trend int }

// heights gives each part its rows, in order of need: header, card, body, ladder, details, trend.
func heights(w, h int, mode layoutMode) rowBudget {
	b := rowBudget{header: step(h, 1, 22, 2), card: cardRows(w, h)}
	switch mode {
	case layoutFull:
		b.card = 0
		return b
	case layoutJobs:
		b.card, b.detail = 0, step(h, 0, 14, 2, 20, 4, 30, 6)
		return b
	case layoutDrill:
		return b
	case layoutGraph:
	}
	b.ladder = step(h, 0, 14, 1)
	b.detail = step(h, 0, 18, 1, 30, 2)
	b.trend = step(h, 0, 22, 2, 32, 3, 44, chartRows, 60, chartRows+1)
	return b
}

func cardRows(w, h int) int {
	if compactCard(w, h) {
		return step(h, 4, 14, 6, 20, 7, 26, 9)
	}
	return step(h, 5, 20, 6, 24, 8, 44, 9, 56, 10)
}

// step returns the value of the last threshold that h reaches: base, then pairs of threshold and value.
func step(h, base int, pairs ...int) int {
	for i := 0; i+1 < len(pairs); i += 2 {
		if h >= pairs[i] {
			base = pairs[i+1]
		}
	}
	return base
}
