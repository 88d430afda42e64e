package sim

import "time"

// The scenarios of operators that do more than handle one record after the other.

func burst() Scenario {
	list := Window{Size: time.Minute, Fire: perRecord(300), Keys: 4000}
	kept := Window{Size: time.Minute, Fire: perRecord(5), Keys: 4000}
	return Scenario{
		Name:     "burst",
		Summary:  "A window keeps all its records, and works them off at once each time when a minute ends.",
		Culprits: []string{"region-totals"}, Reason: "burst", Recurs: true,
		Warm: usualWarm, Told: 6 * time.Minute,
		Treatments: []Treatment{
			redeployed(helps("running-totals",
				"Keep a total up to date with each record instead of the list: little is left when the minute ends.",
				Change{Vertex: 2, Window: &kept})),
			inVain("more-upstream", "Double the instances of parse: they only wait with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("region-totals", Graph{
			Vertices: []Vertex{
				kafka("orders", 4, 100, 3000), computing("parse", 4, 150), computing("region-totals", 4, 60),
				waiting("totals: Writer", 4, 80),
			},
			Edges: chain(Forward, Hash, Forward),
		}),
	}.turns(Change{Vertex: 2, Window: &list})
}

func alternating() Scenario {
	const turn = 30 * time.Second
	turns := func(after time.Duration) *Rhythm {
		return &Rhythm{Every: 2 * turn, After: after, For: turn, Factor: 6}
	}
	return Scenario{
		Name:     "alternating",
		Summary:  "Half a minute of orders that are dear to price, half a minute of those dear to tax, and so on.",
		Culprits: []string{"price", "tax"}, Reason: "alternating", Recurs: true,
		Warm: usualWarm, Told: 4 * time.Minute,
		Treatments: []Treatment{
			helps("room-for-both", "Give price and tax six instances each instead of two.",
				Change{Vertex: 2, Parallelism: 6}, Change{Vertex: 3, Parallelism: 6}),
			inVain("more-upstream", "Give parse eight instances instead of two: it only waits with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("price-and-tax", Graph{
			Vertices: []Vertex{
				kafka("orders", 2, 150, 1000), computing("parse", 2, 200), computing("price", 2, 500),
				computing("tax", 2, 500), waiting("invoices: Writer", 2, 100),
			},
			Edges: chain(Rebalance, Rebalance, Rebalance, Forward),
		}),
	}.turns(Change{Vertex: 2, Rhythm: turns(0)}, Change{Vertex: 3, Rhythm: turns(turn)})
}

func timers() Scenario {
	each := Timers{PerRecord: 40, Fire: perRecord(30)}
	one4all := Timers{PerRecord: 1, Fire: perRecord(30)}
	expire := computing("expire", 2, 150)
	expire.StateBytes = 200e6
	return Scenario{
		Name:     "timers",
		Summary:  "Each record sets forty timers, and firing them takes more time than the records themselves.",
		Culprits: []string{"expire"}, Reason: "timers", Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("coalesced-timers",
				"Round the times of the timers: those of a key that fall together are one.",
				Change{Vertex: 2, Timers: &one4all})),
			inVain("more-upstream", "Give parse eight instances instead of two: it only waits with more of them.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("session-expiry", Graph{
			Vertices: []Vertex{
				kafka("clicks", 2, 100, 2000), computing("parse", 2, 150), expire, waiting("expired: Writer", 2, 100),
			},
			Edges: chain(Forward, Hash, Forward),
		}),
	}.turns(Change{Vertex: 2, Timers: &each})
}

func stuck() Scenario {
	hangs, returns := true, false
	return Scenario{
		Name:    "stuck",
		Summary: "The calls to the stock service do not return any more: no record moves, and nothing fails.",
		Reason:  "stuck", Suspects: []string{"reserve"}, Warm: usualWarm,
		Treatments: []Treatment{
			redeployed(helps("time-limit",
				"Give the call a time limit, and restart: it fails fast, and the record goes on without its stock.",
				Change{Vertex: 2, Hang: &returns})),
			inVain("more-reserve", "Give reserve eight instances instead of four: their calls do not return either.",
				Change{Vertex: 2, Parallelism: 8}),
			inVain("more-upstream", "Give parse eight instances instead of four: they stand still too.",
				Change{Vertex: 1, Parallelism: 8}),
		},
		Config: one("reservations", Graph{
			Vertices: []Vertex{
				kafka("orders", 4, 150, 2000), computing("parse", 4, 200), waiting("reserve", 4, 800),
				waiting("reservations: Writer", 4, 100),
			},
			Edges: chain(Rebalance, Hash, Forward),
		}),
	}.turns(Change{Vertex: 2, Hang: &hangs})
}
