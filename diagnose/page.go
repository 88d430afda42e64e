package diagnose

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
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
	all := Rules()
	i := slices.IndexFunc(all, func(r Rule) bool {
		return strings.EqualFold(r.Name, rule) || strings.EqualFold(r.ID, rule)
	})
	if i < 0 {
		return "", fmt.Errorf("no rule is called %q; `culprit explain` lists them", rule)
	}
	text, err := pages.ReadFile("pages/" + all[i].Name + ".md")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf(
			"the rule %s has no page; this is a defect of the program, please report it",
			all[i].Name,
		)
	case err != nil:
		return "", fmt.Errorf("read the page of %s: %w", all[i].Name, err)
	}
	title, rest, _ := strings.Cut(string(text), "\n")
	var facts strings.Builder
	fmt.Fprintf(&facts, "\n%s, asked %s.", all[i].ID, all[i].Stage)
	if len(all[i].Needs) > 0 {
		names := make([]string, len(all[i].Needs))
		for k, s := range all[i].Needs {
			names[k] = s.String()
		}
		fmt.Fprintf(&facts, " It reads %s.", strings.Join(names, ", "))
	}
	return title + "\n" + strings.TrimRight(rest, "\n") + "\n\n---\n" + facts.String() + "\n", nil
}
