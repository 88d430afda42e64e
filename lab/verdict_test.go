package lab

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const enrichAnswer = `{"severity": "critical",
 "culprits": [{"vertex": {"name": "enrich"}, "subtasks": [1], "reason": {"name": "hot-key"}, "confidence": "firm"}],
 "also": [{"vertex": {"name": "enrich"}, "reason": {"name": "checkpoint-barriers"}}], "undetermined": null,
 "data": {"firstVerdictSeconds": 0.4, "firmVerdictSeconds": null}}`

func TestParseVerdict(t *testing.T) {
	first := 0.4
	tests := map[string]struct {
		text string
		want Verdict
	}{
		"a culprit": {enrichAnswer, Verdict{
			Named:   []Accused{{Vertex: "enrich", Reason: "hot-key", Confidence: "firm", Subtasks: 1}},
			Reasons: []string{"checkpoint-barriers"}, First: &first,
		}},
		"nothing at all": {`{"severity": "ok", "culprits": [], "also": []}`, Verdict{Reasons: []string{"healthy"}}},
		"a state of the job": {
			`{"severity": "critical", "state": {"reason": {"name": "restart-loop"}}}`,
			Verdict{Reasons: []string{"restart-loop"}},
		},
		"no verdict": {
			`{"severity": "unknown", "undetermined": {"why": "no metrics"}}`, Verdict{Reasons: []string{"undetermined"}},
		},
		"neither finding nor ok": {`{"severity": "warning"}`, Verdict{}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := parseVerdict([]byte(tc.text))
			if err != nil {
				t.Fatal(err)
			}
			tc.want.Text = tc.text
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, err := parseVerdict([]byte("panic: no")); err == nil {
		t.Error("what is not JSON was taken for a verdict")
	}
}

func TestJudge(t *testing.T) {
	firm := func(vertex, reason string) Verdict {
		return Verdict{Named: []Accused{{Vertex: vertex, Reason: reason, Confidence: "firm", Subtasks: 2}}}
	}
	weak := firm("enrich", "external-wait")
	weak.Named[0].Confidence = "probable"
	two := firm("enrich", "external-wait")
	two.Named = append(two.Named, firm("sink", "slow-sink").Named...)
	enrich := culprit("enrich", "external-wait", "lock")
	one := culprit("enrich", "external-wait")
	one.Culprits[0].Instances = 1
	loop := Expect{JobReasons: []string{"restart-loop"}}
	tests := map[string]struct {
		expect  Expect
		verdict Verdict
		want    bool
	}{
		"right":                    {enrich, firm("enrich", "lock"), true},
		"a victim named":           {enrich, firm("parse", "lock"), false},
		"wrong reason":             {enrich, firm("enrich", "cpu-bound"), false},
		"not firm":                 {enrich, weak, false},
		"one too many":             {enrich, two, false},
		"nobody":                   {enrich, Verdict{Reasons: []string{"healthy"}}, false},
		"too many instances":       {one, firm("enrich", "external-wait"), false},
		"the state of the job":     {loop, Verdict{Reasons: []string{"gc", "restart-loop"}}, true},
		"another state":            {loop, Verdict{Reasons: []string{"healthy"}}, false},
		"somebody where nobody is": {loop, firm("enrich", "restart-loop"), false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tc.expect.Judge(tc.verdict); got != tc.want {
				t.Errorf("%s judged against %s: %v, want %v", tc.verdict, tc.expect, got, tc.want)
			}
		})
	}
}

// script stands for culprit: it prints text and ends with a code.
func script(t *testing.T, text, code string) Check {
	t.Helper()
	path := filepath.Join(t.TempDir(), "culprit")
	body := "#!/bin/sh\ncat <<'END'\n" + text + "\nEND\nexit " + code + "\n"
	if err := os.WriteFile(path, []byte(body), 0o755); err != nil {
		t.Fatal(err)
	}
	return Binary(path)
}

func TestBinaryTakesExitCodesForVerdicts(t *testing.T) {
	verdict, err := script(t, enrichAnswer, "2")(t.Context(), "http://localhost:1", "j", time.Second)
	if err != nil || verdict.Exit != 2 || len(verdict.Named) != 1 {
		t.Errorf("got %+v, %v", verdict, err)
	}
	for text, code := range map[string]string{enrichAnswer: "4", "no JSON": "0"} {
		if verdict, err := script(t, text, code)(t.Context(), "http://localhost:1", "", time.Second); err == nil {
			t.Errorf("exit %s with %.10q was taken for %v", code, text, verdict)
		}
	}
}
