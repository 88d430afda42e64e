package diagnose

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"culprit/flinkapi"
)

// forbidden is a pattern that no text for people may hold, and what is wrong with it.
type forbidden struct {
	pattern *regexp.Regexp
	why     string
}

func allForbidden(t *testing.T) []forbidden {
	t.Helper()
	data, err := os.ReadFile("testdata/forbidden.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []forbidden
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if pattern, why, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			out = append(out, forbidden{regexp.MustCompile(pattern), why})
		}
	}
	return out
}

// doubled is a word of a text that stands there twice in a row; empty for none.
func doubled(text string) string {
	before := ""
	for _, word := range strings.Fields(text) {
		bare := strings.ToLower(strings.TrimSuffix(word, ":"))
		if bare == before && strings.Trim(bare, "abcdefghijklmnopqrstuvwxyz-") == "" {
			return bare
		}
		before = bare // with its comma or semicolon, behind which the same word may stand
	}
	return ""
}

// The texts of all stories are plain: units belong to their numbers, one thing is not called several, no word
// stands twice. What is told of a setting as its value now was read from the cluster.
func TestTheTextsOfStoriesArePlain(t *testing.T) {
	t.Parallel()
	all := allForbidden(t)
	for _, story := range ruleStories(t) {
		w := runScript(t, story.text)
		texts := []string{w.report.Text()}
		for i := range w.report.Checks {
			f := &w.report.Checks[i]
			texts = append(texts, f.Why, f.Summary)
			mustBeRead(t, story.rule+": "+story.name, w.settings, f.Remedies)
		}
		for i := range w.report.Ladder {
			texts = append(texts, w.report.Ladder[i].Why)
		}
		for i := range w.report.Culprits {
			mustBeRead(t, story.rule+": "+story.name, w.settings, w.report.Culprits[i].Remedies)
		}
		for line := range strings.Lines(strings.Join(texts, "\n")) {
			for _, x := range all {
				if x.pattern.MatchString(strings.TrimSpace(line)) {
					t.Errorf("%s: %s: %s: %s", story.rule, story.name, x.why, strings.TrimSpace(line))
				}
			}
			if word := doubled(line); word != "" {
				t.Errorf("%s: %s: %s twice: %s", story.rule, story.name, word, line)
			}
		}
	}
}

// shownElsewhere are what remedies change that Flink shows elsewhere than in its configuration: in the plan,
// in the checkpoints' configuration, in the overview of a TaskManager, or by what the job does.
func shownElsewhere() []string {
	return []string{
		"parallelism", "setParallelism", "pipeline.max-parallelism", "taskmanager.numberOfTaskSlots",
		"state.backend.type", "state.backend", "WatermarkStrategy.forBoundedOutOfOrderness",
	}
}

// mustBeRead checks that the values of remedies that are told as those of now were read from the cluster.
func mustBeRead(t *testing.T, where string, settings map[string]string, all []Remedy) {
	t.Helper()
	for i := range all {
		r := &all[i]
		if r.Key == "" || !strings.Contains(r.Change(), "now ") || slices.Contains(shownElsewhere(), r.Key) ||
			strings.HasPrefix(r.Key, "execution.checkpointing.") {
			continue
		}
		value, set := settings[r.Key]
		for _, other := range renames() {
			if v, ok := settings[other.now]; ok && other.before == r.Key && !set {
				value, set = v, true
			}
		}
		if !set || withUnit(r.Key, value) != r.From {
			t.Errorf("%s: %s%s was not read", where, r.Do, r.Change())
		}
	}
}

// The defaults of what clients of other systems are set to are never told as what was read.
func TestDefaultsOfClientsAreToldAsSuch(t *testing.T) {
	t.Parallel()
	for _, kind := range append(sinkKinds(), asyncSink(), anySink()) {
		for _, r := range slices.Concat(kind.waiting, kind.computing) {
			if strings.Contains(r.Change(), "now ") {
				t.Errorf("%s: %s", kind.name, r.Change())
			}
		}
	}
}

// A clear rung says what was looked at and found, in every story.
func TestAClearRungSaysWhatWasFound(t *testing.T) {
	t.Parallel()
	for _, story := range ruleStories(t) {
		for _, rung := range runScript(t, story.text).report.Ladder {
			if rung.Why == "" || rung.Why == "no" {
				t.Errorf("%s: %s: rung %d is %s and says %q", story.rule, story.name, rung.Number, rung.State,
					rung.Why)
			}
		}
	}
}

func TestTheVersionIsNamedOnlyWhereItIsTheReason(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"":       " (Flink tells it from 1.20 on)",
		"1.19.3": " (Flink tells it from 1.20 on, and this is 1.19.3)",
		"1.20.5": "",
		"2.0.1":  "",
	} {
		c := &Case{snapshot: &flinkapi.Snapshot{Cluster: flinkapi.Cluster{Version: version}}}
		if got := c.tellsFrom(120); got != want {
			t.Errorf("of %q it says %q", version, got)
		}
	}
}
