package tui

import (
	"fmt"
	"strconv"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// checkpointsText shows the configuration, the history as stacked bars, and the newest checkpoint that was
// read vertex by vertex.
func checkpointsText(sc *scene, w int, th *Theme) []string {
	p := &paper{w: w, th: th}
	job := sc.job()
	switch {
	case job == nil || job.Checkpoints == nil:
		p.add(line{say(toneDim, "the checkpoints have not been read yet")})
		return p.rows
	case !job.Checkpoints.Enabled:
		p.add(
			line{
				say(toneWarn, th.warn+" "),
				say(tonePlain, "checkpointing is off: a failure starts the job anew"),
			},
		)
		return p.rows
	}
	cp := job.Checkpoints
	p.heading("checkpoints")
	p.entry(nil, 2, tonePlain, checkpointSettings(cp))
	p.findings(sc.report, "FD05")
	p.heading(
		fmt.Sprintf("history: %d completed, %d failed, %d in progress", cp.Completed, cp.Failed, cp.Running),
	)
	p.checkpointTable(cp, job.Now)
	for i := range cp.History {
		if c := &cp.History[i]; len(c.Vertices) > 0 {
			p.heading(fmt.Sprintf("checkpoint %d by vertex", c.ID))
			p.checkpointVertices(job, c)
			break
		}
	}
	return p.rows
}

// checkpointSettings is the configuration that matters, in one sentence.
func checkpointSettings(cp *flinkapi.Checkpoints) string {
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
	for _, part := range []string{cp.Backend, cp.Storage} {
		if part != "" {
			text += ", " + part
		}
	}
	return text
}

// The widths of the table of checkpoints.
const (
	checkpointIDWidth    = 7
	checkpointAgeWidth   = 14
	checkpointStateWidth = 12
	checkpointSpanWidth  = 11
	checkpointSizeWidth  = 10
)

// checkpointTable has one row per checkpoint, newest first, each with a bar as long as it took.
func (p *paper) checkpointTable(cp *flinkapi.Checkpoints, now time.Time) {
	if len(cp.History) == 0 {
		p.add(line{say(toneDim, "  none yet")})
		return
	}
	longest := time.Duration(0)
	for i := range cp.History {
		longest = max(longest, cp.History[i].Duration)
	}
	bar := max(p.w-checkpointIDWidth-checkpointAgeWidth-checkpointStateWidth-checkpointSpanWidth-
		2*checkpointSizeWidth-2, 0)
	sizes := bar >= 10
	if !sizes {
		bar = max(bar+2*checkpointSizeWidth, 0)
	}
	head := right("id", checkpointIDWidth) + right("began ago", checkpointAgeWidth) + "  " +
		pad("", checkpointStateWidth-2, "") + right("duration", checkpointSpanWidth)
	if sizes {
		head += right("state", checkpointSizeWidth) + right("written", checkpointSizeWidth)
	}
	p.add(line{say(toneDim, head)})
	for i := range cp.History {
		c := &cp.History[i]
		word, t := checkpointWord(c)
		row := line{
			say(tonePlain, right(strconv.FormatInt(c.ID, 10), checkpointIDWidth)),
			say(toneDim, right(age(now.Sub(c.TriggeredAt)), checkpointAgeWidth)),
			say(t, "  "+pad(word, checkpointStateWidth-2, "")),
			say(tonePlain, right(diagnose.FormatSpan(c.Duration), checkpointSpanWidth)),
		}
		if sizes {
			row = append(row, say(tonePlain, right(size(c.StateBytes), checkpointSizeWidth)),
				say(toneDim, right(size(c.CheckpointedBytes), checkpointSizeWidth)))
		}
		if bar > 0 && longest > 0 {
			row = append(row, say(tonePlain, "  "))
			row = append(row, p.th.stacked(partsOf(c), c.Duration, longest, bar-2)...)
		}
		p.add(row)
	}
	p.add(p.th.partsLegend())
}

func checkpointWord(c *flinkapi.Checkpoint) (string, tone) {
	switch {
	case c.Status == "FAILED":
		return "failed", toneWarn
	case c.Status == "IN_PROGRESS":
		return fmt.Sprintf("%d of %d", c.Acked, c.Subtasks), toneKey
	case c.Savepoint:
		return "savepoint", toneDim
	case c.Unaligned:
		return "unaligned", toneFine
	}
	return "completed", toneFine
}

// checkpointParts are the four parts of a checkpoint, one after the other.
type checkpointParts [4]time.Duration

// partsOf are the parts of the subtask that took the longest, which the whole had to wait for.
func partsOf(c *flinkapi.Checkpoint) checkpointParts {
	var out checkpointParts
	longest := time.Duration(-1)
	for i := range c.Vertices {
		if parts, total := slowestPart(&c.Vertices[i]); total > longest {
			out, longest = parts, total
		}
	}
	return out
}

// slowestPart is of the subtask of a vertex that acknowledged last; its total is negative where none is
// known.
func slowestPart(v *flinkapi.CheckpointVertex) (checkpointParts, time.Duration) {
	var out checkpointParts
	longest := time.Duration(-1)
	for _, part := range v.Parts {
		if part.Acked && part.Duration > longest {
			longest = part.Duration
			out = checkpointParts{part.StartDelay, part.Alignment, part.Sync, part.Async}
		}
	}
	return out, longest
}

// partLooks are the names and looks of the four parts.
func (th *Theme) partLooks() [4]struct {
	name string
	span
} {
	return [4]struct {
		name string
		span
	}{
		{"start delay", say(toneBack, th.parts[0])},
		{"alignment", say(toneWarn, th.parts[1])},
		{"sync", say(toneBusy, th.parts[2])},
		{"async", say(toneIdle, th.parts[3])},
	}
}

// stacked draws a duration as a bar of w cells for the longest; what the parts do not explain is a plain
// track.
func (th *Theme) stacked(parts checkpointParts, whole, longest time.Duration, w int) line {
	var out line
	used := 0
	sum := time.Duration(0)
	for i, look := range th.partLooks() {
		sum += parts[i]
		end := min(int(int64(sum)*int64(w)/int64(longest)), w)
		if parts[i] > 0 && end == used && used < w && parts[i]*20 >= longest {
			end++ // a part that matters is at least one cell
		}
		if n := end - used; n > 0 {
			out = append(out, say(look.tone, repeat(look.text, n)))
			used = end
		}
	}
	if end := min(int(int64(whole)*int64(w)/int64(longest)), w); end > used {
		out = append(out, say(toneTrack, repeat(th.empty, end-used)))
	}
	return out
}

func (th *Theme) partsLegend() line {
	out := line{say(toneDim, "  ")}
	for _, look := range th.partLooks() {
		out = append(out, look.span, say(toneDim, " "+look.name+"  "))
	}
	return append(out, say(toneTrack, th.empty), say(toneDim, " not read by part"))
}

// checkpointVertices has one row per vertex, in the order of the job.
func (p *paper) checkpointVertices(job *flinkapi.Job, c *flinkapi.Checkpoint) {
	name := min(max(p.w/4, 14), 40)
	head := "  " + pad("vertex", name, "") + right("acked", 10) + right("duration", checkpointSpanWidth)
	for _, look := range p.th.partLooks() {
		head += right(look.name, 13)
	}
	p.add(line{say(toneDim, head+right("state", checkpointSizeWidth))})
	for i := range job.Vertices {
		for k := range c.Vertices {
			if c.Vertices[k].Vertex == job.Vertices[i].ID {
				p.add(p.checkpointVertex(job.Vertices[i].Name, name, &c.Vertices[k]))
			}
		}
	}
}

func (p *paper) checkpointVertex(name string, w int, v *flinkapi.CheckpointVertex) line {
	acked, t := fmt.Sprintf("%d of %d", v.Acked, v.Subtasks), tonePlain
	if v.Acked < v.Subtasks {
		t = toneWarn
	}
	out := line{
		say(tonePlain, "  "+pad(chain(name, w, &p.th.glyphs), w, p.th.ellipsis)), say(t, right(acked, 10)),
		say(tonePlain, right(diagnose.FormatSpan(v.Duration), checkpointSpanWidth)),
	}
	parts, total := slowestPart(v)
	for i, look := range p.th.partLooks() {
		text := unknownMark
		if total >= 0 {
			text = diagnose.FormatSpan(parts[i])
		}
		out = append(out, say(look.tone, right(text, 13)))
	}
	state := v.StateBytes
	if v.Acked < v.Subtasks {
		state = flinkapi.Value{} // Flink counts what has been acknowledged so far
	}
	return append(out, say(tonePlain, right(size(state), checkpointSizeWidth)))
}
