package tui

import (
	"slices"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// The bounds of what is kept to look back at: time, and memory, by what observations were measured to take in
// bytes. An hour of a job of 10 vertices takes 27 MB with 40 subtasks and 83 MB with 400.
const (
	pastSpan  = time.Hour
	pastBytes = 96_000_000
	// pastSlot is the time between two moments of the list of jobs.
	pastSlot = 10 * time.Second

	vertexBytes  = 5_600
	subtaskBytes = 450
	jobBytes     = 500
)

// past holds earlier pictures of the job on the screen, or of the list of jobs, one per slot, oldest first.
type past struct {
	kept  []picture
	bytes int
}

// keep adds a picture when it closes a slot, and forgets what is too old. Where the rest is too much, the
// older half keeps every second moment. A picture of another job begins anew.
func (p *past) keep(next picture) {
	if bytesOf(next.obs) == 0 {
		return
	}
	if n := len(p.kept); n > 0 {
		last := p.kept[n-1].obs
		switch {
		case subjectID(last) != subjectID(next.obs):
			*p = past{}
		case slotOf(last).Equal(slotOf(next.obs)):
			return
		}
	}
	p.kept = append(p.kept, next)
	p.bytes += bytesOf(next.obs)
	p.drop(func(_ int, old picture) bool { return next.at.Sub(old.at) > pastSpan })
	for p.bytes > pastBytes && len(p.kept) > 1 {
		half, few := len(p.kept)/2, len(p.kept) < 4
		p.drop(func(i int, _ picture) bool { return few && i == 0 || !few && i < half && i%2 == 1 })
	}
}

// drop forgets the pictures that some function chooses.
func (p *past) drop(chosen func(i int, old picture) bool) {
	left := p.kept[:0]
	for i, k := range p.kept {
		if chosen(i, k) {
			p.bytes -= bytesOf(k.obs)
			continue
		}
		left = append(left, k)
	}
	clear(p.kept[len(left):])
	p.kept = left
}

// bytesOf is about what an observation takes; one that shows neither a job nor several is not kept.
func bytesOf(obs *diagnose.Observation) int {
	switch {
	case obs.Report != nil:
		return len(obs.Report.Vertices)*vertexBytes + max(obs.Report.Data.SubtasksTotal, 1)*subtaskBytes
	case len(obs.Jobs) > 1:
		return len(obs.Jobs) * jobBytes
	}
	return 0
}

// subjectID is the job that an observation shows; empty for the list of jobs.
func subjectID(obs *diagnose.Observation) flinkapi.JobID {
	if obs.Report == nil {
		return ""
	}
	return obs.Report.Job.ID
}

// step returns the kept picture n moments after the one on the screen; it is not ok beyond the newest. Before
// the oldest it stays there.
func (p *past) step(now picture, n int) (then picture, ok bool) {
	at := max(p.index(now)+n, 0)
	if at >= len(p.kept) {
		return picture{}, false
	}
	return p.kept[at], true
}

// index is the place of the first picture that is not before the given one: that one itself, or the moment
// that it belongs to.
func (p *past) index(of picture) int {
	at, _ := slices.BinarySearchFunc(p.kept, of.at, func(k picture, t time.Time) int { return k.at.Compare(t) })
	return at
}

// number is the place of a picture among those kept, from 1; a picture that was dropped meanwhile is before
// the first.
func (p *past) number(of picture) int { return p.index(of) + 1 }

// slotOf tells the slots of a trend, or of the list of jobs, apart.
func slotOf(obs *diagnose.Observation) time.Time {
	if obs.Report == nil {
		return obs.At.Truncate(pastSlot)
	}
	if n := len(obs.Trend); n > 0 {
		return obs.Trend[n-1].At
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
		m.show(picture{}, false)
		return
	}
	m.show(m.live, false)
}

// show holds a picture, one of those kept or not; the zero picture is the newest, as it comes.
func (m *app) show(p picture, kept bool) { m.held, m.traveled = p, kept }

// placeInTime tells a scene where in the last hour its picture belongs.
func (m *app) placeInTime(sc *scene) {
	sc.moments = len(m.past.kept)
	if m.traveled {
		sc.moment = m.past.number(m.held)
	}
	if m.live.obs == nil {
		return
	}
	sc.hour, sc.hourEnd = &m.hour, m.live.obs.At.Add(m.now.Sub(m.live.at))
	if m.held.obs != nil {
		sc.shownAt = m.held.obs.At
	}
}

// travel shows the kept picture n moments later; beyond the newest it is the live one again.
func (m *app) travel(n int) {
	if m.held.obs == nil && n > 0 || m.live.obs == nil {
		return
	}
	m.pin()
	m.show(m.past.step(m.picture(), n))
}

// toNewest shows the live picture again, where another one is on the screen.
func (m *app) toNewest() bool {
	held := m.held.obs != nil
	m.show(picture{}, false)
	return held
}
