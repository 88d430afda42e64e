package sim

import (
	"errors"
	"fmt"
	"math"
)

// network is the data path of one job: the subtasks and the bounded queues between them.
type network struct {
	vertices []vertex
	edges    []edge
	// order is topological: senders before receivers.
	order []int
	// step is the length of a step in seconds, now the time since the start of the cluster at its
	// beginning.
	step, now float64
	jitter    float64
	// allowed is how far in event time the sources of each watermark group may go.
	allowed map[string]float64
	// demands is scratch space of one group of senders.
	demands []float64
}

type vertex struct {
	Vertex
	// seed makes the noise of this vertex differ from that of others.
	seed uint64
	// statePackage is where Flink keeps the classes of its RocksDB state backend.
	statePackage string

	tasks []task
	// in and out are positions of edges.
	in, out []int
}

// edge carries gain records per record that its sender handles.
type edge struct {
	Edge
	gain   float64
	groups []group
	queues []queue
}

// waiting is how many records are on the way to a subtask.
func (q *queue) waiting() float64 { return q.length + q.transit }

// carry brings what is under way to the receivers, as fast as the network does.
func (e *edge) carry(step float64) {
	for k := range e.queues {
		q := &e.queues[k]
		moved := q.transit
		if e.Link > 0 {
			moved = min(moved, e.Link*step/float64(len(e.queues)))
		}
		q.transit -= moved
		q.length += moved
		q.fresh = moved
	}
}

// queue is the input of one subtask on one edge.
type queue struct {
	length, capacity float64
	// transit is what the senders have given out and the network has not brought yet.
	transit float64
	// arrived and taken are totals since the attempt began; barriers keep their place by them.
	arrived, taken float64
	// fresh is what arrived in the last step and could not have been taken yet.
	fresh float64
}

// task is one subtask. Its times are in seconds since the attempt began to run.
type task struct {
	active bool
	// service is in seconds per record, for this subtask on its host.
	service float64
	handled float64
	busy    float64
	blocked float64
	idle    float64
	// upload is how fast it writes its state on its host, in bytes per second; 0 is as the job says.
	upload float64
	supply supply
	// owed is how many seconds it must work before it handles another record, open how many records its
	// window holds, and fired how many timers have fired.
	owed, open, fired float64
	// cpu is the CPU time that it has used, spent that of the last step; crowding is how much longer it takes
	// for want of a core, pausing while garbage is collected. kept is how many records it holds unconfirmed.
	cpu, spent, crowding, pausing, kept float64
	// starved is how long a source has had nothing to read.
	starved float64

	// want and grant are the records of this step: wanted for want of more input or time, granted by the
	// buffers; shut says that some buffer took nothing at all.
	want, grant float64
	shut        bool
}

// supply is the part of a source that one subtask reads; rates are per second.
type supply struct {
	rate, limit  float64
	backlog      float64
	log, bounded bool
	left         float64
	// keeps is how many records the log holds at most: what is older is deleted unread, and counted as lost.
	keeps, lost float64
	// event is how far the source has come in event time, once it has begun; now is when that was looked at.
	event, now float64
	begun      bool
	// held says that it waits for others of its watermark group, being ahead by drift seconds too many.
	held  bool
	drift float64
}

const (
	defaultBuffer      = 1000
	defaultRecordBytes = 100
	// tolerance separates "took all" from "was cut short" in sums of floats.
	tolerance = 1e-9
)

// Validate tells whether the graph can be simulated: endpoints exist, no cycle, FORWARD between equal
// parallelisms, sources where Source is set.
func (g Graph) Validate() error {
	if len(g.Vertices) == 0 {
		return errors.New("graph without vertices")
	}
	for i, e := range g.Edges {
		if e.From < 0 || e.From >= len(g.Vertices) || e.To < 0 || e.To >= len(g.Vertices) {
			return fmt.Errorf("edge %d: no such vertex", i)
		}
		if e.Ship == Forward && g.parallelism(e.From) != g.parallelism(e.To) {
			return fmt.Errorf("edge %d: FORWARD between different parallelisms", i)
		}
		if g.Vertices[e.To].Source != nil {
			return fmt.Errorf("edge %d: into the source %q", i, g.Vertices[e.To].Name)
		}
	}
	if _, ok := g.topological(); !ok {
		return errors.New("graph with a cycle")
	}
	return nil
}

func (g Graph) parallelism(v int) int { return max(1, g.Vertices[v].Parallelism) }

// topological returns the vertices with senders before receivers, otherwise in the order given.
func (g Graph) topological() (order []int, ok bool) {
	waits := make([]int, len(g.Vertices))
	for _, e := range g.Edges {
		waits[e.To]++
	}
	placed := make([]bool, len(waits))
	for len(order) < len(waits) {
		next := -1
		for v, n := range waits {
			if n == 0 && !placed[v] {
				next = v
				break
			}
		}
		if next < 0 {
			return nil, false
		}
		placed[next] = true
		order = append(order, next)
		for _, e := range g.Edges {
			if e.From == next {
				waits[e.To]--
			}
		}
	}
	return order, true
}

// normal returns the graph with every default filled in.
func (g Graph) normal() Graph {
	n := Graph{Vertices: append([]Vertex(nil), g.Vertices...), Edges: append([]Edge(nil), g.Edges...)}
	for i := range n.Vertices {
		v := &n.Vertices[i]
		v.Parallelism = max(1, v.Parallelism)
		v.MaxParallelism = orElse(v.MaxParallelism, defaultKeyGroups(v.Parallelism))
		v.Selectivity = orElse(v.Selectivity, 1)
		v.RecordBytes = orElse(v.RecordBytes, defaultRecordBytes)
		v.SyncTime = orElse(v.SyncTime, defaultSyncTime)
	}
	for i := range n.Edges {
		e := &n.Edges[i]
		e.Fraction = orElse(e.Fraction, 1)
		e.Buffer = orElse(e.Buffer, defaultBuffer)
		if e.Ship == "" {
			e.Ship = Rebalance
			if n.parallelism(e.From) == n.parallelism(e.To) {
				e.Ship = Forward
			}
		}
	}
	return n
}

func orElse[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}

// newNetwork builds the data path of a graph that is valid and normal.
func newNetwork(g Graph, step, jitter float64) *network {
	n := &network{step: step, jitter: jitter}
	n.order, _ = g.topological()
	widest := 0
	for _, v := range g.Vertices {
		n.vertices = append(n.vertices, vertex{
			Vertex: v, seed: uint64(javaHash(v.Name)), tasks: make([]task, v.Parallelism),
		})
		widest = max(widest, v.Parallelism)
	}
	n.demands = make([]float64, widest)
	for i, e := range g.Edges {
		from, to := &n.vertices[e.From], &n.vertices[e.To]
		from.out = append(from.out, i)
		to.in = append(to.in, i)
		n.edges = append(n.edges, edge{
			Edge: e, gain: from.Selectivity * e.Fraction,
			groups: groupsOf(e, from.Parallelism, to.Parallelism, to.MaxParallelism),
			queues: make([]queue, to.Parallelism),
		})
	}
	for i := range n.vertices {
		n.vertices[i].initTasks()
	}
	n.sizeBuffers()
	return n
}

func (v *vertex) initTasks() {
	for i := range v.tasks {
		t := &v.tasks[i]
		t.service = v.Service.Seconds()
		if i < len(v.Factors) {
			t.service *= v.Factors[i]
		}
		if len(v.in) == 0 {
			t.supply = newSupply(v.Source, i, v.Parallelism)
		}
	}
}

func newSupply(s *Source, subtask, parallelism int) supply {
	if s == nil {
		return supply{rate: math.Inf(1), limit: math.Inf(1)}
	}
	share := s.share(subtask, parallelism)
	u := supply{
		rate: s.Rate * share, limit: s.Limit / float64(parallelism), log: s.Log,
		backlog: s.Lag * share, bounded: s.Records > 0, left: s.Records * share, keeps: math.Inf(1),
	}
	if s.Retention > 0 {
		u.keeps = u.rate * s.Retention.Seconds()
	}
	if s.Rate == 0 {
		u.rate = math.Inf(1)
	}
	if s.Limit == 0 {
		u.limit = math.Inf(1)
	}
	return u
}

// share is the part of the supply that a subtask reads.
func (s *Source) share(subtask, parallelism int) float64 {
	if len(s.Shares) == 0 {
		return 1 / float64(parallelism)
	}
	sum := 0.0
	for partition := subtask; partition < len(s.Shares); partition += parallelism {
		sum += s.Shares[partition]
	}
	return sum
}

// sizeBuffers raises the buffers that could not pass the heaviest possible flow in one step.
func (n *network) sizeBuffers() {
	flows := n.heaviestFlows()
	for i := range n.edges {
		e := &n.edges[i]
		for j := range e.queues {
			flow := min(flows[i][j], 1/n.vertices[e.To].tasks[j].service)
			e.queues[j].capacity = max(e.Buffer, 2*smoothing*n.step*flow)
			if e.Blocking {
				e.queues[j].capacity = math.Inf(1)
			}
		}
	}
}

// heaviestFlows bounds the arrivals per second of each queue, by edge and subtask.
func (n *network) heaviestFlows() [][]float64 {
	flows := make([][]float64, len(n.edges))
	for i := range n.edges {
		flows[i] = make([]float64, len(n.edges[i].queues))
	}
	for _, at := range n.order {
		v := &n.vertices[at]
		for i := range v.tasks {
			t := &v.tasks[i]
			rate := 0.0
			if len(v.in) == 0 {
				rate = t.supply.heaviest()
			}
			for _, e := range v.in {
				rate += flows[e][i]
			}
			rate = min(rate, 1/t.service)
			for _, e := range v.out {
				n.edges[e].spread(i, rate*n.edges[e].gain, flows[e])
			}
		}
	}
	return flows
}

// spread adds amount records of sender i to what each receiver gets.
func (e *edge) spread(i int, amount float64, onto []float64) {
	for _, g := range e.groups {
		if i < g.senders.from || i >= g.senders.to {
			continue
		}
		for k, w := range g.weights {
			onto[g.receivers.from+k] += amount * w
		}
	}
}

// heaviest is the most that the subtask can be given per second; a log can be read faster than it is
// written.
func (s *supply) heaviest() float64 {
	if s.log {
		return s.limit
	}
	return min(s.rate, s.limit)
}
