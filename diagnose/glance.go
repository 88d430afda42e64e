package diagnose

import (
	"fmt"
	"time"

	"culprit/flinkapi"
)

// Glance is what the sums over the subtasks of each vertex say of a job, between two looks. They are means,
// so it is never firm: one hot instance among many does not show in them.
type Glance struct {
	Sight Sight
	// At is when the newer look was taken, Span the time between the two; 0 while there is one.
	At   time.Time
	Span time.Duration
	// Likely is the vertex that the means point to; only with SightLikely.
	Likely VertexRef
	// Text is the sentence that says so, and what was not looked at.
	Text string
	// Checkpoints is the finding that checkpoints fail, as a full look has it, where they were read and it
	// fires; else nil.
	Checkpoints *Finding
	// reads is how many records its sources give out a second.
	reads flinkapi.Value
}

// Sight is how a job looks at a glance.
type Sight string

// The sights. Open and pressed ask for a full look; none of them is good news, since a glance sees neither
// watermarks nor single instances.
const (
	// SightLikely is a vertex that is busy while those above it are held back.
	SightLikely Sight = "likely"
	// SightPressed is backpressure that the means explain by nobody.
	SightPressed Sight = "pressed"
	// SightRestarted is a job that restarted in the last minutes, or has completed no checkpoint since.
	SightRestarted Sight = "restarted"
	// SightCheckpoints is a job that is not seen to be held back, and whose checkpoints fail.
	SightCheckpoints Sight = "checkpoints"
	// SightLag is a job that is not seen to be held back, and whose sources fall behind.
	SightLag Sight = "lag grows"
	// SightOpen is a job whose means are low, while one hot instance would not show in them, or whose busiest
	// vertex is near its limit.
	SightOpen Sight = "open"
	// SightCalm is a job in which no instance can be held back or busy all the time. That is all that is said.
	SightCalm Sight = "none held back"
	// SightWaiting is a job that needs a second look, or has not been running for long enough.
	SightWaiting Sight = "waiting"
	// SightUnknown is a job whose sums tell nothing.
	SightUnknown Sight = "unknown"
)

// Severity grades a glance: nothing that means show is critical, and what they do not show is unknown, never
// good. Failing checkpoints are as grave as after a full look, since no more is to be seen of them.
func (g *Glance) Severity() Severity {
	switch {
	case g.Checkpoints != nil:
		return g.Checkpoints.Severity
	case g.Sight == SightLikely, g.Sight == SightPressed, g.Sight == SightRestarted, g.Sight == SightLag:
		return Warning
	}
	return UnknownSeverity
}

const (
	// glanceSlack is how much the sums may be older or younger than the look that gave them: a fetch interval,
	// and what a slow answer takes.
	glanceSlack = 15 * time.Second
	// leastGlance is by how much the sums must have advanced per subtask to be worth dividing by.
	leastGlance = 4 * time.Second
)

// glance compares two looks at the same attempt of a job. The walk is the same as for a full look; what it
// finds in means counts only as far as no single instance can make it wrong.
func glance(limits thresholds, g *graph, before, now *flinkapi.Job) Glance {
	out := Glance{At: now.Read, Span: now.Read.Sub(before.Read)}
	running := now.EnteredAt[flinkapi.JobRunning]
	if lived := now.Now.Sub(running); !running.IsZero() && lived < limits.settle+out.Span {
		return out.say(SightWaiting, "it runs for "+FormatDuration(lived)+", too early to tell")
	}
	m := means{limits: limits, job: now, slot: slot{from: before.Read, to: now.Read}}
	for i := range now.Vertices {
		v := &now.Vertices[i]
		m.slot.vertices = append(m.slot.vertices, meanSlot(before.Vertex(v.ID), v, out.Span))
	}
	out.reads = m.reads(g)
	verdict := judge(limits, g, &m.slot)
	switch {
	case verdict.abstain != "":
		return out.say(SightUnknown, verdict.abstain)
	case len(verdict.named) > 0 && m.certain(g, verdict.named[0].vertex):
		v := verdict.named[0].vertex
		out.Likely = VertexRef{now.Vertices[v].ID, now.Vertices[v].Name}
		return out.say(SightLikely, fmt.Sprintf("busy %s on average", FormatRatio(m.slot.vertices[v].busy)))
	case verdict.pressed || verdict.early || len(verdict.named) > 0:
		most := m.slot.vertices[m.mostPressed()].backpressured // of a victim, so it has no name here
		return out.say(SightPressed, fmt.Sprintf("backpressured up to %s on average; open it to see by whom",
			FormatRatio(most)))
	case m.hidden(g):
		out = out.say(SightOpen, "means are low, one hot instance would not show; open it to be sure")
	default:
		out = out.say(SightCalm, "no instance is held back")
		if v := m.busiest(); m.slot.vertices[v].busy.Or(0) >= limits.busy {
			out = out.say(SightOpen, fmt.Sprintf("near its limit: %s is busy %s on average; nothing is held back",
				now.Vertices[v].Name, FormatRatio(m.slot.vertices[v].busy)))
		}
	}
	return out
}

func (g Glance) say(s Sight, text string) Glance {
	g.Sight, g.Text = s, text
	return g
}

// means are the shares of a job's vertices as means over their subtasks.
type means struct {
	limits thresholds
	job    *flinkapi.Job
	slot   slot
}

// meanSlot forms a vertex's mean shares. Its counters must have advanced by about the time between the looks:
// by less they stood still, by more the first look's were old.
func meanSlot(old, now *flinkapi.Vertex, span time.Duration) vertexSlot {
	out := vertexSlot{finished: finished(now), total: now.Parallelism}
	if out.finished || old == nil || old.Parallelism != now.Parallelism || now.Parallelism == 0 {
		return out
	}
	before, after := flinkapi.Subtask{Readings: old.Sums}, flinkapi.Subtask{Readings: now.Sums}
	passed, p := advanceOf(&before, &after), float64(now.Parallelism)
	if now.Sums.Of(flinkapi.BusyTime).IsNaN() { // a source without a busy time
		lived := func(t *flinkapi.Subtask, at time.Duration) { t.Running = flinkapi.Known(p * at.Seconds()) }
		lived(&before, 0)
		lived(&after, span)
	} else {
		advanced := seconds(passed.over(0) / p)
		if advanced < leastGlance || advanced < span-glanceSlack || advanced > span+glanceSlack {
			return out
		}
	}
	sh := unspent()
	sh.shareBetween(&before, &after, &passed)
	pressed, known := sh.backpressured.float()
	if !known {
		return out
	}
	out.known = now.Parallelism
	out.busy, out.backpressured, out.idle = sh.busy.value(), sh.backpressured.value(), sh.idle.value()
	out.leastBusy, out.maxIdle = out.busy, out.idle
	if b, ok := sh.busy.float(); ok {
		out.lead = flinkapi.Known(b - pressed)
	}
	out.all = rateBetween(old.Sums, now.Sums, span.Seconds())
	return out
}

// progress is by how much the vertices' counters have advanced per subtask between two looks, at most; it is
// not known where no vertex has such counters in both.
func progress(before, now *flinkapi.Job) (most time.Duration, known bool) {
	for i := range now.Vertices {
		v := &now.Vertices[i]
		old := before.Vertex(v.ID)
		if old == nil || v.Parallelism == 0 {
			continue
		}
		a, b := flinkapi.Subtask{Readings: old.Sums}, flinkapi.Subtask{Readings: v.Sums}
		idle, okIdle := fell(&a, &b, flinkapi.IdleTime)
		back, okBack := fell(&a, &b, flinkapi.BackpressuredTime)
		busy, _ := fell(&a, &b, flinkapi.BusyTime)
		if okIdle && okBack {
			most, known = max(most, seconds((busy+idle+back)/float64(v.Parallelism))), true
		}
	}
	return most, known
}

// most is the largest share that one of the subtasks of a vertex can have, given the mean; 1 where the mean
// is not known.
func (m *means) most(v int, mean flinkapi.Value) float64 {
	x, ok := mean.Float()
	if !ok {
		return 1
	}
	return min(1, x*float64(m.job.Vertices[v].Parallelism))
}

// certain tells whether no single instance can make a named vertex a victim, and no other vertex next to the
// pressure can have an instance that is the tighter one.
func (m *means) certain(g *graph, named int) bool {
	if m.most(named, m.slot.vertices[named].backpressured) >= m.limits.high {
		return false
	}
	for v := range m.slot.vertices {
		s := &m.slot.vertices[v]
		if v == named || s.finished || s.backpressured.Or(0) > m.limits.low {
			continue
		}
		pressedAbove := false
		for _, u := range g.in[v] {
			pressedAbove = pressedAbove || m.slot.vertices[u].backpressured.Or(0) > m.limits.low
		}
		if pressedAbove && m.most(v, s.busy) >= m.limits.busy {
			return false
		}
	}
	return true
}

// hidden tells whether one instance of a vertex may be held back, or one of a source busy all the time,
// though the means are low.
func (m *means) hidden(g *graph) bool {
	for v := range m.slot.vertices {
		s := &m.slot.vertices[v]
		if s.finished {
			continue
		}
		busiest := m.most(v, s.busy)
		if most, ok := m.job.Vertices[v].Spread[flinkapi.BusyShare].Max.Float(); ok &&
			m.job.Read.Sub(m.job.Vertices[v].SpreadRead) <= time.Minute {
			busiest = min(busiest, most)
		}
		if len(g.out[v]) > 0 && m.most(v, s.backpressured) >= m.limits.high ||
			len(g.in[v]) == 0 && busiest >= m.limits.saturated {
			return true
		}
	}
	return false
}

// reads is how many records the sources give out a second, as far as that is known.
func (m *means) reads(g *graph) flinkapi.Value {
	sum, known := 0.0, false
	for v := range m.slot.vertices {
		if out, ok := m.slot.vertices[v].all.out.Float(); ok && len(g.in[v]) == 0 {
			sum, known = sum+out, true
		}
	}
	if !known {
		return flinkapi.Value{}
	}
	return flinkapi.Known(sum)
}

// busiest returns the vertex with the largest mean busy share.
func (m *means) busiest() (v int) {
	for u := range m.slot.vertices {
		if m.slot.vertices[u].busy.Or(0) > m.slot.vertices[v].busy.Or(0) {
			v = u
		}
	}
	return v
}

// mostPressed returns the vertex with the largest mean backpressured share.
func (m *means) mostPressed() (v int) {
	for u := range m.slot.vertices {
		if m.slot.vertices[u].backpressured.Or(0) > m.slot.vertices[v].backpressured.Or(0) {
			v = u
		}
	}
	return v
}
