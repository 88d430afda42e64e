package lab

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// Result is one line of the lab's table.
type Result struct {
	Version  string `json:"version"`
	Scenario string `json:"scenario"`
	Expected string `json:"expected"`
	Seen     string `json:"seen"`
	// First and Firm are the seconds until the first and until the firm verdict; nil for never.
	First *float64 `json:"firstVerdictSeconds"`
	Firm  *float64 `json:"firmVerdictSeconds"`
	// Tries is 2 where the first try was wrong.
	Tries int  `json:"tries"`
	OK    bool `json:"ok"`
}

// AllOK tells whether no line is wrong.
func AllOK(results []Result) bool {
	for _, r := range results {
		if !r.OK {
			return false
		}
	}
	return len(results) > 0
}

func header() []string {
	return []string{"flink", "scenario", "expected", "seen", "first", "firm", "tries", "ok"}
}

func (r Result) cells() []string {
	ok := "ok"
	if !r.OK {
		ok = "WRONG"
	}
	return []string{
		r.Version, r.Scenario, r.Expected, r.Seen, seconds(r.First), seconds(r.Firm), fmt.Sprint(r.Tries), ok,
	}
}

func seconds(s *float64) string {
	if s == nil {
		return "-"
	}
	return fmt.Sprintf("%.3g s", *s)
}

func (r Result) line() string { return strings.Join(r.cells(), "  ") }

// Table lays the results out for a terminal.
func Table(results []Result) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	line := func(cells []string) { _, _ = fmt.Fprintln(w, strings.Join(cells, "\t")) } // it goes to memory
	line(header())
	for _, r := range results {
		line(r.cells())
	}
	_ = w.Flush() // it goes to memory
	return text.String()
}

// Markdown lays the results out as a Markdown table, with the number of second tries below it.
func Markdown(results []Result) string {
	var text strings.Builder
	row := func(cells []string) { fmt.Fprintf(&text, "| %s |\n", strings.Join(cells, " | ")) }
	row(header())
	text.WriteString(strings.Repeat("|---", len(header())) + "|\n")
	second := 0
	for _, r := range results {
		cells := r.cells()
		for i := range cells {
			cells[i] = strings.ReplaceAll(cells[i], "|", `\|`)
		}
		row(cells)
		if r.Tries > 1 {
			second++
		}
	}
	fmt.Fprintf(&text, "\n%d lines, %d of them tried twice.\n", len(results), second)
	return text.String()
}

// WriteResults writes lab.md and lab.json into a folder, which it makes.
func WriteResults(dir string, results []Result) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the folder of the results: %w", err)
	}
	text, err := json.MarshalIndent(results, "", " ")
	if err != nil {
		return fmt.Errorf("encode the results: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "lab.json"), append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "lab.md"), []byte(Markdown(results)), 0o644); err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	return nil
}
