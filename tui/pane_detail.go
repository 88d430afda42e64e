package tui

import (
	"culprit/diagnose"
)

// drawDetail shows the selected vertex in words, and where there is room its subtasks.
func drawDetail(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	v, ok := sc.selectedVertex()
	if !ok {
		return th.fillRect(nil, r)
	}
	role := roleLook(v.state.Role, th)
	name := r.W / 3
	if r.W < 80 { // the buffers give way to the name
		name = r.W - 22
	}
	head := line{
		say(toneSelected, th.pointer+" "), say(toneStrong, chain(v.vertex.Name, name, &th.glyphs)),
		say(toneDim, " "+timesWord(v)+"  "), say(role.tone, role.glyph+" "+string(v.state.Role)),
	}
	buffers := line{
		say(toneDim, "buffers: remote in"), say(tonePlain, " "+poolUsage(v, true)),
		say(toneDim, "  out"), say(tonePlain, " "+poolUsage(v, false)),
	}
	rows := []line{spread(head, buffers, r.W, th.ellipsis), {say(tonePlain, "  "), say(toneDim, v.state.Why)}}
	if more := r.H - len(rows); more > 0 {
		unfiltered := *sc
		unfiltered.filter = "" // which is for names of vertices here
		table := (&subtasksPane{at: -1}).table(&unfiltered, v, Rect{W: r.W, H: more}, false, th)
		return append(th.fillRect(rows, Rect{W: r.W, H: len(rows)}), table...)
	}
	return th.fillRect(rows, r)
}

// drawJob shows the verdict on the job under the cursor of the list.
func drawJob(j diagnose.JobLine, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	name := cut(j.Job.Name, r.W/2, th.ellipsis)
	head := line{say(toneSelected, th.pointer+" "), say(toneStrong, name), say(tonePlain, "  ")}
	if j.Report == nil {
		return th.fillRect([]line{append(head, say(toneDim, "no verdict yet"))}, r)
	}
	p := &paper{w: r.W, th: th}
	p.add(append(head, severityWord(j.Report.Severity, th)...))
	p.entry(line{say(toneDim, "  why")}, 8, tonePlain, j.Report.Headline)
	if fix := remedyOf(j.Report); fix != "" {
		p.entry(line{say(toneDim, "  fix")}, 8, toneStrong, fix)
	}
	p.entry(line{say(toneDim, "  data")}, 8, toneDim, basisOf(j.Report.Data))
	return th.fillRows(p.rows, r)
}

// remedyOf is the first remedy of a report.
func remedyOf(rep *diagnose.Report) string {
	var all []diagnose.Remedy
	switch {
	case len(rep.Culprits) > 0:
		all = rep.Culprits[0].Remedies
	case rep.Lead() != nil:
		all = rep.Lead().Remedies
	}
	if len(all) == 0 {
		return ""
	}
	return all[0].Do + all[0].Change()
}
