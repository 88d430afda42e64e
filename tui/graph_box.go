package tui

import (
	"fmt"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// boxStyle is how much a vertex's box says. All boxes of a drawing have the same style.
type boxStyle struct {
	// shape is what stands inside: see boxRows.
	shape boxShape
	// least and most bound the cells between the borders.
	least, most int
}

type boxShape uint8

const (
	// boxFull has a meter each for busy, backpressured and idle.
	boxFull boxShape = iota
	// boxTall says the same in narrow, higher boxes.
	boxTall
	// boxShort has one meter, for what the vertex does most.
	boxShort
	// boxNarrow has no meter.
	boxNarrow
)

// boxStyles are the styles to try, the best first.
func boxStyles() []boxStyle {
	return []boxStyle{
		{boxFull, 24, 34},
		{boxFull, 22, 26},
		{boxTall, 16, 20},
		{boxTall, 15, 16},
		{boxShort, 22, 26},
		{boxShort, 22, 22},
		{boxNarrow, 13, 18},
		{boxNarrow, 11, 14},
		{boxNarrow, 11, 11},
	}
}

// whole tells whether a box of the shape says all that a row of the list does.
func (s boxShape) whole() bool { return s == boxFull || s == boxTall }

// rows is the number of lines between the borders.
func (s boxShape) rows() int {
	switch s {
	case boxFull:
		return 5
	case boxTall:
		return 6
	default:
		return 3
	}
}

// size is a box's width and height, borders included, for a vertex.
func (s boxStyle) size(v vertexView, g *glyphs) (w, h int) {
	name := cells(chain(v.vertex.Name, s.most, g))
	if s.shape == boxFull || s.shape == boxShort {
		name += 2 + cells(timesWord(v)) // a blank at each side, the parallelism behind
	}
	return min(max(name, s.least), s.most) + 2, s.shape.rows() + 2
}

func timesWord(v vertexView) string {
	return "x" + counted(v.vertex.Parallelism)
}

// lines draws the box of a vertex: w by h cells, borders included.
func (s boxStyle) lines(v vertexView, selected bool, w, h int, th *Theme) []line {
	role := roleLook(v.state.Role, th)
	b := boxed{border: th.thin, tone: role.tone, rows: s.inside(v, w-2, th)}
	if v.state.Role == diagnose.RoleFine {
		b.tone = toneDim
	}
	if selected {
		b.tone, b.foot = toneSelected, line{say(toneSelected, th.pointer)}
	}
	if v.state.Role == diagnose.RoleCulprit {
		b.border, b.tone = th.heavy, toneCulprit
	}
	return th.box(b, Rect{0, 0, w, h})
}

// inside are the rows between the borders, w cells wide.
func (s boxStyle) inside(v vertexView, w int, th *Theme) []line {
	role := roleLook(v.state.Role, th)
	name := toneStrong
	if v.state.Role == diagnose.RoleCulprit {
		name = toneCulpritFill
	}
	times := say(toneDim, timesWord(v))
	records := trim(rate(recordsOf(v.state.RecordsIn, v.state.RecordsOut)))
	word := line{say(role.tone, role.glyph+" "+string(v.state.Role))}
	label, value, t := dominant(v.state)
	if s.shape == boxNarrow {
		share := line{say(t, label+" "+diagnose.FormatRatio(value))}
		return []line{
			{say(name, pad(chain(v.vertex.Name, w, &th.glyphs), w, th.ellipsis))},
			spread(share, line{times}, w, th.ellipsis),
			word,
		}
	}
	if s.shape == boxTall {
		return []line{
			{say(name, pad(chain(v.vertex.Name, w, &th.glyphs), w, th.ellipsis))},
			spread(line{times}, line{say(tonePlain, records)}, w, th.ellipsis),
			tightGauge("busy", v.state.Busy, busyTone(v.state), w, th),
			tightGauge("bp", v.state.Backpressured, toneBack, w, th),
			tightGauge("idle", v.state.Idle, toneIdle, w, th), word,
		}
	}
	head := pad(" "+chain(v.vertex.Name, w-cells(times.text)-3, &th.glyphs), w-cells(times.text)-1, th.ellipsis)
	first := line{say(name, head), times, say(tonePlain, " ")}
	if v.state.Role == diagnose.RoleCulprit {
		first = line{say(name, head+times.text+" ")}
	}
	last := spread(append(line{say(tonePlain, " ")}, word...), line{say(tonePlain, records+" ")}, w, th.ellipsis)
	if s.shape == boxShort {
		return []line{first, gauge(label, value, t, w, th), last}
	}
	return []line{
		first, gauge("busy", v.state.Busy, busyTone(v.state), w, th),
		gauge("bp", v.state.Backpressured, toneBack, w, th), gauge("idle", v.state.Idle, toneIdle, w, th), last,
	}
}

func busyTone(s diagnose.VertexState) tone {
	if s.Role == diagnose.RoleCulprit {
		return toneCulprit
	}
	return toneBusy
}

// tightGauge is a gauge without a blank at its sides.
func tightGauge(label string, v flinkapi.Value, t tone, w int, th *Theme) line {
	out := line{say(toneDim, pad(label, 5, ""))}
	out = append(out, th.meter(v, w-5-percentWidth-1, t)...)
	return append(out, say(tonePlain, " "+percent(v)))
}

// gauge is a row of a label, a meter and the number.
func gauge(label string, v flinkapi.Value, t tone, w int, th *Theme) line {
	out := line{say(toneDim, " "+pad(label, 5, ""))}
	out = append(out, th.meter(v, w-6-percentWidth-2, t)...)
	return append(out, say(tonePlain, fmt.Sprintf(" %s ", percent(v))))
}
