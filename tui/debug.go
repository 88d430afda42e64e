package tui

import (
	"slices"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// Machine is what the program takes of the machine that it runs on.
type Machine struct {
	// Goroutines is how many there are; Memory is what the Go runtime holds of the system, in bytes.
	Goroutines, Memory flinkapi.Value
}

// debugSpan is the time over which the medians of the debug overlay are taken.
const debugSpan = time.Minute

// debugOverlay measures the program itself while it is shown.
type debugOverlay struct {
	on                              bool
	collect, decode, diagnose, draw durations
}

// durations are how long something took lately, oldest first.
type durations []took

// took is one length of time, in seconds, and when it was measured, by the clock of the screen.
type took struct {
	at      time.Time
	seconds float64
}

// note adds a length of time in seconds and forgets what is too old; an unknown one is left out.
func (d *durations) note(at time.Time, seconds flinkapi.Value) {
	x, ok := seconds.Float()
	if !ok {
		return
	}
	d.forget(at)
	*d = append(*d, took{at, x})
}

// forget drops what is older than the medians go back.
func (d *durations) forget(now time.Time) {
	*d = slices.DeleteFunc(*d, func(t took) bool { return now.Sub(t.at) >= debugSpan })
}

// median is the middle one of the last minute, in seconds; unknown when there was none.
func (d *durations) median(now time.Time) flinkapi.Value {
	d.forget(now)
	if len(*d) == 0 {
		return flinkapi.Value{}
	}
	all := make([]float64, len(*d))
	for i, t := range *d {
		all[i] = t.seconds
	}
	slices.Sort(all)
	return flinkapi.Known(all[len(all)/2])
}

// toggle shows the overlay, with nothing measured yet, or hides it.
func (o *debugOverlay) toggle() { *o = debugOverlay{on: !o.on} }

// observed takes in what the stages of a step took.
func (o *debugOverlay) observed(now time.Time, s diagnose.Stages) {
	if !o.on {
		return
	}
	o.collect.note(now, s.Collect)
	o.decode.note(now, s.Decode)
	o.diagnose.note(now, s.Diagnose)
}

// drawTimed draws one frame, with the overlay over it and measured where that is shown.
func (m *app) drawTimed() string {
	if !m.debug.on {
		return m.draw()
	}
	watch := m.opts.Stopwatch
	began := watch()
	frame := m.draw()
	r := debugRect(m.w, m.h)
	if !r.empty() {
		frame = overlay(frame, m.theme.fillRect(m.theme.box(m.debugBox(), r), r), r)
	}
	m.debug.draw.note(m.now, flinkapi.Known(watch().Sub(began).Seconds()))
	return frame
}

// The size of the overlay, in cells.
const (
	debugWidth  = 26
	debugHeight = 9
	debugLabel  = 12
)

// debugRect is where the overlay stands on a screen of w by h cells: at the right, above the keys; it is
// empty where it has no room.
func debugRect(w, h int) Rect {
	if w < debugWidth || h <= debugHeight {
		return Rect{}
	}
	return Rect{w - debugWidth, h - debugHeight - 1, debugWidth, debugHeight}
}

// debugBox is the overlay. The frame that it stands on is not measured yet.
func (m *app) debugBox() boxed {
	o := &m.debug
	var requests flinkapi.Value
	if obs := m.live.obs; obs != nil {
		requests = flinkapi.Known(obs.Snapshot.Cost.PerSecond)
	}
	var own Machine
	if m.opts.Machine != nil {
		own = m.opts.Machine()
	}
	const inner = debugWidth - 4
	row := func(label, value string) line {
		name := pad(label, debugLabel, m.theme.ellipsis)
		return line{say(toneDim, name), say(tonePlain, right(value, inner-debugLabel))}
	}
	return boxed{
		border: m.theme.thin, tone: toneDim, innerBlank: 1,
		title: line{say(toneStrong, "debug")}, foot: line{say(toneDim, "medians of 1 min")},
		rows: []line{
			row("collect", spent(o.collect.median(m.now))), row("decode", spent(o.decode.median(m.now))),
			row("diagnose", spent(o.diagnose.median(m.now))), row("draw", spent(o.draw.median(m.now))),
			row("requests", quantity(requests, "/s")), row("goroutines", whole(own.Goroutines)),
			row("memory", quantity(own.Memory, "B")),
		},
	}
}

// spent writes a length of time, in seconds, with three digits: "1.25 s", "12.3 ms", "0.820 ms".
func spent(v flinkapi.Value) string {
	x, ok := v.Float()
	switch {
	case !ok || x < 0:
		return unknownMark
	case x >= 1:
		return quantity(v, "s")
	}
	return quantity(v.Times(1e3), "ms")
}

// quantity writes a number with three digits and its unit: "3.20 /s", "23.1 MB".
func quantity(v flinkapi.Value, unit string) string {
	x, ok := v.Float()
	if !ok {
		return unknownMark
	}
	digits, prefix := diagnose.Scale(x)
	return digits + " " + prefix + unit
}
