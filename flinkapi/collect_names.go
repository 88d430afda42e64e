package flinkapi

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	// secondList is the number of rounds after which names are looked up again: some metrics register late.
	secondList = 6
	// listsPerRound bounds the vertices whose names are looked up in a round.
	listsPerRound = 2
	// namesPerSignal bounds the operators and states of one signal that are asked for.
	namesPerSignal = 32
	// maxQuery bounds the names of one request, in bytes: a request line has at most 4096, with the path and
	// whatever a proxy puts before it.
	maxQuery = 3400
	// maxQueries bounds the requests about one vertex in a round.
	maxQueries = 3
)

// vertexMetrics is what is asked and known of a vertex's metrics over its subtasks.
type vertexMetrics struct {
	spread     map[Signal]Spread
	operators  map[Signal][]OperatorSpread
	spreadRead time.Time

	// queries are the names that this vertex is asked for, a request each; nil before they were looked up. The
	// first holds those of the task itself.
	queries [][]string
	parts   []wireMetrics // the answers to them of the newest round
	answer  int           // that round
	named   bool          // a signal of OperatorMetrics is among them
	listed  int           // rounds of this attempt after which the names were looked up
	empty   bool          // an answer was [], though the vertex runs

	coordinator coordinatorMetrics
}

// toList chooses among the vertices of a round those whose metric names are looked up first, a few: those
// that answered [] though their counters are there, since one unknown name empties the whole answer, and for
// names that only some tasks have each vertex twice, those in focus first, then sources.
func (s *jobState) toList(ids, focused []VertexID, operators bool) []VertexID {
	var lists []VertexID
	rank := func(id VertexID) int {
		switch {
		case s.vertex(id).empty:
			return 0
		case slices.Contains(focused, id):
			return 1
		case s.isSource(id):
			return 2
		}
		return 3
	}
	for _, id := range ids {
		v := s.vertex(id)
		late := v.listed <= secondList && s.rounds >= secondList
		again := v.listed == 0 || s.rounds-v.listed >= secondList
		unknownName := v.empty && again && counted(s.job.Vertex(id).Sums)
		if unknownName || operators && (v.listed == 0 || late) {
			lists = append(lists, id)
		}
	}
	slices.SortStableFunc(lists, func(a, b VertexID) int { return cmp.Compare(rank(a), rank(b)) })
	most := listsPerRound
	if !s.timed {
		most = 1 // such a round asks more of each vertex
	}
	return lists[:min(len(lists), most)]
}

func (s *jobState) isSource(id VertexID) bool {
	return !slices.ContainsFunc(s.job.Edges, func(e Edge) bool { return e.To == id })
}

// namesRead looks up which metrics a vertex has, to ask for those alone from then on.
func (c *Collector) namesRead(s *jobState, id VertexID) read {
	what := s.of("read the names of the metrics", pathSubtaskMetrics, id)
	rounds := s.rounds
	return ask(c, what, func(w wireMetrics, _ time.Time) {
		if len(w) == 0 {
			return // not collected yet
		}
		v := s.vertex(id)
		sure, found := c.wantedNames(w)
		v.listed, v.empty, v.named = rounds+1, false, len(found) > 0
		v.queries = split(sure, found)
	}).about(s.job.Vertex(id).Name)
}

// wantedNames picks those of the names that signals want: the ones that every task has, and the others. Of
// those the task's own come first, then the operators', then the states', a state with all its signals.
func (c *Collector) wantedNames(all wireMetrics) (sure, found []string) {
	type candidate struct {
		name        string
		depth, turn int // how deep below the task; its place among those of its signal
		signal      Signal
	}
	var candidates []candidate
	for _, s := range c.signals[SubtaskMetrics] {
		if slices.ContainsFunc(all, func(m wireMetric) bool { return string(m.ID) == s.Info().Metric }) {
			sure = append(sure, s.Info().Metric)
		}
	}
	for _, s := range c.signals[OperatorMetrics] {
		var mine []candidate
		for _, m := range all {
			if operator, is := s.Info().operatorOf(string(m.ID)); is {
				depth := strings.Count(operator, ".")
				if operator != "" {
					depth++
				}
				mine = append(mine, candidate{name: string(m.ID), depth: depth, signal: s})
			}
		}
		slices.SortFunc(mine, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(a.name, b.name))
		})
		for i := range mine[:min(len(mine), namesPerSignal)] {
			mine[i].turn = i
			candidates = append(candidates, mine[i])
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(a.turn, b.turn), cmp.Compare(a.signal, b.signal))
	})
	for _, one := range candidates {
		found = append(found, one.name)
	}
	return sure, found
}

// split puts the names into as few requests as their length allows; what does not fit into the last is left
// out.
func split(sure, found []string) [][]string {
	queries := [][]string{sure}
	size := len(getMetrics(sure))
	for _, name := range found {
		more := len(url.QueryEscape(name)) + len(",")
		if size+more > maxQuery {
			if len(queries) == maxQueries {
				break
			}
			queries, size = append(queries, nil), 0
		}
		last := len(queries) - 1
		queries[last] = append(queries[last], name)
		size += more
	}
	return slices.DeleteFunc(queries, func(q []string) bool { return len(q) == 0 })
}

// spreadReads asks for metrics over the subtasks of a vertex, in one request, or for the states of one in
// focus in some more.
func (c *Collector) spreadReads(s *jobState, id VertexID, whole bool) []read {
	queries := s.vertex(id).queries
	if queries == nil {
		if names := metricNames(c.signals[SubtaskMetrics]); len(names) > 0 {
			queries = [][]string{names}
		}
	}
	if !whole {
		queries = queries[:min(len(queries), 1)]
	}
	reads := make([]read, len(queries))
	for i, names := range queries {
		what := s.of("read the metrics over the subtasks", pathSubtaskMetrics, id)
		what.query = getMetrics(names)
		reads[i] = ask(c, what, func(w wireMetrics, at time.Time) {
			c.keepSpread(s.vertex(id), i, w, at, s.rounds)
		}).about(s.job.Vertex(id).Name)
	}
	return reads
}

// keepSpread takes in the answer to the nth request about a vertex. The first drops what older ones told.
func (c *Collector) keepSpread(v *vertexState, n int, w wireMetrics, at time.Time, round int) {
	switch {
	case len(w) == 0:
		v.empty = true
		return
	case n == 0:
		v.parts, v.answer, v.empty = nil, round, false
	case v.answer != round:
		return
	}
	v.parts = append(v.parts, w)
	all := slices.Concat(v.parts...)
	v.spread, v.spreadRead = all.spreads(c.signals[SubtaskMetrics]), at
	if v.queries == nil {
		return
	}
	v.operators = all.operators(c.signals[OperatorMetrics])
	for signal, list := range v.operators {
		v.spread[signal] = joined(list)
	}
}

// coordinatorMetrics is what is asked and known of a source's coordinator in the JobManager.
type coordinatorMetrics struct {
	names     []string
	lists     int // how often names were looked up without finding any
	operators map[Signal][]OperatorSpread
}

// coordinatorEvery is how often, in rounds, the coordinators of sources are asked, and coordinatorLists how
// often one that has no such metric.
const (
	coordinatorEvery = 3
	coordinatorLists = 2
)

// coordinatorReads asks each source's coordinator, first for its names.
func (c *Collector) coordinatorReads(s *jobState, all []VertexID, refresh bool) []read {
	signals := c.signals[CoordinatorMetrics]
	if len(signals) == 0 || s.rounds%coordinatorEvery != 0 && !refresh {
		return nil
	}
	var reads []read
	for _, id := range all {
		known := s.vertex(id).coordinator
		if !s.isSource(id) || len(known.names) == 0 && known.lists >= coordinatorLists {
			continue
		}
		what := s.of("read the metrics of the coordinator", pathCoordinator, id)
		keep := func(w wireMetrics, _ time.Time) { s.vertex(id).coordinator.take(w, signals) }
		if len(known.names) > 0 {
			what.query = getMetrics(known.names)
			keep = func(w wireMetrics, _ time.Time) {
				s.vertex(id).coordinator.operators = w.operators(signals)
			}
		}
		reads = append(reads, ask(c, what, keep).about(s.job.Vertex(id).Name).quietIf(notAsked))
	}
	return reads
}

// notAsked recognises the failures of what is asked on the chance that the server has it.
func notAsked(e *Error) bool {
	return e.Kind == KindNotOffered || e.Kind == KindNotFound || e.Kind == KindServer
}

// take keeps the names that signals want.
func (m *coordinatorMetrics) take(w wireMetrics, signals []Signal) {
	m.names = nil
	for _, metric := range w {
		wanted := slices.ContainsFunc(signals, func(s Signal) bool {
			_, is := s.Info().operatorOf(string(metric.ID))
			return is
		})
		if wanted && len(m.names) < namesPerSignal {
			m.names = append(m.names, string(metric.ID))
		}
	}
	if len(m.names) == 0 {
		m.lists++
	}
}

// complete adds to a vertex what is known of its metrics.
func (m *vertexMetrics) complete(to *Vertex) {
	to.Spread, to.SpreadRead, to.Operators = m.spread, m.spreadRead, m.operators
	if len(m.coordinator.operators) == 0 {
		return
	}
	to.Spread, to.Operators = maps.Clone(m.spread), maps.Clone(m.operators)
	if to.Spread == nil {
		to.Spread = map[Signal]Spread{}
	}
	if to.Operators == nil {
		to.Operators = map[Signal][]OperatorSpread{}
	}
	for signal, list := range m.coordinator.operators {
		to.Operators[signal], to.Spread[signal] = list, joined(list)
	}
}
