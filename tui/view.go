package tui

import (
	"culprit/diagnose"
	"culprit/flinkapi"
)

// View returns the frame, drawn anew only when something that it shows has changed.
func (m *app) View() string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	key := frameCache{obs: m.picture().obs, rev: m.rev, w: m.w, h: m.h, second: m.now.Unix()}
	if old := m.frame; old.text != "" && key.obs == old.obs && key.rev == old.rev && key.w == old.w &&
		key.h == old.h && key.second == old.second {
		return old.text
	}
	key.text = m.theme.spell(m.drawTimed())
	m.frame = key
	return key.text
}

// draw composes one frame.
func (m *app) draw() string {
	sc, th := m.scene(), m.theme
	p := m.panels(sc)
	if m.opts.Wall {
		return compose([]part{{Rect{W: m.w, H: m.h}, drawWall(sc, Rect{W: m.w, H: m.h}, th)}}, m.h)
	}
	if p.TooSmall {
		return compose([]part{{p.Body, drawTooSmall(sc, p.Body, th)}}, m.h)
	}
	sc.detailed = !p.Detail.empty()
	detail := drawDetail(sc, p.Detail, th)
	if list, ok := m.panes[sc.screen].(*jobsPane); ok {
		detail = list.detail(sc, p.Detail, th)
	}
	parts := []part{
		{p.Header, drawHeader(sc, p.Header, th)},
		{p.Card, drawCard(sc, p.Card, p.Compact, th)},
		{p.Body, m.panes[sc.screen].Draw(sc, p.Body, th)},
		{p.Detail, detail},
		{p.Ladder, drawLadder(sc, p.Ladder, th)},
		{p.Trend, drawTrend(sc, p.Trend, th)},
		{p.Footer, drawFooter(sc, p.Footer, th)},
	}
	frame := compose(parts, m.h)
	if m.palette != nil {
		r := m.palette.rect(m.w, m.h)
		frame = overlay(frame, m.palette.draw(r, th), r)
	}
	return frame
}

// panels places the parts; a graph or list that is smaller than its room leaves the rest to the details.
func (m *app) panels(sc *scene) panels {
	mode := sc.screen.layout()
	g, ok := m.panes[sc.screen].(*graphPane)
	if !ok || m.w < minWidth || m.h < minHeight {
		return arrange(m.w, m.h, mode, layoutAsk{})
	}
	ask := layoutAsk{card: m.card.hold(sc, m.w, m.h, m.theme)}
	ask.body = g.need(sc, arrange(m.w, m.h, mode, ask).Body, m.theme)
	ask.detail = detailNeed(sc)
	return arrange(m.w, m.h, mode, ask)
}

// scene gathers what the frame is drawn from.
func (m *app) scene() *scene {
	p := m.picture()
	sc := &scene{
		obs: p.obs, received: p.at, now: m.now, zone: m.opts.Zone, screen: m.screen(), base: m.base(),
		selected: m.chosen, link: m.loop.link, frozen: m.held.obs != nil, mode: m.opts.Mode,
		filter: m.input.Value(), typing: m.input.Focused(), input: &m.input,
		toast: m.toast, timeLine: m.timeLine, paused: m.loop.paused,
		traveling: m.loop.trip != nil, heading: m.heading, replay: m.opts.Replay,
		applied: m.applied,
		target:  m.opts.Target, targets: m.opts.Targets, actions: m.actions, silences: m.silences,
	}
	m.placeInTime(sc)
	if sc.screen == screenCompare {
		sc.comparison, sc.marked = m.compared.now(), m.compared.at
	}
	if p.obs == nil || sc.base == screenJobs {
		return sc
	}
	sc.report = p.obs.Report
	wanted := m.opened
	if wanted.ID == "" {
		wanted.Name = m.loop.ask.Name
	}
	sc.lookFor(wanted)
	if _, ok := sc.selectedVertex(); !ok {
		sc.selected = defaultSelection(sc)
	}
	return sc
}

// lookFor makes the scene one of the wanted job, or where there is none, of the only one that runs or is
// there at all. A job that
// was not read yet is being opened; the list may hold a verdict on it.
func (sc *scene) lookFor(wanted flinkapi.JobSummary) {
	job := sc.obs.Snapshot.Job
	if wanted.ID == "" && wanted.Name == "" && job == nil {
		for _, j := range sc.obs.Jobs {
			if !j.Job.State.Over() || len(sc.obs.Jobs) == 1 {
				wanted = j.Job
			}
		}
	}
	if wanted.ID == "" && job != nil || job != nil && job.ID == wanted.ID {
		return
	}
	sc.report, sc.opening = reportOf(sc.obs, wanted.ID), first(wanted.Name, string(wanted.ID))
}

// reportOf returns the newest report of a job of the list.
func reportOf(obs *diagnose.Observation, id flinkapi.JobID) *diagnose.Report {
	for i := range obs.Jobs {
		if obs.Jobs[i].Job.ID == id {
			return obs.Jobs[i].Report
		}
	}
	return nil
}

// defaultSelection is the culprit, else what the verdict is about, else the first vertex.
func defaultSelection(sc *scene) flinkapi.VertexID {
	if c := sc.culprit(); c != nil {
		return c.Vertex.ID
	}
	for _, v := range sc.vertices() {
		if v.trouble.word != "" {
			return v.vertex.ID
		}
	}
	if sc.report != nil && sc.job() != nil {
		if f := sc.report.Lead(); f != nil && sc.job().Vertex(f.Subject.Vertex) != nil {
			return f.Subject.Vertex
		}
	}
	if v := sc.vertices(); len(v) > 0 {
		return v[0].vertex.ID
	}
	return ""
}
