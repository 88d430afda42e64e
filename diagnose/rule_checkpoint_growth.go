package diagnose

import (
	"fmt"
	"time"

	"culprit/flinkapi"
)

// growth is the part of the checkpoints that makes them longer, as far as they were read vertex by vertex.
type growth struct {
	kind   phaseKind // phaseNone where it is not known
	vertex int
	// compared is true where two checkpoints were read, so that from and to are how long the part took; with
	// one of them it is the part that takes most, and to its time.
	compared bool
	from, to time.Duration
}

// grows is the part that grew most, or while only one checkpoint was read the one that takes most of it.
func (c *Case) grows() growth {
	if kind, from, to, v, ok := c.grown(); ok {
		return growth{kind: kind, vertex: v, compared: true, from: from, to: to}
	}
	a, known := c.newestAnatomy()
	kind := c.dominant(&a)
	if !known || kind == phaseNone {
		return growth{}
	}
	return growth{kind: kind, vertex: a.phase(kind).vertex, to: a.phase(kind).span}
}

// filling says why no time is left to be told: what grows is the wait of barriers in queues, which ends to
// grow when they are full. It is empty where a straight line holds: where the snapshot or the upload grows,
// or the state does.
func (c *Case) filling(g *growth, t *checkpointTrend) string {
	switch g.kind {
	case phaseBarrier:
		name := c.vertex(g.vertex).Name
		if c.holder(g.vertex) < 0 && !c.behindPressure(g.vertex) {
			return "the barriers wait before " + name + ", and nothing is held back just now: how long they will " +
				"wait does not follow from how it grew"
		}
		return "the wait of the barriers before " + name + " grows while the queues fill: how long it gets is " +
			"only known when they are full"
	case phaseSync, phaseAsync:
		return ""
	case phaseNone:
	}
	if v := c.anyHeldBack(); v >= 0 && !stateKeepsUp(t) {
		return c.vertex(v).Name + " is held back, so that barriers may wait in queues that fill, and which part " +
			"grows was not read yet: how long it gets is not known"
	}
	return ""
}

// anyHeldBack is a vertex that is held back now, -1 for none.
func (c *Case) anyHeldBack() int {
	for v := range c.job.Vertices {
		if c.heldBack(v) {
			return v
		}
	}
	return -1
}

// stateKeepsUp tells whether the state grew by as large a part as the durations did, or by most of it, so
// that it explains them.
func stateKeepsUp(t *checkpointTrend) bool {
	from, to := stateSize(t.first), stateSize(t.last)
	before, ok := from.Float()
	if !ok || !to.IsKnown() || before <= 0 || t.from <= 0 {
		return false
	}
	const most = 0.5
	return to.Or(0)/before-1 >= most*(t.to.Seconds()/t.from.Seconds()-1)
}

// holder is the culprit in whose queues the barriers before v wait, -1 for none.
func (c *Case) holder(v int) int {
	above, below := c.g.above(v), c.g.below(v)
	for i := range c.stands {
		if u := c.stands[i].last.vertex; u == v || above[u] || below[u] {
			return u
		}
	}
	return -1
}

// blameHolder marks a finding about checkpoints as a consequence of the culprit in whose queues their
// barriers wait, where one stands.
func (c *Case) blameHolder(f *Finding, g *growth) (holder int) {
	if g.kind != phaseBarrier {
		return -1
	}
	holder = c.holder(g.vertex)
	if holder >= 0 {
		f.causedBy = c.job.Vertices[holder].ID
	}
	return holder
}

// grewText says which part grew, or takes most, and the evidence of it; empty where it is not known.
func (c *Case) grewText(g *growth, newest *flinkapi.Checkpoint) (text string, evidence []Evidence) {
	if g.kind == phaseNone {
		return "", nil
	}
	name := c.vertex(g.vertex).Name
	part := func(label string) []Evidence {
		return []Evidence{c.durationEvidence(newest, "checkpoint-part", label, name, g.to)}
	}
	if !g.compared {
		return fmt.Sprintf("; what takes most is %s at %s", g.kind, name), part(g.kind.String())
	}
	return fmt.Sprintf("; what grew most is %s at %s", g.kind, name),
		part(g.kind.String() + ", " + FormatSpan(g.from) + " before")
}
