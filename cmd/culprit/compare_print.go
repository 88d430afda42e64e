package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"culprit/diagnose"
)

// comparisonPrinter returns what writes a comparison in a format; its error carries the exit code.
func comparisonPrinter(format string) (func(io.Writer, *diagnose.Comparison, *time.Location) error, error) {
	printers := map[string]func(*diagnose.Comparison, *time.Location) (string, error){
		"text":     func(c *diagnose.Comparison, zone *time.Location) (string, error) { return c.Text(zone), nil },
		"json":     comparisonJSON,
		"markdown": comparisonMarkdown,
	}
	write, ok := printers[format]
	if !ok {
		return nil, fmt.Errorf("--format %q is not known: give text, json or markdown", format)
	}
	return func(w io.Writer, c *diagnose.Comparison, zone *time.Location) error {
		text, err := write(c, zone)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			return fmt.Errorf("write the comparison: %w", err)
		}
		return comparisonExit(c)
	}, nil
}

// comparisonExit is the error that ends the program with a code; nil for 0.
func comparisonExit(c *diagnose.Comparison) error {
	switch c.Outcome {
	case diagnose.WorseThanBefore:
		return exitCode(int(diagnose.Warning))
	case diagnose.Unclear:
		return exitCode(int(diagnose.UnknownSeverity))
	case diagnose.Helped, diagnose.HelpedInPart, diagnose.BottleneckMoved, diagnose.Unchanged:
	}
	return nil
}

// comparisonMarkdown is the comparison as a section of a page.
func comparisonMarkdown(c *diagnose.Comparison, zone *time.Location) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Before and after: %s\n\n%s\n", c.Outcome, markdown(c.Sentence))
	table := func(first string, rows []diagnose.ComparedRow) {
		fmt.Fprintf(&b, "\n| %s | before | after | |\n|---|---|---|---|\n", first)
		for _, r := range rows {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", markdown(strings.TrimSpace(r.Label)), markdown(r.Before),
				markdown(r.After), markdown(r.Change))
		}
	}
	table("", c.Rows(zone))
	if rows := c.VertexRows(); len(rows) > 0 {
		table("operator", rows)
	}
	return b.String(), nil
}

// The shape of `compare --format json`. What is not known is null.
type (
	jsonComparison struct {
		Schema   int               `json:"schema"`
		Outcome  string            `json:"outcome"`
		Sentence string            `json:"sentence"`
		MovedTo  *jsonVertex       `json:"movedTo"`
		Before   jsonStretch       `json:"before"`
		After    jsonStretch       `json:"after"`
		Vertices []jsonTwoVertices `json:"vertices"`
	}
	jsonStretch struct {
		From          string       `json:"from,omitempty"`
		To            string       `json:"to,omitempty"`
		Job           jsonJob      `json:"job"`
		Unknown       string       `json:"unknown,omitempty"` // why nothing can be said of it
		Culprits      []jsonBlamed `json:"culprits"`
		State         string       `json:"state,omitempty"` // what is the matter with the whole job
		Warnings      []string     `json:"warnings"`
		SinkRecords   *float64     `json:"sinkRecordsPerSecond"`
		SourceRecords *float64     `json:"sourceRecordsPerSecond"`
		Lag           *float64     `json:"lagRecords"`
		LagGrowth     *float64     `json:"lagRecordsPerSecond"`
		Busiest       *float64     `json:"busiestShare"`
		BusiestVertex *jsonVertex  `json:"busiestVertex"`
		Checkpoints   jsonMedians  `json:"checkpoints"`
	}
	jsonBlamed struct {
		Vertex jsonVertex `json:"vertex"`
		Reason string     `json:"reason"`
	}
	// jsonMedians has medians in seconds.
	jsonMedians struct {
		Completed int      `json:"completed"`
		Failed    int      `json:"failed"`
		Parted    int      `json:"readBySubtask"` // those that the parts below are of
		Duration  *float64 `json:"durationSeconds"`
		jsonParts
	}
	jsonTwoVertices struct {
		Vertex jsonVertex `json:"vertex"`
		Before jsonLoad   `json:"before"`
		After  jsonLoad   `json:"after"`
	}
	jsonLoad struct {
		Parallelism   int      `json:"parallelism"`
		Records       *float64 `json:"recordsPerSecond"`
		Busy          *float64 `json:"busyShare"`
		Backpressured *float64 `json:"backpressuredShare"`
		Capacity      *float64 `json:"capacityPerSecond"`
	}
)

func comparisonJSON(c *diagnose.Comparison, _ *time.Location) (string, error) {
	out := jsonComparison{
		Schema: 1, Outcome: string(c.Outcome), Sentence: c.Sentence,
		Before: stretchJSON(&c.Before), After: stretchJSON(&c.After),
		Vertices: each(c.Vertices, func(v *diagnose.VertexChange) jsonTwoVertices {
			return jsonTwoVertices{
				vertexJSON(v.Vertex),
				jsonLoad{
					v.Parallelism[0], number(v.Records.Before), number(v.Busy.Before), number(v.Backpressured.Before),
					number(v.Capacity.Before),
				},
				jsonLoad{
					v.Parallelism[1], number(v.Records.After), number(v.Busy.After), number(v.Backpressured.After),
					number(v.Capacity.After),
				},
			}
		}),
	}
	if c.Moved != nil {
		moved := vertexJSON(*c.Moved)
		out.MovedTo = &moved
	}
	out.Before.numbers(c, func(p diagnose.Pair) *float64 { return number(p.Before) }, c.BusiestOf[0])
	out.After.numbers(c, func(p diagnose.Pair) *float64 { return number(p.After) }, c.BusiestOf[1])
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(out)
	return b.String(), err
}

func stretchJSON(s *diagnose.Stretch) jsonStretch {
	k := &s.Checkpoints
	out := jsonStretch{
		Job: jsonJob{string(s.Job.ID), s.Job.Name, string(s.Job.State)}, Unknown: s.Why, State: s.Told.Trouble,
		Warnings: each(s.Told.Warns, same),
		Culprits: each(s.Told.Culprits, func(x *diagnose.Blamed) jsonBlamed {
			return jsonBlamed{vertexJSON(x.Vertex), x.Reason}
		}),
		Checkpoints: jsonMedians{
			k.Completed, k.Failed, k.Parted, number(k.Duration),
			jsonParts{number(k.StartDelay), number(k.Alignment), number(k.Sync), number(k.Async)},
		},
	}
	if !s.From.IsZero() {
		out.From, out.To = s.From.UTC().Format(time.RFC3339), s.To.UTC().Format(time.RFC3339)
	}
	return out
}

// numbers fills in one side of what is compared over the whole job.
func (s *jsonStretch) numbers(
	c *diagnose.Comparison, side func(diagnose.Pair) *float64, busiest diagnose.VertexRef,
) {
	s.SinkRecords, s.SourceRecords = side(c.Sinks), side(c.Sources)
	s.Lag, s.LagGrowth, s.Busiest = side(c.Lag), side(c.LagSlope), side(c.Busiest)
	if busiest.Name != "" {
		v := vertexJSON(busiest)
		s.BusiestVertex = &v
	}
}
