package diagnose

import (
	"fmt"
	"slices"
	"time"

	"culprit/flinkapi"
)

// Stretch is the part of a span that a comparison stands on: of its last run, the end during which the firm
// verdict stayed the same.
type Stretch struct {
	// From and To are its first and last look, by the source's clock.
	From, To time.Time
	// Why says why nothing can be said of it; empty when something can.
	Why  string
	Job  JobRef
	Told Told
	// Vertices hold the averages over the stretch.
	Vertices []StretchVertex
	// Checkpoints sums up those that were triggered in it.
	Checkpoints StretchCheckpoints
}

// StretchVertex is a vertex over a stretch: averages, but the lag, which is that at the end. LagSlope is by
// how many records the lag changes a second (Theil-Sen).
type StretchVertex struct {
	SampledVertex
	LagSlope flinkapi.Value
}

// StretchCheckpoints are medians over the completed checkpoints, in seconds. The parts are the largest over
// the subtasks of each of the Parted, the checkpoints that were read by subtask.
type StretchCheckpoints struct {
	Completed, Failed, Parted                    int
	Duration, StartDelay, Alignment, Sync, Async flinkapi.Value
}

// The bounds of a comparison.
const (
	// warmUp is what is left out after a restart: caches and connections are cold, and what waited is worked
	// off.
	warmUp = 30 * time.Second
	// leastStretch and leastRounds are what averages need: one collection of metrics is a coincidence.
	leastStretch = 30 * time.Second
	leastRounds  = 3
	// mostlyEnough is after how long a steady verdict is firm and was seen for leastStretch.
	mostlyEnough = 2 * time.Minute
	// latestFirm is for how long a firm verdict holds after which none was firm.
	latestFirm = time.Minute
)

// stretchOf finds the stretch of a span, oldest sample first.
func stretchOf(all []Sample) Stretch {
	if len(all) == 0 {
		return Stretch{Why: "nothing was seen of that time"}
	}
	last := &all[len(all)-1]
	out := Stretch{From: all[0].At, To: last.At, Job: last.Job, Told: last.Told}
	run := lastRun(all)
	switch {
	case last.Told.Trouble != "": // whatever it does and how often it restarts
		run = all
	case last.Job.State != flinkapi.JobRunning:
		out.Why = "the job is " + string(last.Job.State)
		return out
	case len(run) == 0 || len(run) < len(all) && run[len(run)-1].At.Sub(run[0].At) < leastStretch:
		out.Why = "the job has only just restarted"
		if last.RunsFor >= 0 {
			out.Why = "the job runs for only " + FormatDuration(last.RunsFor)
		}
		return out
	}
	steady, why := steadyPart(run)
	if why != "" {
		out.Why = why
		return out
	}
	out.From, out.Told, out.Checkpoints = steady[0].At, steady[0].Told, checkpointsOf(steady)
	for i := range steady {
		if steady[i].Told.Firm {
			out.Told = steady[i].Told // the newest one, with the reason that was found last
		}
	}
	long := out.To.Sub(out.From)
	if out.Told.Trouble == "" && (long < leastStretch || rounds(steady) < leastRounds) {
		out.Why = fmt.Sprintf(
			"only %s were seen of this verdict. A comparison needs %s and %d collections of metrics",
			FormatDuration(long), FormatDuration(leastStretch), leastRounds,
		)
		return out
	}
	for v := range last.Vertices {
		out.Vertices = append(out.Vertices, over(steady, last.Vertices[v].Vertex.ID))
	}
	return out
}

// BeforeRestart leaves out the end of samples of which nothing can be said because the job restarted just
// then: they end with the last one before the restart of which something can be said, at most 30 s before the
// last of all. All are returned where there is none.
func BeforeRestart(all []Sample) []Sample {
	if len(all) == 0 || stretchOf(all).Why == "" {
		return all
	}
	for i := range slices.Backward(all) {
		if all[len(all)-1].At.Sub(all[i].At) > warmUp {
			break
		}
		if part := all[:i+1]; restarted(&all[i], &all[len(all)-1]) && stretchOf(part).Why == "" {
			return part
		}
	}
	return all
}

// restarted tells whether the job restarted between two samples, or was about to.
func restarted(before, after *Sample) bool {
	return before.Job.ID != after.Job.ID || !before.Run.Equal(after.Run) ||
		before.Runs.IsKnown() && after.Runs.IsKnown() && before.Runs != after.Runs ||
		after.Job.State != flinkapi.JobRunning
}

// lastRun are the samples since the last restart, without its first moments.
func lastRun(all []Sample) []Sample {
	last := &all[len(all)-1]
	from := len(all)
	for i := range slices.Backward(all) {
		s := &all[i]
		if s.Job.ID != last.Job.ID || !s.Run.Equal(last.Run) || s.Runs.IsKnown() && last.Runs.IsKnown() &&
			s.Runs != last.Runs || s.RunsFor >= 0 && s.RunsFor < warmUp {
			break
		}
		from = i
	}
	return all[from:]
}

// steadyPart is the end of a run during which no firm verdict was another one than the last.
func steadyPart(run []Sample) (steady []Sample, why string) {
	last := len(run) - 1
	for last >= 0 && !run[last].Told.Firm {
		last--
	}
	end := &run[len(run)-1]
	if last < 0 || end.At.Sub(run[last].At) > latestFirm {
		return nil, notFirm(end.At.Sub(run[0].At), end)
	}
	from, key := last, run[last].Told.key()
	for i := last - 1; i >= 0; i-- {
		if !run[i].Told.Firm {
			continue
		}
		if run[i].Told.key() != key {
			break
		}
		from = i
	}
	return run[from:], ""
}

// notFirm says that no verdict was firm at the end of a run that was watched for some time, and how long that
// takes where it was not long enough.
func notFirm(watched time.Duration, end *Sample) string {
	if watched >= mostlyEnough {
		return "no verdict is firm in its last minute: " + end.Told.Headline
	}
	return fmt.Sprintf(
		"no verdict is firm after %s, which takes a minute or two: %s; give a span of %s or longer",
		FormatDuration(watched), end.Told.Headline, FormatDuration(warmUp+mostlyEnough),
	)
}

// rounds counts the collections of metrics.
func rounds(all []Sample) int {
	n := 1
	for i := 1; i < len(all); i++ {
		if all[i].Round != all[i-1].Round {
			n++
		}
	}
	return n
}

// over sums up a vertex.
func over(all []Sample, id flinkapi.VertexID) StretchVertex {
	var in, out, busy, pressed averages
	var lags []point
	var v StretchVertex
	for i := range all {
		k := slices.IndexFunc(all[i].Vertices, func(v SampledVertex) bool { return v.Vertex.ID == id })
		if k < 0 {
			continue
		}
		s := &all[i].Vertices[k]
		v.SampledVertex = *s
		in.add(s.In)
		out.add(s.Out)
		busy.add(s.Busy)
		pressed.add(s.Backpressured)
		if y, ok := s.Lag.Float(); ok && (len(lags) == 0 || i == 0 || all[i].Round != all[i-1].Round) {
			lags = append(lags, point{all[i].At, y})
		}
	}
	n := len(all)
	v.In, v.Out, v.Busy, v.Backpressured = in.of(n), out.of(n), busy.of(n), pressed.of(n)
	if slope, ok := theilSen(lags); ok && len(lags) >= defaultThresholds().lagReadings {
		v.LagSlope = flinkapi.Known(slope)
	}
	return v
}

// averages adds up what is known.
type averages struct {
	sum float64
	n   int
}

func (m *averages) add(v flinkapi.Value) {
	if x, ok := v.Float(); ok {
		m.sum, m.n = m.sum+x, m.n+1
	}
}

// of is the mean where most of so many looks knew the number, else missing.
func (m *averages) of(looks int) flinkapi.Value {
	if m.n == 0 || 2*m.n < looks {
		return flinkapi.Value{}
	}
	return flinkapi.Known(m.sum / float64(m.n))
}

// checkpointsOf sums up the checkpoints that were triggered from the first of some samples on.
func checkpointsOf(run []Sample) StretchCheckpoints {
	var out StretchCheckpoints
	seen := map[int64]flinkapi.Checkpoint{}
	for i := range run {
		for _, c := range run[i].Checkpoints {
			if !c.Savepoint && !run[0].Now.IsZero() && !c.TriggeredAt.Before(run[0].Now) {
				seen[c.ID] = c
			}
		}
	}
	var took, delay, align, sync, async []float64
	for _, c := range seen {
		switch c.Status {
		case flinkapi.CheckpointFailed:
			out.Failed++
		case flinkapi.CheckpointCompleted:
			out.Completed++
			took = append(took, c.Duration.Seconds())
			if p, ok := slowestParts(&c); ok {
				out.Parted++
				delay, align = append(delay, p.StartDelay.Seconds()), append(align, p.Alignment.Seconds())
				sync, async = append(sync, p.Sync.Seconds()), append(async, p.Async.Seconds())
			}
		}
	}
	out.Duration, out.StartDelay, out.Alignment = middle(took), middle(delay), middle(align)
	out.Sync, out.Async = middle(sync), middle(async)
	return out
}

// slowestParts are the longest of each part over the subtasks; not ok where they were not read.
func slowestParts(c *flinkapi.Checkpoint) (longest flinkapi.CheckpointPart, ok bool) {
	for i := range c.Vertices {
		for _, p := range c.Vertices[i].Parts {
			if !p.Acked {
				continue
			}
			ok = true
			longest.StartDelay = max(longest.StartDelay, p.StartDelay)
			longest.Alignment = max(longest.Alignment, p.Alignment)
			longest.Sync, longest.Async = max(longest.Sync, p.Sync), max(longest.Async, p.Async)
		}
	}
	return longest, ok
}

// middle is the median; missing of nothing.
func middle(all []float64) flinkapi.Value {
	if len(all) == 0 {
		return flinkapi.Value{}
	}
	return flinkapi.Known(median(all))
}

// spanWords says when a stretch was.
func (s *Stretch) spanWords(zone *time.Location) string {
	if s.From.IsZero() {
		return UnknownMark
	}
	return fmt.Sprintf("%s to %s", s.From.In(zone).Format(time.TimeOnly), s.To.In(zone).Format(time.TimeOnly))
}
