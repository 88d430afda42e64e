package diagnose

import (
	"slices"

	"culprit/flinkapi"
)

// slotVerdict is what the walk found in one slot.
type slotVerdict struct {
	named []candidate
	// rejected are vertices that look like a culprit and are not, or could not be confirmed.
	rejected []rejection
	// pressed is true where some vertex is backpressured for a good part of the time.
	pressed bool
	// early is true where the only backpressure is slight.
	early bool
	// hint is the vertex that slight pressure points to where nobody is named: the busiest one below it, busy
	// for at least as long as those above are held back; empty for none.
	hint flinkapi.VertexID
	// abstain says why the slot could not be judged; empty where it could.
	abstain string
}

// candidate is a vertex that the walk names, with what it explains.
type candidate struct {
	vertex int
	id     flinkapi.VertexID
	// score is the largest busy minus backpressured share of one of its subtasks.
	score float64
	// strong is false for a vertex that is busy for less than the confirming share.
	strong bool
	// explains are the vertices that it holds back.
	explains []int
	// source is true for a busy source that nothing holds back; feeds are the vertices below it.
	source bool
	feeds  []int
	// selfHeld is true for a vertex that is backpressured with room in its own output.
	selfHeld bool
}

type rejection struct {
	vertex int
	why    rejectReason
}

// rejectReason says why a vertex of a pressed region is not the one.
type rejectReason int

const (
	notBusy     rejectReason = iota // not busy enough to hold anybody back
	lessLoaded                      // busy, but another one of the region is the tighter one
	heldBack                        // backpressured itself
	nextLimit                       // confirmed, but a deeper one with a growing queue is behind it
	notMeasured                     // how busy it is, is not known
)

// walk is the selection procedure: regions of backpressure, their frontier, confirmation per subtask, and
// the fewest culprits that explain every backpressured vertex.
type walk struct {
	limits thresholds
	g      *graph
	s      *slot
	depth  []int
}

func judge(limits thresholds, g *graph, s *slot) slotVerdict {
	w := &walk{limits: limits, g: g, s: s, depth: g.depth()}
	if why := w.coverage(); why != "" {
		return slotVerdict{abstain: why}
	}
	var verdict slotVerdict
	inside := make([]bool, len(g.ids))
	for _, region := range w.regions() {
		w.judgeRegion(region, &verdict)
		for _, v := range region {
			inside[v] = true
		}
	}
	verdict.named = append(verdict.named, w.busySources(inside)...)
	for i := range verdict.named {
		if why := w.otherAge(&verdict.named[i]); why != "" {
			return slotVerdict{abstain: why, pressed: verdict.pressed}
		}
	}
	slices.SortStableFunc(verdict.named, func(a, b candidate) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return b.vertex - a.vertex
	})
	return verdict
}

// otherAge says that who is named, who it holds back directly or what follows it was read at other times:
// load that has moved since then makes a victim look like the culprit. Empty where they go together.
func (w *walk) otherAge(x *candidate) string {
	read := w.s.vertices[x.vertex].read
	if read.IsZero() {
		return ""
	}
	for _, v := range slices.Concat(w.g.in[x.vertex], w.g.out[x.vertex]) {
		at := w.s.vertices[v].read
		if at.IsZero() || w.s.vertices[v].finished {
			continue
		}
		if apart := at.Sub(read).Abs(); apart >= w.limits.slot*9/10 {
			return "the answers about vertices next to each other are of different ages, " + FormatDuration(apart) +
				" apart"
		}
	}
	return ""
}

// coverage says why too little is known, or nothing.
func (w *walk) coverage() string {
	known, total, settling := 0, 0, false
	for i := range w.s.vertices {
		v := &w.s.vertices[i]
		if v.finished {
			continue
		}
		settling = settling || v.settling
		known += v.known
		total += v.total
	}
	switch {
	case settling:
		return "tasks have not been running for 30 s yet"
	case total == 0 || float64(known) < w.limits.knownShare*float64(total):
		return "metrics of too few subtasks are there"
	}
	return ""
}

func (w *walk) pressure(v int) float64 { return w.s.vertices[v].backpressured.Or(0) }
func (w *walk) busy(v int) float64     { return w.s.vertices[v].busy.Or(0) }

// regions returns the connected groups of backpressured vertices together with their direct successors.
// Partly held back is held back too, so what lies below a partly backpressured vertex belongs to its
// region.
func (w *walk) regions() [][]int {
	n := len(w.g.ids)
	member := make([]int, n) // 0 for none, else the region's number
	var regions [][]int
	for v := range n {
		if w.pressure(v) <= w.limits.low || member[v] != 0 {
			continue
		}
		number := len(regions) + 1
		regions = append(regions, w.flood(v, number, member))
	}
	return regions
}

// flood collects the region of v. A vertex that is not backpressured joins, but the flood does not pass
// through it.
func (w *walk) flood(start, number int, member []int) []int {
	var region []int
	stack := []int{start}
	inside := make([]bool, len(w.g.ids))
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if inside[v] {
			continue
		}
		inside[v] = true
		region = append(region, v)
		if w.pressure(v) <= w.limits.low {
			stack = w.addPressed(stack, w.g.in[v])
			continue
		}
		member[v] = number
		stack = w.addPressed(append(stack, w.g.out[v]...), w.g.in[v])
	}
	slices.Sort(region)
	return region
}

// addPressed adds those of all that are backpressured.
func (w *walk) addPressed(to, all []int) []int {
	for _, v := range all {
		if w.pressure(v) > w.limits.low {
			to = append(to, v)
		}
	}
	return to
}

// judgeRegion names the fewest vertices of a region that account for all its backpressured ones.
func (w *walk) judgeRegion(region []int, verdict *slotVerdict) {
	strongest := 0.0
	var held []int
	for _, v := range region {
		strongest = max(strongest, w.pressure(v))
		if w.pressure(v) > w.limits.low {
			held = append(held, v)
		}
	}
	pressed := strongest >= w.limits.high
	unexplained, named := w.nameFewest(region, pressed, held, verdict)
	if named == 0 && pressed {
		if held, ok := w.selfHeld(region); ok {
			held.explains, _ = split(unexplained, w.g.above(held.vertex))
			unexplained, named = nil, 1
			verdict.name(held)
		}
	}
	if named == 0 && verdict.hint == "" {
		verdict.hint = w.hint(region, strongest)
	}
	verdict.pressed = verdict.pressed || (pressed && (named == 0 || len(unexplained) > 0))
	verdict.early = verdict.early || (!pressed && named == 0)
	for _, v := range region {
		if !slices.ContainsFunc(verdict.named, func(c candidate) bool { return c.vertex == v }) {
			verdict.rejected = append(verdict.rejected, rejection{v, w.whyNot(v)})
		}
	}
}

// nameFewest names one candidate after the other until all that are held back are explained, or nobody is
// left who explains more. It returns who is not explained, and how many were named.
func (w *walk) nameFewest(region []int, pressed bool, held []int, verdict *slotVerdict) ([]int, int) {
	candidates := w.confirmed(region, pressed)
	named := 0
	for len(held) > 0 {
		best, ok := w.best(candidates, held)
		if !ok {
			break
		}
		best = w.deeperWithQueue(best, candidates, verdict)
		best.explains, held = split(held, w.g.above(best.vertex))
		remove := func(v int) bool { return v == best.vertex }
		best.explains, held = slices.DeleteFunc(best.explains, remove), slices.DeleteFunc(held, remove)
		verdict.name(best)
		named++
	}
	return held, named
}

// split parts vertices into those of a set and the others.
func split(all []int, set []bool) (inside, outside []int) {
	for _, v := range all {
		if set[v] {
			inside = append(inside, v)
		} else {
			outside = append(outside, v)
		}
	}
	return inside, outside
}

// selfHeld returns a vertex of the region that is backpressured although its output has room and everything
// below it waits for records: it waits for something of its own, as a full asynchronous operator does
// (FLINK-39835). Full buffers above idle receivers are the network's matter, and nobody is named for that.
func (w *walk) selfHeld(region []int) (candidate, bool) {
	for _, v := range slices.Backward(region) {
		room, known := w.s.vertices[v].outPool.Float()
		if w.pressure(v) < w.limits.high || !known || room > w.limits.emptyPool || len(w.g.out[v]) == 0 ||
			slices.ContainsFunc(w.g.out[v], func(u int) bool { return !w.waits(u) }) {
			continue
		}
		return candidate{vertex: v, id: w.g.ids[v], score: w.pressure(v), selfHeld: true}, true
	}
	return candidate{}, false
}

// waits tells whether all subtasks of a vertex are idle for a good part of the time and none is held back.
func (w *walk) waits(v int) bool {
	return w.s.vertices[v].idle.Or(0) >= w.limits.idle && w.pressure(v) <= w.limits.low
}

// hint returns the vertex of a region that is likeliest to hold the others back though it is not busy enough
// to be named. Nobody holds others back for longer than he is busy himself.
func (w *walk) hint(region []int, strongest float64) flinkapi.VertexID {
	best := -1
	for _, v := range region {
		could := w.pressure(v) <= w.limits.low && w.busy(v) >= strongest-w.limits.low
		if could && (best < 0 || w.busy(v) > w.busy(best)) {
			best = v
		}
	}
	if best < 0 {
		return ""
	}
	return w.g.ids[best]
}

// name adds a candidate; one that another region has named already explains both.
func (s *slotVerdict) name(c candidate) {
	for i := range s.named {
		if s.named[i].vertex == c.vertex {
			s.named[i].explains = append(s.named[i].explains, c.explains...)
			return
		}
	}
	s.named = append(s.named, c)
}

// confirmed returns the frontier's vertices that are busy enough. Where the region is only slightly
// backpressured, only a vertex that is busy all the time is believed.
func (w *walk) confirmed(region []int, pressed bool) []candidate {
	least := w.limits.saturated
	if pressed {
		least = w.limits.busy
	}
	collect := func(least float64, strong bool) []candidate {
		var out []candidate
		for _, v := range region {
			lead, ok := w.s.vertices[v].lead.Float()
			if !ok || w.pressure(v) >= w.limits.high || w.busy(v) < least {
				continue
			}
			out = append(out, candidate{vertex: v, id: w.g.ids[v], score: lead, strong: strong})
		}
		return out
	}
	out := collect(least, true)
	if len(out) == 0 && pressed {
		out = collect(w.limits.some, false)
	}
	return out
}

// best returns the candidate with the largest lead that holds back one of the unexplained; of level ones
// the deeper, of those at one depth the one with a full input where the other's has room, else the first.
func (w *walk) best(candidates []candidate, unexplained []int) (candidate, bool) {
	var best candidate
	found := false
	for _, c := range candidates {
		above := w.g.above(c.vertex)
		if !slices.ContainsFunc(unexplained, func(v int) bool { return above[v] && v != c.vertex }) {
			continue
		}
		level := found && c.score > best.score-w.limits.tie && c.score < best.score+w.limits.tie
		switch {
		case !found, !level && c.score > best.score, level && w.deeper(c.vertex, best.vertex):
			best, found = c, true
		}
	}
	return best, found
}

// deeper tells whether of two level vertices a is the likelier one: it lies further down, or as deep with a
// full input while b's has room (the branch that limits a fork is never without input).
func (w *walk) deeper(a, b int) bool {
	if w.depth[a] != w.depth[b] {
		return w.depth[a] > w.depth[b]
	}
	full, known := w.s.vertices[a].inPool.Float()
	room, knownRoom := w.s.vertices[b].inPool.Float()
	return known && knownRoom && full >= w.limits.high && room < w.limits.high
}

func (w *walk) whyNot(v int) rejectReason {
	switch {
	case w.pressure(v) > w.limits.low && w.busy(v) < w.limits.busy:
		return heldBack
	case !w.s.vertices[v].busy.IsKnown():
		return notMeasured
	case w.busy(v) >= w.limits.busy:
		return lessLoaded
	}
	return notBusy
}

// busySources names the sources outside every region that are busy all the time, or most of it while their
// lag grows: nothing holds them back, they are the limit. Less than that is a source that keeps up.
func (w *walk) busySources(inRegion []bool) []candidate {
	var out []candidate
	for v := range w.g.ids {
		lead, ok := w.s.vertices[v].lead.Float()
		least := w.limits.saturated
		if w.s.vertices[v].growing {
			least = w.limits.busy
		}
		if inRegion[v] || len(w.g.in[v]) > 0 || !ok || w.busy(v) < least {
			continue
		}
		c := candidate{vertex: v, id: w.g.ids[v], score: lead, strong: true, source: true}
		for u, below := range w.g.below(v) {
			if below {
				c.feeds = append(c.feeds, u)
			}
		}
		out = append(out, c)
	}
	return out
}
