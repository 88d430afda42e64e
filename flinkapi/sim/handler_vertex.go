package sim

import (
	"math"
	"net/http"
)

type vertexBody struct {
	ID             string         `json:"id"`
	Name           string         `json:"name"`
	Parallelism    int            `json:"parallelism"`
	MaxParallelism int            `json:"maxParallelism"`
	Now            int64          `json:"now"`
	Subtasks       []subtaskBody  `json:"subtasks"`
	Aggregated     aggregatedBody `json:"aggregated"`
}

type subtaskBody struct {
	Subtask       int              `json:"subtask"`
	Status        string           `json:"status"`
	Attempt       int              `json:"attempt"`
	Host          string           `json:"host,omitempty"`
	Endpoint      string           `json:"endpoint,omitempty"`
	StartTime     int64            `json:"start-time"`
	EndTime       int64            `json:"end-time"`
	Duration      int64            `json:"duration"`
	Metrics       ioMetrics        `json:"metrics"`
	TaskManagerID string           `json:"taskmanager-id"`
	Durations     map[string]int64 `json:"status-duration"`
	StartTimeToo  int64            `json:"start_time"`
}

type aggregatedBody struct {
	Metrics   map[string]statistics `json:"metrics"`
	Durations map[string]statistics `json:"status-duration"`
}

type statistics struct {
	Min    int64 `json:"min"`
	Max    int64 `json:"max"`
	Avg    int64 `json:"avg"`
	Sum    int64 `json:"sum"`
	Median int64 `json:"median"`
	P25    int64 `json:"p25"`
	P75    int64 `json:"p75"`
	P95    int64 `json:"p95"`
}

// findVertex returns the job and the vertex of the request's path.
func (c *Cluster) findVertex(r *http.Request) (*job, int, *failure) {
	j, bad := c.find(r)
	if bad != nil {
		return nil, 0, bad
	}
	for v, id := range j.vertexIDs {
		if id == r.PathValue("vertex") {
			return j, v, nil
		}
	}
	return nil, 0, missing("JobVertex %s not found", r.PathValue("vertex"))
}

func vertexDetails(c *Cluster, r *http.Request) (any, *failure) {
	j, v, bad := c.findVertex(r)
	if bad != nil {
		return nil, bad
	}
	c.store.update(c)
	vx := &j.net.vertices[v]
	b := vertexBody{
		ID: j.vertexIDs[v], Name: vx.Name, Parallelism: vx.Parallelism, MaxParallelism: vx.MaxParallelism,
		Now: c.nowMillis(), Subtasks: make([]subtaskBody, len(vx.tasks)),
	}
	for i := range b.Subtasks {
		b.Subtasks[i] = c.subtaskBody(j, v, i)
	}
	b.Aggregated = aggregate(b.Subtasks)
	return b, nil
}

func (c *Cluster) subtaskBody(j *job, v, i int) subtaskBody {
	s := &j.subtasks[v][i]
	b := subtaskBody{
		Subtask: i, Status: s.status, Attempt: s.attempt, Metrics: c.ioOf(j, v, i),
		StartTime: c.millis(s.at(deploying)), EndTime: c.millis(s.endedAt()), Duration: -1,
		TaskManagerID: "(unassigned)", Durations: c.durations(s),
	}
	b.StartTimeToo = b.StartTime
	if b.StartTime >= 0 {
		b.Duration = c.nowMillis() - b.StartTime
		if s.terminal() {
			b.Duration = b.EndTime - b.StartTime
		}
		w := c.workers[s.worker]
		b.TaskManagerID = w.ID
		b.Host, b.Endpoint = c.address(w)
	}
	return b
}

// address is host and endpoint of a worker, as far as the version shows them.
func (c *Cluster) address(w *worker) (host, endpoint string) {
	if !c.version.atLeast(2, 0) {
		host = w.Host
	}
	if c.version.atLeast(1, 19) {
		endpoint = w.endpoint()
	}
	return host, endpoint
}

// durations is how long the attempt was in each state that can last, in ms; -1 for never.
func (c *Cluster) durations(s *subtask) map[string]int64 {
	steps := []string{created, scheduled, deploying, initializing, running}
	out := make(map[string]int64, len(steps))
	end := s.endedAt()
	for k := len(steps) - 1; k >= 0; k-- {
		from := s.at(steps[k])
		if math.IsNaN(from) {
			out[steps[k]] = -1
			continue
		}
		to := c.nowMillis()
		if !math.IsNaN(end) {
			to = c.millis(end)
		}
		out[steps[k]] = to - c.millis(from)
		end = from
	}
	return out
}

func aggregate(subtasks []subtaskBody) aggregatedBody {
	values, durations := map[string]distribution{}, map[string]distribution{}
	for _, s := range subtasks {
		for name, x := range s.Metrics.named() {
			values[name] = append(values[name], x)
		}
		for name, x := range s.Durations {
			durations[name] = append(durations[name], float64(x))
		}
	}
	return aggregatedBody{statisticsOf(values), statisticsOf(durations)}
}

func statisticsOf(values map[string]distribution) map[string]statistics {
	out := make(map[string]statistics, len(values))
	for name, d := range values {
		d = d.sorted()
		out[name] = statistics{
			Min: int64(d.lowest()), Max: int64(d.highest()), Avg: int64(d.mean()), Sum: int64(d.sum()),
			Median: int64(d.quantile(0.5)), P25: int64(d.quantile(0.25)), P75: int64(d.quantile(0.75)),
			P95: int64(d.quantile(0.95)),
		}
	}
	return out
}

type backpressureBody struct {
	Status       string                `json:"status"`
	Level        string                `json:"backpressure-level,omitempty"`
	LevelToo     string                `json:"backpressureLevel,omitempty"`
	EndTimestamp *int64                `json:"end-timestamp,omitempty"`
	Subtasks     []subtaskBackpressure `json:"subtasks,omitempty"`
}

type subtaskBackpressure struct {
	Subtask  int    `json:"subtask"`
	Level    string `json:"backpressure-level"`
	Ratio    double `json:"ratio"`
	Idle     double `json:"idleRatio"`
	Busy     double `json:"busyRatio"`
	LevelToo string `json:"backpressureLevel,omitempty"`
}

func backpressure(c *Cluster, r *http.Request) (any, *failure) {
	j, v, bad := c.findVertex(r)
	c.store.update(c)
	b := backpressureBody{Status: "deprecated"}
	if bad != nil || !c.reported(j, v) {
		return b, nil
	}
	if j.vertexStatus(v) == finished {
		return nil, &failure{http.StatusInternalServerError, []string{
			"Internal server error.",
			"<Exception on server side:\njava.util.NoSuchElementException: No value present\n" +
				"\tat java.base/java.util.OptionalDouble.getAsDouble(Unknown Source)\n" +
				"\tat org.apache.flink.runtime.rest.handler.job.JobVertexBackPressureHandler" +
				".getMaxBackPressureRatio(JobVertexBackPressureHandler.java:201)\n" +
				"End of exception on server side>",
		}}
	}
	worst := 0.0
	for i := range j.subtasks[v] {
		x, ok := c.sampleOf(j, v, i)
		if !ok {
			continue
		}
		s := subtaskBackpressure{Subtask: i}
		if !x.ended {
			s.Ratio, s.Idle, s.Busy = double(x.blockedGauge/1000), double(x.idleGauge/1000), double(x.busyGauge/1000)
		}
		s.Level = level(float64(s.Ratio))
		s.LevelToo = s.Level
		worst = max(worst, float64(s.Ratio))
		b.Subtasks = append(b.Subtasks, s)
	}
	fetched := c.millis(c.store.fetchedAt)
	b.Status, b.Level, b.LevelToo, b.EndTimestamp = "ok", level(worst), level(worst), &fetched
	return b, nil
}

// reported tells whether the metric store holds anything of a vertex.
func (c *Cluster) reported(j *job, v int) bool {
	for i := range j.subtasks[v] {
		if _, ok := c.sampleOf(j, v, i); ok {
			return true
		}
	}
	return false
}

// level is Flink's word for a share of time backpressured.
func level(ratio float64) string {
	switch {
	case ratio <= 0.1:
		return "ok"
	case ratio <= 0.5:
		return "low"
	default:
		return "high"
	}
}
