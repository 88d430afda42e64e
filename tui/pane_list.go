package tui

import (
	"culprit/diagnose"
	"culprit/flinkapi"
)

// look is how a role is shown: never by its colour alone.
type look struct {
	glyph string
	tone  tone
}

func roleLook(r diagnose.Role, th *Theme) look {
	switch r {
	case diagnose.RoleCulprit:
		return look{th.culprit, toneCulprit}
	case diagnose.RoleHeldBack:
		return look{th.held, toneBack}
	case diagnose.RoleStarved:
		return look{th.starved, toneIdle}
	case diagnose.RoleFine:
		return look{th.fine, toneFine}
	case diagnose.RoleFinished:
		return look{th.finished, toneDim}
	case diagnose.RoleUnknown:
	}
	return look{th.unknown, toneUnknown}
}

// poolUsage is the mean usage of a vertex's input or output buffers.
func poolUsage(v vertexView, input bool) string {
	signal := flinkapi.OutPoolUsage
	if input {
		signal = flinkapi.InPoolUsage
	}
	return percent(v.vertex.Spread[signal].Max)
}

// dominant is the share that says most about a vertex: what it does with most of its time.
func dominant(s diagnose.VertexState) (name string, v flinkapi.Value, t tone) {
	name, v, t = "busy", s.Busy, toneBusy
	if s.Role == diagnose.RoleCulprit {
		return name, v, toneCulprit
	}
	if s.Backpressured.IsKnown() && s.Backpressured.Or(0) > v.Or(0) {
		name, v, t = "backpressured", s.Backpressured, toneBack
	}
	if s.Idle.IsKnown() && s.Idle.Or(0) > v.Or(0) {
		name, v, t = "idle", s.Idle, toneIdle
	}
	return name, v, t
}

// vertexColumns says which columns a list of w cells has room for.
type vertexColumns struct {
	name, meter              int
	parallelism, shares, why bool
}

func columnsFor(w int) vertexColumns {
	c := vertexColumns{shares: w >= 72, parallelism: w >= 52}
	fixed := 2 + 1 + percentWidth + 1 + rateWidth + 2 + 11
	if c.shares {
		fixed += 3 * (percentWidth + 6)
		fixed -= percentWidth
	}
	if c.parallelism {
		fixed += 6
	}
	if w >= 100 {
		c.meter = min((w-80)/3, 24)
		fixed += c.meter + 1
	}
	c.name = max(w-fixed, 6)
	return c
}

// listRow is one vertex of the compact list.
func listRow(v vertexView, selected bool, c vertexColumns, th *Theme) line {
	role := roleLook(v.state.Role, th)
	mark, name := "  ", tonePlain
	if v.state.Role == diagnose.RoleCulprit {
		name = toneCulprit
	}
	if selected {
		mark, name = th.pointer+" ", toneSelected
		if v.state.Role == diagnose.RoleCulprit {
			name = toneCulprit
		}
	}
	label, value, t := dominant(v.state)
	out := line{say(toneSelected, mark), say(name, pad(chain(v.vertex.Name, c.name, &th.glyphs), c.name, th.ellipsis))}
	if c.parallelism {
		out = append(out, say(toneDim, padLeft("x"+counted(float64(v.vertex.Parallelism), ""), 6, "")))
	}
	out = append(out, say(tonePlain, " "))
	if c.meter > 0 {
		out = append(append(out, th.meter(value, c.meter, t)...), say(tonePlain, " "))
	}
	if c.shares {
		out = append(out,
			say(toneDim, " busy"), say(shareTone(v.state.Busy, toneBusy), percent(v.state.Busy)),
			say(toneDim, "   bp"), say(shareTone(v.state.Backpressured, toneBack), percent(v.state.Backpressured)),
			say(toneDim, " idle"), say(shareTone(v.state.Idle, toneIdle), percent(v.state.Idle)), say(tonePlain, " "))
	} else {
		_ = label
		out = append(out, say(t, percent(value)))
	}
	rec := v.state.RecordsIn
	if !rec.IsKnown() {
		rec = v.state.RecordsOut
	}
	return append(out, say(tonePlain, " "+rate(rec)+"  "), say(role.tone, role.glyph+" "+string(v.state.Role)))
}

// shareTone colours a share only where it is large enough to mean something.
func shareTone(v flinkapi.Value, t tone) tone {
	if x, ok := v.Float(); ok && x >= 0.5 {
		return t
	}
	return tonePlain
}
