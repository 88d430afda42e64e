package sim

import (
	"math"
	"net/http"
	"strconv"
)

const defaultScheduler = "Default"

type jobBody struct {
	ID               string           `json:"jid"`
	Name             string           `json:"name"`
	IsStoppable      bool             `json:"isStoppable"`
	State            string           `json:"state"`
	JobType          string           `json:"job-type,omitempty"`
	StartTime        int64            `json:"start-time"`
	EndTime          int64            `json:"end-time"`
	Duration         int64            `json:"duration"`
	MaxParallelism   int              `json:"maxParallelism"`
	Now              int64            `json:"now"`
	Timestamps       map[string]int64 `json:"timestamps"`
	Vertices         []vertexOverview `json:"vertices"`
	StatusCounts     stateCounts      `json:"status-counts"`
	Plan             planBody         `json:"plan"`
	PendingOperators *int             `json:"pending-operators,omitempty"`
	ApplicationID    string           `json:"application-id,omitempty"`
	SchedulerType    string           `json:"schedulerType,omitempty"`
}

type vertexOverview struct {
	ID                 string      `json:"id"`
	SlotSharingGroupID string      `json:"slotSharingGroupId,omitempty"`
	Name               string      `json:"name"`
	MaxParallelism     int         `json:"maxParallelism"`
	Parallelism        int         `json:"parallelism"`
	Status             string      `json:"status"`
	StartTime          int64       `json:"start-time"`
	EndTime            int64       `json:"end-time"`
	Duration           int64       `json:"duration"`
	Tasks              stateCounts `json:"tasks"`
	Metrics            ioMetrics   `json:"metrics"`
}

// find returns the job of the request's path.
func (c *Cluster) find(r *http.Request) (*job, *failure) {
	id := r.PathValue("job")
	for _, j := range c.jobs {
		if j.id == id {
			return j, nil
		}
	}
	return nil, missing("Job %s not found", id)
}

func (j *job) jobType() string {
	if j.spec.Batch {
		return "BATCH"
	}
	return "STREAMING"
}

// jobStates are the keys of "timestamps".
func jobStates() []string {
	return []string{
		"INITIALIZING", "CREATED", "RUNNING", "FAILING", "FAILED", "CANCELLING", "CANCELED", "FINISHED",
		"RESTARTING", "SUSPENDED", "RECONCILING",
	}
}

func jobDetails(c *Cluster, r *http.Request) (any, *failure) {
	j, bad := c.find(r)
	if bad != nil {
		return nil, bad
	}
	c.store.update(c)
	now := c.nowMillis()
	b := jobBody{
		ID: j.id, Name: j.spec.Name, State: j.state, StartTime: c.millis(j.started), EndTime: -1,
		MaxParallelism: -1, Now: now, Timestamps: map[string]int64{}, Plan: j.plan,
	}
	b.Duration = now - b.StartTime
	if j.terminal() {
		b.EndTime = c.millis(j.ended)
		b.Duration = b.EndTime - b.StartTime
	}
	for _, s := range jobStates() {
		b.Timestamps[s] = 0
		if at, ok := j.entered[s]; ok {
			b.Timestamps[s] = c.millis(at)
		}
	}
	for _, v := range j.net.order {
		o := c.vertexOverview(j, v)
		b.Vertices = append(b.Vertices, o)
		b.StatusCounts.add(o.Status)
	}
	if c.version.atLeast(1, 20) {
		b.JobType = j.jobType()
	}
	if c.version.atLeast(2, 0) {
		b.PendingOperators = new(int)
	}
	if c.version.atLeast(2, 3) {
		b.ApplicationID, b.SchedulerType = j.id, defaultScheduler
	}
	return b, nil
}

// stateCounts is how many tasks are in each execution state, by stateIndex.
type stateCounts [stateCount]int

func (n *stateCounts) add(state string) { n[stateIndex(state)]++ }

func (n stateCounts) of(state string) int { return n[stateIndex(state)] }

// MarshalJSON writes an object with every state.
func (n stateCounts) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 160)
	for i, state := range executionStates() {
		b = append(b, `,"`...)
		b = append(b, state...)
		b = append(b, `":`...)
		b = strconv.AppendInt(b, int64(n[i]), 10)
	}
	b[0] = '{'
	return append(b, '}'), nil
}

func (c *Cluster) vertexOverview(j *job, v int) vertexOverview {
	vx := &j.net.vertices[v]
	o := vertexOverview{
		ID: j.vertexIDs[v], Name: vx.Name, MaxParallelism: vx.MaxParallelism, Parallelism: vx.Parallelism,
		StartTime: -1, EndTime: -1, Duration: -1, Metrics: newIOMetrics(),
	}
	if c.version.atLeast(1, 20) {
		o.SlotSharingGroupID = hexID("slots", j.id)
	}
	ended, all := math.Inf(-1), true
	for i := range j.subtasks[v] {
		s := &j.subtasks[v][i]
		o.Tasks.add(s.status)
		o.Metrics.add(c.ioOf(j, v, i))
		if at := c.millis(s.at(deploying)); at >= 0 && (o.StartTime < 0 || at < o.StartTime) {
			o.StartTime = at
		}
		all = all && s.terminal()
		if s.terminal() {
			ended = max(ended, s.endedAt())
		}
	}
	o.Status = j.vertexStatus(v)
	if all {
		o.EndTime = c.millis(ended)
	}
	if o.StartTime >= 0 {
		o.Duration = c.nowMillis() - o.StartTime
		if all {
			o.Duration = o.EndTime - o.StartTime
		}
	}
	return o
}

// vertexStatus is the state of a vertex as a whole: that of the subtask that is most in need of
// attention.
func (j *job) vertexStatus(v int) string {
	var count stateCounts
	for i := range j.subtasks[v] {
		count.add(j.subtasks[v][i].status)
	}
	order := []string{failed, canceling, canceled, initializing, running, deploying, scheduled, created}
	for _, s := range order {
		if count.of(s) > 0 {
			if s == created && count.of(finished) > 0 {
				return running
			}
			return s
		}
	}
	return finished
}

func jobStatus(c *Cluster, r *http.Request) (any, *failure) {
	j, bad := c.find(r)
	if bad != nil {
		return nil, bad
	}
	return map[string]string{"status": j.state}, nil
}

func jobPlan(c *Cluster, r *http.Request) (any, *failure) {
	j, bad := c.find(r)
	if bad != nil {
		return nil, bad
	}
	return map[string]any{"plan": j.plan}, nil
}

type jobConfigBody struct {
	ID     string `json:"jid"`
	Name   string `json:"name"`
	Config struct {
		RestartStrategy string            `json:"restart-strategy"`
		Parallelism     int               `json:"job-parallelism"`
		ObjectReuse     bool              `json:"object-reuse-mode"`
		UserConfig      map[string]string `json:"user-config"`
		Mode            string            `json:"execution-mode,omitempty"`
	} `json:"execution-config"`
}

func jobConfig(c *Cluster, r *http.Request) (any, *failure) {
	j, bad := c.find(r)
	if bad != nil {
		return nil, bad
	}
	b := jobConfigBody{ID: j.id, Name: j.spec.Name}
	b.Config.RestartStrategy = "Cluster level default restart strategy"
	b.Config.Parallelism = 1
	b.Config.UserConfig = map[string]string{}
	if !c.version.atLeast(2, 0) {
		b.Config.Mode = "PIPELINED"
	}
	return b, nil
}
