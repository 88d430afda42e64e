package tui

import (
	"fmt"

	"culprit/flinkapi"
)

// textPane shows a folio, or the one that was opened last from a line of it.
type textPane struct {
	root *folio
	// opened are the folios above the root, the one on the screen last.
	opened []*folio
}

// newText returns a pane of a text; enter, which may be nil, opens its lines.
func newText(write func(*scene, *paper), enter func(*scene, string) *folio) *textPane {
	return &textPane{root: &folio{write: write, enter: enter}}
}

// top is the folio on the screen.
func (p *textPane) top() *folio {
	if n := len(p.opened); n > 0 {
		return p.opened[n-1]
	}
	return p.root
}

// open opens the line under the cursor and tells whether it led anywhere.
func (p *textPane) open(sc *scene, r Rect, th *Theme) bool {
	s := p.top()
	items, _ := s.load(sc, r, th)
	if s.enter == nil || len(items) == 0 {
		return false
	}
	next := s.enter(sc, items[s.at].key)
	if next == nil {
		return false
	}
	s.pick(items, s.at)
	p.opened = append(p.opened, next)
	return true
}

// back leaves the folio for the one that it was opened from, and tells whether there is one.
func (p *textPane) back() bool {
	n := len(p.opened)
	if n > 0 {
		p.opened = p.opened[:n-1]
	}
	return n > 0
}

// home leaves all folios but the first.
func (p *textPane) home() { p.opened = nil }

// inspects is the checkpoint on the screen.
func (p *textPane) inspects() flinkapi.CheckpointRef { return p.top().inspect }

// Key moves the cursor, or scrolls.
func (p *textPane) Key(a ActionID, sc *scene, r Rect, th *Theme) bool {
	items, _ := p.top().load(sc, r, th)
	return p.top().move(a, items)
}

// Draw returns the visible rows; where there are more, the last one says so.
func (p *textPane) Draw(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	s := p.top()
	_, cut := s.load(sc, r, th)
	shown := s.scroll.shown()
	if !cut {
		return shown
	}
	above, below := s.scroll.hidden()
	rest := fmt.Sprintf("%s %s more below", th.down, plural(below, "line"))
	if below == 0 {
		rest = fmt.Sprintf("%s the end; %s above", th.up, plural(above, "line"))
	}
	return append(shown, th.paint(line{say(toneDim, rest)}, r.W))
}

// deeper moves between the folios of a text: from a line to what it stands for, and back.
func (m *app) deeper(id ActionID) bool {
	text, ok := m.panes[m.screen()].(*textPane)
	switch {
	case !ok:
		return false
	case id == ActionEvidence && m.screen() == screenEvidence:
		if len(text.opened) > 0 {
			return text.back()
		}
	case id == ActionBack && m.input.Value() == "":
		return text.back()
	case id != ActionOpen:
		return false
	}
	sc := m.scene()
	return text.open(sc, m.panels(sc).Body, m.theme)
}
