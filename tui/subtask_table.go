package tui

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// subtaskTable is all that is known of the subtasks of a vertex. Rows are put together one by one, as they
// are drawn: there may be 2,000.
type subtaskTable struct {
	v       vertexView
	all     []diagnose.SubtaskState
	history *diagnose.SubtaskHistory
	// now is the time by the JobManager's clock, end that of the picture by the source's.
	now, end time.Time
	// parts are the subtasks' parts in the newest completed checkpoint that was read so far, by index.
	parts map[int]*flinkapi.CheckpointPart
}

func subtaskTableOf(sc *scene, v vertexView) *subtaskTable {
	t := &subtaskTable{v: v, all: v.state.Subtasks.All()}
	job := sc.job()
	if job == nil {
		return t
	}
	t.now, t.end = job.Now, sc.obs.At
	if h := sc.obs.History; h != nil && h.Vertex == v.vertex.ID {
		t.history = h
	}
	if parts := newestParts(job.Checkpoints, v.vertex.ID); len(parts) > 0 {
		t.parts = make(map[int]*flinkapi.CheckpointPart, len(parts))
		for i := range parts {
			t.parts[parts[i].Subtask] = &parts[i]
		}
	}
	return t
}

// newestParts are the parts of a vertex's subtasks in the newest completed checkpoint that was read so far;
// nil where there is none.
func newestParts(cp *flinkapi.Checkpoints, id flinkapi.VertexID) []flinkapi.CheckpointPart {
	if cp == nil {
		return nil
	}
	for i := range cp.History {
		c := &cp.History[i]
		if c.Status != flinkapi.CheckpointCompleted {
			continue
		}
		for k := range c.Vertices {
			if c.Vertices[k].Vertex == id && len(c.Vertices[k].Parts) > 0 {
				return c.Vertices[k].Parts
			}
		}
	}
	return nil
}

// subtaskRow is a subtask with what is known of it.
type subtaskRow struct {
	*diagnose.SubtaskState
	table  *subtaskTable
	gauges flinkapi.Readings // nil where they were not read
}

func (t *subtaskTable) row(s *diagnose.SubtaskState) subtaskRow {
	return subtaskRow{s, t, t.v.vertex.Gauges[s.Index].Readings}
}

// find returns the row of a subtask.
func (t *subtaskTable) find(index int) (subtaskRow, bool) {
	i := slices.IndexFunc(t.all, func(s diagnose.SubtaskState) bool { return s.Index == index })
	if i < 0 {
		return subtaskRow{}, false
	}
	return t.row(&t.all[i]), true
}

// bytes are the bytes per second in and out.
func (r *subtaskRow) bytes() (in, out flinkapi.Value) { return r.table.history.Bytes(r.Index) }

// state is the size of its state in the newest completed checkpoint.
func (r *subtaskRow) state() flinkapi.Value {
	if part := r.table.parts[r.Index]; part != nil && part.Acked {
		return part.StateBytes
	}
	return flinkapi.Value{}
}

// endOfInput is from where on a watermark, in seconds, says that the input has ended.
const endOfInput = 9e15

// watermark is how far its input watermark is behind the clock of the JobManager, in seconds; ended is true
// where the input has ended.
func (r *subtaskRow) watermark() (behind flinkapi.Value, ended bool) {
	at, ok := r.gauges.Of(flinkapi.InputWatermark).Float()
	if !ok || at >= endOfInput {
		return flinkapi.Value{}, ok
	}
	return flinkapi.Known(float64(r.table.now.UnixMilli())/1000 - at), false
}

// busyOver is its busy share over the last 15 minutes, in n columns.
func (r *subtaskRow) busyOver(n int) []flinkapi.Value {
	points := r.table.history.Points(r.Index)
	samples := make([]sample, len(points))
	for i, p := range points {
		samples[i] = sample{p.At, p.Busy}
	}
	return overTrend(samples, r.table.end, n)
}

// shown are the subtasks that pass the filter, by a column. What is not known comes last, either way. Values
// count in coarse steps and equal ones stay in the order of their indices, so that rows do not change places
// for noise.
func (t *subtaskTable) shown(sc *scene, by *subtaskColumn, reverse bool) []*diagnose.SubtaskState {
	type keyed struct {
		state *diagnose.SubtaskState
		key   sortKey
	}
	all := make([]keyed, 0, len(t.all))
	var row subtaskRow // one for all of them: it leaves the stack
	for i := range t.all {
		s := &t.all[i]
		if sc.filter != "" &&
			!sc.matches(strconv.Itoa(s.Index)+" "+s.Host+" "+string(s.TaskManager)+" "+string(s.State)) {
			continue
		}
		row = t.row(s)
		all = append(all, keyed{s, by.key(&row)})
	}
	ascending := by.ascending != reverse
	slices.SortStableFunc(all, func(a, b keyed) int {
		order := cmp.Or(cmp.Compare(a.key.x, b.key.x), cmp.Compare(a.key.word, b.key.word))
		if !ascending {
			order = -order
		}
		return cmp.Or(-compareBools(a.key.known, b.key.known), order, cmp.Compare(a.state.Index, b.state.Index))
	})
	out := make([]*diagnose.SubtaskState, len(all))
	for i := range all {
		out[i] = all[i].state
	}
	return out
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
