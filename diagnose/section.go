package diagnose

import (
	"fmt"
	"strings"
)

// SectionKind says what a section of a report is about.
type SectionKind string

// The kinds of sections: of a culprit, of the whole job where nobody is named, of what was found beside.
const (
	SectionCulprit SectionKind = "culprit"
	SectionState   SectionKind = "state"
	SectionAlso    SectionKind = "also"
	// SectionSilenced is a rule that is silenced.
	SectionSilenced SectionKind = "silenced"
)

// Section is a part of a report in words. All that writes a report for people to keep writes the sections, so
// that each form tells the same.
type Section struct {
	Kind SectionKind
	// Title names the culprit or the rule; More goes on with the sentence, beginning with its punctuation.
	Title, More string
	Facts       []Fact
	Evidence    []Evidence
}

// Fact is one thing that a report says, under a short label such as "why" or "fix"; More belongs to it.
type Fact struct {
	Label, Text string
	More        []Fact
}

// Sections are all that the report says below its headline, in the order in which it is read.
func (r *Report) Sections() []Section {
	var out []Section
	for i := range r.Culprits {
		out = append(out, r.Culprits[i].section())
	}
	whole := Section{Kind: SectionState}
	if f := r.State; f != nil {
		whole.Facts, whole.Evidence = f.facts(), f.Evidence
		if f.Severity != OK || len(whole.Facts) > 0 {
			whole.Title, whole.More = f.Rule, ", "+f.Severity.String()
		}
	}
	if r.Undetermined != nil && len(r.Undetermined.Missing) > 0 {
		whole.Facts = append(whole.Facts, Fact{Label: "missing", Text: strings.Join(r.Undetermined.Missing, "; ")})
	}
	if whole.Title != "" || len(whole.Facts)+len(whole.Evidence) > 0 {
		out = append(out, whole)
	}
	for i := range r.Also {
		f := &r.Also[i]
		out = append(out, Section{
			Kind: SectionAlso, Title: f.Rule, More: fmt.Sprintf(", %s: %s", f.Severity, f.Summary),
			Facts: f.facts(), Evidence: f.Evidence,
		})
	}
	for i := range r.Silenced {
		s := &r.Silenced[i]
		out = append(out, Section{
			Kind: SectionSilenced, Title: s.Rule, More: strings.TrimPrefix(s.String(), s.Rule),
		})
	}
	return out
}

func (x *Culprit) section() Section {
	s := Section{
		Kind: SectionCulprit, Title: x.Vertex.Name, More: fmt.Sprintf(", %s, %s", x.Confidence, x.lasted()),
		Facts:    []Fact{{Label: "why", Text: x.Reason.String()}},
		Evidence: x.Evidence,
	}
	if x.Operator != "" && x.Operator != x.Vertex.Name {
		s.More = ", operator " + x.Operator + s.More
	}
	if len(x.Subtasks) > 0 {
		where := subtasksOf(x.Parallelism, x.Subtasks...)
		if len(x.TaskManagers) > 0 {
			names := make([]string, len(x.TaskManagers))
			for i, id := range x.TaskManagers {
				names[i] = string(id)
			}
			where += " on " + strings.Join(names, ", ")
		}
		s.Facts = append(s.Facts, Fact{Label: "where", Text: where})
	}
	s.Facts = append(s.Facts, advice(x.Remedies, x.Dont)...)
	for _, v := range x.Victims {
		s.Facts = append(s.Facts, Fact{Label: "victim", Text: v.Vertex.Name + ": " + v.Why})
	}
	for _, u := range x.RunnersUp {
		s.Facts = append(s.Facts, Fact{Label: "not", Text: u.Vertex.Name + ": " + u.WhyNot})
	}
	if x.Next != nil {
		s.Facts = append(s.Facts, Fact{Label: "next", Text: x.Next.String()})
	}
	return s
}

// facts are what a finding says beside its summary: whom it is about, whose doing it is, what to do.
func (f *Finding) facts() []Fact {
	var out []Fact
	s := &f.Subject
	var where []string
	if s.Vertex != "" && s.Name != "" {
		where = append(where, s.Name)
	}
	if len(s.Subtasks) > 0 {
		where = append(where, "subtask "+list(s.Subtasks))
	}
	if s.TaskManager != "" {
		where = append(where, string(s.TaskManager))
	}
	if len(where) > 0 {
		out = append(out, Fact{Label: "where", Text: strings.Join(where, ", ")})
	}
	if f.Consequence {
		out = append(out, Fact{Label: "cause", Text: "a consequence of what is named above"})
	}
	return append(out, advice(f.Remedies, f.Dont)...)
}

// advice is what to do, with what it gains and risks and how it is taken back, and what not to do.
func advice(remedies []Remedy, dont []string) []Fact {
	var out []Fact
	for i := range remedies {
		r := &remedies[i]
		fix := Fact{Label: "fix", Text: r.Do + r.Change()}
		for _, more := range []Fact{
			{Label: "gain", Text: r.Gain},
			{Label: "risk", Text: r.Risk},
			{Label: "undo", Text: r.Undo},
			{Label: "see", Text: r.Link},
		} {
			if more.Text != "" {
				fix.More = append(fix.More, more)
			}
		}
		out = append(out, fix)
	}
	for _, d := range dont {
		out = append(out, Fact{Label: "do not", Text: d})
	}
	return out
}
