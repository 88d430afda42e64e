package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Screen is what the job page of Flink's web UI shows of a job at one moment: a box for each vertex, each
// after all that feed it.
type Screen []Box

// Box is one vertex. Busy and Backpressured are percent of the time, the largest of any subtask, as Flink's
// own gauges give them; nil where they do not.
type Box struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Inputs        []string `json:"inputs,omitempty"` // ids
	Busy          *float64 `json:"busy"`
	Backpressured *float64 `json:"backpressured"`
}

// Screen reads what the web UI would show: one request, and one for each vertex.
func (c Client) Screen(ctx context.Context, job string) (Screen, error) {
	var details struct {
		Plan     plan `json:"plan"`
		Vertices []struct {
			ID   string `json:"id"`
			Name string `json:"name"`
		} `json:"vertices"`
	}
	if err := c.Get(ctx, "/jobs/"+job, &details); err != nil {
		return nil, fmt.Errorf("look at the page of job %s: %w", job, err)
	}
	names := map[string]string{}
	for _, v := range details.Vertices {
		names[v.ID] = v.Name
	}
	var screen Screen
	for _, node := range details.Plan.Nodes {
		box := Box{ID: node.ID, Name: names[node.ID], Inputs: node.inputs()}
		if err := c.gauges(ctx, job, &box); err != nil {
			return nil, err
		}
		screen = append(screen, box)
	}
	return screen.sorted(), nil
}

// Screen gives the boxes of the vertices, without shares.
func (l Look) Screen() Screen {
	screen := make(Screen, len(l.Vertices))
	for i, v := range l.Vertices {
		screen[i] = Box{ID: v.ID, Name: v.Name, Inputs: v.Inputs}
	}
	return screen
}

// gauges fills in the shares. Flink leaves out a metric that no subtask has, and answers the string "NaN"
// where one subtask cannot tell.
func (c Client) gauges(ctx context.Context, job string, box *Box) error {
	var found []struct {
		ID  string          `json:"id"`
		Max json.RawMessage `json:"max"`
	}
	path := "/jobs/" + job + "/vertices/" + box.ID +
		"/subtasks/metrics?get=busyTimeMsPerSecond,backPressuredTimeMsPerSecond&agg=max"
	if err := c.Get(ctx, path, &found); err != nil {
		return fmt.Errorf("read the gauges of %s: %w", box.Name, err)
	}
	for _, metric := range found {
		var perMille float64
		if json.Unmarshal(metric.Max, &perMille) != nil {
			continue // not a number: unknown
		}
		percent := math.Round(perMille) / 10
		if metric.ID == "busyTimeMsPerSecond" {
			box.Busy = &percent
		} else {
			box.Backpressured = &percent
		}
	}
	return nil
}

// sorted puts each box after all that feed it, and otherwise keeps the order.
func (s Screen) sorted() Screen {
	var done Screen
	rest := slices.Clone(s)
	placed := map[string]bool{}
	for len(rest) > 0 {
		i := slices.IndexFunc(rest, func(b Box) bool {
			return !slices.ContainsFunc(b.Inputs, func(id string) bool { return !placed[id] })
		})
		i = max(i, 0) // Flink has no cycles between vertices
		placed[rest[i].ID] = true
		done = append(done, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	return done
}

// Feeds tells whether there is a way from the box with this id down to the one with that name.
func (s Screen) Feeds(id, name string) bool {
	return slices.ContainsFunc(s, func(b Box) bool {
		return slices.Contains(b.Inputs, id) && (b.Name == name || s.Feeds(b.ID, name))
	})
}
