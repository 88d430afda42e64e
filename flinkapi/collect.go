package flinkapi

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// CollectorOptions says how a [Collector] watches. The zero value is usable.
type CollectorOptions struct {
	// Clock is the source's clock; nil is the wall clock.
	Clock Clock
	// Interval is the time between two looks while something is expected to change; 0 is 1 s.
	Interval time.Duration
	// Signals are those that are asked for; nil is all. Counters of vertices come with every answer anyway.
	Signals []Signal
	// Settings are the cluster's options that are kept in a snapshot, by their keys; nil keeps all that say how
	// jobs run.
	Settings []string
}

// Collector is the [Source] of a live cluster. Each look asks for the job in focus; the dear questions,
// about vertices, checkpoints and TaskManagers, are asked once per collection of metrics by the JobManager,
// since nothing changes between. It keeps its state per job, so that a caller may look at several jobs in
// turn.
type Collector struct {
	mu       sync.Mutex // looks never overlap
	client   *Client
	clock    Clock
	interval time.Duration
	signals  map[Endpoint][]Signal
	settings []string

	cluster  clusterState
	jobs     map[JobID]*jobState
	fleet    map[JobID]*jobState // the jobs that were glanced at
	seen     map[JobID]string    // the names of the jobs that were looked at
	cost     costs
	dumps    dumps
	failures int  // looks in a row that met an overloaded or absent server
	late     bool // the time of the look that goes on was over before all was asked
	wait     time.Duration
}

var _ Source = (*Collector)(nil)

const defaultInterval = time.Second

// NewCollector returns a source of snapshots of the client's cluster. It sends nothing yet.
func NewCollector(client *Client, o CollectorOptions) *Collector {
	if o.Clock == nil {
		o.Clock = WallClock
	}
	if o.Interval <= 0 {
		o.Interval = defaultInterval
	}
	if o.Signals == nil {
		o.Signals = Signals()
	}
	c := &Collector{
		client: client, clock: o.Clock, interval: o.Interval, wait: o.Interval,
		signals: map[Endpoint][]Signal{}, settings: o.Settings, jobs: map[JobID]*jobState{},
		fleet: map[JobID]*jobState{}, seen: map[JobID]string{},
	}
	for _, s := range o.Signals {
		c.signals[s.Info().Endpoint] = append(c.signals[s.Info().Endpoint], s)
	}
	c.cluster.forget()
	return c
}

// Next takes one look: see [Source]. It fails when the job in focus, or without one the list of jobs,
// cannot be read.
func (c *Collector) Next(ctx context.Context, focus Focus) (*Snapshot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, 2*c.client.timeout)
	defer cancel()
	snapshot, err := c.look(limited, focus)
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, &Error{Op: "look at the cluster", Kind: KindCanceled, Detail: "it was given up"}
	}
	if err != nil {
		c.wait = c.backOff(err)
		return nil, err
	}
	return snapshot, nil
}

// Wait tells how long to leave the cluster alone: see [Source].
func (c *Collector) Wait() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wait
}

func (c *Collector) look(ctx context.Context, focus Focus) (*Snapshot, *Error) {
	began := c.clock()
	c.late = false
	var s *jobState
	if focus.Job != "" {
		var err *Error
		if s, err = c.readJob(ctx, focus.Job); err != nil {
			return nil, err
		}
	}
	strained := c.perform(ctx, s, c.clusterReads(focus, began))
	if focus.Job == "" {
		if err := c.cluster.problems.of(pathJobs); err != nil {
			return nil, err
		}
	}
	if s != nil {
		strained = c.readRound(ctx, s, focus, began) || strained
		strained = c.perform(ctx, s, c.gaugeReads(s, focus, began)) || strained
		strained = c.inspect(ctx, s, focus, began) || strained
		strained = c.perform(ctx, s, c.sampleReads(s, focus, began)) || strained
	}
	var fleet []FleetJob
	if s == nil && focus.Fleet != nil {
		var late bool
		fleet, late = c.readFleet(ctx, focus)
		strained = strained || late
	}
	c.failures = c.failuresAfter(strained)
	at := c.clock()
	snapshot := c.snapshot(s, at)
	snapshot.Fleet = fleet
	c.wait = c.pace(s, at)
	return snapshot, nil
}

// readJob makes the one call of every look and takes in what it tells.
func (c *Collector) readJob(ctx context.Context, id JobID) (*jobState, *Error) {
	what := call{op: "read the job", path: pathJob, ids: []string{string(id)}}
	if !validID(hexID, string(id)) {
		return nil, &Error{
			Op: what.op, Kind: KindNoJob, Detail: Sanitize(string(id)) + " is not a job id",
			Hint: "a job id has 32 hexadecimal digits; the list of jobs has them",
		}
	}
	s := c.jobs[id]
	if s == nil {
		s = newJobState()
	}
	got := fanOut(ctx, []read{ask(c, what, func(w wireJob, at time.Time) {
		c.cluster.noteGap(s.take(w, at, c.fetchInterval()))
	})})[0]
	if got.err == nil {
		got.err = safely(what.op, func() error { got.keep(); return nil })
	}
	switch {
	case got.err == nil:
		c.jobs[id], c.seen[id] = s, s.job.Name
		return s, nil
	case got.err.Kind == KindNotFound, got.err.Kind == KindNotOffered:
		return nil, c.noJob(ctx, id, what.op)
	}
	return nil, got.err
}

// noJob explains that a cluster which answers does not know the job, with what it knows instead.
func (c *Collector) noJob(ctx context.Context, id JobID, op string) *Error {
	c.perform(ctx, nil, []read{c.jobsRead()})
	if err := c.cluster.problems.of(pathJobs); err != nil {
		return err
	}
	e := &Error{
		Op: op, Kind: KindNoJob, Status: 404, Detail: "the cluster knows no job " + string(id),
		Hint: "choose one from the list of jobs",
	}
	name, known := c.seen[id]
	if !known {
		return e
	}
	e.Detail = fmt.Sprintf("the cluster no longer knows the job %q", name)
	e.Hint = "its JobManager was restarted without it, or has dropped it; choose one from the list of jobs"
	for _, other := range c.cluster.jobs {
		if other.Name == name && other.ID != id && !other.State.Over() {
			e.Hint = fmt.Sprintf("a job of that name now runs as %s: watch that one", other.ID)
		}
	}
	return e
}

// perform makes the reads, takes in their answers one by one and keeps the failures as problems. It tells
// whether the server was overloaded or away.
func (c *Collector) perform(ctx context.Context, s *jobState, reads []read) (strained bool) {
	offered := reads[:0:0]
	for _, r := range reads {
		if !c.cluster.notOffered[r.call.path] {
			offered = append(offered, r)
		}
	}
	for i, got := range fanOut(ctx, offered) {
		r := offered[i]
		if got.err == nil {
			got.err = safely(r.call.op, func() error { got.keep(); return nil })
		}
		open := c.cluster.problems
		if len(r.call.ids) > 0 && s != nil && !r.call.path.ofTaskManager() {
			open = s.problems
		}
		switch {
		case got.err == nil:
			open.solved(r)
		case got.err.Kind == KindCanceled:
		case r.quiet != nil && r.quiet(got.err):
			if got.err.Kind == KindNotOffered {
				c.cluster.notOffered[r.call.path] = true
			}
		default:
			c.late = c.late || got.err.Late
			open.failed(r, got.err, c.clock())
			strained = strained || got.err.strain()
			if got.err.Kind == KindNotOffered {
				c.cluster.notOffered[r.call.path] = true
			}
		}
	}
	return strained
}

// snapshot puts together what is known now.
func (c *Collector) snapshot(s *jobState, at time.Time) *Snapshot {
	snap := &Snapshot{
		At: at, Cluster: c.cluster.describe(c), Jobs: c.cluster.jobs, TaskManagers: c.cluster.withReadings(),
		Problems: c.cluster.problems.list(at), Cost: c.cost.update(c.client, at),
	}
	if s != nil {
		snap.Job = s.describe()
		snap.Problems = append(snap.Problems, s.problems.list(at)...)
	}
	return snap
}
