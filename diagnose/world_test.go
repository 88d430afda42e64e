package diagnose

import (
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
)

// noon is when every hand-made job is looked at first.
var noon = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

// world is a hand-made cluster with one job in focus. Its subtasks spend their time as they are told; a look
// takes a snapshot in which their counters have advanced by that, and diagnoses it.
type world struct {
	t   testing.TB
	now time.Time
	// age is how long the job has been running at the first look.
	age     time.Duration
	job     flinkapi.Job // without vertices
	parts   []*part
	workers []*worker
	others  int // other running jobs
	// problems are those of every look.
	problems []flinkapi.Problem
	fetch    time.Duration
	// frozen stops the metrics, not the job.
	frozen bool
	// gauges adds the cluster's own averages per vertex; untimed gives averages per subtask instead of counters,
	// as before Flink 1.16.
	gauges, untimed bool
	looked          bool
	version         string
	settings        map[string]string
	checkpoints     *flinkapi.Checkpoints
	free            flinkapi.Value // slots

	engine *engine
	read   reads
	report *Report
}

// part is a vertex of a world.
type part struct {
	name   string
	tasks  []*task
	spread map[flinkapi.Signal]flinkapi.Spread
	// lag is what waits at a source, and how much more each second; nil where no lag is reported.
	lag, growth *float64
	// title is the name that is shown, chain what the plan says of it, most its maximum parallelism.
	title, chain string
	most         int
	told         []*reported
	listed       bool // the names of its metrics were looked up
	stacks       []flinkapi.Stack
	stacked      time.Time
	flame        bool // they are of a flame graph
	shared       bool // others have its name on the same TaskManager
	// held is true while the vertex is not read though the others are.
	held   bool
	readAt time.Time
	shown  []flinkapi.Subtask
	sums   flinkapi.Readings
}

// task is a subtask of a world.
type task struct {
	state   flinkapi.TaskState
	attempt int
	worker  flinkapi.TaskManagerID
	since   time.Time // when it began to run
	// How it spends its time from now on; the rest is idle.
	busy, backpressured float64
	// legacy is a source without a busy time; mute has no metrics at all; uncounted has none of its records.
	legacy, mute, uncounted bool
	in, out                 float64 // records per second
	others                  int     // concurrent attempts beside this one
	spent                   [3]float64
	records                 [2]float64
}

type worker struct {
	id        flinkapi.TaskManagerID
	cores     float64 // in use
	known     bool    // its CPU is reported
	told      []*reported
	used      float64 // core seconds
	shown     float64 // of those, as collected last
	readAt    time.Time
	heartbeat time.Time
	silent    bool
	machine   *float64 // cores of its machine
	host      string
	listed    time.Time
	// unlisted is true while the list of TaskManagers is not read.
	unlisted bool
}

// newWorld builds a job from a graph: one line per vertex, with its subtasks' shares as busy/backpressured in
// percent and the vertices that it sends to:
//
//	parse  15/85*3 10/90 -> totals
//	totals 100/0 20/0*3  => sink
//
// A share may also be "-" (no metrics), "nan/40" (no busy time), "done" or "init". Arrows: -> FORWARD, =>
// HASH, ~> REBALANCE, *> CUSTOM, #> FORWARD and blocking. Each edge carries 100 records a second.
func newWorld(t testing.TB, graph string) *world {
	t.Helper()
	return newWorldWith(t, DefaultOptions(), Rules(), graph)
}

func newWorldWith(t testing.TB, options Options, rules []Rule, graph string) *world {
	t.Helper()
	w := &world{
		t: t, now: noon, age: time.Hour, fetch: 10 * time.Second, read: reads{}, version: "2.3.0",
		job: flinkapi.Job{ID: "j1", Name: "orders", State: flinkapi.JobRunning, Type: flinkapi.TypeStreaming},
	}
	w.engine = newEngine(options, w.read.spy(rules))
	for line := range strings.Lines(graph) {
		w.vertex(strings.Fields(line))
	}
	for _, p := range w.parts {
		in, out := 0.0, 0.0
		for _, e := range w.job.Edges {
			if string(e.To) == p.name {
				in += 100
			}
			if string(e.From) == p.name {
				out = 100
			}
		}
		p.flow(in, out)
	}
	return w
}

func (w *world) vertex(words []string) {
	if len(words) == 0 {
		return
	}
	ships := map[string]flinkapi.ShipStrategy{
		"->": flinkapi.ShipForward,
		"=>": flinkapi.ShipHash,
		"~>": flinkapi.ShipRebalance,
		"*>": "CUSTOM",
		"+>": flinkapi.ShipBroadcast,
		"#>": flinkapi.ShipForward,
	}
	p := &part{name: words[0], title: words[0], most: 128}
	w.parts = append(w.parts, p)
	arrow := ""
	var shares []string
	for _, word := range words[1:] {
		switch _, isArrow := ships[word]; {
		case isArrow:
			arrow = word
		case arrow == "":
			shares = append(shares, word)
		default:
			to := flinkapi.VertexID(strings.TrimSuffix(word, ","))
			w.job.Edges = append(w.job.Edges, flinkapi.Edge{
				From: flinkapi.VertexID(p.name), To: to, Ship: ships[arrow], Blocking: arrow == "#>",
			})
		}
	}
	w.scale(p, shares)
}

// scale gives a vertex new subtasks.
func (w *world) scale(p *part, shares []string) {
	p.tasks = nil
	for _, s := range repeated(shares) {
		p.tasks = append(p.tasks, &task{state: flinkapi.TaskRunning, worker: "tm-1", since: w.now})
		w.spend(p.tasks[len(p.tasks)-1], s)
	}
	w.worker("tm-1")
}

// repeated writes "20/0*3" out.
func repeated(words []string) []string {
	var out []string
	for _, word := range words {
		one, times, many := strings.Cut(word, "*")
		n := 1
		if many {
			n, _ = strconv.Atoi(times)
		}
		for range n {
			out = append(out, one)
		}
	}
	return out
}

// spend sets how a subtask spends its time from now on.
func (w *world) spend(k *task, share string) {
	k.legacy, k.mute = false, share == "-"
	switch share {
	case "-":
		return
	case "done":
		k.state = flinkapi.TaskFinished
		return
	case "init":
		k.state = flinkapi.TaskInitializing
		return
	}
	if k.state != flinkapi.TaskRunning {
		k.state, k.since = flinkapi.TaskRunning, w.now
	}
	busy, back, _ := strings.Cut(share, "/")
	k.busy, k.backpressured, k.legacy = w.percent(busy), w.percent(back), busy == "nan"
}

func (w *world) percent(text string) float64 {
	w.t.Helper()
	if text == "nan" {
		return 0
	}
	return w.number(text) / 100
}

func (w *world) number(text string) float64 {
	w.t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		w.t.Fatal(err)
	}
	return x
}

// flow spreads records per second evenly over the subtasks.
func (p *part) flow(in, out float64) {
	for _, k := range p.tasks {
		k.in, k.out = in/float64(len(p.tasks)), out/float64(len(p.tasks))
	}
}

func (w *world) part(name string) *part {
	w.t.Helper()
	for _, p := range w.parts {
		if p.name == name {
			return p
		}
	}
	w.t.Fatalf("no vertex %q", name)
	return nil
}

func (w *world) worker(id string) *worker {
	for _, m := range w.workers {
		if string(m.id) == id {
			return m
		}
	}
	m := &worker{id: flinkapi.TaskManagerID(id), heartbeat: w.now, listed: w.now}
	w.workers = append(w.workers, m)
	return m
}

// set gives the subtasks of a vertex new shares from now on.
func (w *world) set(name string, shares ...string) {
	w.t.Helper()
	p, all := w.part(name), repeated(shares)
	if len(all) != len(p.tasks) {
		w.t.Fatalf("%s has %d subtasks, not %d", name, len(p.tasks), len(all))
	}
	for i, s := range all {
		w.spend(p.tasks[i], s)
	}
}

// restart redeploys the whole job: new attempts, counters from 0.
func (w *world) restart() {
	for _, p := range w.parts {
		for _, k := range p.tasks {
			k.begin(w.now)
			k.attempt++
		}
	}
	w.job.EnteredAt = map[flinkapi.JobState]time.Time{flinkapi.JobRunning: w.now}
	if n, ok := w.job.Restarts.Float(); ok {
		w.job.Restarts = flinkapi.Known(n + 1)
	}
}

func (k *task) begin(at time.Time) {
	k.since, k.spent, k.records = at, [3]float64{}, [2]float64{}
}

// look lets d pass, takes a snapshot and diagnoses it.
func (w *world) look(d time.Duration) { w.report = w.engine.run(w.snapshot(d)) }

// watch looks every fetch interval until d has passed.
func (w *world) watch(d time.Duration) {
	for end := w.now.Add(d); w.now.Before(end); {
		w.look(min(w.fetch, end.Sub(w.now)))
	}
}

// slots are those of the engine's window.
func (w *world) slots() []slot { return w.engine.w.slots }

// slot is the newest one.
func (w *world) slot() *slot {
	w.t.Helper()
	if len(w.slots()) == 0 {
		w.t.Fatal("no slot is there yet")
	}
	return &w.slots()[len(w.slots())-1]
}

// vertexSlot is a vertex in the newest slot.
func (w *world) vertexSlot(name string) *vertexSlot {
	w.t.Helper()
	for i, p := range w.parts {
		if p.name == name {
			return &w.slot().vertices[i]
		}
	}
	w.t.Fatalf("no vertex %q", name)
	return nil
}

// reads are the signals that each rule was seen to read.
type reads map[string]map[flinkapi.Signal]bool

// spy returns the rules such that their reads are noted.
func (r reads) spy(rules []Rule) []Rule {
	for i := range rules {
		name, check := rules[i].Name, rules[i].Check
		rules[i].Check = func(c *Case) Finding {
			c.read = map[flinkapi.Signal]bool{}
			defer func() { r.add(name, c.read) }()
			return check(c)
		}
	}
	return rules
}

func (r reads) add(rule string, signals map[flinkapi.Signal]bool) {
	if r[rule] == nil {
		r[rule] = map[flinkapi.Signal]bool{}
	}
	maps.Copy(r[rule], signals)
}
