package sim

import "time"

// The scenarios in which no operator is to blame.

func healthyGraph() Graph {
	return Graph{
		Vertices: []Vertex{
			kafka("orders", 4, 150, 2000), computing("parse", 4, 300), computing("totals", 4, 500),
			waiting("warehouse: Writer", 4, 700),
		},
		Edges: chain(Rebalance, Hash, Rebalance),
	}
}

func healthy() Scenario {
	return Scenario{
		Name:    "healthy",
		Summary: "Every operator has time to spare.",
		Reason:  "healthy", Config: one("orders", healthyGraph()), Warm: usualWarm,
	}
}

func noHeadroom() Scenario {
	g := healthyGraph()
	g.Vertices[2].Service = perRecord(1820)
	return Scenario{
		Name:    "no-headroom",
		Summary: "The job keeps up, but one operator is busy nine tenths of the time.",
		Reason:  "no-headroom", Config: one("orders", g), Warm: usualWarm,
		Treatments: []Treatment{
			helps("more-totals",
				"Give totals eight instances instead of four: it is the one that is close to its limit.",
				Change{Vertex: 2, Parallelism: 8}),
			inVain("more-upstream",
				"Give parse eight instances instead of four: totals stays as close to its limit.",
				Change{Vertex: 1, Parallelism: 8}),
		},
	}.first(2, 500)
}

func catchingUp() Scenario {
	g := healthyGraph()
	g.Vertices[0].Source.Lag = 2.4e6
	return Scenario{
		Name:    "catching-up",
		Summary: "After an outage the job works off its backlog as fast as it can.",
		Reason:  "catching-up", Culprits: []string{"warehouse: Writer"},
		Config: one("orders", g), Warm: 2 * time.Minute,
	}
}

func rateLimited() Scenario {
	g := healthyGraph()
	g.Vertices[0].Source.Limit = 1500
	return Scenario{
		Name:    "rate-limited",
		Summary: "A rate limiter lets less through than comes in: all are idle, and the lag grows.",
		Reason:  "source-throttled", Config: one("orders", g), Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("no-limit",
				"Take the rate limit away: the source reads what comes, and then its backlog.",
				Change{Source: &Source{Rate: 2000, Log: true}})),
			inVain("more-upstream", "Give parse eight instances instead of four: they are idle too.",
				Change{Vertex: 1, Parallelism: 8}),
		},
	}.firstSupply(Source{Rate: 2000, Log: true})
}

func checkpointTrend() Scenario {
	g := healthyGraph()
	g.Vertices[2].StateBytes, g.Vertices[2].StateGrowth = 4e9, 3000
	cfg := one("orders", g)
	cfg.Jobs[0].Checkpoints = Checkpoints{
		Interval: time.Minute, Timeout: 3 * time.Minute, Tolerable: 2, Full: true, UploadBytesPerSecond: 20e6,
	}
	incremental := cfg.Jobs[0].Checkpoints
	incremental.Full = false
	return Scenario{
		Name:    "checkpoint-trend",
		Summary: "Nothing is backpressured, but each checkpoint takes longer than the one before.",
		Reason:  "checkpoint-trend", Config: cfg, Warm: 20 * time.Minute,
		Treatments: []Treatment{
			redeployed(helps("incremental", "Store only what has changed since the checkpoint before.",
				Change{Checkpoints: &incremental})),
			inVain("more-upstream", "Give parse eight instances instead of four: the state grows as before.",
				Change{Vertex: 1, Parallelism: 8}),
		},
	}
}

func restartLoop() Scenario {
	cfg := one("orders", healthyGraph())
	cfg.Jobs[0].Restart = &Restart{Delay: time.Second}
	cfg.Jobs[0].Faults = []Fault{{
		Kind: TaskFails, At: 2 * time.Minute, Every: 6 * time.Second, Vertex: 1, Subtask: 2,
		Exception: "java.lang.IllegalArgumentException", Message: "order 918 has no customer number",
	}}
	return Scenario{
		Name:    "restart-loop",
		Summary: "A record that cannot be read makes the job fail again and again.",
		Reason:  "restart-loop", Config: cfg, Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("skipped-record",
				"Put the record that cannot be read aside instead of failing.", Change{Mend: true})),
			inVain("more-parse", "Give parse eight instances instead of four: the record fails there too.",
				Change{Vertex: 1, Parallelism: 8}),
		},
	}
}

func finishedJob() Scenario {
	g := healthyGraph()
	g.Vertices[0] = Vertex{
		Name: "Source: import", Parallelism: 4, Service: perRecord(150), CPU: 0.9,
		Source: &Source{Records: 300_000},
	}
	return Scenario{
		Name:    "finished",
		Summary: "A bounded job has read all of its input and ended.",
		Reason:  "finished", Config: one("bounded-import", g), Warm: 5 * time.Minute,
	}
}

func failedJob() Scenario {
	cfg := one("orders", healthyGraph())
	cfg.Jobs[0].Restart = &Restart{Delay: 5 * time.Second, Attempts: 3}
	cfg.Jobs[0].Faults = []Fault{{
		Kind: TaskFails, At: 2 * time.Minute, Every: 4 * time.Second, Vertex: 3, Subtask: 0,
		Exception: "java.sql.SQLException", Message: "connection to warehouse:5432 refused",
	}}
	return Scenario{
		Name:    "failed",
		Summary: "The sink could not reach its database, and the job gave up after three restarts.",
		Reason:  "failed", Config: cfg, Warm: 5 * time.Minute,
	}
}

func batchJob() Scenario {
	cfg := one("monthly-report", Graph{
		Vertices: []Vertex{
			{
				Name: "Source: orders -> parse", Parallelism: 4, Service: perRecord(200), CPU: 0.9,
				Source: &Source{Records: 1e6},
			},
			computing("totals", 4, 2000), waiting("report: Writer", 4, 100),
		},
		Edges: []Edge{{From: 0, To: 1, Ship: Hash, Blocking: true}, {From: 1, To: 2, Ship: Forward}},
	})
	cfg.Jobs[0].Batch = true
	cfg.Jobs[0].Checkpoints = Checkpoints{}
	return Scenario{
		Name:    "batch",
		Summary: "A batch job in its second stage: its first is done, and nothing is wrong.",
		Reason:  "batch", Config: cfg, Warm: 2 * time.Minute,
	}
}

// fleet is several jobs at once, for the list of jobs.
func fleet() Scenario {
	var cfg Config
	for _, s := range []Scenario{healthy(), slowMiddle(), hotKey(), restartLoop(), finishedJob()} {
		job := s.Config.Jobs[0]
		job.Name = s.Name + "-" + job.Name
		for k := range job.Changes {
			job.Changes[k].At = 2 * time.Minute
		}
		cfg.Jobs = append(cfg.Jobs, job)
	}
	return Scenario{
		Name:     "fleet",
		Summary:  "Five jobs on one cluster: healthy, slow, skewed, in a restart loop, and finished.",
		Culprits: []string{"enrich", "customer-totals"}, Reason: "restart-loop", Config: cfg, Warm: usualWarm,
	}
}

func lateData() Scenario {
	g := healthyGraph()
	dropped, kept := 0.06, 0.0
	g.Vertices[2].Late = &dropped
	return Scenario{
		Name:    "late-data",
		Summary: "Nothing is slow, but six of a hundred records come after their window has closed, and are lost.",
		Reason:  "late-data", Config: one("orders", g), Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("longer-bound",
				"Wait longer for records that come out of order: none is late any more, and results come later.",
				Change{Vertex: 2, Late: &kept})),
			inVain("more-upstream", "Give parse eight instances instead of four: the records come as late as before.",
				Change{Vertex: 1, Parallelism: 8}),
		},
	}
}
