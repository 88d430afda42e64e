package tui

import (
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui/strip"
)

// hour is the course of the last hour of one job: who was the culprit in each interval. It takes some 40 kB,
// whatever the job's size.
type hour struct {
	strip.Strip
	job flinkapi.JobID
	// operators are those inside a chain that were found to be slow, by vertex, as they were found last.
	operators map[string]string
	// restarted is when the job entered RESTARTING last, by the JobManager's clock.
	restarted time.Time
}

// note takes in what an observation tells. Another job begins anew.
func (h *hour) note(obs *diagnose.Observation) {
	job := obs.Snapshot.Job
	if job == nil || obs.Report == nil {
		return
	}
	if h.job != job.ID {
		*h = hour{job: job.ID, operators: map[string]string{}}
	}
	for i := range obs.Report.Culprits {
		if c := &obs.Report.Culprits[i]; c.Operator != "" {
			h.operators[string(c.Vertex.ID)] = c.Operator
		}
	}
	marks := make([]strip.Mark, 0, len(obs.Trend)+1)
	for _, p := range obs.Trend {
		others := make([]string, len(p.Others))
		for i, o := range p.Others {
			others[i] = string(o)
		}
		marks = append(marks, strip.Mark{At: p.At, Kind: kindOf(p), Who: string(p.Culprit), Others: others})
	}
	if at := job.EnteredAt[flinkapi.JobRestarting]; !at.IsZero() && !at.Equal(h.restarted) {
		h.restarted = at
		marks = append(marks, strip.Mark{At: obs.At.Add(at.Sub(job.Now)), Kind: strip.Restart})
	}
	h.Add(marks, func(who string) string {
		if op := h.operators[who]; op != "" {
			return clean(op)
		}
		if v := job.Vertex(flinkapi.VertexID(who)); v != nil {
			return clean(v.Name)
		}
		return who
	})
}

func kindOf(p diagnose.TrendPoint) strip.Kind {
	switch {
	case p.Culprit != "":
		return strip.Named
	case p.Unknown:
		return strip.Unknown
	case p.Held:
		return strip.Held
	}
	return strip.Quiet
}

// mostHour is the largest width of the hour: cells of 30 s, about three slots each. More would take the room
// of the names.
const mostHour = 120

// hourRow shows the last hour in w cells, and what its signs mean in the rest of room. Where an earlier
// moment is on the screen, a pointer stands in its cell.
func hourRow(sc *scene, w, room int, th *Theme) line {
	w = min(w, mostHour)
	out := line{say(toneDim, pad("last hour", trendLabel, "")), say(tonePlain, " ")}
	if trendLabel+1+w > room {
		out, w = line{say(toneDim, "1 h ")}, room-len("1 h ")
	}
	if sc.hour == nil || sc.opening != "" {
		return out
	}
	cursor := -1
	if !sc.shownAt.IsZero() {
		if at, ok := strip.At(sc.shownAt, sc.hourEnd, w); ok {
			cursor = at
		}
	}
	kinds := map[strip.Kind]bool{}
	for i, c := range sc.hour.Row(sc.hourEnd, w) {
		kinds[c.Kind] = true
		sign := cellSign(c, sc.hour, th)
		if i == cursor {
			sign = say(toneNotice, th.pointer)
		}
		out = append(out, sign)
	}
	return append(out, hourLegend(sc, kinds, room-out.width(), th)...)
}

// cellSign is one cell of the hour.
func cellSign(c strip.Cell, h *hour, th *Theme) span {
	switch c.Kind {
	case strip.Named:
		return say(toneStrong, h.Letter(c.Who)) // how grave it was then is not kept
	case strip.Quiet:
		return say(toneDim, th.nobody)
	case strip.Held:
		return say(toneBack, th.held)
	case strip.Unknown:
		return say(toneUnknown, th.unknown)
	case strip.Restart:
		return say(toneWarn, "!")
	case strip.Gap:
	}
	return say(tonePlain, " ")
}

// hourLegend names those who have a letter, the newest first, then the signs that are there, as far as there
// is room.
func hourLegend(sc *scene, kinds map[strip.Kind]bool, room int, th *Theme) line {
	var parts []line
	const longest, shortest, around = 32, 8, 4 // around a name: its letter, and blanks
	named := sc.hour.Named(sc.hourEnd)
	names, wants := make([]string, len(named)), make([]int, len(named))
	for i, who := range named {
		names[i] = first(sc.hour.operators[who], sc.hour.Name(who))
		wants[i] = cells(chain(names[i], longest, &th.glyphs))
	}
	for i, most := range evenly(wants, room-around*len(named)) {
		name := chain(names[i], max(most, min(wants[i], shortest)), &th.glyphs)
		parts = append(parts, line{say(toneStrong, sc.hour.Letter(named[i])), say(toneDim, "="+name)})
	}
	for _, k := range []struct {
		kind strip.Kind
		what string
	}{
		{strip.Restart, "restart"},
		{strip.Held, "held back, nobody named"},
		{strip.Unknown, "not known"},
		{strip.Quiet, "nobody"},
		{strip.Gap, "no data"},
	} {
		if kinds[k.kind] {
			sign := cellSign(strip.Cell{Kind: k.kind}, sc.hour, th)
			if k.kind == strip.Gap {
				sign = say(toneDim, "blank")
			}
			parts = append(parts, line{sign, say(toneDim, "="+k.what)})
		}
	}
	var out line
	for _, p := range parts {
		if out.width()+2+p.width() <= room {
			out = append(append(out, say(tonePlain, "  ")), p...)
		}
	}
	return out
}
