package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"culprit/flinkapi"
)

// step is a rung as the product asks it, with the stage whose rules answer it.
type step struct {
	stage          Stage
	name, question string
}

func steps() []step {
	return []step{
		{
			StageFind, "culprit",
			"which operator, reading downstream, is the first that is busy and not itself backpressured?",
		},
		{StageSink, "sink", "is it a sink?"},
		{StageHotInstance, "hot instance", "is one instance hot and the rest idle?"},
		{StageState, "state", "is it stateful, and does the state backend stall?"},
		{StageCheckpoints, "checkpoints", "have checkpoints slowed with the backlog?"},
		{StageHeadroom, "headroom", "is there headroom?"},
		{StageLog, "log retention", "does the log hold the lag?"},
	}
}

// ladder is the strip of rungs as the rules answered them about one of the culprits, if there are any.
func ladder(r *Report, culprit int, rules []Rule, stages map[string]Stage, gate *Finding) []Rung {
	var out []Rung
	reason := "" // the rung that gave the culprit's reason, once it was met
	for i, s := range steps() {
		rung := Rung{Number: i + 1, Name: s.name, Question: s.question}
		rung.Findings = r.findings(stages, s.stage, culprit)
		switch {
		case gate != nil:
			rung.State, rung.Why = RungNotReached, gate.Summary
		case s.stage == StageFind:
			rung.State, rung.Why = r.firstRung(rules, rung.Findings)
		case s.stage.ofCulprit() && len(r.Culprits) == 0:
			rung.State, rung.Why = RungNotReached, "nobody is named"
		case s.stage.ofCulprit() && reason != "":
			rung.State, rung.Why = RungNotReached, reason+" gave the reason"
		case s.stage.ofCulprit() && len(rung.Findings) == 0:
			rung.State, rung.Why = RungNotReached, r.Culprits[culprit].Reason.before()
		default:
			rung.State, rung.Why = answer(s.stage, rung.Findings)
		}
		if s.stage.ofCulprit() && rung.State == RungHit && reason == "" {
			reason = fmt.Sprintf("rung %d (%s)", rung.Number, rung.Name)
		}
		out = append(out, rung)
	}
	return out
}

// before says what ended the ladder before the rungs about the reason of a culprit were asked.
func (r *Reason) before() string {
	switch {
	case r.Silenced != "":
		return r.Silenced + ", which is silenced, is asked before and fires"
	case r.Name == undeterminedRule().Name:
		return "it was not asked: " + r.Summary
	}
	return r.Name + ", which is asked before, gave the reason"
}

// firstRung tells whether the walk found somebody.
func (r *Report) firstRung(rules []Rule, findings []Finding) (RungState, string) {
	if r.State != nil && r.State.Rule == undeterminedRule().Name {
		return RungUnknown, r.State.Summary
	}
	if state, why := answer(StageFind, findings); state == RungHit {
		return state, why
	}
	if len(r.Culprits) > 0 { // its rule crashed, not the walk
		return RungUnknown, r.unsure(rules)
	}
	return RungClear, "no operator holds others back" + r.calmest()
}

// calmest names the vertices that come nearest to holding others back: what a walk that names nobody has
// seen.
func (r *Report) calmest() string {
	text := ""
	for _, of := range []struct {
		word  string
		share func(*VertexState) flinkapi.Value
	}{
		{"the most backpressured is ", func(v *VertexState) flinkapi.Value { return v.Backpressured }},
		{"the busiest is ", func(v *VertexState) flinkapi.Value { return v.Busy }},
	} {
		var top *VertexState
		for i := range r.Vertices {
			v := &r.Vertices[i]
			if of.share(v).IsKnown() && (top == nil || of.share(v).Or(0) > of.share(top).Or(0)) {
				top = v
			}
		}
		if top != nil {
			text += "; " + of.word + top.Vertex.Name + ", " + FormatRatio(of.share(top))
		}
	}
	return text
}

// findings are what the rules of a stage said of a culprit, or of the job.
func (r *Report) findings(stages map[string]Stage, stage Stage, culprit int) []Finding {
	told := func(f *Finding) bool {
		return stages[f.Rule] == stage && (!stage.ofCulprit() ||
			culprit < len(r.Culprits) && f.Subject.Vertex == r.Culprits[culprit].Vertex.ID)
	}
	n := 0
	for i := range r.Checks {
		if told(&r.Checks[i]) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	out := make([]Finding, 0, n)
	for i := range r.Checks {
		if told(&r.Checks[i]) {
			out = append(out, r.Checks[i])
		}
	}
	return out
}

// answer sums up the findings of a rung: a hit before what is unknown, that before what is clear. What a
// clear rung says is what its rules found.
func answer(stage Stage, findings []Finding) (RungState, string) {
	if len(findings) == 0 {
		return RungUnknown, "no rule was asked"
	}
	for i := range findings {
		if f := &findings[i]; f.Verdict == Firing && f.Silenced {
			return RungHit, "silenced: " + f.Rule + ", which fires: " + f.Summary
		} else if f.Verdict == Firing {
			return RungHit, f.Summary
		}
	}
	for i := range findings {
		if f := &findings[i]; f.Verdict == Unknown && f.Why != "" {
			return RungUnknown, f.Why
		}
	}
	var room [8]string
	found := said(room[:0], findings, Fine)
	switch {
	case stage.ofCulprit():
		found = said(found, findings, NotApplicable) // what does not apply to the culprit is an answer
	case len(found) == 0:
		if beside := said(found, findings, NotApplicable); len(beside) > 0 {
			return RungNotReached, beside[0] // it was not asked, so nothing was found to be well
		}
	}
	return RungClear, strings.Join(found, "; ")
}

// said adds the words of the findings with that verdict, each once, in order.
func said(out []string, findings []Finding, verdict Verdict) []string {
	for i := range findings {
		if f := &findings[i]; f.Verdict == verdict && f.Why != "" && !slices.Contains(out, f.Why) {
			out = append(out, f.Why)
		}
	}
	return out
}

// Rung returns the rung with the given number, or nil.
func (r *Report) Rung(number int) *Rung {
	i := slices.IndexFunc(r.Ladder, func(x Rung) bool { return x.Number == number })
	if i < 0 {
		return nil
	}
	return &r.Ladder[i]
}
