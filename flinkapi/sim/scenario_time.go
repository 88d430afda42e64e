package sim

import "time"

// The scenarios of the log, of event time, and of state that grows: no operator is slow in them, or it is not
// the slow one that is at risk.

func logRetention() Scenario {
	const keeps = 40 * time.Minute
	supply := Source{Rate: 1500, Log: true, Retention: keeps}
	return Scenario{
		Name:     "log-retention",
		Summary:  "The index is slow, the log holds the lag, and soon it deletes what nobody has read.",
		Culprits: []string{"search-index: Writer"}, Reason: "log-retention",
		Warm: 25 * time.Minute, Retention: keeps,
		Treatments: []Treatment{
			helps("faster-index", "Repair the search index: a write takes a fifth of the time.",
				Change{Vertex: 2, Service: perRecord(450)}),
			redeployed(inVain("restart", "Restart the job: it reads on where it was, and the log deletes as before.",
				Change{})),
			inVain("more-upstream", "Give parse eight instances instead of two: it only waits with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("product-index", Graph{
			Vertices: []Vertex{
				kafka("products", 2, 150, 1500), computing("parse", 2, 250), waiting("search-index: Writer", 2, 2200),
			},
			Edges: chain(Forward, Rebalance),
		}).supplied(supply),
	}.first(2, 450)
}

// supplied puts another supply under the source at the first position.
func (c Config) supplied(source Source) Config {
	c.Jobs[0].Vertices[0].Source = &source
	return c
}

func stateGrowth() Scenario {
	g := healthyGraph()
	g.Vertices[2].StateBytes, g.Vertices[2].StateGrowth = 2e9, 1200
	cfg := one("orders", g)
	cfg.Jobs[0].RocksDB, cfg.Jobs[0].Checkpoints.Interval = true, 2*time.Minute
	return Scenario{
		Name:    "state-growth",
		Summary: "Nothing is slow, but the state keeps every customer for ever: it grows while the input does not.",
		Reason:  "state-growth", Config: cfg, Warm: 40 * time.Minute, Told: 9 * time.Minute,
		Treatments: []Treatment{
			redeployed(helps("time-to-live", "Give the state a time to live of five minutes: what is older goes away.",
				Change{Vertex: 2, TTL: 5 * time.Minute})),
			inVain("more-totals", "Give totals eight instances instead of four: together they keep as much.",
				Change{Vertex: 2, Parallelism: 8}),
		},
	}
}

func sourceStarved() Scenario {
	fast := Source{Rate: 2000, Log: true}
	slow := Source{Rate: 2000, Log: true, Limit: 1700, Unsteady: 0.3}
	return Scenario{
		Name:    "source-starved",
		Summary: "The brokers are slow to answer: the source waits for them, all are idle, and the lag grows.",
		Reason:  "source-starved", Config: one("orders", healthyGraph()).supplied(slow), Warm: usualWarm,
		Treatments: []Treatment{
			helps("faster-brokers", "Repair the brokers: the source reads what comes, and then its backlog.",
				Change{Source: &fast}),
			inVain("more-upstream", "Give parse eight instances instead of four: they are idle too.",
				Change{Vertex: 1, Parallelism: 8}),
		},
	}.firstSupply(fast)
}

// twoSources joins orders with payments.
func twoSources() Graph {
	return Graph{
		Vertices: []Vertex{
			kafka("orders", 4, 150, 1000), kafka("payments", 4, 150, 1000), computing("join", 4, 300),
			waiting("paid: Writer", 4, 500),
		},
		Edges: []Edge{{From: 0, To: 2, Ship: Hash}, {From: 1, To: 2, Ship: Hash}, {From: 2, To: 3}},
	}
}

func alignmentHold() Scenario {
	g := twoSources()
	free := Source{Rate: 1000, Log: true, Group: "orders", Drift: 30 * time.Second}
	limited, other := free, free
	limited.Limit = 600
	g.Vertices[0].Source, g.Vertices[1].Source = &limited, &other
	return Scenario{
		Name:    "alignment-hold",
		Summary: "A rate limit slows one source, and watermark alignment makes the other one wait for it.",
		Reason:  "alignment-hold", Config: one("paid-orders", g), Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("no-limit", "Take the rate limit off orders: payments need not wait for it any more.",
				Change{Source: &free})),
			inVain("more-readers", "Give payments eight readers instead of four: all of them must wait.",
				Change{Vertex: 1, Parallelism: 8}),
		},
	}.firstSupply(free)
}

func watermarkIdle() Scenario {
	g := healthyGraph()
	silent := Source{Rate: 2000, Log: true, Shares: []float64{1, 1, 1, 0}}
	for k := range silent.Shares {
		silent.Shares[k] /= 3
	}
	idle := silent
	idle.Idleness = 10 * time.Second
	return Scenario{
		Name:    "watermark-idle",
		Summary: "One of four partitions gets no records any more, and the watermark of all waits for it.",
		Reason:  "watermark-held", Config: one("orders", g).supplied(silent), Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("idleness", "Mark a partition without records as idle after ten seconds.",
				Change{Source: &idle})),
			inVain("more-totals", "Give totals eight instances instead of four: their watermark stands as still.",
				Change{Vertex: 2, Parallelism: 8}),
		},
	}.firstSupply(Source{Rate: 2000, Log: true})
}

func watermarkHeld() Scenario {
	g := healthyGraph()
	usual := Source{Rate: 2000, Log: true}
	generous := usual
	generous.OutOfOrder = 12 * time.Minute
	return Scenario{
		Name:    "watermark-held",
		Summary: "Nothing is slow: the watermark is set to trail the records by twelve minutes, and so do results.",
		Reason:  "watermark-held", Config: one("orders", g).supplied(generous), Warm: 30 * time.Minute,
		Treatments: []Treatment{
			redeployed(helps("smaller-bound", "Allow five seconds for records that come out of order.",
				Change{Source: &usual})),
			inVain("more-totals", "Give totals eight instances instead of four: windows end as late as before.",
				Change{Vertex: 2, Parallelism: 8}),
		},
	}.firstSupply(usual)
}
