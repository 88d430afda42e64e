package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Verdict is what culprit said about one job.
type Verdict struct {
	// Exit is the exit code: 0 ok, 1 warning, 2 critical, 3 unknown; Severity is its word.
	Exit     int
	Severity string
	// Named are the culprits.
	Named []Accused
	// Reasons are the names of all findings that are not culprits, "healthy" if there is none and all is well.
	Reasons []string
	// Findings are those of Reasons that have a subject of their own, in the same order.
	Findings []Told
	// First and Firm are the seconds until the first and until the firm verdict; nil for never.
	First, Firm *float64
	// Text is the answer as it came.
	Text string
	// Replay is how its recording was told anew; nil where nothing was recorded.
	Replay *Replay
}

// Accused is a vertex that was named.
type Accused struct {
	Vertex     string
	Operator   string // empty where no operator of the chain is named
	Reason     string
	Confidence string
	Pattern    string
	Subtasks   int
	Next       string // the vertex that limits the job after the fix; empty where none is told
	// TaskManagers are those on which the named subtasks run.
	TaskManagers []string
	// Period is the time from one of its turns to the next; 0 where none is told.
	Period time.Duration
}

// Told is a finding about a vertex, or about the job where Vertex is empty.
type Told struct {
	Vertex, Reason string
	// Period is as that of an Accused.
	Period time.Duration
}

// Watch bounds a check: how long it lasts at most, and how long it goes on though its verdict is firm. Record
// is the file into which it is recorded and from which it is replayed; empty for none.
type Watch struct {
	Most, Least time.Duration
	Record      string
}

// Check asks culprit about one job of a cluster, watching for a time.
type Check func(ctx context.Context, url, job string, watch Watch) (Verdict, error)

// answer is what the lab reads of the JSON of culprit check about one job.
type answer struct {
	Job struct {
		ID string `json:"id"`
	} `json:"job"`
	Severity     string           `json:"severity"`
	Culprits     []answerCulprit  `json:"culprits"`
	State        *answerFinding   `json:"state"`
	Also         []answerFinding  `json:"also"`
	Undetermined *struct{}        `json:"undetermined"`
	Data         answerCollection `json:"data"`
}

type answerCollection struct {
	First *float64 `json:"firstVerdictSeconds"`
	Firm  *float64 `json:"firmVerdictSeconds"`
}

type answerFinding struct {
	Vertex struct {
		Name string `json:"name"`
	} `json:"vertex"`
	Reason struct {
		Name string `json:"name"`
	} `json:"reason"`
	Evidence []struct {
		Signal string  `json:"signal"`
		Value  float64 `json:"value"`
	} `json:"evidence"`
}

// period is the time from one turn to the next that the evidence tells; 0 for none.
func (f answerFinding) period() time.Duration {
	for _, e := range f.Evidence {
		if e.Signal == "period" {
			return time.Duration(e.Value * float64(time.Second))
		}
	}
	return 0
}

type answerCulprit struct {
	answerFinding
	Operator   string         `json:"operator"`
	Confidence string         `json:"confidence"`
	Pattern    string         `json:"pattern"`
	Subtasks   []int          `json:"subtasks"`
	Workers    []string       `json:"taskManagers"`
	Next       *answerFinding `json:"next"`
}

// parseVerdict reads the JSON of culprit check about one job.
func parseVerdict(text []byte) (Verdict, error) {
	var report answer
	if err := json.Unmarshal(text, &report); err != nil {
		return Verdict{}, fmt.Errorf("decode the answer of culprit check: %w", err)
	}
	verdict := report.verdict()
	verdict.Text = string(text)
	return verdict, nil
}

// parseVerdicts reads the JSON of culprit check about several jobs, by the ids of these.
func parseVerdicts(text []byte) (map[string]Verdict, error) {
	var report struct {
		Jobs []answer `json:"jobs"`
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("decode the answer of culprit check: %w", err)
	}
	verdicts := map[string]Verdict{}
	for i := range report.Jobs {
		verdicts[report.Jobs[i].Job.ID] = report.Jobs[i].verdict()
	}
	return verdicts, nil
}

func (report *answer) verdict() Verdict {
	verdict := Verdict{Severity: report.Severity, First: report.Data.First, Firm: report.Data.Firm}
	for _, c := range report.Culprits {
		verdict.Named = append(verdict.Named, c.accused())
	}
	findings := report.Also
	if report.State != nil {
		findings = append([]answerFinding{*report.State}, findings...)
	}
	for _, f := range findings {
		verdict.Reasons = append(verdict.Reasons, f.Reason.Name)
		verdict.Findings = append(verdict.Findings, Told{f.Vertex.Name, f.Reason.Name, f.period()})
	}
	if report.Undetermined != nil {
		verdict.Reasons = append(verdict.Reasons, "undetermined")
	}
	if len(verdict.Named)+len(verdict.Reasons) == 0 && report.Severity == "ok" {
		verdict.Reasons = []string{"healthy"}
	}
	return verdict
}

func (c answerCulprit) accused() Accused {
	a := Accused{
		Vertex: c.Vertex.Name, Operator: c.Operator, Reason: c.Reason.Name, Confidence: c.Confidence,
		Pattern: c.Pattern, Subtasks: len(c.Subtasks), TaskManagers: c.Workers,
		Period: c.period(),
	}
	if c.Next != nil {
		a.Next = c.Next.Vertex.Name
	}
	return a
}

// periods are those of the findings.
func (v Verdict) periods() string {
	text := ""
	for _, f := range v.Findings {
		if f.Period > 0 {
			text += fmt.Sprintf("; %s every %.3g s", f.Reason, f.Period.Seconds())
		}
	}
	return text
}

// String gives the verdict in a line for people.
func (v Verdict) String() string {
	if len(v.Named) == 0 {
		return "nobody: " + strings.Join(v.Reasons, ", ") + v.periods()
	}
	parts := make([]string, len(v.Named))
	for i, a := range v.Named {
		vertex := a.Vertex
		if a.Operator != "" && a.Operator != a.Vertex {
			vertex += fmt.Sprintf(" (%s)", a.Operator)
		}
		pattern := a.Pattern
		if a.Period > 0 {
			pattern += fmt.Sprintf(" every %.3g s", a.Period.Seconds())
		}
		parts[i] = fmt.Sprintf("%s: %s (%s, %s, %d subtasks)",
			vertex, a.Reason, a.Confidence, pattern, a.Subtasks)
	}
	text := strings.Join(parts, "; ")
	if len(v.Reasons) > 0 {
		text += "; also " + strings.Join(v.Reasons, ", ")
	}
	return text
}
