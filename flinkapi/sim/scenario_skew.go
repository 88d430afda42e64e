package sim

import "time"

// The scenarios in which one instance is hot while its siblings are not, or one host is slow.

func hotKey() Scenario {
	totals := computing("customer-totals", 8, 400)
	totals.StateBytes, totals.StateGrowth = 400e6, 2
	edges := chain(Forward, Hash, Rebalance)
	hot := Keys{Hot: []Key{{Name: "customer-4711", Share: 0.38}}}
	cfg := one("customer-totals", Graph{
		Vertices: []Vertex{
			kafka("purchases", 8, 80, 9000), computing("parse", 8, 120), totals, waiting("archive: Writer", 4, 60),
		},
		Edges: edges,
	})
	cfg.Jobs[0].Changes = []Change{{At: 20 * time.Minute, Vertex: 2, Keys: &hot}}
	return Scenario{
		Name:     "hot-key",
		Summary:  "One customer began to make four of ten records, and one instance gets them all.",
		Culprits: []string{"customer-totals"}, Reason: "hot-key", Config: cfg, Warm: 26 * time.Minute,
		Treatments: []Treatment{
			redeployed(helps("salted-key",
				"Salt the hot key into 32 and combine their sums behind: all instances share it.",
				Change{Vertex: 2, Keys: salted(hot, 32)})),
			inVain("more-instances",
				"Double the instances of customer-totals: the hot key still fits on only one.",
				Change{Vertex: 2, Parallelism: 16}),
			inVain("more-upstream", "Double the instances of parse: they only wait with more of them.",
				Change{Vertex: 1, Parallelism: 16}),
		},
	}
}

func fewKeys() Scenario {
	edges := chain(Forward, Hash, Rebalance)
	edges[1].Keys = Keys{Distinct: 3}
	return Scenario{
		Name:     "few-keys",
		Summary:  "Three keys for eight instances: most of them never get a record.",
		Culprits: []string{"country-totals"}, Reason: "few-keys", Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("finer-key",
				"Count by country and page, and add up behind: there are enough keys for all instances.",
				Change{Vertex: 2, Keys: &Keys{Distinct: 4000}})),
			inVain("more-instances",
				"Double the instances of country-totals: three keys still fill only three.",
				Change{Vertex: 2, Parallelism: 16}),
		},
		Config: one("country-totals", Graph{
			Vertices: []Vertex{
				kafka("visits", 8, 90, 8000), computing("parse", 8, 120), computing("country-totals", 8, 500),
				waiting("totals: Writer", 4, 60),
			},
			Edges: edges,
		}),
	}.firstKeys(1, Keys{Distinct: 4000})
}

func partitionSkew() Scenario {
	source := kafka("sensors", 4, 100, 3200)
	source.Source.Shares = []float64{0.55, 0.15, 0.15, 0.15}
	return Scenario{
		Name:     "partition-skew",
		Summary:  "One partition holds half of the records, and its instance cannot keep up.",
		Culprits: []string{"decode"}, Reason: "partition-skew", Warm: usualWarm,
		Treatments: []Treatment{
			helps("even-partitions", "Let the producers spread their records evenly over the partitions.",
				Change{Source: &Source{Rate: 3200, Log: true}}),
			inVain("more-instances",
				"Double the instances of the source and decode: one partition still goes to one of them.",
				Change{Vertex: 0, Parallelism: 8}, Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("sensor-decode", Graph{
			Vertices: []Vertex{source, computing("decode", 4, 800), waiting("readings: Writer", 4, 80)},
			Edges:    chain(Forward, Rebalance),
		}),
	}.firstSupply(Source{Rate: 3200, Log: true})
}

func slowHost() Scenario {
	cfg := one("session-stats", Graph{
		Vertices: []Vertex{
			kafka("sessions", 8, 200, 4000), computing("parse", 8, 500), computing("stats", 8, 1000),
			waiting("stats: Writer", 8, 100),
		},
		Edges: chain(Rebalance, Hash, Rebalance),
	})
	cfg.TaskManagers = []TaskManager{{}, {Slowdown: 3.2}}
	return Scenario{
		Name:     "slow-host",
		Summary:  "One of two machines is three times as slow, and every record waits for it.",
		Culprits: []string{"stats"}, Reason: "slow-host", Config: cfg, Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("replaced-host",
				"Move the second TaskManager to a machine that is as fast as the first.",
				Change{Host: &Host{TaskManager: 1}})),
			inVain("more-upstream", "Double the instances of parse: they only wait with more of them.",
				Change{Vertex: 1, Parallelism: 16}),
		},
	}.firstHost(1, TaskManager{})
}

// gcPressure has four slots on each TaskManager; on the second only cache-join runs.
func gcPressure() Scenario {
	cfg := one("profile-cache", Graph{
		Vertices: []Vertex{
			kafka("profiles", 4, 100, 4000), computing("parse", 4, 200), computing("cache-join", 8, 800),
			waiting("profiles: Writer", 4, 80),
		},
		Edges: chain(Rebalance, Hash, Rebalance),
	})
	cfg.TaskManagers = []TaskManager{{HeapUsed: 0.55, GC: 0.01}, {HeapUsed: 0.97, GC: 0.74}}
	return Scenario{
		Name:     "gc",
		Summary:  "One TaskManager's heap is full, and garbage collection stops it most of the time.",
		Culprits: []string{"cache-join"}, Reason: "gc", Config: cfg, Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("larger-heap", "Give the TaskManager the heap that its cache needs.",
				Change{Host: &Host{TaskManager: 1, HeapUsed: 0.55, GC: 0.01}})),
			inVain("faster-parse", "Halve the work of parse: it only waits for more of the time.",
				Change{Vertex: 1, Service: perRecord(100)}),
		},
	}.firstHost(1, TaskManager{HeapUsed: 0.55, GC: 0.01})
}

func stalledTaskManager() Scenario {
	cfg := one("invoices", Graph{
		Vertices: []Vertex{
			kafka("invoices", 8, 200, 2000), computing("parse", 8, 400), waiting("ledger: Writer", 8, 900),
		},
		Edges: chain(Rebalance, Hash),
	})
	cfg.HeartbeatTimeout = time.Hour
	cfg.Settings = map[string]string{"heartbeat.timeout": "3600000"}
	cfg.Jobs[0].Faults = []Fault{{Kind: TaskManagerStalls, At: usualWarm + 5*time.Second, TaskManager: 1}}
	return Scenario{
		Name:    "stalled-taskmanager",
		Summary: "A TaskManager has stopped answering, and with it all metrics stand still.",
		Reason:  "taskmanager-lost", Config: cfg, Warm: usualWarm,
		Treatments: []Treatment{
			helps("woken-taskmanager", "Let the process of the TaskManager go on: its machine had frozen it.",
				Change{Mend: true}),
		},
	}
}
