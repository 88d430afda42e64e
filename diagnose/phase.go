package diagnose

import "time"

// phase is the slot by which a culprit is told of: the newest, or of one that comes and goes, or takes turns,
// the newest that named it, since it may rest just now.
type phase struct {
	slot *slot
	// ago is how much older than the newest slot it is; rests is true where it is not that one.
	ago   time.Duration
	rests bool
	// note says so beside its numbers; empty for a culprit that is there all the time.
	note string
}

func (c *Case) phase(s *standing) phase {
	c.note(shareSignals()...)
	p := phase{slot: c.newest()}
	switch {
	case p.slot == nil:
		return p
	case s.swing != nil:
		p.note = "in its phase: " + s.swing.text(s.id)
	case s.rhythm != nil:
		p.note = "in its phase: " + FormatDuration(s.rhythm.length) + ", period " + FormatDuration(s.rhythm.period)
	default:
		return p
	}
	for i := len(c.w.slots) - 1; i >= 0; i-- {
		if sl := &c.w.slots[i]; sl.names(s.id) {
			p.ago, p.rests, p.slot = p.slot.to.Sub(sl.to), i < len(c.w.slots)-1, sl
			break
		}
	}
	return p
}

// of returns the shares of a vertex in the phase.
func (p *phase) of(v int) *vertexSlot {
	if p.slot == nil || v >= len(p.slot.vertices) {
		return &vertexSlot{}
	}
	return &p.slot.vertices[v]
}
