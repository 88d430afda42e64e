package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// Monitor is the line from a source to a verdict, as *diagnose.Monitor offers it. It is not concurrent: one
// step at a time.
type Monitor interface {
	Step(ctx context.Context, ask diagnose.Ask) (*diagnose.Observation, error)
	Wait() time.Duration
}

// Target is a cluster that the screen can switch to.
type Target struct {
	// Name is what the config file calls it.
	Name string
	// URL is its address as the screen shows it, without secrets.
	URL string
	// Job is the id or the name of the job to open there; empty for the list of jobs, or the only one.
	Job string
	// Open returns a new monitor of it. It may read files, and asks the cluster nothing.
	Open func() (Monitor, error)
}

// openedMsg is the outcome of opening a target.
type openedMsg struct {
	at      int // which of the targets
	monitor Monitor
	err     error
}

// openTarget opens the target under the cursor; the one on the screen is only gone back to.
func (m *app) openTarget() tea.Cmd {
	list, _ := m.panes[screenClusters].(*clustersPane)
	if list.at >= len(m.opts.Targets) || m.opts.Targets[list.at].URL == m.opts.Target {
		m.toggle(screenClusters)
		return nil
	}
	list.failed = ""
	return m.openAt(list.at)
}

func (m *app) openAt(at int) tea.Cmd {
	target := m.opts.Targets[at]
	return func() tea.Msg {
		monitor, err := target.Open()
		return openedMsg{at, monitor, err}
	}
}

// switchTo opens a target, with the list of clusters on the screen to say what goes wrong.
func (m *app) switchTo(at int) tea.Cmd {
	if m.screen() != screenClusters {
		m.toggle(screenClusters)
	}
	return m.openAt(at)
}

// switched leaves the cluster on the screen for the one that was opened. Nothing of the old one stays; what
// is in flight to it is given up.
func (m *app) switched(msg openedMsg) tea.Cmd {
	if msg.err != nil {
		if list, ok := m.panes[screenClusters].(*clustersPane); ok {
			list.failed, list.at = msg.err.Error(), msg.at
		}
		return nil
	}
	target := m.opts.Targets[msg.at]
	m.opts.Target, m.opts.Mode, m.opts.Monitor = target.URL, liveMode, msg.monitor
	m.live, m.past, m.hour, m.opened = picture{}, past{}, hour{}, flinkapi.JobSummary{}
	m.stack, m.chosen, m.panes = nil, "", newPanes()
	m.show(picture{}, false)
	m.compared = comparing{}
	m.debug = debugOverlay{on: m.debug.on}
	m.input.Reset()
	return m.loop.change(m.ctx, m.now, msg.monitor, diagnose.Ask{Name: target.Job})
}

// liveMode is the word for a real cluster.
const liveMode = "live"

// clustersPane is the list of clusters to switch to.
type clustersPane struct {
	at     int
	scroll scroll
	failed string // why the one under the cursor could not be opened
}

// Key moves the cursor.
func (p *clustersPane) Key(a ActionID, sc *scene, r Rect, _ *Theme) bool {
	if len(sc.targets) == 0 {
		return false
	}
	before := p.at
	at, ok := moved(a, p.at, len(sc.targets), r.H-2)
	if p.at = at; at != before {
		p.failed = ""
	}
	return ok
}

// Draw returns the list, and below it what went wrong.
func (p *clustersPane) Draw(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	if len(sc.targets) == 0 {
		text := "the config file names no cluster to switch to; this one is " + sc.target
		return th.fillRect([]line{{say(toneDim, text)}}, r)
	}
	name := 0
	for _, t := range sc.targets {
		name = max(name, cells(clean(t.Name)))
	}
	name = min(name, max(r.W/3, 8))
	note := line{say(toneDim, sc.hint(ActionOpen, " switches; what was read of this cluster is forgotten"))}
	if p.failed != "" {
		note = line{say(toneWarn, th.warn+" not opened: "+clean(p.failed))}
	}
	head := line{say(toneDim, "  "+pad("cluster", name, th.ellipsis)+"  address")}
	if r.H < 3 {
		return p.scroll.around(len(sc.targets), p.at, r.W, r.H, func(i int) string {
			return th.paint(p.line(sc, i, name, th), r.W)
		})
	}
	rows := p.scroll.around(len(sc.targets), p.at, r.W, min(r.H-2, len(sc.targets)), func(i int) string {
		return th.paint(p.line(sc, i, name, th), r.W)
	})
	out := append([]string{th.paint(head, r.W)}, rows...)
	return append(out, th.fillRect([]line{note}, Rect{W: r.W, H: r.H - len(out)})...)
}

func (p *clustersPane) line(sc *scene, i, name int, th *Theme) line {
	t := sc.targets[i]
	mark, fill := "  ", tonePlain
	if i == p.at {
		mark, fill = th.pointer+" ", toneSelected
	}
	out := line{say(toneSelected, mark), say(fill, pad(clean(t.Name), name, th.ellipsis)), say(tonePlain, "  ")}
	out = append(out, say(toneDim, clean(t.URL)))
	if t.URL == sc.target {
		out = append(out, say(toneFine, "  "+th.fine+" on the screen"))
	}
	return out
}
