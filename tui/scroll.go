package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/viewport"
	"github.com/charmbracelet/x/ansi"
)

// scroll is a window on painted rows, of which there may be more than fit.
type scroll struct {
	// view knows where the window is. It holds blank rows alone: it would break what is painted already anew.
	view viewport.Model
	rows []string
}

// load puts all rows behind a window of w by h cells, which stays where it was as far as that still exists.
func (s *scroll) load(rows []string, w, h int) {
	s.rows, s.view.Width, s.view.Height = rows, w, h
	s.view.SetContent(strings.Repeat("\n", max(len(rows)-1, 0)))
	s.view.SetYOffset(s.view.YOffset)
}

// around shows those of n rows that are around row at, which is in the middle where it can be. Only what is
// in sight is painted.
func (s *scroll) around(n, at, w, h int, paint func(i int) string) []string {
	rows := make([]string, n)
	s.load(rows, w, h)
	s.view.SetYOffset(at - h/2)
	above, below := s.hidden()
	for i := above; i < n-below; i++ {
		rows[i] = paint(i)
	}
	return s.shown()
}

// move scrolls and tells whether the action asked for that.
func (s *scroll) move(a ActionID) bool {
	switch a {
	case ActionUp:
		s.view.ScrollUp(1)
	case ActionDown:
		s.view.ScrollDown(1)
	case ActionPageUp:
		s.view.PageUp()
	case ActionPageDown:
		s.view.PageDown()
	case ActionTop:
		s.view.GotoTop()
	case ActionBottom:
		s.view.GotoBottom()
	default:
		return false
	}
	return true
}

// shown returns the rows in the window: exactly as many as it has, each exactly as wide.
func (s *scroll) shown() []string {
	if s.view.Width <= 0 || s.view.Height <= 0 {
		return nil
	}
	out := make([]string, s.view.Height)
	for i := range out {
		row := ""
		if at := s.view.YOffset + i; at < len(s.rows) {
			row = s.rows[at]
		}
		out[i] = exact(row, s.view.Width, "")
	}
	return out
}

// hidden returns how many rows are above and below the window.
func (s *scroll) hidden() (above, below int) {
	above = s.view.YOffset
	return above, max(s.view.TotalLineCount()-above-s.view.Height, 0)
}

// part says which rows are shown, "3 to 22 of 64", or nothing where all are.
func (s *scroll) part() string {
	above, below := s.hidden()
	if above+below == 0 {
		return ""
	}
	n := s.view.TotalLineCount()
	return fmt.Sprintf("%d to %d of %d", above+1, n-below, n)
}

// exact cuts or fills a painted row to w cells.
func exact(row string, w int, ellipsis string) string {
	n := ansi.StringWidth(row)
	if n > w {
		row = ansi.Truncate(row, w, ellipsis)
		n = ansi.StringWidth(row)
	}
	return row + blank(w-n)
}

// reveal scrolls as little as it takes to show the rows from to to, or the first of them where they do not
// all fit.
func (s *scroll) reveal(from, to int) {
	top, h := s.view.YOffset, s.view.Height
	switch {
	case from < top:
		s.view.SetYOffset(from)
	case to >= top+h:
		s.view.SetYOffset(min(from, to-h+1))
	}
}
