package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strings"
	"time"

	"culprit/lab/cluster"
)

// Twin is a scenario of culprit's demo whose graph runs on a real cluster too.
type Twin struct {
	// Scenario is its name in culprit demo.
	Scenario string
	// Args describe the same graph to the job Twin.
	Args []string
}

// Twins are the scenarios that are compared: same parallelisms, service times, ways to ship, and supply.
func Twins() []Twin {
	twin := func(scenario, graph, rate string, more ...string) Twin {
		args := []string{"--graph", graph, "--rate", rate, "--checkpoint-ms", "30000"}
		return Twin{scenario, append(args, more...)}
	}
	return []Twin{
		twin("healthy", "orders:4:150:rebalance;parse:4:300:hash;totals:4:500:rebalance;warehouse:4:700:", "2000"),
		twin("slow-middle",
			"orders:2:150:rebalance;parse:2:200:rebalance;enrich:2:2000:rebalance;format:2:120:forward;archive:2:100:",
			"2000"),
		twin("slow-sink",
			"orders:16:300:rebalance;parse:16:400:forward;clean:16:250:rebalance;jdbc-upsert -> warehouse:2:5650:",
			"600"),
		twin("no-headroom", "orders:4:150:rebalance;parse:4:300:hash;totals:4:1820:rebalance;warehouse:4:700:",
			"2000"),
		twin("key-groups",
			"orders:4:100:forward;parse:4:150:hash;customer-totals:4:1200:rebalance;totals:4:80:", "3000",
			"--key-groups", "6"),
		twin("cost-skew",
			"orders:4:100:forward;parse:4:150:hash;customer-profile:4:500:forward;profiles:4:80:", "1600",
			"--first-factor", "7"),
		twin("source-bound", "telemetry:2:1500:rebalance;parse:2:150:forward;metrics:2:200:", "1800"),
	}
}

// Measured is what culprit check --format json tells of the vertices of a job and of its newest checkpoint.
type Measured struct {
	Vertices []struct {
		Vertex struct {
			Name string `json:"name"`
		} `json:"vertex"`
		Busy          *float64 `json:"busy"`
		Backpressured *float64 `json:"backpressured"`
		Idle          *float64 `json:"idle"`
		RecordsIn     *float64 `json:"recordsInPerSecond"`
		RecordsOut    *float64 `json:"recordsOutPerSecond"`
	} `json:"vertices"`
	Checkpoint *struct {
		Seconds float64 `json:"seconds"`
	} `json:"checkpoint"`
}

// Compared are both sides of a twin.
type Compared struct {
	Twin
	Version         string
	Real, Simulated Measured
}

// Comparison says how both sides are measured: Settle is how long a real job runs first, Watch how long each
// side is watched.
type Comparison struct {
	// Culprit is the path of the binary.
	Culprit       string
	Settle, Watch time.Duration
	Log           io.Writer
}

// Compare runs a twin on the cluster and asks culprit about it and about the scenario.
func (o Comparison) Compare(ctx context.Context, c *cluster.Cluster, t Twin) (Compared, error) {
	out := Compared{Twin: t, Version: c.Version()}
	job, err := c.Submit(ctx, "Twin", t.Args...)
	if err != nil {
		return out, err
	}
	_, _ = fmt.Fprintf(o.Log, "%s runs as %s\n", t.Scenario, job)
	select {
	case <-ctx.Done():
		return out, ctx.Err()
	case <-time.After(o.Settle):
	}
	out.Real, err = o.ask(ctx, c.URL(), "--job", string(job))
	if err != nil {
		return out, err
	}
	if err = c.Cancel(ctx, job); err != nil {
		return out, err
	}
	out.Simulated, err = o.ask(ctx, "--demo", t.Scenario)
	return out, err
}

// ask runs culprit check until it is told of the vertices, three times at most: a machine with much else to
// do may be late to answer.
func (o Comparison) ask(ctx context.Context, args ...string) (m Measured, err error) {
	const tries = 3
	for range tries {
		if m, err = o.askOnce(ctx, args...); err == nil || ctx.Err() != nil {
			break
		}
	}
	return m, err
}

// askOnce runs culprit check. Its exit code tells the severity, which is of no matter here.
func (o Comparison) askOnce(ctx context.Context, args ...string) (Measured, error) {
	watch := o.Watch.String()
	args = append([]string{
		"check", "--format", "json", "--for", watch, "--at-least", watch, "--timeout", "20s",
	}, args...)
	text, failed := exec.CommandContext(ctx, o.Culprit, args...).Output()
	var m Measured
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("culprit %s: %w (%w)", strings.Join(args, " "), err, failed)
	}
	if len(m.Vertices) == 0 {
		return m, fmt.Errorf("culprit %s: no vertices in %s", strings.Join(args, " "), text)
	}
	return m, nil
}

// offBy is how far a pair of numbers may lie apart: a tenth of the time, or of the larger rate.
const offBy = 0.1

// Apart counts the numbers of a comparison that are known on both sides, and those of them that are further
// apart than a tenth: of the vertices, and the durations of checkpoints.
type Apart struct {
	Off, Of, CheckpointsOff, Checkpoints int
}

// String says what is counted, in two sentences that break where a line of a document does.
func (a Apart) String() string {
	return fmt.Sprintf("Of the shares of time and the rates %d of %d are\nfurther apart than a tenth, of the "+
		"durations of checkpoints, which are counted by themselves, %d of %d; they\nare in bold.", a.Off, a.Of,
		a.CheckpointsOff, a.Checkpoints)
}

// Closeness is a table of both sides, in Markdown, and how many of its numbers are far apart.
func Closeness(all []Compared) (table string, n Apart) {
	var rows [][]string
	for _, c := range all {
		for i := range c.Real.Vertices {
			if i >= len(c.Simulated.Vertices) {
				break
			}
			r, s := &c.Real.Vertices[i], &c.Simulated.Vertices[i]
			row := []string{c.Scenario, r.Vertex.Name}
			for _, pair := range [][2]*float64{
				{r.Busy, s.Busy},
				{r.Backpressured, s.Backpressured},
				{r.Idle, s.Idle},
			} {
				cell, far, known := beside(pair[0], pair[1], 100, 1)
				row, n.Off, n.Of = append(row, cell), n.Off+far, n.Of+known
			}
			in := [2]*float64{r.RecordsIn, s.RecordsIn}
			if i == 0 {
				in = [2]*float64{r.RecordsOut, s.RecordsOut}
			}
			cell, far, known := beside(in[0], in[1], 1, 0)
			row, n.Off, n.Of = append(row, cell), n.Off+far, n.Of+known
			rows = append(rows, row)
		}
		if r, s := c.Real.Checkpoint, c.Simulated.Checkpoint; r != nil && s != nil {
			cell := fmt.Sprintf("%.2f s / %.2f s", r.Seconds, s.Seconds)
			n.Checkpoints++
			if apart(r.Seconds, s.Seconds, 0) {
				cell = "**" + cell + "**"
				n.CheckpointsOff++
			}
			rows = append(rows, []string{c.Scenario, "*checkpoint*", "", "", "", cell})
		}
	}
	head := []string{"scenario", "vertex", "busy, %", "backpressured, %", "idle, %", "records/s"}
	return markdownTable(head, rows), n
}

// beside writes a real number and the simulated one, times scale, in bold where they are far apart: by more
// than a tenth of whole, or where that is 0 of the larger one. far and known are 0 or 1.
func beside(actual, simulated *float64, scale, whole float64) (text string, far, known int) {
	if actual == nil || simulated == nil {
		return "-", 0, 0
	}
	text = fmt.Sprintf("%.0f / %.0f", *actual*scale, *simulated*scale)
	if apart(*actual, *simulated, whole) {
		return "**" + text + "**", 1, 1
	}
	return text, 0, 1
}

// apart tells whether two numbers differ by more than a tenth of whole, or where that is 0 of the larger one.
func apart(a, b, whole float64) bool {
	if whole == 0 {
		whole = max(a, b)
	}
	return math.Abs(a-b) > offBy*whole
}

// Measurement are the marks around the part of docs/simulator.md that is measured.
const (
	measuredFrom = "<!-- measured: go run ./lab/cmd/compare -->\n"
	measuredTo   = "<!-- end -->\n"
)

// PutMeasured puts a text between the marks of a document.
func PutMeasured(document, text string) (string, error) {
	before, rest, ok := strings.Cut(document, measuredFrom)
	_, after, end := strings.Cut(rest, measuredTo)
	if !ok || !end {
		return "", fmt.Errorf("the document lacks the marks %q and %q", measuredFrom, measuredTo)
	}
	return before + measuredFrom + "\n" + strings.TrimSpace(text) + "\n\n" + measuredTo + after, nil
}
