package tui

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// picture is an observation and when it came, by the clock of the screen.
type picture struct {
	obs *diagnose.Observation
	at  time.Time
}

// app is the only Bubble Tea model. Its panes are plain values with a state of their own.
type app struct {
	opts  Options
	ctx   context.Context //nolint:containedctx // ends with the program; steps derive theirs from it
	theme *Theme
	loop  loop

	now      time.Time
	w, h     int
	live     picture
	held     picture // the frozen picture, if any
	traveled bool    // it is one of those kept, rather than frozen by hand
	past     past
	hour     hour
	compared comparing
	silences []silence
	opened   flinkapi.JobSummary // the job that stays on the screen, whatever starts beside it; zero for none
	stack    []screen
	chosen   flinkapi.VertexID // the vertex selected by hand; empty follows the culprit
	card     cardHold
	input    textinput.Model // the filter of the lists
	palette  *palette        // nil while it is closed
	applied  []Applied       // to a simulated incident, oldest first

	announcer announcer
	debug     debugOverlay
	toast     string
	ticks     int              // seconds of the viewer, whose clock goes on where that of a recording stands
	toastTo   int              // by ticks
	replyTo   time.Time        // until when what arrives belongs to a late answer of the terminal
	timeLine  *textinput.Model // the moment of a recording that is being typed; nil while none is
	heading   time.Time        // where the seek under way goes; zero for none

	panes   [screenCount]pane
	actions []Action
	frame   frameCache
	// rev counts the changes of the state of the screen, for the cache.
	rev int
}

// frameCache keeps the last frame with all that it depends on.
type frameCache struct {
	obs       *diagnose.Observation
	rev, w, h int
	second    int64
	text      string
}

func newApp(ctx context.Context, opts Options) *app {
	opts.Zone = cmp.Or(opts.Zone, time.UTC)
	if opts.Env == nil {
		opts.Env = func(string) string { return "" }
	}
	if opts.Actions == nil {
		opts.Actions = Actions()
	}
	if opts.Stopwatch == nil {
		opts.Stopwatch = opts.Clock
	}
	m := &app{
		opts: opts, ctx: ctx, theme: NewTheme(opts.Look), w: opts.Width, h: opts.Height,
		now: opts.Clock(), actions: offered(opts),
		loop: loop{monitor: opts.Monitor, ask: diagnose.Ask{Name: opts.Job}},
	}
	m.input = m.theme.input
	m.loop.link.started, m.debug.on = m.now, opts.DebugOverlay
	m.panes = newPanes()
	if len(opts.Notices) > 0 {
		m.say(strings.Join(opts.Notices, "; "))
	}
	return m
}

func newPanes() [screenCount]pane {
	list := newSubtasksPane()
	return [screenCount]pane{
		screenGraph: &graphPane{}, screenJobs: &jobsPane{}, screenSubtasks: list,
		screenSubtask: newSubtaskPane(list), screenEvidence: newText(evidenceText, rulePage),
		screenWhy:         newText(whyText, nil),
		screenCheckpoints: newText(checkpointsText, checkpointFolio),
		screenWorkers:     newText(workersText, workerFolio),
		screenSources:     newText(sourcesText, nil), screenEvents: newText(eventsText, eventFolio),
		screenClusters: &clustersPane{}, screenHelp: newText(helpText, nil),
		screenDescription: newText(descriptionText, nil), screenCompare: newText(compareText, nil),
	}
}

// Init starts the first step and the clock of the ages.
func (m *app) Init() tea.Cmd { return tea.Batch(m.loop.step(m.ctx, m.now), clockTick(), m.readAhead()) }

func clockTick() tea.Cmd { return tea.Tick(time.Second, func(time.Time) tea.Msg { return clockMsg{} }) }

// Update routes one message.
func (m *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.opts.Clock()
	m.aim()
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		m.fitInput()
	case tea.KeyMsg:
		m.rev++
		return m, m.key(msg)
	case tea.MouseMsg:
		m.rev++
		return m, m.mouse(msg)
	case obsMsg:
		m.rev++
		return m, m.observed(msg)
	case pollMsg:
		return m, m.loop.due(m.ctx, m.now, msg)
	case aheadMsg:
		return m, m.readAhead()
	case clockMsg:
		m.tick()
		return m, clockTick()
	case openedMsg:
		m.rev++
		return m, m.switched(msg)
	case toastMsg:
		m.rev++
		m.say(msg.text)
	case keptMsg:
		m.rev++
		m.kept(msg)
	case tea.ResumeMsg:
		m.rev++
		return m, m.refresh()
	}
	return m, nil
}

// observed takes the outcome of a step.
func (m *app) observed(msg obsMsg) tea.Cmd {
	now, before := msg.gen == m.loop.gen, m.loop.link
	wanted, next := m.loop.returned(m.ctx, m.now, msg)
	if msg.trip && now {
		m.arrived(msg.err)
	}
	if wanted {
		m.live = picture{msg.obs, m.now}
		m.heard(before)
		m.debug.observed(m.now, msg.obs.Took)
		m.past.keep(m.live)
		m.hour.note(m.live.obs)
		m.compared.note(m.live.obs)
		m.settleName()
		m.settleAsk()
		m.turnToOnly()
	}
	m.hear()
	return tea.Batch(next, m.announce())
}

// act carries out one action and notes what the screen asks for after it.
func (m *app) act(id ActionID) tea.Cmd {
	next, ours := m.wind(id)
	if !ours {
		next = m.do(id)
	}
	m.settleAsk()
	return next
}

// do carries out one action.
func (m *app) do(id ActionID) tea.Cmd {
	if m.deeper(id) {
		return nil
	}
	switch id {
	case ActionQuit, ActionAbort:
		return tea.Quit
	case ActionSuspend:
		return tea.Suspend
	case ActionRefresh:
		return m.refresh()
	case ActionFreeze:
		m.freeze()
	case ActionEarlier, ActionLater:
		m.travel(map[ActionID]int{ActionEarlier: -1, ActionLater: 1}[id])
	case ActionCopy, ActionCopyRow, ActionCopyScreen, ActionPalette, ActionTheme:
		return m.serve(id)
	case ActionSave, ActionBundle, ActionMark, ActionTreat:
		return m.handle(id)
	case ActionFilter:
		m.input.Focus() // a cursor that stands still asks for nothing
		m.fitInput()
	case ActionBack:
		return m.back()
	case ActionOpen:
		return m.open()
	case ActionFollow:
		m.toPane(id)
		m.chosen, m.loop.ask.Vertex = "", ""
	case ActionBottom:
		if !m.toNewest() {
			m.toPane(id)
		}
	default:
		if s, ok := screenOf(id); ok {
			m.toggle(s)
			break
		}
		m.toPane(id)
	}
	return nil
}

// handle carries out what is done with the incident itself: it is kept, marked or treated.
func (m *app) handle(id ActionID) tea.Cmd {
	switch id {
	case ActionMark:
		m.mark()
	case ActionTreat:
		m.openTreatments()
	default:
		return m.keep(id)
	}
	return nil
}

// toPane hands an action to the pane on the screen and takes over the selection it made.
func (m *app) toPane(id ActionID) {
	sc := m.scene()
	before := sc.selected
	m.panes[sc.screen].Key(id, sc, m.panels(sc).Body, m.theme)
	if sc.note != "" {
		m.say(sc.note)
	}
	if sc.selected != before {
		m.choose(sc.selected)
	}
}

// screen returns what stands below the card.
func (m *app) screen() screen {
	if n := len(m.stack); n > 0 {
		return m.stack[n-1]
	}
	return m.base()
}

// base returns the screen under all others: the job that was opened or is the only one, else the list of
// jobs.
func (m *app) base() screen {
	obs := m.picture().obs
	if m.opened.ID != "" || m.loop.ask.Name != "" || obs == nil {
		return screenGraph
	}
	running := 0
	for _, j := range obs.Jobs {
		if !j.Job.State.Over() {
			running++
		}
	}
	if running == 1 || len(obs.Jobs) == 1 || running == 0 && obs.Report != nil {
		return screenGraph
	}
	return screenJobs
}

// pin keeps the job on the screen that the user began to look into, whatever starts beside it.
func (m *app) pin() {
	if obs := m.picture().obs; m.opened.ID == "" && m.base() == screenGraph && obs != nil &&
		obs.Report != nil {
		m.opened = flinkapi.JobSummary{ID: obs.Report.Job.ID, Name: obs.Report.Job.Name}
		m.loop.ask.Job = m.opened.ID
	}
}

func (m *app) refresh() tea.Cmd {
	if m.opts.Replay != nil {
		return nil // a step would go on in the recording
	}
	m.loop.ask.Refresh = true
	return m.loop.restart(m.ctx, m.now)
}

// toggle opens a screen, or closes it where it is open.
func (m *app) toggle(s screen) {
	if i := slices.Index(m.stack, s); i >= 0 {
		m.stack = m.stack[:i]
		return
	}
	m.pin()
	if text, ok := m.panes[s].(*textPane); ok {
		text.home()
	}
	m.stack = append(m.stack, s)
	m.input.Reset()
}

// open goes one level deeper: from the jobs to a job, from a vertex to its subtasks.
func (m *app) open() tea.Cmd {
	switch sc := m.scene(); sc.screen {
	case screenJobs:
		list, _ := m.panes[screenJobs].(*jobsPane)
		switch j, ok := list.current(sc); {
		case ok && j.Change == diagnose.Vanished:
			m.say("this job is gone: the cluster no longer lists it")
		case ok:
			list.hold(sc)
			return m.enter(j.Job)
		}
	case screenGraph:
		m.panels(sc) // which lays the graph out
		if g, ok := m.panes[screenGraph].(*graphPane); ok && g.unfold(sc) {
			break
		}
		if _, ok := sc.selectedVertex(); ok {
			m.choose(sc.selected)
			m.stack = append(m.stack, screenSubtasks)
			m.input.Reset()
		}
	case screenClusters:
		return m.openTarget()
	case screenSubtasks:
		m.openSubtask(sc)
	case screenSubtask,
		screenDescription,
		screenCompare,
		screenEvidence,
		screenWhy,
		screenCheckpoints,
		screenWorkers,
		screenSources,
		screenEvents,
		screenHelp,
		screenCount:
	}
	return nil
}

// enter opens a job, or the list of jobs for the zero summary.
func (m *app) enter(job flinkapi.JobSummary) tea.Cmd {
	m.opened = job
	m.stack, m.chosen, m.panes[screenGraph] = nil, "", &graphPane{}
	m.show(picture{}, false)
	m.past, m.hour, m.silences = past{}, hour{}, nil
	m.input.Reset()
	m.loop.ask = diagnose.Ask{Job: job.ID}
	m.aim() // from the first step on, lest it looks into one job of the list
	return m.loop.restart(m.ctx, m.now)
}

// back leaves the innermost of: filter, screen, selection by hand, job.
func (m *app) back() tea.Cmd {
	switch {
	case m.input.Value() != "":
		m.input.Reset()
	case m.loop.trip != nil:
		m.stay()
	case len(m.stack) > 0:
		m.stack = m.stack[:len(m.stack)-1]
	case m.loop.ask.Name != "", m.opened.ID != "" && len(m.jobs()) > 1:
		return m.enter(flinkapi.JobSummary{})
	default:
		m.chosen, m.loop.ask.Vertex = "", ""
	}
	return nil
}
