package lab

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const enrichAnswer = `{"severity": "critical",
 "culprits": [{"vertex": {"name": "enrich"}, "subtasks": [1], "taskManagers": ["tm-2"],
   "reason": {"name": "hot-key"}, "operator": "lookup", "confidence": "firm", "pattern": "chronic",
   "evidence": [{"signal": "busy", "value": 1, "unit": "ratio"}, {"signal": "period", "value": 50.5, "unit": "s"}],
   "next": {"vertex": {"name": "parse"}, "factor": 1.3}}],
 "also": [{"vertex": {"name": "enrich"}, "reason": {"name": "checkpoint-barriers"}}], "undetermined": null,
 "data": {"firstVerdictSeconds": 0.4, "firmVerdictSeconds": null}}`

func TestParseVerdict(t *testing.T) {
	first := 0.4
	tests := map[string]struct {
		text string
		want Verdict
	}{
		"a culprit": {enrichAnswer, Verdict{
			Severity: "critical",
			Named: []Accused{{
				Vertex: "enrich", Operator: "lookup", Reason: "hot-key", Confidence: "firm", Pattern: "chronic",
				Subtasks: 1, TaskManagers: []string{"tm-2"}, Next: "parse",
				Period: 50500 * time.Millisecond,
			}},
			Reasons:  []string{"checkpoint-barriers"},
			Findings: []Told{{Vertex: "enrich", Reason: "checkpoint-barriers"}},
			First:    &first,
		}},
		"nothing at all": {
			`{"severity": "ok", "culprits": [], "also": []}`,
			Verdict{Severity: "ok", Reasons: []string{"healthy"}},
		},
		"a state of the job": {
			`{"severity": "critical", "state": {"reason": {"name": "restart-loop"}}}`,
			Verdict{
				Severity: "critical", Reasons: []string{"restart-loop"}, Findings: []Told{{Reason: "restart-loop"}},
			},
		},
		"no verdict": {
			`{"severity": "unknown", "undetermined": {"why": "no metrics"}}`,
			Verdict{Severity: "unknown", Reasons: []string{"undetermined"}},
		},
		"neither finding nor ok": {`{"severity": "warning"}`, Verdict{Severity: "warning"}},
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

// script stands for culprit: it prints text and ends with a code.
func script(t *testing.T, text, code string) Check {
	t.Helper()
	path := filepath.Join(t.TempDir(), "culprit")
	body := "#!/bin/sh\ncat <<'END'\n" + text + "\nEND\nexit " + code + "\n"
	if err := os.WriteFile(path, []byte(body), 0o755); err != nil {
		t.Fatal(err)
	}
	return Binary(path).Check
}

func TestBinaryTakesExitCodesForVerdicts(t *testing.T) {
	verdict, err := script(t, enrichAnswer, "2")(t.Context(), "http://localhost:1", "j", Watch{Most: time.Second})
	if err != nil || verdict.Exit != 2 || len(verdict.Named) != 1 {
		t.Errorf("got %+v, %v", verdict, err)
	}
	for text, code := range map[string]string{enrichAnswer: "4", "no JSON": "0"} {
		if verdict, err := script(t, text, code)(t.Context(), "http://localhost:1", "", Watch{Most: time.Second}); err == nil {
			t.Errorf("exit %s with %.10q was taken for %v", code, text, verdict)
		}
	}
}

func TestParseVerdictsGivesEachJobItsOwn(t *testing.T) {
	got, err := parseVerdicts([]byte(`{"jobs": [
		{"job": {"id": "a"}, "severity": "ok", "culprits": []},
		{"job": {"id": "b"}, "severity": "critical", "culprits": [{"vertex": {"name": "enrich"}}]}]}`))
	if err != nil || len(got) != 2 || len(got["a"].Named) != 0 || len(got["b"].Named) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
}
