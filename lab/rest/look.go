package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Look is a job at one moment, with the counters of every subtask.
type Look struct {
	State string
	// Batch is true for a job whose plan says so.
	Batch    bool
	Restarts int
	Vertices []Vertex
}

// Vertex is one vertex of a job.
type Vertex struct {
	ID   string
	Name string
	// Inputs are the ids of the vertices that it reads from.
	Inputs   []string
	Subtasks []Subtask
	// Running tells whether every subtask runs.
	Running bool
}

// Subtask holds the counters of one attempt of a subtask since its start.
type Subtask struct {
	Attempt     int     `json:"attempt"`
	Status      string  `json:"status"`
	TaskManager string  `json:"taskmanager-id"`
	Metrics     metrics `json:"metrics"`
}

type metrics struct {
	Busy          millis `json:"accumulated-busy-time"`
	Backpressured millis `json:"accumulated-backpressured-time"`
	Idle          millis `json:"accumulated-idle-time"`
	Read          int64  `json:"read-records"`
	Written       int64  `json:"write-records"`
}

// plan is the graph of a job.
type plan struct {
	Type  string     `json:"type"`
	Nodes []planNode `json:"nodes"`
}

type planNode struct {
	ID     string `json:"id"`
	Inputs []struct {
		ID string `json:"id"`
	} `json:"inputs"`
}

// inputs are the ids of the vertices that a vertex reads from.
func (n planNode) inputs() []string {
	var ids []string
	for _, input := range n.Inputs {
		ids = append(ids, input.ID)
	}
	return ids
}

// millis is a duration that Flink gives as a number or, where it has none, as the string "NaN".
type millis float64

func (m *millis) UnmarshalJSON(text []byte) error {
	if string(text) == `"NaN"` {
		*m = millis(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(m))
}

// Look reads a job and all its subtasks: two requests and one for each vertex. The JobManager renews the
// counters at most once in a metric fetch interval, and only when somebody asks.
func (c Client) Look(ctx context.Context, job string) (Look, error) {
	var details struct {
		State string `json:"state"`
		Plan  plan   `json:"plan"`
	}
	if err := c.Get(ctx, "/jobs/"+job, &details); err != nil {
		return Look{}, fmt.Errorf("look at job %s: %w", job, err)
	}
	look := Look{State: details.State, Batch: details.Plan.Type == "BATCH"}
	for _, node := range details.Plan.Nodes {
		vertex, err := c.vertex(ctx, job, node.ID)
		if err != nil {
			return Look{}, err
		}
		vertex.Inputs = node.inputs()
		look.Vertices = append(look.Vertices, vertex)
	}
	restarts, err := c.restarts(ctx, job)
	look.Restarts = restarts
	return look, err
}

func (c Client) vertex(ctx context.Context, job, id string) (Vertex, error) {
	var details struct {
		Name     string    `json:"name"`
		Subtasks []Subtask `json:"subtasks"`
	}
	if err := c.Get(ctx, "/jobs/"+job+"/vertices/"+id, &details); err != nil {
		return Vertex{}, fmt.Errorf("look at vertex %s: %w", id, err)
	}
	running := !slices.ContainsFunc(details.Subtasks, func(s Subtask) bool { return s.Status != "RUNNING" })
	return Vertex{ID: id, Name: details.Name, Subtasks: details.Subtasks, Running: running}, nil
}

// restarts is 0 where the job has no such metric (yet).
func (c Client) restarts(ctx context.Context, job string) (int, error) {
	var found []struct {
		Value int `json:"value,string"`
	}
	if err := c.Get(ctx, "/jobs/"+job+"/metrics?get=numRestarts", &found); err != nil {
		return 0, fmt.Errorf("count restarts of job %s: %w", job, err)
	}
	if len(found) == 0 {
		return 0, nil
	}
	return found[0].Value, nil
}

// Shares says how the subtasks of a vertex spent the time between two looks: fractions from 0 to 1, the
// largest of any subtask each. A share is NaN where no subtask can tell.
type Shares struct {
	Busy, Backpressured, Idle float64
	// EachBusy is the busy share of every subtask that can tell.
	EachBusy []float64
	// Records is what each subtask read, or wrote where it reads nothing.
	Records []int64
}

// Between gives the shares of a vertex from two looks at it. Each counter's difference is divided by the sum
// of the three, not by a clock: the counters are older than the answers that carry them.
func Between(before, after Vertex) Shares {
	shares := Shares{Busy: math.NaN(), Backpressured: math.NaN(), Idle: math.NaN()}
	for i := range min(len(before.Subtasks), len(after.Subtasks)) {
		a, b := before.Subtasks[i], after.Subtasks[i]
		busy := float64(b.Metrics.Busy - a.Metrics.Busy)
		backpressured := float64(b.Metrics.Backpressured - a.Metrics.Backpressured)
		idle := float64(b.Metrics.Idle - a.Metrics.Idle)
		sum := busy + backpressured + idle
		if a.Attempt != b.Attempt || !(sum > 0) {
			continue
		}
		shares.Busy = larger(shares.Busy, busy/sum)
		shares.EachBusy = append(shares.EachBusy, busy/sum)
		shares.Backpressured = larger(shares.Backpressured, backpressured/sum)
		shares.Idle = larger(shares.Idle, idle/sum)
		shares.Records = append(shares.Records, records(b)-records(a))
	}
	return shares
}

func records(s Subtask) int64 {
	if s.Metrics.Read > 0 {
		return s.Metrics.Read
	}
	return s.Metrics.Written
}

// larger ignores NaN on its left and clamps the small errors of the counters.
func larger(known, next float64) float64 {
	next = min(max(next, 0), 1)
	if math.IsNaN(known) {
		return next
	}
	return max(known, next)
}
