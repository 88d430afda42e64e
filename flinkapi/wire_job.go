package flinkapi

import (
	"encoding/json"
	"html"
	"strings"
	"time"
)

// wireJob is /jobs/:jobid (…rest.messages.job.JobDetailsInfo).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/#jobs-jobid
type wireJob struct {
	ID         text              `json:"jid"`
	Name       text              `json:"name"`
	State      text              `json:"state"`
	Type       text              `json:"job-type"`
	TypeAgain  text              `json:"jobType"`
	Start      number            `json:"start-time"`
	Now        number            `json:"now"`
	Timestamps map[string]number `json:"timestamps"`
	Vertices   []wireJobVertex   `json:"vertices"`
	Plan       wirePlan          `json:"plan"`
}

func (w wireJob) recognised() bool { return w.ID.hex() != "" && w.State != "" }

type wireJobVertex struct {
	ID             text              `json:"id"`
	Name           text              `json:"name"`
	Parallelism    number            `json:"parallelism"`
	MaxParallelism number            `json:"maxParallelism"`
	Status         text              `json:"status"`
	Start          number            `json:"start-time"`
	Tasks          map[string]number `json:"tasks"`
	Metrics        wireIOMetrics     `json:"metrics"`
}

// wirePlan is the job graph (…runtime.jobgraph.jsonplan.JsonPlanGenerator).
type wirePlan struct {
	Type  text           `json:"type"`
	Nodes []wirePlanNode `json:"nodes"`
}

type wirePlanNode struct {
	ID          text `json:"id"`
	Description text `json:"description"` // HTML-escaped
	Inputs      []struct {
		ID       text `json:"id"`
		Ship     text `json:"ship_strategy"`
		Exchange text `json:"exchange"`
	} `json:"inputs"`
}

// UnmarshalJSON takes the plan as an object or as a string that holds one; anything else leaves it empty.
func (p *wirePlan) UnmarshalJSON(b []byte) error {
	type plain wirePlan
	var inner string
	if json.Unmarshal(b, &inner) == nil && inner != "" {
		b = []byte(inner)
	}
	_ = unmarshal(b, (*plain)(p))
	return nil
}

// job turns the answer into the job, read at the given time of the source's clock.
func (w wireJob) job(read time.Time) *Job {
	j := &Job{
		ID: JobID(w.ID.hex()), Name: w.Name.name(), State: JobState(w.State.state()), Type: w.jobType(),
		StartedAt: w.Start.instant(), Now: w.Now.instant(), Read: read,
		EnteredAt: map[JobState]time.Time{},
	}
	for state, at := range w.Timestamps {
		if t := at.instant(); !t.IsZero() {
			j.EnteredAt[JobState(text(state).state())] = t
		}
	}
	descriptions := map[string]string{}
	for _, node := range w.Plan.Nodes {
		descriptions[node.ID.hex()] = node.Description.plainLines()
	}
	for _, v := range w.Vertices {
		if v.ID.hex() != "" {
			j.Vertices = append(j.Vertices, v.vertex(descriptions[v.ID.hex()], w.Now))
		}
	}
	j.Edges = w.Plan.edges(j)
	return j
}

// counters returns per vertex the raw numbers whose change shows that metrics were collected.
func (w wireJob) counters() map[VertexID]wireCounters {
	all := make(map[VertexID]wireCounters, len(w.Vertices))
	for _, v := range w.Vertices {
		m := v.Metrics
		all[VertexID(v.ID.hex())] = wireCounters{
			m.ReadRecords, m.WriteRecords, m.AccumulatedBusy, m.AccumulatedIdle, m.AccumulatedBackpressed,
		}
	}
	return all
}

type wireCounters struct {
	read, written, busy, idle, backpressured number
}

func (w wireJob) jobType() JobType {
	switch t := JobType(firstText(w.Type, w.TypeAgain, w.Plan.Type).state()); t {
	case TypeStreaming, TypeBatch:
		return t
	default:
		return TypeUnknown
	}
}

func (w wireJobVertex) vertex(description string, now number) Vertex {
	v := Vertex{
		ID: VertexID(w.ID.hex()), Name: w.Name.name(), Description: description,
		Parallelism: max(w.Parallelism.count(0), 0), MaxParallelism: max(w.MaxParallelism.count(0), 0),
		State: TaskState(w.Status.state()), Tasks: map[TaskState]int{},
	}
	for state, n := range w.Tasks {
		if tasks := n.count(0); tasks > 0 {
			v.Tasks[TaskState(text(state).state())] = tasks
		}
	}
	delete(v.Tasks, "TOTAL")
	lifetime := now.Or(0) - w.Start.nonNegative().Or(now.Or(0))
	counting := v.Tasks[TaskRunning]+v.Tasks[TaskFinished] > 0
	if len(v.Tasks) == 0 {
		counting = v.State == TaskRunning || v.State == TaskFinished
	}
	v.Sums = w.Metrics.readings(counting, float64(v.Parallelism)*lifetime)
	return v
}

// edges lists the connections between the vertices of j, in the plan's order.
func (p wirePlan) edges(j *Job) []Edge {
	var edges []Edge
	for _, node := range p.Nodes {
		to := VertexID(node.ID.hex())
		for _, input := range node.Inputs {
			from := VertexID(input.ID.hex())
			if j.Vertex(from) == nil || j.Vertex(to) == nil {
				continue
			}
			edges = append(edges, Edge{
				From: from, To: to, Ship: ShipStrategy(input.Ship.state()),
				Blocking: strings.Contains(strings.ToLower(string(input.Exchange)), "blocking"),
			})
		}
	}
	return edges
}

// plainLines undoes the HTML of a plan's description: <br/> for line breaks, entities such as &#92; for
// signs; secrets are hidden.
func (t text) plainLines() string {
	s := strings.NewReplacer("<br/>", "\n", "<br>", "\n", "<br />", "\n").Replace(string(t))
	return sanitizeLines(HideSecrets(html.UnescapeString(limited(s, maxDescription))), maxDescription)
}

// wireIOMetrics is the object metrics of a vertex or subtask (…rest.messages.job.metrics.IOMetricsInfo).
// Times in ms.
type wireIOMetrics struct {
	ReadBytes              number `json:"read-bytes"`
	ReadBytesComplete      flag   `json:"read-bytes-complete"`
	WriteBytes             number `json:"write-bytes"`
	WriteBytesComplete     flag   `json:"write-bytes-complete"`
	ReadRecords            number `json:"read-records"`
	ReadRecordsComplete    flag   `json:"read-records-complete"`
	WriteRecords           number `json:"write-records"`
	WriteRecordsComplete   flag   `json:"write-records-complete"`
	AccumulatedBusy        number `json:"accumulated-busy-time"`
	AccumulatedIdle        number `json:"accumulated-idle-time"`
	AccumulatedBackpressed number `json:"accumulated-backpressured-time"`
}

// sinceEpoch is more than any time that a subtask can have accumulated, in ms: 31 years. Flink 1.16 and
// 1.17 report the busy time of a task that has not started as the time since 1970.
const sinceEpoch = 1e12

// readings keeps what is really there. A counter whose flag says that a subtask's part is missing is
// missing itself, and so are the three times while all are 0: that is what Flink sends before it has
// collected anything. Of tasks that do not count, such as cancelled ones, it sends zeros for good. lifetime
// is how long all subtasks have lived together, in ms; 0 when unknown.
func (w wireIOMetrics) readings(counting bool, lifetime float64) Readings {
	var r Readings
	keep := func(s Signal, v Value, complete flag) {
		if v != (Value{}) && complete != flagFalse && (counting || v != Known(0)) {
			r = r.With(s, s.Info().base(v))
		}
	}
	keep(BytesRead, w.ReadBytes.Value, w.ReadBytesComplete)
	keep(BytesWritten, w.WriteBytes.Value, w.WriteBytesComplete)
	keep(RecordsRead, w.ReadRecords.Value, w.ReadRecordsComplete)
	keep(RecordsWritten, w.WriteRecords.Value, w.WriteRecordsComplete)
	if w.untouched() {
		return r
	}
	busy := w.AccumulatedBusy.Value
	if x := busy.Or(0); x >= sinceEpoch && x > 2*lifetime {
		busy = Value{}
	}
	keep(BusyTime, busy, flagAbsent)
	keep(IdleTime, w.AccumulatedIdle.Value, flagAbsent)
	keep(BackpressuredTime, w.AccumulatedBackpressed.Value, flagAbsent)
	return r
}

// untouched tells whether no time was accumulated at all.
func (w wireIOMetrics) untouched() bool {
	return !w.AccumulatedBusy.IsNaN() &&
		w.AccumulatedBusy.Or(0) == 0 && w.AccumulatedIdle.Or(0) == 0 && w.AccumulatedBackpressed.Or(0) == 0
}

// timed tells whether the server knows accumulated times at all (1.16 and newer).
func (w wireIOMetrics) timed() bool { return w.AccumulatedIdle != number{} }
