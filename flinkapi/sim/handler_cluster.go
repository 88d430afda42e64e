package sim

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const (
	refreshMillis = 3000
	commit        = "d0a7a1f"
)

type configBody struct {
	RefreshInterval int    `json:"refresh-interval"`
	TimezoneName    string `json:"timezone-name"`
	TimezoneOffset  int    `json:"timezone-offset"`
	FlinkVersion    string `json:"flink-version"`
	FlinkRevision   string `json:"flink-revision"`
	Features        struct {
		Submit  bool `json:"web-submit"`
		Cancel  bool `json:"web-cancel"`
		Rescale bool `json:"web-rescale"`
		History bool `json:"web-history"`
	} `json:"features"`
}

func dashboardConfig(c *Cluster, _ *http.Request) (any, *failure) {
	b := configBody{
		RefreshInterval: refreshMillis, TimezoneName: "Coordinated Universal Time",
		FlinkVersion: c.cfg.Version, FlinkRevision: commit + " @ 2026-01-01T00:00:00Z",
	}
	b.Features.Submit, b.Features.Cancel = true, true
	return b, nil
}

type overviewBody struct {
	TaskManagers   int    `json:"taskmanagers"`
	SlotsTotal     int    `json:"slots-total"`
	SlotsAvailable int    `json:"slots-available"`
	Running        int    `json:"jobs-running"`
	Finished       int    `json:"jobs-finished"`
	Cancelled      int    `json:"jobs-cancelled"`
	Failed         int    `json:"jobs-failed"`
	FlinkVersion   string `json:"flink-version"`
	FlinkCommit    string `json:"flink-commit"`
}

func overview(c *Cluster, _ *http.Request) (any, *failure) {
	b := overviewBody{FlinkVersion: c.cfg.Version, FlinkCommit: commit}
	for _, w := range c.workers {
		if !w.lost {
			b.TaskManagers++
			b.SlotsTotal += w.Slots
			b.SlotsAvailable += w.freeSlots()
		}
	}
	for _, j := range c.jobs {
		switch j.state {
		case finished:
			b.Finished++
		case canceled:
			b.Cancelled++
		case failed:
			b.Failed++
		default:
			b.Running++
		}
	}
	return b, nil
}

type jobID struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

func jobIDs(c *Cluster, _ *http.Request) (any, *failure) {
	ids := make([]jobID, 0, len(c.jobs))
	for _, j := range c.jobs {
		ids = append(ids, jobID{j.id, j.state})
	}
	return map[string]any{"jobs": ids}, nil
}

type jobOverview struct {
	ID               string         `json:"jid"`
	Name             string         `json:"name"`
	StartTime        int64          `json:"start-time"`
	EndTime          int64          `json:"end-time"`
	Duration         int64          `json:"duration"`
	State            string         `json:"state"`
	LastModification int64          `json:"last-modification"`
	Tasks            map[string]int `json:"tasks"`
	PendingOperators *int           `json:"pending-operators,omitempty"`
	JobType          string         `json:"jobType,omitempty"`
	SchedulerType    string         `json:"schedulerType,omitempty"`
}

func jobsOverview(c *Cluster, _ *http.Request) (any, *failure) {
	jobs := make([]jobOverview, 0, len(c.jobs))
	for _, j := range c.jobs {
		o := jobOverview{
			ID: j.id, Name: j.spec.Name, State: j.state, StartTime: c.millis(j.started), EndTime: -1,
			LastModification: c.millis(j.entered[j.state]), Tasks: map[string]int{},
		}
		for _, s := range executionStates() {
			o.Tasks[strings.ToLower(s)] = 0
		}
		j.each(func(_, _ int, s *subtask, _ *task) {
			o.Tasks["total"]++
			o.Tasks[strings.ToLower(s.status)]++
		})
		o.Duration = c.nowMillis() - o.StartTime
		if j.terminal() {
			o.EndTime = c.millis(j.ended)
			o.Duration = o.EndTime - o.StartTime
		}
		if c.version.atLeast(2, 0) {
			o.PendingOperators = new(int)
		}
		if c.version.atLeast(2, 3) {
			o.JobType, o.SchedulerType = j.jobType(), defaultScheduler
		}
		jobs = append(jobs, o)
	}
	return map[string]any{"jobs": jobs}, nil
}

type setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

func jobManagerConfig(c *Cluster, _ *http.Request) (any, *failure) {
	all := map[string]string{
		"jobmanager.rpc.address":        "localhost",
		"rest.address":                  "localhost",
		"rest.bind-address":             "localhost",
		"taskmanager.numberOfTaskSlots": strconv.Itoa(c.workers[0].Slots),
	}
	if c.cfg.FetchInterval != defaultFetchInterval {
		all["metrics.fetcher.update-interval"] = strconv.FormatInt(c.cfg.FetchInterval.Milliseconds(), 10)
	}
	maps.Copy(all, c.cfg.Settings)
	settings := make([]setting, 0, len(all))
	for _, k := range slices.Sorted(maps.Keys(all)) {
		settings = append(settings, setting{k, all[k]})
	}
	return settings, nil
}
