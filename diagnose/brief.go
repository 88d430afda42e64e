package diagnose

import (
	"time"

	"culprit/flinkapi"
)

// brief is a moment in which something held others back, too short for a culprit to stand.
type brief struct {
	// who did it; empty where that was not told.
	who      flinkapi.VertexID
	from, to time.Time
}

// brief returns the newest such moment while nobody can tell whether it comes back: until as long a time is
// free of them as the longest period takes that the window shows, after it or before it.
func (c *Case) brief() (brief, bool) {
	c.note(shareSignals()...)
	var b brief
	slots := c.w.slots
	i := len(slots) - 1
	for i >= 0 && !slots[i].hot() {
		i--
	}
	if i < 0 {
		return b, false
	}
	b.from, b.to = slots[i].from, slots[i].to
	for ; i >= 0 && slots[i].hot(); i-- {
		b.from = slots[i].from
		if who := slots[i].points(); who != "" {
			b.who = who
		}
	}
	free := c.w.started // of such moments since
	for k := i; k >= 0; k-- {
		if slots[k].hot() {
			free = slots[k].to
			break
		}
	}
	longest := history / time.Duration(c.limits.repeats)
	newest := c.newest().to
	return b, b.to.Sub(b.from) < c.limits.firmWindow && newest.Sub(b.to) < longest && b.from.Sub(free) < longest
}

// mayComeBack tells whether a job that is well now may not be, since something held it back for a moment.
func (c *Case) mayComeBack(state *Finding) bool {
	_, open := c.brief()
	return open && state.Rule == healthyRule().Name
}

// hot tells whether something was held back in the slot.
func (s *slot) hot() bool {
	return len(s.verdict.named) > 0 || s.verdict.hint != "" || s.verdict.pressed
}

// points is whom the slot names, or to whom slight pressure points; empty for nobody.
func (s *slot) points() flinkapi.VertexID {
	if len(s.verdict.named) > 0 {
		return s.verdict.named[0].id
	}
	return s.verdict.hint
}

// briefly says who held the job back.
func (c *Case) briefly(b *brief) string {
	if v := c.job.Vertex(b.who); v != nil {
		return v.Name + " held it back for a moment"
	}
	return "it was held back for a moment"
}
