package tui

import (
	"slices"
	"time"

	"culprit/diagnose"
)

// The bounds of what is kept to look back at: time, and subtasks over all moments, which is what memory goes
// with.
const (
	pastSpan     = time.Hour
	pastSubtasks = 400_000
)

// past holds earlier pictures of the job on the screen, one per slot, oldest first.
type past struct {
	kept     []picture
	subtasks int
}

// keep adds a picture when it closes a slot, and forgets what is too old or too much.
func (p *past) keep(next picture) {
	r := next.obs.Report
	if r == nil {
		return
	}
	if n := len(p.kept); n > 0 {
		last := p.kept[n-1].obs
		switch {
		case last.Report.Job.ID != r.Job.ID:
			*p = past{}
		case slotOf(last.Trend).Equal(slotOf(next.obs.Trend)):
			return
		}
	}
	p.kept = append(p.kept, next)
	p.subtasks += r.Data.SubtasksTotal
	drop := 0
	for drop < len(p.kept)-1 {
		oldest := p.kept[drop]
		if next.at.Sub(oldest.at) <= pastSpan && p.subtasks <= pastSubtasks {
			break
		}
		p.subtasks -= oldest.obs.Report.Data.SubtasksTotal
		drop++
	}
	p.kept = slices.Delete(p.kept, 0, drop)
}

// step returns the kept picture n moments after the one on the screen, and its number from 1; it is not ok
// beyond the newest. Before the oldest it stays there.
func (p *past) step(now picture, n int) (then picture, number int, ok bool) {
	if len(p.kept) == 0 {
		return picture{}, 0, false
	}
	// The first that is not before the one on the screen: that one itself, or the moment that it belongs to.
	at, _ := slices.BinarySearchFunc(p.kept, now.at, func(k picture, t time.Time) int { return k.at.Compare(t) })
	at = max(at+n, 0)
	if at >= len(p.kept) {
		return picture{}, 0, false
	}
	return p.kept[at], at + 1, true
}

// slotOf tells the slots of a trend apart by their end.
func slotOf(trend []diagnose.TrendPoint) time.Time {
	if n := len(trend); n > 0 {
		return trend[n-1].At
	}
	return time.Time{}
}

// picture returns what is shown: the frozen observation or the newest.
func (m *app) picture() picture {
	if m.held.obs != nil {
		return m.held
	}
	return m.live
}

// freeze holds the picture, or shows the newest again.
func (m *app) freeze() {
	if m.held.obs != nil {
		m.show(picture{}, 0)
		return
	}
	m.show(m.live, 0)
}

// show holds a picture with its number among those kept; the zero picture is the newest, as it comes.
func (m *app) show(p picture, moment int) { m.held, m.moment = p, moment }

// travel shows the kept picture n moments later; beyond the newest it is the live one again.
func (m *app) travel(n int) {
	if m.held.obs == nil && n > 0 || m.live.obs == nil {
		return
	}
	m.pin()
	then, number, ok := m.past.step(m.picture(), n)
	if !ok {
		then, number = picture{}, 0
	}
	m.show(then, number)
}

// toNewest shows the live picture again, where another one is on the main screen.
func (m *app) toNewest() bool {
	held := m.held.obs != nil && m.screen() == screenGraph
	if held {
		m.show(picture{}, 0)
	}
	return held
}
