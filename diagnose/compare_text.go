package diagnose

import (
	"fmt"
	"math"
	"strings"
	"time"

	"culprit/flinkapi"
)

// ComparedRow is a line of a comparison in words: what is compared, before, after, and how it changed.
type ComparedRow struct{ Label, Before, After, Change string }

// Rows are the lines of a comparison about the whole job, unknown ones too.
func (c *Comparison) Rows(zone *time.Location) []ComparedRow {
	b, a := &c.Before, &c.After
	rows := []ComparedRow{
		{"time", b.spanWords(zone), a.spanWords(zone), ""},
		{"culprit", b.culprit(), a.culprit(), ""},
		rateRow("sinks, in", c.Sinks),
		rateRow("sources, out", c.Sources),
		{"lag", countWords(c.Lag.Before), countWords(c.Lag.After), ""},
		{"lag grows by", RateWords(c.LagSlope.Before), RateWords(c.LagSlope.After), ""},
		{
			"busiest", FormatRatio(c.Busiest.Before), FormatRatio(c.Busiest.After),
			strings.Join(distinct(c.BusiestOf[0].Name, c.BusiestOf[1].Name), ", then "),
		},
	}
	return append(rows, checkpointRows(&b.Checkpoints, &a.Checkpoints)...)
}

// VertexRows are the lines about the vertices: records, and how busy the busiest subtask is.
func (c *Comparison) VertexRows() []ComparedRow {
	var rows []ComparedRow
	for i := range c.Vertices {
		v := &c.Vertices[i]
		change := factorWords(v.Records)
		if v.Parallelism[0] != v.Parallelism[1] {
			scaled := fmt.Sprintf("%s, %d to %s", change, v.Parallelism[0], FormatThings(v.Parallelism[1], "subtasks"))
			change = strings.TrimPrefix(scaled, ", ")
		}
		rows = append(rows, ComparedRow{
			v.Vertex.Name, RateWords(v.Records.Before) + ", busy " + FormatRatio(v.Busy.Before),
			RateWords(v.Records.After) + ", busy " + FormatRatio(v.Busy.After), change,
		})
	}
	return rows
}

func (s *Stretch) culprit() string {
	switch {
	case s.Why != "":
		return UnknownMark
	case s.Told.Trouble != "":
		return s.Told.Trouble
	case len(s.Told.Culprits) == 0:
		return "nobody"
	}
	x := &s.Told.Culprits[0]
	text := x.Vertex.Name + ": " + x.Reason
	if more := len(s.Told.Culprits) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

func rateRow(label string, p Pair) ComparedRow {
	return ComparedRow{label, RateWords(p.Before), RateWords(p.After), factorWords(p)}
}

func checkpointRows(b, a *StretchCheckpoints) []ComparedRow {
	rows := []ComparedRow{
		{"checkpoints", b.counts(), a.counts(), ""},
		spanRow("  duration", b.Duration, a.Duration),
	}
	if b.Parted+a.Parted == 0 {
		return rows
	}
	parts := []ComparedRow{
		{"  read by subtask", fmt.Sprint(b.Parted), fmt.Sprint(a.Parted), ""},
		spanRow("  start delay", b.StartDelay, a.StartDelay), spanRow("  alignment", b.Alignment, a.Alignment),
		spanRow("  sync", b.Sync, a.Sync), spanRow("  async", b.Async, a.Async),
	}
	return append(rows, parts...)
}

func (s *StretchCheckpoints) counts() string {
	if s.Failed == 0 {
		return fmt.Sprintf("%d completed", s.Completed)
	}
	return fmt.Sprintf("%d completed, %d failed", s.Completed, s.Failed)
}

func spanRow(label string, b, a flinkapi.Value) ComparedRow {
	return ComparedRow{label, secondsWords(b), secondsWords(a), factorWords(Pair{b, a})}
}

func secondsWords(v flinkapi.Value) string {
	x, ok := v.Float()
	if !ok {
		return UnknownMark
	}
	return FormatSpan(seconds(x))
}

func countWords(v flinkapi.Value) string {
	x, ok := v.Float()
	if !ok {
		return UnknownMark
	}
	return FormatCount(x)
}

// factorWords says by which factor a number changed, "2.8 times"; "same" within the noise, and nothing where
// it is not known.
func factorWords(p Pair) string {
	b, _ := p.Before.Float()
	a, _ := p.After.Float()
	switch t := p.trend(); {
	case t == unknownTurn:
		return ""
	case t == stayed:
		return "same"
	case b <= 0 || math.IsInf(a/b, 0):
		return ""
	}
	return fmt.Sprintf("%.2g times", a/b)
}

// distinct are the names without empty ones and repetitions.
func distinct(all ...string) []string {
	var out []string
	for _, one := range all {
		if one != "" && (len(out) == 0 || out[len(out)-1] != one) {
			out = append(out, one)
		}
	}
	return out
}

// Text returns the comparison as plain text.
func (c *Comparison) Text(zone *time.Location) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", c.Sentence)
	writeRows(&b, append([]ComparedRow{{"", "before", "after", ""}}, c.Rows(zone)...))
	if rows := c.VertexRows(); len(rows) > 0 {
		b.WriteString("\n")
		writeRows(&b, append([]ComparedRow{{"operator", "before", "after", ""}}, rows...))
	}
	return b.String()
}

// writeRows writes rows in columns.
func writeRows(b *strings.Builder, rows []ComparedRow) {
	var w [3]int
	for _, r := range rows {
		for i, text := range []string{r.Label, r.Before, r.After} {
			w[i] = max(w[i], len([]rune(text)))
		}
	}
	for _, r := range rows {
		text := fmt.Sprintf("%-*s  %-*s  %-*s  %s", w[0], r.Label, w[1], r.Before, w[2], r.After, r.Change)
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
}
