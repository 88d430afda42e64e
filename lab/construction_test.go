package lab

import (
	"encoding/json"
	"fmt"
	"testing"

	"culprit/lab/rest"
)

// row gives two looks at a row of vertices, each "name" with its busy and backpressured share; the rest is
// idle.
func row(t *testing.T, vertices ...vertexShare) (before, after rest.Look) {
	t.Helper()
	before, after = rest.Look{State: "RUNNING"}, rest.Look{State: "RUNNING"}
	for i, v := range vertices {
		vertex := rest.Vertex{ID: fmt.Sprint(i), Name: v.name}
		if i > 0 {
			vertex.Inputs = []string{fmt.Sprint(i - 1)}
		}
		vertex.Subtasks = []rest.Subtask{counters(t, 0, 0, 0)}
		before.Vertices = append(before.Vertices, vertex)
		vertex.Subtasks = []rest.Subtask{counters(t, v.busy, v.backpressured, 100-v.busy-v.backpressured)}
		after.Vertices = append(after.Vertices, vertex)
	}
	return before, after
}

type vertexShare struct {
	name                string
	busy, backpressured int // percent
}

func counters(t *testing.T, busy, backpressured, idle int) rest.Subtask {
	t.Helper()
	var s rest.Subtask
	text := fmt.Sprintf(`{"metrics": {"accumulated-busy-time": %d, "accumulated-backpressured-time": %d,
		"accumulated-idle-time": %d}}`, busy, backpressured, idle)
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestShowsTheSlowOperator(t *testing.T) {
	tests := map[string]struct {
		vertices []vertexShare
		want     bool
	}{
		"as built":              {[]vertexShare{{"orders", 1, 99}, {"enrich", 100, 0}, {"archive", 2, 0}}, true},
		"not busy":              {[]vertexShare{{"orders", 1, 99}, {"enrich", 70, 0}, {"archive", 2, 0}}, false},
		"no pressure above":     {[]vertexShare{{"orders", 1, 40}, {"enrich", 100, 0}, {"archive", 2, 0}}, false},
		"another is busy below": {[]vertexShare{{"orders", 1, 99}, {"enrich", 100, 0}, {"archive", 95, 0}}, false},
		"nothing known":         {[]vertexShare{{"orders", 1, 99}, {"enrich", 0, 0}, {"archive", 2, 0}}, false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			before, after := row(t, tc.vertices...)
			if ok, seen := shows(culprit("enrich", "external-wait"), before, after); ok != tc.want {
				t.Errorf("shows = %v, want %v: %s", ok, tc.want, seen)
			}
		})
	}
}

func TestShowsTheStateOfAJob(t *testing.T) {
	running := rest.Look{State: "RUNNING"}
	tests := map[string]struct {
		reason string
		after  rest.Look
		want   bool
	}{
		"restarted":         {"restart-loop", rest.Look{State: "RUNNING", Restarts: 3}, true},
		"did not restart":   {"restart-loop", running, false},
		"finished":          {"finished", rest.Look{State: "FINISHED"}, true},
		"failed, not ended": {"finished", rest.Look{State: "FAILED"}, false},
		"batch":             {"batch", rest.Look{State: "RUNNING", Batch: true}, true},
		"healthy restarts":  {"healthy", rest.Look{State: "RUNNING", Restarts: 1}, false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			tc.after.Vertices = running.Vertices
			ok, seen := shows(Expect{JobReasons: []string{tc.reason}}, running, tc.after)
			if ok != tc.want {
				t.Errorf("shows = %v, want %v: %s", ok, tc.want, seen)
			}
		})
	}
}

func TestShowsHowManyInstancesAreBusy(t *testing.T) {
	before, after := row(t, vertexShare{"orders", 1, 99}, vertexShare{"totals", 100, 0})
	for _, look := range []rest.Look{before, after} {
		look.Vertices[1].Subtasks = append(look.Vertices[1].Subtasks, look.Vertices[1].Subtasks[0])
	}
	for instances, want := range map[int]bool{0: true, 1: false, 2: true} {
		expect := culprit("totals", "hot-key")
		expect.Culprits[0].Instances = instances
		if ok, seen := shows(expect, before, after); ok != want {
			t.Errorf("with two busy instances and %d wanted: %v, %s", instances, ok, seen)
		}
	}
}
