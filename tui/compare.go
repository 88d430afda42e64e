package tui

import (
	"time"

	"culprit/diagnose"
)

// The actions on a mark.
const (
	ActionMark    ActionID = "mark"
	ActionCompare ActionID = "compare"
)

// comparings are the actions on a mark.
func comparings() []Action {
	return []Action{
		{
			ActionMark, bind("m", "mark", "m"), scopeJob, 0, 0,
			"mark the moment on the screen, to compare what comes after it, such as a fix, with what was before",
		},
		{
			ActionCompare, bind("b", "before/after", "b"), scopeJob, 22, 0,
			"compare now with before the mark: did the fix help, or has the bottleneck moved?",
		},
	}
}

// compareSpan is how much before the mark, and how much up to now, is compared at most.
const compareSpan = 15 * time.Minute

// comparing keeps what a comparison with now needs.
type comparing struct {
	kept []diagnose.Sample // of the last hour, oldest first
	// at is the moment that was marked, by the source's clock, zero for none, and before what was kept of the
	// time up to it.
	at     time.Time
	before []diagnose.Sample
}

// note keeps what a comparison needs of an observation.
func (c *comparing) note(obs *diagnose.Observation) {
	if s, ok := diagnose.SampleOf(obs); ok {
		c.kept = diagnose.KeepSample(c.kept, s)
	}
}

// between are the samples of a span, its end included.
func (c *comparing) between(from, to time.Time) []diagnose.Sample {
	var out []diagnose.Sample
	for i := range c.kept {
		if s := &c.kept[i]; s.At.After(from) && !s.At.After(to) {
			out = append(out, *s)
		}
	}
	return out
}

// mark marks a moment, and tells whether something is known of the time before it.
func (c *comparing) mark(at time.Time) bool {
	before := c.between(at.Add(-compareSpan), at)
	if len(before) == 0 {
		return false
	}
	c.at, c.before = at, before
	return true
}

// now compares the time up to the newest look with that before the mark; nil without a mark.
func (c *comparing) now() *diagnose.Comparison {
	if c.at.IsZero() {
		return nil
	}
	from, to := c.at, c.at
	if n := len(c.kept); n > 0 {
		to = c.kept[n-1].At
	}
	if old := to.Add(-compareSpan); old.After(from) {
		from = old
	}
	all := diagnose.Compare(c.before, c.between(from, to))
	return &all
}

// mark marks the moment on the screen.
func (m *app) mark() {
	obs := m.picture().obs
	if obs == nil || !m.compared.mark(obs.At) {
		m.say("nothing was diagnosed yet that could be compared")
		return
	}
	text := "marked " + obs.At.In(m.opts.Zone).Format(time.TimeOnly)
	key, known := keyOf(m.actions, ActionCompare), true
	if c := diagnose.Compare(m.compared.before, nil); c.Before.Why != "" {
		text, known = text+", but the time before it tells too little", false
	}
	switch {
	case key == "":
	case known:
		text += "; " + key + " compares what comes after it with before"
	default:
		text += "; " + key + " says why"
	}
	m.say(text)
}

// compareText says whether what was done since the mark has helped, and the numbers of before and after.
func compareText(sc *scene, p *paper) {
	c := sc.comparison
	if c == nil {
		p.add(line{say(toneDim, "no moment is marked")})
		p.entry(nil, 2, toneDim, sc.hint(ActionMark, " marks the one on the screen: before a fix is made, "+
			"or later with an earlier moment on the screen"))
		return
	}
	p.heading("before and after " + sc.marked.In(sc.zone).Format("Jan 02 15:04:05"))
	t := map[diagnose.Outcome]tone{
		diagnose.Helped: toneFine, diagnose.HelpedInPart: toneWarn, diagnose.BottleneckMoved: toneWarn,
		diagnose.WorseThanBefore: toneCulprit,
	}[c.Outcome]
	p.entry(line{say(t, "  "+outcomeGlyph(c.Outcome, p.th)+" ")}, 4, toneStrong, c.Sentence)
	p.add(nil)
	p.compared("", c.Rows(sc.zone))
	if rows := c.VertexRows(); len(rows) > 0 {
		p.add(nil)
		p.compared("operator", rows)
	}
}

func outcomeGlyph(o diagnose.Outcome, th *Theme) string {
	switch o {
	case diagnose.Helped:
		return th.fine
	case diagnose.WorseThanBefore, diagnose.BottleneckMoved, diagnose.HelpedInPart:
		return th.warn
	case diagnose.Unchanged, diagnose.Unclear:
	}
	return th.unknown
}

// compared writes rows side by side, or where that is too narrow below one another.
func (p *paper) compared(first string, rows []diagnose.ComparedRow) {
	label, value := 8, 8
	for _, r := range rows {
		label, value = max(label, cells(r.Label)), max(value, cells(r.Before), cells(r.After))
	}
	label = min(label, max(p.w/4, 12))
	value = min(value, (p.w-label-20)/2)
	const least = 16
	if value < least {
		for _, r := range rows {
			p.entry(line{say(toneDim, "  "+pad(r.Label, label, p.th.ellipsis))}, label+4, tonePlain,
				r.Before+" before, "+r.After+" after")
		}
		return
	}
	row := func(t tone, r diagnose.ComparedRow) {
		l := line{say(toneDim, "  "+pad(r.Label, label, p.th.ellipsis)+"  ")}
		for _, text := range []string{r.Before, r.After} {
			l = append(l, say(t, pad(text, value, p.th.ellipsis)+"  "))
		}
		p.add(append(l, say(toneDim, r.Change)))
	}
	row(toneDim, diagnose.ComparedRow{Label: first, Before: "before", After: "after"})
	for _, r := range rows {
		row(tonePlain, r)
	}
}
