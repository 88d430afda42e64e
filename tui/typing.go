package tui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// key routes keys: to the line being typed, else by the table. Letters typed faster than they are read arrive
// as one message and are taken one by one.
func (m *app) key(msg tea.KeyMsg) tea.Cmd {
	if m.belongsToReply(msg) {
		return nil
	}
	if msg.Type == tea.KeyRunes && len(msg.Runes) > 1 && !msg.Paste {
		var all []tea.Cmd
		for _, r := range msg.Runes {
			all = append(all, m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}))
		}
		return tea.Batch(all...)
	}
	if name := msg.String(); name != "ctrl+c" && name != "ctrl+z" {
		switch {
		case m.palette != nil:
			return m.paletteKey(msg)
		case m.timeLine != nil:
			return m.timeKey(msg)
		case m.input.Focused():
			return m.edit(msg)
		}
	}
	scope := m.screen().scope()
	for _, a := range m.actions {
		if m.opts.Wall && a.ID != ActionQuit && a.ID != ActionAbort && a.ID != ActionSuspend {
			continue
		}
		if a.Scope&scope != 0 && key.Matches(msg, a.Binding) {
			return m.act(a.ID)
		}
	}
	if m.opts.Replay != nil && !m.opts.Wall {
		m.refuse(msg)
	}
	return nil
}

// replyTime is how long a late answer of the terminal may take to arrive in full.
const replyTime = time.Second

// belongsToReply swallows a terminal's answer to a question that was asked before the program started, such
// as its background colour: over a slow line it arrives as if it were typed, from alt+] to alt+\ or BEL.
func (m *app) belongsToReply(msg tea.KeyMsg) bool {
	switch name := msg.String(); {
	case name == "alt+]":
		m.replyTo = m.now.Add(replyTime)
		return true
	case !m.now.Before(m.replyTo) || name == "ctrl+c":
		return false
	case name == "alt+\\" || name == "ctrl+g":
		m.replyTo = time.Time{}
	}
	return true
}

// edit applies a key to the filter that is being typed; what moves up and down moves the selection meanwhile.
func (m *app) edit(msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyEnter:
		m.input.Blur()
		m.toFirstMatch()
	case tea.KeyEsc:
		m.input.Blur()
		m.input.Reset()
	case tea.KeyUp, tea.KeyDown, tea.KeyPgUp, tea.KeyPgDown, tea.KeyTab, tea.KeyShiftTab:
		for _, a := range m.actions {
			if key.Matches(msg, a.Binding) {
				m.toPane(a.ID)
			}
		}
	default:
		var cmd tea.Cmd
		msg.Runes = []rune(clean(string(msg.Runes)))
		m.input, cmd = m.input.Update(msg)
		return cmd
	}
	return nil
}

// toFirstMatch selects a vertex or a job that passes the filter, where the selected one does not.
func (m *app) toFirstMatch() {
	sc := m.scene()
	if list, ok := m.panes[sc.screen].(*jobsPane); ok && sc.filter != "" {
		list.hold(sc)
	}
	if v, ok := sc.selectedVertex(); ok && sc.screen == screenGraph && !sc.matches(v.vertex.Name) {
		m.toPane(ActionNextMatch)
	}
}

// fitInput gives the filter what the keys beside it leave of the footer.
func (m *app) fitInput() {
	const prompt, cursor, gap = 1, 1, 2
	keys := ansi.StringWidth(m.theme.shortHelp(0, typingHelp()))
	m.input.Width = max(m.w-prompt-cursor-gap-keys, 1)
	m.input.SetCursor(m.input.Position()) // which brings the cursor in sight
	if m.timeLine != nil {
		m.timeLine.Width = min(m.input.Width, len(time.DateTime))
	}
}

// serve carries out an action about the program itself.
func (m *app) serve(id ActionID) tea.Cmd {
	switch id {
	case ActionCopy:
		return m.copyVerdict()
	case ActionCopyRow:
		return m.copyRow()
	case ActionCopyScreen:
		return m.copyScreen()
	case ActionPalette:
		m.openPalette()
	case ActionTheme:
		m.dress(nextTheme(m.opts.Look.Theme))
	default:
	}
	return nil
}
