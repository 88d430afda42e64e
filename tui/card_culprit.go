package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"culprit/diagnose"
	"culprit/flinkapi"
)

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
		{label: "why", text: detail, need: needWhy},
		{label: "fix", text: hint, tone: toneStrong, need: needFix},
		{label: "now", text: sc.nextTry() + "; no answer for " + age(sc.now.Sub(sc.link.since)), need: needNumbers},
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
	g, all := gradeOf(first), sc.report.Culprits
	c := card{word: g.title(all), tone: g.edge, fill: g.fill, name: first.Vertex.Name, keys: true}
	c.large = g.large(c.word)
	// The title is about who it is alone, and how sure that is. Why it is slow has a row of its own, and a doubt
	// of its own: beside each other they would read as a contradiction. What the word says stands in no mark.
	said := func(word string) bool { return strings.Contains(c.word, capitals(word)) }
	if first.Confidence == diagnose.Probable && !said(string(diagnose.Probable)) {
		c.marks, c.doubts = []string{string(diagnose.Probable)}, 1
	}
	for i := range all[1:] {
		c.others = append(c.others, all[1+i].Vertex.Name)
	}
	if op := first.Operator; op != "" && op != first.Vertex.Name {
		c.name, c.brief = op+" in "+c.name, op
	}
	if !first.Since.IsZero() {
		c.marks = append(c.marks, lastingText(first, sc.report.DataAt()))
	}
	timed := first.Pattern == diagnose.Chronic && !first.Since.IsZero() // it stands before how long
	if pattern := string(first.Pattern); !said(pattern) && !timed {
		c.marks = append(c.marks, pattern)
	}
	c.items = []cardItem{
		{label: "load", row: numbersOf(sc, first), need: needNumbers},
		{label: "why", text: reasonText(&first.Reason), tone: toneStrong, need: needWhy},
	}
	c.items = append(c.items, remedyItems(first.Remedies)...)
	c.items = append(c.items, dontItem(first)...)
	c.items = append(c.items, otherItems(all[1:], th)...)
	c.items = append(c.items, alsoItems(sc.report, th)...)
	c.items = append(c.items, factItem(beyondLoad(first.Evidence), needMore)...)
	return c.withBasis(sc.report)
}

// reasonText is the reason by its name, with "perhaps" while it is not sure, and what it says; of one that is
// not known the latter alone.
func reasonText(r *diagnose.Reason) string {
	if !r.Known() {
		return r.Summary
	}
	return r.String()
}

// mostOthers is how many culprits beside the first get a row; a last row counts the rest.
const mostOthers = 2

func otherItems(others []diagnose.Culprit, th *Theme) []cardItem {
	var out []cardItem
	for i := range others {
		if i == mostOthers {
			rest := fmt.Sprintf("%d more, see the evidence", len(others)-i)
			return append(out, cardItem{label: "also", row: []line{{say(toneStrong, rest)}}, need: needMore})
		}
		c := &others[i]
		other := cardItem{
			label: "also", row: []line{otherCulprit(c, th)}, short: c.Vertex.Name + ": " + c.Reason.Name,
			need: needOthers,
		}
		if fixes := c.Remedies; len(fixes) > 0 {
			other.short += "; " + brief(fixes[0].Do)
			text := fixes[0].Do + fixes[0].Change()
			out = append(out, other, cardItem{label: "  fix", text: text, tone: toneStrong, need: needOtherFix})
			continue
		}
		out = append(out, other)
	}
	return out
}

// brief is the first few words of a verb phrase: what to do, without the how and the unless.
func brief(do string) string {
	if i := strings.IndexAny(do, ",;:("); i > 0 {
		do = do[:i]
	}
	return strings.TrimSpace(do)
}

func otherCulprit(c *diagnose.Culprit, th *Theme) line {
	g := gradeOf(c)
	word := g.title([]diagnose.Culprit{*c})
	if c.Confidence == diagnose.Probable && !strings.Contains(word, capitals(string(c.Confidence))) {
		word += ", " + string(c.Confidence)
	}
	return line{
		say(g.edge, th.culprit+" "+word+" "), say(toneStrong, chain(c.Vertex.Name, 40, &th.glyphs)),
		say(tonePlain, "  "+reasonText(&c.Reason)),
	}
}

// remedyItems shows the first remedy in full and names the second.
func remedyItems(remedies []diagnose.Remedy) []cardItem {
	var out []cardItem
	for i, rem := range remedies {
		if i == 2 {
			break
		}
		text := rem.Do + rem.Change()
		label, t, rank := "fix", toneStrong, needFix
		if i > 0 {
			label, t, rank = "or", tonePlain, needMore
		}
		out = append(out, cardItem{label: label, text: text, tone: t, need: rank})
		if i == 0 && rem.Gain+rem.Risk != "" {
			out = append(out, cardItem{label: "gain", text: gain(rem), need: needGain})
		}
	}
	return out
}

func gain(rem diagnose.Remedy) string {
	if rem.Risk == "" || rem.Risk == "none" {
		return rem.Gain
	}
	if rem.Gain == "" {
		return "risk: " + rem.Risk
	}
	return rem.Gain + "; risk: " + rem.Risk
}

func dontItem(c *diagnose.Culprit) []cardItem {
	if len(c.Dont) > 0 {
		return []cardItem{{label: "not", text: strings.Join(c.Dont, "; "), need: needNot}}
	}
	if len(c.Victims) == 0 {
		return nil
	}
	names := make([]string, len(c.Victims))
	for i, v := range c.Victims {
		names[i] = v.Vertex.Name
	}
	text := strings.Join(names, ", ") + ": held back by it, not slow by themselves"
	return []cardItem{{label: "not", text: text, need: needNot}}
}

// alsoItems shows the findings beside the verdict: what warns of something, a restart that is over, what is
// good to know, with what helps, and which rules are silenced.
func alsoItems(rep *diagnose.Report, th *Theme) []cardItem {
	var out []cardItem
	lead := rep.Lead()
	for i := range rep.Also {
		f := &rep.Also[i]
		if f.Rule == restarted && f.Severity == diagnose.OK {
			out = append(out, cardItem{label: "also", text: f.Summary, need: needRisk})
			continue
		}
		held := f.Consequence && !strings.HasPrefix(f.Code, checkpointCodes)
		if f == lead || held {
			continue
		}
		text := first(f.Summary, f.Title)
		if f.Severity == diagnose.OK || f.Severity == diagnose.UnknownSeverity {
			out = append(out, cardItem{label: "also", text: text, need: needMore})
			out = append(out, worth(f)...)
			continue
		}
		row := []line{{say(toneWarn, th.warn+" "), say(tonePlain, text)}}
		out = append(out, cardItem{label: "risk", row: row, need: needRisk})
	}
	if text := diagnose.SilencedText(rep); text != "" {
		out = append(out, cardItem{label: "also", text: "silenced: " + text, need: needRisk})
	}
	return out
}

// worth is the first of what helps where a finding is good to know and no trouble.
func worth(f *diagnose.Finding) []cardItem {
	if len(f.Remedies) == 0 {
		return nil
	}
	return []cardItem{{label: "tip", text: f.Remedies[0].Do, need: needMore}}
}

// checkpointCodes begins the codes of the rules about checkpoints: what they say is at risk also where the
// culprit is the cause.
const checkpointCodes = "FD05"

// restarted is the rule that tells of a restart of a job that runs again.
const restarted = "restarted"

// numbersOf are the numbers of a culprit, the most telling first.
func numbersOf(sc *scene, c *diagnose.Culprit) []line {
	var state diagnose.VertexState
	for _, v := range sc.report.Vertices {
		if v.Vertex.ID == c.Vertex.ID {
			state = v
		}
	}
	busy := "busy " + diagnose.FormatRatio(state.Busy)
	if n := len(c.Subtasks); n > 0 && c.Parallelism > 0 {
		busy += fmt.Sprintf(" in %d of %s", n, plural(c.Parallelism, "subtask"))
	}
	out := []line{
		{say(busyTone(vertexView{state: state, grade: gradeOf(c)}), busy)},
		{say(toneBack, "backpressured at most "+diagnose.FormatRatio(state.Backpressured))},
	}
	out = append(out, line{say(tonePlain, records(state))})
	for _, e := range c.Evidence {
		if e.Signal == cpuPerBusy {
			out = append(out, line{say(tonePlain, "CPU "+e.Text()+" per busy subtask")})
		}
	}
	return out
}

// beyondLoad is the evidence that the row of the load and the graph do not show.
func beyondLoad(all []diagnose.Evidence) []diagnose.Evidence {
	return slices.DeleteFunc(slices.Clone(all), func(e diagnose.Evidence) bool {
		return e.Signal == cpuPerBusy || e.Label == "busy" || strings.HasPrefix(e.Label, "busy,") ||
			strings.HasPrefix(e.Label, "backpressured")
	})
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
