package tui

import tea "github.com/charmbracelet/bubbletea"

// Keeper keeps what the cluster on the screen answers, so that it can be replayed later. It may be called
// beside a step.
type Keeper interface {
	// Save writes what was kept of the last hour to a file, and says which and how large it is.
	Save() (said string, err error)
	// News is what there is to say unasked, each thing once; mostly nothing.
	News() string
}

// ActionSave saves what was kept.
const ActionSave ActionID = "save"

// keeps are the actions on what is kept.
func keeps() []Action {
	return []Action{{
		ActionSave, bind("R", "save", "R"), ScopeAlways, 14, 0,
		"save what the cluster answered in the last hour to a file, for culprit replay",
	}}
}

// keptMsg is the outcome of writing a file.
type keptMsg struct {
	said string
	err  error
}

// keep saves beside the screen, which may take a while on a slow disk.
func (m *app) keep() tea.Cmd {
	keeper := m.opts.Keeper
	m.say("saving the last hour")
	return func() tea.Msg {
		said, err := keeper.Save()
		return keptMsg{said, err}
	}
}

// kept says what came of it.
func (m *app) kept(msg keptMsg) {
	text := msg.said
	if msg.err != nil {
		text = "not saved: " + msg.err.Error()
	}
	m.sayFor(text, keptTime)
}

// hear says what the keeper has to say.
func (m *app) hear() {
	if m.opts.Keeper == nil {
		return
	}
	if text := m.opts.Keeper.News(); text != "" {
		m.sayFor(text, keptTime)
	}
}
