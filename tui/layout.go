package tui

// The smallest screen that the monitor draws on, in cells.
const (
	minWidth  = 40
	minHeight = 12
	minBody   = 3
)

// roomy is the height from which on there is room for all that a card has to say.
const roomy = 44

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

// layoutAsk is what the parts ask for, in rows.
type layoutAsk struct {
	card cardWish
	// body and detail are what they can use; 0 stands for all that there is.
	body, detail int
}

// arrange places the parts on a screen of w by h cells. The body is given the rows that it asks for where
// there are more, and the rest goes to the details, then to the trend. None depends on numbers that move, so
// that nothing moves when the data does.
func arrange(w, h int, mode layoutMode, ask layoutAsk) panels {
	if w < minWidth || h < minHeight {
		return panels{TooSmall: true, Body: Rect{0, 0, max(w, 0), max(h, 0)}}
	}
	rows := heights(w, h, mode)
	if mode == layoutGraph {
		rows.grow(h, ask.card)
	}
	body := h - rows.taken()
	if spare := body - max(ask.body, minBody); ask.body > 0 && spare > 0 {
		rows.spend(spare, ask.detail)
		body = h - rows.taken()
	}
	return rows.place(w, body, compactCard(w, h))
}

// place sets the parts one below the other.
func (b *rowBudget) place(w, body int, compact bool) panels {
	p := panels{Compact: compact}
	y := 0
	for _, slot := range []struct {
		rect *Rect
		rows int
	}{
		{&p.Header, b.header},
		{&p.Card, b.card},
		{&p.Body, body},
		{&p.Detail, b.detail},
		{&p.Ladder, b.ladder},
		{&p.Trend, b.trend},
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

// taken is what all parts but the body take, the footer included.
func (b *rowBudget) taken() int { return b.header + b.card + b.detail + b.ladder + b.trend + 1 }

// grow gives the card what it wants as far as a graph keeps its room, and what it must have at the cost of
// the details, the trend, the ladder and in the end the graph.
func (b *rowBudget) grow(h int, card cardWish) {
	comfort := step(h, minBody, 14, 4, 18, 5, 24, 8, 30, 9, roomy, 12)
	b.card = max(b.card, min(card.want, b.card+h-b.taken()-comfort))
	if b.card >= card.must {
		return
	}
	b.card = card.must
	for _, part := range []struct {
		rows  *int
		leave int // the body that makes the part stay
	}{
		{&b.detail, comfort},
		{&b.trend, comfort},
		{&b.ladder, minBody},
	} {
		if h-b.taken() < part.leave {
			*part.rows = 0
		}
	}
	b.card = min(b.card, b.card+h-b.taken()-minBody)
}

// spend gives spare rows to the details, as many as they can use, then to a chart that is large already,
// whose height goes by the steps of its axis. What nobody needs is left to the body.
func (b *rowBudget) spend(spare, detail int) {
	more := spare
	if detail > 0 {
		more = min(spare, max(detail-b.detail, 0))
	}
	b.detail += more
	if b.trend >= chartRows {
		high := b.trend + spare - more
		b.trend = step(high, b.trend, chartRows+1, chartRows+1, fineChartRows, fineChartRows)
	}
}

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
		b.card = drillCardRows(w, h)
		return b
	case layoutGraph:
	}
	b.ladder = step(h, 0, 14, 1)
	b.detail = step(h, 0, 18, 1, 30, 2, 34, 8)
	b.trend = step(h, 0, 22, 2, 32, 3, roomy, chartRows, 60, chartRows+1)
	return b
}

func cardRows(w, h int) int {
	if compactCard(w, h) {
		return step(h, 4, 14, 6, 20, 7, 26, 9)
	}
	return step(h, 5, 20, 6, 24, 8, roomy, 9, 56, 10)
}

// drillCardRows is less than the card has on the main screen, where it was read already: who, why and the
// beginning of the fix.
func drillCardRows(w, h int) int {
	if compactCard(w, h) {
		return step(h, 2, 14, 3, 22, 4, 30, 6)
	}
	return step(h, 5, 30, 6, 36, 8, roomy, 9, 56, 10)
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
