package config

import (
	_ "embed"
	"fmt"
	"strings"

	"culprit/diagnose"
	"culprit/tui"
)

//go:embed example.yaml
var exampleHead string

// Example returns a file with every key, most of them in comments, and what each is for.
func Example() string {
	var b strings.Builder
	b.WriteString(exampleHead)
	b.WriteString("\n# Colours, one of:\n")
	for _, t := range tui.Themes() {
		fmt.Fprintf(&b, "#   %-14s %s\n", t.Name, t.Does)
	}
	fmt.Fprintf(&b, "theme: %s\n", tui.ThemeAuto)
	b.WriteString("\n# Other keys for some actions, one key or a list. These are the keys as they are.\n")
	b.WriteString("# keys:\n")
	for _, a := range tui.Actions() {
		if a.ID == tui.ActionAbort {
			continue
		}
		keys := make([]string, len(a.Binding.Keys()))
		for i, k := range a.Binding.Keys() {
			keys[i] = `"` + strings.ReplaceAll(k, " ", "space") + `"`
		}
		fmt.Fprintf(&b, "#   %s: [%s] # %s\n", a.ID, strings.Join(keys, ", "), a.Does)
	}
	b.WriteString("\n# Thresholds of the diagnosis for all contexts. These are the values as they are.\n")
	b.WriteString("# thresholds:\n")
	for _, t := range diagnose.Thresholds() {
		fmt.Fprintf(&b, "#   %s: %s # %s\n", t.Name, t.Default, t.Means)
	}
	return b.String()
}
