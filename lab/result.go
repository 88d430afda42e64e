package lab

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"culprit/lab/rest"
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
	// Date is the day of the check in UTC, such as 2026-11-29.
	Date string `json:"date,omitempty"`
	// Grade tells what of culprit's verdict is right; nil for a fault, and where culprit was not asked.
	Grade *Grade `json:"grade,omitempty"`
	// Named are the vertices that culprit named.
	Named []string `json:"named,omitempty"`
	// Screen is what Flink's web UI showed when the check ended; nil where it was not asked for.
	Screen rest.Screen `json:"screen,omitempty"`
	// Before is what was wrongly said in an earlier run that this one was joined with; empty for nothing.
	Before string `json:"before,omitempty"`
	// Cores is how much CPU the TaskManager of a lone scenario got; nil for others.
	Cores *float64 `json:"cores,omitempty"`
	// Replay is how the recordings of all its checks were told anew; nil where nothing was recorded.
	Replay *Replay `json:"replay,omitempty"`
}

// AllOK tells whether no line is wrong, and every recording told what was told live.
func AllOK(results []Result) bool {
	for _, r := range results {
		if !r.OK || r.Replay.differs() {
			return false
		}
	}
	return len(results) > 0
}

func header() []string {
	return []string{"flink", "scenario", "expected", "seen", "first", "firm", "tries", "ok", "replay"}
}

func (r Result) cells() []string {
	ok := "ok"
	if !r.OK {
		ok = "WRONG"
	}
	seen := r.Seen
	if r.Cores != nil {
		seen += fmt.Sprintf("; TaskManager used %.2f core", *r.Cores)
	}
	return []string{
		r.Version, r.Scenario, r.Expected, seen, seconds(r.First), seconds(r.Firm), fmt.Sprint(r.Tries), ok,
		r.Replay.String(),
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
	rows := make([][]string, len(results))
	second := 0
	for i, r := range results {
		rows[i] = r.cells()
		if r.Tries > 1 {
			second++
		}
	}
	return markdownTable(header(), rows) +
		fmt.Sprintf("\n%d lines, %d of them tried twice.\n", len(results), second)
}

func markdownTable(header []string, rows [][]string) string {
	var text strings.Builder
	line := func(cells []string) { fmt.Fprintf(&text, "| %s |\n", strings.Join(cells, " | ")) }
	line(header)
	text.WriteString(strings.Repeat("|---", len(header)) + "|\n")
	for _, cells := range rows {
		safe := make([]string, len(cells))
		for i, cell := range cells {
			safe[i] = strings.ReplaceAll(cell, "|", `\|`)
		}
		line(safe)
	}
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

// ReadResults reads the lab.json files of earlier runs. Of several results of one scenario and version the
// last one counts.
func ReadResults(files []string) ([]Result, error) {
	var results []Result
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read results: %w", err)
		}
		var found []Result
		if err = json.Unmarshal(text, &found); err != nil {
			return nil, fmt.Errorf("read results of %s: %w", file, err)
		}
		for _, r := range found {
			same := func(o Result) bool { return o.Scenario == r.Scenario && o.Version == r.Version }
			if i := slices.IndexFunc(results, same); i >= 0 {
				if r.Before = results[i].Before; !results[i].OK {
					r.Before = results[i].Seen
				}
				results = slices.Delete(results, i, i+1)
			}
			results = append(results, r)
		}
	}
	return results, nil
}
