package sim

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// metricBody is an entry of the endpoints without aggregation; a listing has no value.
type metricBody struct {
	ID    string  `json:"id"`
	Value *string `json:"value,omitempty"`
}

// aggregatedMetric is an entry of the aggregating endpoints.
type aggregatedMetric struct {
	ID   string  `json:"id"`
	Min  *double `json:"min,omitempty"`
	Max  *double `json:"max,omitempty"`
	Avg  *double `json:"avg,omitempty"`
	Sum  *double `json:"sum,omitempty"`
	Skew *double `json:"skew,omitempty"`
}

// wanted splits the parameter "get"; listing says that there is none.
func wanted(r *http.Request) (names []string, listing bool) {
	for _, part := range r.URL.Query()["get"] {
		names = append(names, strings.Split(part, ",")...)
	}
	return names, len(names) == 0
}

func value(text string) *string { return &text }

// vertexMetrics answers names with the subtask before them: "0.busyTimeMsPerSecond".
func vertexMetrics(c *Cluster, r *http.Request) (any, *failure) {
	j, v, bad := c.findVertex(r)
	c.store.update(c)
	out := []metricBody{}
	if bad != nil {
		return out, nil
	}
	names, listing := wanted(r)
	if listing {
		for i := range j.subtasks[v] {
			for _, m := range c.metricsOf(j, v) {
				if _, ok := c.reading(j, v, i, &m); ok {
					out = append(out, metricBody{ID: strconv.Itoa(i) + "." + m.name})
				}
			}
		}
		return out, nil
	}
	for _, name := range names {
		number, rest, _ := strings.Cut(name, ".")
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 || i >= len(j.subtasks[v]) {
			continue
		}
		if text, ok := c.readingText(j, v, i, rest); ok {
			out = append(out, metricBody{name, value(text)})
		}
	}
	return out, nil
}

// subtaskMetrics answers for one subtask, without the number before the names.
func subtaskMetrics(c *Cluster, r *http.Request) (any, *failure) {
	j, v, bad := c.findVertex(r)
	c.store.update(c)
	out := []metricBody{}
	i, err := strconv.Atoi(r.PathValue("subtask"))
	if bad != nil || err != nil || i < 0 || i >= len(j.subtasks[v]) {
		return out, nil
	}
	names, listing := wanted(r)
	if listing {
		for _, m := range c.metricsOf(j, v) {
			if _, ok := c.reading(j, v, i, &m); ok {
				out = append(out, metricBody{ID: m.name})
			}
		}
		return out, nil
	}
	for _, name := range names {
		if text, ok := c.readingText(j, v, i, name); ok {
			out = append(out, metricBody{name, value(text)})
		}
	}
	return out, nil
}

// reading is the value of a metric of one subtask in the store.
func (c *Cluster) reading(j *job, v, i int, m *metric) (float64, bool) {
	x, ok := c.sampleOf(j, v, i)
	if !ok {
		return 0, false
	}
	return m.read(x)
}

func (c *Cluster) readingText(j *job, v, i int, name string) (string, bool) {
	m := c.metric(j, v, name)
	if m == nil {
		return "", false
	}
	x, ok := c.reading(j, v, i, m)
	return m.text(x), ok
}

// aggregatedMetrics answers for the subtasks together. One name that no subtask has makes the whole
// answer [].
func aggregatedMetrics(c *Cluster, r *http.Request) (any, *failure) {
	j, v, bad := c.findVertex(r)
	c.store.update(c)
	out := []aggregatedMetric{}
	if bad != nil {
		return out, nil
	}
	names, listing := wanted(r)
	chosen := subtaskRange(r.URL.Query().Get("subtasks"), len(j.subtasks[v]))
	if listing {
		for _, m := range c.metricsOf(j, v) {
			if len(c.readings(j, v, chosen, &m)) > 0 {
				out = append(out, aggregatedMetric{ID: m.name})
			}
		}
		return out, nil
	}
	modes, bad := c.modes(r)
	if bad != nil {
		return nil, bad
	}
	for _, name := range names {
		m := c.metric(j, v, name)
		if m == nil {
			return []aggregatedMetric{}, nil
		}
		values := c.readings(j, v, chosen, m)
		if len(values) == 0 {
			return []aggregatedMetric{}, nil
		}
		if m.kind != boolean {
			out = append(out, combine(name, values, modes))
		}
	}
	return out, nil
}

func (c *Cluster) readings(j *job, v int, chosen []int, m *metric) distribution {
	var values distribution
	for _, i := range chosen {
		if x, ok := c.reading(j, v, i, m); ok {
			values = append(values, x)
		}
	}
	return values
}

// modes are the aggregations asked for; all of them by default.
func (c *Cluster) modes(r *http.Request) ([]string, *failure) {
	known := []string{"min", "max", "avg", "sum"}
	if c.version.atLeast(1, 20) {
		known = append(known, "skew")
	}
	var asked []string
	for _, part := range r.URL.Query()["agg"] {
		for _, mode := range strings.Split(strings.ToLower(part), ",") {
			if !slices.Contains(known, mode) {
				return nil, &failure{http.StatusBadRequest, []string{fmt.Sprintf(
					"Bad request, could not parse parameters: Cannot resolve query parameter (agg) from value %q", mode,
				)}}
			}
			asked = append(asked, mode)
		}
	}
	if len(asked) == 0 {
		return known, nil
	}
	return asked, nil
}

func combine(name string, values distribution, modes []string) aggregatedMetric {
	m := aggregatedMetric{ID: name}
	number := func(x float64) *double {
		d := double(x)
		return &d
	}
	for _, mode := range modes {
		switch mode {
		case "min":
			m.Min = number(values.lowest())
		case "max":
			m.Max = number(values.highest())
		case "avg":
			m.Avg = number(values.mean())
		case "sum":
			m.Sum = number(values.sum())
		case "skew":
			m.Skew = number(values.skew())
		}
	}
	return m
}

// subtaskRange reads "0-3,7"; empty means all of them. Parts that make no sense are skipped.
func subtaskRange(spec string, parallelism int) []int {
	var chosen []int
	for i := range parallelism {
		if spec == "" || inRange(spec, i) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

func inRange(spec string, i int) bool {
	for _, part := range strings.Split(spec, ",") {
		low, high, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(low)
		if err != nil {
			continue
		}
		to := from
		if isRange {
			if to, err = strconv.Atoi(high); err != nil {
				continue
			}
		}
		if i >= from && i <= to {
			return true
		}
	}
	return false
}

// named is a number with its metric name, for the scopes that have few of them.
type named struct {
	name string
	kind metricKind
	x    float64
}

// answerNamed answers the get parameter from a list.
func answerNamed(r *http.Request, all []named) []metricBody {
	out := []metricBody{}
	names, listing := wanted(r)
	for _, n := range all {
		switch {
		case listing:
			out = append(out, metricBody{ID: n.name})
		case slices.Contains(names, n.name):
			m := metric{kind: n.kind}
			out = append(out, metricBody{n.name, value(m.text(n.x))})
		}
	}
	return out
}

// timeIn is how long the job has been in a state that it is still in, in ms; 0 in another state.
func (j *job) timeIn(c *Cluster, state string) int64 {
	if j.state != state {
		return 0
	}
	return c.nowMillis() - c.millis(j.entered[state])
}

func jobMetrics(c *Cluster, r *http.Request) (any, *failure) {
	j, bad := c.find(r)
	c.store.update(c)
	if bad != nil || !c.store.current.jobs[j.index].present {
		return []metricBody{}, nil
	}
	cp, s := &j.checkpoint, &c.store.current.jobs[j.index]
	list := []named{
		{"numRestarts", whole, float64(s.restarts)},
		{"runningTime", whole, float64(j.timeIn(c, running))},
		{"restartingTime", whole, float64(j.timeIn(c, restarting))},
		{"numberOfCompletedCheckpoints", whole, float64(cp.completed)},
		{"numberOfFailedCheckpoints", whole, float64(cp.failed)},
		{"numberOfInProgressCheckpoints", whole, float64(cp.inProgress)},
		{"totalNumberOfCheckpoints", whole, float64(cp.lastID)},
	}
	if cp.latest != nil {
		list = append(list,
			named{"lastCompletedCheckpointId", whole, float64(cp.latest.id)},
			named{"lastCheckpointDuration", whole, 1000 * (cp.latest.ended - cp.latest.triggered)},
			named{"lastCheckpointSize", whole, cp.latest.ownBytes()},
			named{"lastCheckpointFullSize", whole, cp.latest.stateBytes()})
	}
	if c.version.atLeast(2, 0) {
		list = append(list, named{"numRescales", whole, float64(j.rescales)})
	} else {
		list = append(list, named{"fullRestarts", whole, float64(s.restarts)})
	}
	return answerNamed(r, list), nil
}

func jobManagerMetrics(c *Cluster, r *http.Request) (any, *failure) {
	c.store.update(c)
	running, free, total := 0, 0, 0
	for _, j := range c.jobs {
		if !j.terminal() {
			running++
		}
	}
	for _, w := range c.workers {
		if !w.lost {
			free += w.freeSlots()
			total += w.Slots
		}
	}
	return answerNamed(r, []named{
		{"numRunningJobs", whole, float64(running)},
		{"numRegisteredTaskManagers", whole, float64(len(c.workers))},
		{"taskSlotsTotal", whole, float64(total)},
		{"taskSlotsAvailable", whole, float64(free)},
		{"Status.JVM.CPU.Load", fraction, 0.01},
		{"Status.JVM.Memory.Heap.Used", whole, 0.3 * defaultHeap},
		{"Status.JVM.Memory.Heap.Max", whole, defaultHeap},
	}), nil
}

// watermarks answers for each subtask that has an input; sources have none.
func watermarks(c *Cluster, r *http.Request) (any, *failure) {
	j, v, bad := c.findVertex(r)
	c.store.update(c)
	out := []metricBody{}
	if bad != nil {
		return out, nil
	}
	const name = "currentInputWatermark"
	for i := range j.subtasks[v] {
		if text, ok := c.readingText(j, v, i, name); ok {
			out = append(out, metricBody{strconv.Itoa(i) + "." + name, value(text)})
		}
	}
	return out, nil
}
