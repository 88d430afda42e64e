package diagnose

import (
	"maps"
	"slices"
	"strings"

	"culprit/flinkapi"
)

// findingExpectations are what a script can want of what one rule said, by the word after "want".
func findingExpectations() map[string]func(s *script, args []string) {
	return map[string]func(s *script, args []string){
		// "remedy no-headroom give it": part of what some remedy of the rule says, "remedy-to no-headroom 6" the
		// value that the first one sets.
		"remedy":    func(s *script, args []string) { s.contains(s.remedies(args[0]), args[1:]) },
		"no-remedy": (*script).wantNoRemedy,
		"remedy-to": (*script).wantRemedyTo,
		// "sets key-groups parallelism 4 6": a setting that a remedy of the rule is about, its value now and then.
		"sets": (*script).wantSets,
		"dont": func(s *script, args []string) {
			s.contains(strings.Join(s.finding(args[0]).Dont, "\n"), args[1:])
		},
		// "grade no-headroom warning": how grave its finding is.
		"grade": func(s *script, args []string) { s.equal(s.finding(args[0]).Severity.String(), args[1:]) },
		// "shows no-headroom busy-mean slow for 91 %": a number of its finding; "of no-headroom slow 2" its
		// subject.
		"shows": (*script).wantShows,
		"of":    (*script).wantOf,
		"also":  (*script).wantAlso,
		// "fix slow give it", "no-fix slow give it": part of what some remedy of a culprit says, or of none.
		"fix": func(s *script, args []string) { s.contains(s.fixes(args[0]), args[1:]) },
		"no-fix": func(s *script, args []string) {
			if got := s.fixes(args[0]); strings.Contains(got, strings.Join(args[1:], " ")) {
				s.errorf("got %q", got)
			}
		},
		// "consequence checkpoint-trend yes": whether its finding is told as a consequence; "not-said no-headroom
		// give it" what its summary does not say; "time-left yes" whether checkpoints have a time to their timeout.
		"consequence": func(s *script, args []string) {
			s.equal(yes(s.finding(args[0]).Consequence), args[1:])
		},
		"not-said": func(s *script, args []string) {
			if got := s.finding(args[0]).Summary; strings.Contains(got, strings.Join(args[1:], " ")) {
				s.errorf("got %q", got)
			}
		},
		"time-left": func(s *script, args []string) {
			s.equal(yes(s.w.report.Checkpoints.Trend.ToTimeout.IsKnown()), args)
		},
		// "missing-of state-backend key": part of what would have allowed a verdict.
		"missing-of": func(s *script, args []string) {
			s.contains(strings.Join(s.finding(args[0]).Missing, "; "), args[1:])
		},
		// "next slow join 1.43": who limits the job after a culprit, and by how much later; "none" for nobody.
		"next": (*script).wantNext,
	}
}

func (s *script) finding(rule string) *Finding {
	s.t.Helper()
	f, asked := s.verdict(rule)
	if !asked {
		s.errorf("%s was not asked", rule)
	}
	return &f
}

func (s *script) remedies(rule string) string {
	s.t.Helper()
	var b strings.Builder
	for _, r := range s.finding(rule).Remedies {
		b.WriteString(strings.Join([]string{r.Do, r.Key, r.Gain, r.Risk, r.Undo}, "\n") + "\n")
	}
	return b.String()
}

// fixes are what helps a culprit.
func (s *script) fixes(culprit string) string {
	s.t.Helper()
	var b strings.Builder
	for _, r := range s.culprit(culprit).Remedies {
		b.WriteString(r.Do + "\n")
	}
	return b.String()
}

func (s *script) wantSets(args []string) {
	s.t.Helper()
	var got []string
	for _, r := range s.finding(args[0]).Remedies {
		got = append(got, strings.TrimSpace(strings.Join([]string{r.Key, r.From, r.To}, " ")))
	}
	if !slices.Contains(got, strings.Join(args[1:], " ")) {
		s.errorf("got %q", got)
	}
}

func (s *script) wantNoRemedy(args []string) {
	s.t.Helper()
	if got, part := s.remedies(args[0]), strings.Join(args[1:], " "); strings.Contains(got, part) {
		s.errorf("got %q", got)
	}
}

func (s *script) wantRemedyTo(args []string) {
	s.t.Helper()
	all := s.finding(args[0]).Remedies
	if len(all) == 0 {
		s.errorf("it has no remedy")
		return
	}
	if args[1] == "none" {
		args[1] = ""
	}
	s.equal(all[0].To, args[1:])
}

func (s *script) wantShows(args []string) {
	s.t.Helper()
	var got []string
	for _, e := range s.finding(args[0]).Evidence {
		if e.Signal == args[1] && (args[2] == "*" || e.Subject == args[2]) {
			got = append(got, e.Side()+" "+e.Text())
		}
	}
	if !slices.Contains(got, strings.Join(args[3:], " ")) {
		s.errorf("got %v", got)
	}
}

func (s *script) wantOf(args []string) {
	s.t.Helper()
	f := s.finding(args[0])
	got := []string{f.Subject.Name}
	if len(f.Subject.Subtasks) > 0 {
		got = append(got, list(f.Subject.Subtasks))
	}
	s.equal(strings.Join(got, " "), args[1:])
}

// wantAlso checks a finding beside the reason: the rule, the vertex that it names ("-" for none), the
// severity.
func (s *script) wantAlso(args []string) {
	s.t.Helper()
	var got []string
	for _, f := range s.w.report.Also {
		vertex := string(f.Subject.Vertex)
		if vertex == "" {
			vertex = "-"
		}
		got = append(got, f.Rule+" "+vertex+" "+f.Severity.String())
	}
	if !slices.Contains(got, strings.Join(args, " ")) {
		s.errorf("got %q", got)
	}
}

func (s *script) wantNext(args []string) {
	s.t.Helper()
	n := s.culprit(args[0]).Next
	if n == nil {
		s.list(nil, args[1:])
		return
	}
	s.equal(n.Vertex.Name+" "+FormatCount(n.Factor), args[1:])
}

// clusterCommands are the commands of a script about the cluster as a whole.
func clusterCommands() map[string]func(s *script, args []string) {
	return map[string]func(s *script, args []string){
		"free":  func(s *script, args []string) { s.w.free = flinkapi.Known(*s.number(args[0])) },
		"reuse": func(s *script, args []string) { s.w.job.ObjectReuse = flinkapi.Known(*s.number(args[0])) },
	}
}

func allExpectations() map[string]func(s *script, args []string) {
	all := expectations()
	maps.Copy(all, findingExpectations())
	return all
}
