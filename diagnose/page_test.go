package diagnose

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// Every rule has a page with every section, in order, and no section is empty.
func TestEveryRuleHasItsPage(t *testing.T) {
	t.Parallel()
	for _, r := range Rules() {
		text, err := Page(r.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		title, body, _ := strings.Cut(text, "\n")
		if title != "# "+r.Name {
			t.Errorf("the page of %s begins with %q", r.Name, title)
		}
		parts := strings.Split(body, "\n## ")
		if strings.TrimSpace(parts[0]) == "" {
			t.Errorf("the page of %s does not say what a hit means", r.Name)
		}
		var headings []string
		for _, part := range parts[1:] {
			heading, content, _ := strings.Cut(part, "\n")
			headings = append(headings, heading)
			if strings.TrimSpace(content) == "" {
				t.Errorf("the page of %s says nothing under %q", r.Name, heading)
			}
		}
		if !slices.Equal(headings, sections()) {
			t.Errorf("the page of %s has the sections %q", r.Name, headings)
		}
		byCode, err := Page(strings.ToLower(r.ID))
		if err != nil || byCode != text {
			t.Errorf("%s does not lead to the page of %s: %v", r.ID, r.Name, err)
		}
	}
}

func TestEveryPageBelongsToARule(t *testing.T) {
	t.Parallel()
	files, err := fs.ReadDir(pages, "pages")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".md")
		if !slices.ContainsFunc(Rules(), func(r Rule) bool { return r.Name == name }) {
			t.Errorf("%s is about no rule", f.Name())
		}
	}
	if _, err := Page("nosuch"); err == nil {
		t.Error("a rule that does not exist has a page")
	}
}
