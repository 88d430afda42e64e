package flinkapi

import (
	"slices"
	"strings"
	"time"
)

// wireConfig is /config (org.apache.flink.runtime.rest.messages.DashboardConfiguration).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/#config
type wireConfig struct {
	Version text   `json:"flink-version"`
	Refresh number `json:"refresh-interval"`
}

func (w wireConfig) recognised() bool { return w.Version != "" || w.Refresh.IsKnown() }

// wireOverview is /overview (…legacy.messages.ClusterOverviewWithVersion).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/#overview-1
type wireOverview struct {
	TaskManagers number `json:"taskmanagers"`
	SlotsTotal   number `json:"slots-total"`
	SlotsFree    number `json:"slots-available"`
}

func (w wireOverview) recognised() bool { return w.SlotsTotal.IsKnown() }

// wireJobs is /jobs/overview (…runtime.messages.webmonitor.MultipleJobsDetails).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/#jobs-overview
type wireJobs struct {
	Jobs []struct {
		ID    text   `json:"jid"`
		Name  text   `json:"name"`
		State text   `json:"state"`
		Start number `json:"start-time"`
		End   number `json:"end-time"` // -1 while running
	} `json:"jobs"`
}

func (w wireJobs) recognised() bool { return w.Jobs != nil }

// summaries lists the jobs, running ones first, each group in Flink's order.
func (w wireJobs) summaries() []JobSummary {
	jobs := make([]JobSummary, 0, len(w.Jobs))
	for _, j := range w.Jobs {
		id := j.ID.hex()
		if id == "" {
			continue
		}
		jobs = append(jobs, JobSummary{
			ID: JobID(id), Name: j.Name.name(), State: JobState(j.State.state()),
			StartedAt: j.Start.instant(), EndedAt: j.End.instant(),
		})
	}
	slices.SortStableFunc(jobs, func(a, b JobSummary) int { return rank(a.State) - rank(b.State) })
	return jobs
}

func rank(s JobState) int {
	switch {
	case s == JobRunning:
		return 0
	case !s.Over():
		return 1
	}
	return 2
}

// wireTaskManagers is /taskmanagers (…rest.messages.taskmanager.TaskManagersInfo).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/#taskmanagers
type wireTaskManagers struct {
	TaskManagers []struct {
		ID        text   `json:"id"`
		Path      text   `json:"path"` // pekko.tcp://flink@host:port/user/rpc/taskmanager_0
		Slots     number `json:"slotsNumber"`
		FreeSlots number `json:"freeSlots"`
		Heartbeat number `json:"timeSinceLastHeartbeat"` // an epoch in ms, despite its name
		Hardware  struct {
			Cores number `json:"cpuCores"`
		} `json:"hardware"`
	} `json:"taskmanagers"`
}

func (w wireTaskManagers) recognised() bool { return w.TaskManagers != nil }

// taskManagers lists the TaskManagers; now is the JobManager's time.
func (w wireTaskManagers) taskManagers(now time.Time) []TaskManager {
	all := make([]TaskManager, 0, len(w.TaskManagers))
	for _, t := range w.TaskManagers {
		id := t.ID.id()
		if id == "" {
			continue
		}
		all = append(all, TaskManager{
			ID: TaskManagerID(id), Host: hostOfPath(t.Path.line()),
			Slots: t.Slots.count(0), FreeSlots: t.FreeSlots.count(0),
			Heartbeat: t.Heartbeat.instant(), AsOf: now, CPUCores: t.Hardware.Cores.nonNegative(),
		})
	}
	return all
}

// hostOfPath cuts the host out of an actor's address; a path without one (an in-process cluster's) gives
// nothing.
func hostOfPath(path string) string {
	_, rest, found := strings.Cut(path, "@")
	if !found {
		return ""
	}
	authority, _, _ := strings.Cut(rest, "/")
	if colon := strings.LastIndexByte(authority, ':'); colon > 0 {
		return authority[:colon]
	}
	return authority
}
