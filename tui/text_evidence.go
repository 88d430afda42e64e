package tui

import (
	"fmt"
	"slices"
	"strings"

	"culprit/diagnose"
)

// evidenceText lists every number for and against, the ladder, and what else was checked. The lines about a
// rule can be picked.
func evidenceText(sc *scene, p *paper) {
	if sc.report == nil {
		p.add(line{say(toneDim, "no verdict yet")})
		return
	}
	for i := range sc.report.Culprits {
		c := &sc.report.Culprits[i]
		p.heading("evidence: " + chain(c.Vertex.Name, max(p.w-12, 8), &p.th.glyphs))
		p.rule(c.Reason.Name)
		p.entry(line{say(gradeOf(c).edge, "  "+p.th.culprit+" "+c.Reason.Named())}, 4, tonePlain, c.Reason.Summary)
		p.evidence(c.Evidence)
	}
	// First what the banner speaks of: of a job that is well otherwise that is the finding beside its state.
	if lead := sc.report.Lead(); lead != sc.report.State {
		p.told(lead)
	}
	p.told(sc.report.State)
	if u := sc.report.Undetermined; u != nil {
		p.heading("missing for a verdict")
		for _, m := range u.Missing {
			p.entry(line{say(toneUnknown, "  "+p.th.unknown)}, 4, tonePlain, m)
		}
	}
	p.ladder(sc.report)
	p.otherLadders(sc.report)
	p.also(sc.report)
	p.checks(sc.report)
	p.problems(sc)
}

// told writes what the verdict says of the job, with its numbers.
func (p *paper) told(f *diagnose.Finding) {
	if f == nil {
		return
	}
	p.heading("evidence: " + f.Title)
	p.rule(f.Rule)
	head := line{say(tonePlain, "  "), say(toneStrong, f.Rule)}
	p.entry(head, 4, tonePlain, first(f.Summary, f.Why, f.Title))
	p.evidence(f.Evidence)
}

// rulePage opens the page of the rule that a line of the evidence is about.
func rulePage(_ *scene, key string) *folio {
	rule, _, _ := strings.Cut(key, " ")
	return pageFolio(rule)
}

// rule makes what is written next a line about a rule.
func (p *paper) rule(name string) {
	n := 0
	for _, x := range p.items {
		if rule, _, _ := strings.Cut(x.key, " "); rule == name {
			n++
		}
	}
	p.item(fmt.Sprintf("%s %d", name, n))
}

// rungStages are the stages that the rungs ask the rules of, in order.
func rungStages() []diagnose.Stage {
	return []diagnose.Stage{
		diagnose.StageFind, diagnose.StageSink, diagnose.StageHotInstance, diagnose.StageState,
		diagnose.StageCheckpoints, diagnose.StageHeadroom, diagnose.StageLog,
	}
}

// rungRule is the rule that a rung's answer comes from: the first that fires, else the first that could not
// tell, else the first of the rung.
func rungRule(r *diagnose.Rung) string {
	for _, verdict := range []diagnose.Verdict{diagnose.Firing, diagnose.Unknown} {
		for i := range r.Findings {
			if r.Findings[i].Verdict == verdict {
				return r.Findings[i].Rule
			}
		}
	}
	for _, rule := range diagnose.Rules() {
		if n := r.Number - 1; n >= 0 && n < len(rungStages()) && rule.Stage == rungStages()[n] {
			return rule.Name
		}
	}
	return ""
}

// ladder writes every rung: its question, its answer, what its rules said, and what they lacked.
func (p *paper) ladder(rep *diagnose.Report) {
	title := "ladder"
	if len(rep.Culprits) > 1 {
		title += " of " + chain(rep.Culprits[0].Vertex.Name, max(p.w-10, 8), &p.th.glyphs)
	}
	p.heading(title)
	p.rungLegend()
	p.rungs(rep, rep.Ladder)
}

// rungLegend says what the signs of the rungs mean, where there is room.
func (p *paper) rungLegend() {
	const least = 70
	if th := p.th; p.w >= least {
		text := "  %s hit  %s at risk  %s clear  %s not reached  %s cannot tell: data is missing"
		p.add(line{say(toneDim, fmt.Sprintf(text, th.hit, th.warn, th.clear, th.skip, th.unknown))})
	}
}

// otherLadders writes the rungs that are about one culprit for those beside the first; the others are the
// job's.
func (p *paper) otherLadders(rep *diagnose.Report) {
	for i := range rep.Culprits {
		if i == 0 {
			continue
		}
		c := &rep.Culprits[i]
		p.heading("ladder of " + chain(c.Vertex.Name, max(p.w-10, 8), &p.th.glyphs))
		p.rungs(rep, c.Ladder[:min(firstRiskRung-1, len(c.Ladder))])
	}
}

func (p *paper) rungs(rep *diagnose.Report, rungs []diagnose.Rung) {
	const indent = 22
	for i := range rungs {
		r := &rungs[i]
		mark, t := rungMark(*r, rep, p.th)
		p.rule(rungRule(r))
		head := line{say(t, "  "+mark), say(tonePlain, fmt.Sprintf(" %d ", r.Number)), say(toneStrong, r.Name)}
		p.entry(head, indent, tonePlain, r.Question)
		p.entry(nil, indent, toneDim, rungWord(r.State)+first(": "+r.Why, ""))
		if r.State == diagnose.RungNotReached {
			continue
		}
		for k := range r.Findings {
			if r.Number == 1 && len(rep.Culprits) > 0 {
				break // its numbers stand above
			}
			p.verdict(&r.Findings[k], r)
		}
	}
}

// verdict writes what a rule of a rung said, beyond the rung's own words: its numbers where it fires, what it
// lacks where it could not tell.
func (p *paper) verdict(f *diagnose.Finding, r *diagnose.Rung) {
	const indent = 6
	numbers := r.Number >= firstRiskRung
	switch f.Verdict {
	case diagnose.Firing:
		if text := first(f.Summary, f.Title); text != r.Why {
			p.rule(f.Rule)
			head := append(line{say(tonePlain, "    ")}, severityWord(f.Severity, p.th)...)
			p.entry(append(head, say(toneStrong, " "+f.Rule)), indent, tonePlain, text)
		}
		if numbers {
			p.evidence(f.Evidence)
		}
	case diagnose.Unknown:
		text := first(f.Why, f.Title)
		if len(f.Missing) > 0 {
			text += "; needs " + strings.Join(f.Missing, "; ")
		} else if text == r.Why {
			return
		}
		p.rule(f.Rule)
		p.entry(line{say(toneUnknown, "    "+p.th.unknown+" "), say(tonePlain, f.Rule)}, indent, toneDim, text)
	case diagnose.Fine, diagnose.NotApplicable:
	}
}

func rungWord(s diagnose.RungState) string {
	if s == diagnose.RungNotReached {
		return "not reached"
	}
	return string(s)
}

// evidence writes one row per number: for, against or neither, label, value, age, whose it is and what it
// means; and below them which answers of Flink they come from.
func (p *paper) evidence(all []diagnose.Evidence) {
	label, value, old := 0, 10, 6
	for i := range all {
		e := &all[i]
		label, value = max(label, cells(e.Label)), max(value, cells(e.Text()))
		old = max(old, cells(age(e.Age)))
	}
	value = min(value, max(p.w/5, 10))
	label = min(label, labelRoom(p.w-value-old))
	var sources []string
	for i := range all {
		e := &all[i]
		t := toneFine
		switch {
		case e.Neutral:
			t = toneDim
		case !e.For:
			t = toneWarn
		}
		head := line{
			say(t, fmt.Sprintf("    %-7s", e.Side())), say(tonePlain, "  "+pad(e.Label, label, p.th.ellipsis)+" "),
			say(toneStrong, padLeft(e.Text(), value, p.th.ellipsis)),
			say(toneDim, padLeft(age(e.Age), old+1, "")+" old  "),
		}
		text := chain(e.Subject, 48, &p.th.glyphs)
		if e.Note != "" {
			text += " (" + e.Note + ")"
		}
		if from := e.Source(); from != "" {
			if !slices.Contains(sources, from) {
				sources = append(sources, from)
			}
			text += fmt.Sprintf(" [%d]", slices.Index(sources, from)+1)
		}
		p.entry(head, 0, tonePlain, text)
	}
	for i, from := range sources {
		p.entry(line{say(toneDim, fmt.Sprintf("    [%d]", i+1))}, 8, toneDim, from)
	}
}

// labelRoom is the room of a label in a row of w cells beside value and age: what the note leaves, or where
// that is little, all of it, with the note below.
func labelRoom(w int) int {
	const sides, note = 21, 24
	if beside := w - sides - note; beside >= w/3 {
		return beside
	}
	return max(w-sides, 12)
}

// also writes what fires beside the ladder, with what helps.
func (p *paper) also(rep *diagnose.Report) {
	lead := rep.Lead() // it is told first
	if len(rep.Also) == 0 || len(rep.Also) == 1 && lead == &rep.Also[0] {
		return
	}
	p.heading("beside it")
	for i := range rep.Also {
		if lead == &rep.Also[i] {
			continue
		}
		p.rule(rep.Also[i].Rule)
		p.finding(&rep.Also[i])
		if !inLadder(rep, &rep.Also[i]) {
			p.evidence(rep.Also[i].Evidence)
		}
	}
}

// inLadder tells whether a rung has the finding's numbers already.
func inLadder(rep *diagnose.Report, f *diagnose.Finding) bool {
	for i := range rep.Ladder {
		r := &rep.Ladder[i]
		if r.Number >= firstRiskRung && r.State != diagnose.RungNotReached &&
			slices.ContainsFunc(r.Findings, func(x diagnose.Finding) bool { return x.Rule == f.Rule }) {
			return true
		}
	}
	return false
}

// firesWith tells whether something beside the verdict has a code that begins so.
func firesWith(rep *diagnose.Report, code string) bool {
	return slices.ContainsFunc(rep.Also, func(f diagnose.Finding) bool {
		return strings.HasPrefix(f.Code, code)
	})
}

// findings writes those beside the verdict whose code begins so.
func (p *paper) findings(rep *diagnose.Report, code string) {
	if rep == nil {
		return
	}
	for i := range rep.Also {
		if strings.HasPrefix(rep.Also[i].Code, code) {
			p.finding(&rep.Also[i])
		}
	}
}

// finding writes what was found beside the verdict, what helps and what does not.
func (p *paper) finding(f *diagnose.Finding) {
	head := append(line{say(tonePlain, "  ")}, severityWord(f.Severity, p.th)...)
	text := f.Rule + ": " + first(f.Summary, f.Title)
	if f.Consequence {
		text += " (a consequence of the above)"
	}
	p.entry(head, 14, tonePlain, text)
	for i := range f.Remedies {
		p.entry(line{say(toneDim, "          fix")}, 14, toneStrong, f.Remedies[i].Do+f.Remedies[i].Change())
	}
	for _, d := range f.Dont {
		p.entry(line{say(toneDim, "          not")}, 14, toneDim, d)
	}
}

// checks counts the rules that found nothing, and names those that could not tell.
func (p *paper) checks(rep *diagnose.Report) {
	if len(rep.Checks) == 0 {
		return
	}
	count := map[diagnose.Verdict]int{}
	for _, f := range rep.Checks {
		count[f.Verdict]++
	}
	p.heading(fmt.Sprintf("checks: %d fire, %d fine, %d could not tell, %d do not apply", count[diagnose.Firing],
		count[diagnose.Fine], count[diagnose.Unknown], count[diagnose.NotApplicable]))
	var fine, told []string // several subjects may have passed the same check, or failed to for the same reason
	for i := range rep.Checks {
		f := &rep.Checks[i]
		why := first(f.Why, f.Title)
		switch {
		case f.Verdict == diagnose.Fine && !slices.Contains(fine, f.Rule):
			fine = append(fine, f.Rule)
		case f.Verdict == diagnose.Unknown && !slices.Contains(told, f.Rule+why):
			told = append(told, f.Rule+why)
			p.rule(f.Rule)
			if len(f.Missing) > 0 {
				why += "; needs " + strings.Join(f.Missing, "; ")
			}
			p.entry(line{say(toneUnknown, "  "+p.th.unknown+" "), say(tonePlain, f.Rule)}, 22, toneDim, why)
		}
	}
	p.close()
	for _, rule := range fine {
		p.rule(rule)
		head := line{say(toneFine, "  "+p.th.fine+" "), say(tonePlain, rule)}
		p.entry(head, 22, toneDim, "no sign of: "+ruleTitle(rule))
	}
}

// ruleTitle says what a hit of a rule would mean.
func ruleTitle(name string) string {
	for _, rule := range diagnose.Rules() {
		if rule.Name == name {
			return rule.Title
		}
	}
	return name
}

// problems lists what could not be read.
func (p *paper) problems(sc *scene) {
	mark := line{say(toneWarn, "  "+p.th.warn+" ")}
	if sc.link.err != nil {
		p.heading("no answer for " + age(sc.now.Sub(sc.link.since)))
		p.entry(mark, 4, tonePlain, sc.link.err.Error())
	}
	if sc.obs == nil || len(sc.obs.Snapshot.Problems) == 0 {
		return
	}
	p.heading("not read")
	for _, problem := range sc.obs.Snapshot.Problems {
		if problem.Err != nil {
			p.entry(mark, 4, tonePlain, first(problem.Subject, "the job")+": "+problem.Err.Error())
		}
	}
}
