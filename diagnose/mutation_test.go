package diagnose

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// held says what notices each change of a threshold: a line "NAME less FILE: STORY", and one for more. Where
// no story can, the name of a test stands instead of it; "-" is one that is still to be found. UPDATE=1 looks
// for stories anew, which takes minutes.
const (
	held      = "testdata/held.txt"
	nobodyYet = "-"
)

// moved are the values of a threshold that a story must notice: clearly less and clearly more.
func (e entry) moved() map[string]string {
	const times = 1.5
	switch {
	case e.span != nil:
		x := float64(*e.span)
		return map[string]string{
			"less": time.Duration(x / times).String(), "more": time.Duration(x * times).String(),
		}
	case e.ratio != nil:
		up := *e.ratio * times
		if *e.ratio < 1 && up >= 1 { // a share: half the way to the whole
			up = (1 + *e.ratio) / 2
		}
		down := *e.ratio / times
		if e.least > 0 && down < e.least { // a factor: half the way to its least
			down = (e.least + *e.ratio) / 2
		}
		text := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
		return map[string]string{"less": text(down), "more": text(up)}
	}
	return map[string]string{"less": strconv.Itoa(*e.count - 1), "more": strconv.Itoa(*e.count + 1)}
}

// noticed ends a story at its first failed expectation.
type noticed struct{ testing.TB }

type failedStory struct{}

func (n noticed) Errorf(string, ...any) { panic(failedStory{}) }
func (n noticed) Error(...any)          { panic(failedStory{}) }
func (n noticed) Fatalf(string, ...any) { panic(failedStory{}) }
func (n noticed) Fatal(...any)          { panic(failedStory{}) }

// heldStory is a story under its name, with the rule that it is about, if any.
type heldStory struct {
	name, text string
	rule, want string
}

// fails tells whether a story goes wrong with these options and rules.
func (s *heldStory) fails(t *testing.T, options Options, rules []Rule) (failed bool) {
	t.Helper()
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failedStory:
			failed = true
		default:
			panic(p)
		}
	}()
	w := runScriptOf(noticed{t}, options, rules, s.text)
	if s.rule == "" {
		return false
	}
	f, asked := (&script{t: noticed{t}, w: w}).verdict(s.rule)
	return verdictWord(&f, asked) != s.want
}

func heldStories(t *testing.T) []heldStory {
	t.Helper()
	var out []heldStory
	for _, s := range ruleStories(t) {
		out = append(out, heldStory{s.rule + ": " + s.name, s.text, s.rule, s.want})
	}
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, a := range readArchive(t, file) {
			name := strings.TrimSuffix(filepath.Base(file), ".txtar")
			out = append(out, heldStory{name: name + ": " + a.name, text: a.text})
		}
	}
	return out
}

// holders reads which story holds what.
func holders(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(held)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		way, story, _ := strings.Cut(rest, " ")
		out[name+" "+way] = story
	}
	return out
}

// Each threshold is held by stories: with clearly less, and with clearly more, some story goes wrong.
func TestEveryThresholdIsHeldByAStory(t *testing.T) {
	t.Parallel()
	stories, before := heldStories(t), holders(t)
	found, guard := map[string]string{}, sync.Mutex{}
	defaults := defaultThresholds()
	for _, e := range defaults.entries() {
		for way, value := range e.moved() {
			key := e.name + " " + way
			found[key] = before[key]
			t.Run(key, func(t *testing.T) {
				t.Parallel()
				options := DefaultOptions()
				if err := options.SetThreshold(e.name, value); err != nil {
					t.Fatal(err)
				}
				by := holder(t, stories, before[key], e.name, options)
				if by == "" {
					t.Errorf("with %s = %s instead of %s every story is right", e.name, value, e.text())
					by = nobodyYet
				}
				guard.Lock()
				defer guard.Unlock()
				found[key] = by
				if os.Getenv("UPDATE") != "" {
					note(t, found)
				}
			})
		}
	}
}

// note writes which story holds what.
func note(t *testing.T, found map[string]string) {
	t.Helper()
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintf(&b, "%s %s\n", key, found[key])
	}
	if err := os.WriteFile(held, []byte(b.String()), 0o644); err != nil { //nolint:gosec // as other files
		t.Fatal(err)
	}
}

// holder returns the story that goes wrong: the one that did before, or with UPDATE=1 any; empty for none.
func holder(t *testing.T, stories []heldStory, before, threshold string, options Options) string {
	t.Helper()
	if strings.HasPrefix(before, "Test") {
		if !strings.Contains(sources(t, "*_test.go"), "func "+before+"(") {
			t.Errorf("there is no %s", before)
		}
		return before
	}
	if before == nobodyYet && os.Getenv("UPDATE") == "" {
		t.Skip("no story is near this threshold yet")
	}
	i := slices.IndexFunc(stories, func(s heldStory) bool { return s.name == before })
	if i >= 0 && stories[i].fails(t, options, Rules()) {
		return before
	}
	if os.Getenv("UPDATE") == "" {
		return ""
	}
	near := readers(t, threshold)
	for _, turn := range []func(s *heldStory) bool{
		func(s *heldStory) bool { return near[s.rule] },
		func(s *heldStory) bool { return s.rule == "" },
		func(s *heldStory) bool { return s.rule != "" && !near[s.rule] },
	} {
		for i := range stories {
			if s := &stories[i]; turn(s) && s.fails(t, options, Rules()) {
				return s.name
			}
		}
	}
	return ""
}

// readers are the rules in whose files a threshold is read: their stories are the first to look at.
func readers(t *testing.T, threshold string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	field := regexp.MustCompile(`&t\.(\w+),\s+"` + threshold + `"`).FindStringSubmatch(sources(t, "*.go"))
	files, err := filepath.Glob("rule_*.go")
	if err != nil || field == nil {
		return out
	}
	name := regexp.MustCompile(`Name: "([a-z-]+)"`)
	for _, file := range files {
		text := sources(t, file)
		if !strings.Contains(text, "limits."+field[1]) {
			continue
		}
		for _, m := range name.FindAllStringSubmatch(text, -1) {
			out[m[1]] = true
		}
	}
	return out
}

// sources is the text of the package's files that match.
func sources(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
	}
	return b.String()
}

// answering returns the rules, of which one gives another finding where its verdict is one of some.
func answering(rule string, from []Verdict, to Finding) []Rule {
	rules := Rules()
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.Name == rule })
	check := rules[i].Check
	rules[i].Check = func(c *Case) Finding {
		if f := check(c); !slices.Contains(from, f.Verdict) {
			return f
		}
		return to
	}
	return rules
}

// Each rule is held by its own stories: they notice when it takes one kind of answer for another.
func TestEveryRuleIsHeldByItsStories(t *testing.T) {
	t.Parallel()
	stories := map[string][]heldStory{}
	for _, s := range heldStories(t) {
		stories[s.rule] = append(stories[s.rule], s)
	}
	// It is asked last, after the rule that tells of what is not clear, so it always fires.
	never := []string{"healthy always fires"}
	fires := Finding{Verdict: Firing, Severity: Warning, Summary: "it fires", Why: "it fires"}
	for _, rule := range Rules() {
		for _, change := range []struct {
			what     string
			from     []Verdict
			to       Finding
			wantFrom []string
		}{
			{"never fires", []Verdict{Firing}, fine(), []string{"fires"}},
			{"always fires", []Verdict{Fine, NotApplicable, Unknown}, fires, nil},
			{"fires where all is fine", []Verdict{Fine}, fires, []string{"fine"}},
			{"fires where it does not apply", []Verdict{NotApplicable}, fires, []string{"not-applicable"}},
			{"fires on what is not known", []Verdict{Unknown}, fires, []string{"unknown"}},
			{"takes the unknown for fine", []Verdict{Unknown}, fine(), []string{"unknown"}},
		} {
			t.Run(rule.Name+" "+change.what, func(t *testing.T) {
				t.Parallel()
				relevant := change.wantFrom == nil || slices.ContainsFunc(stories[rule.Name], func(s heldStory) bool {
					return slices.Contains(change.wantFrom, s.want)
				})
				if !relevant || slices.Contains(never, rule.Name+" "+change.what) {
					t.Skip("no story has that answer")
				}
				rules := answering(rule.Name, change.from, change.to)
				for k := range stories[rule.Name] {
					if stories[rule.Name][k].fails(t, DefaultOptions(), slices.Clone(rules)) {
						return
					}
				}
				t.Errorf("%s %s, and every story of it is right", rule.Name, change.what)
			})
		}
	}
}
