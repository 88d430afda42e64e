package diagnose

import (
	"fmt"
	"slices"
	"time"

	"culprit/flinkapi"
)

// quality sums up what the report stands on.
func (c *Case) quality() DataQuality {
	d := DataQuality{
		FlinkVersion: c.snapshot.Cluster.Version, Slots: len(c.w.slots),
		Requests: c.snapshot.Cost.Requests, Bytes: c.snapshot.Cost.Bytes,
	}
	if !c.w.started.IsZero() {
		d.Observed = c.snapshot.At.Sub(c.w.started)
	}
	if age, ok := c.metricAge(); ok {
		d.MetricAge = flinkapi.Known(age.Seconds())
	}
	s := c.newest()
	for i := range c.job.Vertices {
		if s != nil && i < len(s.vertices) {
			d.SubtasksKnown += s.vertices[i].known
		}
		d.SubtasksTotal += c.job.Vertices[i].Parallelism
	}
	return d
}

// pattern grades a culprit over time. One that may have begun before the watch is not called momentary.
func (c *Case) pattern(s *standing) Pattern {
	lasted := c.snapshot.At.Sub(s.since)
	if _, falls := c.coursing(s); falls {
		return CatchingUp
	}
	switch {
	case s.rhythm != nil || s.swing != nil:
		return Periodic
	case lasted >= c.limits.chronic, lasted >= c.limits.momentary && c.growsFor(s, history):
		return Chronic
	case lasted < c.limits.momentary && !c.earlier(s) && c.snapshot.At.Sub(c.heldSince(s)) < c.limits.momentary:
		return Momentary
	}
	return Ongoing
}

// heldSince is since when somebody has had what a culprit holds back, without a break: it may be one after
// the other. Whose beginning was not seen may have lasted for any time.
func (c *Case) heldSince(s *standing) time.Time {
	for i := len(c.w.slots) - 1; i >= 0; i-- {
		sl := &c.w.slots[i]
		if sl.verdict.abstain == "" && !slices.ContainsFunc(sl.verdict.named, func(o candidate) bool {
			return o.id == s.id || conflict(&o, &s.last)
		}) && sl.to.Before(s.supported) {
			return sl.to
		}
	}
	return time.Time{}
}

// earlier tells whether a culprit may have begun before it was first seen.
func (c *Case) earlier(s *standing) bool { return !s.since.After(c.w.started.Add(c.limits.slot)) }

// victims are the vertices that the culprit holds back, those below it that starve, and those on other
// branches that starve because what feeds them is held back, each once. A culprit is nobody's victim.
func (c *Case) victims(s *standing) []Victim {
	below := c.g.below(s.last.vertex)
	beside := c.besideCulprit(s)
	rests := s.swing != nil && c.phase(s).rests // whom the other one starves just now is not its victim
	most := len(s.last.explains)
	for v := range below {
		if c.starved(v) {
			most++
		}
	}
	out := make([]Victim, 0, most)
	for _, v := range s.last.explains {
		if !c.isNamed(v) {
			out = append(out, Victim{c.ref(v), c.whyHeld(s, v)})
		}
	}
	for v := range below {
		switch {
		case rests || c.isNamed(v) || slices.Contains(s.last.explains, v) || !c.starved(v):
		case below[v]:
			out = append(out, Victim{c.ref(v), c.phrases.of("starved by it: idle ", c.shares(v).idle)})
		case beside[v]:
			why := "starved: it waits for " + c.starvedFor(s, v) + ": idle "
			out = append(out, Victim{c.ref(v), c.phrases.of(why, c.shares(v).idle)})
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// isNamed tells whether a vertex is one of the culprits.
func (c *Case) isNamed(v int) bool {
	return slices.ContainsFunc(c.stands, func(s standing) bool { return s.last.vertex == v })
}

// besideCulprit tells which vertices lie below one that the culprit holds back, but not below itself: the
// other branches of a fork. Nobody that is held back, or a culprit, is one of them.
func (c *Case) besideCulprit(s *standing) []bool {
	out := make([]bool, len(c.g.ids))
	for _, u := range s.last.explains {
		for v, yes := range c.g.below(u) {
			out[v] = out[v] || yes
		}
	}
	for _, other := range c.stands {
		out[other.last.vertex] = false
	}
	return out
}

// starvedFor says what a starved vertex beside a culprit waits for: the one before it that is held back, or
// that gets nothing either.
func (c *Case) starvedFor(s *standing, v int) string {
	for _, u := range c.g.in[v] {
		if slices.Contains(s.last.explains, u) {
			return c.vertex(u).Name + ", which is held back by it"
		}
	}
	for _, u := range c.g.in[v] {
		if c.starved(u) {
			return c.vertex(u).Name + ", which gets too little itself"
		}
	}
	return "those before it"
}

// whyHeld says how a culprit holds back a vertex; one that comes and goes may rest just now.
func (c *Case) whyHeld(s *standing, v int) string {
	back := c.shares(v).backpressured
	switch {
	case s.swing != nil && c.phase(s).rests:
		return "held back by it in its turns"
	case s.rhythm != nil && back.Or(0) <= c.limits.low:
		return c.phrases.of("held back by it while it is busy; just now backpressured ", back)
	}
	return c.phrases.of("held back by it: backpressured ", back)
}

func (c *Case) starved(v int) bool {
	sh := c.shares(v)
	return sh.idle.Or(0) >= c.limits.idle && sh.backpressured.Or(0) <= c.limits.low
}

// runnersUp are the other vertices of the newest slot that could be taken for the culprit, and why they are
// not it. Those that it holds back are told of as its victims.
func (c *Case) runnersUp(s *standing) []RunnerUp {
	slot := c.newest()
	if slot == nil {
		return nil
	}
	var out []RunnerUp
	related := c.related(s.last.vertex)
	add := func(v int, why string) {
		known := slices.ContainsFunc(out, func(r RunnerUp) bool { return r.Vertex.ID == c.job.Vertices[v].ID })
		if v != s.last.vertex && related[v] && !known && !c.isNamed(v) {
			out = append(out, RunnerUp{c.ref(v), why})
		}
	}
	for _, other := range slot.verdict.named {
		if conflict(&other, &s.last) {
			add(
				other.vertex,
				"the newest slot names it; it takes over when that holds for most of a minute",
			)
		}
	}
	for _, r := range slot.verdict.rejected {
		victim := r.why == heldBack && slices.Contains(s.last.explains, r.vertex)
		if !related[r.vertex] || r.vertex == s.last.vertex || victim {
			continue
		}
		if why := c.whyRejected(r); why != "" {
			add(r.vertex, why)
		}
	}
	return out
}

// related are the vertices above and below v, and those that share a successor or predecessor with what is
// above it.
func (c *Case) related(v int) []bool {
	above := c.g.above(v)
	out := slices.Clone(c.g.below(v))
	for u := range above {
		if !above[u] {
			continue
		}
		out[u] = true
		for w, yes := range c.g.below(u) {
			out[w] = out[w] || yes
		}
	}
	return out
}

func (c *Case) whyRejected(r rejection) string {
	sh := c.shares(r.vertex)
	switch r.why {
	case heldBack:
		return c.phrases.of("it is held back itself: backpressured ", sh.backpressured)
	case nextLimit:
		return "it is busy too, but the records below it pile up: it is the next limit"
	case lessLoaded:
		return fmt.Sprintf("it is busy %s, but backpressured %s: another is the tighter one",
			FormatRatio(sh.busy), FormatRatio(sh.backpressured))
	case notMeasured:
		return "how busy it is, is not known"
	case notBusy:
		if sh.busy.Or(0) < c.limits.some {
			return ""
		}
		return c.phrases.of("it is busy only ", sh.busy)
	}
	return ""
}

// vertexStates describes every vertex in the newest slot.
func (c *Case) vertexStates() []VertexState {
	out := make([]VertexState, len(c.job.Vertices))
	pressed := c.pressedAbove()
	for i := range c.job.Vertices {
		out[i] = c.vertexState(i)
		out[i].Role, out[i].Why = c.role(i, pressed[i])
	}
	return out
}

func (c *Case) vertexState(i int) VertexState {
	v := &c.job.Vertices[i]
	st := VertexState{Vertex: c.ref(i), HotSubtask: -1, Subtasks: SubtaskStates{
		tasks: v.Subtasks, since: c.snapshot.At.Sub(v.SubtasksRead), uncounted: c.g.uncounted(i),
	}}
	if c.stale() || c.job.State != flinkapi.JobRunning {
		return st
	}
	sh := c.shares(i)
	all, _ := c.rates(i)
	st.Busy, st.Backpressured, st.Idle = sh.busy, sh.backpressured, sh.maxIdle
	st.RecordsIn, st.RecordsOut = st.Subtasks.uncounted.leaveOut(all.in, all.out)
	most := -1.0
	for k := range sh.subtasks {
		if b, ok := sh.subtasks[k].busy.float(); ok && b > most {
			st.HotSubtask, most = k, b
		}
	}
	st.Subtasks.spent = sh.subtasks
	return st
}

// pressedAbove tells for every vertex whether one above it is held back or a culprit, so that its idleness
// is starvation.
func (c *Case) pressedAbove() []bool {
	out := make([]bool, len(c.job.Vertices))
	for v := range c.job.Vertices {
		if !c.isNamed(v) && c.shares(v).backpressured.Or(0) <= c.limits.low {
			continue
		}
		for w, yes := range c.g.below(v) {
			out[w] = out[w] || yes
		}
	}
	return out
}

// role says in words what part a vertex plays now.
func (c *Case) role(v int, below bool) (Role, string) {
	sh := c.shares(v)
	switch {
	case finished(c.vertex(v)) || sh.finished:
		return RoleFinished, "all its subtasks have finished"
	case c.isNamed(v):
		return RoleCulprit, "it is busy by itself and holds others back"
	case c.stale() || c.job.State != flinkapi.JobRunning || sh.known == 0:
		return RoleUnknown, "no fresh shares of time are known"
	case float64(sh.known) < c.limits.knownShare*float64(sh.total) && sh.backpressured.Or(0) <= c.limits.low:
		return RoleUnknown, fmt.Sprintf("only %d of its %s tell their shares of time", sh.known,
			FormatThings(sh.total, "subtasks"))
	case c.isSpared(v):
		return RoleUnknown, "garbage collection slows it, and whose objects fill the heap is not known"
	case c.unmeasuredBusy(v):
		return RoleUnknown, "Flink does not measure how busy it is"
	case sh.backpressured.Or(0) > c.limits.low:
		return RoleHeldBack, c.phrases.of("a slower operator below holds it back: backpressured ", sh.backpressured)
	case below && sh.idle.Or(0) >= c.limits.idle:
		return RoleStarved, c.phrases.of("it waits for records: idle ", sh.idle)
	}
	return RoleFine, "it keeps up"
}

// blame marks the vertices that warnings are about: the gravest finding of each, of two as grave the first.
func (r *Report) blame() {
	findings := r.Also
	if r.State != nil {
		findings = append([]Finding{*r.State}, r.Also...)
	}
	for i := range findings {
		f := &findings[i]
		if f.Consequence || f.Severity != Warning && f.Severity != Critical {
			continue
		}
		for k := range r.Vertices {
			v := &r.Vertices[k]
			if v.Vertex.ID == f.Subject.Vertex && (v.Blamed == "" || f.Severity.Worse(v.Severity) != v.Severity) {
				v.Blamed, v.Trouble, v.Severity = f.Rule, f.Summary, f.Severity
			}
		}
	}
}

// doubt makes the state undetermined where no rule could describe the job, or good news would hang on a
// rule that could not tell.
func (r *Report) doubt(rules []Rule) {
	why := r.unsure(rules)
	if r.State != nil && (why == "" || r.State.Severity != OK) {
		return
	}
	var missing []string
	if why == "" {
		why, missing = r.notHealthy()
	}
	rule := undeterminedRule()
	r.State = &Finding{
		Rule: rule.Name, Code: rule.ID, Title: rule.Title, Verdict: Firing, Severity: UnknownSeverity,
		Summary: "undetermined, because " + why, Why: why, Missing: missing,
	}
}

// notHealthy says what kept the last rule that is asked of a job from calling it healthy.
func (r *Report) notHealthy() (why string, missing []string) {
	for i := range r.Checks {
		if f := &r.Checks[i]; f.Rule == healthyRule().Name && f.Verdict == Unknown {
			return f.Why, f.Missing
		}
	}
	return "no rule could describe the job", nil
}

// unsure says why it could not be told whether the job runs or who holds it back; empty where it could.
func (r *Report) unsure(rules []Rule) string {
	for i := range rules {
		rule := &rules[i]
		for k := range r.Checks {
			f := &r.Checks[k]
			if f.Code == rule.ID && rule.Stage <= StageFind && f.Verdict == Unknown && !f.Silenced {
				return f.Why
			}
		}
	}
	return ""
}

// fires tells whether a rule fires and is not silenced.
func (r *Report) fires(rule string) bool {
	return rule != "" && slices.ContainsFunc(r.Checks, func(f Finding) bool {
		return f.Rule == rule && f.Verdict == Firing && !f.Silenced
	})
}

// beside collects the firing findings that are neither the state nor about the reason of a culprit, and marks
// those that an earlier finding explains. Of the rules that are asked of a culprit the first that fires is
// the reason; what the later ones of its stage say is no second trouble.
func (r *Report) beside(stages map[string]Stage) {
	var explained []flinkapi.VertexID
	for i := range r.Checks {
		f := &r.Checks[i]
		if f.Verdict != Firing {
			continue
		}
		f.Consequence = f.Subject.Vertex != "" && slices.Contains(explained, f.Subject.Vertex) ||
			f.causedBy != "" || f.same != "" || r.fires(f.follows)
		explained = append(explained, f.Explains...)
		reason := slices.ContainsFunc(r.Culprits, func(x Culprit) bool {
			return x.Vertex.ID == f.Subject.Vertex && (x.Reason.Code == f.Code || stages[f.Rule].ofCulprit())
		})
		if reason || f.Silenced || f.Rule == culpritRule().Name || (r.State != nil && r.State.Code == f.Code) {
			continue
		}
		r.Also = append(r.Also, *f)
	}
}
