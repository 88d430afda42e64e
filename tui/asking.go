package tui

import "slices"

// settleAsk makes the next steps ask for what the screen shows: the checkpoints by vertex and subtask, and
// the subtasks of a vertex one by one.
func (m *app) settleAsk() {
	shown := m.screen()
	subtasks := shown == screenSubtasks || shown == screenSubtask
	m.loop.ask.Checkpoints = shown == screenCheckpoints || subtasks
	m.loop.ask.Detail, m.loop.ask.Subtasks = subtasks, nil
	if !subtasks {
		return
	}
	if sc := m.scene(); sc.selected != "" {
		m.loop.ask.Vertex = sc.selected
	}
	list, _ := m.panes[screenSubtasks].(*subtasksPane)
	switch {
	case list == nil:
	case shown == screenSubtask:
		m.loop.ask.Subtasks = []int{list.at}
	default:
		m.loop.ask.Subtasks = slices.Clone(list.sight)
	}
}

// openSubtask opens the subtask under the cursor of the list.
func (m *app) openSubtask(sc *scene) {
	list, _ := m.panes[screenSubtasks].(*subtasksPane)
	if list == nil {
		return
	}
	if _, ok := list.current(sc); ok {
		m.stack = append(m.stack, screenSubtask)
		m.input.Reset()
	}
}
