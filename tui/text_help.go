package tui

import (
	"culprit/diagnose"
	"culprit/tui/dag"
)

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
func helpText(sc *scene, p *paper) {
	w, th := p.w, p.th
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
	p.entry(line{say(toneIdle, "  "+th.starved+" "+waitsWord)}, 14, tonePlain,
		"keeps up, but no records come through it while the watermark is held")
	p.gradeWords()
	p.edgeSigns()
	p.rungSigns()
	p.heading("columns of the subtasks")
	for _, c := range [][2]string{
		{"in, out buffers", "the share of its buffer pools that is in use"},
		{"in, out queue", "buffers that wait to be read, or to be sent"},
		{"soft, hard bp", "backpressured between two records, and in the middle of one"},
		{"watermark age", "how far its input watermark is behind the clock of the JobManager"},
		{"state", "its part in the newest completed checkpoint that was read by subtask"},
		{"order", "rows keep their places for some seconds while shares are out of order by 5 % at most"},
	} {
		p.entry(line{say(toneKey, "  "+c[0])}, 20, tonePlain, c[1])
	}
	p.heading("numbers")
	p.entry(nil, 2, tonePlain, "busy, backpressured (bp) and idle are each the largest share over the "+
		"subtasks, so they need not add up to 100 %; - stands for a number that is not known, never for zero; "+
		"data that is some seconds old is live: Flink collects its metrics every 10 s, if not set otherwise")
}

// rungSigns says what the signs of the ladder mean.
func (p *paper) rungSigns() {
	p.heading("ladder")
	sample := &diagnose.Report{Culprits: []diagnose.Culprit{{
		Confidence: diagnose.Firm, Severity: diagnose.Critical,
	}}}
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
		mark, t := rungMark(rung, sample, p.th)
		p.entry(line{say(t, "  "+mark)}, 14, tonePlain, r.text)
	}
}

// gradeWords says what a culprit is called that is not a firm and critical one.
func (p *paper) gradeWords() {
	for _, c := range []struct {
		like diagnose.Culprit
		text string
	}{
		{
			diagnose.Culprit{Confidence: diagnose.Probable, Severity: diagnose.Warning},
			"looks like the culprit, but too little was seen to be sure; amber stands for a warning, red for what " +
				"is critical",
		},
		{
			diagnose.Culprit{Confidence: diagnose.Firm, Pattern: diagnose.CatchingUp},
			"the slowest one while the job works off its backlog: nothing is wrong with it",
		},
	} {
		g := gradeOf(&c.like)
		p.entry(line{say(g.edge, "  "+p.th.culprit+" "+g.word)}, 14, tonePlain, c.text)
	}
}
