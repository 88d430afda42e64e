package tui

import (
	"strings"

	"culprit/diagnose"
)

// pageFolio is the manual page of a rule; nil where there is none, as for what is no rule.
func pageFolio(rule string) *folio {
	text, err := diagnose.Page(rule)
	if err != nil {
		return nil
	}
	return &folio{write: func(_ *scene, p *paper) { p.page(text) }}
}

// page writes Markdown as the pages of rules use it: headings, paragraphs, and lists.
func (p *paper) page(text string) {
	var block []string // of one paragraph or item
	flush := func() {
		body := strings.Join(block, " ")
		block = nil
		switch rest, isItem := strings.CutPrefix(body, "- "); {
		case body == "":
		case isItem:
			p.entry(line{say(toneDim, "  "+p.th.bullet)}, 4, tonePlain, rest)
		default:
			p.entry(nil, 2, tonePlain, body)
		}
	}
	for row := range strings.Lines(text) {
		row = strings.TrimRight(row, "\n ")
		title, isHeading := strings.CutPrefix(strings.TrimLeft(row, "#"), " ")
		switch {
		case strings.HasPrefix(row, "#") && isHeading:
			flush()
			p.heading(title)
		case row == "" || row == "---":
			flush()
		case strings.HasPrefix(row, "- "):
			flush()
			block = []string{row}
		default:
			block = append(block, strings.TrimSpace(row))
		}
	}
	flush()
}
