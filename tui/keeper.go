package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"culprit/flinkapi"
)

// Keeper keeps what the cluster on the screen answers, so that it can be replayed later. It may be called
// beside a step.
type Keeper interface {
	// Save writes what was kept of the last hour to a file, and says which and how large it is.
	Save() (said string, err error)
	// Bundle makes one file for a ticket: what was kept, the verdict and the screen of a job, or of the list of
	// jobs where it is empty; and says which file it is.
	Bundle(ctx context.Context, job flinkapi.JobID) (said string, err error)
	// News is what there is to say unasked, each thing once; mostly nothing.
	News() string
}

// The actions on what is kept.
const (
	ActionSave   ActionID = "save"
	ActionBundle ActionID = "bundle"
)

// keeps are the actions on what is kept.
func keeps() []Action {
	return []Action{
		{
			ActionSave, bind("R", "save", "R"), ScopeAlways, 14, 0,
			"except in a recording: save what the cluster answered in the last hour to a file, for culprit replay",
		},
		{
			ActionBundle, bind("B", "bundle", "B"), ScopeAlways, 23, 0,
			"except in a recording: make one file for a ticket: the last hour, the verdict, the screen, versions",
		},
	}
}

// keptMsg is the outcome of writing a file.
type keptMsg struct {
	said string
	err  error
}

// keep saves or makes a bundle beside the screen, which may take a while.
func (m *app) keep(id ActionID) tea.Cmd {
	keeper, ctx, job := m.opts.Keeper, m.ctx, m.opened.ID
	if id == ActionBundle {
		m.sayFor("making a bundle of the last hour; that may take a minute", time.Minute)
		return func() tea.Msg {
			said, err := keeper.Bundle(ctx, job)
			return keptMsg{said, err}
		}
	}
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
