package tui

import (
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
	// boxLine is one line without a border.
	boxLine
	// boxBare is such a line whose share has no name; the caption says what it is.
	boxBare
	// boxDot is one cell.
	boxDot
)

// rows is the number of lines between the borders.
func (s boxShape) rows() int {
	switch s {
	case boxFull:
		return 5
	case boxTall:
		return 6
	case boxLine, boxBare, boxDot:
		return 1
	case boxShort, boxNarrow:
	}
	return 3
}

// face is what a box shows: a vertex, or a stretch of several that is led by one.
type face struct {
	v                 vertexView
	members           []vertexView // of a stretch, in the order of the data; nil for a vertex
	selected, matched bool
	hint              string // the key that opens a selected stretch
}

func faceOf(it item, all []vertexView) face {
	f := face{v: all[it.lead(all)]}
	if it.folded() {
		for _, m := range it.members {
			f.members = append(f.members, all[m])
		}
	}
	return f
}

// title names the face in w cells.
func (f face) title(w int, g *glyphs) string {
	if f.members != nil {
		return plural(len(f.members), "victim")
	}
	return f.v.name(w, g)
}

// size is a box's width and height, borders included.
func (s boxStyle) size(f face, g *glyphs) (w, h int) {
	switch s.shape {
	case boxDot:
		return 1, 1
	case boxLine, boxBare:
		return min(max(cells(f.title(s.most, g)), s.least), s.most) + s.lineExtra(f), 1
	case boxFull, boxTall, boxShort, boxNarrow:
	}
	name := 0
	for _, v := range f.members {
		name = max(name, cells(v.name(s.most, g)))
	}
	if f.members == nil {
		name = cells(f.v.name(s.most, g))
		if s.shape == boxFull || s.shape == boxShort {
			name += 2 + cells(timesWord(f.v)) // a blank at each side, the parallelism behind
		}
	}
	return min(max(name, s.least), s.most) + 2, s.shape.rows() + 2
}

// shareWord is how wide the name of a share is, with the blank behind it: idle and busy are of one length.
const shareWord = 5

// lineExtra is what a line has beside the name: the pointer, the sign, a blank before and after the name, and
// of a single vertex the share with its name.
func (s boxStyle) lineExtra(f face) int {
	const around = 4
	switch {
	case f.members != nil:
		return around
	case s.shape == boxBare:
		return around + percentWidth
	}
	return around + shareWord + percentWidth
}

func timesWord(v vertexView) string {
	return "x" + counted(v.vertex.Parallelism)
}

// lines draws the box: w by h cells, borders included.
func (s boxStyle) lines(f face, w, h int, th *Theme) []line {
	if s.shape == boxLine || s.shape == boxBare {
		return []line{s.line(f, w, th)}
	}
	role := f.v.look(th)
	b := boxed{border: th.thin, tone: role.tone}
	if f.v.state.Role == diagnose.RoleFine {
		b.tone = toneDim
	}
	if f.selected {
		b.tone, b.foot = toneSelected, line{say(toneSelected, th.pointer)}
	}
	if f.v.state.Role == diagnose.RoleCulprit {
		b.border, b.tone = th.heavy, role.tone
	}
	if f.members != nil {
		b.rows = f.stretch(w-2, h-2, th)
		if f.selected {
			b.foot = line{say(toneSelected, f.hint)}
		}
	} else {
		b.rows = s.inside(f, w-2, th)
		if s.shape != boxNarrow && f.v.mixed() {
			b.footRight = line{say(toneDim, mixedWord(f.v, w))}
		}
	}
	return th.box(b, Rect{0, 0, w, h})
}

// mixed tells whether the shares of a vertex are of different subtasks: of one alone they add up to 1.
func (v vertexView) mixed() bool {
	const one = 1.03 // with what is rounded
	return v.state.Busy.Or(0)+v.state.Backpressured.Or(0)+v.state.Idle.Or(0) > one
}

// mixedWord says so in the border of a box of w cells.
func mixedWord(v vertexView, w int) string {
	if whole := "max of " + counted(v.vertex.Parallelism); cells(whole)+10 <= w {
		return whole
	}
	return "max"
}

// nameTone is how the name is drawn: filled where it is the culprit or what is looked for.
func (f face) nameTone() tone {
	switch {
	case f.v.state.Role == diagnose.RoleCulprit:
		return f.v.grade.name
	case f.matched:
		return toneNotice
	}
	return toneStrong
}

// line is the whole in one row of w cells: pointer, sign, name, the largest share and what it is.
func (s boxStyle) line(f face, w int, th *Theme) line {
	role := f.v.look(th)
	mark := span{tonePlain, " "}
	if f.selected {
		mark = say(toneSelected, th.pointer)
	}
	label, value, t := dominant(f.v)
	share, sign, name := say(t, percent(value)), say(role.tone, role.glyph), f.nameTone()
	if s.shape == boxLine {
		share.text = pad(label, shareWord, "") + share.text
	}
	if f.members != nil {
		share.text = ""
	}
	if f.v.state.Role == diagnose.RoleCulprit && f.members == nil {
		sign.tone, share.tone = name, name
	} else if f.selected && name == toneStrong {
		name = toneSelected
	}
	room := w - s.lineExtra(f)
	return line{mark, sign, say(name, " "+pad(f.title(room, &th.glyphs), room, th.ellipsis)+" "), share}
}

// stretch names the members of a stretch in h rows of w cells, the first one in any case.
func (f face) stretch(w, h int, th *Theme) []line {
	role, margin := roleLook(f.v.state.Role, th), " "
	if w < 14 { // a narrow box needs every cell
		margin = ""
	}
	rows := []line{{say(f.nameTone(), margin+plural(len(f.members), "victim"))}}
	room := max(h-2, 1)
	for i, v := range f.members {
		if left := len(f.members) - i; i > 0 && i == room-1 && left > 1 {
			rows = append(rows, line{say(toneDim, margin+"and "+counted(left)+" more")})
			break
		}
		if i == room {
			break
		}
		rows = append(rows, line{say(tonePlain, margin+v.name(w-2*len(margin), &th.glyphs))})
	}
	for len(rows) < h-1 {
		rows = append(rows, nil)
	}
	return append(rows[:h-1:h-1], line{say(role.tone, margin+role.glyph+" "+string(f.v.state.Role))})
}

// inside are the rows between the borders, w cells wide.
func (s boxStyle) inside(f face, w int, th *Theme) []line {
	v := f.v
	role, name := v.lookIn(w-2, th), f.nameTone()
	times := say(toneDim, timesWord(v))
	records := rateWord(recordsOf(v.state.RecordsIn, v.state.RecordsOut))
	word := line{role.span()}
	label, value, t := dominant(v)
	if s.shape == boxNarrow {
		share := line{say(t, label+" "+diagnose.FormatRatio(value))}
		return []line{
			{say(name, pad(v.name(w, &th.glyphs), w, th.ellipsis))},
			spread(share, line{times}, w, th.ellipsis),
			word,
		}
	}
	if s.shape == boxTall {
		return []line{
			{say(name, pad(v.name(w, &th.glyphs), w, th.ellipsis))},
			spread(line{times}, line{say(tonePlain, records)}, w, th.ellipsis),
			tightGauge("busy", v.state.Busy, busyTone(v), w, th),
			tightGauge("bp", v.state.Backpressured, toneBack, w, th),
			tightGauge("idle", v.state.Idle, toneIdle, w, th), word,
		}
	}
	head := pad(" "+v.name(w-cells(times.text)-3, &th.glyphs), w-cells(times.text)-1, th.ellipsis)
	first := line{say(name, head), times, say(tonePlain, " ")}
	if v.state.Role == diagnose.RoleCulprit {
		first = line{say(name, head+times.text+" ")}
	}
	last := spread(append(line{say(tonePlain, " ")}, word...), line{say(tonePlain, records+" ")}, w, th.ellipsis)
	if s.shape == boxShort {
		return []line{first, gauge(label, value, t, w, th), last}
	}
	busy, back, idle, room := "busy", "bp", "idle", usualLabel
	if v.mixed() { // else they would read as the parts of one whole
		busy, back, idle, room = "busiest", "bp most", "idlest", mixedLabel
	}
	return []line{
		first, labelled(busy, room, v.state.Busy, busyTone(v), w, th),
		labelled(back, room, v.state.Backpressured, toneBack, w, th),
		labelled(idle, room, v.state.Idle, toneIdle, w, th), last,
	}
}

// busyTone is red, as Flink's own pages have it, and stronger where that is what is the matter.
func busyTone(v vertexView) tone {
	if v.state.Role == diagnose.RoleCulprit && v.grade.edge == toneCulprit {
		return toneCulprit
	}
	return toneBusy
}

// gaugeSpans is how many pieces a gauge has at the most.
const gaugeSpans = 6 + meterSpans

// tightGauge is a gauge without a blank at its sides.
func tightGauge(label string, v flinkapi.Value, t tone, w int, th *Theme) line {
	out := append(make(line, 0, gaugeSpans), say(toneDim, label), say(toneDim, blank(5-cells(label))))
	out = th.meterOnto(out, v, w-5-percentWidth-1, t)
	return append(out, say(tonePlain, " ")).toRight(tonePlain, diagnose.FormatRatio(v), percentWidth)
}

// gauge is a row of a label, a meter and the number.
func gauge(label string, v flinkapi.Value, t tone, w int, th *Theme) line {
	return labelled(label, usualLabel, v, t, w, th)
}

// The cells of the label of a gauge with the blank behind it.
const usualLabel, mixedLabel = 5, 8

// labelled is a gauge whose label has so much room.
func labelled(label string, room int, v flinkapi.Value, t tone, w int, th *Theme) line {
	out := append(make(line, 0, gaugeSpans), say(toneDim, " "), say(toneDim, label),
		say(toneDim, blank(room-cells(label))))
	out = th.meterOnto(out, v, w-1-room-percentWidth-2, t)
	out = append(out, say(tonePlain, " ")).toRight(tonePlain, diagnose.FormatRatio(v), percentWidth)
	return append(out, say(tonePlain, " "))
}
