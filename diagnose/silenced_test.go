package diagnose

import (
	"slices"
	"strings"
	"testing"
)

// hushed runs a story with some rules silenced, and returns its last report.
func hushed(t *testing.T, story string, rules ...string) *Report {
	t.Helper()
	o := DefaultOptions()
	for _, name := range rules {
		if err := o.Silence(name); err != nil {
			t.Fatal(err)
		}
	}
	return runScriptOf(t, o, Rules(), story).report
}

const slowSinkStory = `
src 2/98 -> sink
sink 99/0*2

cpu tm-1 0.05
watch 12m
`

// A culprit whose reason is silenced has no other reason, alarms nobody, and says why.
func TestASilencedReasonLeavesTheCulpritWithoutOne(t *testing.T) {
	t.Parallel()
	loud := hushed(t, slowSinkStory)
	if loud.Severity != Critical || loud.Culprits[0].Reason.Name != "slow-sink" || len(loud.Silenced) > 0 {
		t.Fatalf("without silence: %s, %+v", loud.Severity, loud.Culprits[0].Reason)
	}
	r := hushed(t, slowSinkStory, "slow-sink", "gc")
	x := &r.Culprits[0]
	if x.Reason.Name != "undetermined" || x.Reason.Silenced != "slow-sink" ||
		!strings.Contains(x.Reason.Summary, "because slow-sink, which fires, is silenced") {
		t.Errorf("the reason is %+v", x.Reason)
	}
	if r.Severity != OK || !r.Firm {
		t.Errorf("severity %s, firm %v", r.Severity, r.Firm)
	}
	want := []Silenced{
		{
			Rule: "slow-sink", Fires: true, Severity: Critical, Vertex: VertexRef{"sink", "sink"},
			Summary: loud.Culprits[0].Reason.Summary,
		},
		{Rule: "gc"},
	}
	if !slices.Equal(r.Silenced, want) {
		t.Errorf("silenced: %+v", r.Silenced)
	}
	if got := SilencedText(r); got != "slow-sink, which fires; gc" {
		t.Errorf("text: %s", got)
	}
	if text := r.Text(); !strings.Contains(text, "silenced  slow-sink, which fires for sink: ") ||
		!strings.Contains(text, "silenced  gc\n") {
		t.Errorf("%s", text)
	}
}

// What is silenced beside the verdict moves neither the severity nor what is told beside it.
func TestASilencedFindingIsNoAlarm(t *testing.T) {
	t.Parallel()
	const story = `
src 5/0 => profile
profile 20/0 -> warehouse
warehouse 1/0

checkpointing interval=60s timeout=2m
checkpoint 1 FAILED 1s ago=20s failure=Disk_full.
checkpoint 2 FAILED 1s ago=10s failure=Disk_full.
watch 60s
`
	if r := hushed(t, story); r.Severity != Critical {
		t.Fatalf("without silence: %s", r.Severity)
	}
	r := hushed(t, story, "checkpoint-failing")
	told := slices.ContainsFunc(r.Also, func(f Finding) bool { return f.Rule == "checkpoint-failing" })
	if r.Severity != OK || told || len(r.Silenced) != 1 || !r.Silenced[0].Fires {
		t.Errorf("severity %s, beside: %v, silenced %+v", r.Severity, told, r.Silenced)
	}
	if rung := r.Rung(5); rung.State != RungHit || !strings.HasPrefix(rung.Why, "silenced: checkpoint-failing") {
		t.Errorf("rung 5: %s, %s", rung.State, rung.Why)
	}
}

// A job that does not run is no alarm where that is silenced, and nobody is named in it.
func TestASilencedStateStillHolds(t *testing.T) {
	t.Parallel()
	const story = `
src 2/98 -> sink
sink 99/0

watch 40s
state FAILED
exception 1s sink disk full
look 10s
`
	if r := hushed(t, story); r.Severity != Critical {
		t.Fatalf("without silence: %s", r.Severity)
	}
	r := hushed(t, story, "failed")
	if r.Severity != OK || len(r.Culprits) > 0 || r.State.Rule != "failed" ||
		!strings.HasPrefix(r.Headline, "silenced: failed, which fires: the job has failed") {
		t.Errorf("%s: %s", r.Severity, r.Headline)
	}
}

// What alarms comes first where the reason of the culprit is silenced.
func TestTheHeadlineIsOfWhatAlarms(t *testing.T) {
	t.Parallel()
	r := hushed(t, slowSinkStory+`
checkpointing interval=60s timeout=2m
checkpoint 1 FAILED 1s ago=10s failure=Disk_full.
watch 20s
`, "slow-sink")
	if r.Severity != Critical || !strings.HasPrefix(r.Headline, "the only checkpoint that is over failed: Disk full.") ||
		!strings.HasSuffix(r.Headline, "; beside it sink holds the job back: undetermined, because slow-sink, which "+
			"fires, is silenced") {
		t.Errorf("%s: %s", r.Severity, r.Headline)
	}
}

// Two rules that tell of the same collector are silenced together: the second one would raise the alarm that
// was silenced. By itself heap-full is silenced alone.
func TestWhoSilencesCollectionsHearsOfThemNowhere(t *testing.T) {
	t.Parallel()
	const story = `
src 10/90 -> parse
parse 100/0*2 -> sink
sink 10/0*2

place src tm-2
place sink tm-2*2
metric tm-1 gc-share 0.6
metric tm-2 gc-share 0.01
watch 120s
`
	beside := func(r *Report) bool {
		return slices.ContainsFunc(r.Also, func(f Finding) bool { return f.Rule == "heap-full" })
	}
	if r := hushed(t, story); !beside(r) || r.Culprits[0].Reason.Name != "gc" {
		t.Fatalf("without silence: %s", r.Text())
	}
	if r := hushed(t, story, "gc"); beside(r) || r.Severity != OK {
		t.Errorf("gc is silenced: severity %s: %s", r.Severity, r.Text())
	}
	if r := hushed(t, story, "heap-full"); beside(r) || r.Culprits[0].Reason.Name != "gc" {
		t.Errorf("heap-full is silenced: %s", r.Text())
	}
}

// A rule is silenced by its code as by its name, and the operator inside the chain that it found stays told.
func TestARuleIsSilencedByItsCodeAndTheOperatorStays(t *testing.T) {
	t.Parallel()
	loud, ok := RuleNamed("fd0203")
	if !ok || loud.Name != "slow-sink" {
		t.Fatalf("fd0203 is %q", loud.Name)
	}
	o := DefaultOptions()
	for _, name := range []string{"FD0203", "slow-sink"} {
		if err := o.Silence(name); err != nil {
			t.Fatal(err)
		}
	}
	if len(o.silenced) != 1 || o.silenced[0] != "slow-sink" {
		t.Errorf("%q are silenced", o.silenced)
	}
	checked := 0
	for _, story := range ruleStories(t) {
		if story.rule != "slow-sink" || story.want != "fires" {
			continue
		}
		told := runScript(t, wantless(story.text)).report.Culprits[0]
		quiet := runScriptOf(t, o, Rules(), wantless(story.text)).report.Culprits[0]
		if told.Operator != "" {
			checked++
		}
		if quiet.Vertex != told.Vertex || quiet.Operator != told.Operator {
			t.Errorf("%s: %s, operator %q, is silenced to %s, operator %q", story.name, told.Vertex.Name,
				told.Operator, quiet.Vertex.Name, quiet.Operator)
		}
	}
	if checked == 0 {
		t.Error("no story of slow-sink names an operator")
	}
}

// wantless is a story without what it expects.
func wantless(text string) string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return strings.HasPrefix(l, "want ") })
	return strings.Join(lines, "\n")
}
