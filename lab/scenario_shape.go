package lab

import "time"

// shapes are jobs whose culprit, if any, waits, and whose graph or course over time is what misleads.
func shapes() []Scenario {
	return []Scenario{
		{Name: "async-full", Class: "AsyncFull", Expect: culprit("exchange-rates", "async-full")},
		{Name: "chain-slow-middle", Class: "ChainSlowMiddle", Expect: Expect{Culprits: []Culprit{
			{Vertex: "normalize -> geocode -> mask", Reasons: []string{"external-wait"}, Operator: "geocode"},
		}}},
		{
			Name: "parallelism-one", Class: "ParallelismOne", Slots: 4,
			Expect: culprit("top-orders", "parallelism-one"),
		},
		{Name: "lock", Class: "Lock", Slots: 4, Expect: culprit("price", "lock")},
		{Name: "fork", Class: "Fork", Expect: culprit("fraud-check", "external-wait")},
		{Name: "forty-vertices", Class: "FortyVertices", Slots: 1, Expect: culprit("step-23", "external-wait")},
		{
			Name: "two-in-series", Class: "TwoInSeries",
			Proof: within(
				band{"parse", [2]float64{0, 0.1}, [2]float64{saturated, 1}},
				band{"enrich", [2]float64{0.6, 0.9}, [2]float64{0.1, 0.4}},
				band{"score", [2]float64{saturated, 1}, [2]float64{0, 0.1}},
			),
			Expect: Expect{Culprits: []Culprit{
				{Vertex: "score", Reasons: []string{"external-wait"}, Next: "enrich"},
			}},
		},
		{Name: "window-burst", Class: "WindowBurst", Proof: inTurns("parse", "region-totals"), Expect: burst()},
		{
			Name: "alternating", Class: "Alternating",
			Proof: inTurns("parse", "enrich", "score"), Expect: alternating(),
			Watch: 4 * time.Minute, // two turns of 25 s take 50 s, and a period needs some of them
		},
	}
}

// courses are jobs whose source tells how many records it has not read yet, or which are near their limit.
func courses() []Scenario {
	return []Scenario{
		{
			Name: "catching-up", Class: "CatchingUp", Expect: catchingUp(),
			Proof: lag(true, within(
				band{"Source: orders", [2]float64{0, 0.2}, [2]float64{saturated, 1}},
				band{"enrich", [2]float64{saturated, 1}, [2]float64{0, 0.1}},
			)),
		},
		{
			Name: "caught-up", Class: "CatchingUp", Args: []string{"--backlog", "4000"},
			Expect: Expect{JobReasons: []string{"healthy"}, Severities: []string{"ok"}},
		},
		{
			Name: "source-starved", Class: "SourceStarved",
			Proof:  lag(false, within(band{"Source: orders", [2]float64{0, 0.1}, [2]float64{0, 0}})),
			Expect: Expect{JobReasons: []string{"source-starved"}},
		},
		{
			Name: "no-headroom", Class: "NoHeadroom",
			Proof:  within(nearLimit("enrich"), band{"parse", [2]float64{0, 0.1}, [2]float64{0, 0.1}}),
			Expect: Expect{Findings: []Finding{{Vertex: "enrich", Reasons: []string{"no-headroom"}}}},
		},
		{
			Name: "uniform-parallelism", Class: "UniformParallelism", Slots: 4,
			Proof:  within(nearLimit("score"), band{"enrich", [2]float64{0, 0.1}, [2]float64{0, 0.1}}),
			Expect: Expect{Findings: []Finding{{Reasons: []string{"uniform-parallelism"}}}},
		},
	}
}

// nearLimit is a vertex that keeps up and could hardly do more.
func nearLimit(vertex string) band { return band{vertex, [2]float64{0.8, 0.99}, [2]float64{0, 0.1}} }

// burst accepts silence, as the job is well on the whole, and the burst itself, but no alarm.
func burst() Expect {
	mild := []string{"ok", "warning"}
	return Expect{
		JobReasons: []string{"healthy", "burst"}, Severities: mild,
		Or: []Expect{{
			Culprits: []Culprit{{
				Vertex: "region-totals", Reasons: []string{"burst"},
				Patterns: []string{"momentary", "periodic"}, Probable: true,
			}},
			Severities: mild,
		}},
	}
}

// alternating accepts the pair, told of or named, and both operators as periodic.
func alternating() Expect {
	const first, second = "enrich", "score"
	one := func(vertex string) Expect {
		return Expect{Culprits: []Culprit{{Vertex: vertex, Reasons: []string{"alternating"}, Probable: true}}}
	}
	both := Expect{}
	for _, vertex := range []string{first, second} {
		both.Culprits = append(both.Culprits, Culprit{
			Vertex: vertex, Reasons: []string{"alternating", "burst", "external-wait"},
			Patterns: []string{"periodic"}, Probable: true,
		})
	}
	return Expect{JobReasons: []string{"alternating"}, Or: []Expect{one(first), one(second), both}}
}

// catchingUp accepts that enrich is shown as what bounds the catching up, and that nobody is: the lag falls.
func catchingUp() Expect {
	well := []string{"ok"}
	return Expect{
		JobReasons: []string{"healthy", "catching-up"}, Severities: well,
		Or: []Expect{{
			Culprits:   []Culprit{{Vertex: "enrich", Patterns: []string{"catching-up"}, Probable: true}},
			Severities: well,
		}},
	}
}
