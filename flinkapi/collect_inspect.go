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

// inspect looks into the checkpoint that somebody looks at: at once, whether a round is due or not, first
// vertex by vertex, then the one vertex by subtask. What is over is read once.
func (c *Collector) inspect(ctx context.Context, s *jobState, focus Focus, at time.Time) (strained bool) {
	for range 2 {
		strained = c.perform(ctx, s, c.inspectReads(s, focus.Inspect, at)) || strained
	}
	return strained
}

func (c *Collector) inspectReads(s *jobState, what CheckpointRef, at time.Time) []read {
	one := s.checkpoints.find(what.ID)
	if one == nil {
		return nil // it has left the history, and what was read of it is all there is
	}
	known := s.anatomy[one.ID]
	if !known.current(one, s.rounds) {
		if s.tried(CheckpointRef{ID: one.ID}, at, c.fetchInterval()) {
			return nil
		}
		return []read{c.dissectRead(s, one)}
	}
	v := known.vertex(what.Vertex)
	if v == nil || v.Parts != nil || s.tried(what, at, c.fetchInterval()) {
		return nil
	}
	return []read{c.partsRead(s, one.ID, what.Vertex)}
}

// tried tells whether the same was asked for only just now, and notes that it is asked now: what fails is not
// asked for again at each look.
func (s *jobState) tried(what CheckpointRef, at time.Time, fetch time.Duration) bool {
	if s.inspected == what && at.Sub(s.inspectedAt) < fetch {
		return true
	}
	s.inspected, s.inspectedAt = what, at
	return false
}
