package tui

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// checkpointsText shows the configuration, how the checkpoints develop, and their history as stacked bars.
// Each can be opened.
func checkpointsText(sc *scene, p *paper) {
	job := sc.job()
	switch {
	case job == nil || job.Checkpoints == nil:
		p.add(line{say(toneDim, "the checkpoints have not been read yet")})
		return
	case !job.Checkpoints.Enabled:
		p.add(line{
			say(toneWarn, p.th.warn+" "),
			say(tonePlain, "checkpointing is off: a failure starts the job anew"),
		})
		return
	}
	cp := job.Checkpoints
	p.heading(
		fmt.Sprintf("checkpoints: %d completed, %d failed, %d in progress", cp.Completed, cp.Failed, cp.Running),
	)
	if sc.report != nil && sc.report.Checkpoints != nil {
		p.outlook(sc.report.Checkpoints, cp, job.Now)
	}
	p.checkpointTable(sc, job)
	p.heading("configuration")
	p.entry(nil, 2, tonePlain, checkpointSettings(sc, cp))
	if sc.report != nil && firesWith(sc.report, checkpointCodes) {
		p.heading("what the rules say")
		p.findings(sc.report, checkpointCodes)
	}
}

// checkpointSettings is the configuration that matters, in one sentence.
func checkpointSettings(sc *scene, cp *flinkapi.Checkpoints) string {
	if !cp.Configured {
		return "the configuration has not been read yet"
	}
	text := "every " + diagnose.FormatSpan(cp.Interval) + ", timeout " + diagnose.FormatSpan(cp.Timeout)
	if cp.Unaligned {
		text += ", unaligned"
		if cp.AlignedTimeout > 0 {
			text += " after " + diagnose.FormatSpan(cp.AlignedTimeout)
		}
	} else {
		text += ", aligned"
	}
	if cp.ExactlyOnce {
		text += ", exactly once"
	} else {
		text += ", at least once"
	}
	if n, ok := cp.TolerableFailures.Float(); ok {
		text += fmt.Sprintf(", %.0f failures in a row tolerated", n)
	}
	if cp.MinPause > 0 {
		text += ", pause of " + diagnose.FormatSpan(cp.MinPause) + " at least"
	}
	if cp.MaxConcurrent > 1 {
		text += fmt.Sprintf(", up to %d at once", cp.MaxConcurrent)
	}
	text += ", " + incrementalWord(sc.obs.Snapshot.Cluster.Settings)
	for _, part := range []string{cp.Backend, cp.Storage} {
		if part != "" {
			text += ", " + part
		}
	}
	return text
}

// incrementalWord says whether checkpoints write what changed alone, as far as the cluster's settings tell:
// a job may have set it otherwise.
func incrementalWord(settings map[string]string) string {
	if settings == nil {
		return "incremental " + unknownMark
	}
	for _, key := range []string{"execution.checkpointing.incremental", "state.backend.incremental"} {
		switch settings[key] {
		case "true":
			return "incremental"
		case "false":
			return "full, not incremental"
		}
	}
	return "full where the job does not say otherwise"
}

// outlook says how long checkpoints take and how that develops, and how much is left to the limits.
func (p *paper) outlook(out *diagnose.CheckpointOutlook, cp *flinkapi.Checkpoints, now time.Time) {
	t := tonePlain
	if out.Trend.Climbs {
		t = toneWarn
	}
	p.entry(line{say(toneDim, "  trend")}, 10, t, trendText(&out.Trend))
	if out.Running != 0 {
		text := fmt.Sprintf("checkpoint %d runs", out.Running)
		running := func(x flinkapi.Checkpoint) bool { return x.ID == out.Running }
		if i := slices.IndexFunc(out.History, running); i >= 0 && out.TimeLeft.IsKnown() {
			left := max(cp.Timeout-tookBy(&out.History[i], now), 0)
			text += ", " + diagnose.FormatSpan(left) + " left until it fails by its timeout"
		}
		p.entry(line{say(toneDim, "  now")}, 10, tonePlain, text)
	}
	if n := out.FailuresInRow; n > 0 {
		text := fmt.Sprintf("the newest %s failed", plural(n, "checkpoint"))
		if most, ok := cp.TolerableFailures.Float(); ok {
			text += fmt.Sprintf("; more than %.0f in a row restart the job", most)
		}
		p.entry(line{say(toneDim, "  failing")}, 10, toneWarn, text)
	}
}

func trendText(t *diagnose.CheckpointTrend) string {
	slope, ok := t.Slope.Float()
	if !ok {
		return fmt.Sprintf("not known: %d of the %d completed checkpoints that it takes", t.Count, t.Least)
	}
	// What was seen, not what an hour of it would be: durations of 0.1 s cannot fall by a second an hour.
	change := time.Duration(slope * float64(t.Over))
	text := "steady"
	switch {
	case change >= time.Second && t.Climbs:
		text = diagnose.FormatSpan(change) + " longer"
	case change >= time.Second:
		text = "none beyond what they vary by"
	case change <= -time.Second:
		text = diagnose.FormatSpan(-change) + " shorter"
	}
	text += fmt.Sprintf(", over %d checkpoints in %s", t.Count, diagnose.FormatSpan(t.Over))
	if t.Filling != "" {
		return text + "; " + t.Filling
	}
	for _, limit := range []struct {
		name string
		left flinkapi.Value
	}{{"interval", t.ToInterval}, {"timeout", t.ToTimeout}} {
		if d, ok := seconds(limit.left); ok {
			text += fmt.Sprintf("; the %s in about %s at this pace", limit.name, diagnose.FormatSpan(d))
		}
	}
	return text
}

// checkpointHistory are the checkpoints that were seen, or else those that Flink tells of, newest first.
func (sc *scene) checkpointHistory() []flinkapi.Checkpoint {
	if sc.report != nil && sc.report.Checkpoints != nil && len(sc.report.Checkpoints.History) > 0 {
		return sc.report.Checkpoints.History
	}
	if job := sc.job(); job != nil && job.Checkpoints != nil {
		return job.Checkpoints.History
	}
	return nil
}

// listed tells whether Flink still tells of a checkpoint.
func listed(job *flinkapi.Job, id int64) bool {
	return job != nil && job.Checkpoints != nil &&
		slices.ContainsFunc(job.Checkpoints.History, func(c flinkapi.Checkpoint) bool { return c.ID == id })
}

// historyColumns says which columns the history has room for, and how wide its bars are.
type historyColumns struct {
	age, sizes bool
	bar        int
}

// The widths of the history's columns.
const (
	checkpointIDWidth   = 7
	checkpointAgeWidth  = 13
	checkpointWordWidth = 13
	checkpointSpanWidth = 12
	checkpointSizeWidth = 10
)

func historyColumnsFor(w int) historyColumns {
	c := historyColumns{age: w >= 56, sizes: w >= 84}
	c.bar = w - checkpointIDWidth - checkpointWordWidth - checkpointSpanWidth - 2
	if c.age {
		c.bar -= checkpointAgeWidth
	}
	if c.sizes {
		c.bar -= 2 * checkpointSizeWidth
	}
	c.bar = max(c.bar, 0)
	return c
}

// checkpointTable has one row per checkpoint, newest first, each with a bar as long as it took.
func (p *paper) checkpointTable(sc *scene, job *flinkapi.Job) {
	all := sc.checkpointHistory()
	if len(all) == 0 {
		p.add(line{say(toneDim, "  none yet")})
		return
	}
	longest := time.Duration(0)
	for i := range all {
		longest = max(longest, tookBy(&all[i], job.Now))
	}
	columns := historyColumnsFor(p.w)
	a := newAxis(columns.bar, longest, job.Checkpoints)
	var trend *diagnose.CheckpointTrend
	if sc.report != nil && sc.report.Checkpoints != nil && sc.report.Checkpoints.Trend.Slope.IsKnown() {
		trend = &sc.report.Checkpoints.Trend
	}
	p.partsLegend(trend != nil)
	if scale := a.head(p.th); p.w < 84 { // no room beside the names of the columns
		p.add(append(line{say(toneDim, "  bars: ")}, scale...))
		p.add(columns.head(nil))
	} else {
		p.add(columns.head(scale))
	}
	remembered := false
	for i := range all {
		if old := !listed(job, all[i].ID); old && !remembered {
			p.close()
			p.entry(nil, 2, toneDim,
				"Flink no longer tells of the following; they are remembered since the watch began")
			remembered = true
		}
		p.item(strconv.FormatInt(all[i].ID, 10))
		p.add(columns.line(&all[i], job.Now, a, trend, p.th))
	}
	p.close()
}

func (c historyColumns) head(scale line) line {
	text := right("id", checkpointIDWidth)
	if c.age {
		text += right("began ago", checkpointAgeWidth)
	}
	text += "  " + pad("", checkpointWordWidth-2, "") + right("duration", checkpointSpanWidth)
	if c.sizes {
		text += right("state", checkpointSizeWidth) + right("written", checkpointSizeWidth)
	}
	return append(line{say(toneDim, text+"  ")}, scale...)
}

func (c historyColumns) line(
	x *flinkapi.Checkpoint, now time.Time, a axis, t *diagnose.CheckpointTrend, th *Theme,
) line {
	glyph, word, look := checkpointWord(x, th)
	out := line{say(tonePlain, "  "+right(strconv.FormatInt(x.ID, 10), checkpointIDWidth-2))}
	if c.age {
		out = append(out, say(toneDim, right(age(now.Sub(x.TriggeredAt)), checkpointAgeWidth)))
	}
	out = append(out, say(look, "  "+pad(glyph+" "+word, checkpointWordWidth-2, th.ellipsis)),
		say(tonePlain, right(durationText(x, now), checkpointSpanWidth)))
	if c.sizes {
		out = append(out, say(tonePlain, right(size(stateBytes(x)), checkpointSizeWidth)),
			say(toneDim, right(size(x.CheckpointedBytes), checkpointSizeWidth)))
	}
	trend := time.Duration(0)
	if t != nil && x.Status == flinkapi.CheckpointCompleted && !x.Savepoint {
		trend, _ = t.Line(x.TriggeredAt.Add(x.Duration))
	}
	return append(append(out, say(tonePlain, "  ")), a.bar(th, partsOf(x), tookBy(x, now), trend)...)
}

// stateBytes is the size of the state in a checkpoint that completed; of another one Flink counts what has
// been acknowledged, which says little.
func stateBytes(x *flinkapi.Checkpoint) flinkapi.Value {
	if x.Status != flinkapi.CheckpointCompleted {
		return flinkapi.Value{}
	}
	return x.StateBytes
}

// durationText is how long a checkpoint took; of one whose end was not seen nothing is known.
func durationText(x *flinkapi.Checkpoint, now time.Time) string {
	if x.Status == "" {
		return unknownMark
	}
	return diagnose.FormatSpan(tookBy(x, now))
}

// tookBy is how long a checkpoint took; of one that runs, how long ago it began: Flink's own number ends with
// the newest acknowledgement.
func tookBy(x *flinkapi.Checkpoint, now time.Time) time.Duration {
	if x.Status == flinkapi.CheckpointInProgress {
		return max(now.Sub(x.TriggeredAt), 0)
	}
	return x.Duration
}

// checkpointWord says how a checkpoint ended, or how far it is.
func checkpointWord(c *flinkapi.Checkpoint, th *Theme) (glyph, word string, t tone) {
	switch {
	case c.Status == "":
		return th.unknown, "end unseen", toneUnknown
	case c.Status == flinkapi.CheckpointFailed && c.Savepoint:
		return th.warn, "savep. bad", toneWarn
	case c.Status == flinkapi.CheckpointFailed:
		return th.warn, "failed", toneWarn
	case c.Status == flinkapi.CheckpointInProgress && c.Acked > 0 && c.Acked >= c.Subtasks:
		return th.clear, "finishing", toneKey
	case c.Status == flinkapi.CheckpointInProgress:
		return th.clear, fmt.Sprintf("%d of %d", c.Acked, c.Subtasks), toneKey
	case c.Savepoint:
		return th.finished, "savepoint", toneKey
	case c.Unaligned:
		return th.fine, "unaligned", toneFine
	}
	return th.fine, "completed", toneFine
}
