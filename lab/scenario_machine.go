package lab

import (
	"time"

	"culprit/lab/cluster"
)

// machines are the jobs that a TaskManager holds back, whatever runs on it.
func machines() []Scenario {
	price := culprit("price", "slow-host")
	price.Culprits[0].TaskManager = stutterer
	host := culprit("validate", "slow-host")
	host.Culprits[0].TaskManager = stutterer
	host.Or = []Expect{price} // both are as slow there
	return []Scenario{
		{
			Name: "slow-host", Class: "TwoSteps", Slots: 4, Own: &cluster.Config{TaskManagers: 2, SlotsPerTM: 2},
			Fault: stutter, Expect: host, Proof: and(hotOnlyOn(stutterer, "validate"), hotOnlyOn(stutterer, "price")),
		},
		{
			Name: "gc", Class: "FullHeap", Alone: true, Own: &cluster.Config{TaskManagers: 1, SlotsPerTM: 1},
			// Three tasks share the heap, and nothing that Flink tells says whose objects fill it: to name nobody is
			// right as well.
			Slots: 1, Expect: Expect{
				Culprits: []Culprit{{Vertex: "enrich", Reasons: []string{"gc"}, Probable: true}},
				Or: []Expect{{
					JobReasons: []string{"undetermined"}, Findings: []Finding{{Reasons: []string{"heap-full"}}},
				}},
			},
			// A pause of the collector counts as busy in every task that it meets at work.
			Proof: and(within(band{"enrich", [2]float64{0.9, 1}, [2]float64{0, 0.2}},
				band{"Source: orders", [2]float64{0, 0.5}, [2]float64{0.5, 1}}),
				worker("Status.JVM.GarbageCollector.All.TimeMsPerSecond", atLeast(300))),
		},
		{
			Name: "cpu-limit", Class: "SlowMiddle", Args: []string{"--hash-rounds", "4000", "--parallelism", "3"},
			Alone: true, Own: &cluster.Config{TaskManagers: 1, SlotsPerTM: 3, Cores: 1}, Slots: 3,
			Expect: culprit("enrich", "cpu-limit"),
			Proof:  and(showsShares, coresBetween(0.5, 1.05)),
		},
	}
}

// commonLimits are the jobs that something which all of it shares holds back: a link, the network memory, the
// JobManager, a service outside.
func commonLimits() []Scenario {
	return []Scenario{
		{
			Name: "network", Class: "TwoSites", Slots: 2,
			Own: &cluster.Config{TaskManagers: 2, SlotsPerTM: 1, LinkRate: 200_000},
			Expect: Expect{
				Findings: []Finding{{Vertex: "parse", Reasons: []string{"network"}}},
			},
			Proof: within(
				band{"Source: orders", [2]float64{0, 0.1}, [2]float64{saturated, 1}},
				band{"parse", [2]float64{0, 0.1}, [2]float64{saturated, 1}},
				band{"enrich", [2]float64{0, 0.1}, [2]float64{0, 0.1}},
			),
		},
		{
			Name: "network-memory", Class: "FewBuffers", Slots: 4,
			Own: &cluster.Config{TaskManagers: 2, SlotsPerTM: 2, Memory: cluster.Memory{Network: 5}},
			Expect: Expect{
				Culprits: []Culprit{{Vertex: "warehouse: Writer", Reasons: []string{"slow-sink"}}},
				Findings: []Finding{{Reasons: []string{"network-memory"}}},
			},
			Proof: and(showsShares, workerShare("Status.Shuffle.Netty.UsedMemory", "Status.Shuffle.Netty.TotalMemory",
				atLeast(0.97))),
		},
		{
			Name: "jobmanager-slow", Class: "SlowStorage", Before: 3 * time.Minute,
			Expect: Expect{Findings: []Finding{{Reasons: []string{"jobmanager-slow"}}}},
			Proof:  and(free, completesLate(30*time.Second)),
		},
		{
			Name: "rescale-in-vain", Class: "SharedService", Slots: 4, Least: 5 * time.Minute,
			Own: &cluster.Config{
				TaskManagers: 1, SlotsPerTM: 4, Flink: map[string]string{"jobmanager.scheduler": "adaptive"},
			},
			Fault: doubleParallelism("geocode"), Proof: asFastWith("geocode", 4, 200),
			Expect: Expect{
				Culprits: []Culprit{{Vertex: "geocode", Reasons: []string{"external-wait"}}},
				Findings: []Finding{{Vertex: "geocode", Reasons: []string{"rescale-in-vain"}}},
			},
		},
	}
}
