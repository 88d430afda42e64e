package diagnose

import (
	"context"
	"errors"
	"slices"
	"time"

	"culprit/flinkapi"
)

// Monitor is the whole line from a source to a verdict; the screen and `culprit check` both step it. It is
// not concurrent: one step at a time.
type Monitor struct {
	source  flinkapi.Source
	options Options
	seq     int
	jobs    map[flinkapi.JobID]*jobWatch
	// list is the newest list of jobs.
	list []flinkapi.JobSummary
	// fleet are the jobs that were glanced at; now is when the newest look ended.
	fleet map[flinkapi.JobID]*fleetWatch
	now   time.Time
	// changes are what happened to jobs of the list lately.
	changes map[flinkapi.JobID]change
	// rotating is how many running jobs take turns; 0 while one job is watched.
	rotating int
	// glancing is set while they are only glanced at; glanced is when the newest such look ended.
	glancing bool
	glanced  time.Time
	// focused is the job that the newest look was at; empty for none.
	focused flinkapi.JobID
	// eager is set when the list of jobs has just told which job to look into.
	eager bool
	// gone says that the job that was watched vanished; it is said again until another one runs.
	gone error
	// decoded is what the source had spent on decoding after the last step, in seconds.
	decoded flinkapi.Value
}

// Spent is what the source has asked of the cluster; known is false where it does not tell.
func (m *Monitor) Spent() (cost flinkapi.Cost, known bool) {
	source, known := m.source.(flinkapi.Spender)
	if known {
		cost = source.Spent()
	}
	return cost, known
}

// jobWatch is what the monitor keeps of one job.
type jobWatch struct {
	engine *engine
	report *Report
	looked time.Time
	lag    Lag // of the newest look
}

// look takes in a look at the job.
func (w *jobWatch) look(s *flinkapi.Snapshot) {
	w.looked, w.report = s.At, w.engine.run(s)
	w.lag = w.engine.w.readLag(s.Job, w.engine.g)
}

// Ask says what the next step is for.
type Ask struct {
	// Job is the job to look into. Empty watches all running jobs in turn; with one running job that is the one.
	Job flinkapi.JobID
	// Name is the job's id or name, used while Job is empty: it is looked up in the list of jobs.
	Name string
	// Vertex is the selected vertex, whose numbers are then kept fresh; may be empty.
	Vertex flinkapi.VertexID
	// Detail asks for the subtasks of Vertex one by one, and for their history; Subtasks are those that go
	// first where there are too many to read all at once.
	Detail   bool
	Subtasks []int
	// Checkpoints asks for the checkpoints vertex by vertex, whatever the diagnosis needs.
	Checkpoints bool
	// Inspect is the checkpoint that is looked at, and the vertex of it; zero for none.
	Inspect flinkapi.CheckpointRef
	// Fleet glances at the running jobs, where several are watched, instead of looking into one after the other.
	// Visible are those in sight, which come first.
	Fleet   bool
	Visible []flinkapi.JobID
	// Refresh asks for everything now.
	Refresh bool
}

// NewMonitor returns a monitor of the source.
func NewMonitor(source flinkapi.Source, options Options) *Monitor {
	return &Monitor{
		source: source, options: options, jobs: map[flinkapi.JobID]*jobWatch{},
		fleet: map[flinkapi.JobID]*fleetWatch{}, changes: map[flinkapi.JobID]change{},
	}
}

// rotation is within which time every running job gets its turn; gap is the shortest pause between two turns.
const (
	rotation = 10 * time.Second
	gap      = 50 * time.Millisecond
)

// Step takes one look and diagnoses it. It fails with a *flinkapi.Error when nothing could be read, and
// with io.EOF at the end of a recording; the last observation then still stands.
func (m *Monitor) Step(ctx context.Context, ask Ask) (*Observation, error) {
	m.eager = false
	chosen := ask.Job == ""
	if ask.Job == "" && ask.Name != "" && len(m.list) > 0 {
		id, err := flinkapi.FindJob(m.list, ask.Name)
		if err != nil {
			m.list = nil // the next step reads it anew
			return nil, err
		}
		ask.Job = id
	}
	focus := m.focus(ask)
	began := m.stopwatch()
	s, err := m.source.Next(ctx, focus)
	if err != nil {
		var e *flinkapi.Error
		if chosen && errors.As(err, &e) && e.Kind == flinkapi.KindNoJob {
			delete(m.jobs, focus.Job)
			m.list, m.gone = nil, e
		}
		return nil, err
	}
	if m.gone != nil && s.Job == nil && !slices.ContainsFunc(s.Jobs, runs) {
		return nil, m.gone
	}
	m.gone = nil
	m.seq++
	collected := m.stopwatch()
	m.noteList(s)
	m.noteFleet(s, focus)
	obs := &Observation{Seq: m.seq, At: s.At, Snapshot: s}
	if s.Job != nil {
		watch := m.watch(s.Job.ID)
		if m.rotating < 2 && m.focused != s.Job.ID && !watch.looked.IsZero() {
			watch.engine.w.leave(s.At.Sub(watch.looked))
		}
		watch.look(s)
		if m.rotating < 2 {
			obs.Report, obs.Trend = watch.report, watch.engine.trend()
			if ask.Detail {
				obs.History = watch.engine.history(s.Job, ask.Vertex)
			}
		}
	}
	m.focused = focus.Job
	obs.Jobs = m.lines()
	obs.Took = m.stages(began, collected, s)
	m.eager = s.Job == nil && len(focus.Fleet) == 0 && len(m.fleet) == 0 && slices.ContainsFunc(m.list, runs)
	return obs, nil
}

func runs(j flinkapi.JobSummary) bool { return !j.State.Over() }

// Wait tells how long to leave the source alone before the next step. While jobs take turns it is shorter,
// so that each is looked at in time.
func (m *Monitor) Wait() time.Duration {
	wait := m.source.Wait()
	if m.eager {
		return 0
	}
	if m.rotating < 2 || m.glancing {
		return wait
	}
	return max(gap, min(wait, rotation/time.Duration(m.rotating)))
}

func (m *Monitor) watch(id flinkapi.JobID) *jobWatch {
	w := m.jobs[id]
	if w == nil {
		w = &jobWatch{engine: newEngine(m.options, Rules())}
		m.jobs[id] = w
	}
	return w
}

func (m *Monitor) noteList(s *flinkapi.Snapshot) {
	if len(s.Jobs) > 0 || s.Job == nil {
		m.noteChanges(s.Jobs, s.At)
		m.list = s.Jobs
	}
	for id := range m.jobs {
		listed := slices.ContainsFunc(m.list, func(j flinkapi.JobSummary) bool { return j.ID == id })
		if !listed && len(m.list) > 0 && (s.Job == nil || s.Job.ID != id) {
			delete(m.jobs, id)
		}
	}
}

// focus says where to look: at the job asked for, or at the running job that was not looked at for the
// longest time.
func (m *Monitor) focus(ask Ask) flinkapi.Focus {
	f := flinkapi.Focus{Job: ask.Job, Refresh: ask.Refresh}
	m.rotating = 0
	if ask.Job == "" && ask.Name == "" {
		f.Job, f.Turn = m.turn(), true
	}
	if m.glancing = ask.Fleet && m.rotating > 1; m.glancing {
		f.Job = ""
		m.chooseFleet(ask, &f)
		return f
	}
	if w := m.jobs[f.Job]; w != nil && w.report != nil {
		f.Vertices, f.TaskManagers = w.report.near()
		f.Sample, f.Checkpoint = w.report.toSample(m.rotating > 1), w.report.checkpointsMatter()
	}
	f.Checkpoint = f.Checkpoint || ask.Checkpoints
	f.CheckpointHistory, f.Inspect = ask.Checkpoints, ask.Inspect
	if ask.Vertex != "" && !slices.Contains(f.Vertices, ask.Vertex) {
		f.Vertices = append(f.Vertices, ask.Vertex)
	}
	if ask.Detail {
		f.Detail, f.Subtasks = ask.Vertex, ask.Subtasks
	}
	return f
}

func (m *Monitor) turn() flinkapi.JobID {
	var next flinkapi.JobID
	var oldest time.Time
	for _, j := range m.list {
		if j.State.Over() {
			continue
		}
		m.rotating++
		looked := time.Time{}
		if w := m.jobs[j.ID]; w != nil {
			looked = w.looked
		}
		if next == "" || looked.Before(oldest) {
			next, oldest = j.ID, looked
		}
	}
	return next
}

// near are the vertices and TaskManagers whose dear numbers the next report needs: the culprits, or while
// nobody is named the busiest vertex.
func (r *Report) near() ([]flinkapi.VertexID, []flinkapi.TaskManagerID) {
	const mostVertices, mostTaskManagers = 2, 2
	var vertices []flinkapi.VertexID
	var workers []flinkapi.TaskManagerID
	add := func(id flinkapi.TaskManagerID) {
		if id != "" && !slices.Contains(workers, id) {
			workers = append(workers, id)
		}
	}
	hosts := func(id flinkapi.VertexID) {
		for i := range r.Vertices {
			v := &r.Vertices[i]
			for k := 0; v.Vertex.ID == id && k < v.Subtasks.Len(); k++ {
				add(v.Subtasks.At(k).TaskManager)
			}
		}
	}
	for i := range r.Culprits {
		vertices = append(vertices, r.Culprits[i].Vertex.ID)
		for _, id := range r.Culprits[i].TaskManagers {
			add(id)
		}
		if len(r.Culprits[i].TaskManagers) == 0 {
			hosts(r.Culprits[i].Vertex.ID)
		}
	}
	if busiest := r.busiest(); len(vertices) == 0 && busiest != nil {
		vertices = append(vertices, busiest.Vertex.ID)
		hosts(busiest.Vertex.ID)
	}
	return vertices[:min(len(vertices), mostVertices)], workers[:min(len(workers), mostTaskManagers)]
}

// lookAgain is how old the newest look may be before a culprit of one of many jobs is looked at again.
const lookAgain = time.Minute

// toSample are the culprits, whose stacks tell why they are busy, or the vertex that stands still. Nobody
// else is sampled, and nobody before the walk has named him. Where jobs take turns only those are that were
// not looked at enough lately: all share the dumps of a cluster.
func (r *Report) toSample(turns bool) []flinkapi.VertexID {
	var out []flinkapi.VertexID
	for i := range r.Culprits {
		x := &r.Culprits[i]
		if sampled(i, x.Subtasks) && !(turns && !x.looked.IsZero() && r.At.Sub(x.looked) < lookAgain) {
			out = append(out, x.Vertex.ID)
		}
	}
	if r.stuck() && r.State.Subject.Vertex != "" {
		out = append(out, r.State.Subject.Vertex)
	}
	return out
}

// sampled tells whether looks are asked for at the threads of the busy subtasks of the culprit of that rank,
// from 0.
func sampled(rank int, busy []int) bool {
	const most = 2
	return rank < most && len(busy) > 0
}

// stuck tells whether nothing moves at all.
func (r *Report) stuck() bool { return r.State != nil && r.State.Rule == stuckRule().Name }

// checkpointsMatter tells whether checkpoints are worth reading vertex by vertex: there is pressure, one of
// the rules about them fires, or state grows and it is to be told whose.
func (r *Report) checkpointsMatter() bool {
	fifth := r.Rung(5)
	return len(r.Culprits) > 0 || r.stuck() || r.growing || fifth != nil && fifth.State == RungHit
}

func (r *Report) busiest() *VertexState {
	var out *VertexState
	for i := range r.Vertices {
		v := &r.Vertices[i]
		if out == nil || v.Busy.Or(0) > out.Busy.Or(0) {
			out = v
		}
	}
	return out
}

// trend sums up the slots of the last 15 minutes.
func (e *engine) trend() []TrendPoint {
	out := make([]TrendPoint, 0, len(e.w.slots))
	for i := range e.w.slots {
		s := &e.w.slots[i]
		p := TrendPoint{
			At: s.to, Pressure: s.pressure, Busy: s.busy,
			Held: s.verdict.pressed, Unknown: s.verdict.abstain != "",
		}
		named := e.named(s)
		p.Held = p.Held || len(named) < len(s.verdict.named)
		for _, id := range named {
			if p.Culprit == "" {
				p.Culprit = id
			} else {
				p.Others = append(p.Others, id)
			}
		}
		out = append(out, p)
	}
	return out
}

// named are those that a slot named, in the order in which they are told of now, without those who are not
// named because of what others keep on their heap.
func (e *engine) named(s *slot) []flinkapi.VertexID {
	ids := make([]flinkapi.VertexID, 0, len(s.verdict.named))
	for i := range s.verdict.named {
		v := s.verdict.named[i].vertex
		if !slices.ContainsFunc(e.spared, func(x heapVictim) bool { return x.vertex == v }) {
			ids = append(ids, s.verdict.named[i].id)
		}
	}
	slices.SortStableFunc(ids, func(a, b flinkapi.VertexID) int { return e.order.place(a) - e.order.place(b) })
	return ids
}

func larger(a, b flinkapi.Value) flinkapi.Value {
	x, ok := a.Float()
	if y, known := b.Float(); known && (!ok || y > x) {
		return b
	}
	return a
}
