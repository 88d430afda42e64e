package main

import (
	"fmt"
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// markdownReport writes all that the text and the JSON of a report have, for a page that is kept.
func markdownReport(b *strings.Builder, r *diagnose.Report) {
	fmt.Fprintf(b, "\n### %s (%s)\n\n%s\n", markdown(r.Job.Name), r.Job.State, markdown(r.Headline))
	for _, s := range r.Sections() {
		if s.Title != "" {
			fmt.Fprintf(b, "\n%s **%s**%s\n", s.Kind, markdown(s.Title), markdown(s.More))
		}
		if len(s.Facts) > 0 {
			b.WriteString("\n")
		}
		markdownFacts(b, "", s.Facts)
		markdownEvidence(b, s.Evidence)
	}
	markdownLadders(b, r)
	markdownVertices(b, r.Vertices)
	markdownData(b, r)
}

func markdownFacts(b *strings.Builder, indent string, all []diagnose.Fact) {
	for _, f := range all {
		if strings.HasPrefix(f.Text, "https://") {
			fmt.Fprintf(b, "%s- %s: <%s>\n", indent, f.Label, f.Text)
		} else {
			fmt.Fprintf(b, "%s- %s: %s\n", indent, f.Label, markdown(f.Text))
		}
		markdownFacts(b, indent+"  ", f.More)
	}
}

func markdownEvidence(b *strings.Builder, all []diagnose.Evidence) {
	if len(all) == 0 {
		return
	}
	b.WriteString("\n| | number | of | value | age | |\n|---|---|---|---:|---:|---|\n")
	for i := range all {
		e := &all[i]
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", e.Side(), markdown(e.Label), markdown(e.Subject),
			markdown(e.Text()), diagnose.FormatDuration(e.Age), markdown(e.Note))
	}
}

// markdownLadders writes what was asked, in order: of each culprit, or of the job where nobody is named.
func markdownLadders(b *strings.Builder, r *diagnose.Report) {
	table := func(of string, rungs []diagnose.Rung) {
		if len(rungs) == 0 {
			return
		}
		fmt.Fprintf(b, "\nWhat was asked of %s, in order:\n\n", markdown(of))
		b.WriteString("| rung | question | answer | why |\n|---:|---|---|---|\n")
		for _, x := range rungs {
			fmt.Fprintf(b, "| %d | %s | %s | %s |\n", x.Number, markdown(x.Question), x.State, markdown(x.Why))
		}
	}
	for i := range r.Culprits {
		table(r.Culprits[i].Vertex.Name, r.Culprits[i].Ladder)
	}
	if len(r.Culprits) == 0 {
		table("the job", r.Ladder)
	}
}

// markdownVertices writes the largest shares over the subtasks of each vertex, and the records of all.
func markdownVertices(b *strings.Builder, all []diagnose.VertexState) {
	if len(all) == 0 {
		return
	}
	b.WriteString("\nThe largest share of time over the subtasks of each vertex, and its records:\n\n" +
		"| vertex | role | busiest | most backpressured | idlest | in | out | why |\n" +
		"|---|---|---:|---:|---:|---:|---:|---|\n")
	rate := func(v flinkapi.Value) string {
		return diagnose.Evidence{Value: v, Unit: flinkapi.RecordsPerSecond}.Text()
	}
	for i := range all {
		v := &all[i]
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", markdown(v.Vertex.Name), v.Role,
			diagnose.FormatRatio(v.Busy), diagnose.FormatRatio(v.Backpressured), diagnose.FormatRatio(v.Idle),
			rate(v.RecordsIn), rate(v.RecordsOut), markdown(v.Why))
	}
}

// markdownData writes the newest checkpoint that completed, and what the verdict stands on.
func markdownData(b *strings.Builder, r *diagnose.Report) {
	b.WriteString("\n")
	if x := checkpointJSON(r.Checkpoints); x != nil {
		span := func(seconds *float64) string {
			if seconds == nil {
				return diagnose.UnknownMark
			}
			return diagnose.FormatSpan(time.Duration(*seconds * float64(time.Second)))
		}
		size := diagnose.UnknownMark
		if x.StateBytes != nil {
			size = byteText(int64(*x.StateBytes))
		}
		fmt.Fprintf(b, "- newest completed checkpoint: %d, took %s, state %s; longest start delay %s, "+
			"alignment %s, sync %s, async %s\n", x.ID, span(&x.Seconds), size, span(x.StartDelay),
			span(x.Alignment), span(x.Sync), span(x.Async))
	}
	d := &r.Data
	version := d.FlinkVersion
	if version == "" {
		version = diagnose.UnknownMark
	}
	age := diagnose.UnknownMark
	if x, known := d.MetricAge.Float(); known {
		age = diagnose.FormatDuration(time.Duration(x * float64(time.Second)))
	}
	fmt.Fprintf(b, "- data: job %s, Flink %s, watched for %s, %d of %s known, oldest share %s old, ",
		markdown(string(r.Job.ID)), markdown(version), diagnose.FormatDuration(d.Observed), d.SubtasksKnown,
		diagnose.FormatThings(d.SubtasksTotal, "subtasks"), age)
	fmt.Fprintf(b, "%s, %s\n", diagnose.FormatThings(d.Requests, "requests"), byteText(d.Bytes))
}
