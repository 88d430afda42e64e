package diagnose

import "time"

// roomLimits are the thresholds of rungs 6 and 7.
type roomLimits struct {
	tight, little, none   float64
	roomSlots             int
	unevenLoad, leastLoad float64
	cheap, bursty         float64
	backlogTime, catchUp  time.Duration
	restartTime           time.Duration
	growthMost, helped    float64

	retentionWarning, retentionCritical time.Duration
	retentionShare, retentionLeast      float64
}

func (t *thresholds) roomEntries() []entry {
	return []entry{
		ratio(&t.tight, "room-tight", 0.7,
			"mean busy share that a vertex should stay below; what parallelism is computed for"),
		ratio(&t.little, "room-little", 0.85, "mean busy share from which there is no headroom"),
		ratio(&t.none, "room-none", 0.95, "mean busy share from which every burst becomes lag"),
		count(&t.roomSlots, "room-slots", 3, "least number of slots over which headroom is measured"),
		ratio(&t.unevenLoad, "uneven-load", 3,
			"busy share of the busiest over that of the median subtask from which more parallelism is no help"),
		ratio(&t.leastLoad, "least-load", 0.3, "mean busy share below which no parallelism is computed"),
		ratio(&t.cheap, "cheap", 0.1, "mean busy share below which a vertex has far more subtasks than it needs"),
		ratio(&t.bursty, "bursty", 1.3, "95th percentile over the mean of the busy share that makes a load bursty"),
		span(&t.backlogTime, "backlog-time", 30*time.Second,
			"how long a source must take for what waits at it for that to be a backlog"),
		// As in Flink's autoscaler.
		span(&t.catchUp, "catch-up", 30*time.Minute, "time in which computed parallelism works off a backlog"),
		span(&t.restartTime, "restart-time", 5*time.Minute, "what a restart adds to a backlog"),
		ratio(&t.growthMost, "growth-most", 2, "largest factor by which a backlog raises the load that is computed for"),
		ratio(&t.helped, "helped", 0.1, "share of the expected gain below which more parallelism did not help"),
		span(&t.retentionWarning, "retention-warning", 24*time.Hour,
			"time until unread records are deleted below which to warn"),
		span(&t.retentionCritical, "retention-critical", 4*time.Hour, "the same below which it is critical"),
		ratio(&t.retentionShare, "retention-share", 0.5,
			"age of the oldest unread record over the log's retention from which to warn"),
		ratio(&t.retentionLeast, "retention-least", 0.01,
			"the same below which its growth is not looked at"),
	}
}
