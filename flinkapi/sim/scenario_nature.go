package sim

import "time"

// The scenarios that differ in what the slow operator does while it is busy, and those in which the way its
// work is split limits it.

func sinkComputing() Scenario {
	return Scenario{
		Name:     "sink-computing",
		Summary:  "The sink itself formats its reports slower than they come; nothing behind it is slow.",
		Culprits: []string{"reports: Writer"}, Reason: "sink-computing", Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("cheaper-format", "Write a compact format: a report takes a third of the time.",
				Change{Vertex: 2, Service: perRecord(600)})),
			helps("more-writers", "Give the sink nine writers instead of three: each has a core of its own.",
				Change{Vertex: 2, Parallelism: 9}),
			inVain("more-upstream",
				"Give parse nine instances instead of three: it only waits with more of them.",
				Change{Vertex: 1, Parallelism: 9}),
		},
		Config: one("reports", Graph{
			Vertices: []Vertex{
				kafka("bookings", 3, 150, 2500), computing("parse", 3, 200), computing("reports: Writer", 3, 1800),
			},
			Edges: chain(Forward, Rebalance),
		}),
	}.first(2, 600)
}

func lockContention() Scenario {
	price := waiting("price", 4, 4000)
	price.Work.Kind = LockWait
	return Scenario{
		Name:     "lock",
		Summary:  "All instances of an operator share one client behind a lock, and take turns.",
		Culprits: []string{"price"}, Reason: "lock", Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("own-client",
				"Give each instance a client of its own: none waits for another any more.",
				Change{Vertex: 2, Service: perRecord(1000), Work: &Work{}})),
			inVain("more-upstream",
				"Give parse eight instances instead of four: it only waits with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("price-quotes", Graph{
			Vertices: []Vertex{
				kafka("orders", 4, 150, 2000), computing("parse", 4, 200), price, waiting("quotes: Writer", 4, 100),
			},
			Edges: chain(Forward, Rebalance, Forward),
		}),
	}.first(2, 1000)
}

func serialization() Scenario {
	price := computing("price", 2, 1200)
	price.Work.Kind = Serializing
	return Scenario{
		Name:     "serialization",
		Summary:  "A large record goes through a generic serializer, which takes longer than the work itself.",
		Culprits: []string{"price"}, Reason: "serialization", Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("known-type",
				"Make the record a type that Flink knows: reading it takes a quarter of the time.",
				Change{Vertex: 2, Service: perRecord(300), Work: &Work{}})),
			inVain("more-upstream",
				"Give collect eight instances instead of two: it only waits with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("price-maps", Graph{
			Vertices: []Vertex{
				kafka("orders", 2, 100, 2200), computing("collect", 2, 250), price, waiting("archive: Writer", 2, 100),
			},
			Edges: chain(Rebalance, Rebalance, Forward),
		}),
	}.first(2, 300)
}

func costSkew() Scenario {
	profile := computing("customer-profile", 4, 500)
	profile.Factors = []float64{7, 1, 1, 1}
	return Scenario{
		Name:     "cost-skew",
		Summary:  "All instances get alike, but the records of one customer cost seven times as much.",
		Culprits: []string{profile.Name}, Reason: "cost-skew", Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("cheaper-record",
				"Keep a running total instead of going through the customer's whole history.",
				Change{Vertex: 2, Factors: []float64{1, 1, 1, 1}})),
			// The dear key stays on one instance, where it is twice the share of what that instance gets.
			inVain("more-instances", "Double the instances: the dear customer still goes to one of them.",
				Change{Vertex: 2, Parallelism: 8, Factors: []float64{13, 1, 1, 1, 1, 1, 1, 1}}),
			inVain("more-upstream", "Double the instances of parse: they only wait with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("customer-profiles", Graph{
			Vertices: []Vertex{
				kafka("orders", 4, 100, 1600), computing("parse", 4, 150), profile, waiting("profiles: Writer", 4, 80),
			},
			Edges: chain(Forward, Hash, Forward),
		}),
	}.firstFactors(2, nil)
}

func keyGroups() Scenario {
	totals := computing("customer-totals", 4, 1200)
	totals.MaxParallelism = 6
	return Scenario{
		Name:     "key-groups",
		Summary:  "Six key groups on four instances: two of them have twice the work of the others.",
		Culprits: []string{totals.Name}, Reason: "key-groups", Warm: usualWarm,
		Treatments: []Treatment{
			helps("six-instances",
				"Give it six instances: each has one key group.", Change{Vertex: 2, Parallelism: 6}),
			inVain("five-instances", "Give it five instances: one of them still has two key groups.",
				Change{Vertex: 2, Parallelism: 5}),
		},
		Config: one("customer-totals", Graph{
			Vertices: []Vertex{
				kafka("orders", 4, 100, 3000), computing("parse", 4, 150), totals, waiting("totals: Writer", 4, 80),
			},
			Edges: chain(Forward, Hash, Rebalance),
		}),
	}.first(2, 600)
}

func parallelismOne() Scenario {
	top := computing("top-orders", 1, 900)
	top.MaxParallelism, top.Selectivity = 1, 0.01
	return Scenario{
		Name:     "parallelism-one",
		Summary:  "A step over all records has a single instance, and all must go through it.",
		Culprits: []string{top.Name}, Reason: "parallelism-one", Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("two-steps",
				"Let each instance of the step before keep only its own best: a tenth is left to do.",
				Change{Vertex: 2, Service: perRecord(90)})),
			inVain("more-upstream", "Double the instances of parse: they only wait with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("top-orders", Graph{
			Vertices: []Vertex{
				kafka("orders", 4, 100, 2000), computing("parse", 4, 200), top, waiting("top: Writer", 1, 300),
			},
			Edges: chain(Forward, Hash, Forward),
		}),
	}.first(2, 300)
}

func checkpointAsync() Scenario {
	g := healthyGraph()
	g.Vertices[2].StateBytes = 400e6
	cfg := one("orders", g)
	slow := Checkpoints{
		Interval: 30 * time.Second, Timeout: 10 * time.Minute, Tolerable: 1000, Full: true,
		UploadBytesPerSecond: 4e6,
	}
	fast := slow
	fast.UploadBytesPerSecond = 50e6
	cfg.Jobs[0].Checkpoints = slow
	return Scenario{
		Name:    "checkpoint-async",
		Summary: "The store for checkpoints has become slow, and each checkpoint takes most of its interval.",
		Reason:  "checkpoint-async", Config: cfg, Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("faster-store",
				"Write checkpoints to a store that is fast enough.", Change{Checkpoints: &fast})),
			inVain("more-upstream",
				"Give parse eight instances instead of four: the state is as large as before.",
				Change{Vertex: 1, Parallelism: 8}),
		},
	}
}

// sessions is a job whose second but last vertex keeps much state in RocksDB.
func sessions(sessionize Vertex) Config {
	sessionize.StateBytes, sessionize.Work.Kind = 8e9, StateAccess
	cfg := one("sessions", Graph{
		Vertices: []Vertex{
			kafka("clicks", 2, 100, 1800), computing("parse", 2, 150), sessionize, waiting("sessions: Writer", 2, 100),
		},
		Edges: chain(Forward, Hash, Forward),
	})
	cfg.Jobs[0].RocksDB = true
	return cfg
}

func stateBackend() Scenario {
	return Scenario{
		Name:     "state-backend",
		Summary:  "Each record reads a list from RocksDB that grows and grows, and the reading takes all the time.",
		Culprits: []string{"sessionize"}, Reason: "state-backend", Warm: usualWarm,
		Config: sessions(computing("sessionize", 2, 1500)),
		Treatments: []Treatment{
			redeployed(helps("smaller-state",
				"Keep a sum instead of the list: a record reads and writes one small value.",
				Change{Vertex: 2, Service: perRecord(400)})),
			helps("more-sessionize",
				"Give sessionize six instances instead of two: each has its own RocksDB and core.",
				Change{Vertex: 2, Parallelism: 6}),
			inVain("more-upstream",
				"Give parse eight instances instead of two: it only waits with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
	}.first(2, 400)
}

func stateDisk() Scenario {
	return Scenario{
		Name:     "state-disk",
		Summary:  "The state has outgrown the cache, and each record waits for a slow disk.",
		Culprits: []string{"sessionize"}, Reason: "state-disk", Warm: usualWarm,
		Config: sessions(waiting("sessionize", 2, 2500)),
		Treatments: []Treatment{
			redeployed(helps("local-disk",
				"Put RocksDB on a fast local disk: a read takes a sixth of the time.",
				Change{Vertex: 2, Service: perRecord(400)})),
			inVain("more-upstream",
				"Give parse eight instances instead of two: it only waits with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
	}.first(2, 400)
}

func uniformParallelism() Scenario {
	return Scenario{
		Name:    "uniform-parallelism",
		Summary: "All operators have the same parallelism: one is busy, the others rest nearly all the time.",
		Reason:  "uniform-parallelism", Warm: usualWarm,
		Config: one("orders", Graph{
			Vertices: []Vertex{
				kafka("orders", 4, 60, 2000), computing("parse", 4, 80), computing("score", 4, 1560),
				computing("format", 4, 70), waiting("warehouse: Writer", 4, 90),
			},
			Edges: chain(Forward, Rebalance, Forward, Forward),
		}),
		Treatments: []Treatment{
			helps("more-score", "Give score alone eight instances; the others keep what they have.",
				Change{Vertex: 2, Parallelism: 8}),
		},
	}.first(2, 300)
}
