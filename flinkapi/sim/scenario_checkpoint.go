package sim

import "time"

// The scenarios of checkpoints that are slow or fail.

func checkpointBarriers() Scenario {
	edges := chain(Rebalance, Rebalance, Rebalance)
	for e := range edges {
		edges[e].Buffer = 8000
	}
	cfg := one("shipments", Graph{
		Vertices: []Vertex{
			kafka("parcels", 4, 150, 1600), computing("parse", 4, 250), waiting("route", 2, 4000),
			waiting("shipments: Writer", 2, 100),
		},
		Edges: edges,
	})
	unaligned := usualCheckpoints()
	unaligned.Unaligned = true
	late := usualCheckpoints()
	late.Timeout = 30 * time.Minute
	return Scenario{
		Name:     "checkpoint-barriers",
		Summary:  "The barriers of checkpoints wait in full queues: a checkpoint takes as long as the records do.",
		Culprits: []string{"route"}, Reason: "checkpoint-barriers", Config: cfg, Warm: usualWarm,
		Treatments: []Treatment{
			helps("faster-router", "Repair the service behind route: the queues empty, and barriers pass at once.",
				Change{Vertex: 2, Service: perRecord(400)}),
			redeployed(eases("unaligned",
				"Let barriers overtake the records: checkpoints are fast again, and route is as slow as before.",
				Change{Checkpoints: &unaligned})),
			redeployed(inVain("longer-timeout", "Allow checkpoints three times as long: they only take it.",
				Change{Checkpoints: &late})),
			inVain("more-upstream", "Give parse eight instances instead of four: their queues are full too.",
				Change{Vertex: 1, Parallelism: 8}),
		},
	}.first(2, 400)
}

func checkpointSync() Scenario {
	g := healthyGraph()
	cfg := one("orders", g)
	return Scenario{
		Name:    "checkpoint-sync",
		Summary: "The sink writes all that it holds when a checkpoint begins, and takes no record meanwhile.",
		Reason:  "checkpoint-sync", Suspects: []string{"warehouse: Writer"}, Config: cfg, Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("smaller-batches", "Write smaller batches all the time: little is left at a checkpoint.",
				Change{Vertex: 3, SyncTime: 50 * time.Millisecond})),
			inVain("more-upstream", "Give parse eight instances instead of four: the sink stops as long as before.",
				Change{Vertex: 1, Parallelism: 8}),
		},
	}.turns(Change{Vertex: 3, SyncTime: 4 * time.Second})
}

func checkpointFailing() Scenario {
	g := healthyGraph()
	g.Vertices[2].StateGrowth = 36
	cfg := one("orders", g)
	cfg.Jobs[0].Checkpoints.Most, cfg.Jobs[0].Checkpoints.Full = 5<<20, true
	stored, late := usualCheckpoints(), cfg.Jobs[0].Checkpoints
	stored.Full = true
	late.Timeout = 30 * time.Minute
	return Scenario{
		Name:    "checkpoint-failing",
		Summary: "The state has outgrown the JobManager's memory, which holds the checkpoints: each one fails.",
		Reason:  "checkpoint-failing", Config: cfg, Warm: 8 * time.Minute,
		Treatments: []Treatment{
			redeployed(helps("file-storage", "Store checkpoints in a file system, which takes any size.",
				Change{Checkpoints: &stored})),
			redeployed(inVain("longer-timeout", "Allow checkpoints three times as long: they do not lack time.",
				Change{Checkpoints: &late})),
		},
	}
}

func checkpointStuck() Scenario {
	g := healthyGraph()
	for v := range g.Vertices {
		g.Vertices[v].Parallelism = 8
	}
	g.Vertices[2].StateBytes = 320e6
	cfg := one("orders", g)
	cfg.Jobs[0].Checkpoints.Full, cfg.Jobs[0].Checkpoints.Timeout = true, 2*time.Hour
	cfg.TaskManagers = []TaskManager{{}, {Slots: 3}, {Slots: 1}}
	shorter := cfg.Jobs[0].Checkpoints
	shorter.Unaligned = true
	return Scenario{
		Name:    "checkpoint-stuck",
		Summary: "One TaskManager hardly reaches the checkpoint store: all wait for the state of one subtask.",
		Reason:  "checkpoint-stuck", Config: cfg, Warm: usualTurn + 2*time.Minute,
		Treatments: []Treatment{
			redeployed(helps("replaced-host", "Move the third TaskManager to a machine that reaches the store.",
				Change{Host: &Host{TaskManager: 2}})),
			redeployed(inVain("unaligned", "Let barriers overtake the records: none of them waits for a barrier.",
				Change{Checkpoints: &shorter})),
		},
	}.turns(Change{Host: &Host{TaskManager: 2, Upload: 10e3}})
}

func jobManagerSlow() Scenario {
	cfg := one("orders", healthyGraph())
	slow := usualCheckpoints()
	slow.Completion = 75 * time.Second
	late := slow
	late.Timeout = 30 * time.Minute
	quick := usualCheckpoints()
	return Scenario{
		Name:    "jobmanager-slow",
		Summary: "All subtasks acknowledge at once, but the JobManager needs a minute to complete a checkpoint.",
		Reason:  "jobmanager-slow", Config: cfg, Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("larger-jobmanager", "Give the JobManager the memory that it needs, keep fewer files.",
				Change{Checkpoints: &quick})),
			redeployed(inVain("longer-timeout", "Allow checkpoints three times as long: they complete as late.",
				Change{Checkpoints: &late})),
		},
	}.turns(Change{Checkpoints: &slow})
}
