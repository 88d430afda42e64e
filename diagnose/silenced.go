package diagnose

import (
	"slices"
	"strings"
)

// Silenced is a rule that a user has silenced, and whether it would have said something.
type Silenced struct {
	Rule string
	// Fires is true where it would; Summary is then its sentence, Severity how grave it would be, and Vertex
	// whom it is about, zero for the job.
	Fires    bool
	Severity Severity
	Vertex   VertexRef
	Summary  string
}

// String says it in one line: "checkpoint-failing, which fires: 3 of the last 5 checkpoints failed".
func (s *Silenced) String() string {
	switch {
	case !s.Fires:
		return s.Rule
	case s.Vertex.Name != "":
		return s.Rule + ", which fires for " + s.Vertex.Name + ": " + s.Summary
	}
	return s.Rule + ", which fires: " + s.Summary
}

// SilencedText names the silenced rules of some reports, each once, those that fire first:
// "checkpoint-failing, which fires, and gc"; empty without any.
func SilencedText(reports ...*Report) string {
	var fire, rest []string
	for _, r := range reports {
		for i := range r.Silenced {
			if s := &r.Silenced[i]; s.Fires && !slices.Contains(fire, s.Rule) {
				fire = append(fire, s.Rule)
			}
		}
	}
	for _, r := range reports {
		for i := range r.Silenced {
			if name := r.Silenced[i].Rule; !slices.Contains(fire, name) && !slices.Contains(rest, name) {
				rest = append(rest, name)
			}
		}
	}
	for i := range fire {
		fire[i] += ", which fires"
	}
	return strings.Join(append(fire, rest...), "; ")
}

// noteSilenced lists the silenced rules with what they say, in the order in which they were silenced. Of
// those that are asked of each culprit the first that would have been its reason counts, and no later one.
func (r *Report) noteSilenced(o *Options, stages map[string]Stage) {
	for _, rule := range o.silenced {
		before := len(r.Silenced)
		for i := range r.Checks {
			f := &r.Checks[i]
			if f.Rule != rule || f.Verdict != Firing || stages[rule].ofCulprit() && !r.silencedReason(f) {
				continue
			}
			r.Silenced = append(r.Silenced, Silenced{
				Rule: rule, Fires: true, Severity: r.gravity(f), Summary: f.Summary,
				Vertex: VertexRef{f.Subject.Vertex, f.Subject.Name},
			})
		}
		if len(r.Silenced) == before {
			r.Silenced = append(r.Silenced, Silenced{Rule: rule})
		}
	}
}

// silencedReason tells whether a finding would have been the reason of a culprit.
func (r *Report) silencedReason(f *Finding) bool {
	return slices.ContainsFunc(r.Culprits, func(x Culprit) bool {
		return x.Vertex.ID == f.Subject.Vertex && x.Reason.Silenced == f.Rule
	})
}

// gravity is how grave a silenced finding would be: as the culprit whose reason it is, else as it says.
func (r *Report) gravity(f *Finding) Severity {
	for i := range r.Culprits {
		if x := &r.Culprits[i]; x.Vertex.ID == f.Subject.Vertex && x.Reason.Silenced == f.Rule {
			return x.unsilenced
		}
	}
	return f.Severity
}

// silencedReason is what stands for the reason of a culprit where the rule that gives it is silenced. The
// next rule that fits would put the blame on something else.
func silencedReason(rule string) (Reason, []Remedy) {
	unknown := undeterminedRule()
	return Reason{
		Code: unknown.ID, Name: unknown.Name, Silenced: rule,
		Summary: "undetermined, because " + rule + ", which fires, is silenced",
	}, []Remedy{{
		Do:   "take " + rule + " out of the silenced rules to read what it found and what helps",
		Gain: "the reason, and the fix that belongs to it", Risk: "it alarms again", Undo: "silence it again",
		Link: pressureLink,
	}}
}

// hush makes a state of the whole job whose rule is silenced no alarm: it still holds. Where nothing
// can be said that stays so.
func hush(f *Finding) *Finding {
	if !f.Silenced {
		return f
	}
	out := *f
	if out.Severity != UnknownSeverity {
		out.Severity = OK
	}
	out.Summary = "silenced: " + out.Rule + ", which fires: " + out.Summary
	return &out
}
