package diagnose

import "time"

// courseThresholds are about the course of things over the window.
type courseThresholds struct {
	emptyPool, fullPool   float64
	repeats               int
	lagWindow             time.Duration
	lagReadings           int
	trendTau              float64
	burstiness, burstMean float64
	periodMatch           float64
	hardShare             float64
}

func (t *thresholds) courseEntries() []entry {
	return []entry{
		count(&t.repeats, "repeats", 3, "how often a culprit must come back at equal times to be periodic"),
		span(&t.lagWindow, "lag-window", 2*time.Minute, "span over which a lag is seen to grow or to fall"),
		// Fewer agree by chance.
		count(&t.lagReadings, "lag-readings", 4,
			"readings of a lag, or of the age of what is read, that its course needs"),
		portion(&t.trendTau, "trend-tau", 0.6, "Kendall's tau from which a lag has a direction"),
		factor(&t.burstiness, "burstiness", 2,
			"95th percentile of the busy share over its mean that makes a burst"),
		portion(&t.burstMean, "burst-mean", 0.6, "mean busy share up to which work comes in bursts"),
		portion(&t.emptyPool, "empty-pool", 0.1, "share of a buffer pool in use up to which it counts as empty"),
		portion(&t.fullPool, "full-pool", 0.9, "share of a buffer pool in use from which it counts as full"),
		portion(&t.periodMatch, "period-match", 0.1, "relative difference up to which two periods are the same"),
		portion(&t.hardShare, "hard-share", 0.2,
			"share of the backpressure in the middle of a record from which it is told of"),
	}
}
