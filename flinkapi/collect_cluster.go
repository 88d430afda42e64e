package flinkapi

import (
	"slices"
	"time"
)

// clusterState is what the looks at all jobs share.
type clusterState struct {
	config       Cluster // what does not change while a JobManager lives
	configRead   time.Time
	settingsRead time.Time
	triedConfig  time.Time
	triedSetting time.Time

	jobs     []JobSummary
	jobsRead time.Time

	slots     Cluster // slots and the number of TaskManagers
	slotsRead time.Time

	taskManagers     []TaskManager
	taskManagersRead time.Time
	// late is true while a TaskManager was not heard of for two fetch intervals.
	late     bool
	readings map[TaskManagerID]taskManagerReadings

	// gaps are the last times between two moves of the counters, for a cluster whose configuration cannot be
	// read.
	gaps []time.Duration

	problems   problems
	notOffered map[pathPattern]bool
}

type taskManagerReadings struct {
	readings Readings
	read     time.Time
}

// forget drops what another JobManager, perhaps of another version, would answer differently.
func (s *clusterState) forget() {
	s.configRead, s.settingsRead = time.Time{}, time.Time{}
	s.triedConfig, s.triedSetting = time.Time{}, time.Time{}
	s.config = Cluster{}
	s.gaps = nil
	s.notOffered = map[pathPattern]bool{}
	s.problems = problems{}
	if s.readings == nil {
		s.readings = map[TaskManagerID]taskManagerReadings{}
	}
}

// noteGap keeps the last few times between two moves of the counters.
func (s *clusterState) noteGap(gap time.Duration) {
	const kept = 5
	if gap > 0 {
		s.gaps = append(s.gaps, gap)
		s.gaps = s.gaps[max(0, len(s.gaps)-kept):]
	}
}

// How old the parts of a cluster may get before they are read again.
const (
	jobsAge    = 30 * time.Second
	slotsAge   = 40 * time.Second // /taskmanagers tells the same, and is read more often while a job runs
	retryAfter = 30 * time.Second
	// taskManagersEvery is in rounds: the list changes rarely, and heartbeats step every 10 s.
	taskManagersEvery = 3
	// latestHeartbeat bounds what counts as late from below; heartbeat.interval is 10 s by default.
	latestHeartbeat = 20 * time.Second
)

// clusterReads lists what is due of the cluster itself.
func (c *Collector) clusterReads(focus Focus, at time.Time) []read {
	var reads []read
	state := &c.cluster
	if state.configRead.IsZero() && at.Sub(state.triedConfig) >= retryAfter {
		state.triedConfig = at
		what := call{op: "read the version", path: pathConfig}
		reads = append(reads, ask(c, what, func(w wireConfig, at time.Time) {
			state.config.Version, state.configRead = w.Version.line(), at
		}))
	}
	if state.settingsRead.IsZero() && at.Sub(state.triedSetting) >= retryAfter {
		state.triedSetting = at
		what := call{op: "read the configuration", path: pathJobManagerConfig}
		reads = append(reads, ask(c, what, func(w wireSettings, at time.Time) {
			state.settingsRead, state.config.Settings = at, w.settings(c.settings)
			if d, set := w.fetchInterval(); set {
				state.config.FetchInterval, state.config.FetchIntervalFrom = d, IntervalConfigured
			}
		}))
	}
	listAge := jobsAge
	switch {
	case focus.Job == "" && focus.Fleet == nil || focus.Refresh:
		listAge = 0
	case focus.Job == "":
		listAge = fleetListAge
	}
	if at.Sub(state.jobsRead) >= listAge {
		reads = append(reads, c.jobsRead())
	}
	if at.Sub(state.slotsRead) >= slotsAge {
		what := call{op: "read the overview", path: pathOverview}
		reads = append(reads, ask(c, what, func(w wireOverview, at time.Time) {
			state.slotsRead = at
			state.slots = Cluster{
				SlotsTotal: w.SlotsTotal.Value, SlotsFree: w.SlotsFree.Value, TaskManagers: w.TaskManagers.Value,
			}
		}))
	}
	return reads
}

func (c *Collector) jobsRead() read {
	return ask(c, call{op: "read the list of jobs", path: pathJobs}, func(w wireJobs, at time.Time) {
		c.cluster.jobs, c.cluster.jobsRead = w.summaries(), at
		for id := range c.jobs {
			if !slices.ContainsFunc(c.cluster.jobs, func(j JobSummary) bool { return j.ID == id }) {
				delete(c.jobs, id)
			}
		}
		c.forgetFleet()
	})
}

// taskManagersRead asks for the list of TaskManagers; now is the JobManager's time, to which heartbeats
// compare.
func (c *Collector) taskManagersRead(now time.Time) read {
	state := &c.cluster
	what := call{op: "read the TaskManagers", path: pathTaskManagers}
	return ask(c, what, func(w wireTaskManagers, at time.Time) {
		state.taskManagers, state.taskManagersRead = w.taskManagers(now), at
		state.late = false
		total, free := 0, 0
		for _, t := range state.taskManagers {
			total, free = total+t.Slots, free+t.FreeSlots
			silent := !t.Heartbeat.IsZero() && now.Sub(t.Heartbeat) > max(2*c.fetchInterval(), latestHeartbeat)
			state.late = state.late || silent
		}
		state.slotsRead = at
		state.slots = Cluster{
			SlotsTotal: Known(float64(total)), SlotsFree: Known(float64(free)),
			TaskManagers: Known(float64(len(state.taskManagers))),
		}
		for id := range state.readings {
			if !slices.ContainsFunc(state.taskManagers, func(t TaskManager) bool { return t.ID == id }) {
				delete(state.readings, id)
			}
		}
	})
}

// taskManagerMetricsRead asks for the metrics of one TaskManager's JVM. Names that it does not have are
// left out.
func (c *Collector) taskManagerMetricsRead(id TaskManagerID) read {
	signals := c.signals[TaskManagerMetrics]
	what := call{
		op: "read the metrics of the TaskManager", path: pathTaskManagerMetrics,
		ids: []string{string(id)}, query: getMetrics(metricNames(signals)),
	}
	return ask(c, what, func(w wireMetrics, at time.Time) {
		if r := w.readings(signals); len(r) > 0 {
			c.cluster.readings[id] = taskManagerReadings{r, at}
		}
	}).about(string(id))
}

func metricNames(signals []Signal) []string {
	names := make([]string, len(signals))
	for i, s := range signals {
		names[i] = s.Info().Metric
	}
	return names
}

// describe returns what the cluster says of itself.
func (s *clusterState) describe(c *Collector) Cluster {
	d := s.config
	d.SlotsTotal, d.SlotsFree, d.TaskManagers = s.slots.SlotsTotal, s.slots.SlotsFree, s.slots.TaskManagers
	if d.FetchIntervalFrom != IntervalConfigured {
		d.FetchInterval, d.FetchIntervalFrom = c.guessFetchInterval()
	}
	return d
}

// withReadings returns the TaskManagers with what was last read of their metrics.
func (s *clusterState) withReadings() []TaskManager {
	all := slices.Clone(s.taskManagers)
	for i := range all {
		last := s.readings[all[i].ID]
		all[i].Readings, all[i].ReadingsRead = last.readings, last.read
	}
	return all
}
