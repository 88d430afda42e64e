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
	// large is the word in few letters; numbers are the share of the culprit and since when, the longest first.
	large   string
	numbers []string
	job     string
	report  *diagnose.Report
}

// drawWall fills r with the verdict in large letters, to be read from across a room. There are no keys.
func drawWall(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	v := wallOf(sc, th)
	rows := []line{v.headRow(sc, r.W, th)}
	if text := notLive(sc); text != "" {
		rows = append(rows, line{say(toneNotice, pad(" "+text, r.W, th.ellipsis))})
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

// headRow is the job, and the age of the numbers.
func (v *wallVerdict) headRow(sc *scene, w int, th *Theme) line {
	tail := ""
	if old, ok := sc.dataAge(); ok {
		tail = cut(" "+age(old)+" old ", w, "")
	}
	w -= cells(tail)
	return line{say(v.fill, pad(" "+chain(v.job, max(w-1, 0), &th.glyphs), w, th.ellipsis)+tail)}
}

// notLive says what is on the wall instead of a cluster as it is now; empty for none.
func notLive(sc *scene) string {
	switch sc.mode {
	case ModeReplay:
		if sc.obs == nil {
			return "RECORDING"
		}
		return "RECORDING of " + sc.obs.At.In(sc.zone).Format("Jan 02 15:04:05")
	case ModeDemo:
		return "DEMO: a simulated cluster"
	}
	return ""
}

// wallNumbers are the share of a culprit and since when it stands, the longest first.
func wallNumbers(sc *scene) []string {
	c := sc.culprit()
	if c == nil {
		return nil
	}
	share := unknownMark
	for i := range sc.report.Vertices {
		if v := &sc.report.Vertices[i]; v.Vertex.ID == c.Vertex.ID && v.Busy.IsKnown() {
			share = strings.ReplaceAll(diagnose.FormatRatio(v.Busy), " ", "")
		}
	}
	out := []string{"BUSY " + share, share}
	if c.Since.IsZero() {
		return out
	}
	since, word := c.Since.In(sc.zone), " SINCE "
	if c.Earlier {
		word = " BEFORE "
	}
	at := since.Format("15:04")
	if sc.report.DataAt().Sub(since) >= 24*time.Hour {
		at = since.Format("Jan 02")
	}
	return append([]string{"BUSY " + share + word + at, share + word + at, share + " " + at}, out...)
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
		job: sc.target, report: sc.report, large: first(c.large, c.word), numbers: wallNumbers(sc),
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
		v.word, v.name, v.marks, v.fix, v.numbers = "NO ANSWER", "", "", "", nil
		if !lost {
			v.word = "STALE"
		}
		v.large = v.word
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

// wallWords are the word, the name, the numbers, the marks and the reason, in at most h rows; what has no
// room is left out from the end, and large letters where they have none.
func wallWords(v wallVerdict, w, h int, th *Theme) []line {
	var out []line
	add := func(rows ...line) {
		if len(rows) <= h-len(out) {
			out = append(out, rows...)
		}
	}
	blocks, most := v.share(h)
	large := func(t tone, texts ...string) bool {
		for _, text := range texts {
			if rows, ok := letters.Draw(text, w-2, most, th.fill, len(th.halves) > 0); ok && blocks > 0 {
				add(nil)
				for _, row := range rows {
					add(line{say(t, " "+row)})
				}
				blocks--
				return true
			}
		}
		return false
	}
	if !large(v.tone, v.large) || v.large != v.word {
		add(line{say(v.tone, " "+cut(v.word, w-2, th.ellipsis))})
	}
	head, _, _ := strings.Cut(v.name, " -> ")
	large(toneStrong, head)
	if !large(v.tone, v.numbers...) && len(v.numbers) > 0 {
		add(line{say(v.tone, " "+cut(v.numbers[0], w-2, th.ellipsis))})
	}
	if h >= airy {
		add(nil)
	}
	if v.name != "" {
		add(line{say(toneStrong, " "+chain(v.name, w-2, &th.glyphs))})
	}
	if v.marks != "" {
		add(line{say(v.tone, " "+cut(v.marks, w-2, th.ellipsis))})
	}
	return append(out, v.sentences(w, h-len(out), th)...)
}

// sentences are the reason and the fix in at most h rows of w cells; the reason comes first.
func (v *wallVerdict) sentences(w, h int, th *Theme) []line {
	if h <= 0 {
		return nil
	}
	fix := wrap(v.fix, w-2-cells(fixLabel), 2, th.ellipsis)
	if v.fix == "" || h <= len(fix) {
		fix = nil
	}
	var out []line
	for _, row := range wrap(v.why, w-2, h-len(fix), th.ellipsis) {
		out = append(out, line{say(tonePlain, " "+row)})
	}
	label := fixLabel
	for _, row := range fix {
		out = append(out, line{say(toneDim, " "+label), say(toneStrong, row)})
		label = blank(cells(fixLabel))
	}
	return out
}

// airy is from how many rows on a wall has one to spare between its letters and its words.
const airy = 14

// share says how many large texts stand on a wall of h rows, and how many rows each may take with the blank
// one above it.
func (v *wallVerdict) share(h int) (blocks, most int) {
	const words = 4 // rows that the marks, the reason and the fix want
	const least = 3 // rows of the smallest letters
	blocks = 2
	if len(v.numbers) > 0 && (h-words)/3-1 >= least {
		blocks = 3
	}
	return blocks, (h-words)/blocks - 1
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

// wallStrip is the job graph in one row: a sign for each vertex in the order of the data, with what it does
// most and its name where there is room.
func wallStrip(rep *diagnose.Report, w int, th *Theme) line {
	const gap = 3
	n := len(rep.Vertices)
	if n == 0 {
		return nil
	}
	const least = 6
	name := max(w/n-gap-2-shareWord-percentWidth-1, 0)
	shares := name >= least
	if !shares {
		name = max(w/n-gap-2, 0)
	}
	out := line{say(tonePlain, " ")}
	for i := range rep.Vertices {
		v := vertexView{state: rep.Vertices[i], grade: firmGrade()}
		if c := culpritAt(rep, v.state.Vertex.ID); c != nil {
			v.grade = gradeOf(c)
		}
		l := v.look(th)
		if i > 0 && name >= 4 {
			out = append(out, say(toneDim, " "+cut(th.arrow, 1, "")+" "))
		}
		text := l.glyph
		if name >= 4 {
			text += " " + chain(v.state.Vertex.Name, name, &th.glyphs)
		}
		if shares {
			label, share, _ := dominant(v)
			text += " " + label + " " + strings.TrimSpace(percent(share))
		}
		out = append(out, say(l.tone, text))
	}
	return out
}
