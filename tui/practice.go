package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Incident is the simulated incident behind the monitor, on which treatments can be tried. Its methods return
// at once, and may be called beside a step.
type Incident interface {
	// Treatments are what can be tried, in an order that does not tell which of them helps.
	Treatments() []Treatment
	// Apply begins a treatment by its name.
	Apply(name string) (Applied, error)
}

// Treatment is something that can be tried. Does says what is done, and not what comes of it.
type Treatment struct{ Name, Does string }

// Applied is a treatment that was begun.
type Applied struct {
	Name string
	// Says is what it does and what comes of it.
	Says string
	// At is when it began, by the clock of the source.
	At time.Time
}

// ActionTreat opens the list of treatments.
const ActionTreat ActionID = "treat"

// practice are the actions on a simulated incident.
func practice() []Action {
	return []Action{{
		ActionTreat, bind("a", "apply a fix", "a"), ScopeAlways, 5, 0,
		"in a demo: choose a treatment of the incident and apply it now; some cure it, others change nothing",
	}}
}

// openTreatments shows what can be tried.
func (m *app) openTreatments() {
	all := m.opts.Incident.Treatments()
	if len(all) == 0 {
		m.say("there is nothing to treat in this scenario")
		return
	}
	p := &palette{input: m.theme.input, title: "apply a treatment now", whole: true}
	for _, t := range all {
		p.all = append(p.all, command{t.Name, t.Does, "", func(m *app) tea.Cmd { return m.treat(t.Name) }})
	}
	p.input.Prompt = "/"
	p.input.Focus()
	p.search()
	m.palette = p
}

// treat applies a treatment, and looks at once at what comes of it.
func (m *app) treat(name string) tea.Cmd {
	done, err := m.opts.Incident.Apply(name)
	if err != nil {
		m.sayFor("not applied: "+err.Error(), keptTime)
		return nil
	}
	m.applied = append(m.applied, done)
	m.sayFor("applied "+name+": "+done.Says, keptTime)
	return nil
}

// treated are the treatments that had been applied when the picture was taken, oldest first.
func (sc *scene) treated() []Applied {
	var out []Applied
	for _, a := range sc.applied {
		if !sc.frozen || sc.obs != nil && !a.At.After(sc.obs.At) {
			out = append(out, a)
		}
	}
	return out
}

// lastTreatment says what was applied last, and when, for the second row of the header; empty for nothing.
func (sc *scene) lastTreatment() string {
	all := sc.treated()
	if len(all) == 0 {
		return ""
	}
	last := all[len(all)-1]
	return "applied " + last.Name + " " + last.At.In(sc.zone).Format("15:04:05")
}

// treatments adds what was applied.
func (l *timeline) treatments(sc *scene) {
	for _, a := range sc.treated() {
		l.add(event{kind: eventTreatment, text: "applied " + a.Name + ": " + a.Says}, a.At, 0)
	}
}
