package flinkapi

import (
	"slices"
	"time"
)

const (
	// subtaskBudget is how many subtasks a round reads one by one; an answer has about 600 bytes for each.
	subtaskBudget = 400
	// overBudgetTurns is how many further vertices a round reads in turn when the job has more subtasks than that.
	overBudgetTurns = 2
	// focusLimit bounds the vertices that are kept fresh.
	focusLimit = 8
	// secondList is the number of rounds after which names are looked up again: some metrics register late.
	secondList = 6
	// firstPatience is how long a job may have no numbers before its details are read all the same.
	firstPatience = 10 * time.Second
	// roundSlack is what the counters may be overdue before a round is made without them.
	roundSlack = 2 * time.Second
	// settledGap is a time between two looks after which no TaskManager's part is still on its way.
	settledGap = 2500 * time.Millisecond
)

// settling tells whether the counters were seen to move only just now: the TaskManagers' parts come one after the other.
func (s *jobState) settling() bool { return s.pending && s.began.Equal(s.last) && s.gap < settledGap }

// roundDue tells whether the dear questions are due: when the counters have moved, since then the JobManager has just
// collected, or after a while without that. Never more often than the JobManager collects.
func (s *jobState) roundDue(at time.Time, fetch time.Duration) bool {
	switch {
	case s.job.State.Over(), !slices.ContainsFunc(s.job.Vertices, running):
		return false
	case s.settling():
		return false
	case s.rounds == 0:
		return s.ready || at.Sub(s.attempt) >= firstPatience
	case s.pending:
		return s.rounds == 1 || at.Sub(s.lastRead) >= fetch*3/4
	}
	return at.Sub(s.lastRead) >= fetch+roundSlack || !s.timed && at.Sub(s.lastRead) >= fetch
}

// running tells whether a vertex has subtasks that run: others have no metrics, and Flink answers 500 for some.
func running(v Vertex) bool {
	if len(v.Tasks) == 0 {
		return v.State == TaskRunning
	}
	return v.Tasks[TaskRunning] > 0
}

// roundPlan is what one round asks of the vertices.
type roundPlan struct {
	details, shares, spreads, lists []VertexID
}

// plan chooses the vertices of the next round; whole asks for as much as in the first one. While the job is small all of them are read in detail, else those in
// focus and two others in turn; of a large job the spreads over the subtasks are read instead.
func (s *jobState) plan(focus Focus, whole, operators bool) roundPlan {
	var all, focused, others []VertexID
	subtasks := 0
	for i := range s.job.Vertices {
		v := &s.job.Vertices[i]
		if !running(*v) {
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
	small := subtasks <= subtaskBudget
	inTurn := func(age func(*vertexState) time.Time, n int) []VertexID {
		oldest := slices.Clone(others)
		slices.SortStableFunc(oldest, func(a, b VertexID) int { return age(s.vertex(a)).Compare(age(s.vertex(b))) })
		return slices.Concat(focused, oldest[:min(n, len(oldest))])
	}
	readAt := func(v *vertexState) time.Time { return v.subtasksRead }
	p := roundPlan{details: all, spreads: all}
	if !small || !s.timed && !whole {
		p.details = inTurn(readAt, overBudgetTurns)
	}
	if !s.timed {
		p.shares = p.details
		if small {
			p.shares = all
		}
	}
	if small && !whole {
		p.spreads = inTurn(func(v *vertexState) time.Time { return v.spreadRead }, spareSpreads(len(all), s.rounds))
		for _, id := range others {
			if s.vertex(id).operators && !slices.Contains(p.spreads, id) {
				p.spreads = append(p.spreads, id)
			}
		}
	}
	p.lists = s.toList(all, operators)
	return p
}

// spareSpreads is how many vertices beside those in focus have their spreads read in a round: as many as keep the minute
// well below what Flink's own web UI asks for a job of that size, and each vertex about once a minute in a large one.
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

// toList chooses the vertices whose metric names are looked up: sources, for names with an operator before them, and
// those that answered [] though their counters are there, since one unknown name empties the whole answer.
func (s *jobState) toList(all []VertexID, operators bool) []VertexID {
	var lists []VertexID
	for _, id := range all {
		v := s.vertex(id)
		source := !slices.ContainsFunc(s.job.Edges, func(e Edge) bool { return e.To == id })
		late := v.listed <= secondList && s.rounds >= secondList
		again := v.listed == 0 || s.rounds-v.listed >= secondList
		unknownName := v.empty && again && counted(s.job.Vertex(id).Sums)
		if unknownName || operators && source && !v.operators && (v.listed == 0 || late) {
			lists = append(lists, id)
		}
	}
	return lists
}
