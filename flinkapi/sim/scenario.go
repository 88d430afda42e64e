package sim

import "time"

// Scenario is a built-in incident.
type Scenario struct {
	Name string
	// Summary says in one sentence what goes on.
	Summary string
	// Culprits are the names of the vertices that hold their job back; none where nothing
	// is to blame.
	Culprits []string
	// Suspects are named too, and rightly, while the watch is too short to tell more than that they are busy.
	Suspects []string
	// Reason is the name of the cause, or of the state of the job where nothing is to blame, such as
	// "slow-sink".
	Reason string
	// Config is the cluster, without Start.
	Config Config
	// Warm is how long the cluster has been running at the first look.
	Warm time.Duration
	// Told is how long it must be watched before it can be told; 0 for at once.
	Told time.Duration
	// Recurs says that it comes and goes: a culprit is named by turns, and need not be firm.
	Recurs bool
	// Retention is how long the log behind the sources keeps a record, which Flink does not know; 0 is for
	// ever.
	Retention time.Duration
	// Treatments are what can be done about it, the right fix first; none where nothing needs to be done.
	Treatments []Treatment
}

// Cluster starts the scenario such that the simulated time is now, with the incident under way.
func (s Scenario) Cluster(now time.Time) *Cluster {
	cfg := s.Config
	cfg.Start = now.Add(-s.Warm)
	c := New(cfg)
	c.treatments = s.Treatments
	c.Advance(s.Warm)
	return c
}

// Began is how long after the start of the cluster the first job was altered for the worse; false for one
// that has been as it is from the start.
func (s Scenario) Began() (time.Duration, bool) {
	changes := s.Config.Jobs[0].Changes
	if len(changes) == 0 {
		return 0, false
	}
	return changes[0].At, true
}

// Lookup finds a scenario by name.
func Lookup(name string) (Scenario, bool) {
	for _, s := range Scenarios() {
		if s.Name == name {
			return s, true
		}
	}
	return Scenario{}, false
}

// Scenarios lists the built-in incidents: first those with a culprit, then those in which only one
// instance is hot, then those without a culprit.
func Scenarios() []Scenario {
	return []Scenario{
		slowSink(), slowMiddle(), asyncFull(), slowMiddleCPU(), diamond(), twoPipelines(), twoSinks(),
		sourceBound(), sinkComputing(), lockContention(), serialization(), parallelismOne(),
		stateBackend(), stateDisk(),
		hotKey(), fewKeys(), keyGroups(), costSkew(), partitionSkew(), slowHost(), gcPressure(),
		burst(), alternating(), timers(), cpuLimit(), checkpointBarriers(), logRetention(), rescaleInVain(),
		healthy(), noHeadroom(), uniformParallelism(), catchingUp(), rateLimited(), sourceStarved(),
		alignmentHold(), watermarkHeld(), watermarkIdle(), stateGrowth(),
		checkpointTrend(), checkpointAsync(), checkpointSync(), checkpointStuck(), checkpointFailing(),
		jobManagerSlow(), lateData(), slowNetwork(), networkMemory(), sinkMemory(),
		stuck(), restartLoop(), stalledTaskManager(), finishedJob(), failedJob(), batchJob(), fleet(), largeJob(),
	}
}

// The usual spread of service times and load, and the usual checkpointing.
const (
	usualJitter = 0.05
	usualWarm   = 10 * time.Minute
)

func usualCheckpoints() Checkpoints {
	return Checkpoints{Interval: 30 * time.Second, Timeout: 10 * time.Minute, Tolerable: 1000}
}

// perRecord is a service time in microseconds.
func perRecord(micros float64) time.Duration {
	return time.Duration(micros * float64(time.Microsecond))
}

// kafka is a source that reads a log with so many new records per second.
func kafka(name string, parallelism int, micros, rate float64) Vertex {
	return Vertex{
		Name: "Source: " + name, Parallelism: parallelism, Service: perRecord(micros), CPU: 0.9, RecordBytes: 400,
		Source: &Source{Rate: rate, Log: true}, External: true,
	}
}

// computing is an operator that burns CPU while it is busy.
func computing(name string, parallelism int, micros float64) Vertex {
	return Vertex{Name: name, Parallelism: parallelism, Service: perRecord(micros), CPU: 0.95, RecordBytes: 300}
}

// waiting is an operator that waits for something outside while it is busy.
func waiting(name string, parallelism int, micros float64) Vertex {
	return Vertex{Name: name, Parallelism: parallelism, Service: perRecord(micros), CPU: 0.03, RecordBytes: 300}
}

// chain links the vertices one after the other.
func chain(ships ...Ship) []Edge {
	edges := make([]Edge, len(ships))
	for i, ship := range ships {
		edges[i] = Edge{From: i, To: i + 1, Ship: ship}
	}
	return edges
}

// one is a cluster with a single job.
func one(name string, g Graph) Config {
	return Config{Jobs: []Job{{Name: name, Graph: g, Jitter: usualJitter, Checkpoints: usualCheckpoints()}}}
}

func slowSink() Scenario {
	edges := chain(Rebalance, Forward, Rebalance)
	edges[2].Buffer = 8000
	cfg := one("lab-orders", Graph{
		Vertices: []Vertex{
			kafka("orders", 16, 300, 600), computing("parse", 16, 400), computing("clean", 16, 250),
			waiting("jdbc-upsert -> warehouse: Writer", 2, 2600),
		},
		Edges: edges,
	})
	cfg.Jobs[0].Vertices[3].External, cfg.Jobs[0].Vertices[3].Work.Operator = true, 1
	cfg.Jobs[0].Changes = []Change{{At: 8 * time.Minute, Vertex: 3, Service: perRecord(5650)}}
	return Scenario{
		Name:     "slow-sink",
		Summary:  "The database behind the sink has become slow; everything above waits for it.",
		Culprits: []string{"jdbc-upsert -> warehouse: Writer"}, Reason: "slow-sink",
		Config: cfg, Warm: 15 * time.Minute,
		Treatments: []Treatment{
			helps("faster-database",
				"Repair the database: a write takes 1.5 ms again, and the job works off its backlog.",
				Change{Vertex: 3, Service: perRecord(1500)}),
			redeployed(helps("batched-writes",
				"Write in batches: the database needs a quarter of the time for each record.",
				Change{Vertex: 3, Service: perRecord(1400)})),
			inVain("more-upstream",
				"Double the parallelism of parse and clean: they only wait with more instances.",
				Change{Vertex: 1, Parallelism: 32}, Change{Vertex: 2, Parallelism: 32}),
			inVain("more-writers",
				"Double the writers: they share one database, and each write takes twice as long.",
				Change{Vertex: 3, Parallelism: 4, Service: perRecord(11300)}),
		},
	}
}

func slowMiddle() Scenario {
	return Scenario{
		Name:     "slow-middle",
		Summary:  "An enrichment step waits for a service and holds back everything above it.",
		Culprits: []string{"enrich"}, Reason: "external-wait", Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("async-lookup",
				"Ask the service asynchronously: many requests are in flight at once.",
				Change{Vertex: 2, Service: perRecord(400)})),
			helps("more-enrich",
				"Give enrich itself six instances instead of two: it is what the job waits for.",
				Change{Vertex: 2, Parallelism: 6}),
			inVain("more-upstream",
				"Give parse eight instances instead of two: it only waits with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("orders-enrichment", Graph{
			Vertices: []Vertex{
				kafka("orders", 2, 150, 2000), computing("parse", 2, 200), waiting("enrich", 2, 2000),
				computing("format", 2, 120), waiting("archive: Writer", 2, 100),
			},
			Edges: chain(Rebalance, Rebalance, Rebalance, Forward),
		}),
	}.first(2, 400)
}

func asyncFull() Scenario {
	lookup := waiting("normalize -> exchange-rates -> mask", 2, 2000)
	lookup.Work = Work{Operator: 1, Kind: AsyncFull}
	return Scenario{
		Name:     "async-full",
		Summary:  "An asynchronous lookup has as many requests in flight as it may, and each takes too long.",
		Culprits: []string{lookup.Name}, Reason: "async-full", Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("more-capacity", "Let four times as many requests be in flight.",
				Change{Vertex: 2, Service: perRecord(500)})),
			inVain("more-upstream",
				"Give parse eight instances instead of two: it only waits with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("price-feed", Graph{
			Vertices: []Vertex{
				kafka("prices", 2, 150, 2000), computing("parse", 2, 200), lookup,
				waiting("archive: Writer", 2, 100),
			},
			Edges: chain(Rebalance, Rebalance, Rebalance),
		}),
	}.first(2, 400)
}

func slowMiddleCPU() Scenario {
	return Scenario{
		Name:     "slow-middle-cpu",
		Summary:  "A scoring step computes as fast as its cores can, and that is too slow.",
		Culprits: []string{"score"}, Reason: "cpu-bound", Warm: usualWarm,
		Treatments: []Treatment{
			helps("more-score", "Give score twelve instances instead of four, and the cores for them.",
				Change{Vertex: 2, Parallelism: 12}),
			redeployed(helps("cheaper-score",
				"Make the scoring itself cheaper: it takes a third of the time.",
				Change{Vertex: 2, Service: perRecord(330)})),
			inVain("more-upstream",
				"Give features twelve instances instead of four: it only waits with more of them.",
				Change{Vertex: 1, Parallelism: 12}),
		},
		Config: one("fraud-scoring", Graph{
			Vertices: []Vertex{
				kafka("payments", 4, 80, 6000), computing("features", 4, 150), computing("score", 4, 1000),
				waiting("alerts: Writer", 4, 60),
			},
			Edges: chain(Forward, Rebalance, Rebalance),
		}),
	}.first(2, 330)
}

func diamond() Scenario {
	join := computing("join", 4, 100)
	join.Selectivity = 0.5
	return Scenario{
		Name:     "diamond",
		Summary:  "One branch of a fork is slow; the other one starves.",
		Culprits: []string{"geocode"}, Reason: "external-wait", Warm: usualWarm,
		Treatments: []Treatment{
			helps("faster-geocoder", "Repair the service behind geocode: an answer takes half a millisecond.",
				Change{Vertex: 2, Service: perRecord(500)}),
			inVain("more-rules",
				"Give rules, the other branch, eight instances instead of four: it starves with more.",
				Change{Vertex: 3, Parallelism: 8}),
			inVain("more-upstream",
				"Give parse eight instances instead of four: it only waits with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("deliveries", Graph{
			Vertices: []Vertex{
				kafka("parcels", 2, 120, 3000), computing("parse", 4, 150), waiting("geocode", 4, 2400),
				computing("rules", 4, 180), join, waiting("deliveries: Writer", 2, 150),
			},
			Edges: []Edge{
				{From: 0, To: 1},
				{From: 1, To: 2, Ship: Rebalance},
				{From: 1, To: 3, Ship: Hash},
				{From: 2, To: 4, Ship: Hash},
				{From: 3, To: 4, Ship: Hash},
				{From: 4, To: 5},
			},
		}),
	}.first(2, 500)
}

func twoPipelines() Scenario {
	return Scenario{
		Name:     "two-pipelines",
		Summary:  "Two pipelines in one job, each with a slow operator of its own.",
		Culprits: []string{"enrich-clicks", "lookup-user"}, Reason: "external-wait", Warm: usualWarm,
		Treatments: []Treatment{
			helps("faster-services", "Repair both services: each pipeline has its own.",
				Change{Vertex: 2, Service: perRecord(250)}, Change{Vertex: 5, Service: perRecord(600)}),
			inVain("more-upstream",
				"Give parse-clicks eight instances instead of four: it only waits with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("site-events", Graph{
			Vertices: []Vertex{
				kafka("clicks", 4, 60, 8000), computing("parse-clicks", 4, 100), waiting("enrich-clicks", 4, 900),
				waiting("clicks: Writer", 4, 50),
				kafka("logins", 2, 150, 1200), waiting("lookup-user", 2, 2200), waiting("logins: Writer", 2, 200),
			},
			Edges: []Edge{
				{From: 0, To: 1},
				{From: 1, To: 2, Ship: Rebalance},
				{From: 2, To: 3},
				{From: 4, To: 5, Ship: Rebalance},
				{From: 5, To: 6},
			},
		}),
	}.first(2, 250).first(5, 600)
}

func twoSinks() Scenario {
	return Scenario{
		Name:     "two-sinks",
		Summary:  "Of two sinks the search index is slow, and it holds back the archive too.",
		Culprits: []string{"search-index: Writer"}, Reason: "slow-sink", Warm: usualWarm,
		Treatments: []Treatment{
			helps("faster-index", "Repair the search index: a write takes a sixth of the time.",
				Change{Vertex: 4, Service: perRecord(750)}),
			inVain("more-archive",
				"Give the other sink eight writers instead of four: it was only held back.",
				Change{Vertex: 3, Parallelism: 8}),
			inVain("more-upstream",
				"Give diff eight instances instead of four: it only waits with more of them.",
				Change{Vertex: 2, Parallelism: 8}),
		},
		Config: one("catalog", Graph{
			Vertices: []Vertex{
				kafka("products", 2, 150, 1500), computing("parse", 2, 250), computing("diff", 4, 400),
				waiting("archive: Writer", 4, 120), waiting("search-index: Writer", 4, 4500),
			},
			Edges: []Edge{
				{From: 0, To: 1}, {From: 1, To: 2, Ship: Hash}, {From: 2, To: 3}, {From: 2, To: 4, Ship: Rebalance},
			},
		}),
	}.first(4, 750)
}

func sourceBound() Scenario {
	return Scenario{
		Name:     "source-bound",
		Summary:  "The source itself is the limit: it unpacks its records slower than they come.",
		Culprits: []string{"Source: telemetry"}, Reason: "source-bound", Warm: usualWarm,
		Treatments: []Treatment{
			helps("more-readers",
				"Give the source six readers instead of two: the log has partitions for them.",
				Change{Vertex: 0, Parallelism: 6}),
			inVain("more-parse", "Give parse eight instances instead of two: it is idle with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("telemetry", Graph{
			Vertices: []Vertex{
				kafka("telemetry", 2, 1500, 1800), computing("parse", 2, 150), waiting("metrics: Writer", 2, 200),
			},
			Edges: chain(Rebalance, Forward),
		}),
	}.firstSupply(Source{Rate: 700, Log: true})
}
