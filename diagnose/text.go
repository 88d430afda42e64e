package diagnose

import (
	"fmt"
	"strings"
	"time"

	"culprit/flinkapi"
)

// String returns "ok", "warning", "critical" or "unknown".
func (s Severity) String() string {
	switch s {
	case OK:
		return "ok"
	case Warning:
		return "warning"
	case Critical:
		return "critical"
	case UnknownSeverity:
	}
	return "unknown"
}

// Worse returns the graver of two severities. Critical is graver than warning, warning than unknown,
// unknown than ok.
func (s Severity) Worse(o Severity) Severity {
	rank := map[Severity]int{OK: 0, UnknownSeverity: 1, Warning: 2, Critical: 3}
	if rank[o] > rank[s] {
		return o
	}
	return s
}

// Text returns the verdict as plain text for a ticket or a chat: no colour, no boxes, one fact a line.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s\n", r.Job.Name, r.Job.State, r.Severity)
	fmt.Fprintf(&b, "%s\n", r.Headline)
	for i := range r.Culprits {
		r.Culprits[i].write(&b)
	}
	if r.State != nil {
		writeRemedies(&b, r.State.Remedies, r.State.Dont)
		writeEvidence(&b, r.State.Evidence)
	}
	if r.Undetermined != nil && len(r.Undetermined.Missing) > 0 {
		fmt.Fprintf(&b, "  missing  %s\n", strings.Join(r.Undetermined.Missing, "; "))
	}
	for i := range r.Also {
		f := &r.Also[i]
		fmt.Fprintf(&b, "also     %s, %s: %s\n", f.Rule, f.Severity, f.Summary)
		if f.Severity == OK { // good to know, and no trouble: the screen and the JSON have the rest
			continue
		}
		writeRemedies(&b, f.Remedies, f.Dont)
		writeEvidence(&b, f.Evidence)
	}
	return b.String()
}

func (x *Culprit) write(b *strings.Builder) {
	name := x.Vertex.Name
	if x.Operator != "" && x.Operator != name {
		name += ", operator " + x.Operator
	}
	fmt.Fprintf(b, "culprit  %s, %s, %s\n", name, x.Confidence, x.lasted())
	fmt.Fprintf(b, "  why      %s: %s\n", x.Reason.Named(), x.Reason.Summary)
	if len(x.Subtasks) > 0 {
		fmt.Fprintf(b, "  where    %s", subtasksOf(x.Parallelism, x.Subtasks...))
		if len(x.TaskManagers) > 0 {
			names := make([]string, len(x.TaskManagers))
			for i, id := range x.TaskManagers {
				names[i] = string(id)
			}
			fmt.Fprintf(b, " on %s", strings.Join(names, ", "))
		}
		b.WriteString("\n")
	}
	writeRemedies(b, x.Remedies, x.Dont)
	writeEvidence(b, x.Evidence)
	for _, v := range x.Victims {
		fmt.Fprintf(b, "  victim   %s: %s\n", v.Vertex.Name, v.Why)
	}
	for _, u := range x.RunnersUp {
		fmt.Fprintf(b, "  not      %s: %s\n", u.Vertex.Name, u.WhyNot)
	}
	if x.Next != nil {
		fmt.Fprintf(b, "  next     %s\n", x.Next)
	}
}

// String says who is next and how much more the job does until then: "join, at 1.4 times today's records".
func (n *NextLimit) String() string {
	return fmt.Sprintf("%s, at %s times today's records", n.Vertex.Name, FormatCount(n.Factor))
}

// DataAt is when the newest metrics that the report uses were seen: what it says of how long something lasts
// ends there.
func (r *Report) DataAt() time.Time { return r.At.Add(-seconds(r.Data.MetricAge.Or(0))) }

// Lasted says for how long it has stood at that time: "for 4 min 12 s", or "for over" that where it may
// have begun before the watch.
func (x *Culprit) Lasted(at time.Time) string {
	word := "for "
	if x.Earlier {
		word = "for over "
	}
	return word + FormatDuration(max(at.Sub(x.Since), 0))
}

func (x *Culprit) lasted() string {
	earlier := ""
	if x.Earlier {
		earlier = " or earlier"
	}
	return fmt.Sprintf("since %s%s, %s", x.Since.UTC().Format("15:04:05 MST"), earlier, x.Pattern)
}

func writeRemedies(b *strings.Builder, all []Remedy, dont []string) {
	for i := range all {
		r := &all[i]
		fmt.Fprintf(b, "  fix      %s%s\n", r.Do, r.Change())
		for _, more := range [][2]string{{"gain", r.Gain}, {"risk", r.Risk}, {"undo", r.Undo}, {"see", r.Link}} {
			if more[1] != "" {
				fmt.Fprintf(b, "           %s: %s\n", more[0], more[1])
			}
		}
	}
	for _, d := range dont {
		fmt.Fprintf(b, "  do not   %s\n", d)
	}
}

// Change is the setting of a remedy with its values now and then, in brackets after a space; empty where
// there is none.
func (r *Remedy) Change() string {
	switch {
	case r.Key == "" && r.To == "":
		return ""
	case r.Key == "" && r.From == "":
		return fmt.Sprintf(" (%s)", r.To)
	case r.Key == "":
		return fmt.Sprintf(" (from %s to %s)", r.From, r.To)
	case r.From != "" && r.To != "":
		return fmt.Sprintf(" (%s: %s, now %s)", r.Key, r.To, r.From)
	case r.To != "":
		return fmt.Sprintf(" (%s: %s)", r.Key, r.To)
	}
	return " (" + r.Key + ")"
}

func writeEvidence(b *strings.Builder, all []Evidence) {
	for _, e := range all {
		side := "for"
		if !e.For {
			side = "against"
		}
		fmt.Fprintf(b, "  %-8s %s, %s: %s, %s old", side, e.Subject, e.Label, e.Text(), FormatDuration(e.Age))
		if e.Note != "" {
			fmt.Fprintf(b, " (%s)", e.Note)
		}
		b.WriteString("\n")
	}
}

// Text returns the value with its unit, in three significant digits, or "-" when it is not known.
func (e Evidence) Text() string {
	x, ok := e.Value.Float()
	if !ok {
		return UnknownMark
	}
	switch e.Unit {
	case flinkapi.Ratio:
		return FormatRatio(e.Value)
	case flinkapi.Count:
		return fmt.Sprintf("%.0f", x)
	default:
		return FormatCount(x) + " " + string(e.Unit)
	}
}

// list writes subtask indices: "0, 1, 2", and of many the first ones and how many more.
func list(all []int) string {
	const most = 8
	var parts []string
	for i, n := range all {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(all)-most))
			break
		}
		parts = append(parts, fmt.Sprint(n))
	}
	return strings.Join(parts, ", ")
}
