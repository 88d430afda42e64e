package lab

// GateNames returns the scenarios that a gate can afford on every change: they are quick and steady, and
// between them every part of a verdict is asked for: the subject in a row, in a chain, behind a fork and in a
// series, each main reason, and silence. Six minutes a version.
func GateNames() []string {
	return []string{
		"slow-middle", "slow-chained-sink", "hot-key", "two-sinks", "source-bound",
		"async-full", "chain-slow-middle", "parallelism-one", "lock", "two-in-series",
		"key-groups", "partition-skew", "no-headroom", "source-starved", "source-throttled", "checkpoint-stuck",
		"network", "slow-middle-cpu", "healthy", "restart-loop",
	}
}
