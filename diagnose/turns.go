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
	// sure is true where one of the slots showed it surely.
	sure bool
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
			out, open = append(out, turn{from: s.from, to: s.to, slots: 1}), true
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

// text says it as "every 1 min, for 13 s".
func (r *rhythm) text() string {
	return "every " + FormatDuration(r.period) + ", for " + FormatDuration(r.length)
}

// recurrent returns the culprits that come and go at equal times, each also while it rests. One that is there
// most of the time is not one of them. Firm are those that show surely in most of their
// turns.
func recurrent(limits thresholds, slots []slot) []standing {
	var out []standing
	newest := slots[len(slots)-1].to
	for _, c := range newestNamed(slots) {
		r, ok := comesBack(limits, slots, c.id)
		if !ok || !r.goesOn(limits, newest) || r.length.Seconds() >= limits.firmShare*r.period.Seconds() {
			continue
		}
		r.measure(slots, c.id, c.explains)
		stand := standing{
			id: c.id, since: r.first.from, supported: r.last.to, confidence: Probable, last: c, rhythm: &r,
		}
		sure := turnsOf(slots, func(s *slot) bool { return s.showsSurely(limits, &c) })
		if mostAreSure(limits, len(sure), r.turns) {
			stand.confidence = Firm
		}
		out = append(out, stand)
	}
	return out
}

// mostAreSure tells whether turns are firm: over half of them, and as many as make a rhythm, are sure.
func mostAreSure(limits thresholds, sure, turns int) bool {
	return sure >= limits.repeats && 2*sure > turns
}

// comesBack is the rhythm of a vertex: of the slots that name it or in which slight pressure points to it, as
// a short turn that falls between two slots leaves no more, else of those alone that name it.
func comesBack(limits thresholds, slots []slot, id flinkapi.VertexID) (rhythm, bool) {
	if r, ok := rhythmOf(limits, turnsOf(slots, func(s *slot) bool { return s.shows(id) })); ok {
		return r, true
	}
	return rhythmOf(limits, turnsOf(slots, func(s *slot) bool { return s.names(id) }))
}

// shows tells whether the slot names the vertex, or slight pressure points to it.
func (s *slot) shows(id flinkapi.VertexID) bool { return s.verdict.hint == id || s.names(id) }

// showsSurely tells whether the slot names a vertex with full support, or whether it is busy in it for as
// long as others are held back, which is all that a turn shorter than the slot can show.
func (s *slot) showsSurely(limits thresholds, c *candidate) bool {
	if s.namesStrongly(c.id) {
		return true
	}
	if !s.shows(c.id) || c.vertex >= len(s.vertices) || len(c.explains) == 0 {
		return false
	}
	held := 0.0
	for _, v := range c.explains {
		if v < len(s.vertices) {
			held = max(held, s.vertices[v].backpressured.Or(1))
		}
	}
	return s.vertices[c.vertex].busy.Or(0) >= held-limits.low
}

// measure takes for how long of each whole round some vertices are held back, as the counters have it: slots
// make a turn that is as short as they are longer or shorter than it is.
func (r *rhythm) measure(slots []slot, id flinkapi.VertexID, held []int) {
	sum := time.Duration(0)
	for i := range slots {
		s := &slots[i]
		if s.gauges || s.from.Before(r.first.from) || s.to.After(r.last.from) || !s.shows(id) {
			continue
		}
		most := 0.0
		for _, v := range held {
			if v < len(s.vertices) {
				most = max(most, s.vertices[v].backpressured.Or(0))
			}
		}
		sum += time.Duration(most * float64(s.to.Sub(s.from)))
	}
	rounds := math.Round(r.last.from.Sub(r.first.from).Seconds() / r.period.Seconds())
	if rounds > 0 && sum > 0 {
		r.length = sum / time.Duration(rounds)
	}
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
	// turns is how many there were, sure how many of them are sure.
	turns, sure int
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
			turns, whose = append(turns, turn{from: s.from, to: s.to, slots: 1}), append(whose, who)
		}
		if who >= 0 && s.showsSurely(limits, []*candidate{&a, &b}[who]) {
			turns[len(turns)-1].sure = true
		}
	}
	if len(turns) > 0 { // its beginning was not seen
		turns, whose = turns[1:], whose[1:]
	}
	n := len(turns)
	if n <= limits.repeats {
		return swing{}, false
	}
	out := swing{pair: [2]candidate{a, b}, since: turns[0].from, turns: n}
	var lasted [2]time.Duration
	var count [2]int
	out.sure = sureOf(turns)
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

// text says for how long a vertex has its turns, and in which period.
func (s *swing) text(id flinkapi.VertexID) string {
	_, own, _ := s.partner(id)
	if !s.regular {
		return FormatDuration(own) + ", in no fixed period"
	}
	return FormatDuration(own) + ", period " + FormatDuration(s.round)
}

// sureOf counts the turns that are sure.
func sureOf(turns []turn) int {
	n := 0
	for i := range turns {
		if turns[i].sure {
			n++
		}
	}
	return n
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
	if mostAreSure(limits, s.sure, s.turns) {
		out[0].confidence, out[1].confidence = Firm, Firm
	}
	return out
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
