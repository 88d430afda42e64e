package tui

import (
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/tui/letters"
)

// staleAfter is how old the newest answer may be before a wall no longer takes it for the state of things.
const staleAfter = time.Minute

// wallVerdict is what the wall says: few words, the worst first.
type wallVerdict struct {
	word, name string
	tone, fill tone
	marks      string
	why, fix   string
	job        string
	report     *diagnose.Report
}

// drawWall fills r with the verdict in large letters, to be read from across a room. There are no keys.
func drawWall(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	v := wallOf(sc, th)
	rows := []line{{say(v.fill, pad(" "+v.job, r.W, th.ellipsis))}}
	if old, ok := sc.dataAge(); ok {
		tail := " " + age(old) + " old "
		rows[0] = line{say(v.fill, pad(" "+v.job, r.W-cells(tail), th.ellipsis)+cut(tail, r.W, ""))}
	}
	foot, trend := wallFoot(sc, v, r, th)
	r.H -= len(trend)
	room := r.H - len(rows) - len(foot)
	words := wallWords(v, r.W, room, th)
	if n := sc.notice(false); n.what != "" {
		if sc.frozen || sc.link.ended {
			n.then, n.brief = "", "" // a wall takes no such keys
		}
		rows = append(rows, n.line(r.W, th))
		if words = wallWords(v, r.W, room-1, th); len(words) > 0 && len(words[0]) == 0 {
			words = wallWords(v, r.W, room, th)[1:] // its own blank row is free, so that nothing moves
		}
	}
	rows = append(rows, words...)
	rows = append(rows, make([]line, max(r.H-len(rows)-len(foot), 0))...)
	out := append(th.fillRect(append(rows, foot...), r), trend...)
	if sc.toast != "" {
		out[len(out)-1] = th.paint(line{say(toneSelected, sc.toast)}, r.W)
	}
	return out
}

// wallOf chooses what to say: that nothing is known any more comes before all.
func wallOf(sc *scene, th *Theme) wallVerdict {
	of := ""
	if sc.base == screenJobs {
		of = ", the worst of " + plural(len(sc.obs.Jobs), "job")
		sc = worstJob(sc)
	}
	c := sc.card(th)
	v := wallVerdict{
		word: c.word, name: c.name, tone: c.tone, fill: c.fill, marks: strings.Join(c.marks, " "+th.bullet+" "),
		job: sc.target, report: sc.report,
	}
	if v.fill == toneStrong || v.fill == toneFine { // words that have no fill of their own
		v.fill = c.tone
	}
	for _, item := range c.items {
		switch {
		case item.need == needWhy && v.why == "":
			v.why = item.text
		case item.need == needFix && v.fix == "":
			v.fix = firstWords(item.text)
		}
	}
	if sc.report != nil {
		v.job = sc.report.Job.Name + of
	}
	if sc.obs == nil {
		return v
	}
	old, lost := sc.now.Sub(sc.received), sc.link.err != nil
	if lost || old > staleAfter && !sc.link.ended {
		v.why = "the last verdict was " + c.word + " " + c.name
		v.word, v.name, v.marks, v.fix = "NO ANSWER", "", "", ""
		if !lost {
			v.word = "STALE"
		}
		v.marks = "for " + age(old)
		v.tone, v.fill, v.report = toneWarn, toneNotice, nil
	}
	return v
}

// worstJob is the scene of the job whose verdict is worst; the first of them.
func worstJob(sc *scene) *scene {
	out := *sc
	out.report = nil
	for i := range sc.obs.Jobs {
		r := sc.obs.Jobs[i].Report
		if r != nil && (out.report == nil || out.report.Severity != r.Severity &&
			out.report.Severity.Worse(r.Severity) == r.Severity) {
			out.report = r
		}
	}
	out.base = screenGraph
	out.opening = ""
	if out.report == nil {
		out.opening = plural(len(sc.obs.Jobs), "job")
	}
	return &out
}

// wallWords are the word, the name, the marks and the reason, in at most h rows; what has no room is left out
// from the end.
func wallWords(v wallVerdict, w, h int, th *Theme) []line {
	var out []line
	add := func(rows ...line) {
		if len(rows) <= h-len(out) {
			out = append(out, rows...)
		}
	}
	large := func(text string, t tone, most int, or func()) {
		rows, ok := letters.Draw(text, w-2, most, th.fill, len(th.halves) > 0)
		if !ok {
			or()
			return
		}
		add(nil)
		for _, row := range rows {
			add(line{say(t, " "+row)})
		}
	}
	const words = 4 // rows that the marks, the reason and the fix want
	large(v.word, v.tone, (h-words)/2-1, func() { add(line{say(v.tone, " "+cut(v.word, w-2, th.ellipsis))}) })
	if v.name != "" {
		head, _, _ := strings.Cut(v.name, " -> ")
		large(head, toneStrong, (h-words)/2-1, func() {})
	}
	add(nil)
	if v.name != "" {
		add(line{say(toneStrong, " "+chain(v.name, w-2, &th.glyphs))})
	}
	if v.marks != "" {
		add(line{say(v.tone, " "+cut(v.marks, w-2, th.ellipsis))})
	}
	fix := wrap(v.fix, w-2-cells(fixLabel), 2, th.ellipsis)
	if v.fix == "" || h-len(out) <= len(fix) {
		fix = nil // the reason comes first
	}
	for _, row := range wrap(v.why, w-2, max(h-len(out)-len(fix), 0), th.ellipsis) {
		add(line{say(tonePlain, " "+row)})
	}
	label := fixLabel
	for _, row := range fix {
		add(line{say(toneDim, " "+label), say(toneStrong, row)})
		label = blank(cells(fixLabel))
	}
	return out
}

const fixLabel = "fix  "

// firstWords is what to do, without the conditions and the settings behind it.
func firstWords(fix string) string {
	for _, end := range []string{"; ", ": ", " ("} {
		fix, _, _ = strings.Cut(fix, end)
	}
	return fix
}

// wallFoot is the strip of the job graph and, where there is room, of the last quarter of an hour.
func wallFoot(sc *scene, v wallVerdict, r Rect, th *Theme) (strip []line, trend []string) {
	if r.H < 8 || v.report == nil {
		return nil, nil
	}
	if rows := step(r.H, 0, 18, 2, 36, 4); rows > 0 && sc.base != screenJobs {
		trend = drawTrend(sc, Rect{W: r.W, H: rows}, th)
	}
	strip = []line{wallStrip(v.report, r.W, th)}
	if len(trend) > 0 {
		strip = append(strip, nil)
	}
	return strip, trend
}

// wallStrip is the job graph in one row: a sign for each vertex in the order of the data, with its name where
// there is room.
func wallStrip(rep *diagnose.Report, w int, th *Theme) line {
	const gap = 3
	n := len(rep.Vertices)
	if n == 0 {
		return nil
	}
	name := max(w/n-gap-2, 0)
	out := line{say(tonePlain, " ")}
	for i := range rep.Vertices {
		state := &rep.Vertices[i]
		l := roleLook(state.Role, th)
		if i > 0 && name >= 4 {
			out = append(out, say(toneDim, " "+cut(th.arrow, 1, "")+" "))
		}
		text := l.glyph
		if name >= 4 {
			text += " " + chain(state.Vertex.Name, name, &th.glyphs)
		}
		out = append(out, say(l.tone, text))
	}
	return out
}
