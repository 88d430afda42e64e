package tui

import (
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/textinput"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// scene is what one frame is drawn from. It is built for each frame and each key, and holds no state of its
// own; a pane that moves the selection says so in it.
type scene struct {
	// obs is the picture on the screen; nil before the first answer. Its snapshot is never nil.
	obs *diagnose.Observation
	// report is the diagnosis of the job on the screen; nil before the first.
	report *diagnose.Report
	// received is when obs came, by the clock of the screen, as now is.
	received time.Time
	now      time.Time
	zone     *time.Location
	screen   screen
	base     screen // the screen under all others
	selected flinkapi.VertexID
	// detailed is set where the screen has room for details of the selected vertex.
	detailed bool
	// note is what a pane has to say about a key that it took.
	note string
	// views caches the answer of vertices.
	views []vertexView
	// said and saidShort cache the answers of card and shortCard.
	said, saidShort *card
	// comparison is now with before the mark, whose moment is marked; nil where it is not shown or none is.
	comparison *diagnose.Comparison
	marked     time.Time
	// opening names the job that was opened and not yet read.
	opening string
	link    link
	// silences are when the source gave no answer lately, oldest first.
	silences []silence
	frozen   bool
	// moment is the number of the picture among the moments that are kept, from 1; 0 for one that is not.
	moment, moments int
	// hour is the course of the last hour up to hourEnd, by the source's clock; shownAt is when the picture was
	// taken, zero for the newest.
	hour             *hour
	hourEnd, shownAt time.Time
	filter           string
	typing           bool
	input            *textinput.Model // the filter as it is being typed
	timeLine         *textinput.Model // the moment of a recording as it is being typed, or nil
	paused           bool
	traveling        bool      // to another moment of a recording
	heading          time.Time // that moment; zero while a change of the verdict is looked for
	replay           Replay    // nil for another source
	applied          []Applied
	toast            string
	mode             string
	target           string
	targets          []Target
	actions          []Action
}

// screen is what stands below the card.
type screen uint8

const (
	screenGraph screen = iota
	screenJobs
	screenSubtasks
	screenSubtask
	screenEvidence
	screenWhy
	screenCheckpoints
	screenWorkers
	screenSources
	screenEvents
	screenClusters
	screenHelp
	screenDescription
	screenCompare
	screenCount
)

// screenOf is the screen that an action opens and closes.
func screenOf(id ActionID) (screen, bool) {
	s, ok := map[ActionID]screen{
		ActionEvidence: screenEvidence, ActionWhyNot: screenWhy, ActionCheckpoints: screenCheckpoints,
		ActionWorkers: screenWorkers, ActionSources: screenSources, ActionEvents: screenEvents,
		ActionHelp:     screenHelp,
		ActionClusters: screenClusters, ActionDescribe: screenDescription,
		ActionCompare: screenCompare,
	}[id]
	return s, ok
}

// scope returns the scope of the keys on s.
func (s screen) scope() Scope {
	switch s {
	case screenGraph:
		return ScopeGraph
	case screenJobs:
		return ScopeJobs
	case screenSubtasks:
		return ScopeSubtasks
	case screenSubtask:
		return ScopeText | ScopeSubtask
	case screenClusters:
		return ScopeClusters
	case screenEvidence, screenCheckpoints, screenEvents, screenWorkers:
		return ScopePick
	case screenWhy, screenSources, screenHelp, screenDescription, screenCompare, screenCount:
	}
	return ScopeText
}

// layout returns the arrangement of the parts for s.
func (s screen) layout() layoutMode {
	switch s {
	case screenGraph:
		return layoutGraph
	case screenJobs:
		return layoutJobs
	case screenHelp, screenClusters:
		return layoutFull
	case screenSubtasks, screenSubtask, screenEvidence, screenWhy, screenCheckpoints, screenWorkers,
		screenSources, screenEvents, screenDescription, screenCompare, screenCount:
	}
	return layoutDrill
}

// pane is one part of the screen.
type pane interface {
	// Key applies an action on the pane's rectangle and tells whether it was of use here.
	Key(a ActionID, sc *scene, r Rect, th *Theme) bool
	// Draw returns exactly r.H lines of exactly r.W cells.
	Draw(sc *scene, r Rect, th *Theme) []string
}

// vertexView is a vertex with its numbers and its part in the diagnosis.
type vertexView struct {
	vertex *flinkapi.Vertex
	state  diagnose.VertexState
	// operator is the one inside the chain that a culprit was found to be slow in; empty where none is known.
	operator string
	trouble  trouble
	// grade is how it is shown if it is a culprit.
	grade grade
}

// job returns the job in focus, or nil.
func (sc *scene) job() *flinkapi.Job {
	if sc.obs == nil || sc.base == screenJobs || sc.opening != "" {
		return nil
	}
	return sc.obs.Snapshot.Job
}

// vertices returns the vertices in topological order; they must not be changed.
func (sc *scene) vertices() []vertexView {
	job := sc.job()
	if job == nil {
		return nil
	}
	if len(sc.views) == 0 {
		sc.views = sc.join(job)
	}
	return sc.views
}

// join puts the vertices of a job and what the report says of them together.
func (sc *scene) join(job *flinkapi.Job) []vertexView {
	states := map[flinkapi.VertexID]*diagnose.VertexState{}
	if sc.report != nil {
		for i := range sc.report.Vertices {
			states[sc.report.Vertices[i].Vertex.ID] = &sc.report.Vertices[i]
		}
	}
	troubles := sc.troubles(job)
	out := make([]vertexView, len(job.Vertices))
	for i := range job.Vertices {
		v := &job.Vertices[i]
		state, ok := states[v.ID]
		if !ok {
			state = &diagnose.VertexState{
				Vertex: diagnose.VertexRef{ID: v.ID, Name: v.Name}, Role: diagnose.RoleUnknown, HotSubtask: -1,
			}
		}
		out[i] = vertexView{vertex: v, state: *state, trouble: troubles[v.ID]}
		out[i].grade = firmGrade()
		if c := culpritAt(sc.report, v.ID); c != nil {
			out[i].operator, out[i].grade = c.Operator, gradeOf(c)
		}
	}
	return out
}

// culpritAt returns the culprit of a vertex, or nil.
func culpritAt(rep *diagnose.Report, id flinkapi.VertexID) *diagnose.Culprit {
	if rep == nil {
		return nil
	}
	for i := range rep.Culprits {
		if c := &rep.Culprits[i]; c.Vertex.ID == id {
			return c
		}
	}
	return nil
}

// selectedVertex returns the selected vertex.
func (sc *scene) selectedVertex() (vertexView, bool) {
	for _, v := range sc.vertices() {
		if v.vertex.ID == sc.selected {
			return v, true
		}
	}
	return vertexView{}, false
}

// culprit returns the worst culprit, or nil.
func (sc *scene) culprit() *diagnose.Culprit {
	if sc.report == nil || len(sc.report.Culprits) == 0 {
		return nil
	}
	return &sc.report.Culprits[0]
}

// dataAge returns how old the numbers on the screen are: their age when they came and the time since.
func (sc *scene) dataAge() (time.Duration, bool) {
	if sc.obs == nil {
		return 0, false
	}
	old := sc.now.Sub(sc.received)
	if sc.report != nil {
		if d, ok := seconds(sc.report.Data.MetricAge); ok {
			old += d
		}
	}
	return old, true
}

// matches tells whether a name passes the filter of the lists.
func (sc *scene) matches(name string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(sc.filter))
}
