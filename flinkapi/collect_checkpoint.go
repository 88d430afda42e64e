package flinkapi

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

const (
	// slowCheckpoint is how long a checkpoint takes before it is looked into unasked, and stuckCheckpoint how
	// long one may run.
	slowCheckpoint  = time.Second
	stuckCheckpoint = 5 * time.Second
	// detailsPerRound bounds the checkpoints that a round looks into, and partsPerRound the vertices of them
	// that it reads by subtask.
	detailsPerRound = 2
	partsPerRound   = 3
	// unaskedEvery is how often, in rounds, checkpoints are looked into while nobody has asked for it, and
	// runningEvery how often one that runs is looked into again when somebody has.
	unaskedEvery = 3
	runningEvery = 2
)

// checkpointAnatomy is what was read of one checkpoint vertex by vertex, in the state that it had then.
type checkpointAnatomy struct {
	status   string
	acked    int
	round    int
	vertices []CheckpointVertex
}

// current tells whether a checkpoint stands as it did when it was read, or runs and was read only just now.
func (a *checkpointAnatomy) current(one *Checkpoint, round int) bool {
	return a != nil && a.status == one.Status && (a.acked == one.Acked || round < a.round+runningEvery)
}

func (c *Collector) checkpointReads(s *jobState) []read {
	what := call{op: "read the checkpoints", path: pathCheckpoints, ids: []string{string(s.job.ID)}}
	reads := []read{}
	if s.config == nil {
		config := call{op: "read the checkpoint configuration", path: pathCheckpointConfig, ids: what.ids}
		reads = append(reads, ask(c, config, func(w wireCheckpointConfig, _ time.Time) { s.config = &w }))
	}
	return append(reads, ask(c, what, func(w wireCheckpoints, at time.Time) {
		s.checkpoints = w.checkpoints(s.config, at, s.job.NowAt(at))
		for id := range s.anatomy {
			if !slices.ContainsFunc(s.checkpoints.History, func(h Checkpoint) bool { return h.ID == id }) {
				delete(s.anatomy, id)
			}
		}
	}))
}

func (c *Collector) jobConfigRead(s *jobState) read {
	what := call{op: "read the job's configuration", path: pathJobConfig, ids: []string{string(s.job.ID)}}
	return ask(c, what, func(w wireJobConfig, _ time.Time) { s.settings = &w })
}

// newest returns the newest checkpoint of a state that is no savepoint, or nil.
func (c *Checkpoints) newest(status string) *Checkpoint {
	if c == nil {
		return nil
	}
	i := slices.IndexFunc(c.History, func(h Checkpoint) bool { return h.Status == status && !h.Savepoint })
	if i < 0 {
		return nil
	}
	return &c.History[i]
}

// toDissect chooses the checkpoints that are worth a look vertex by vertex: the newest completed one and the
// newest failed one, which are read once, then the one that runs, when that is asked for or the first or the
// last takes long. Where the history is asked for, the older ones follow, the newest first.
func (s *jobState) toDissect(focus Focus) []*Checkpoint {
	running, completed := s.checkpoints.newest(CheckpointInProgress), s.checkpoints.newest(CheckpointCompleted)
	slow := completed != nil && completed.Duration > slowCheckpoint
	if running != nil {
		usual := stuckCheckpoint
		if completed != nil {
			usual = min(usual, max(2*completed.Duration, slowCheckpoint))
		}
		slow = slow || running.Duration > usual
	}
	if !slow && !focus.Checkpoint {
		return nil
	}
	all := []*Checkpoint{completed, s.checkpoints.newest(CheckpointFailed), running}
	all = slices.DeleteFunc(all, func(one *Checkpoint) bool { return one == nil })
	if !focus.CheckpointHistory || s.checkpoints == nil {
		return all
	}
	for i := range s.checkpoints.History {
		older := &s.checkpoints.History[i]
		if older.Status != CheckpointInProgress && !slices.Contains(all, older) {
			all = append(all, older)
		}
	}
	return all
}

// checkpointDetailReads looks into checkpoints: each once when it is over, and again while it runs when more
// of it has been acknowledged.
func (c *Collector) checkpointDetailReads(s *jobState, focus Focus) []read {
	if !focus.Checkpoint && s.rounds < s.dissectAgain {
		return nil
	}
	var reads []read
	for _, one := range s.toDissect(focus) {
		if s.anatomy[one.ID].current(one, s.rounds) || len(reads) == detailsPerRound {
			continue
		}
		s.dissectAgain = s.rounds + unaskedEvery
		reads = append(reads, c.dissectRead(s, one))
	}
	return reads
}

// dissectRead looks into a checkpoint vertex by vertex.
func (c *Collector) dissectRead(s *jobState, one *Checkpoint) read {
	what := call{
		op: "read the checkpoint's details", path: pathCheckpointDetails,
		ids: []string{string(s.job.ID), strconv.FormatInt(one.ID, 10)},
	}
	return ask(c, what, func(w wireCheckpointDetails, _ time.Time) {
		if s.anatomy == nil {
			s.anatomy = map[int64]*checkpointAnatomy{}
		}
		s.anatomy[one.ID] = &checkpointAnatomy{
			status: w.Status.state(), acked: w.Acknowledged.count(one.Acked), round: s.rounds,
			vertices: s.anatomy[one.ID].withParts(w.vertices()),
		}
	}).quietIf(leftHistory)
}

// leftHistory recognises the failure for a checkpoint that has meanwhile left the history.
func leftHistory(e *Error) bool { return e.Kind == KindNotFound }

// checkpointPartReads looks into the checkpoints' vertices subtask by subtask. What nobody has asked for, and
// what is not over and will be read again, costs one vertex alone.
func (c *Collector) checkpointPartReads(s *jobState, focus Focus) []read {
	most := 1
	if focus.Checkpoint {
		most = partsPerRound
	}
	var reads []read
	for _, one := range s.toDissect(focus) {
		known := s.anatomy[one.ID]
		if known == nil {
			continue
		}
		worst := known.worst(focus.Vertices, most)
		if one.Status == CheckpointInProgress || one != s.checkpoints.newest(one.Status) {
			worst = worst[:min(len(worst), 1)]
		}
		for _, id := range worst {
			if known.vertex(id).Parts == nil && len(reads) < most {
				reads = append(reads, c.partsRead(s, one.ID, id))
			}
		}
	}
	return reads
}

// withParts keeps the subtasks that were read of the vertices of which nothing has been acknowledged since.
func (a *checkpointAnatomy) withParts(vertices []CheckpointVertex) []CheckpointVertex {
	if a == nil {
		return vertices
	}
	for i := range vertices {
		if old := a.vertex(vertices[i].Vertex); old != nil && old.Acked == vertices[i].Acked {
			vertices[i].Parts = old.Parts
		}
	}
	return vertices
}

func (c *Collector) partsRead(s *jobState, checkpoint int64, id VertexID) read {
	what := call{
		op: "read the checkpoint by subtask", path: pathCheckpointParts,
		ids: []string{string(s.job.ID), strconv.FormatInt(checkpoint, 10), string(id)},
	}
	r := ask(c, what, func(w wireCheckpointParts, _ time.Time) {
		known := s.anatomy[checkpoint]
		if known == nil || known.vertex(id) == nil {
			return
		}
		known.vertices = slices.Clone(known.vertices)
		known.vertex(id).Parts = w.parts()
	}).quietIf(leftHistory)
	if v := s.job.Vertex(id); v != nil {
		r = r.about(v.Name)
	}
	return r
}

func (a *checkpointAnatomy) vertex(id VertexID) *CheckpointVertex {
	i := slices.IndexFunc(a.vertices, func(v CheckpointVertex) bool { return v.Vertex == id })
	if i < 0 {
		return nil
	}
	return &a.vertices[i]
}

// worst chooses the vertices to read by subtask: the one that holds the checkpoint up most, by missing
// acknowledgements or else the longest time, then those in focus, then the next.
func (a *checkpointAnatomy) worst(focused []VertexID, most int) []VertexID {
	sorted := slices.Clone(a.vertices)
	slices.SortStableFunc(sorted, func(x, y CheckpointVertex) int {
		return cmp.Or(cmp.Compare(y.Subtasks-y.Acked, x.Subtasks-x.Acked), cmp.Compare(y.Duration, x.Duration))
	})
	var ids []VertexID
	for i, v := range sorted {
		if i == 0 || slices.Contains(focused, v.Vertex) {
			ids = append(ids, v.Vertex)
		}
	}
	for _, v := range sorted {
		if !slices.Contains(ids, v.Vertex) {
			ids = append(ids, v.Vertex)
		}
	}
	return ids[:min(len(ids), most)]
}

// dissected returns the checkpoints with what was read of them vertex by vertex.
func (s *jobState) dissected() *Checkpoints {
	if s.checkpoints == nil || len(s.anatomy) == 0 {
		return s.checkpoints
	}
	both := *s.checkpoints
	both.History = slices.Clone(both.History)
	for i, h := range both.History {
		if known := s.anatomy[h.ID]; known != nil {
			both.History[i].Vertices = known.vertices
		}
	}
	return &both
}
