package lab

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"culprit/lab/cluster"
	"culprit/lab/rest"
)

// The levels at which a scenario counts as showing its slow operator: far from any threshold of culprit, so
// that a scenario near one is found here.
const (
	saturated = 0.9
	calm      = 0.5
)

// construction proves from Flink's raw counters, without culprit, that a scenario shows what it was built
// for.
func construction(
	ctx context.Context, url string, s Scenario, job cluster.JobID, watch time.Duration,
) (Result, error) {
	client := rest.Client{URL: url}
	result := Result{Scenario: s.Name, Expected: s.Expect.String()}
	if _, err := client.Look(ctx, string(job)); err != nil { // it starts the metric fetch
		return result, err
	}
	if err := Sleep(ctx, fetchPause); err != nil {
		return result, err
	}
	before, err := client.Look(ctx, string(job))
	if err != nil {
		return result, err
	}
	if err = Sleep(ctx, watch); err != nil {
		return result, err
	}
	after, err := client.Look(ctx, string(job))
	if err != nil {
		return result, err
	}
	prove := s.Proof
	if prove == nil {
		prove = showsShares
	}
	result.OK, result.Seen, err = prove(ctx, Evidence{client, job, s.Expect, before, after})
	return result, err
}

// Evidence is what a proof may look at: two looks at the job, and the cluster for more.
type Evidence struct {
	Client        rest.Client
	Job           cluster.JobID
	Expect        Expect
	Before, After rest.Look
}

// Proof tells from Flink's raw numbers whether a job shows what it was built for, and describes them.
type Proof func(ctx context.Context, e Evidence) (ok bool, seen string, err error)

// showsShares is the proof of a scenario that has no other.
func showsShares(_ context.Context, e Evidence) (ok bool, seen string, err error) {
	ok, seen = shows(e.Expect, e.Before, e.After)
	return ok, seen, nil
}

// shows compares two looks with what a scenario promises, and describes them.
func shows(expect Expect, before, after rest.Look) (ok bool, seen string) {
	switch restarted := after.Restarts - before.Restarts; {
	case restarted > 0 || after.State == "RESTARTING":
		return slices.Contains(expect.JobReasons, "restart-loop"), fmt.Sprintf("%d restarts", restarted)
	case after.State != "RUNNING":
		return slices.Contains(expect.JobReasons, strings.ToLower(after.State)), after.State
	case after.Batch:
		return slices.Contains(expect.JobReasons, "batch"), "BATCH"
	}
	calmOrPressed := len(expect.Culprits) > 0 || slices.Contains(expect.JobReasons, "healthy")
	ok = calmOrPressed && len(before.Vertices) == len(after.Vertices)
	var parts []string
	for i := range min(len(before.Vertices), len(after.Vertices)) {
		v := after.Vertices[i]
		shares := rest.Between(before.Vertices[i], v)
		parts = append(parts, fmt.Sprintf("%s %s/%s/%s", v.Name,
			percent(shares.Busy), percent(shares.Backpressured), percent(shares.Idle)))
		ok = ok && plays(expect, after, v, shares)
	}
	return ok, "busy/backpressured/idle % of the largest subtask: " + strings.Join(parts, ", ")
}

// plays tells whether a vertex behaves as its part asks: the culprit is busy, all above it are held back,
// and nobody else is busy.
func plays(expect Expect, look rest.Look, v rest.Vertex, shares rest.Shares) bool {
	for _, c := range expect.Culprits {
		if v.Name == c.Vertex {
			instances := 0
			for _, busy := range shares.EachBusy {
				if busy >= saturated {
					instances++
				}
			}
			return instances > 0 && (c.Instances == 0 || c.Instances == instances) &&
				shares.Backpressured < calm
		}
	}
	for _, c := range expect.Culprits {
		if look.Screen().Feeds(v.ID, c.Vertex) {
			return shares.Backpressured >= saturated && shares.Busy < calm
		}
	}
	return shares.Busy < calm && shares.Backpressured < calm
}

func percent(share float64) string {
	if math.IsNaN(share) {
		return "-"
	}
	return fmt.Sprintf("%.0f", 100*share)
}
