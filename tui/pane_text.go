package tui

import (
	"fmt"
	"slices"
	"strings"

	"culprit/diagnose"
	"culprit/tui/dag"
)

// textPane scrolls through lines that a function writes for a width.
type textPane struct {
	write  func(sc *scene, w int, th *Theme) []string
	scroll scroll
}

// load writes the text; a text that does not fit leaves the last row to the words on the rest.
func (p *textPane) load(sc *scene, r Rect, th *Theme) (cut bool) {
	rows := p.write(sc, r.W, th)
	if cut = len(rows) > r.H && r.H > 1; cut {
		r.H--
	}
	p.scroll.load(rows, r.W, r.H)
	return cut
}

// Key scrolls.
func (p *textPane) Key(a ActionID, sc *scene, r Rect, th *Theme) bool {
	p.load(sc, r, th)
	return p.scroll.move(a)
}

// Draw returns the visible rows; where there are more, the last one says so.
func (p *textPane) Draw(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	cut := p.load(sc, r, th)
	shown := p.scroll.shown()
	if !cut {
		return shown
	}
	above, below := p.scroll.hidden()
	rest := fmt.Sprintf("%s %s more below", th.down, plural(below, "line"))
	if below == 0 {
		rest = fmt.Sprintf("%s the end; %s above", th.up, plural(above, "line"))
	}
	return append(shown, th.paint(line{say(toneDim, rest)}, r.W))
}

// paper collects the painted rows of a text, each of w cells.
type paper struct {
	w    int
	th   *Theme
	rows []string
}

func (p *paper) add(l line) { p.rows = append(p.rows, p.th.paint(l, p.w)) }

// heading begins a section.
func (p *paper) heading(text string) {
	if len(p.rows) > 0 {
		p.add(nil)
	}
	p.add(line{say(toneStrong, text)})
}

// entry writes a row of a head and a text, which is broken where it does not fit and stays under itself.
func (p *paper) entry(head line, indent int, t tone, text string) {
	used := head.width()
	if used >= indent {
		indent = used + 1
	}
	if p.w-indent < 16 { // too narrow to stand beside
		p.add(head)
		head, indent = nil, 4
	}
	for i, row := range wrap(text, max(p.w-indent, 1), 40, p.th.ellipsis) {
		l := line{say(tonePlain, blank(indent))}
		if i == 0 {
			l = append(append(line{}, head...), say(tonePlain, blank(indent-head.width())))
		}
		p.add(append(l, say(t, row)))
	}
}

// evidenceText lists every number for and against, the ladder, and what else was checked.
func evidenceText(sc *scene, w int, th *Theme) []string {
	p := &paper{w: w, th: th}
	if sc.report == nil {
		p.add(line{say(toneDim, "no verdict yet")})
		return p.rows
	}
	for i := range sc.report.Culprits {
		c := &sc.report.Culprits[i]
		p.heading("evidence: " + chain(c.Vertex.Name, max(w-12, 8), &th.glyphs) + ", " + c.Reason.Name)
		p.evidence(c.Evidence)
	}
	if s := sc.report.State; s != nil {
		p.heading("evidence: " + s.Rule)
		p.entry(nil, 2, tonePlain, first(s.Summary, s.Why, s.Title))
		p.evidence(s.Evidence)
	}
	if u := sc.report.Undetermined; u != nil {
		p.heading("missing for a verdict")
		for _, m := range u.Missing {
			p.entry(line{say(toneUnknown, "  "+th.unknown)}, 4, tonePlain, m)
		}
	}
	p.ladder(sc.report)
	p.also(sc.report)
	p.checks(sc.report)
	p.problems(sc)
	return p.rows
}

// ladder writes every rung: its question, its answer, and of what could not be told what is missing for it.
func (p *paper) ladder(rep *diagnose.Report) {
	const indent = 22
	p.heading("ladder")
	for i := range rep.Ladder {
		r := &rep.Ladder[i]
		mark, t := rungMark(*r, len(rep.Culprits) > 0, p.th)
		head := line{say(t, "  "+mark), say(tonePlain, fmt.Sprintf(" %d ", r.Number)), say(toneStrong, r.Name)}
		p.entry(head, indent, tonePlain, r.Question)
		p.entry(nil, indent, toneDim, rungWord(r.State)+first(": "+r.Why, ""))
		if r.State == diagnose.RungNotReached {
			continue
		}
		for k := range r.Findings {
			f := &r.Findings[k]
			if f.Verdict == diagnose.Unknown && len(f.Missing) > 0 {
				head := line{say(tonePlain, blank(indent)), say(toneUnknown, p.th.unknown+" "+f.Rule+" ")}
				p.entry(head, indent, toneDim, "needs "+strings.Join(f.Missing, "; "))
			}
			if f.Verdict == diagnose.Firing && r.Number >= firstRiskRung {
				p.evidence(f.Evidence)
			}
		}
	}
}

func rungWord(s diagnose.RungState) string {
	if s == diagnose.RungNotReached {
		return "not reached"
	}
	return string(s)
}

// evidence writes one row per number: for or against, label, value, age, whose it is and what it means.
func (p *paper) evidence(all []diagnose.Evidence) {
	label := 0
	for _, e := range all {
		label = max(label, cells(e.Label))
	}
	label = min(label, max(p.w/3, 12))
	for _, e := range all {
		side, t := "for    ", toneFine
		if !e.For {
			side, t = "against", toneWarn
		}
		head := line{
			say(t, "  "+side), say(tonePlain, "  "+pad(e.Label, label, p.th.ellipsis)+" "),
			say(toneStrong, padLeft(e.Text(), 10, p.th.ellipsis)), say(toneDim, padLeft(age(e.Age), 7, "")+" old  "),
		}
		text := chain(e.Subject, 48, &p.th.glyphs)
		if e.Note != "" {
			text += " (" + e.Note + ")"
		}
		p.entry(head, 0, tonePlain, text)
	}
}

func (p *paper) also(rep *diagnose.Report) {
	if len(rep.Also) == 0 {
		return
	}
	p.heading("beside it")
	for i := range rep.Also {
		p.finding(&rep.Also[i])
	}
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
	for _, f := range rep.Checks {
		why := first(f.Why, f.Title)
		switch {
		case f.Verdict == diagnose.Fine && !slices.Contains(fine, f.Rule):
			fine = append(fine, f.Rule)
		case f.Verdict == diagnose.Unknown && !slices.Contains(told, f.Rule+why):
			told = append(told, f.Rule+why)
			p.entry(line{say(toneUnknown, "  "+p.th.unknown+" "), say(tonePlain, f.Rule)}, 22, toneDim, why)
		}
	}
	if len(fine) > 0 {
		p.entry(line{say(toneFine, "  "+p.th.fine+" ")}, 4, toneDim, "no sign of: "+strings.Join(fine, ", "))
	}
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

// whyText tells of every other vertex why it is not the culprit.
func whyText(sc *scene, w int, th *Theme) []string {
	p := &paper{w: w, th: th}
	if sc.report == nil {
		p.add(line{say(toneDim, "no verdict yet")})
		return p.rows
	}
	names := min(max(w/3, 12), 40)
	for i := range sc.report.Culprits {
		c := &sc.report.Culprits[i]
		p.heading("why " + chain(c.Vertex.Name, max(w-22, 8), &th.glyphs) + " and not another")
		for _, r := range c.RunnersUp {
			head := line{say(toneWarn, "  runner-up "), say(tonePlain, chain(r.Vertex.Name, names, &th.glyphs))}
			p.entry(head, names+14, tonePlain, r.WhyNot)
		}
		for _, v := range c.Victims {
			head := line{say(toneBack, "  victim    "), say(tonePlain, chain(v.Vertex.Name, names, &th.glyphs))}
			p.entry(head, names+14, tonePlain, v.Why)
		}
	}
	p.heading("every vertex, in the order of the data")
	for _, v := range sc.vertices() {
		role := roleLook(v.state.Role, th)
		head := line{
			say(role.tone, "  "+role.glyph+" "+pad(string(v.state.Role), 10, "")),
			say(tonePlain, chain(v.vertex.Name, names, &th.glyphs)),
		}
		p.entry(head, names+14, toneDim, v.state.Why)
	}
	return p.rows
}

// edgeSigns explains the lines of the graph.
func (p *paper) edgeSigns() {
	p.heading("lines of the graph")
	for _, e := range []struct {
		stroke dag.Stroke
		text   string
	}{
		{dag.Heavy, "data stands: the vertex before waits for what follows"},
		{dag.Thin, "data flows"},
		{dag.Dotted, "nothing is seen to flow, or it is not known"},
	} {
		t := edgeTone(dag.Pen{Stroke: e.stroke})
		p.entry(line{say(t, "  "+p.th.charset().Sample(e.stroke))}, 14, tonePlain, e.text)
	}
}

// helpText lists the keys and explains the glyphs.
func helpText(sc *scene, w int, th *Theme) []string {
	p := &paper{w: w, th: th}
	p.heading("keys")
	const indent, label = 2, 12
	for _, row := range th.fullHelp(w-indent, label, sc.actions) {
		p.rows = append(p.rows, exact(blank(indent)+row, w, th.ellipsis))
	}
	p.heading("vertices")
	for _, r := range []struct {
		role diagnose.Role
		text string
	}{
		{diagnose.RoleCulprit, "busy by itself, and holds others back"},
		{
			diagnose.RoleHeldBack,
			"backpressured: a slower vertex below makes it wait; more parallelism here changes nothing",
		},
		{diagnose.RoleStarved, "idle, because what comes before it is held up"},
		{diagnose.RoleFine, "keeps up"},
		{diagnose.RoleUnknown, "its numbers are missing or too old"},
		{diagnose.RoleFinished, "all its subtasks have ended"},
	} {
		l := roleLook(r.role, th)
		p.entry(line{say(l.tone, "  "+l.glyph+" "+string(r.role))}, 14, tonePlain, r.text)
	}
	p.edgeSigns()
	p.heading("ladder")
	for _, r := range []struct {
		state diagnose.RungState
		risk  bool
		text  string
	}{
		{diagnose.RungHit, false, "hit: this is who, or why"},
		{diagnose.RungHit, true, "at risk, beside the culprit"},
		{diagnose.RungClear, false, "clear"},
		{diagnose.RungNotReached, false, "not reached: an earlier rung gave the reason"},
		{diagnose.RungUnknown, false, "cannot tell: data is missing"},
	} {
		rung := diagnose.Rung{State: r.state}
		if r.risk {
			rung.Number = firstRiskRung
		}
		mark, t := rungMark(rung, r.risk, th)
		p.entry(line{say(t, "  "+mark)}, 14, tonePlain, r.text)
	}
	p.heading("columns of the subtasks")
	for _, c := range [][2]string{
		{"in, out buffers", "the share of its buffer pools that is in use"},
		{"in, out queue", "buffers that wait to be read, or to be sent"},
		{"soft, hard bp", "backpressured between two records, and in the middle of one"},
		{"watermark age", "how far its input watermark is behind the clock of the JobManager"},
		{"state", "its part in the newest completed checkpoint that was read by subtask"},
		{"order", "shares count in steps of 5 %, other numbers with two digits, so that rows keep their places"},
	} {
		p.entry(line{say(toneKey, "  "+c[0])}, 20, tonePlain, c[1])
	}
	p.heading("numbers")
	p.entry(nil, 2, tonePlain, "busy, backpressured (bp) and idle are each the largest share over the "+
		"subtasks, so they need not add up to 100 %; - stands for a number that is not known, never for zero")
	return p.rows
}
