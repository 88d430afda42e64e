package flinkapi

import (
	"context"
	"slices"
	"time"
)

// CheckpointRef points to a checkpoint, and to one vertex's part in it. The zero value points to none.
type CheckpointRef struct {
	ID     int64
	Vertex VertexID // may be empty
}

// find returns a checkpoint of the history, or nil.
func (c *Checkpoints) find(id int64) *Checkpoint {
	if c == nil {
		return nil
	}
	i := slices.IndexFunc(c.History, func(h Checkpoint) bool { return h.ID == id })
	if i < 0 {
		return nil
	}
	return &c.History[i]
}

// mostInspected bounds the vertices of a checkpoint that are read by subtask, the slowest first, beside the
// one that is asked for.
const mostInspected = 20

// inspect looks into the checkpoint that somebody looks at: at once, whether a round is due or not, first
// vertex by vertex, then the vertices by subtask, one in each look: the one that is asked for, then those
// that held it up most. What is over is read once.
func (c *Collector) inspect(ctx context.Context, s *jobState, focus Focus, at time.Time) (strained bool) {
	for range 2 {
		strained = c.perform(ctx, s, c.inspectReads(s, focus.Inspect, at)) || strained
	}
	return strained
}

func (c *Collector) inspectReads(s *jobState, what CheckpointRef, at time.Time) []read {
	one := s.checkpoints.find(what.ID)
	if one == nil || s.inspected.at.Equal(at) && s.inspected.what.Vertex != "" {
		return nil // it has left the history, and what was read of it is all there is; or this look has read one
	}
	known := s.anatomy[one.ID]
	if !known.current(one, s.rounds) {
		if s.tried(CheckpointRef{ID: one.ID}, at, c.fetchInterval()) {
			return nil
		}
		return []read{c.dissectRead(s, one)}
	}
	next := known.unread(what.Vertex)
	if next == "" || s.tried(CheckpointRef{one.ID, next}, at, c.fetchInterval()) {
		return nil
	}
	return []read{c.partsRead(s, one.ID, next)}
}

// unread is the vertex that is to be read by subtask next; empty for none.
func (a *checkpointAnatomy) unread(wanted VertexID) VertexID {
	if v := a.vertex(wanted); v != nil && v.Parts == nil {
		return wanted
	}
	for _, id := range a.worst(nil, mostInspected) {
		if a.vertex(id).Parts == nil {
			return id
		}
	}
	return ""
}

// inspection is what was asked for last because somebody looked at it.
type inspection struct {
	what CheckpointRef
	at   time.Time
}

// tried tells whether the same was asked for only just now, and notes that it is asked now: what fails is not
// asked for again at each look.
func (s *jobState) tried(what CheckpointRef, at time.Time, fetch time.Duration) bool {
	if s.inspected.what == what && at.Sub(s.inspected.at) < fetch {
		return true
	}
	s.inspected = inspection{what, at}
	return false
}
