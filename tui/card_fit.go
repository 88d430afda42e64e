package tui

// cardWish is how many rows a card asks for, its title and borders included.
type cardWish struct {
	// must is what the culprit, the reason, its numbers and the fix take.
	must int
	// want is what all of it takes.
	want int
}

// leastWhy is how many rows of a reason a card has in any case, where the reason is that long.
const leastWhy = 2

// leastOther is the same of the numbers, and of another culprit in words.
const leastOther = 2

// mostWished bounds the rows of one item: a sentence that is longer says no more.
const mostWished = 9

// label is how wide the labels of the card are, with their gap.
func (c *card) label() int {
	const usual, gap = 6, 1
	if !c.narrow {
		return usual
	}
	most := 0
	for _, item := range c.items {
		most = max(most, cells(item.label))
	}
	return min(most+gap, usual)
}

// wish says how many rows the items that are needed as much as last take on w cells.
func (c *card) wish(w int, last need, th *Theme) cardWish {
	var out cardWish
	c.lay(w-c.label(), th)
	for i := range c.items {
		if c.items[i].need > last {
			continue
		}
		whole := c.items[i].height()
		out.want += whole
		out.must += c.items[i].least(whole)
	}
	return out
}

// lay wraps the texts of the items to w cells.
func (c *card) lay(w int, th *Theme) {
	if c.laid == w {
		return
	}
	c.laid = w
	for i := range c.items {
		if item := &c.items[i]; item.row == nil {
			item.rows = wrapSteady(item.text, w, mostWished, th.ellipsis)
		}
	}
}

// height is the number of rows that the item takes once it is laid.
func (item *cardItem) height() int {
	if item.row != nil {
		return 1
	}
	return max(len(item.rows), 1)
}

// least is how many of the rows of an item a card has before it has any of what is needed less.
func (item *cardItem) least(whole int) int {
	switch item.need {
	case needWhy:
		return min(whole, leastWhy)
	case needFix:
		return whole
	case needNumbers, needOthers:
		return min(whole, leastOther)
	case needOtherFix:
		return 1
	case needNot, needRisk, needGain, needMore, needs:
	}
	return 0
}

// rows fits the items into h rows.
func (c *card) rows(w, h int, th *Theme) []line {
	label := c.label()
	c.lay(w-label, th)
	give := c.share(h)
	out := make([]line, 0, h)
	for i := range c.items {
		item := &c.items[i]
		text := firstRows(item.rows, w-label, give[i], th.ellipsis)
		for y := range give[i] {
			name := say(toneDim, blank(label))
			if y == 0 {
				name.text = pad(item.label, label, th.ellipsis)
			}
			switch {
			case item.row != nil:
				out = append(out, append(line{name}, joinFitting(item.row, w-label)...))
			case y < len(text):
				out = append(out, line{name, say(item.tone, text[y])})
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

// share says how many of h rows each item gets once they are laid: first a row of the reason and all of the
// fix, then what else must be there, then the rest of the reason, then a row of all others and the rest.
func (c *card) share(h int) []int {
	give := make([]int, len(c.items))
	each := func(from, to need, upTo func(item *cardItem, whole int) int) {
		for rank := from; rank <= to; rank++ {
			for i := range c.items {
				item := &c.items[i]
				if item.need != rank || h == 0 {
					continue
				}
				more := min(max(upTo(item, item.height())-give[i], 0), h)
				give[i] += more
				h -= more
			}
		}
	}
	one := func(*cardItem, int) int { return 1 }
	all := func(_ *cardItem, whole int) int { return whole }
	each(needWhy, needWhy, one)
	each(needFix, needFix, all)
	each(needNumbers, needOtherFix, (*cardItem).least)
	each(needWhy, needWhy, all)
	each(needNumbers, needRisk, one)
	each(needNumbers, needRisk, all)
	each(needGain, needs, one)
	each(needGain, needs, all)
	return give
}

// card returns what the card says, made once for a scene.
func (sc *scene) card(th *Theme) *card {
	if sc.said == nil {
		c := cardOf(sc, th)
		sc.said = &c
	}
	return sc.said
}

// shortCard returns the card for where it has no border, made once for a scene.
func (sc *scene) shortCard(th *Theme) *card {
	if sc.saidShort == nil {
		sc.saidShort = sc.card(th).compact()
	}
	return sc.saidShort
}

// cardFor returns the card with a border or without one.
func (sc *scene) cardFor(compact bool, th *Theme) *card {
	if compact {
		return sc.shortCard(th)
	}
	return sc.card(th)
}

// cardHold keeps the rows of a card while the verdict is the same: a number that takes a digit less must not
// move the rest of the screen.
type cardHold struct {
	verdict     identity
	items, w, h int
	wish        cardWish
}

// hold returns the wish of a card, not less than before for the same verdict on the same screen.
func (k *cardHold) hold(sc *scene, w, h int, th *Theme) cardWish {
	verdict := identity{}
	if sc.report != nil {
		verdict = identityOf(sc.report)
	}
	c, frame, inner := sc.cardFor(compactCard(w, h), th), 1, w
	if !compactCard(w, h) {
		const border, margin = 2, 4
		frame, inner = border, w-margin
	}
	last := needRisk
	if h >= roomy {
		last = needs
	}
	wish := c.wish(inner, last, th)
	wish.must, wish.want = wish.must+frame, wish.want+frame
	if now := (cardHold{verdict, len(c.items), w, h, k.wish}); now != *k {
		*k = cardHold{verdict: verdict, items: len(c.items), w: w, h: h}
	}
	k.wish.must, k.wish.want = max(k.wish.must, wish.must), max(k.wish.want, wish.want)
	return k.wish
}
