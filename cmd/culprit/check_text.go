package main

import (
	"fmt"
	"io"
	"strings"

	"culprit/diagnose"
)

// printer returns what writes an outcome in a format; its error carries the exit code.
func printer(format string) (func(io.Writer, *outcome) error, error) {
	switch format {
	case "text":
		return printText, nil
	case "json":
		return printJSON, nil
	case "markdown":
		return printMarkdown, nil
	}
	return nil, fmt.Errorf("--format %q is not known: give text, json or markdown", format)
}

// printText writes the verdict by the convention of monitoring plugins: the severity first, performance
// data last.
func printText(w io.Writer, o *outcome) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", strings.ToUpper(o.severity().String()), o.headline())
	if o.err == nil {
		for _, r := range o.reports {
			b.WriteString("\n" + r.Text())
		}
		b.WriteString("\n")
	}
	b.WriteString(o.performance() + "\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write the verdict: %w", err)
	}
	return o.exit()
}

// headline is the first line: the worst job's and the silenced rules, or what failed.
func (o *outcome) headline() string {
	if o.err != nil {
		return o.err.Error()
	}
	var worst *diagnose.Report
	for _, r := range o.reports {
		if worst == nil || worst.Severity.Worse(r.Severity) != worst.Severity {
			worst = r
		}
	}
	text := worst.Headline
	if len(o.reports) > 1 {
		text = fmt.Sprintf("%s: %s (worst of %d jobs)", worst.Job.Name, text, len(o.reports))
	}
	if silenced := diagnose.SilencedText(o.reports...); silenced != "" {
		text += " (silenced: " + silenced + ")"
	}
	return text
}

// performance is the performance data of monitoring plugins: numbers that can be drawn over time.
func (o *outcome) performance() string {
	culprits, known, total := 0, 0, 0
	for _, r := range o.reports {
		culprits += len(r.Culprits)
		known += r.Data.SubtasksKnown
		total += r.Data.SubtasksTotal
	}
	return fmt.Sprintf("| culprits=%d subtasks_known=%d;;;0;%d requests=%dc bytes=%dB",
		culprits, known, total, o.cost.Requests, o.cost.Bytes)
}

// printMarkdown writes the verdict for a ticket or a chat.
func printMarkdown(w io.Writer, o *outcome) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s: %s\n", o.severity(), markdown(o.headline()))
	if o.err == nil {
		for _, r := range o.reports {
			markdownReport(&b, r)
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write the verdict: %w", err)
	}
	return o.exit()
}

// markdown escapes what Markdown would act upon in text of a cluster.
func markdown(text string) string {
	return strings.NewReplacer(
		`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "#", `\#`,
	).Replace(text)
}
