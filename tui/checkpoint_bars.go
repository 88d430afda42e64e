package tui

import (
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// checkpointParts are the four parts of a checkpoint, one after the other.
type checkpointParts [4]time.Duration

// partsOf are the parts of the subtask that took the longest, which the whole had to wait for.
func partsOf(c *flinkapi.Checkpoint) checkpointParts {
	var out checkpointParts
	longest := time.Duration(-1)
	for i := range c.Vertices {
		if slow := slowestPart(&c.Vertices[i]); slow != nil && slow.Duration > longest {
			out, longest = partsIn(slow), slow.Duration
		}
	}
	return out
}

func partsIn(p *flinkapi.CheckpointPart) checkpointParts {
	return checkpointParts{p.StartDelay, p.Alignment, p.Sync, p.Async}
}

// slowestPart is of the subtask of a vertex that acknowledged last; nil where none is known.
func slowestPart(v *flinkapi.CheckpointVertex) *flinkapi.CheckpointPart {
	var out *flinkapi.CheckpointPart
	for i := range v.Parts {
		if part := &v.Parts[i]; part.Acked && (out == nil || part.Duration > out.Duration) {
			out = part
		}
	}
	return out
}

// partLook is the name of a part, and what its bar is drawn with.
type partLook struct {
	name string
	span
}

// partLooks are the names and looks of the four parts.
func (th *Theme) partLooks() []partLook {
	out := make([]partLook, len(th.parts))
	for i, t := range [len(th.parts)]tone{toneBack, toneWarn, toneBusy, toneIdle} {
		out[i] = partLook{partNames()[i], say(t, th.parts[i])}
	}
	return out
}

// axis is the one scale of all bars of a screen: w cells for the time most.
type axis struct {
	w    int
	most time.Duration
	// interval and timeout are the limits of the job's checkpoints; 0 for none.
	interval, timeout time.Duration
}

// near is how many times the longest bar a limit may be and still be drawn: further away it would leave
// nothing of the bars.
const near = 2

// newAxis makes room for the longest bar, and for the limits that are not far from it.
func newAxis(w int, longest time.Duration, cp *flinkapi.Checkpoints) axis {
	a := axis{w: w, most: longest}
	if cp.Configured {
		a.interval, a.timeout = cp.Interval, cp.Timeout
	}
	for _, limit := range []time.Duration{a.interval, a.timeout} {
		if limit <= near*longest {
			a.most = max(a.most, limit)
		}
	}
	return a
}

// cell is where a time lies on the axis; false where it is not on it.
func (a axis) cell(d time.Duration) (int, bool) {
	if a.w <= 0 || a.most <= 0 || d <= 0 || d > a.most {
		return 0, false
	}
	return min(int(int64(d)*int64(a.w)/int64(a.most)), a.w-1), true
}

// head says what the axis spans, and where the limits are that are not on it.
func (a axis) head(th *Theme) line {
	out := line{say(toneDim, "0 to "+diagnose.FormatSpan(a.most))}
	for _, limit := range []struct {
		name, glyph string
		at          time.Duration
	}{{"interval", th.interval, a.interval}, {"timeout", th.timeout, a.timeout}} {
		if limit.at <= 0 {
			continue
		}
		mark := limit.glyph
		if _, on := a.cell(limit.at); !on {
			mark = th.arrow
		}
		out = append(out, say(toneKey, "  "+mark), say(toneDim, " "+limit.name+" "+diagnose.FormatSpan(limit.at)))
	}
	return out
}

// bar draws a duration with its parts, the limits, and the trend line where there is one.
func (a axis) bar(th *Theme, parts checkpointParts, whole, trend time.Duration) line {
	cells := make([]span, max(a.w, 0))
	for i := range cells {
		cells[i] = say(tonePlain, " ")
	}
	x := 0
	for _, s := range th.stacked(parts, whole, a.most, a.w) {
		for _, r := range s.text {
			if x < len(cells) {
				cells[x] = say(s.tone, string(r))
			}
			x++
		}
	}
	mark := func(d time.Duration, glyph string, t tone) {
		if i, on := a.cell(d); on {
			cells[i] = say(t, glyph)
		}
	}
	mark(a.interval, th.interval, toneKey)
	mark(a.timeout, th.timeout, toneKey)
	mark(trend, th.trend, toneStrong)
	return cells
}

// stacked draws a duration as a bar of w cells for the longest; what the parts do not explain is a plain
// track.
func (th *Theme) stacked(parts checkpointParts, whole, longest time.Duration, w int) line {
	if longest <= 0 || w <= 0 {
		return nil
	}
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
			out = append(out, say(look.tone, strings.Repeat(look.text, n)))
			used = end
		}
	}
	if end := min(int(int64(whole)*int64(w)/int64(longest)), w); end > used {
		out = append(out, say(toneTrack, strings.Repeat(th.empty, end-used)))
	}
	return out
}

// partsLegend explains the bars in as many rows as that takes.
func (p *paper) partsLegend(trend bool) {
	th := p.th
	all := make([]line, 0, len(th.parts)+2)
	for _, look := range th.partLooks() {
		all = append(all, line{look.span, say(toneDim, " "+look.name)})
	}
	all = append(all, line{say(toneTrack, th.empty), say(toneDim, " not known by part")})
	if trend {
		all = append(all, line{say(toneStrong, th.trend), say(toneDim, " trend")})
	}
	row := line{say(toneDim, "  ")}
	for _, one := range all {
		if row.width() > 2 && row.width()+one.width()+2 > p.w {
			p.add(row)
			row = line{say(toneDim, "  ")}
		}
		row = append(append(row, one...), say(toneDim, "  "))
	}
	p.add(row)
}
