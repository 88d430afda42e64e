package diagnose

import (
	"fmt"
	"strings"
	"time"
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
	for _, s := range r.Sections() {
		if s.Title != "" {
			fmt.Fprintf(&b, "%-7s  %s%s\n", s.Kind, s.Title, s.More)
		}
		for _, f := range s.Facts {
			fmt.Fprintf(&b, "  %-7s  %s\n", f.Label, f.Text)
			for _, more := range f.More {
				fmt.Fprintf(&b, "           %s: %s\n", more.Label, more.Text)
			}
		}
		for i := range s.Evidence {
			e := &s.Evidence[i]
			fmt.Fprintf(&b, "  %-7s  %s, %s: %s, %s old", e.Side(), e.Subject, e.Label, e.Text(),
				FormatDuration(e.Age))
			if e.Note != "" {
				fmt.Fprintf(&b, " (%s)", e.Note)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// String says who is next and how much more the job does until then: "join, at 1.4 times today's records".
func (n *NextLimit) String() string {
	name := n.Vertex.Name
	if n.Itself {
		name += " itself, repaired"
	}
	return fmt.Sprintf("%s, at %s today's records", name, times(n.Factor))
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
		return fmt.Sprintf(" (%s: %s, %s)", r.Key, r.To, r.now())
	case r.To != "":
		return fmt.Sprintf(" (%s: %s)", r.Key, r.To)
	case r.From != "":
		return fmt.Sprintf(" (%s, %s)", r.Key, strings.TrimPrefix(r.now(), "instead of "))
	}
	return " (" + r.Key + ")"
}

// Side says which way a number speaks: "for" or "against" the verdict, or "neither".
func (e *Evidence) Side() string {
	switch {
	case e.For:
		return "for"
	case e.Neutral:
		return "neither"
	}
	return "against"
}

// Text returns the value with its unit, in three significant digits, or "-" when it is not known.
func (e Evidence) Text() string {
	x, ok := e.Value.Float()
	if !ok {
		return UnknownMark
	}
	return FormatQuantity(x, e.Unit)
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
