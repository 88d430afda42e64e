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

// headline is the first line: the worst job's, or what failed.
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
	if len(o.reports) == 1 {
		return worst.Headline
	}
	return fmt.Sprintf("%s: %s (worst of %d jobs)", worst.Job.Name, worst.Headline, len(o.reports))
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

func markdownReport(b *strings.Builder, r *diagnose.Report) {
	fmt.Fprintf(b, "\n### %s (%s)\n\n%s\n", markdown(r.Job.Name), r.Job.State, markdown(r.Headline))
	for i := range r.Culprits {
		x := &r.Culprits[i]
		fmt.Fprintf(
			b,
			"\n**%s** is the culprit (%s, %s): %s\n\n",
			markdown(x.Vertex.Name),
			x.Confidence,
			x.Reason.Named(),
			markdown(x.Reason.Summary),
		)
		markdownAdvice(b, x.Remedies, x.Dont)
		markdownEvidence(b, x.Evidence)
	}
	if f := r.State; f != nil && len(f.Remedies)+len(f.Dont)+len(f.Evidence) > 0 {
		b.WriteString("\n")
		markdownAdvice(b, f.Remedies, f.Dont)
		markdownEvidence(b, f.Evidence)
	}
	for i := range r.Also {
		f := &r.Also[i]
		fmt.Fprintf(b, "\n**%s** (%s): %s\n\n", f.Rule, f.Severity, markdown(f.Summary))
		markdownAdvice(b, f.Remedies, f.Dont)
		markdownEvidence(b, f.Evidence)
	}
}

// markdownAdvice lists the remedies, each with what it gains, risks and how to take it back.
func markdownAdvice(b *strings.Builder, remedies []diagnose.Remedy, dont []string) {
	for i := range remedies {
		r := &remedies[i]
		fmt.Fprintf(b, "- fix: %s\n", markdown(r.Do+r.Change()))
		for _, more := range [][2]string{{"gain", r.Gain}, {"risk", r.Risk}, {"undo", r.Undo}} {
			if more[1] != "" {
				fmt.Fprintf(b, "  - %s: %s\n", more[0], markdown(more[1]))
			}
		}
		if r.Link != "" {
			fmt.Fprintf(b, "  - see: <%s>\n", r.Link)
		}
	}
	for _, d := range dont {
		fmt.Fprintf(b, "- do not: %s\n", markdown(d))
	}
}

func markdownEvidence(b *strings.Builder, all []diagnose.Evidence) {
	if len(all) == 0 {
		return
	}
	b.WriteString("\n| | number | of | value | age |\n|---|---|---|---:|---:|\n")
	for _, e := range all {
		side := "for"
		if !e.For {
			side = "against"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %.0f s |\n",
			side, e.Label, markdown(e.Subject), e.Text(), e.Age.Seconds())
	}
}

// markdown escapes what Markdown would act upon in text of a cluster.
func markdown(text string) string {
	return strings.NewReplacer(
		`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "#", `\#`,
	).Replace(text)
}
