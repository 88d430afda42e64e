package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

// engine keeps what one job's diagnosis remembers between snapshots: the window and the standing culprits.
type engine struct {
	limits  thresholds
	options Options
	rules   []Rule
	stages  map[string]Stage // by the names of the rules
	w       *window
	stands  []standing
	// shown are the culprits of the newest slot as they are told of, worst first.
	shown []standing
	order ranking
	g     *graph
	// placed is where the subtasks run.
	placed *placement
	told   map[flinkapi.VertexID]told
	// phrases are those that were said so far.
	phrases phrases
	// asked is how many answers the rules gave last time.
	asked int
	// grew are the TaskManagers whose heap was seen to grow, and how.
	grew map[flinkapi.TaskManagerID]heapRise
	// spared are those who are not named because of what others keep on their heap.
	spared []heapVictim
	// sampling is since when looks at the threads of each culprit are asked for.
	sampling map[flinkapi.VertexID]time.Time
}

func newEngine(options Options, rules []Rule) *engine {
	stages := make(map[string]Stage, len(rules))
	for i := range rules {
		stages[rules[i].Name] = rules[i].Stage
	}
	return &engine{
		limits: options.limits, options: options, rules: rules, stages: stages, w: newWindow(options.limits),
		told: map[flinkapi.VertexID]told{}, phrases: phrases{}, grew: map[flinkapi.TaskManagerID]heapRise{},
	}
}

// run takes in a snapshot of the job and returns what it means.
func (e *engine) run(s *flinkapi.Snapshot) *Report {
	e.take(s)
	return e.report(e.caseOf(s))
}

// caseOf is what rules read of a snapshot.
func (e *engine) caseOf(s *flinkapi.Snapshot) *Case {
	return &Case{
		limits: e.limits, options: &e.options, snapshot: s, job: s.Job, w: e.w, g: e.g, placed: e.placed,
		phrases: e.phrases, grew: e.grew,
	}
}

// take takes in a snapshot of the job without asking the rules.
func (e *engine) take(s *flinkapi.Snapshot) {
	if e.g == nil || !e.g.shows(s.Job) {
		e.g = graphOf(s.Job)
	}
	if !e.placed.shows(s.Job) {
		e.placed = placementOf(s.Job)
	}
	if e.w.push(s) {
		newest := &e.w.slots[len(e.w.slots)-1]
		newest.verdict = judge(e.limits, e.g, newest)
		e.w.keep(e.g)
		e.stands = follow(e.limits, e.stands, e.w.slots)
		e.shown = present(e.limits, e.stands, e.w.slots)
		e.noteGrowth(e.caseOf(s))
	}
	if len(e.w.slots) == 0 {
		e.stands, e.shown, e.order = nil, nil, ranking{}
		clear(e.told)
		clear(e.grew)
	}
}

// ask runs one rule. A panic in it is a failure of the tool, never a finding about the job.
func ask(r *Rule, c *Case) (f Finding) {
	defer func() {
		if p := recover(); p != nil {
			f = cannotTell(fmt.Sprintf("rule %s crashed: %v", r.Name, p))
		}
		f.Rule, f.Code, f.Title = r.Name, r.ID, r.Title
		takeNoSide(f.Evidence)
	}()
	f = r.Check(c)
	f.Remedies = c.open(f.Remedies)
	return f
}

// takeNoSide keeps what is not known from speaking for a verdict: it is evidence for nothing.
func takeNoSide(all []Evidence) {
	for i := range all {
		if !all[i].Value.IsKnown() {
			all[i].For, all[i].Neutral = false, true
		}
	}
}

// askStage asks the rules of a stage in order, adds their findings to all, and returns the first that fires.
// The job as a whole has one description, so there the first that fires is the last that is asked. One that
// is silenced is the reason of a culprit all the same; of what is said of the job others go before it.
func (e *engine) askStage(stage Stage, c *Case, all []Finding) (hit *Finding, more []Finding) {
	for i := range e.rules {
		if !e.rules[i].askedAt(stage, len(c.stands) > 0) {
			continue
		}
		f := ask(&e.rules[i], c)
		f.Silenced = e.options.silences(f.Rule) || f.same != "" && e.options.silences(f.same)
		all = append(all, f)
		if f.Verdict == Firing && (hit == nil || hit.Silenced && !f.Silenced && !stage.ofCulprit()) {
			first := f
			hit = &first
		}
		if hit != nil && !hit.Silenced && stage == StageWhole {
			break
		}
	}
	return hit, all
}

// report asks the rules stage by stage and puts the answers together.
func (e *engine) report(c *Case) *Report {
	r := &Report{
		Job: JobRef{c.job.ID, c.job.Name, c.job.State}, At: c.snapshot.At, Data: c.quality(),
	}
	checks := make([]Finding, 0, max(e.asked, len(e.rules)))
	gate, checks := e.askStage(StageRunning, c, checks)
	if gate == nil && !c.stale() && c.job.State == flinkapi.JobRunning {
		c.stands = slices.DeleteFunc(c.ranked(e.shown, &e.order), func(s standing) bool { return c.workedOff(&s) })
		c.stands = c.spare(c.stands)
	}
	e.spared = c.spared
	_, checks = e.askStage(StageFind, c, checks)
	e.noteSampling(c)
	if len(c.stands) > 0 {
		r.Culprits = make([]Culprit, len(c.stands))
	}
	for i := range c.stands {
		r.Culprits[i], checks = e.explain(c, &c.stands[i], checks)
	}
	c.culprit = nil
	for stage := StageCheckpoints; stage.atRisk() && gate == nil; stage++ {
		_, checks = e.askStage(stage, c, checks)
	}
	if gate != nil {
		gate = hush(gate)
	}
	r.State = gate
	if gate == nil && len(c.stands) == 0 {
		r.State, checks = e.askStage(StageWhole, c, checks)
		if r.State != nil {
			r.State = hush(r.State)
		}
		r.Checks = checks
		r.doubt(e.rules)
	}
	r.Checks, e.asked = checks, len(checks)
	r.heedRescales()
	r.Vertices, r.TaskManagers = c.vertexStates(), c.workerStates()
	r.Checkpoints, r.Sources = c.checkpointOutlook(), c.sourceStates()
	r.Exceptions, r.Restarts = slices.Clone(c.w.exceptions), slices.Clone(c.w.restarts)
	r.Ladder = ladder(r, 0, e.rules, e.stages, gate)
	for i := range r.Culprits {
		r.Culprits[i].Ladder = r.Ladder
		if i > 0 {
			r.Culprits[i].Ladder = c.ladderOf(ladder(r, i, e.rules, e.stages, gate), i)
		}
	}
	r.beside(e.stages)
	r.blame()
	c.conclude(r)
	r.noteSilenced(&e.options, e.stages)
	return r
}

// explain finds the reason of a culprit: the first rung that fits, else what it does while it is busy. It
// adds what the rules found to all.
func (e *engine) explain(c *Case, s *standing, all []Finding) (Culprit, []Finding) {
	c.culprit = s
	v := s.last.vertex
	out := c.accused(s)
	before, stuck := len(all), c.mayBeStuck(v)
	if stuck != "" {
		out.Confidence = Probable
	}
	for stage := StageMachine; stage.ofCulprit() && stuck == ""; stage++ {
		asked := len(all)
		var hit *Finding
		hit, all = e.askStage(stage, c, all)
		for i := asked; i < len(all); i++ {
			all[i].Subject = c.subjectOf(all[i].Subject, v)
		}
		if stage == StageNature {
			hit = e.recall(c, hit)
		}
		if hit == nil {
			continue
		}
		if hit.Silenced {
			out.Reason, out.Remedies = silencedReason(hit.Rule)
			out.Operator = cmp.Or(hit.Operator, c.slowOperator(v)) // who it is stays true
			out.Dont = []string{throughputDont}
			return out, all
		}
		c.reason(&out, s, hit)
		if stage > StageHotInstance && c.uneven(v).cause == unevenUnknown { // its machine, or a key
			out.Reason.Open = true
		}
		return out, all
	}
	unknown := undeterminedRule()
	out.Reason = Reason{
		Code: unknown.ID, Name: unknown.Name, Summary: cmp.Or(stuck, c.whyNoReason(all[before:])),
	}
	if s.swing == nil && s.rhythm == nil {
		out.Next = c.next(v, repairVertex, nil)
	}
	out.Operator = c.slowOperator(v)
	out.Remedies, out.Dont = c.toFindOut(len(c.w.slots) < e.limits.firmSlots), []string{throughputDont}
	return out, all
}

// accused is a culprit without its reason.
func (c *Case) accused(s *standing) Culprit {
	v := s.last.vertex
	out := Culprit{
		Vertex: c.ref(v), Subtasks: c.busySubtasks(v), Parallelism: c.vertex(v).Parallelism,
		TaskManagers: c.taskManagers(v), looked: c.lookedAt(v),
		Confidence: s.confidence, Pattern: c.pattern(s), Since: s.since,
		Earlier:  c.earlier(s),
		Evidence: c.walkEvidence(s), Victims: c.victims(s), RunnersUp: c.runnersUp(s),
	}
	if len(out.Subtasks) == 0 {
		out.Subtasks, out.TaskManagers = c.lastAt(s)
	}
	takeNoSide(out.Evidence)
	records, _ := c.lag(v)
	if s.last.source && !records.IsKnown() || c.known() < c.limits.wellKnown || c.courseOpen(s) {
		out.Confidence = Probable
	}
	return out
}

// reason adds what the rule found that fits.
func (c *Case) reason(out *Culprit, s *standing, hit *Finding) {
	v := s.last.vertex
	out.Reason = Reason{
		Code: hit.Code, Name: hit.Rule, Summary: hit.Summary,
		Open: hit.several || hit.byCPU && c.looksToCome(v),
	}
	out.Next = c.next(v, repairOf(hit.Rule), out.TaskManagers)
	if hit.doubtful {
		out.Confidence = Probable
	}
	out.Operator = cmp.Or(hit.Operator, c.slowOperator(v))
	out.Evidence = addEvidence(out.Evidence, hit.Evidence)
	out.Remedies, out.Dont = hit.Remedies, hit.Dont
	if b, ok := c.coursing(s); ok { // what is slow only while a backlog is worked off needs no repair
		out.Remedies = append([]Remedy{untilWorkedOff(b)}, out.Remedies...)
		out.Dont = append([]string{backlogDont}, out.Dont...)
	}
	if len(hit.Subject.Subtasks) > 0 {
		out.Subtasks = hit.Subject.Subtasks
	}
}

// addEvidence adds numbers to others, but for those that are there.
func addEvidence(all, more []Evidence) []Evidence {
	for i := range more {
		if !slices.ContainsFunc(all, func(e Evidence) bool {
			return e.Subject == more[i].Subject && e.Label == more[i].Label
		}) {
			all = append(all, more[i])
		}
	}
	return all
}

// toFindOut are what tells why a culprit is slow where no rule does: soon waiting does, later a look.
func (c *Case) toFindOut(soon bool) []Remedy {
	if soon {
		return []Remedy{{
			Do:   "wait half a minute: why it is slow needs two readings of the counters",
			Gain: "the reason, and the fix that belongs to it", Risk: "none",
			Undo: undoWait, Link: pressureLink,
		}}
	}
	return []Remedy{c.dumpRemedy(c.subject())}
}

// noteSampling notes whose threads are asked for from this report on.
func (e *engine) noteSampling(c *Case) {
	sampling := make(map[flinkapi.VertexID]time.Time, len(c.stands))
	for i := range c.stands {
		s := &c.stands[i]
		if since, before := e.sampling[s.id]; before {
			sampling[s.id] = since
		} else if sampled(i, c.busySubtasks(s.last.vertex)) {
			sampling[s.id] = c.snapshot.At
		}
	}
	e.sampling, c.sampling = sampling, sampling
}

// lookedAt is when the newest of looks enough at a vertex's threads was taken; zero without.
func (c *Case) lookedAt(v int) time.Time {
	if l := c.looks(v); l.enough() {
		return l.to
	}
	return time.Time{}
}

const throughputDont = "more parallelism above it changes nothing: throughput is the minimum over operators"

// told is what a culprit was last found to do while it is busy, and when.
type told struct {
	hit Finding
	at  time.Time
	// looked is true where there were looks enough at its threads.
	looked bool
}

// recall keeps to the last answer for a minute when the newest look gives none: the CPU of a TaskManager
// crosses a level now and then, and a reason that comes and goes helps nobody. Its numbers grow old visibly.
func (e *engine) recall(c *Case, hit *Finding) *Finding {
	id, looked := c.culprit.id, c.looks(c.subject()).enough()
	last, ok := e.told[id]
	since := c.snapshot.At.Sub(last.at)
	better := ok && last.looked && !last.hit.byCPU && since < e.limits.firmWindow
	if hit != nil && (!hit.byCPU || !better) { // what was seen of its threads outlives the looks
		e.told[id] = told{*hit, c.snapshot.At, looked}
		return hit
	}
	// What its threads do says more than the CPU did.
	if !ok || since >= e.limits.firmWindow || looked && !last.looked {
		delete(e.told, id)
		return nil
	}
	kept := last.hit
	kept.Evidence = slices.Clone(kept.Evidence)
	for i := range kept.Evidence {
		kept.Evidence[i].Age += since
	}
	return &kept
}

// whyNoReason says what was missing for a reason.
func (c *Case) whyNoReason(all []Finding) string {
	for _, f := range slices.Backward(all) { // the last rules ask what it does at all
		if f.Verdict == Unknown {
			why := "why it is slow is not known: " + f.Why
			if len(f.Missing) > 0 {
				why += "; missing: " + strings.Join(f.Missing, ", ")
			}
			return why
		}
	}
	return "why it is slow could not be told: it neither clearly computes nor clearly waits"
}

// subjectOf completes the subject of a finding about a culprit.
func (c *Case) subjectOf(s Subject, v int) Subject {
	if s.Kind == SubjectJob {
		s.Kind = SubjectVertex
	}
	s.Vertex, s.Name = c.job.Vertices[v].ID, c.vertex(v).Name
	return s
}
