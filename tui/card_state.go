package tui

import (
	"fmt"
	"strings"

	"culprit/diagnose"
)

// stateCard says how the whole job is when nobody is named.
func stateCard(sc *scene, rep *diagnose.Report, th *Theme) card {
	c := card{word: "UNDETERMINED", tone: toneUnknown, fill: toneStrong, keys: true}
	if f := rep.Lead(); f != nil {
		c.word, c.name, c.prose = capitals(f.Rule), f.Title, true
		c.tone, c.fill = severityTones(f.Severity, f.Rule)
		why := beyond(first(f.Why, f.Summary, f.Title), f.Title)
		c.items = append(c.items, cardItem{label: "why", text: why, tone: toneStrong, need: needWhy})
		c.items = append(c.items, remedyItems(f.Remedies)...)
		c.items = append(c.items, factItem(f.Evidence, needNumbers)...)
		if len(f.Dont) > 0 {
			c.items = append(c.items, cardItem{label: "not", text: strings.Join(f.Dont, "; "), need: needNot})
		}
	}
	if u := rep.Undetermined; u != nil {
		if rep.State == nil {
			c.items = append(c.items, cardItem{label: "why", text: u.Why, tone: toneStrong, need: needWhy})
		}
		if len(u.Missing) > 0 {
			c.items = append(c.items, cardItem{label: "needs", text: strings.Join(u.Missing, ", "), need: needNumbers})
		}
	}
	c.items = append(c.items, exceptionItem(sc, rep)...)
	c.items = append(c.items, alsoItems(rep, th)...)
	return c.withBasis(rep)
}

// beyond is what a sentence says after the words that the title has said already.
func beyond(text, title string) string {
	rest, ok := strings.CutPrefix(text, title)
	if rest = strings.TrimLeft(rest, ",:; "); !ok || rest == "" {
		return text
	}
	return rest
}

// exceptionItem is the newest exception of a job that is in trouble, where the verdict does not quote it.
func exceptionItem(sc *scene, rep *diagnose.Report) []cardItem {
	job := sc.job()
	if job == nil || len(job.Exceptions) == 0 || rep.Severity != diagnose.Critical {
		return nil
	}
	root := job.Exceptions[0].Root
	if strings.Contains(rep.Headline, root) {
		return nil
	}
	return []cardItem{{label: "error", text: root, need: needNumbers}}
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
	text := basisOf(rep.Data)
	if fine > 0 {
		text += fmt.Sprintf("; %s fine", plural(fine, "check"))
	}
	if unknown > 0 {
		text += fmt.Sprintf("; %s could not tell", plural(unknown, "check"))
	}
	c.items = append(c.items, cardItem{label: "data", text: text, tone: toneDim, need: needMore})
	return c
}

// basisOf tells what data a report stands on.
func basisOf(d diagnose.DataQuality) string {
	return fmt.Sprintf("%d of %s known, watched for %s", d.SubtasksKnown, plural(d.SubtasksTotal, "subtask"),
		diagnose.FormatDuration(d.Observed))
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

// factItem are the numbers behind a verdict; a narrow card has the first of them.
func factItem(all []diagnose.Evidence, rank need) []cardItem {
	if len(all) == 0 {
		return nil
	}
	facts := make([]string, len(all))
	for i := range all {
		facts[i] = all[i].Label + " " + all[i].Text()
	}
	return []cardItem{{label: "fact", text: strings.Join(facts, "; "), short: facts[0], need: rank}}
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
