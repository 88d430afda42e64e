package tui

import (
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// sourcesText shows each source: what waits, how fast it reads, and how far behind its events are.
func sourcesText(sc *scene, p *paper) {
	if sc.report == nil || len(sc.report.Sources) == 0 {
		p.add(line{say(toneDim, "the sources have not been read yet")})
		return
	}
	p.heading(plural(len(sc.report.Sources), "source"))
	for i := range sc.report.Sources {
		p.source(sc, &sc.report.Sources[i])
	}
}

// fact is one number of a source, with what it is called and what there is to say about it.
type fact struct {
	label, text string
	tone        tone
}

func (p *paper) source(sc *scene, s *diagnose.SourceState) {
	name := s.Vertex.Name
	if s.Operator != "" {
		name = s.Operator + " in " + name
	}
	v := vertexOf(sc, s.Vertex.ID)
	role := v.look(p.th)
	p.add(line{
		say(role.tone, "  "+role.glyph+" "), say(toneStrong, chain(name, max(p.w-20, 8), &p.th.glyphs)),
		say(role.tone, "  "+role.word),
	})
	for _, f := range sourceFacts(sc, s) {
		p.entry(line{say(toneDim, "    "+pad(f.label, 16, p.th.ellipsis))}, 21, f.tone, f.text)
	}
	switch missing := s.NotReported(); {
	case !s.Looked:
		p.entry(nil, 4, toneDim, "which metrics its connector reports is not known yet")
	case len(missing) > 0:
		p.entry(nil, 4, toneDim, "not reported by its connector: "+strings.Join(missing, ", "))
	}
	p.add(nil)
}

// vertexOf returns a vertex of the scene by its id.
func vertexOf(sc *scene, id flinkapi.VertexID) vertexView {
	for _, v := range sc.vertices() {
		if v.vertex.ID == id {
			return v
		}
	}
	return vertexView{state: diagnose.VertexState{Role: diagnose.RoleUnknown}}
}

// sourceFacts are the numbers of a source in the order in which they are asked for, unknown ones too.
func sourceFacts(sc *scene, s *diagnose.SourceState) []fact {
	out := []fact{lagFact(s), {
		"rate", strings.TrimSpace(rate(s.Rate)) + ", busy " + diagnose.FormatRatio(s.Busy) +
			", backpressured " + diagnose.FormatRatio(s.Backpressured) + ", idle " + diagnose.FormatRatio(s.Idle),
		tonePlain,
	}}
	out = append(out, watermarkFact(sc, s))
	out = append(out, fact{"event-time lag", spanText(s.EmitLag) + " when emitted, " + spanText(s.FetchLag) +
		" when fetched, " + spanText(s.WatermarkLag) + " by the watermark", tonePlain})
	if s.Silent.IsKnown() {
		text := spanText(s.Silent) + " ago"
		if s.SilentLeast != s.Silent {
			text += " in the quietest subtask, " + spanText(s.SilentLeast) + " ago in the liveliest"
		}
		out = append(out, fact{"last record", text, tonePlain})
	}
	if s.Drift.IsKnown() {
		out = append(out, fact{"alignment", "ahead of its watermark group by " + spanText(s.Drift), tonePlain})
	}
	if n, ok := s.Unassigned.Float(); ok {
		t := tonePlain
		if n > 0 {
			t = toneWarn
		}
		out = append(out, fact{"splits", diagnose.FormatWhole(n) + " that nobody reads yet", t})
	}
	if d, ok := seconds(s.Age); ok {
		out = append(out, fact{"read", age(d) + " ago", toneDim})
	}
	return out
}

// lagFact is how many records wait, and how that changes.
func lagFact(s *diagnose.SourceState) fact {
	f := fact{"lag", unknownMark, tonePlain}
	n, ok := s.Lag.Float()
	if !ok {
		return f
	}
	f.text = diagnose.FormatCount(n) + " records wait"
	slope, ok := s.LagSlope.Float()
	switch {
	case !ok:
		f.text += ", whether that grows is not known yet"
	case slope > 0:
		f.text += ", " + strings.TrimSpace(rate(s.LagSlope)) + " more over the last " + age(s.LagSpan)
		f.tone = toneWarn
	case slope < 0:
		f.text += ", " + strings.TrimSpace(rate(s.LagSlope.Times(-1))) + " fewer over the last " + age(s.LagSpan)
	default:
		f.text += ", the same over the last " + age(s.LagSpan)
	}
	return f
}

// watermarkFact is the watermark of the subtask furthest behind, its distance from now, and for how long it
// has stood.
func watermarkFact(sc *scene, s *diagnose.SourceState) fact {
	f := fact{"watermark", unknownMark, tonePlain}
	x, ok := s.Watermark.Float()
	switch {
	case s.Ended:
		f.text = "the last of all has come: the input has ended"
	case ok:
		f.text = time.UnixMilli(int64(x * 1000)).In(sc.zone).Format("Jan 02 15:04:05")
		if lag, known := seconds(s.WatermarkLag); known {
			f.text += behindWord(lag)
		}
		if ahead, known := s.WatermarkAhead.Float(); known && ahead > x {
			f.text += ", the furthest ahead by " + spanText(flinkapi.Known(ahead-x))
		}
		if stood, known := seconds(s.WatermarkStood); known && stood > 0 {
			f.text += ", has not moved for " + age(stood)
		}
	}
	return f
}

func behindWord(d time.Duration) string {
	if d < 0 {
		return ", " + diagnose.FormatSpan(-d) + " ahead of now"
	}
	return ", " + diagnose.FormatSpan(d) + " behind now"
}

// spanText formats a Value in seconds; what is not known gives "-", and what is negative keeps its sign.
func spanText(v flinkapi.Value) string {
	d, ok := seconds(v)
	switch {
	case !ok:
		return unknownMark
	case d < 0:
		return "-" + diagnose.FormatSpan(-d)
	}
	return diagnose.FormatSpan(d)
}
