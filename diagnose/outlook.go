package diagnose

import (
	"slices"
	"time"

	"culprit/flinkapi"
)

// CheckpointOutlook is how the checkpoints of a job develop, and how much is left until they meet a limit.
type CheckpointOutlook struct {
	// History are the checkpoints that were seen, newest first, savepoints among them. Flink itself tells of the
	// newest few only. One that it dropped while it ran has no status: how it ended is not known.
	History []flinkapi.Checkpoint
	// Trend is how the durations of the completed checkpoints of this run develop.
	Trend CheckpointTrend
	// Running is the oldest checkpoint that runs, 0 for none; TimeLeft is how long until it fails by its
	// timeout, in seconds, missing where none runs or the timeout is not known.
	Running  int64
	TimeLeft flinkapi.Value
	// FailuresInRow are the newest failures that Flink counts, without a completed checkpoint between them.
	FailuresInRow int
}

// CheckpointTrend is a straight line through the durations of the newest completed checkpoints.
type CheckpointTrend struct {
	// Count is how many checkpoints it stands on, and Least how many it takes.
	Count, Least int
	// Over is the time from the oldest to the newest of them.
	Over time.Duration
	// Slope is the change of the duration in seconds a second (Theil-Sen); missing where there are too few.
	Slope flinkapi.Value
	// At is the end of the newest of them and Level the line's duration there, which is not its own.
	At    time.Time
	Level time.Duration
	// Climbs tells whether the durations grow by more than they vary, so that a time left means something.
	Climbs bool
	// ToTimeout and ToInterval are the times until they take as long as that, in seconds, at this slope; missing
	// where they do not climb, take that long already, or a straight line says nothing about the time to come.
	ToTimeout, ToInterval flinkapi.Value
	// Filling says why it says nothing: what grows is a wait in queues, which ends when they are full.
	Filling string
}

// Line is the duration that the trend gives for a checkpoint that ends at a time; false without a trend.
func (t *CheckpointTrend) Line(at time.Time) (time.Duration, bool) {
	slope, ok := t.Slope.Float()
	return t.Level + seconds(slope*at.Sub(t.At).Seconds()), ok
}

// checkpointOutlook sums up the checkpoints; nil before they were read.
func (c *Case) checkpointOutlook() *CheckpointOutlook {
	cp := c.job.Checkpoints
	if cp == nil {
		return nil
	}
	out := &CheckpointOutlook{History: slices.Clone(c.w.checkpoints), FailuresInRow: c.failuresInRow()}
	slices.Reverse(out.History)
	for i := range out.History {
		one := &out.History[i]
		listed := slices.ContainsFunc(cp.History, func(h flinkapi.Checkpoint) bool { return h.ID == one.ID })
		if one.Status == flinkapi.CheckpointInProgress && !listed {
			one.Status = ""
		}
		one.Duration = c.checkpointAge(one)
	}
	all := c.attempt()
	if x := runningCheckpoint(all); x != nil {
		out.Running = x.ID
		if cp.Timeout > 0 {
			out.TimeLeft = flinkapi.Known(max(cp.Timeout-c.checkpointAge(x), 0).Seconds())
		}
	}
	t := c.durations(all)
	out.Trend = CheckpointTrend{
		Count: t.n, Least: c.limits.trendPoints, Over: t.over, Climbs: t.climbs,
		ToTimeout: left(t.timeout), ToInterval: left(t.interval), Filling: t.filling,
	}
	if t.filling != "" {
		out.Trend.ToTimeout, out.Trend.ToInterval = flinkapi.Value{}, flinkapi.Value{}
	}
	if t.sloped {
		out.Trend.Slope, out.Trend.At, out.Trend.Level = flinkapi.Known(t.slope), t.at, t.level
	}
	return out
}

// left is a time that is left, or missing where the limit is not reached.
func left(d time.Duration) flinkapi.Value {
	if d <= 0 {
		return flinkapi.Value{}
	}
	return flinkapi.Known(d.Seconds())
}

func (c *Case) failuresInRow() int {
	n := 0
	for _, x := range slices.Backward(c.judged()) {
		if x.Status != flinkapi.CheckpointFailed {
			break
		}
		n++
	}
	return n
}
