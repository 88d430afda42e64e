package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Verdict is what culprit said about one job.
type Verdict struct {
	// Exit is the exit code: 0 ok, 1 warning, 2 critical, 3 unknown.
	Exit int
	// Named are the culprits.
	Named []Accused
	// Reasons are the names of all findings that are not culprits, "healthy" if there is none and all is well.
	Reasons []string
	// First and Firm are the seconds until the first and until the firm verdict; nil for never.
	First, Firm *float64
	// Text is the answer as it came.
	Text string
}

// Accused is a vertex that was named.
type Accused struct {
	Vertex     string
	Reason     string
	Confidence string
	Subtasks   int
}

// Check asks culprit about one job of a cluster (all jobs if job is empty), watching for a time.
type Check func(ctx context.Context, url, job string, watch time.Duration) (Verdict, error)

// Binary runs a built culprit as any script would. Exit codes 0 to 3 are verdicts, others are errors.
func Binary(path string) Check {
	return func(ctx context.Context, url, job string, watch time.Duration) (Verdict, error) {
		args := []string{"check", url, "--for", watch.String(), "--format", "json"}
		if job != "" {
			args = append(args, "--job", job)
		}
		cmd := exec.CommandContext(ctx, path, args...)
		var out, complaints bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &complaints
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			return Verdict{}, fmt.Errorf("run culprit: %w", err)
		}
		code := cmd.ProcessState.ExitCode()
		if code < 0 || code > 3 {
			return Verdict{}, fmt.Errorf("culprit check ended with %d: %s", code, complaints.String())
		}
		verdict, err := parseVerdict(out.Bytes())
		if err != nil {
			return Verdict{}, fmt.Errorf("%w\n%s%s", err, out.String(), complaints.String())
		}
		verdict.Exit = code
		return verdict, nil
	}
}

// parseVerdict reads the JSON of culprit check about one job.
func parseVerdict(text []byte) (Verdict, error) {
	type finding struct {
		Vertex struct {
			Name string `json:"name"`
		} `json:"vertex"`
		Reason struct {
			Name string `json:"name"`
		} `json:"reason"`
		Confidence string `json:"confidence"`
		Subtasks   []int  `json:"subtasks"`
	}
	var report struct {
		Severity     string    `json:"severity"`
		Culprits     []finding `json:"culprits"`
		State        *finding  `json:"state"`
		Also         []finding `json:"also"`
		Undetermined *struct{} `json:"undetermined"`
		Data         struct {
			First *float64 `json:"firstVerdictSeconds"`
			Firm  *float64 `json:"firmVerdictSeconds"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return Verdict{}, fmt.Errorf("decode the answer of culprit check: %w", err)
	}
	verdict := Verdict{First: report.Data.First, Firm: report.Data.Firm, Text: string(text)}
	for _, c := range report.Culprits {
		verdict.Named = append(verdict.Named, Accused{
			Vertex: c.Vertex.Name, Reason: c.Reason.Name, Confidence: c.Confidence, Subtasks: len(c.Subtasks),
		})
	}
	if report.State != nil {
		verdict.Reasons = append(verdict.Reasons, report.State.Reason.Name)
	}
	for _, f := range report.Also {
		verdict.Reasons = append(verdict.Reasons, f.Reason.Name)
	}
	if report.Undetermined != nil {
		verdict.Reasons = append(verdict.Reasons, "undetermined")
	}
	if len(verdict.Named)+len(verdict.Reasons) == 0 && report.Severity == "ok" {
		verdict.Reasons = []string{"healthy"}
	}
	return verdict, nil
}

// Judge compares a verdict with the right one.
func (e Expect) Judge(v Verdict) bool {
	if len(v.Named) != len(e.Culprits) {
		return false
	}
	for _, want := range e.Culprits {
		i := slices.IndexFunc(v.Named, func(a Accused) bool { return a.Vertex == want.Vertex })
		if i < 0 || !slices.Contains(want.Reasons, v.Named[i].Reason) {
			return false
		}
		if want.Instances > 0 && v.Named[i].Subtasks != want.Instances {
			return false
		}
		if v.Named[i].Confidence != "firm" {
			return false
		}
	}
	return len(e.JobReasons) == 0 ||
		slices.ContainsFunc(v.Reasons, func(reason string) bool { return slices.Contains(e.JobReasons, reason) })
}

// String gives the expectation in a line for people.
func (e Expect) String() string {
	if e.Nobody() {
		return "nobody: " + strings.Join(e.JobReasons, " or ")
	}
	parts := make([]string, len(e.Culprits))
	for i, c := range e.Culprits {
		parts[i] = c.Vertex + ": " + strings.Join(c.Reasons, " or ")
	}
	return strings.Join(parts, "; ")
}

// String gives the verdict in a line for people.
func (v Verdict) String() string {
	if len(v.Named) == 0 {
		return "nobody: " + strings.Join(v.Reasons, ", ")
	}
	parts := make([]string, len(v.Named))
	for i, a := range v.Named {
		parts[i] = fmt.Sprintf("%s: %s (%s, %d subtasks)", a.Vertex, a.Reason, a.Confidence, a.Subtasks)
	}
	return strings.Join(parts, "; ")
}
