package diagnose

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
)

// ruleStory is a story about one rule; want is what the rule says at its end, with which its name begins:
// "fires: it waits".
type ruleStory struct {
	archived
	rule, want string
}

// ruleStories reads the stories of all rules.
func ruleStories(t *testing.T) []ruleStory {
	t.Helper()
	var out []ruleStory
	for _, rule := range Rules() {
		for _, a := range readArchive(t, filepath.Join("testdata", "rules", rule.Name+".txtar")) {
			want, _, _ := strings.Cut(a.name, ":")
			out = append(out, ruleStory{a, rule.Name, want})
		}
	}
	return out
}

func TestRules(t *testing.T) {
	t.Parallel()
	for _, story := range ruleStories(t) {
		t.Run(story.rule+"/"+story.name, func(t *testing.T) {
			t.Parallel()
			s := &script{t: t, w: runScript(t, story.text)}
			f, asked := s.verdict(story.rule)
			if got := verdictWord(&f, asked); got != story.want {
				t.Errorf("%s (%s%s); the report says %s", got, f.Summary, f.Why, s.w.report.Headline)
			}
			for _, c := range s.w.report.Culprits {
				f.Evidence = append(f.Evidence, c.Evidence...)
			}
			for i := range f.Evidence {
				e := &f.Evidence[i]
				if e.Source() == "" {
					t.Errorf("nobody knows which answer %s comes from", e.Signal)
				}
				if e.For && !e.Value.IsKnown() {
					t.Errorf("%s is not known, and speaks for the verdict", e.Signal)
				}
			}
		})
	}
}

// alwaysKnown are the rules that cannot be unable to tell, with the reason.
func alwaysKnown() map[string]string {
	return map[string]string{
		"failed":          "the state of the job is in every answer",
		"finished":        "the state of the job is in every answer",
		"batch":           "the plan is in every answer: where the type is not told, the exchanges decide",
		"restart-loop":    "each answer tells Flink's count, or the attempts of the subtasks, or exceptions",
		"restarted":       "as restart-loop",
		"undetermined":    "it is what says that something is not known",
		"healthy":         "it is asked after undetermined found nothing missing",
		"parallelism-one": "the plan tells how many instances each operator has",
		"source-bound":    "the walk named the source by its busy share; a lag that is not known makes it probable",
	}
}

// Every rule is seen to fire, to keep silent, and to be unable to tell; but for those that always can, which
// never say so.
func TestEveryRuleIsSeenToFireAndToKeepSilent(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, story := range ruleStories(t) {
		seen[story.rule+" "+story.want] = true
	}
	for _, rule := range Rules() {
		some := func(kinds ...string) bool {
			return slices.ContainsFunc(kinds, func(kind string) bool { return seen[rule.Name+" "+kind] })
		}
		if !some("fires") {
			t.Errorf("no story in which %s fires", rule.Name)
		}
		if !some("fine", "not-asked") {
			t.Errorf("no story in which %s keeps silent", rule.Name)
		}
		if why := alwaysKnown()[rule.Name]; some("unknown") != (why == "") {
			t.Errorf("a story in which %s cannot tell: %v; but %q", rule.Name, some("unknown"), why)
		}
	}
}

// Each rule has a near miss: a story in which it keeps silent, and one in which it fires, that differ in one
// condition only.
func TestEveryRuleHasANearMiss(t *testing.T) {
	t.Parallel()
	told := map[string][]ruleStory{}
	for _, story := range ruleStories(t) {
		told[story.rule] = append(told[story.rule], story)
	}
	for _, rule := range Rules() {
		near := false
		for _, fires := range told[rule.Name] {
			for _, silent := range told[rule.Name] {
				silence := silent.want != "fires" && silent.want != "unknown"
				near = near || fires.want == "fires" && silence &&
					apart(conditions(fires.text), conditions(silent.text)) == 1
			}
		}
		if !near {
			t.Errorf("%s: no silent story is one condition away from one in which it fires", rule.Name)
		}
	}
}

// conditions are the lines of a story without what is expected at its end.
func conditions(text string) []string {
	var out []string
	for line := range strings.Lines(uncommented(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "want ") {
			out = append(out, line)
		}
	}
	return out
}

// apart is how many lines must be changed, added or left out to make one story of another.
func apart(a, b []string) int {
	costs := make([]int, len(b)+1)
	for k := range costs {
		costs[k] = k
	}
	for i := range a {
		diagonal := costs[0]
		costs[0]++
		for k := range b {
			change := diagonal
			if a[i] != b[k] {
				change++
			}
			diagonal = costs[k+1]
			costs[k+1] = min(change, costs[k]+1, costs[k+1]+1)
		}
	}
	return costs[len(b)]
}

// Where nothing is known no rule is content: it cannot tell, or does not apply; but for those that are about
// what is known even then.
func TestNoRuleIsContentWithNothing(t *testing.T) {
	t.Parallel()
	const graph = "src %s*2 -> slow\nslow %s*2 => sink\nsink %s\n\n"
	stories := map[string]string{
		"no metrics": fmt.Sprintf(graph, "-", "-", "-") + "watch 60s",
		"one look":   fmt.Sprintf(graph, "2/98", "99/0", "5/0") + "look 0s",
		"old metrics": fmt.Sprintf(graph, "2/98", "99/0", "5/0") +
			"watch 60s\nunlist tm-1\nfreeze\nwatch 60s",
		"restarting": fmt.Sprintf(graph, "2/98", "99/0", "5/0") + "watch 60s\nstate RESTARTING\nlook 10s",
		"restoring":  fmt.Sprintf(graph, "init", "init", "init") + "watch 60s",
	}
	for story, text := range stories {
		r := runScript(t, text).report
		for i := range r.Checks {
			f := &r.Checks[i]
			content := f.Verdict == Fine && alwaysKnown()[f.Rule] == ""
			if content && (f.Rule != "taskmanager-lost" || story == "old metrics") { // heartbeats may well be there
				t.Errorf("%s: %s is content", story, f.Rule)
			}
			if f.Verdict == Unknown && alwaysKnown()[f.Rule] != "" {
				t.Errorf("%s: %s cannot tell: %s", story, f.Rule, f.Why)
			}
		}
		if r.Severity != UnknownSeverity {
			t.Errorf("%s: severity %s: %s", story, r.Severity, r.Headline)
		}
	}
}

// What undetermined says is never followed by good news: healthy is not asked then.
func TestHealthyIsAskedOnlyWhereNothingIsMissing(t *testing.T) {
	t.Parallel()
	for _, story := range ruleStories(t) {
		s := &script{t: t, w: runScript(t, story.text)}
		missing, _ := s.verdict("undetermined")
		if _, asked := s.verdict("healthy"); asked && missing.Verdict != Fine {
			t.Errorf("%s: %s: asked though %s", story.rule, story.name, missing.Summary)
		}
	}
}

func TestEveryStoryBelongsToARule(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/rules/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if !slices.ContainsFunc(Rules(), func(r Rule) bool { return r.Name == name }) {
			t.Errorf("%s is about no rule", file)
		}
	}
}

func TestRulesAreWellFormed(t *testing.T) {
	t.Parallel()
	ids, names := map[string]bool{}, map[string]bool{}
	id, name := regexp.MustCompile(`^FD\d{4}$`), regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	stage := StageRunning
	for _, r := range Rules() {
		if ids[r.ID] || names[r.Name] {
			t.Errorf("%s %s is there twice", r.ID, r.Name)
		}
		ids[r.ID], names[r.Name] = true, true
		if !id.MatchString(r.ID) || !name.MatchString(r.Name) {
			t.Errorf("%q %q is no code or name", r.ID, r.Name)
		}
		if r.Title == "" {
			t.Errorf("%s has no title", r.Name)
		}
		if r.Check == nil {
			t.Errorf("%s checks nothing", r.Name)
		}
		if r.Stage < stage {
			t.Errorf("%s comes after a rule of a later stage", r.Name)
		}
		stage = r.Stage
		for i, s := range r.Needs {
			if slices.Contains(r.Needs[:i], s) {
				t.Errorf("%s needs %s twice", r.Name, s)
			}
		}
	}
}

// What a rule declares is what the collector asks for: a signal that is read and not declared would never be
// there, and one that is declared and not read would be asked for in vain.
func TestRulesReadWhatTheyDeclare(t *testing.T) {
	t.Parallel()
	seen := reads{}
	for _, story := range ruleStories(t) {
		for name, signals := range runScript(t, story.text).read {
			seen.add(name, signals)
		}
	}
	for _, r := range Rules() {
		for _, s := range flinkapi.Signals() {
			declared, read := slices.Contains(r.Needs, s), seen[r.Name][s]
			if declared != read {
				t.Errorf("%s: %s is declared: %v, read: %v", r.Name, s, declared, read)
			}
		}
	}
}

func TestNeedsIsTheUnionInOrder(t *testing.T) {
	t.Parallel()
	all := Needs()
	if !slices.IsSorted(all) {
		t.Errorf("not in order: %v", all)
	}
	for _, r := range Rules() {
		for _, s := range r.Needs {
			if !slices.Contains(all, s) {
				t.Errorf("%s of %s is missing", s, r.Name)
			}
		}
	}
	if len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Errorf("some are there twice: %v", all)
	}
}

// breaking returns the rules with one of them crashing.
func breaking(name string) []Rule {
	rules := Rules()
	for i := range rules {
		if rules[i].Name == name {
			rules[i].Check = func(*Case) Finding { panic("index out of range") }
		}
	}
	return rules
}

// A crash is a failure of the tool. It is told, it stops no other rule, and it is never taken for good news.
func TestACrashOfARuleIsUnknown(t *testing.T) {
	t.Parallel()
	stories := map[string]string{
		"pressed": "src 2/98 -> slow\nslow 99/0 20/0*3 -> sink\nsink 5/0",
		"quiet":   "src 5/0 -> sink\nsink 5/0",
		"unclear": "src 2/98 -> mid\nmid 30/0",
		"sink":    "src 2/98 -> sink\nsink 99/0",
	}
	for _, r := range Rules() {
		for story, graph := range stories {
			t.Run(r.Name+"/"+story, func(t *testing.T) {
				t.Parallel()
				whole, broken := newWorld(t, graph), newWorld(t, graph)
				broken.engine = newEngine(DefaultOptions(), breaking(r.Name))
				whole.watch(time.Minute)
				broken.watch(time.Minute)
				checkCrash(t, r.Name, whole.report, broken.report)
			})
		}
	}
}

func checkCrash(t *testing.T, rule string, whole, broken *Report) {
	t.Helper()
	for _, f := range broken.Checks {
		if f.Rule == rule && (f.Verdict != Unknown || !strings.Contains(f.Why, "crashed: index out of range")) {
			t.Errorf("the crash is told as %+v", f)
		}
	}
	if len(broken.Culprits) != len(whole.Culprits) {
		t.Errorf("%d culprits, %d without the crash", len(broken.Culprits), len(whole.Culprits))
	}
	if rule == "culprit" && broken.Rung(1).State != RungUnknown {
		t.Errorf("rung 1 is %s", broken.Rung(1).State)
	}
	if better := broken.Severity == OK && whole.Severity != OK; better {
		t.Errorf("severity %s instead of %s: %s", broken.Severity, whole.Severity, broken.Headline)
	}
}

func TestACrashOfTheLastRuleLeavesTheJobUndetermined(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "src 5/0 -> sink\nsink 5/0")
	w.engine = newEngine(DefaultOptions(), breaking("healthy"))
	w.watch(time.Minute)
	r := w.report
	if r.Severity != UnknownSeverity || r.Undetermined == nil || r.State.Rule != "undetermined" {
		t.Errorf("severity %s: %s", r.Severity, r.Headline)
	}
	if state := r.Rung(1).State; state != RungUnknown {
		t.Errorf("rung 1 is %s", state)
	}
}

// An answer that is none says why, and nothing else; a fine one says what was found, where its rung tells
// that.
func TestWhatCannotBeToldSaysWhy(t *testing.T) {
	t.Parallel()
	for _, story := range ruleStories(t) {
		r := runScript(t, story.text).report
		for _, f := range r.Checks {
			none := f.Verdict == Unknown || f.Verdict == NotApplicable
			if f.Verdict != Firing && (f.Summary != "" || none && f.Why == "") {
				t.Errorf("%s: %s: %s says %+v", story.rule, story.name, f.Rule, f)
			}
		}
		if r.Severity == UnknownSeverity && (r.Undetermined == nil || r.Undetermined.Why == "") {
			t.Errorf("%s: %s: unknown, because of %+v", story.rule, story.name, r.Undetermined)
		}
	}
}

// Whatever fires can be read by a person: a sentence, whole remedies, no bare numbers.
func TestFiringFindingsAreComplete(t *testing.T) {
	t.Parallel()
	for _, story := range heldStories(t) {
		w := runScript(t, story.text)
		r := w.report
		mustAgree(t, story.name, w)
		for i := range r.Checks {
			f := &r.Checks[i]
			if why := incomplete(f); f.Verdict == Firing && why != "" {
				t.Errorf("%s: %s: %s", story.name, f.Rule, why)
			}
			wholeRemedies(t, story.name+": "+f.Rule, f.Remedies, f.Dont)
		}
		for i := range r.Culprits {
			wholeRemedies(t, story.name+": culprit", r.Culprits[i].Remedies, r.Culprits[i].Dont)
		}
	}
}

var clockTime = regexp.MustCompile(`\b\d\d:\d\d(:\d\d)?\b`)

func incomplete(f *Finding) string {
	switch {
	case f.Summary == "" || f.Code == "" || f.Rule == "" || f.Title == "":
		return "a part is missing"
	case strings.Contains(f.Summary, "NaN") || strings.Contains(f.Summary, "Inf"):
		return "the summary says " + f.Summary
	case clockTime.MatchString(f.Summary): // whose time zone would it be?
		return "the summary tells a time of day: " + f.Summary
	}
	for _, e := range f.Evidence {
		if e.Label == "" || e.Signal == "" || e.Subject == "" || e.Unit == "" {
			return fmt.Sprintf("a number is not complete: %+v", e)
		}
	}
	return ""
}
