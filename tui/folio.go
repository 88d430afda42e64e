package tui

import (
	"slices"

	"culprit/flinkapi"
)

// folio is a text that is written anew for each frame. Lines of it can be picked, and opened.
type folio struct {
	write func(sc *scene, p *paper)
	// enter opens what a line stands for; nil where that is nothing. It may be nil itself.
	enter func(sc *scene, key string) *folio
	// inspect is the checkpoint that the folio shows, and the vertex of it; zero for none.
	inspect flinkapi.CheckpointRef
	// picked is the key of the line under the cursor, empty for the first line, whichever that is; at is its
	// place among the lines, from which the cursor does not move when the line has vanished.
	picked string
	at     int
	// follow is set while the window follows the cursor, and not the lines that were scrolled to.
	follow bool
	scroll scroll
}

// choice is a line that can be picked: its rows, and the first of them before it was painted.
type choice struct {
	key      string
	from, to int
	first    line
}

// load writes the text, resolves the cursor, and puts the rows behind the window. A text that does not fit
// leaves the last row to the words on the rest.
func (s *folio) load(sc *scene, r Rect, th *Theme) (items []choice, cut bool) {
	p := &paper{w: r.W, th: th}
	s.write(sc, p)
	p.close()
	items = p.items
	if cut = len(p.rows) > r.H && r.H > 1; cut {
		r.H--
	}
	s.settle(items)
	if len(items) > 0 {
		one := &items[s.at]
		p.rows[one.from] = th.paint(pointed(one.first, th), r.W)
	}
	s.scroll.load(p.rows, r.W, r.H)
	if s.follow && len(items) > 0 {
		s.scroll.reveal(items[s.at].from, items[s.at].to)
	}
	return items, cut
}

// settle finds the picked line again; where it has vanished, what stands in its place is picked.
func (s *folio) settle(items []choice) {
	if len(items) == 0 {
		s.at = 0
		return
	}
	i := slices.IndexFunc(items, func(x choice) bool { return x.key == s.picked })
	switch {
	case s.picked == "":
		s.at = 0
	case i >= 0:
		s.at = i
	default:
		s.at = min(s.at, len(items)-1)
		s.picked = items[s.at].key
	}
}

// pointed puts the pointer into the two blanks that the line of an item begins with.
func pointed(l line, th *Theme) line {
	out := line{say(toneSelected, th.pointer+" ")}
	for i, s := range l {
		if i == 0 {
			s.text = s.text[min(len(s.text), 2):]
		}
		if s.tone == tonePlain {
			s.tone = toneSelected
		}
		out = append(out, s)
	}
	return out
}

// move moves the cursor, or the window where there is text between one line and the next.
func (s *folio) move(a ActionID, items []choice) bool {
	if len(items) == 0 {
		return s.scroll.move(a)
	}
	top, h := s.scroll.view.YOffset, s.scroll.view.Height
	switch a {
	case ActionDown:
		if next := s.at + 1; next < len(items) && items[next].from <= top+h && items[next].from >= top {
			s.pick(items, next)
			return true
		}
	case ActionUp:
		if next := s.at - 1; next >= 0 && items[next].to >= top-1 && items[next].from < top+h {
			s.pick(items, next)
			return true
		}
	case ActionTop:
		s.picked, s.at, s.follow = "", 0, false
	case ActionBottom:
		s.pick(items, len(items)-1)
		s.follow = false
	default:
	}
	if !s.scroll.move(a) {
		return false
	}
	if a != ActionTop && a != ActionBottom {
		s.follow = false
		s.keepInSight(items)
	}
	return true
}

// pick puts the cursor on a line.
func (s *folio) pick(items []choice, i int) { s.picked, s.at, s.follow = items[i].key, i, true }

// keepInSight moves the cursor to the nearest line in the window, where it is out of it and there is one.
func (s *folio) keepInSight(items []choice) {
	top, h := s.scroll.view.YOffset, s.scroll.view.Height
	seen := func(x choice) bool { return x.from >= top && x.from < top+h }
	if seen(items[s.at]) {
		return
	}
	i := slices.IndexFunc(items, seen)
	if i < 0 {
		return
	}
	if items[s.at].from >= top+h { // the last one in sight is the nearest
		for i+1 < len(items) && seen(items[i+1]) {
			i++
		}
	}
	s.picked, s.at = items[i].key, i
}
