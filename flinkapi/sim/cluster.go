package sim

import (
	"math"
	"net/http"
	"sync"
	"time"
)

const (
	defaultVersion       = "1.20.5"
	defaultFetchInterval = 10 * time.Second
	defaultStep          = 100 * time.Millisecond
	defaultHeartbeat     = 50 * time.Second
)

// Cluster is a running simulation. All methods may be called from several goroutines.
type Cluster struct {
	mu      sync.Mutex
	cfg     Config
	version version
	workers []*worker
	jobs    []*job
	// slots holds for each job the worker of each of its slots.
	slots [][]int
	// steps is how far the model has come, ahead how much further the clock is.
	steps    int
	ahead    time.Duration
	nextView float64
	// stallsChanged says that a worker began or ceased to stall in this step.
	stallsChanged bool
	store         store
	names         taskMetricTable
	treatments    []Treatment
	// waiting are treatments that begin later.
	waiting  []due
	requests Traffic
	once     sync.Once
	handler  http.Handler
}

// New starts a cluster with all its jobs. It panics on a graph that [Graph.Validate] rejects.
func New(cfg Config) *Cluster {
	cfg.Version = orElse(cfg.Version, defaultVersion)
	cfg.FetchInterval = orElse(cfg.FetchInterval, defaultFetchInterval)
	cfg.HeartbeatTimeout = orElse(cfg.HeartbeatTimeout, defaultHeartbeat)
	cfg.Step = orElse(cfg.Step, defaultStep)
	if cfg.Start.IsZero() {
		cfg.Start = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	c := &Cluster{cfg: cfg, version: parseVersion(cfg.Version), nextView: viewSeconds}
	slots := 0
	for i, spec := range cfg.Jobs {
		j := newJob(spec, i, cfg.Step.Seconds())
		c.jobs = append(c.jobs, j)
		for v := range j.net.vertices {
			j.net.vertices[v].statePackage = c.version.statePackage()
		}
		slots += j.width()
	}
	c.workers = newWorkers(cfg.TaskManagers, slots)
	c.names = newTaskMetricTable(c.version)
	c.store.init(len(c.jobs))
	c.place()
	for _, j := range c.jobs {
		j.launch(0)
	}
	return c
}

// Now is the simulated time.
func (c *Cluster) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.clock()
}

func (c *Cluster) clock() time.Time {
	return c.cfg.Start.Add(time.Duration(c.steps)*c.cfg.Step + c.ahead)
}

// Advance moves the simulated time on by d.
func (c *Cluster) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.advance(d)
}

// AdvanceTo moves the simulated time on to t; a t in the past does nothing.
func (c *Cluster) AdvanceTo(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.advance(t.Sub(c.clock()))
}

func (c *Cluster) advance(d time.Duration) {
	if d <= 0 {
		return
	}
	for c.ahead += d; c.ahead >= c.cfg.Step; c.ahead -= c.cfg.Step {
		c.tick()
	}
}

// Follow returns a function that moves the cluster on in step with another clock, speed times as fast,
// counted from now. It is meant for [Transport], which calls it before each request.
func (c *Cluster) Follow(clock func() time.Time, speed float64) func() {
	began, from := clock(), c.Now()
	return func() {
		c.AdvanceTo(from.Add(time.Duration(float64(clock().Sub(began)) * speed)))
	}
}

// seconds is the time of the model since the start of the cluster.
func (c *Cluster) seconds() float64 { return float64(c.steps) * c.cfg.Step.Seconds() }

// millis turns seconds since the start into epoch milliseconds; NaN into -1, as Flink prints "never".
func (c *Cluster) millis(seconds float64) int64 {
	if math.IsNaN(seconds) {
		return -1
	}
	return c.cfg.Start.UnixMilli() + int64(math.Round(seconds*1000))
}

func (c *Cluster) nowMillis() int64 { return c.clock().UnixMilli() }

// tick is one step of the model.
func (c *Cluster) tick() {
	for _, j := range c.jobs {
		if !j.terminal() {
			j.net.advance()
		}
	}
	c.steps++
	now := c.seconds()
	c.treatDue(now)
	c.tickWorkers(now)
	c.strain(now)
	c.exhaust(now)
	for _, j := range c.jobs {
		j.net.now = now
		j.tick(c, now)
	}
	if now >= c.nextView-c.cfg.Step.Seconds()/2 {
		c.nextView += viewSeconds
		c.updateViews()
	}
	c.store.tick(c)
}

// updateViews steps the 60 s gauges and meters of all tasks.
func (c *Cluster) updateViews() {
	for _, w := range c.workers {
		if !w.stalled {
			_, share := c.heap(w, c.seconds())
			w.gc.update(w.gc.last + share*viewSeconds)
		}
	}
	for _, j := range c.jobs {
		j.each(func(v, i int, s *subtask, t *task) {
			if s.status != running || c.workers[s.worker].stalled {
				return
			}
			s.blocked.update(t.blocked)
			s.idle.update(t.idle)
			read, written := c.traffic(j, v, i)
			s.in.update(read.records)
			s.out.update(written.records)
			s.fired.update(t.fired)
		})
	}
}
