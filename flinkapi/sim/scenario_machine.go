package sim

import "time"

// The scenarios of what tasks share: cores, the network, the heap, and a system outside that stays the same
// however many write to it.

func cpuLimit() Scenario {
	cfg := one("fraud-scoring", Graph{
		Vertices: []Vertex{
			kafka("payments", 4, 80, 4000), computing("features", 4, 150), computing("score", 4, 700),
			waiting("alerts: Writer", 4, 60),
		},
		Edges: chain(Forward, Rebalance, Rebalance),
	})
	cfg.TaskManagers = []TaskManager{{Slots: 12, Cores: 8}}
	return Scenario{
		Name:     "cpu-limit",
		Summary:  "The TaskManager may use two cores only, and more threads than that want to compute.",
		Culprits: []string{"score"}, Reason: "cpu-limit", Config: cfg, Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("more-cores", "Raise the limit of the container to eight cores.",
				Change{Host: &Host{TaskManager: 0, Cores: 8}})),
			inVain("more-score", "Give score twelve instances instead of four: they share the same two cores.",
				Change{Vertex: 2, Parallelism: 12}),
			inVain("more-upstream", "Give features twelve instances instead of four: they only wait with more.",
				Change{Vertex: 1, Parallelism: 12}),
		},
	}.turns(Change{Host: &Host{TaskManager: 0, Cores: 2}})
}

func slowNetwork() Scenario {
	cfg := one("session-stats", Graph{
		Vertices: []Vertex{
			kafka("sessions", 8, 150, 2000), computing("parse", 8, 200), computing("stats", 8, 500),
			waiting("stats: Writer", 8, 100),
		},
		Edges: chain(Forward, Hash, Forward),
	})
	cfg.TaskManagers = []TaskManager{{}, {}}
	return Scenario{
		Name:    "network",
		Summary: "No operator is slow: the link between two machines is, and the records wait for it.",
		Reason:  "network", Config: cfg, Warm: usualWarm,
		Treatments: []Treatment{
			helps("repaired-link", "Repair the link: it carries what it did before.", Change{Vertex: 2, Link: 1e6}),
			inVain("more-stats", "Give stats sixteen instances instead of eight: the link carries no more for them.",
				Change{Vertex: 2, Parallelism: 16}),
			inVain("more-upstream", "Give parse sixteen instances instead of eight: they only wait with more.",
				Change{Vertex: 1, Parallelism: 16}),
		},
	}.turns(Change{Vertex: 2, Link: 1100})
}

func networkMemory() Scenario {
	const width, memory = 24, 33e6
	cfg := one("click-joins", Graph{
		Vertices: []Vertex{
			kafka("clicks", width, 150, 4000), computing("parse", width, 200), computing("join", width, 400),
			computing("totals", width, 400), waiting("totals: Writer", width, 100),
		},
		Edges: chain(Forward, Hash, Hash, Hash),
	})
	tm := TaskManager{Slots: width / 2, NetworkBytes: 8 * memory}
	cfg.TaskManagers = []TaskManager{tm, tm}
	larger := func(at int, bytes float64) Change {
		return Change{Host: &Host{TaskManager: at, NetworkBytes: bytes}}
	}
	return Scenario{
		Name:    "network-memory",
		Summary: "All run with all, and nearly all of the network memory is in use: a larger job would get none.",
		Reason:  "network-memory", Config: cfg, Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("more-network-memory", "Give the TaskManagers four times as much network memory.",
				larger(0, 4*memory), larger(1, 4*memory))),
			redeployed(inVain("emptier-heap", "Keep less on the heap: network buffers are not there.",
				Change{Host: &Host{TaskManager: 0, HeapUsed: 0.2}}, Change{Host: &Host{TaskManager: 1, HeapUsed: 0.2}})),
		},
	}.turns(larger(0, memory), larger(1, memory))
}

func sinkMemory() Scenario {
	confirms := func(rate float64) *Holding { return &Holding{Confirmed: rate, Bytes: 20e3} }
	cfg := one("event-index", Graph{
		Vertices: []Vertex{
			kafka("events", 2, 150, 1000), computing("parse", 2, 250), waiting("index: Writer", 2, 150),
		},
		Edges: chain(Forward, Rebalance),
	})
	cfg.Jobs[0].Restart = &Restart{Delay: 5 * time.Second}
	cfg.Jobs[0].Checkpoints.Interval = 5 * time.Second
	cfg.Jobs[0].Vertices[2].Holding = confirms(5000)
	cfg.TaskManagers = []TaskManager{{HeapBytes: 2 << 30}}
	return Scenario{
		Name:    "sink-memory",
		Summary: "The sink takes all that comes and keeps what the index has not confirmed: its heap fills up.",
		Reason:  "heap-full", Config: cfg, Warm: usualTurn + 2*time.Minute, Told: 8 * time.Minute,
		Treatments: []Treatment{
			helps("faster-index", "Repair the index: it confirms what comes, and what was kept.",
				Change{Vertex: 2, Holding: confirms(5000)}),
			inVain("more-writers", "Give the sink four writers instead of two: together they keep as much.",
				Change{Vertex: 2, Parallelism: 4, Holding: confirms(933)}),
		},
	}.turns(Change{Vertex: 2, Holding: confirms(933)})
}

func rescaleInVain() Scenario {
	const rescaled = usualWarm + 3*time.Minute
	s := Scenario{
		Name:     "rescale-in-vain",
		Summary:  "Someone doubles the writers of a slow database while you watch: they share it in vain.",
		Culprits: []string{"warehouse: Writer"}, Reason: "rescale-in-vain", Warm: usualWarm, Told: 6 * time.Minute,
		Treatments: []Treatment{
			helps("faster-database", "Repair the database: a write takes a twentieth of the time.",
				Change{Vertex: 2, Service: perRecord(500)}),
			inVain("still-more-writers", "Double the writers again: each write takes twice as long again.",
				Change{Vertex: 2, Parallelism: 8, Service: perRecord(20000)}),
		},
		Config: one("orders", Graph{
			Vertices: []Vertex{
				kafka("orders", 2, 150, 800), computing("parse", 2, 250), waiting("warehouse: Writer", 2, 5000),
			},
			Edges: chain(Forward, Rebalance),
		}),
	}.first(2, 800)
	s.Config.Jobs[0].Changes = append(s.Config.Jobs[0].Changes,
		Change{At: rescaled, Vertex: 2, Parallelism: 4, Service: perRecord(10000)})
	return s
}
