package sim

import "math"

// fetchSeconds is how long a metric fetch takes: until then the answers hold the metrics of the fetch
// before.
const fetchSeconds = 0.15

// store is the JobManager's metric store. It is filled on demand only: a request that comes more than an
// interval after the start of the last fetch starts the next one and is itself answered from the old
// metrics.
type store struct {
	// fetchedAt is when the last fetch began, in seconds since the start; -Inf before the first.
	fetchedAt float64
	pending   *metrics
	current   *metrics
}

// metrics is one dump of everything, as it was at a moment.
type metrics struct {
	at      float64
	jobs    []jobSample
	workers []workerSample
}

// jobSample holds the subtasks of a job by vertex and subtask.
type jobSample struct {
	// present says that the job ran at some fetch.
	present  bool
	restarts int
	subtasks [][]sample
}

// sample is what one subtask reported. Times are in ms since the attempt began to run.
type sample struct {
	present bool
	attempt int
	// ended says that the task has come to its end since: from 1.19 on its three gauges of time are gone
	// then.
	ended                                 bool
	busy, blocked, idle                   float64
	busyGauge, blockedGauge, idleGauge    float64
	read, written                         volume
	readRate, writtenRate                 float64
	inPool, outPool                       float64
	inQueue, outQueue                     int
	held                                  bool
	watermark                             float64
	startDelayNanos, alignmentNanos       float64
	pending, emitLagMillis, starvedMillis float64
	initializedMillis                     float64
	fired, firedRate                      float64
	driftMillis                           float64
	// quiet says that its watermark is left out of account.
	quiet bool
}

type workerSample struct {
	cpuNanos, cpuLoad float64
	gcShare           float64
	gcMillis          float64
	// heapUsed is a share.
	heapUsed               float64
	segmentsUsed, segments int64
}

func (s *store) init(jobs int) {
	s.fetchedAt = math.Inf(-1)
	s.current = &metrics{jobs: make([]jobSample, jobs)}
}

// update is called by every handler that reads metrics: it starts a fetch when the last one is old
// enough and over.
func (s *store) update(c *Cluster) {
	now := c.clock().Sub(c.cfg.Start).Seconds()
	s.tick(c)
	if s.pending != nil || now-s.fetchedAt <= c.cfg.FetchInterval.Seconds() {
		return
	}
	s.fetchedAt = now
	s.pending = c.dump(now)
}

// tick ends a fetch whose answers have all arrived. It waits for every TaskManager, the stalled ones
// too.
func (s *store) tick(c *Cluster) {
	if s.pending == nil || c.clock().Sub(c.cfg.Start).Seconds() < s.fetchedAt+fetchSeconds {
		return
	}
	for _, w := range c.workers {
		if w.stalled && !w.lost {
			return
		}
	}
	s.keepMissing()
	s.current, s.pending = s.pending, nil
}

// keepMissing keeps what the store knew of subtasks that did not report this time, as Flink does, unless a
// rescale has taken them away.
func (s *store) keepMissing() {
	for j := range s.pending.jobs {
		old, fresh := &s.current.jobs[j], &s.pending.jobs[j]
		fresh.present = fresh.present || old.present
		for v := range old.subtasks {
			for i := range min(len(old.subtasks[v]), len(fresh.subtasks[v])) {
				if !fresh.subtasks[v][i].present {
					fresh.subtasks[v][i] = old.subtasks[v][i]
				}
			}
		}
	}
}

// dump takes a sample of everything.
func (c *Cluster) dump(now float64) *metrics {
	m := &metrics{at: now, jobs: make([]jobSample, len(c.jobs)), workers: make([]workerSample, len(c.workers))}
	for k, j := range c.jobs {
		m.jobs[k] = jobSample{
			present: !j.terminal(), restarts: j.restarts, subtasks: make([][]sample, len(j.subtasks)),
		}
		for _, v := range j.net.order {
			samples := make([]sample, len(j.subtasks[v]))
			m.jobs[k].subtasks[v] = samples
			for i := range samples {
				samples[i] = c.sample(j, v, i, m.jobs[k].subtasks)
			}
		}
	}
	for k, w := range c.workers {
		m.workers[k] = c.sampleWorker(w, now)
	}
	return m
}

// sample reads one subtask; above holds the samples of the vertices upstream of it.
func (c *Cluster) sample(j *job, v, i int, above [][]sample) sample {
	s, t := &j.subtasks[v][i], &j.net.vertices[v].tasks[i]
	if s.status != running && s.status != initializing {
		return sample{}
	}
	x := sample{
		present: true, attempt: s.attempt,
		busy: t.busy * 1000, blocked: t.blocked * 1000, idle: t.idle * 1000,
		blockedGauge: math.Floor(s.blocked.value), idleGauge: math.Floor(s.idle.value),
		readRate: s.in.rate, writtenRate: s.out.rate,
		startDelayNanos: j.checkpoint.lastOf(v, i).startDelay * 1e9,
		alignmentNanos:  j.checkpoint.lastOf(v, i).alignment * 1e9,
	}
	x.busyGauge = 1000 - min(x.blockedGauge+x.idleGauge, 1000)
	if j.net.vertices[v].Legacy {
		x.busy, x.busyGauge = math.NaN(), math.NaN()
	}
	x.fired, x.firedRate = t.fired, s.fired.rate
	x.read, x.written = c.traffic(j, v, i)
	x.inPool, x.inQueue = j.inputUsage(v, i)
	x.outPool, x.outQueue = j.outputUsage(v, i)
	x.held = x.outPool >= 1
	x.watermark, x.quiet = c.watermark(j, v, i, above)
	if old, ok := c.sampleOf(j, v, i); ok && old.attempt == s.attempt {
		x.watermark = max(x.watermark, old.watermark)
	}
	if !math.IsNaN(s.at(running)) {
		x.initializedMillis = (s.at(running) - s.at(initializing)) * 1000
	}
	x.starvedMillis, x.driftMillis = t.starved*1000, t.supply.drift*1000
	if t.supply.log {
		x.pending = t.supply.backlog
		x.emitLagMillis = 1000 * t.supply.lagSeconds()
	}
	return x
}

func (c *Cluster) sampleWorker(w *worker, now float64) workerSample {
	cpu := c.cpuSeconds(w, now)
	x := workerSample{
		cpuNanos: cpu * 1e9, gcMillis: w.gc.last * 1000,
	}
	x.heapUsed, x.gcShare = c.heap(w, now)
	x.segmentsUsed, x.segments = c.segments(w)
	if before := c.store.current; len(before.workers) > w.index && now > before.at {
		cores := (cpu - before.workers[w.index].cpuNanos/1e9) / (now - before.at)
		x.cpuLoad = min(1, max(0, cores/float64(w.Cores)))
	} else if now > 0 {
		x.cpuLoad = min(1, cpu/now/float64(w.Cores))
	}
	return x
}
