package diagnose

import (
	"math"
	"slices"
	"time"

	"culprit/flinkapi"
)

// turn is a run of slots in which the walk named one vertex.
type turn struct {
	from, to time.Time
	slots    int
}

// turnsOf returns the runs of slots that fit, oldest first, without one whose beginning was not seen. A slot
// that could not be judged neither ends nor begins one.
func turnsOf(slots []slot, fits func(*slot) bool) []turn {
	var out []turn
	open, seen := false, false
	for i := range slots {
		s := &slots[i]
		switch {
		case s.gauges || s.verdict.abstain != "":
		case !fits(s):
			open, seen = false, true
		case open:
			last := &out[len(out)-1]
			last.to, last.slots = s.to, last.slots+1
		case seen:
			out, open = append(out, turn{s.from, s.to, 1}), true
		}
	}
	return out
}

// names tells whether the walk named the vertex in this slot.
func (s *slot) names(id flinkapi.VertexID) bool {
	return slices.ContainsFunc(s.verdict.named, func(c candidate) bool { return c.id == id })
}

// namesStrongly tells whether it did with full support.
func (s *slot) namesStrongly(id flinkapi.VertexID) bool {
	return slices.ContainsFunc(s.verdict.named, func(c candidate) bool { return c.id == id && c.strong })
}

// rhythm is how turns follow one another.
type rhythm struct {
	turns          int
	first, last    turn
	period, length time.Duration
}

// rhythmOf tells whether turns come back at equal times, often enough to believe it.
func rhythmOf(limits thresholds, turns []turn) (rhythm, bool) {
	period, ok := beat(limits, turns, limits.repeats+1)
	if !ok {
		return rhythm{}, false
	}
	n := len(turns)
	out := rhythm{turns: n, first: turns[0], last: turns[n-1], period: period}
	for i := range turns[:n-1] { // the newest may not be over
		out.length += turns[i].to.Sub(turns[i].from) / time.Duration(n-1)
	}
	return out, true
}

// beat is the time from one of at least so many turns to the next, if it stays the same. A slot says no more
// than that a turn began somewhere within it, so times may differ by that; a turn that fell between two slots
// may be missing.
func beat(limits thresholds, turns []turn, least int) (period time.Duration, same bool) {
	n := len(turns)
	if n < max(least, 2) {
		return 0, false
	}
	gaps := make([]float64, n-1)
	for i := range gaps {
		gaps[i] = turns[i+1].from.Sub(turns[i].from).Seconds()
	}
	typical := median(slices.Clone(gaps))
	beats := make([]float64, n)
	for i, gap := range gaps {
		beats[i+1] = beats[i] + max(1, math.Round(gap/typical))
	}
	whole := turns[n-1].from.Sub(turns[0].from).Seconds() / beats[n-1]
	for i := range turns {
		at := turns[i].from.Sub(turns[0].from).Seconds()
		if math.Abs(at-beats[i]*whole) > limits.slot.Seconds()*6/5 {
			return 0, false
		}
	}
	missing := beats[n-1] - float64(n-1)
	return seconds(whole), missing <= beats[n-1]/3
}

func seconds(x float64) time.Duration { return time.Duration(x * float64(time.Second)) }

// goesOn tells whether the next turn is not overdue.
func (r *rhythm) goesOn(limits thresholds, now time.Time) bool {
	return now.Sub(r.last.from) <= r.period+2*limits.slot
}

// recurrent returns the culprits that come and go at equal times, each also while it rests. One that is there
// most of the time is not one of them. Firm are those that were named with full support in each of their
// turns.
func recurrent(limits thresholds, slots []slot) []standing {
	var out []standing
	newest := slots[len(slots)-1].to
	for _, c := range newestNamed(slots) {
		r, ok := rhythmOf(limits, turnsOf(slots, func(s *slot) bool { return s.names(c.id) }))
		if !ok || !r.goesOn(limits, newest) || r.length.Seconds() >= limits.firmShare*r.period.Seconds() {
			continue
		}
		stand := standing{
			id: c.id, since: r.first.from, supported: r.last.to, confidence: Probable, last: c, rhythm: &r,
		}
		strong := turnsOf(slots, func(s *slot) bool { return s.namesStrongly(c.id) })
		if sure, ok := rhythmOf(limits, strong); ok && sure.turns >= r.turns {
			stand.confidence = Firm
		}
		out = append(out, stand)
	}
	return out
}

// newestNamed returns everybody that the slots name, as the newest of those slots saw him, in the order of
// the graph.
func newestNamed(slots []slot) []candidate {
	var out []candidate
	for i := len(slots) - 1; i >= 0; i-- {
		for _, c := range slots[i].verdict.named {
			if !slices.ContainsFunc(out, func(o candidate) bool { return o.id == c.id }) {
				out = append(out, c)
			}
		}
	}
	slices.SortFunc(out, func(a, b candidate) int { return a.vertex - b.vertex })
	return out
}

// swing is two vertices that take turns as the culprit.
type swing struct {
	pair [2]candidate
	// since is when the first of the turns began, round how long one turn of each takes together.
	since time.Time
	round time.Duration
	// regular and irregular are both false while there were too few turns to tell.
	regular, irregular bool
	lengths            [2]time.Duration
}

// takingTurns finds two vertices that claim the same symptoms by turns, each while the other is not busy by
// itself. Two that are level at all times are not meant: of those one is the tighter.
func takingTurns(limits thresholds, slots []slot) (swing, bool) {
	all := newestNamed(slots)
	for i := range all {
		for k := i + 1; k < len(all); k++ {
			if !conflict(&all[i], &all[k]) {
				continue
			}
			if s, ok := alternate(limits, slots, all[i], all[k]); ok {
				return s, true
			}
		}
	}
	return swing{}, false
}

// alternate tells whether the newest turns of a and b follow one another without a pause, at least as often
// as makes a rhythm, and neither of them is there most of the time.
func alternate(limits thresholds, slots []slot, a, b candidate) (swing, bool) {
	var turns []turn
	var whose []int
	for i := range slots {
		s := &slots[i]
		if s.gauges || s.verdict.abstain != "" {
			continue
		}
		who := s.turnOf(limits, &a, &b)
		n := len(turns)
		switch {
		case who < 0 && n > 0 && s.from.Sub(turns[n-1].to) < limits.slot*3/2: // on the way from one to the other
		case who < 0:
			turns, whose = nil, nil
		case n > 0 && whose[n-1] == who:
			turns[n-1].to, turns[n-1].slots = s.to, turns[n-1].slots+1
		default:
			turns, whose = append(turns, turn{s.from, s.to, 1}), append(whose, who)
		}
	}
	if len(turns) > 0 { // its beginning was not seen
		turns, whose = turns[1:], whose[1:]
	}
	n := len(turns)
	if n <= limits.repeats {
		return swing{}, false
	}
	out := swing{pair: [2]candidate{a, b}, since: turns[0].from}
	var lasted [2]time.Duration
	var count [2]int
	for i := range turns[:n-1] { // the newest is not over
		lasted[whose[i]] += turns[i+1].from.Sub(turns[i].from)
		count[whose[i]]++
	}
	for i := range lasted {
		out.lengths[i] = lasted[i] / time.Duration(count[i])
		out.round += out.lengths[i]
	}
	most := max(out.lengths[0], out.lengths[1])
	newest := slots[len(slots)-1].to
	if float64(most) >= limits.firmShare*float64(out.round) ||
		newest.Sub(turns[n-1].from) > 2*out.lengths[whose[n-1]]+2*limits.slot {
		return swing{}, false
	}
	out.setRound(limits, turns, whose)
	return out, true
}

// setRound tells whether each comes back at equal times.
func (s *swing) setRound(limits thresholds, turns []turn, whose []int) {
	const least = 3
	for who := range s.pair {
		var own []turn
		for i := range turns {
			if whose[i] == who {
				own = append(own, turns[i])
			}
		}
		if len(own) < least {
			continue
		}
		period, same := beat(limits, own, least)
		s.irregular = s.irregular || !same
		if same {
			s.round = period
		}
		s.regular = same && !s.irregular
	}
}

// turnOf tells whose turn a slot is: 0 for a, 1 for b, -1 where neither is named, or both are busy by
// themselves.
func (s *slot) turnOf(limits thresholds, a, b *candidate) int {
	rests := func(c *candidate) bool {
		return c.vertex < len(s.vertices) && s.vertices[c.vertex].lead.Or(1) < limits.some
	}
	switch {
	case s.names(a.id) && rests(b):
		return 0
	case s.names(b.id) && rests(a):
		return 1
	}
	return -1
}

// stands returns the culprits of the swing: both, since neither is the one.
func (s *swing) stands(limits thresholds, slots []slot) []standing {
	out := make([]standing, 2)
	for i := range s.pair {
		out[i] = standing{
			id: s.pair[i].id, since: s.since, supported: slots[len(slots)-1].to, last: s.pair[i],
			confidence: Probable, swing: s,
		}
	}
	if s.firm(limits, slots) {
		out[0].confidence, out[1].confidence = Firm, Firm
	}
	return out
}

// firm tells whether one of the two was named with full support in most slots of the last round.
func (s *swing) firm(limits thresholds, slots []slot) bool {
	span := max(limits.firmWindow, s.round)
	newest := slots[len(slots)-1].to
	named, looked := 0, 0
	for i := len(slots) - 1; i >= 0 && newest.Sub(slots[i].to) < span; i-- {
		if slots[i].gauges || slots[i].verdict.abstain != "" {
			continue
		}
		looked++
		if slices.ContainsFunc(slots[i].verdict.named, func(c candidate) bool {
			return c.strong && (c.id == s.pair[0].id || c.id == s.pair[1].id)
		}) {
			named++
		}
	}
	return named >= limits.firmSlots && float64(named) >= limits.firmShare*float64(looked)
}

// partner is the other one of the swing, with how long its turns and those of id last.
func (s *swing) partner(id flinkapi.VertexID) (other candidate, own, others time.Duration) {
	if s.pair[0].id == id {
		return s.pair[1], s.lengths[0], s.lengths[1]
	}
	return s.pair[0], s.lengths[1], s.lengths[0]
}

// present returns the culprits to show: of those that stand one for the same symptoms, but two that take
// turns both, and those that come back at equal times also while they rest.
func present(limits thresholds, stood []standing, slots []slot) []standing {
	if len(slots) == 0 {
		return nil
	}
	out := shown(stood)
	if s, ok := takingTurns(limits, slots); ok {
		out = slices.DeleteFunc(out, func(o standing) bool {
			return conflict(&o.last, &s.pair[0]) || conflict(&o.last, &s.pair[1]) ||
				o.id == s.pair[0].id || o.id == s.pair[1].id
		})
		out = append(out, s.stands(limits, slots)...)
	}
	for _, r := range recurrent(limits, slots) {
		i := slices.IndexFunc(out, func(o standing) bool { return o.id == r.id })
		switch {
		case i >= 0 && out[i].swing == nil:
			out[i].since, out[i].rhythm = r.since, r.rhythm
			if r.confidence == Firm {
				out[i].confidence = Firm
			}
		case i < 0 && !slices.ContainsFunc(out, func(o standing) bool { return conflict(&o.last, &r.last) }):
			out = append(out, r)
		}
	}
	return out
}
