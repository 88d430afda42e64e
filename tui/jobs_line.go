package tui

import (
	"strings"
	"time"

	"culprit/diagnose"
)

// jobColumns says which columns a list of w cells has room for; the narrowest has the name and the verdict.
type jobColumns struct {
	name                     int
	state, lag, ages, remark bool
}

const (
	stateWidth   = 13
	verdictWidth = 18
	lagWidth     = 10
	ageWidth     = 9
	seenWidth    = 7
)

func jobColumnsFor(w int, jobs []diagnose.JobLine) jobColumns {
	c := jobColumns{state: w >= 60, lag: w >= 76, ages: w >= 110}
	if !c.state {
		c.name = w - 2 - 2 - verdictWidth
		return c
	}
	longest := cells("job 100 to 199 of 999")
	for _, j := range jobs {
		longest = max(longest, cells(j.Job.Name))
	}
	room := w - c.rest()
	c.remark = room-min(longest, widestName) >= leastRemark
	if c.remark {
		room = min(room-leastRemark, widestName)
	}
	c.name = min(longest, room)
	return c
}

// widestName is where a name is cut that leaves a remark its room, leastRemark the least room that is worth
// it: the job under the cursor has its words below the list.
const widestName, leastRemark = 60, 20

// rest is what all but the name and the remark take.
func (c jobColumns) rest() int {
	w := 2 + 2 + stateWidth + verdictWidth
	if c.lag {
		w += lagWidth
	}
	if c.ages {
		w += 1 + ageWidth + seenWidth
	}
	return w
}

// head names the columns; the one that the list is sorted by has an arrow. Nothing stands under "seen" but
// how old a line is.
func (c jobColumns) head(p *jobsPane, th *Theme) line {
	arrow := th.sortDown
	if p.turned {
		arrow = th.sortUp
	}
	title := func(text string, o jobOrder) string {
		if p.order == o {
			return text + arrow
		}
		return text
	}
	name := strings.TrimSpace(title("job", byName) + " " + p.scroll.part())
	text := "  " + pad(name, c.name, "") + "  "
	if c.state {
		text += pad(title("state", byState), stateWidth, "")
	}
	verdict := title("verdict", byVerdict)
	if !c.state {
		return line{say(toneDim, text+verdict)}
	}
	text += pad(verdict, verdictWidth, "")
	if c.lag {
		text += pad(right(title("lag", byLag), lagNumber), lagWidth, "")
	}
	if c.ages {
		text += " " + pad(title("started", byAge), ageWidth, "") + pad("seen", seenWidth, "")
	}
	if c.remark {
		text += th.about + " at a glance"
	}
	return line{say(toneDim, text)}
}

func (c jobColumns) line(sc *scene, j diagnose.JobLine, at bool, th *Theme) line {
	mark, t := " ", tonePlain
	if at {
		mark, t = th.pointer, toneSelected
	}
	gone := j.Change == diagnose.Vanished
	if gone && !at {
		t = toneDim
	}
	out := line{
		say(toneSelected, mark), changeMark(j.Change, th),
		say(t, pad(chain(j.Job.Name, c.name, &th.glyphs), c.name, "")), say(tonePlain, "  "),
	}
	if c.state {
		state := say(stateTone(j.Job.State), pad(string(j.Job.State), stateWidth, ""))
		if gone {
			state = say(toneWarn, pad("gone", stateWidth, ""))
		}
		out = append(out, state)
	}
	rep, glance := verdictOf(sc, j)
	out = append(out, fit(verdictWord(j, rep, glance, th), verdictWidth, th.ellipsis)...)
	if !c.state {
		return out
	}
	if c.lag {
		out = append(out, lagCell(sc, j.Lag, th))
	}
	if c.ages {
		out = append(append(out, say(tonePlain, " ")), ages(sc, j, rep, glance)...)
	}
	if c.remark {
		out = append(out, remark(sc, j, rep, glance, th)...)
	}
	return out
}

// changeMark is one cell for what happened to a job lately.
func changeMark(c diagnose.Change, th *Theme) span {
	switch c {
	case diagnose.Appeared:
		return say(toneFine, "+")
	case diagnose.Failed:
		return say(toneCulprit, th.warn)
	case diagnose.Ended:
		return say(toneDim, th.finished)
	case diagnose.Vanished:
		return say(toneWarn, th.skip)
	}
	return say(tonePlain, " ")
}

// verdictWord is a verdict in a word; one at a glance has a mark of its own.
func verdictWord(j diagnose.JobLine, rep *diagnose.Report, glance *diagnose.Glance, th *Theme) line {
	switch {
	case rep != nil:
		return reportWord(rep, th)
	case j.Err != nil:
		return line{say(toneWarn, th.unknown+" not read")}
	case glance == nil && (j.Job.State.Over() || j.Change == diagnose.Vanished):
		return line{say(toneDim, unknownMark)}
	case glance == nil:
		return line{say(toneDim, "no look yet")}
	}
	return append(line{say(toneDim, th.about)}, sightWord(glance, th)...)
}

// reportWord is a report in a word: what is the matter where nobody is slow, else how bad it is.
func reportWord(rep *diagnose.Report, th *Theme) line {
	f := rep.Lead()
	if len(rep.Culprits) > 0 || f == nil || rep.Severity != diagnose.Warning {
		return severityWord(rep.Severity, th)
	}
	if word := th.warn + " " + strings.ReplaceAll(f.Rule, "-", " "); cells(word)+1 < verdictWidth {
		return line{say(toneWarn, word)}
	}
	return severityWord(rep.Severity, th)
}

// sightWord is a glance in a word. None has the mark or the colour of good news: a glance sees too little.
func sightWord(g *diagnose.Glance, th *Theme) line {
	word := string(g.Sight)
	switch g.Severity() {
	case diagnose.Critical:
		return line{say(toneCulprit, th.culprit+" "+word)}
	case diagnose.Warning:
		return line{say(toneWarn, th.warn+" "+word)}
	case diagnose.OK, diagnose.UnknownSeverity:
	}
	switch g.Sight {
	case diagnose.SightCalm:
		return line{say(tonePlain, th.bullet+" "+word)}
	case diagnose.SightOpen:
		return line{say(toneUnknown, th.unknown+" open it")}
	case diagnose.SightWaiting:
		return line{say(toneDim, th.bullet+" "+word)}
	case diagnose.SightLikely, diagnose.SightPressed, diagnose.SightRestarted, diagnose.SightCheckpoints,
		diagnose.SightLag, diagnose.SightUnknown:
	}
	return line{say(toneUnknown, th.unknown+" unknown")}
}

// lagFresh is how old a lag may be to stand for now; lagNumber is where its number ends.
const lagFresh, lagNumber = 30 * time.Second, 6

// lagCell is how much waits at the sources, and whether that grows or falls; where the source does not tell,
// by how much it is behind. An old number has its age instead of a direction.
func lagCell(sc *scene, l diagnose.Lag, th *Theme) span {
	text, t := unknownMark, toneDim
	if x, ok := l.Records.Float(); ok {
		text, t = diagnose.FormatCount(x), tonePlain
		if x > 0 && x < 1 { // an estimate of a fraction of a record
			text = "0"
		}
	} else if d, ok := seconds(l.Behind); ok {
		text, t = age(d), tonePlain
	}
	beside, known := "", t == tonePlain
	switch old := sc.sourceNow().Sub(l.At); {
	case known && !l.At.IsZero() && old > lagFresh:
		beside, t = " "+shortAge(old), toneDim
	case l.Trend > 0:
		beside, t = " "+th.up, toneWarn
	case l.Trend < 0:
		beside, t = " "+th.down, toneFine
	}
	return say(t, pad(right(text, lagNumber)+beside, lagWidth, th.ellipsis))
}

// ages are for how long the job has been there and how old its verdict is.
func ages(sc *scene, j diagnose.JobLine, rep *diagnose.Report, glance *diagnose.Glance) line {
	started := unknownMark
	if !j.Job.StartedAt.IsZero() {
		started = coarseAge(sc.sourceNow().Sub(j.Job.StartedAt))
	}
	seen, t := unknownMark, toneDim
	if at := seenAt(j, rep, glance); !at.IsZero() && j.Change != diagnose.Vanished {
		old := max(sc.sourceNow().Sub(at), 0)
		seen, t = coarseAge(old), ageTone(old)
	}
	return line{say(toneDim, pad(started, ageWidth, "")), say(t, pad(seen, seenWidth, ""))}
}

// seenAt is when the verdict on a job was made.
func seenAt(j diagnose.JobLine, rep *diagnose.Report, glance *diagnose.Glance) time.Time {
	switch {
	case rep != nil:
		return j.At
	case glance != nil:
		return glance.At
	}
	return time.Time{}
}

// coarseAge is an age in its largest unit.
func coarseAge(d time.Duration) string {
	const day = 24 * time.Hour
	for _, unit := range []time.Duration{day, time.Hour, time.Minute} {
		if d >= unit {
			return age(d.Truncate(unit))
		}
	}
	return age(d)
}

// shortAge is a coarse age in three cells, such as "15m".
func shortAge(d time.Duration) string {
	n, unit, _ := strings.Cut(coarseAge(d), " ")
	return n + unit[:min(len(unit), 1)]
}

// remark is a sentence on a job: what happened to it lately, else what its verdict says.
func remark(sc *scene, j diagnose.JobLine, rep *diagnose.Report, glance *diagnose.Glance, th *Theme) line {
	ago := age(max(sc.sourceNow().Sub(j.ChangedAt), 0)) + " ago"
	switch j.Change {
	case diagnose.Vanished:
		return line{say(toneWarn, "gone "+ago), say(toneDim, ", was "+string(j.Job.State))}
	case diagnose.Failed:
		return line{say(toneCulprit, "failed "+ago)}
	case diagnose.Ended:
		return line{say(toneDim, "ended "+ago)}
	case diagnose.Appeared:
		return append(line{say(toneFine, "new "+ago+"  ")}, verdictText(j, rep, glance, th)...)
	}
	return verdictText(j, rep, glance, th)
}

func verdictText(j diagnose.JobLine, rep *diagnose.Report, glance *diagnose.Glance, th *Theme) line {
	switch {
	case rep != nil:
		return line{say(tonePlain, arrowed(rep.Headline, &th.glyphs))}
	case j.Err != nil:
		return line{say(toneWarn, j.Err.Detail)}
	case glance == nil:
		return nil
	case glance.Sight == diagnose.SightLikely:
		const most = 40
		return line{
			say(toneStrong, chain(glance.Likely.Name, most, &th.glyphs)),
			say(tonePlain, ", "+arrowed(glance.Text, &th.glyphs)),
		}
	}
	return line{say(toneDim, arrowed(glance.Text, &th.glyphs))}
}

// drawJob shows the verdict on the job under the cursor of the list.
func drawJob(sc *scene, j diagnose.JobLine, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	name := chain(j.Job.Name, r.W/2, &th.glyphs)
	head := line{say(toneSelected, th.pointer+" "), say(toneStrong, name), say(tonePlain, "  ")}
	rep, glance := verdictOf(sc, j)
	p := &paper{w: r.W, th: th}
	const label = 8
	switch {
	case j.Change == diagnose.Vanished:
		p.add(append(head, remark(sc, j, rep, glance, th)...))
		p.entry(line{say(toneDim, "  why")}, label, tonePlain,
			"the cluster no longer lists it: its JobManager dropped it, or was restarted without it")
	case rep != nil:
		p.add(append(append(head, severityWord(rep.Severity, th)...), lasting(rep)...))
		p.entry(line{say(toneDim, "  why")}, label, tonePlain, arrowed(rep.Headline, &th.glyphs))
		if fix := remedyOf(rep); fix != "" {
			p.entry(line{say(toneDim, "  fix")}, label, toneStrong, arrowed(fix, &th.glyphs))
		}
		p.entry(line{say(toneDim, "  data")}, label, toneDim, basisOf(rep.Data))
	case glance != nil:
		p.add(append(append(head, verdictWord(j, rep, glance, th)...), say(toneDim, "  at a glance, not firm")))
		why := verdictText(j, rep, glance, th)
		text := ""
		for _, s := range why {
			text += s.text
		}
		p.entry(line{say(toneDim, "  why")}, label, tonePlain, text)
		basis := glanceBasis(glance)
		if look := sc.hint(ActionOpen, " looks into every subtask"); look != "" {
			basis += "; " + look
		}
		p.entry(line{say(toneDim, "  data")}, label, toneDim, basis)
	default:
		p.add(append(head, verdictWord(j, nil, nil, th)...))
		if j.Err != nil {
			p.entry(line{say(toneDim, "  why")}, label, tonePlain, j.Err.Detail)
		}
	}
	return th.fillRows(p.rows, r)
}

// lasting is since when the worst culprit of a report stands.
func lasting(rep *diagnose.Report) line {
	if len(rep.Culprits) == 0 || rep.Culprits[0].Since.IsZero() {
		return nil
	}
	return line{say(toneDim, "  "+lastingText(&rep.Culprits[0], rep.DataAt()))}
}

// lastingText is for how long a culprit stands; one that is grave because of that is called chronic.
func lastingText(x *diagnose.Culprit, at time.Time) string {
	if x.Pattern == diagnose.Chronic {
		return string(x.Pattern) + ": " + x.Lasted(at)
	}
	return x.Lasted(at)
}

// glanceBasis tells what a glance stands on.
func glanceBasis(g *diagnose.Glance) string {
	if g.Span <= 0 {
		return "one look so far"
	}
	return "mean over the subtasks of each vertex, over " + diagnose.FormatDuration(g.Span.Round(time.Second)) +
		", without watermarks"
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

// sourceNow is the time now by the source's clock.
func (sc *scene) sourceNow() time.Time {
	if sc.obs == nil {
		return time.Time{}
	}
	return sc.obs.At.Add(sc.now.Sub(sc.received))
}
