package lab

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checked is a result as a run gives it; the screen is that of slowMiddleScreen.
func checked(scenario, version string, grade Grade, named ...string) Result {
	return Result{
		Version: version, Scenario: scenario, Date: "2026-11-29", Expected: "what must be said", Seen: "what | was said",
		Tries: 1, OK: grade.Reason, Grade: &grade, Named: named, Screen: slowMiddleScreen(),
	}
}

func accuracySample() ([]Result, []Scenario) {
	calm := Expect{JobReasons: []string{"healthy"}}
	scenarios := []Scenario{
		{Name: "slow", Expect: culprit("enrich", "external-wait")},
		{Name: "calm", Expect: calm},
	}
	first, firm := 0.412, 40.26
	results := []Result{
		checked("slow", "1.20.5", right(), "enrich"),
		checked("slow", "2.3.0", subjectOnly(), "enrich"),
		checked("calm", "1.20.5", wrong(), "enrich"),
		checked("calm", "2.3.0", right()),
		{Version: "2.3.0", Scenario: "frozen", Date: "2026-12-01", Expected: "exit 3", Seen: "exit 3", Tries: 1, OK: true},
	}
	results[0].First, results[0].Firm = &first, &firm
	results[1].Tries = 2
	results[0].Replay, results[1].Replay = replayOf(""), replayOf("").plus(replayOf("firm: true live, false replayed"))
	results[4].Replay = replayOf("").plus(replayOf(""))
	return results, scenarios
}

func TestAccuracyIsTheSameInAnyOrder(t *testing.T) {
	results, scenarios := accuracySample()
	got := Accuracy(results, scenarios)
	slices.Reverse(results)
	if diff := cmp.Diff(got, Accuracy(results, scenarios)); diff != "" {
		t.Error(diff)
	}
}

// section returns the table below a heading.
func section(t *testing.T, text, heading string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, "## "+heading+"\n")
	if !found {
		t.Fatalf("no heading %q in\n%s", heading, text)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	return rest[strings.Index(rest, "|"):]
}

func TestAccuracyCounts(t *testing.T) {
	text := Accuracy(accuracySample())
	tests := map[string]string{
		"Totals": `| what | count |
|---|---|
| verdicts | 4 |
| right | 2 |
| wrong in the subject | 1 |
| wrong in the reason alone | 1 |
| victims named | 0 |
| somebody named in a job where nobody may be (2) | 1 |
| tried twice | 1 |
| wrong in an earlier run, checked again | 0 |
`,
		"Recorded and replayed": `| scenario | flink | first difference |
|---|---|---|
| slow | 2.3.0 | firm: true live, false replayed |
`,
		"Simpler rules on the same jobs": `| rule | right subject | a victim | another, or nobody |
|---|---|---|---|
| culprit | 3 | 0 | 1 |
| most backpressured vertex | 0 | 2 | 2 |
| busiest vertex | 2 | 0 | 2 |
| last backpressured vertex | 0 | 2 | 2 |
| highest sum of both | 0 | 2 | 2 |
`,
		"Faults": `| fault | flink | must be said | was said |  |
|---|---|---|---|---|
| frozen | 2.3.0 | exit 3 | exit 3 | ok |
`,
	}
	for heading, want := range tests {
		if diff := cmp.Diff(want, section(t, text, heading)); diff != "" {
			t.Errorf("%s: %s", heading, diff)
		}
	}
	for _, want := range []string{
		"4 of 5 recordings gave the same answer.",
		"Checked 2026-11-29 to 2026-12-01 on Flink 1.20.5, 2.3.0.",
		`| slow | 1.20.5 | what must be said | what \| was said | ok | ok | 0.412 s | 40.3 s | 1 |`,
		"| slow | 2.3.0 | what must be said | what \\| was said | ok | wrong | - | - | 2 |",
		"| slow | 2.3.0 | orders (victim) | enrich (right) | parse (victim) | orders (victim) |",
		"| calm | 2.3.0 | orders (other) | enrich (other) | parse (other) | orders (other) |",
	} {
		if !strings.Contains(text, want+"\n") && !strings.Contains(text, want+" ") {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestAccuracyCountsVictims(t *testing.T) {
	_, scenarios := accuracySample()
	results := []Result{checked("slow", "2.3.0", wrong(), "orders", "parse", "archive")}
	text := Accuracy(results, scenarios)
	for _, want := range []string{"| victims named | 2 |", "| culprit | 0 | 1 | 0 |"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestAccuracyLeavesUnreadPagesOutOfTheComparison(t *testing.T) {
	_, scenarios := accuracySample()
	unread := checked("slow", "2.3.0", right(), "enrich")
	unread.Screen = nil
	broken := Result{Version: "1.20.5", Scenario: "slow", Seen: "culprit check ended with 4"}
	text := Accuracy([]Result{unread, broken}, scenarios)
	for _, want := range []string{
		"| culprit | 0 | 0 | 0 |", "| busiest vertex | 0 | 0 | 0 |", "| verdicts | 2 |", "| wrong in the subject | 1 |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if !strings.Contains(Accuracy(nil, scenarios), "Nothing was checked.") {
		t.Error("results where there are none")
	}
}

func TestReadResultsTakesTheLastOfEach(t *testing.T) {
	results, _ := accuracySample()
	dirs := []string{filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")}
	renewed := checked("slow", "1.20.5", wrong(), "parse")
	for i, written := range [][]Result{results, {renewed}} {
		if err := WriteResults(dirs[i], written); err != nil {
			t.Fatal(err)
		}
	}
	files := []string{filepath.Join(dirs[0], "lab.json"), filepath.Join(dirs[1], "lab.json")}
	got, err := ReadResults(files)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append(results[1:], renewed), got); diff != "" {
		t.Error(diff)
	}
	if err = os.WriteFile(files[0], []byte("no JSON"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err = ReadResults(files); err == nil {
		t.Error("what is no JSON was read")
	}
}

func TestAWrongVerdictOfAnEarlierRunIsKept(t *testing.T) {
	results, scenarios := accuracySample()
	first, second := checked("slow", "1.20.5", wrong(), "parse"), checked("slow", "1.20.5", right(), "enrich")
	first.Seen = "parse: burst"
	var files []string
	for _, written := range [][]Result{results, {first}, {second}, {second}} {
		dir := t.TempDir()
		if err := WriteResults(dir, written); err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.Join(dir, "lab.json"))
	}
	joined, err := ReadResults(files)
	if err != nil {
		t.Fatal(err)
	}
	text := Accuracy(joined, scenarios)
	for _, want := range []string{
		"| wrong in an earlier run, checked again | 1 |", "| slow | 1.20.5 | parse: burst |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
