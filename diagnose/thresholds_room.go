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
	capacityBusy          float64
	uniformLeast          int

	retentionWarning, retentionCritical time.Duration
	retentionShare, retentionLeast      float64
	retentionBeyond                     float64

	stuckTime, completionTime time.Duration
	lateCompletions           int
	stuckRecords              int
}

// eventTimeLimits are the thresholds about watermarks.
type eventTimeLimits struct {
	watermarkBehind, watermarkStill, watermarkAllStill time.Duration
	watermarkSlack, watermarkBound                     time.Duration
	lagLeast, fetchAge                                 time.Duration
	lateShare, watermarkSteady                         float64
}

func (t *thresholds) eventTimeEntries() []entry {
	return []entry{
		span(&t.watermarkBehind, "watermark-behind", time.Minute,
			"event time by which one must be behind the others to hold a watermark"),
		span(&t.watermarkStill, "watermark-still", 30*time.Second, "how long it must stand still to be told of"),
		span(&t.watermarkAllStill, "watermark-all-still", 3*time.Minute,
			"the same where all stand still though records come"),
		span(&t.watermarkSlack, "watermark-slack", 10*time.Second,
			"event time by which watermarks that are the same may differ, being read at different times"),
		span(&t.watermarkBound, "watermark-bound", 5*time.Minute,
			"event time from which a watermark that trails its records is told of"),
		span(&t.lagLeast, "lag-least", 10*time.Second,
			"how long a source must take for what waits at it for it to lag; and how much longer fetched records "+
				"wait in it"),
		span(&t.fetchAge, "fetch-age", 5*time.Minute,
			"age of what a source without a count of what waits fetches, from which it lags"),
		portion(&t.watermarkSteady, "watermark-steady", 0.1,
			"relative change up to which the distance of that watermark from its records is constant"),
		portion(&t.lateShare, "late-share", 0.01,
			"share of the records that are dropped as late from which to warn"),
	}
}

func (t *thresholds) roomEntries() []entry {
	return []entry{
		portion(&t.tight, "room-tight", 0.7,
			"mean busy share that a vertex should stay below; what parallelism is computed for"),
		portion(&t.little, "room-little", 0.85, "mean busy share from which there is no headroom"),
		portion(&t.none, "room-none", 0.95, "mean busy share from which every burst becomes lag"),
		count(&t.roomSlots, "room-slots", 3, "least number of slots over which headroom is measured"),
		factor(&t.unevenLoad, "uneven-load", 3,
			"busy share of the busiest over that of the median subtask from which more parallelism is no help"),
		portion(&t.leastLoad, "least-load", 0.3, "mean busy share below which no parallelism is computed"),
		portion(&t.cheap, "cheap", 0.1, "mean busy share below which a vertex has far more subtasks than it needs"),
		factor(&t.bursty, "bursty", 1.3,
			"95th percentile over the mean of the busy share that makes a load bursty"),
		span(&t.backlogTime, "backlog-time", 30*time.Second,
			"how long a source must take for what waits at it for that to be a backlog"),
		// As in Flink's autoscaler.
		span(&t.catchUp, "catch-up", 30*time.Minute, "time in which computed parallelism works off a backlog"),
		span(&t.restartTime, "restart-time", 5*time.Minute, "what a restart adds to a backlog"),
		factor(&t.growthMost, "growth-most", 2, "largest factor by which a backlog raises the load that is "+
			"computed for"),
		portion(&t.helped, "helped", 0.1, "share of the expected gain below which more parallelism did not help"),
		portion(&t.capacityBusy, "capacity-busy", 0.5,
			"mean busy share from which the records over it tell what a vertex could take"),
		count(&t.uniformLeast, "uniform-least", 3,
			"operators of a job from which one parallelism for all is told of"),
		span(&t.retentionWarning, "retention-warning", 24*time.Hour,
			"time until unread records are deleted below which to warn"),
		span(&t.retentionCritical, "retention-critical", 4*time.Hour, "the same below which it is critical"),
		portion(&t.retentionShare, "retention-share", 0.5,
			"age of the oldest unread record over the log's retention from which to warn"),
		portion(&t.retentionLeast, "retention-least", 0.01,
			"the same below which its growth is not looked at"),
		factor(&t.retentionBeyond, "retention-beyond", 2,
			"age over the log's retention from which timestamps are not those of the log"),
		span(&t.stuckTime, "stuck-time", 3*time.Minute, "how long no record must move for a job to be stuck"),
		// The marks of transactions count as records of Kafka's log.
		count(&t.stuckRecords, "stuck-records", 100,
			"records up to which what is told to wait at a source may be nothing"),
		span(&t.completionTime, "completion-time", 30*time.Second,
			"time from the last acknowledgement until a checkpoint should have completed"),
		count(&t.lateCompletions, "late-completions", 3, "late checkpoints in a row that are told of"),
	}
}
