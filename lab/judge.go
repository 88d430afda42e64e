package lab

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Grade tells what of a verdict is right.
type Grade struct {
	// Subject: exactly the right vertices are named, with as many subtasks as must be.
	Subject bool `json:"subject"`
	// Reason: all else is right as well: reasons, operator, pattern, confidence, severity, findings. Never
	// without Subject.
	Reason bool `json:"reason"`
}

// Judge compares a verdict with the right ones and gives the best grade.
func (e Expect) Judge(v Verdict) Grade {
	best := e.judgeAlone(v)
	for _, other := range e.Or {
		if grade := other.judgeAlone(v); grade.Reason || !best.Subject {
			best = grade
		}
	}
	return best
}

func (e Expect) judgeAlone(v Verdict) Grade {
	grade := Grade{Subject: len(v.Named) == len(e.Culprits)}
	grade.Reason = e.suitsJob(v)
	for _, want := range e.Culprits {
		i := slices.IndexFunc(v.Named, func(a Accused) bool { return a.Vertex == want.Vertex })
		if i < 0 || want.Instances > 0 && v.Named[i].Subtasks != want.Instances {
			return Grade{}
		}
		grade.Reason = grade.Reason && want.explainedBy(v.Named[i], v)
	}
	grade.Reason = grade.Reason && grade.Subject
	return grade
}

// suitsJob compares what is not about a culprit.
func (e Expect) suitsJob(v Verdict) bool {
	for _, want := range e.Findings {
		if !slices.ContainsFunc(v.Findings, func(f Told) bool {
			return (want.Vertex == "" || want.Vertex == f.Vertex) && slices.Contains(want.Reasons, f.Reason) &&
				between(want.Period, f.Period)
		}) {
			return false
		}
	}
	if slices.ContainsFunc(e.Never, func(reason string) bool { return slices.Contains(v.Reasons, reason) }) {
		return false
	}
	reasonOfJob := func(reason string) bool { return slices.Contains(e.JobReasons, reason) }
	return acceptable(e.Severities, v.Severity) &&
		(len(e.JobReasons) == 0 || slices.ContainsFunc(v.Reasons, reasonOfJob))
}

// explainedBy compares what was said of a vertex that was rightly named.
func (c Culprit) explainedBy(a Accused, v Verdict) bool {
	next := c.Next == "" || a.Next == c.Next ||
		slices.ContainsFunc(v.Findings, func(f Told) bool { return f.Vertex == c.Next })
	return next && acceptable(c.Reasons, a.Reason) && acceptable(c.Patterns, a.Pattern) &&
		(c.Operator == "" || c.Operator == a.Operator) && (c.Probable || a.Confidence == "firm") &&
		(c.TaskManager == "" || slices.Equal(a.TaskManagers, []string{c.TaskManager})) &&
		between(c.Period, a.Period)
}

// between takes everything where no bounds are given.
func between(bounds [2]time.Duration, is time.Duration) bool {
	return bounds == [2]time.Duration{} || bounds[0] <= is && is <= bounds[1]
}

// acceptable takes everything where nothing is asked for.
func acceptable(wanted []string, is string) bool {
	return len(wanted) == 0 || slices.Contains(wanted, is)
}

// String gives the expectation in a line for people.
func (e Expect) String() string {
	text := e.alone()
	for _, other := range e.Or {
		text += "; or " + other.alone()
	}
	return text
}

func (e Expect) alone() string {
	var parts []string
	if e.Nobody() {
		parts = []string{"nobody"}
		if len(e.JobReasons) > 0 {
			parts[0] += ": " + strings.Join(e.JobReasons, " or ")
		}
	}
	for _, c := range e.Culprits {
		parts = append(parts, c.String())
	}
	for _, f := range e.Findings {
		parts = append(parts, fmt.Sprintf("tells %s: %s%s", f.subject(), strings.Join(f.Reasons, " or "),
			every(f.Period)))
	}
	if len(e.Never) > 0 {
		parts = append(parts, "never "+strings.Join(e.Never, " or "))
	}
	if len(e.Severities) > 0 {
		parts = append(parts, "severity "+strings.Join(e.Severities, " or "))
	}
	return strings.Join(parts, "; ")
}

// String gives the culprit that must be named in a few words.
func (c Culprit) String() string {
	text := c.Vertex + ": "
	if len(c.Reasons) == 0 {
		text += "any reason"
	}
	text += strings.Join(c.Reasons, " or ")
	if c.Operator != "" {
		text += ", operator " + c.Operator
	}
	if c.TaskManager != "" {
		text += " on " + c.TaskManager
	}
	if len(c.Patterns) > 0 {
		text += ", " + strings.Join(c.Patterns, " or ")
	}
	text += every(c.Period)
	if c.Next != "" {
		text += ", next " + c.Next
	}
	return text
}

// every tells of bounds of a period.
func every(bounds [2]time.Duration) string {
	if bounds == [2]time.Duration{} {
		return ""
	}
	return fmt.Sprintf(", every %.3g to %.3g s", bounds[0].Seconds(), bounds[1].Seconds())
}

func (f Finding) subject() string {
	if f.Vertex == "" {
		return "of the job"
	}
	return "of " + f.Vertex
}
