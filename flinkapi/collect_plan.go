package flinkapi

import (
	"slices"
	"time"
)

const (
	// subtaskBudget is how many subtasks a round reads one by one; an answer has about 600 bytes for each.
	subtaskBudget = 400
	// overBudgetTurns is how many further vertices a round reads in turn when the job has more subtasks than
	// that.
	overBudgetTurns = 2
	// slowestTurn is after about how many rounds the spreads of a small job's vertex are read again: a
	// watermark that stands still, or late records, show nowhere else.
	slowestTurn = 6
	// focusLimit bounds the vertices that are kept fresh.
	focusLimit = 8
	// firstPatience is how long a job may have no numbers before its details are read all the same.
	firstPatience = 10 * time.Second
	// roundSlack is what the counters may be overdue before a round is made without them.
	roundSlack = 2 * time.Second
	// settledGap is a time between two looks after which no TaskManager's part is still on its way.
	settledGap = 2500 * time.Millisecond
)

// settling tells whether the counters were seen to move only just now: the TaskManagers' parts come one
// after the other.
func (s *jobState) settling() bool { return s.pending && s.began.Equal(s.last) && s.gap < settledGap }

// roundDue tells whether the dear questions are due: when the counters have moved, since then the
// JobManager has just collected, or after a while without that. Never more often than the JobManager
// collects.
func (s *jobState) roundDue(at time.Time, fetch time.Duration) bool {
	switch {
	case s.job.State.Over(), !slices.ContainsFunc(s.job.Vertices, running):
		return false
	case s.settling():
		return false
	case s.rounds == 0:
		// What the first answer holds may be as old as the last time that anybody looked, which may be days.
		return s.pending || s.ready && at.Sub(s.first) >= movePatience || at.Sub(s.attempt) >= firstPatience
	case s.pending:
		return s.rounds == 1 || at.Sub(s.lastRead) >= fetch*3/4
	}
	return at.Sub(s.lastRead) >= fetch+roundSlack || !s.timed && at.Sub(s.lastRead) >= fetch
}

// running tells whether a vertex has subtasks that run: others have no metrics, and Flink answers 500 for
// some.
func running(v Vertex) bool {
	if len(v.Tasks) == 0 {
		return v.State == TaskRunning
	}
	return v.Tasks[TaskRunning] > 0
}

// roundPlan is what one round asks of the vertices.
type roundPlan struct {
	all, focused, details, shares, spreads []VertexID
	lists                                  []VertexID // those of spreads whose names are looked up first
}

// plan chooses the vertices of the next round; whole asks for as much as in the first one. While the job is
// small all of them are read in detail, else those in focus and two others in turn; of a large job the
// spreads over the subtasks are read instead.
func (s *jobState) plan(focus Focus, whole, operators bool) roundPlan {
	all, focused, others, subtasks := s.sort(focus)
	small := subtasks <= subtaskBudget
	p := roundPlan{all: all, focused: focused, details: all, spreads: all}
	if !small || !s.timed && !whole {
		inTurn := s.longestUnread(others, overBudgetTurns, func(v *vertexState) time.Time { return v.subtasksRead })
		p.details = slices.Concat(focused, inTurn)
	}
	switch {
	case !s.timed && small:
		p.shares = all
	case !s.timed:
		p.shares = p.details
	}
	if small && !whole {
		sources, rest := s.named(others)
		spare := spareSpreads(len(all), s.rounds)
		if operators {
			spare = max(spare, (len(rest)+slowestTurn/2)/slowestTurn)
		}
		inTurn := s.longestUnread(rest, spare, func(v *vertexState) time.Time { return v.spreadRead })
		p.spreads = slices.Concat(focused, sources, inTurn)
	}
	return p
}

// sort lists the running vertices, those in focus and the others, and counts their subtasks.
func (s *jobState) sort(focus Focus) (all, focused, others []VertexID, subtasks int) {
	for _, v := range s.job.Vertices {
		if !running(v) {
			continue
		}
		all = append(all, v.ID)
		subtasks += v.Parallelism
		if slices.Contains(focus.Vertices, v.ID) && len(focused) < focusLimit {
			focused = append(focused, v.ID)
		} else {
			others = append(others, v.ID)
		}
	}
	return all, focused, others, subtasks
}

// named parts the sources that have metrics of their own, such as their lag, from the rest: they are read in
// each round.
func (s *jobState) named(ids []VertexID) (sources, rest []VertexID) {
	for _, id := range ids {
		if s.isSource(id) && s.vertex(id).named {
			sources = append(sources, id)
		} else {
			rest = append(rest, id)
		}
	}
	return sources, rest
}

// longestUnread returns the n vertices whose turn it is.
func (s *jobState) longestUnread(ids []VertexID, n int, read func(*vertexState) time.Time) []VertexID {
	oldest := slices.Clone(ids)
	slices.SortStableFunc(oldest, func(a, b VertexID) int {
		return read(s.vertex(a)).Compare(read(s.vertex(b)))
	})
	return oldest[:min(n, len(oldest))]
}

// spareSpreads is how many vertices beside those in focus have their spreads read in a round: as many as
// keep the minute well below what Flink's own web UI asks for a job of that size, and each vertex about
// once a minute in a large one.
func spareSpreads(vertices, round int) int {
	switch {
	case vertices <= 5:
		return 2
	case vertices <= 8:
		return 1
	case vertices <= 12:
		return round % 3 / 2
	}
	return vertices / 6
}
