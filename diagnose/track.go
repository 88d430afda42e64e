package diagnose

import (
	"cmp"
	"slices"
	"time"

	"culprit/flinkapi"
)

// standing is a culprit that has entered and not left: the state of the hysteresis, a small value.
type standing struct {
	id    flinkapi.VertexID
	since time.Time
	// supported is when a slot last named it.
	supported  time.Time
	confidence Confidence
	// established is set once it was firm; from then on it leaves slowly.
	established bool
	last        candidate // as the last slot that named it saw it
	// rhythm is set for one that comes and goes at equal times, swing for one of two that take turns. Both are
	// found anew from the slots each time and are no part of the fold.
	rhythm *rhythm
	swing  *swing
}

// follow folds the newest slot into the standing culprits. It is a pure function of what stood and of the
// slots, so a recording can resume it anywhere.
func follow(limits thresholds, stood []standing, slots []slot) []standing {
	newest := &slots[len(slots)-1]
	stands := slices.Clone(stood)
	if newest.verdict.abstain != "" {
		return slices.DeleteFunc(stands, func(s standing) bool { return gone(limits, &s, newest) })
	}
	for _, c := range newest.verdict.named {
		stands = support(stands, c, newest)
	}
	for i := range stands {
		if stands[i].established && stillLevel(limits, &stands[i], newest) {
			stands[i].supported = newest.to
		}
	}
	stands = slices.DeleteFunc(stands, func(s standing) bool { return gone(limits, &s, newest) })
	for i := range stands {
		stands[i].confidence = confidence(limits, &stands[i], slots)
		stands[i].established = stands[i].established || stands[i].confidence == Firm
	}
	return stands
}

// support enters a candidate, or notes that a standing culprit was named again.
func support(stands []standing, c candidate, newest *slot) []standing {
	for i := range stands {
		if stands[i].id == c.id {
			stands[i].supported, stands[i].last = newest.to, c
			return stands
		}
	}
	return append(stands, standing{id: c.id, since: newest.from, supported: newest.to, last: c})
}

// stillLevel tells whether an established culprit is still busy by itself and no rival of its region leads
// it clearly.
func stillLevel(limits thresholds, s *standing, newest *slot) bool {
	if s.last.vertex >= len(newest.vertices) {
		return false
	}
	v := &newest.vertices[s.last.vertex]
	lead, ok := v.lead.Float()
	if !ok || v.busy.Or(0) < limits.busy || v.backpressured.Or(0) >= limits.high {
		return false
	}
	rivals := false
	for _, c := range newest.verdict.named {
		if c.id != s.id && conflict(&c, &s.last) {
			rivals = true
			if c.score-lead >= limits.lead {
				return false
			}
		}
	}
	return rivals
}

// conflict tells whether two candidates claim the same symptoms, so that only one of them can be the culprit.
func conflict(a, b *candidate) bool {
	if a.source || b.source {
		return slices.Contains(a.feeds, b.vertex) || slices.Contains(b.feeds, a.vertex)
	}
	return slices.ContainsFunc(a.explains, func(v int) bool { return slices.Contains(b.explains, v) })
}

// gone tells whether a culprit leaves: an established one after a firmWindow without support, another after
// two slots.
func gone(limits thresholds, s *standing, newest *slot) bool {
	silent := newest.to.Sub(s.supported)
	if s.established {
		return silent >= limits.firmWindow
	}
	return silent >= 2*limits.slot*9/10
}

// shown returns the culprits to name: of those that claim the same symptoms the established one, of two such
// the one that came first, until it leaves; else the one that the newest slot supports, else the one with the
// larger lead.
func shown(stands []standing) []standing {
	order := slices.Clone(stands)
	slices.SortStableFunc(order, func(a, b standing) int {
		if a.established != b.established {
			return before(a.established)
		}
		if c := a.since.Compare(b.since); a.established && c != 0 {
			return c
		}
		if c := b.supported.Compare(a.supported); c != 0 {
			return c
		}
		return cmp.Compare(b.last.score, a.last.score)
	})
	var out []standing
	for _, s := range order {
		if !slices.ContainsFunc(out, func(o standing) bool { return conflict(&o.last, &s.last) }) {
			out = append(out, s)
		}
	}
	return out
}

func before(yes bool) int {
	if yes {
		return -1
	}
	return 1
}

// confidence is firm when the subject was named with strong support in most slots of the last minute. The
// cluster's own gauges give no slot of their own: they are one look. But they are averages over a minute, so
// where they do not name it, it has not been that way for a minute, and the slots must make one up.
func confidence(limits thresholds, s *standing, slots []slot) Confidence {
	newest := slots[len(slots)-1].to
	named, looked := 0, 0
	for i := len(slots) - 1; i >= 0; i-- {
		sl := &slots[i]
		if newest.Sub(sl.to) >= limits.firmWindow {
			break
		}
		if sl.verdict.abstain != "" {
			continue
		}
		strongly := sl.namesStrongly(s.id)
		if sl.gauges {
			if !strongly {
				return Probable
			}
			continue
		}
		looked++
		if strongly {
			named++
		}
	}
	least := limits.firmSlots
	if s.established { // where slots are long, a minute may hold fewer
		least = 1
	}
	if named >= least && float64(named) >= limits.firmShare*float64(looked) {
		return Firm
	}
	return Probable
}
