package tui

import (
	"slices"

	"culprit/flinkapi"
)

// settleAsk makes the next steps ask for what the screen shows: the checkpoints by vertex and subtask, the
// one that is open, and the subtasks of a vertex one by one.
func (m *app) settleAsk() {
	shown := m.screen()
	subtasks := shown == screenSubtasks || shown == screenSubtask
	m.loop.ask.Checkpoints = shown == screenCheckpoints || subtasks
	m.loop.ask.Inspect = flinkapi.CheckpointRef{}
	if text, ok := m.panes[shown].(*textPane); ok {
		m.loop.ask.Inspect = text.inspects()
	}
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

// aim says what the next step is for while the list of jobs is watched.
func (m *app) aim() {
	list, _ := m.panes[screenJobs].(*jobsPane)
	m.loop.ask.Fleet, m.loop.ask.Visible = true, list.seen
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

// turnToOnly looks into the only job there is where that is over: by itself the monitor looks into running
// ones.
func (m *app) turnToOnly() {
	if m.opened.ID != "" || m.loop.ask.Name != "" {
		return
	}
	m.loop.ask.Job = ""
	if jobs := m.live.obs.Jobs; len(jobs) == 1 && jobs[0].Job.State.Over() {
		m.loop.ask.Job = jobs[0].Job.ID
	}
}

// settleName keeps to the job that a name given at the start turned out to mean.
func (m *app) settleName() {
	if r := m.live.obs.Report; m.loop.ask.Name != "" && r != nil {
		m.loop.ask.Name, m.loop.ask.Job = "", r.Job.ID
		m.opened = flinkapi.JobSummary{ID: r.Job.ID, Name: r.Job.Name, State: r.Job.State}
	}
}
