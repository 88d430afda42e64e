package sim

import (
	"math"
	"net/http"
)

type subtaskTimesBody struct {
	ID       string             `json:"id"`
	Name     string             `json:"name"`
	Now      int64              `json:"now"`
	Subtasks []subtaskTimesItem `json:"subtasks"`
}

type subtaskTimesItem struct {
	Subtask    int              `json:"subtask"`
	Host       string           `json:"host,omitempty"`
	Endpoint   string           `json:"endpoint,omitempty"`
	Duration   int64            `json:"duration"`
	Timestamps map[string]int64 `json:"timestamps"`
}

func subtaskTimes(c *Cluster, r *http.Request) (any, *failure) {
	j, v, bad := c.findVertex(r)
	if bad != nil {
		return nil, bad
	}
	b := subtaskTimesBody{ID: j.vertexIDs[v], Name: j.net.vertices[v].Name, Now: c.nowMillis()}
	for i := range j.subtasks[v] {
		s := &j.subtasks[v][i]
		item := subtaskTimesItem{Subtask: i, Duration: -1, Timestamps: make(map[string]int64, stateCount)}
		item.Host, item.Endpoint = c.address(c.workers[s.worker])
		for k, state := range executionStates() {
			item.Timestamps[state] = max(0, c.millis(s.entered[k]))
		}
		if from := c.millis(s.at(scheduled)); from >= 0 {
			item.Duration = b.Now - from
			if s.terminal() {
				item.Duration = c.millis(s.endedAt()) - from
			}
		}
		b.Subtasks = append(b.Subtasks, item)
	}
	return b, nil
}

type vertexTaskManagersBody struct {
	ID           string              `json:"id"`
	Name         string              `json:"name"`
	Now          int64               `json:"now"`
	TaskManagers []vertexTaskManager `json:"taskmanagers"`
}

type vertexTaskManager struct {
	Host       string         `json:"host,omitempty"`
	Endpoint   string         `json:"endpoint,omitempty"`
	ID         string         `json:"taskmanager-id"`
	Status     string         `json:"status"`
	StartTime  int64          `json:"start-time"`
	EndTime    int64          `json:"end-time"`
	Duration   int64          `json:"duration"`
	Metrics    ioMetrics      `json:"metrics"`
	Counts     stateCounts    `json:"status-counts"`
	Aggregated aggregatedBody `json:"aggregated"`
}

func vertexTaskManagers(c *Cluster, r *http.Request) (any, *failure) {
	j, v, bad := c.findVertex(r)
	if bad != nil {
		return nil, bad
	}
	c.store.update(c)
	b := vertexTaskManagersBody{
		ID: j.vertexIDs[v], Name: j.net.vertices[v].Name, Now: c.nowMillis(), TaskManagers: []vertexTaskManager{},
	}
	for _, w := range c.workers {
		var here []subtaskBody
		for i := range j.subtasks[v] {
			if s := &j.subtasks[v][i]; s.worker == w.index && !math.IsNaN(s.at(deploying)) {
				here = append(here, c.subtaskBody(j, v, i))
			}
		}
		if len(here) > 0 {
			b.TaskManagers = append(b.TaskManagers, c.vertexTaskManager(w, here, b.Now))
		}
	}
	return b, nil
}

func (c *Cluster) vertexTaskManager(w *worker, here []subtaskBody, now int64) vertexTaskManager {
	t := vertexTaskManager{
		ID: w.ID, Status: here[0].Status, StartTime: here[0].StartTime, EndTime: -1, Metrics: newIOMetrics(),
		Aggregated: aggregate(here),
	}
	t.Host, t.Endpoint = c.address(w)
	for _, s := range here {
		t.StartTime = min(t.StartTime, s.StartTime)
		t.EndTime = max(t.EndTime, s.EndTime)
		t.Metrics.add(s.Metrics)
		t.Counts.add(s.Status)
	}
	t.Duration = now - t.StartTime
	if t.EndTime >= 0 {
		t.Duration = t.EndTime - t.StartTime
	}
	return t
}
