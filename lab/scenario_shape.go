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
		{
			Name: "window-burst", Class: "WindowBurst", Proof: inTurns("parse", "region-totals"),
			Expect: bursts(25*time.Second, true), Least: 4 * time.Minute,
		},
		{
			Name: "burst", Class: "WindowBurst", Args: []string{"--window-ms", "50000", "--wait-ms", "300"},
			Proof: inTurns("parse", "region-totals"), Expect: bursts(50*time.Second, false), Least: 5 * time.Minute,
		},
		{
			Name: "alternating", Class: "Alternating",
			Proof: inTurns("parse", "enrich", "score"), Expect: alternating(),
			Least: 4 * time.Minute, // two turns of 25 s take 50 s, and a period needs some of them
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
			Name: "source-throttled", Class: "RateLimited",
			Args:   []string{"--per-second", "200", "--offered-per-second", "300"},
			Proof:  lag(false, within(band{"Source: orders", [2]float64{0, 0.1}, [2]float64{0, 0}})),
			Expect: Expect{JobReasons: []string{"source-throttled"}},
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

// bursts is region-totals at work for a part of each window of this size. A short burst presses the others
// for less than half of a slot: then nobody need be named.
func bursts(size time.Duration, short bool) Expect {
	mild := []string{"ok", "warning"}
	named := Expect{
		Culprits: []Culprit{{
			Vertex: "region-totals", Reasons: []string{"burst"}, Patterns: []string{"periodic"}, Probable: true,
			Period: about(size),
		}},
		Severities: mild,
	}
	if short {
		told := Finding{Vertex: "region-totals", Reasons: []string{"burst"}, Period: about(size)}
		return Expect{Findings: []Finding{told}, Severities: mild, Or: []Expect{named}}
	}
	return named
}

// alternating is both operators, each for 25 of 50 s.
func alternating() Expect {
	both := Expect{}
	for _, vertex := range []string{"enrich", "score"} {
		both.Culprits = append(both.Culprits, Culprit{
			Vertex: vertex, Reasons: []string{"alternating"}, Patterns: []string{"periodic"}, Probable: true,
			Period: about(50 * time.Second),
		})
	}
	return both
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

// about is a period and what may be told of it, as it is seen in slots of 10 s.
func about(period time.Duration) [2]time.Duration {
	return [2]time.Duration{period * 9 / 10, period * 11 / 10}
}
