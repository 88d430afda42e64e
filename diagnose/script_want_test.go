package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// want checks one expectation about the newest slot or the newest report.
func (s *script) want(what string, args []string) {
	s.t.Helper()
	check, ok := allExpectations()[what]
	if !ok {
		s.t.Fatalf("%s: no such expectation", s.line)
	}
	check(s, args)
}

// expectations are what a script can want, by the word after "want".
func expectations() map[string]func(s *script, args []string) {
	return map[string]func(s *script, args []string){
		// Of the newest slot: whom it names, highest score first, and why not others.
		"named":    func(s *script, args []string) { s.list(names(s.w.slot().verdict.named), args) },
		"weak":     (*script).wantWeak,
		"explains": (*script).wantExplains,
		"rejected": (*script).wantRejected,
		"abstains": func(s *script, args []string) { s.contains(s.w.slot().verdict.abstain, args) },
		"pressed":  func(s *script, args []string) { s.equal(yes(s.w.slot().verdict.pressed), args) },
		"early":    func(s *script, args []string) { s.equal(yes(s.w.slot().verdict.early), args) },
		"slots":    func(s *script, args []string) { s.equal(fmt.Sprint(len(s.w.slots())), args) },

		// Of the report.
		"culprits": (*script).wantCulprits,
		"culprit":  (*script).wantCulprit,
		"subtasks": func(s *script, args []string) {
			s.equal(list(s.culprit(args[0]).Subtasks), []string{strings.Join(args[1:], ", ")})
		},
		"summary":      func(s *script, args []string) { s.contains(s.culprit(args[0]).Reason.Summary, args[1:]) },
		"victim":       (*script).wantVictim,
		"no-victim":    (*script).wantNoVictim,
		"no-runner-up": (*script).wantNoRunnerUp,
		// "first-remedy slow wait": part of what a culprit is advised first.
		"first-remedy": func(s *script, args []string) {
			s.contains(s.culprit(args[0]).Remedies[0].Do, args[1:])
		},
		// "dont-of slow more parallelism": part of what does not help a culprit.
		"dont-of": func(s *script, args []string) {
			s.contains(strings.Join(s.culprit(args[0]).Dont, "\n"), args[1:])
		},
		// "note records-read capacity": part of what a number of a culprit, or of the state, means.
		"note": (*script).wantNote,
		// "busy src -": the busy share of a vertex as people read it.
		"busy": (*script).wantBusy,
		// "advice lock open()": part of what a rule advises, with its key and values.
		"advice": func(s *script, args []string) { s.contains(s.advice(args[0]), args[1:]) },
		"no-advice": func(s *script, args []string) {
			if got := s.advice(args[0]); strings.Contains(got, strings.Join(args[1:], " ")) {
				s.errorf("got %q", got)
			}
		},
		"no-summary": func(s *script, args []string) {
			if got := s.culprit(args[0]).Reason.Summary; strings.Contains(got, strings.Join(args[1:], " ")) {
				s.errorf("got %q", got)
			}
		},
		"operator": func(s *script, args []string) { s.equal(s.culprit(args[0]).Operator, args[1:]) },
		"not":      (*script).wantRunnerUp,
		"rule":     (*script).wantRule,
		"state":    (*script).wantState,
		"severity": func(s *script, args []string) { s.equal(s.w.report.Severity.String(), args) },
		"headline": func(s *script, args []string) { s.contains(s.w.report.Headline, args) },
		"no-headline": func(s *script, args []string) {
			if text := strings.Join(args, " "); strings.Contains(s.w.report.Headline, text) {
				s.errorf("%s", s.w.report.Headline)
			}
		},
		"firm":    func(s *script, args []string) { s.equal(yes(s.w.report.Firm), args) },
		"missing": (*script).wantMissing,
		// "blamed sink checkpoint-sync": the rule whose warning is about a vertex; "none" for none.
		"blamed": (*script).wantBlamed,
		"role":   (*script).wantRole,
		"rung":   (*script).wantRung,
		// "rung-of b2 2 hit": what a rung answered about one culprit.
		"rung-of": func(s *script, args []string) {
			for _, rung := range s.culprit(args[0]).Ladder {
				if rung.Number == int(*s.number(args[1])) {
					s.contains(string(rung.State)+" "+rung.Why, args[2:])
				}
			}
		},
		"evidence": (*script).wantEvidence,
		"no-evidence": func(s *script, args []string) {
			if got := s.evidence(args[0], "*"); len(got) > 0 {
				s.errorf("got %v", got)
			}
		},
	}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func names(all []candidate) []string {
	var out []string
	for _, c := range all {
		out = append(out, string(c.id))
	}
	return out
}

func (s *script) equal(got string, args []string) {
	s.t.Helper()
	if want := strings.Join(args, " "); got != want {
		s.errorf("got %q", got)
	}
}

func (s *script) contains(got string, args []string) {
	s.t.Helper()
	if want := strings.Join(args, " "); want == "" || !strings.Contains(got, want) {
		s.errorf("got %q", got)
	}
}

// list compares a list; "none" is the empty one.
func (s *script) list(got, args []string) {
	s.t.Helper()
	if len(args) == 1 && args[0] == "none" {
		args = nil
	}
	if !slices.Equal(got, args) {
		s.errorf("got %v", got)
	}
}

func (s *script) wantWeak(args []string) {
	s.t.Helper()
	var weak []string
	for _, c := range s.w.slot().verdict.named {
		if !c.strong {
			weak = append(weak, string(c.id))
		}
	}
	s.list(weak, args)
}

// wantExplains checks whom a candidate holds back: the candidate, then the others in the order of the graph.
func (s *script) wantExplains(args []string) {
	s.t.Helper()
	for _, c := range s.w.slot().verdict.named {
		if string(c.id) != args[0] {
			continue
		}
		var got []string
		for _, v := range slices.Sorted(slices.Values(c.explains)) {
			got = append(got, s.w.parts[v].name)
		}
		s.list(got, args[1:])
		return
	}
	s.errorf("it is not named")
}

// wantRejected checks the first reason that a slot gives against a vertex; "no" for none.
func (s *script) wantRejected(args []string) {
	s.t.Helper()
	words := map[rejectReason]string{
		notBusy: "not-busy", notMeasured: "not-measured", lessLoaded: "less-loaded", heldBack: "held-back", nextLimit: "next-limit",
	}
	for _, r := range s.w.slot().verdict.rejected {
		if s.w.parts[r.vertex].name == args[0] {
			s.equal(words[r.why], args[1:])
			return
		}
	}
	s.equal("no", args[1:])
}

func (s *script) wantCulprits(args []string) {
	s.t.Helper()
	var got []string
	for _, x := range s.w.report.Culprits {
		got = append(got, x.Vertex.Name)
	}
	s.list(got, args)
}

func (s *script) culprit(name string) *Culprit {
	s.t.Helper()
	for i := range s.w.report.Culprits {
		if x := s.w.report.Culprits[i].Vertex; x.Name == name || string(x.ID) == name {
			return &s.w.report.Culprits[i]
		}
	}
	s.t.Fatalf("%s: %s is no culprit: %s", s.line, name, s.w.report.Headline)
	return nil
}

// wantCulprit checks words about a culprit: its confidence, its pattern or its reason.
func (s *script) wantCulprit(args []string) {
	s.t.Helper()
	x := s.culprit(args[0])
	got := []string{string(x.Confidence), string(x.Pattern), x.Reason.Name}
	for _, word := range args[1:] {
		if !slices.Contains(got, word) {
			s.errorf("got %v", got)
		}
	}
}

func (s *script) wantVictim(args []string) {
	s.t.Helper()
	for _, x := range s.w.report.Culprits {
		for _, v := range x.Victims {
			if v.Vertex.Name == args[0] {
				s.contains(v.Why, args[1:])
				return
			}
		}
	}
	s.errorf("it is no victim")
}

func (s *script) wantRunnerUp(args []string) {
	s.t.Helper()
	for _, x := range s.w.report.Culprits {
		for _, u := range x.RunnersUp {
			if u.Vertex.Name == args[0] {
				s.contains(u.WhyNot, args[1:])
				return
			}
		}
	}
	s.errorf("it is no runner-up")
}

// verdict is what a rule said in the newest report: of several culprits about the first.
func (s *script) verdict(rule string) (f Finding, asked bool) {
	for _, f := range s.w.report.Checks {
		if f.Rule == rule {
			return f, true
		}
	}
	return Finding{}, false
}

func verdictWord(f *Finding, asked bool) string {
	if !asked {
		return "not-asked"
	}
	return map[Verdict]string{Fine: "fine", Firing: "fires", Unknown: "unknown", NotApplicable: "not-applicable"}[f.Verdict]
}

// wantRule checks what a rule said: its verdict, and part of the summary or of why it could not tell.
func (s *script) wantRule(args []string) {
	s.t.Helper()
	f, asked := s.verdict(args[0])
	s.equal(verdictWord(&f, asked), args[1:2])
	if len(args) > 2 {
		s.contains(f.Summary+f.Why, args[2:])
	}
}

func (s *script) wantState(args []string) {
	s.t.Helper()
	if s.w.report.State == nil {
		s.list(nil, args)
		return
	}
	s.equal(s.w.report.State.Rule, args)
}

func (s *script) wantMissing(args []string) {
	s.t.Helper()
	if s.w.report.Undetermined == nil {
		s.list(nil, args)
		return
	}
	s.contains(strings.Join(s.w.report.Undetermined.Missing, "; "), args)
}

func (s *script) wantBlamed(args []string) {
	s.t.Helper()
	for _, v := range s.w.report.Vertices {
		if v.Vertex.Name == args[0] {
			s.equal(cmp.Or(v.Blamed, "none"), args[1:])
			return
		}
	}
	s.errorf("no such vertex")
}

func (s *script) wantRole(args []string) {
	s.t.Helper()
	for _, v := range s.w.report.Vertices {
		if v.Vertex.Name == args[0] {
			s.equal(string(v.Role), args[1:])
			return
		}
	}
	s.errorf("no such vertex")
}

func (s *script) wantRung(args []string) {
	s.t.Helper()
	rung := s.w.report.Rung(int(*s.number(args[0])))
	if rung == nil {
		s.errorf("no such rung")
		return
	}
	s.equal(string(rung.State), args[1:2])
	if len(args) > 2 {
		s.contains(rung.Why, args[2:])
	}
}

// wantEvidence checks a number that the first culprit, or else the state, rests on: the signal, its subject
// ("*" for any), "for", "against" or "neither", and its text.
func (s *script) wantEvidence(args []string) {
	s.t.Helper()
	got := s.evidence(args[0], args[1])
	if !slices.Contains(got, strings.Join(args[2:], " ")) {
		s.errorf("got %v", got)
	}
}

func (s *script) wantNote(args []string) {
	s.t.Helper()
	var all []Evidence
	for _, x := range s.w.report.Culprits {
		all = append(all, x.Evidence...)
	}
	if state := s.w.report.State; state != nil {
		all = append(all, state.Evidence...)
	}
	for _, e := range all {
		if e.Signal == args[0] {
			s.contains(e.Note, args[1:])
			return
		}
	}
	s.errorf("no such number")
}

func (s *script) wantBusy(args []string) {
	s.t.Helper()
	for _, v := range s.w.report.Vertices {
		if v.Vertex.Name == args[0] {
			s.equal(FormatRatio(v.Busy), args[1:])
			return
		}
	}
	s.errorf("no such vertex")
}

func (s *script) evidence(signal, subject string) []string {
	var all []Evidence
	switch {
	case len(s.w.report.Culprits) > 0:
		all = s.w.report.Culprits[0].Evidence
	case s.w.report.State != nil:
		all = s.w.report.State.Evidence
	}
	var got []string
	for _, e := range all {
		if e.Signal == signal && (subject == "*" || e.Subject == subject) {
			got = append(got, e.Side()+" "+e.Text())
		}
	}
	return got
}

// advice is all that a rule advises for and against.
func (s *script) advice(rule string) string {
	f, _ := s.verdict(rule)
	var b strings.Builder
	for _, r := range f.Remedies {
		fmt.Fprintf(&b, "%s [%s: %s -> %s] %s; %s; %s\n", r.Do, r.Key, cmp.Or(r.From, "-"), r.To, r.Gain, r.Risk, r.Undo)
	}
	return b.String() + strings.Join(f.Dont, "\n")
}

// wantNoVictim holds that a vertex is a victim of no culprit.
func (s *script) wantNoVictim(args []string) {
	s.t.Helper()
	for _, x := range s.w.report.Culprits {
		if slices.ContainsFunc(x.Victims, func(v Victim) bool { return v.Vertex.Name == args[0] }) {
			s.errorf("it is one of %s", x.Vertex.Name)
		}
	}
}

// wantNoRunnerUp holds that a vertex is a runner-up of no culprit.
func (s *script) wantNoRunnerUp(args []string) {
	s.t.Helper()
	for _, x := range s.w.report.Culprits {
		if slices.ContainsFunc(x.RunnersUp, func(u RunnerUp) bool { return u.Vertex.Name == args[0] }) {
			s.errorf("it is one of %s", x.Vertex.Name)
		}
	}
}
