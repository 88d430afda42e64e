package tui

import "time"

// toastTime is how long the footer shows what an action did, within a second; keptTime how long the name of a
// file that was written, or why there is none.
const toastTime, keptTime = 4 * time.Second, 12 * time.Second

// toastMsg is what an action has to say.
type toastMsg struct{ text string }

// say shows a sentence in the footer for a while.
func (m *app) say(text string) { m.sayFor(text, toastTime) }

// sayFor is say for as long as it takes to read or write down.
func (m *app) sayFor(text string, span time.Duration) {
	m.toast, m.toastTo = text, m.ticks+int(span/time.Second)
}

// tick lets a second pass.
func (m *app) tick() {
	m.ticks++
	if m.loop.trip != nil { // how far it has read
		m.rev++
	}
	if m.ticks >= m.toastTo && m.toast != "" {
		m.toast = ""
		m.rev++
	}
}
