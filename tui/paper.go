package tui

// paper collects the painted rows of a text, each of w cells.
type paper struct {
	w    int
	th   *Theme
	rows []string
	// items are the lines that can be picked; marked is set until the first row of the last one is written.
	items  []choice
	marked bool
}

// item makes what is written next, up to the next item, heading or end, a line that can be picked. Its first
// row must begin with two blanks.
func (p *paper) item(key string) {
	p.close()
	p.items = append(p.items, choice{key: key, from: len(p.rows), to: -1})
	p.marked = true
}

// close ends the item that is being written.
func (p *paper) close() {
	n := len(p.items)
	if n == 0 || p.items[n-1].to >= 0 {
		return
	}
	if p.marked { // nothing was written of it
		p.add(nil)
	}
	p.items[n-1].to = len(p.rows) - 1
}

func (p *paper) add(l line) {
	if p.marked {
		p.items[len(p.items)-1].first, p.marked = l, false
	}
	p.rows = append(p.rows, p.th.paint(l, p.w))
}

// heading begins a section.
func (p *paper) heading(text string) {
	p.close()
	if len(p.rows) > 0 {
		p.add(nil)
	}
	p.add(line{say(toneStrong, text)})
}

// entry writes a row of a head and a text, which is broken where it does not fit and stays under itself.
func (p *paper) entry(head line, indent int, t tone, text string) {
	used := head.width()
	if used >= indent {
		indent = used + 1
	}
	if p.w-indent < 16 { // too narrow to stand beside
		p.add(head)
		head, indent = nil, 4
	}
	for i, row := range wrap(text, max(p.w-indent, 1), 40, p.th.ellipsis) {
		l := line{say(tonePlain, blank(indent))}
		if i == 0 {
			l = append(append(line{}, head...), say(tonePlain, blank(indent-head.width())))
		}
		p.add(append(l, say(t, row)))
	}
}
