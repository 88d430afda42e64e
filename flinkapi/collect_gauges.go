package flinkapi

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// gaugeRequests bounds the requests about single subtasks in a round; each has room for about fourteen.
	gaugeRequests = 4
	// gaugesKept is how long a subtask's gauges are shown while its turn does not come.
	gaugesKept = 2 * time.Minute
)

// Gauges are numbers of one subtask that are not part of every answer about its vertex: the fill of its
// buffer pools, its queues, its two kinds of backpressure and its input watermark.
type Gauges struct {
	Read     time.Time // when they came; zero while only the watermark did
	Readings Readings
}

// vertexGauges is what is known of the single subtasks of the vertex in Focus.Detail.
type vertexGauges struct {
	gauges    map[int]Gauges
	gaugeTurn time.Time // when they were asked for last
}

// gaugeSignals are the signals that are read of single subtasks. All are the task's own, so that an unknown
// one is left out of the answer and costs no other.
func gaugeSignals() []Signal {
	return []Signal{
		SoftBackpressuredShare, HardBackpressuredShare, InPoolUsage, OutPoolUsage, InputQueue, OutputQueue,
	}
}

// gaugeReads asks for the gauges of the vertex in detail: at once, and then after each round.
func (c *Collector) gaugeReads(s *jobState, focus Focus, at time.Time) []read {
	for id, v := range s.vertices {
		if id != focus.Detail {
			v.vertexGauges = vertexGauges{}
		}
	}
	vertex := s.job.Vertex(focus.Detail)
	if vertex == nil || s.job.State != JobRunning || !running(*vertex) {
		return nil
	}
	v := s.vertex(vertex.ID)
	if !v.gaugeTurn.IsZero() && !v.gaugeTurn.Before(s.lastRead) && !focus.Refresh {
		return nil
	}
	v.gaugeTurn = c.clock()
	v.forgetGauges(vertex.Parallelism, at)
	var reads []read
	for _, names := range v.gaugeQueries(vertex.Parallelism, focus.Subtasks) {
		what := s.of("read the metrics of the subtasks", pathVertexMetrics, vertex.ID)
		what.query = getMetrics(names)
		reads = append(reads, ask(c, what, func(w wireMetrics, at time.Time) {
			s.vertex(vertex.ID).keepGauges(w, at)
		}).about(vertex.Name))
	}
	if s.isSource(vertex.ID) {
		return reads
	}
	what := s.of("read the watermarks", pathWatermarks, vertex.ID)
	return append(reads, ask(c, what, func(w wireMetrics, _ time.Time) {
		s.vertex(vertex.ID).keepGauges(w, time.Time{})
	}).about(vertex.Name).quietIf(notAsked))
}

// gaugeQueries puts the names of as many subtasks as a round may ask for into requests: those that go first,
// then those whose turn it is.
func (v *vertexGauges) gaugeQueries(parallelism int, first []int) [][]string {
	order := make([]int, parallelism)
	for i := range order {
		order[i] = i
	}
	rank := map[int]int{}
	for i, subtask := range first {
		rank[subtask] = i - len(first)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(rank[a]-rank[b], v.gauges[a].Read.Compare(v.gauges[b].Read))
	})
	var queries [][]string
	size := maxQuery
	for _, subtask := range order {
		names := make([]string, 0, len(gaugeSignals()))
		for _, s := range gaugeSignals() {
			names = append(names, strconv.Itoa(subtask)+"."+s.Info().Metric)
		}
		more := len(getMetrics(names))
		if size += more; size > maxQuery {
			if len(queries) == gaugeRequests {
				break
			}
			queries, size = append(queries, nil), more
		}
		last := len(queries) - 1
		queries[last] = append(queries[last], names...)
	}
	return queries
}

// keepGauges takes in an answer whose names have a subtask before them; without a time, one that brings the
// watermarks alone. What a snapshot holds is replaced, never changed.
func (v *vertexGauges) keepGauges(w wireMetrics, at time.Time) {
	signals := append(gaugeSignals(), InputWatermark)
	now := make(map[int]Gauges, max(len(v.gauges), len(w)/len(signals)))
	maps.Copy(now, v.gauges)
	renewed := map[int]bool{}
	for _, m := range w {
		number, name, _ := strings.Cut(string(m.ID), ".")
		subtask, err := strconv.Atoi(number)
		i := slices.IndexFunc(signals, func(s Signal) bool { return s.Info().Metric == name })
		if err != nil || subtask < 0 || i < 0 {
			continue
		}
		g := now[subtask]
		if !renewed[subtask] {
			g.Readings = slices.Clone(g.Readings)
			renewed[subtask] = true
		}
		var value Value
		if there := signals[i].there(m.Value); there.IsKnown() {
			value = signals[i].Info().base(there.Value)
		}
		g.Readings = g.Readings.With(signals[i], value)
		if !at.IsZero() {
			g.Read = at
		}
		now[subtask] = g
	}
	v.gauges = now
}

// forgetGauges drops what is too old to be shown, and of what a rescale has left behind.
func (v *vertexGauges) forgetGauges(parallelism int, at time.Time) {
	old := func(subtask int, g Gauges) bool {
		return subtask >= parallelism || !g.Read.IsZero() && at.Sub(g.Read) > gaugesKept
	}
	kept := maps.Clone(v.gauges)
	maps.DeleteFunc(kept, old)
	v.gauges = kept
}
