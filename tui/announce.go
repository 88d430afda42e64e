package tui

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// The ways to tell that a verdict has changed.
const (
	NotifyOff  = "off"
	NotifyBell = "bell"
	NotifyOSC9 = "osc9"
)

// Notifications are the ways to tell that a verdict has changed; the first is the default.
func Notifications() []string { return []string{NotifyOff, NotifyBell, NotifyOSC9} }

// notifyGap is the shortest time between two notifications; what changes meanwhile is told at its end, if it
// still differs.
const notifyGap = 30 * time.Second

// The longest texts that are sent to the terminal, in cells.
const (
	titleCells  = 100
	noticeCells = 200
)

// announcer tells the world outside of the screen: by the window's title, and by notifications.
type announcer struct {
	title string
	told  map[flinkapi.JobID]identity // the verdicts as they were told last
	at    time.Time                   // of the newest notification
}

// identity is what makes a verdict another one; numbers that move are no part of it.
type identity struct {
	severity diagnose.Severity
	vertex   flinkapi.VertexID
	rule     string
}

func identityOf(r *diagnose.Report) identity {
	id := identity{severity: r.Severity}
	if len(r.Culprits) > 0 {
		c := &r.Culprits[0]
		id.vertex, id.rule = c.Vertex.ID, c.Reason.Name
	} else if f := r.Lead(); f != nil {
		id.rule = f.Rule
	}
	return id
}

// announce tells what an observation, or a failed try, changed.
func (m *app) announce() tea.Cmd {
	return tea.Batch(m.renameWindow(), m.notify())
}

// renameWindow puts the verdict into the title of the window.
func (m *app) renameWindow() tea.Cmd {
	if !takesTitle(m.opts.Env) {
		return nil
	}
	title := m.theme.spell(cut(titleOf(m.scene(), m.theme), titleCells, "…"))
	if title == m.announcer.title {
		return nil
	}
	m.announcer.title = title
	return tea.SetWindowTitle(title)
}

// takesTitle tells whether the terminal knows titles; the two that do not would show them.
func takesTitle(env func(string) string) bool { return env("TERM") != "dumb" && env("TERM") != "linux" }

// pushTitle and popTitle have the terminal keep its title and take it back (XTWINOPS).
const (
	pushTitle = "\x1b[22;2t"
	popTitle  = "\x1b[23;2t"
)

// titleOf is the verdict in a few words, and whose it is.
func titleOf(sc *scene, th *Theme) string {
	if sc.base == screenJobs {
		return jobsTitle(sc)
	}
	c := sc.card(th)
	words := strings.TrimSpace(c.word + " " + chain(c.name, titleCells/2, &th.glyphs))
	if sc.link.err != nil && sc.obs != nil {
		words = "no answer, was " + words
	}
	name, _ := subjectOf(sc)
	if name == c.name {
		return words + " - culprit"
	}
	return words + " - " + name
}

func jobsTitle(sc *scene) string {
	count := map[diagnose.Severity]int{}
	for _, j := range sc.obs.Jobs {
		if j.Report != nil {
			count[j.Report.Severity]++
		}
	}
	words := plural(len(sc.obs.Jobs), "job")
	if n := count[diagnose.Critical]; n > 0 {
		words += fmt.Sprintf(", %d critical", n)
	}
	if n := count[diagnose.Warning]; n > 0 {
		words += fmt.Sprintf(", %d warning", n)
	}
	if sc.link.err != nil {
		words = "no answer, was " + words
	}
	return words + " - " + sc.target
}

// notify tells of verdicts that differ from those that were told last. The first verdict on a job is no
// change.
func (m *app) notify() tea.Cmd {
	a := &m.announcer
	if m.opts.Notify == NotifyOff || m.opts.Notify == "" || m.live.obs == nil {
		return nil
	}
	if a.told == nil {
		a.told = map[flinkapi.JobID]identity{}
	}
	changed, early := []*diagnose.Report{}, m.now.Sub(a.at) < notifyGap
	for _, r := range reportsOf(m.live.obs) {
		now := identityOf(r)
		before, known := a.told[r.Job.ID]
		switch {
		case !known:
			a.told[r.Job.ID] = now
		case before != now && !early:
			a.told[r.Job.ID] = now
			changed = append(changed, r)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	a.at = m.now
	return m.send(m.notification(changed), nil, "not notified")
}

// reportsOf are the newest verdicts on each job.
func reportsOf(obs *diagnose.Observation) []*diagnose.Report {
	if obs.Report != nil {
		return []*diagnose.Report{obs.Report}
	}
	var out []*diagnose.Report
	for i := range obs.Jobs {
		if r := obs.Jobs[i].Report; r != nil {
			out = append(out, r)
		}
	}
	return out
}

// notification is what the terminal is sent.
func (m *app) notification(changed []*diagnose.Report) string {
	if m.opts.Notify == NotifyBell {
		return "\a"
	}
	text := changed[0].Job.Name + ": " + changed[0].Headline
	if n := len(changed); n > 1 {
		text += fmt.Sprintf(" (and %s)", plural(n-1, "other job"))
	}
	sequence := ansi.Notify(cut("culprit: "+text, noticeCells, "…"))
	switch {
	case m.opts.Env("TMUX") != "":
		return ansi.TmuxPassthrough(sequence)
	case m.opts.Env("STY") != "":
		return ansi.ScreenPassthrough(sequence, 0)
	}
	return sequence
}
