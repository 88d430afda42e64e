package diagnose

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed pages
var pages embed.FS

// sections are the headings of every page, in order.
func sections() []string {
	return []string{
		"Why", "How it is measured", "Confirm by hand", "Fix", "False alarms", "Sources",
	}
}

// Page is the manual page of a rule in Markdown: what it means, why, how it is measured, how to confirm it by
// hand, how to fix it, its false alarms and its sources. The rule may be given by its name or by its code.
func Page(rule string) (string, error) {
	found, ok := RuleNamed(rule)
	if !ok {
		return "", fmt.Errorf("no rule is called %q; `culprit explain` lists them", rule)
	}
	text, err := pages.ReadFile("pages/" + found.Name + ".md")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf(
			"the rule %s has no page; this is a defect of the program, please report it",
			found.Name,
		)
	case err != nil:
		return "", fmt.Errorf("read the page of %s: %w", found.Name, err)
	}
	title, rest, _ := strings.Cut(string(text), "\n")
	var facts strings.Builder
	fmt.Fprintf(&facts, "\n%s, asked %s.", found.ID, found.Stage)
	if len(found.Needs) > 0 {
		names := make([]string, len(found.Needs))
		for k, s := range found.Needs {
			names[k] = s.String()
		}
		fmt.Fprintf(&facts, " It reads %s.", strings.Join(names, ", "))
	}
	return title + "\n" + strings.TrimRight(rest, "\n") + "\n\n---\n" + facts.String() + "\n", nil
}
