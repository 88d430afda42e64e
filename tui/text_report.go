package tui

import (
	"strings"

	"culprit/diagnose"
)

// reportText is the verdict as plain text for the clipboard.
func reportText(rep *diagnose.Report) string {
	var b strings.Builder
	b.WriteString(rep.Headline + "\n")
	for _, c := range rep.Culprits {
		b.WriteString("culprit: " + c.Vertex.Name + " (" + c.Reason.Name + ", " + string(c.Confidence) + ")\n")
		b.WriteString("why: " + c.Reason.Summary + "\n")
		for _, r := range c.Remedies {
			b.WriteString("fix: " + r.Do + setting(r) + "\n")
		}
	}
	return b.String()
}
