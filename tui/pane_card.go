package tui

import (
	"errors"
	"fmt"
	"strings"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// card is what the pinned card says, before it is fitted into its rectangle.
type card struct {
	word  string // the word that is filled, such as CULPRIT
	tone  tone   // of the border and, where there is no fill, of the word
	fill  tone
	name  string
	marks []string // what stands at the right of the title, the most important first
	items []cardItem
	keys  bool // whether the keys of a verdict make sense
}

// cardItem is one labelled row of the card; text may take several rows where there is room.
type cardItem struct {
	label string
	text  string
	tone  tone
	row   line // instead of text, for rows with tones of their own; never wrapped
	// need orders the items when there is no room for all: the lowest stay.
	need int
}

const cardLabel = 6 // cells of a label with its gap

// drawCard shows the verdict: a culprit, else the state of the job, else what is being tried.
func drawCard(sc *scene, r Rect, compact bool, th *Theme) []string {
	if r.empty() {
		return nil
	}
	c := cardOf(sc, th)
	if compact {
		rows := append([]line{c.bar(r.W, th)}, c.rows(r.W, r.H-1, th)...)
		return th.fillRect(rows, r)
	}
	title := line{say(c.fill, " "+c.word+" ")}
	if c.name != "" {
		title = append(title, say(toneStrong, " "+chain(c.name, max(r.W-20, 8), &th.glyphs)))
	}
	marks := c.marksFor(r.W-title.width()-10, th)
	b := boxed{
		border: th.thin, tone: c.tone, title: title, innerBlank: 1,
		rows: c.rows(r.W-4, r.H-2, th),
	}
	if marks != "" {
		b.right = line{say(toneStrong, marks)}
	}
	if c.keys {
		b.foot = cardKeys(sc)
	}
	return th.fillRect(th.box(b, r), r)
}

func cardKeys(sc *scene) line {
	var out line
	for _, a := range sc.actions {
		switch a.ID {
		case ActionEvidence, ActionWhyNot, ActionCopy:
			if len(out) > 0 {
				out = append(out, say(tonePlain, "  "))
			}
			out = append(out, say(toneKey, a.Binding.Help().Key), say(toneDim, " "+a.Binding.Help().Desc))
		default:
		}
	}
	return out
}

// bar is the title of a card without a border.
func (c card) bar(w int, th *Theme) line {
	word := " " + c.word + " "
	room := w - cells(word) - 1
	marks := c.marksFor(room-cells(c.name)-2, th)
	left := line{say(c.fill, word), say(toneStrong, " "+chain(c.name, room, &th.glyphs))}
	return spread(left, line{say(toneDim, marks)}, w, th.ellipsis)
}

// marksFor returns as many marks as fit into w cells.
func (c card) marksFor(w int, th *Theme) string {
	sep := " " + th.bullet + " "
	for n := len(c.marks); n > 0; n-- {
		if text := strings.Join(c.marks[:n], sep); cells(text) <= w {
			return text
		}
	}
	return ""
}

// rows fits the items into h rows: one row each for the most needed, then further rows for those that are longer.
func (c card) rows(w, h int, th *Theme) []line {
	give := c.share(w, h, th)
	var out []line
	for i, item := range c.items {
		for y := range give[i] {
			label := pad("", cardLabel, "")
			if y == 0 {
				label = pad(item.label, cardLabel, th.ellipsis)
			}
			if item.row != nil {
				out = append(out, append(line{say(toneDim, label)}, item.row...))
				continue
			}
			text := wrap(item.text, w-cardLabel, give[i], th.ellipsis)
			if y < len(text) {
				out = append(out, line{say(toneDim, label), say(item.tone, text[y])})
			}
		}
	}
	return out
}

// share says how many of h rows each item gets.
func (c card) share(w, h int, th *Theme) []int {
	give := make([]int, len(c.items))
	for need := 0; need < 10; need++ {
		for i, item := range c.items {
			if item.need == need && h > 0 {
				give[i]++
				h--
			}
		}
	}
	for need := 0; need < 10 && h > 0; need++ {
		for i, item := range c.items {
			if item.need != need || give[i] == 0 || item.row != nil {
				continue
			}
			more := min(len(wrap(item.text, w-cardLabel, 1+h, th.ellipsis))-1, h)
			if more > 0 {
				give[i] += more
				h -= more
			}
		}
	}
	return give
}

// cardOf says what the card holds for the scene.
func cardOf(sc *scene, th *Theme) card {
	switch {
	case sc.culprit() != nil:
		return culpritCard(sc, sc.culprit(), th)
	case sc.report != nil:
		return stateCard(sc, sc.report, th)
	case sc.opening != "" && sc.link.err == nil:
		return card{
			word: "OPENING", tone: toneUnknown, fill: toneStrong, name: sc.opening,
			items: []cardItem{{label: "now", text: "reading the job graph and its metrics, " + sc.tried()}},
		}
	}
	return connectCard(sc)
}

// tried tells how long the step in flight has been running.
func (sc *scene) tried() string {
	if !sc.link.running {
		return sc.nextTry()
	}
	return age(sc.now.Sub(sc.link.started))
}

// connectCard is the card before the first answer.
func connectCard(sc *scene) card {
	c := card{word: "CONNECTING", tone: toneUnknown, fill: toneStrong, name: sc.target}
	if sc.link.err == nil {
		c.items = []cardItem{{label: "now", text: "connecting to " + sc.target + ", " + sc.tried()}}
		return c
	}
	detail, hint := cause(sc.link.err)
	c.word, c.fill, c.tone = failureWord(sc.link.err), toneNotice, toneWarn
	c.items = []cardItem{
		{label: "why", text: detail, need: 0},
		{label: "fix", text: hint, tone: toneStrong, need: 1},
		{label: "now", text: sc.nextTry() + "; no answer for " + age(sc.now.Sub(sc.link.since)), need: 2},
	}
	if hint == "" {
		c.items = append(c.items[:1], c.items[2])
	}
	return c
}

// failureWord is the kind of a failure in capitals.
func failureWord(err error) string {
	var known *flinkapi.Error
	if errors.As(err, &known) && known.Kind != "" {
		return capitals(string(known.Kind))
	}
	return "NO ANSWER"
}

// capitals turns a name such as restart-loop into the word of a card.
func capitals(name string) string { return strings.ToUpper(strings.ReplaceAll(name, "-", " ")) }

// culpritCard names the worst culprit in full and the others in one row each.
func culpritCard(sc *scene, first *diagnose.Culprit, th *Theme) card {
	c := card{
		word: "CULPRIT", tone: toneCulprit, fill: toneCulpritFill, name: first.Vertex.Name, keys: true,
		marks: []string{string(first.Confidence)},
	}
	if op := first.Operator; op != "" && op != first.Vertex.Name {
		c.name = op + " in " + c.name
	}
	if !first.Since.IsZero() {
		c.marks = append(c.marks, "for "+longDuration(max(sc.report.At.Sub(first.Since), 0)))
	}
	c.marks = append(c.marks, string(first.Pattern), first.Reason.Name)
	c.items = []cardItem{
		{label: "load", row: numbersOf(sc, first), need: 2},
		{label: "why", text: first.Reason.Summary, tone: toneStrong, need: 0},
	}
	c.items = append(c.items, remedyItems(first.Remedies, 1)...)
	c.items = append(c.items, dontItem(first)...)
	for i := range sc.report.Culprits[1:] {
		other := &sc.report.Culprits[i+1]
		c.items = append(c.items, cardItem{label: "also", row: otherCulprit(other, th), need: 3})
	}
	c.items = append(c.items, alsoItems(sc.report, th)...)
	return c
}

func otherCulprit(c *diagnose.Culprit, th *Theme) line {
	return line{
		say(toneCulprit, th.culprit+" CULPRIT "), say(toneStrong, chain(c.Vertex.Name, 40, &th.glyphs)),
		say(tonePlain, "  "+c.Reason.Name+" "+th.bullet+" "+string(c.Confidence)+" "+th.bullet+" "+c.Reason.Summary),
	}
}

// remedyItems shows the first remedy in full and names the second.
func remedyItems(remedies []diagnose.Remedy, need int) []cardItem {
	var out []cardItem
	for i, rem := range remedies {
		if i == 2 {
			break
		}
		text := rem.Do + setting(rem)
		label := "fix"
		if i > 0 {
			label, need = "or", 6
		}
		out = append(out, cardItem{label: label, text: text, tone: toneStrong, need: need})
		if i == 0 && rem.Gain+rem.Risk != "" {
			out = append(out, cardItem{label: "gain", text: gain(rem), need: 5})
		}
	}
	return out
}

// setting shows the key of a remedy and the change of its value.
func setting(rem diagnose.Remedy) string {
	switch {
	case rem.Key == "":
		return ""
	case rem.From != "" && rem.To != "":
		return fmt.Sprintf(" (%s: %s, now %s)", rem.Key, rem.To, rem.From)
	case rem.To != "":
		return fmt.Sprintf(" (%s: %s)", rem.Key, rem.To)
	}
	return " (" + rem.Key + ")"
}

func gain(rem diagnose.Remedy) string {
	if rem.Risk == "" {
		return rem.Gain
	}
	if rem.Gain == "" {
		return "risk: " + rem.Risk
	}
	return rem.Gain + "; risk: " + rem.Risk
}

func dontItem(c *diagnose.Culprit) []cardItem {
	if len(c.Dont) > 0 {
		return []cardItem{{label: "not", text: strings.Join(c.Dont, "; "), need: 4}}
	}
	if len(c.Victims) == 0 {
		return nil
	}
	names := make([]string, len(c.Victims))
	for i, v := range c.Victims {
		names[i] = v.Vertex.Name
	}
	text := strings.Join(names, ", ") + ": held back by it, not slow by themselves"
	return []cardItem{{label: "not", text: text, need: 4}}
}

// alsoItems shows the findings beside the verdict that warn of something.
func alsoItems(rep *diagnose.Report, th *Theme) []cardItem {
	var out []cardItem
	for _, f := range rep.Also {
		if f.Consequence || f.Severity != diagnose.Warning && f.Severity != diagnose.Critical {
			continue
		}
		text := f.Summary
		if text == "" {
			text = f.Title
		}
		row := line{say(toneWarn, th.warn+" "), say(tonePlain, text)}
		out = append(out, cardItem{label: "risk", row: row, need: 5})
	}
	return out
}

// numbersOf is the row of numbers of a culprit.
func numbersOf(sc *scene, c *diagnose.Culprit) line {
	var state diagnose.VertexState
	for _, v := range sc.report.Vertices {
		if v.Vertex.ID == c.Vertex.ID {
			state = v
		}
	}
	out := line{
		say(toneCulprit, "busy "+trim(percent(state.Busy))), say(tonePlain, "  "),
		say(toneBack, "backpressured "+trim(percent(state.Backpressured))), say(tonePlain, "  "),
	}
	if len(c.Subtasks) > 0 && c.Parallelism > 0 {
		out = append(out, say(tonePlain, fmt.Sprintf("%d of %s  ", len(c.Subtasks), plural(c.Parallelism, "subtask"))))
	}
	out = append(out, say(tonePlain, records(state)))
	for _, e := range c.Evidence {
		if e.Signal == cpuPerBusy {
			out = append(out, say(tonePlain, "  CPU "+e.Text()+" per busy subtask"))
		}
	}
	return out
}

// cpuPerBusy is the evidence that tells waiting from computing.
const cpuPerBusy = "cpu-per-busy-subtask"

// records tells the rate of a vertex by the side that Flink counts.
func records(s diagnose.VertexState) string {
	if s.RecordsIn.IsKnown() {
		return trim(rate(s.RecordsIn)) + " in"
	}
	if s.RecordsOut.IsKnown() {
		return trim(rate(s.RecordsOut)) + " out"
	}
	return "- /s"
}

func trim(s string) string { return strings.TrimSpace(s) }

// stateCard says how the whole job is when nobody is named.
func stateCard(sc *scene, rep *diagnose.Report, th *Theme) card {
	c := card{word: "UNDETERMINED", tone: toneUnknown, fill: toneStrong, name: rep.Headline, keys: true}
	if f := rep.State; f != nil {
		c.word = capitals(f.Rule)
		c.tone, c.fill = severityTones(f.Severity, f.Rule)
		c.items = append(c.items, cardItem{label: "why", text: first(f.Summary, f.Why, f.Title), tone: toneStrong, need: 0})
		c.items = append(c.items, remedyItems(f.Remedies, 1)...)
		if row := evidenceRow(f.Evidence, th); row != nil {
			c.items = append(c.items, cardItem{row: row, need: 3})
		}
		if len(f.Dont) > 0 {
			c.items = append(c.items, cardItem{label: "not", text: strings.Join(f.Dont, "; "), need: 4})
		}
	}
	if u := rep.Undetermined; u != nil {
		if rep.State == nil {
			c.items = append(c.items, cardItem{label: "why", text: u.Why, tone: toneStrong, need: 0})
		}
		if len(u.Missing) > 0 {
			c.items = append(c.items, cardItem{label: "needs", text: strings.Join(u.Missing, ", "), need: 2})
		}
	}
	if job := sc.job(); job != nil && len(job.Exceptions) > 0 && rep.Severity == diagnose.Critical {
		e := job.Exceptions[0]
		c.items = append(c.items, cardItem{label: "error", text: e.Root, need: 2})
	}
	c.items = append(c.items, alsoItems(rep, th)...)
	return c.withBasis(rep)
}

// withBasis adds the row that tells what the verdict stands on.
func (c card) withBasis(rep *diagnose.Report) card {
	fine, unknown := 0, 0
	for _, f := range rep.Checks {
		switch f.Verdict {
		case diagnose.Fine:
			fine++
		case diagnose.Unknown:
			unknown++
		case diagnose.Firing, diagnose.NotApplicable:
		}
	}
	d := rep.Data
	text := fmt.Sprintf("%d of %s known, watched for %s", d.SubtasksKnown, plural(d.SubtasksTotal, "subtask"),
		longDuration(d.Observed))
	if fine+unknown > 0 {
		text += fmt.Sprintf("; %s fine, %d could not tell", plural(fine, "check"), unknown)
	}
	c.items = append(c.items, cardItem{label: "data", text: text, tone: toneDim, need: 7})
	return c
}

func severityTones(s diagnose.Severity, rule string) (edge, fill tone) {
	switch s {
	case diagnose.OK:
		if rule == "healthy" {
			return toneFine, toneFine
		}
		return toneDim, toneStrong
	case diagnose.Warning:
		return toneWarn, toneNotice
	case diagnose.Critical:
		return toneCulprit, toneCulpritFill
	case diagnose.UnknownSeverity:
	}
	return toneUnknown, toneStrong
}

func evidenceRow(all []diagnose.Evidence, th *Theme) line {
	var parts []string
	for _, e := range all {
		parts = append(parts, e.Label+" "+e.Text())
	}
	if len(parts) == 0 {
		return nil
	}
	return line{say(tonePlain, strings.Join(parts, " "+th.bullet+" "))}
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
