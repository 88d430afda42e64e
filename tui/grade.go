package tui

import (
	"fmt"
	"strings"

	"culprit/diagnose"
)

// grade is how a culprit is shown: words that hold any doubt about it, and tones by how grave it is.
type grade struct {
	// kind is what the word CULPRIT has before it, such as PROBABLE; empty for a firm one.
	kind string
	// word is what its vertex is called.
	word string
	// edge is of borders and signs, name of its name on the graph, fill of the word on the card.
	edge, name, fill tone
}

// gradeOf grades a culprit. Red is for what is critical: one that only sets the pace of a job that catches up
// is never red.
func gradeOf(c *diagnose.Culprit) grade {
	out := grade{word: string(diagnose.RoleCulprit)}
	out.edge, out.fill = severityTones(c.Severity, "")
	switch {
	case c.Pattern == diagnose.CatchingUp:
		out.kind, out.word = catchingUp, "sets pace"
		if c.Severity == diagnose.Critical {
			out.edge, out.fill = severityTones(diagnose.Warning, "")
		}
	case c.Confidence == diagnose.Probable:
		out.kind, out.word = "PROBABLE", string(diagnose.Probable)
	case c.Pattern == diagnose.Periodic, c.Pattern == diagnose.Momentary:
		out.kind = capitals(string(c.Pattern))
	}
	if out.name = out.fill; out.edge == toneDim {
		out.edge = toneStrong // a sign that is to be found
	}
	return out
}

// firmGrade is that of a firm and critical culprit.
func firmGrade() grade {
	return gradeOf(&diagnose.Culprit{Confidence: diagnose.Firm, Severity: diagnose.Critical})
}

// catchingUp is the word for a job that works off its backlog: nobody is to blame for that.
const catchingUp = "CATCHING UP"

// title is the word on the card for all culprits of a report. What not all of them are stands in no word.
func (g grade) title(all []diagnose.Culprit) string {
	kind := g.kind
	for i := range all {
		if gradeOf(&all[i]).kind != kind {
			kind = ""
		}
	}
	switch n := len(all); {
	case kind == catchingUp:
		return kind
	case n > 1:
		return strings.TrimSpace(fmt.Sprintf("%d %s", n, strings.TrimSpace(kind+" CULPRITS")))
	}
	return strings.TrimSpace(kind + " CULPRIT")
}

// large is the title in few letters, for where each takes much room.
func (g grade) large(title string) string {
	if word, ok := strings.CutSuffix(title, " CULPRIT"); ok && word == g.kind {
		return word
	}
	return title
}
