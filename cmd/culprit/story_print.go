package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// storyPrinter returns what writes a story in a format; its error carries the exit code.
func storyPrinter(format string) (func(io.Writer, *story) error, error) {
	switch format {
	case "text":
		return printStory, nil
	case "json":
		return printStoryLines, nil
	case "markdown":
		return printPostMortem, nil
	}
	return nil, fmt.Errorf("--format %q is not known: give text, json or markdown", format)
}

func (s *story) clock(at time.Time) string { return at.In(s.zone).Format(time.TimeOnly) }

func (s *story) of() string {
	parts := []string{"recorded " + s.from.In(s.zone).Format(dayTime) + " to " + s.to.In(s.zone).Format(dayTime)}
	if s.target != "" {
		parts = append(parts, s.target)
	}
	if s.flink != "" {
		parts = append(parts, "Flink "+s.flink)
	}
	return strings.Join(append(parts, diagnose.FormatThings(s.looks, "looks")), ", ")
}

// printStory writes the time line, then the verdict that it is about.
func printStory(w io.Writer, s *story) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n%s\n", strings.ToUpper(s.severity().String()), s.headline(), s.of())
	for _, note := range s.notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	for _, j := range s.jobs {
		fmt.Fprintf(&b, "\n%s\n", j.name)
		for _, v := range j.verdicts {
			fmt.Fprintf(&b, "  %s  %-8s  %-8s  %s\n", s.clock(v.at), v.severity(), v.firmness(), v.headline())
		}
		for _, e := range s.happened(j) {
			fmt.Fprintf(&b, "  %s  happened  %s\n", s.clock(e.at), e.what)
		}
		b.WriteString("\n" + j.told().Text())
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write the verdicts: %w", err)
	}
	return s.exit()
}

// jsonMoment is a line of `check --replay --format json`: a change of the verdict.
type jsonMoment struct {
	At string `json:"at"`
	jsonCheck
}

// printStoryLines writes one JSON object a line for each change of a verdict, in order.
func printStoryLines(w io.Writer, s *story) error {
	var all []verdict
	for _, j := range s.jobs {
		all = append(all, j.verdicts...)
	}
	slices.SortStableFunc(all, func(a, b verdict) int { return a.at.Compare(b.at) })
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, v := range all {
		if err := encoder.Encode(jsonMoment{v.at.UTC().Format(time.RFC3339Nano), v.json()}); err != nil {
			return fmt.Errorf("write the verdicts: %w", err)
		}
	}
	return s.exit()
}

// json is a verdict as check tells it; of a time without answers the job is as it was seen last.
func (v *verdict) json() jsonCheck {
	cost := flinkapi.Cost{Requests: v.report.Data.Requests, Bytes: v.report.Data.Bytes}
	o := outcome{cost: cost, err: v.err}
	out := o.jsonReport(v.report)
	if v.err != nil {
		job := out.Job
		out = jsonFailure(&o)
		out.Job = job
	}
	return out
}

// printPostMortem writes a page about the incident.
func printPostMortem(w io.Writer, s *story) error {
	if _, err := io.WriteString(w, s.page()); err != nil {
		return fmt.Errorf("write the verdicts: %w", err)
	}
	return s.exit()
}

// page is a page about the incident, in Markdown.
func (s *story) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n%s\n", s.severity(), markdown(s.headline()), markdown(s.of()))
	for _, note := range s.notes {
		fmt.Fprintf(&b, "\n> %s\n", markdown(note))
	}
	for _, j := range s.jobs {
		fmt.Fprintf(&b, "\n## %s\n", markdown(j.name))
		s.timeLine(&b, j)
		s.pictures(&b, j)
		b.WriteString("\n### Culprit, reason, evidence\n")
		fmt.Fprintf(&b, "\nAt %s.\n", s.clock(j.told().At))
		markdownReport(&b, j.told())
		s.checkpoints(&b, j)
		b.WriteString("\n### What happened and what was done\n\n")
		events := s.happened(j)
		for _, e := range events {
			fmt.Fprintf(&b, "- %s %s\n", s.clock(e.at), markdown(e.what))
		}
		if len(events) == 0 {
			b.WriteString("Nothing: no restart, rescale, exception or change of the job's state.\n")
		}
	}
	return b.String()
}

func (s *story) timeLine(b *strings.Builder, j *jobStory) {
	b.WriteString("\n### Time line\n\n| from | severity | | verdict |\n|---|---|---|---|\n")
	for _, v := range j.verdicts {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", s.clock(v.at), v.severity(), v.firmness(), markdown(v.headline()))
	}
}

// pictures draws the largest shares over all subtasks, a column for a part of the time.
func (s *story) pictures(b *strings.Builder, j *jobStory) {
	const columns = 72
	rows := []struct {
		label string
		of    func(point) flinkapi.Value
	}{
		{"backpressured", func(p point) flinkapi.Value { return p.pressure }},
		{"busy", func(p point) flinkapi.Value { return p.busy }},
	}
	b.WriteString("\n```\n")
	for _, row := range rows {
		fmt.Fprintf(b, "%-14s %s\n", row.label, spark(j.points, s.from, s.to, columns, row.of))
	}
	begin, end := s.clock(s.from), s.clock(s.to)
	fmt.Fprintf(b, "%-14s %s%*s\n```\n", "", begin, columns-len(begin), end)
	b.WriteString("\nThe largest share over all subtasks, from 0 to 100 %; a blank is unknown.\n")
}

// spark draws one character per column: the largest known value in it.
func spark(points []point, from, to time.Time, columns int, of func(point) flinkapi.Value) string {
	cells := make([]flinkapi.Value, columns)
	span := max(to.Sub(from), 1)
	for _, p := range points {
		i := min(max(int(int64(columns)*int64(p.at.Sub(from))/int64(span)), 0), columns-1)
		cells[i] = higher(cells[i], of(p))
	}
	bars := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, v := range cells {
		x, known := v.Float()
		if !known {
			b.WriteByte(' ')
			continue
		}
		last := float64(len(bars) - 1)
		b.WriteRune(bars[int(min(max(x, 0), 1)*last+0.5)])
	}
	return b.String()
}

func (s *story) checkpoints(b *strings.Builder, j *jobStory) {
	b.WriteString("\n### Checkpoints\n\n")
	if len(j.checks) == 0 {
		b.WriteString("None were seen.\n")
		return
	}
	const most = 30
	ids := slices.Sorted(maps.Keys(j.checks))
	if more := len(ids) - most; more > 0 {
		fmt.Fprintf(b, "The last %d of %d.\n\n", most, len(ids))
		ids = ids[more:]
	}
	b.WriteString("| | triggered | status | took | state | acknowledged | failure |\n" +
		"|---:|---|---|---:|---:|---:|---|\n")
	for _, id := range ids {
		c := j.checks[id]
		size := "-"
		if x, known := c.StateBytes.Float(); known {
			size = byteText(int64(x))
		}
		fmt.Fprintf(b, "| %d | %s | %s | %s | %s | %d of %d | %s |\n", id, s.clock(c.TriggeredAt), c.Status,
			diagnose.FormatSpan(c.Duration), size, c.Acked, c.Subtasks, markdown(c.Failure))
	}
}
