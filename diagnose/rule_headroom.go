package diagnose

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

// headroomRules are rung 6: is there headroom?
func headroomRules() []Rule {
	return []Rule{noHeadroomRule(), uniformParallelismRule(), rescaleInVainRule()}
}

func roomSignals() []flinkapi.Signal {
	return needs(shareSignals(), rateSignals(), []flinkapi.Signal{flinkapi.PendingRecords})
}

func noHeadroomRule() Rule {
	return Rule{
		ID: "FD0601", Name: "no-headroom", Title: "an operator keeps up, but is close to its limit",
		Stage: StageHeadroom, Needs: roomSignals(), Check: checkNoHeadroom,
	}
}

func checkNoHeadroom(c *Case) Finding {
	if end, ok := c.calm(); !ok {
		return end
	}
	top, end, ok := c.tightest()
	if !ok {
		return end
	}
	switch {
	case top.slots == 0:
		return fineBy("no operator is busy with records")
	case top.mean < c.limits.tight:
		return fineBy(fmt.Sprintf("the busiest operator, %s, is busy %s %s, and may be up to %s",
			c.vertex(top.vertex).Name, FormatRatio(flinkapi.Known(top.mean)), spanText(top.span),
			FormatRatio(flinkapi.Known(c.limits.tight))))
	}
	f := Finding{
		Verdict: Firing, Severity: OK, Subject: c.vertexSubject(top.vertex),
		Summary: c.roomSummary(&top), Evidence: c.roomEvidence(&top), Remedies: c.roomRemedies(&top),
		Dont: []string{"one higher parallelism for all operators: the others have time to spare"},
	}
	if top.busiest >= 0 {
		f.Subject.Subtasks = []int{top.busiest}
	}
	if top.mean >= c.limits.little {
		f.Severity = Warning
	}
	return f
}

// calm says why headroom cannot be measured now: somebody holds the job back, or it works off a backlog.
func (c *Case) calm() (Finding, bool) {
	if end, yes := c.blind(); yes {
		return end, false
	}
	switch s := c.newest(); {
	case len(c.stands) > 0:
		return notApplicable("an operator holds the job back: how busy the others are is not what the load " +
			"asks for"), false
	case s.verdict.pressed || len(s.verdict.named) > 0:
		return notApplicable("there is backpressure: how busy the operators are is then not what the load " +
			"asks for"), false
	}
	if v, yes := c.worksOff(); yes {
		return c.busyByBacklog(v), false
	}
	return Finding{}, true
}

func (c *Case) busyByBacklog(source int) Finding {
	name := c.vertex(source).Name
	return notApplicable(name + " works off a backlog: how busy the job is then says nothing of its load")
}

// tightest returns the vertex with the largest mean busy share, of those that get records.
func (c *Case) tightest() (top load, end Finding, ok bool) {
	slots := 0
	for v := range c.job.Vertices {
		if c.over(v) {
			continue
		}
		l, known := c.load(v)
		if !known {
			if c.unmeasuredBusy(v) || c.shares(v).known == 0 {
				end = cannotTell("how busy "+c.vertex(v).Name+" is, is not known", flinkapi.BusyTime.String())
			}
			continue
		}
		c.sinceTrouble(&l)
		slots = max(slots, l.slots)
		rate, counted := l.rate.Float()
		if works := !counted || rate > 0; works && l.slots >= c.limits.roomSlots && l.mean > top.mean {
			top = l
		}
	}
	switch {
	case slots < c.limits.roomSlots:
		return load{}, cannotTell(fmt.Sprintf("headroom takes longer to measure: %d of %s of %s are there",
			slots, FormatThings(c.limits.roomSlots, "slots"), FormatDuration(c.limits.slot)), "a longer watch"), false
	case end.Verdict == Unknown && top.mean < c.limits.tight:
		return load{}, end, false
	}
	return top, Finding{}, true
}

// roomOpen returns the busiest vertex where it may be near its limit, and it was not watched for long enough
// to tell.
func (c *Case) roomOpen() (v int, open bool) {
	v, known := c.busiest()
	if !known || c.shares(v).busy.Or(0) < c.limits.tight {
		return 0, false
	}
	if _, calm := c.calm(); !calm {
		return 0, false
	}
	_, end, ok := c.tightest()
	return v, !ok && end.Verdict == Unknown
}

// sinceTrouble leaves out of a load what lies before the newest slot in which somebody held the job back: who
// did was busy all the time, whatever the load.
func (c *Case) sinceTrouble(l *load) {
	var busy []float64
	span := time.Duration(0)
	for i := len(c.w.slots) - 1; i >= 0; i-- {
		s := &c.w.slots[i]
		if !s.measures(l.vertex) {
			continue
		}
		if s.verdict.pressed || len(s.verdict.named) > 0 {
			l.mean, l.span, l.slots = mean(busy), span, len(busy)
			return
		}
		busy = append(busy, s.vertices[l.vertex].busy.Or(0))
		span += s.to.Sub(s.from)
	}
}

// over tells whether a vertex has done all its work.
func (c *Case) over(v int) bool { return finished(c.vertex(v)) || c.shares(v).finished }

func (c *Case) vertexSubject(v int) Subject {
	return Subject{Kind: SubjectVertex, Vertex: c.job.Vertices[v].ID, Name: c.vertex(v).Name}
}

func (c *Case) roomSummary(l *load) string {
	text := fmt.Sprintf("%s keeps up, but is busy %s %s", c.vertex(l.vertex).Name,
		FormatRatio(flinkapi.Known(l.mean)), spanText(l.span))
	if l.uneven >= c.limits.unevenLoad && l.busiest >= 0 {
		text = fmt.Sprintf("%s keeps up, but its subtask %d is busy %s %s", c.vertex(l.vertex).Name, l.busiest,
			FormatRatio(flinkapi.Known(l.mean)), spanText(l.span))
	}
	text += ": a record takes about " + slowdown(l.mean) + " as long as in an idle job"
	if l.mean >= c.limits.none {
		return text + ", and every burst becomes lag"
	}
	return text
}

// spanText says over which time something was measured.
func spanText(d time.Duration) string {
	if d >= history-time.Minute {
		return "on average over " + FormatDuration(d)
	}
	return "on average over the " + FormatDuration(d) + " that were watched"
}

// slowdown is the factor 1/(1-rho) by which waiting makes a record take longer (M/M/1).
func slowdown(rho float64) string {
	const most = 50
	if rho = asShown(rho); rho >= 1-1.0/most {
		return fmt.Sprintf("%d times and more", most)
	}
	return roughly(1/(1-rho)) + " times"
}

func (c *Case) roomEvidence(l *load) []Evidence {
	name, age := c.vertex(l.vertex).Name, c.age()
	out := []Evidence{
		{
			Signal: "busy-mean", Label: "busy, busiest subtask, mean", Subject: name, Value: flinkapi.Known(l.mean),
			Unit: flinkapi.Ratio, For: true, Age: age, Note: fmt.Sprintf("%s, %s", FormatThings(l.slots, "slots"),
				FormatDuration(l.span)),
		},
		{
			Signal: "busy-high", Label: "busy, 95th percentile of the slots", Subject: name,
			Value: flinkapi.Known(l.high), Unit: flinkapi.Ratio, For: l.high >= c.limits.little, Age: age,
		},
	}
	if l.rate.IsKnown() {
		out = append(out, Evidence{
			Signal: "records-rate", Label: "records", Subject: name, Value: l.rate, Unit: flinkapi.RecordsPerSecond,
			For: true, Age: age,
		})
	}
	if l.each.IsKnown() {
		out = append(out, Evidence{
			Signal: "capacity", Label: "what one subtask can take", Subject: name, Value: l.each,
			Unit: flinkapi.RecordsPerSecond, For: true, Age: age, Note: "records over busy share",
		})
	}
	return out
}

func (c *Case) roomRemedies(l *load) []Remedy {
	name := c.vertex(l.vertex).Name
	n, why := c.needOf(l)
	first := Remedy{
		Do:   "give " + name + " alone more room; no parallelism is computed, because " + why,
		Gain: "shorter queues before it", Risk: "none before something is changed",
		Undo: undoWait, Link: parallelLink,
	}
	if why == "" {
		first = c.scaleRemedy(l, n)
	}
	if c.limits.bursty > 0 && l.high >= c.limits.bursty*l.mean || c.windowed(l.vertex) {
		first.Do += "; its load comes in bursts, which takes more room than an even one"
	}
	out := []Remedy{first}
	if reuse, ok := c.job.ObjectReuse.Float(); ok && reuse == 0 {
		out = append(out, c.objectReuse())
	}
	return out
}

// scaleRemedy is to give one operator another parallelism; where that brings nothing, to make its work
// cheaper.
func (c *Case) scaleRemedy(l *load, n need) Remedy {
	name, p := c.vertex(l.vertex).Name, c.vertex(l.vertex).Parallelism
	limits := strings.Join(n.limits, "; ")
	if n.rounded <= p {
		if limits != "" {
			limits = ": " + limits
		}
		return Remedy{
			Do:   "make each record of " + name + " cheaper" + limits,
			Gain: "busy less by the factor that a record gets cheaper", Risk: "none that is known",
			Undo: undoCode, Link: flameLink,
		}
	}
	if limits != "" {
		limits = " (" + limits + ")"
	}
	now := asShown(l.mean)
	then := asShown(now * float64(p) / float64(n.rounded))
	return c.withParallelism(Remedy{
		Do: fmt.Sprintf("give %s alone %s instead of %d%s", name, FormatThings(n.rounded, "subtasks"), p, limits),
		Gain: fmt.Sprintf("busy about %s instead of %s (%s x %d / %d), a record takes about %s as long as in an "+
			"idle job, not %s", FormatRatio(flinkapi.Known(then)), FormatRatio(flinkapi.Known(now)),
			FormatRatio(flinkapi.Known(now)), p, n.rounded, slowdown(then), slowdown(now)),
		Risk: "the job restarts, and keyed state is spread anew",
		Undo: fmt.Sprintf("set it to %d again", p),
	}, p, map[int]int{l.vertex: n.rounded})
}

// asShown is a share as people read it, in whole percent: what a text computes from it they can, too.
func asShown(share float64) float64 { return math.Round(100*share) / 100 }

// overridesSetting gives single vertices of a job another parallelism, since 1.17: a map by the vertex's id.
const overridesSetting = "pipeline.jobvertex-parallelism-overrides"

// withParallelism completes a remedy with what sets the parallelism of single vertices: before 1.17 that is
// done in the code.
func (c *Case) withParallelism(r Remedy, now int, wanted map[int]int) Remedy {
	r.scales = len(wanted) <= 1
	if v := c.version(); v > 0 && v < 117 {
		r.Key, r.From, r.Link = "setParallelism", fmt.Sprint(now), docRoot+"dev/datastream/execution/parallel/"
		if len(wanted) == 1 {
			for _, n := range wanted {
				r.To = fmt.Sprint(n)
			}
		}
		return r
	}
	r.From, _, _ = c.setting(overridesSetting)
	entries := c.otherOverrides(r.From, wanted)
	for _, v := range slices.Sorted(maps.Keys(wanted)) {
		entries = append(entries, fmt.Sprintf("%s:%d", c.vertex(v).ID, wanted[v]))
	}
	r.Key, r.To = overridesSetting, strings.Join(entries, ",")
	r.Link = settingLink(overridesSetting)
	return r
}

// otherOverrides are the entries of the setting that stay, because they are of other vertices.
func (c *Case) otherOverrides(set string, wanted map[int]int) []string {
	var kept []string
	for entry := range strings.SplitSeq(set, ",") {
		id, _, ok := strings.Cut(strings.TrimSpace(entry), ":")
		changed := func(v int) bool { return string(c.vertex(v).ID) == id }
		if ok && !slices.ContainsFunc(slices.Collect(maps.Keys(wanted)), changed) {
			kept = append(kept, strings.TrimSpace(entry))
		}
	}
	return kept
}

// windowed tells whether a vertex has windows, whose work comes when they end.
func (c *Case) windowed(v int) bool {
	text := strings.ToLower(c.vertex(v).Name + " " + c.vertex(v).Description)
	return strings.Contains(text, "window")
}
