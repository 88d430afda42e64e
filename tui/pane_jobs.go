package tui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// jobsPane is the list of jobs, each with its newest verdict. Its cursor follows the job, not the row; before
// it was moved it stays on the first row.
type jobsPane struct {
	at     flinkapi.JobID
	scroll scroll
	order  jobOrder
	turned bool // the order is reversed
	// seen are the jobs that were in sight when the list was drawn last.
	seen []flinkapi.JobID
	// kept is the line under the cursor and row where it stood, so that it stays when its job is gone.
	kept diagnose.JobLine
	row  int
}

// jobOrder is what the list is sorted by.
type jobOrder uint8

const (
	byVerdict jobOrder = iota
	byName
	byState
	byLag
	byAge
	jobOrders
)

// Key moves the cursor, or sorts.
func (p *jobsPane) Key(a ActionID, sc *scene, r Rect, _ *Theme) bool {
	switch a {
	case ActionSort:
		p.order, p.turned = (p.order+1)%jobOrders, false
		return true
	case ActionReverse:
		p.turned = !p.turned
		return true
	default:
	}
	shown := p.shown(sc)
	if len(shown) == 0 {
		return false
	}
	i, ok := moved(a, p.index(shown), len(shown), r.H-1)
	p.at = shown[i].Job.ID
	p.keep(shown, i)
	return ok
}

// keep remembers the line under a cursor that was moved.
func (p *jobsPane) keep(shown []diagnose.JobLine, i int) {
	if p.at != "" && shown[i].Job.ID == p.at {
		p.kept, p.row = shown[i], i
	}
}

// moved returns where a cursor among n rows goes by an action, with pages of h rows.
func moved(a ActionID, i, n, h int) (int, bool) {
	switch a {
	case ActionUp:
		i--
	case ActionDown:
		i++
	case ActionPageUp:
		i -= max(h, 1)
	case ActionPageDown:
		i += max(h, 1)
	case ActionTop:
		i = 0
	case ActionBottom:
		i = n - 1
	default:
		return min(max(i, 0), n-1), false
	}
	return min(max(i, 0), n-1), true
}

// current returns the job under the cursor.
func (p *jobsPane) current(sc *scene) (diagnose.JobLine, bool) {
	shown := p.shown(sc)
	if len(shown) == 0 {
		return diagnose.JobLine{}, false
	}
	return shown[p.index(shown)], true
}

// hold keeps the cursor on the job that it is on, though it was not moved there: one opened, or found.
func (p *jobsPane) hold(sc *scene) {
	shown := p.shown(sc)
	if len(shown) == 0 {
		return
	}
	i := p.index(shown)
	p.at = shown[i].Job.ID
	p.keep(shown, i)
}

// detail draws the verdict on the job under the cursor.
func (p *jobsPane) detail(sc *scene, r Rect, th *Theme) []string {
	j, ok := p.current(sc)
	if !ok {
		return th.fillRect(nil, r)
	}
	return drawJob(sc, j, r, th)
}

// shown are the jobs that pass the filter, in order; those that are alike in it by name, lest they swap
// places as the cluster lists them. The one under the cursor stays where it was when it is
// no longer listed.
func (p *jobsPane) shown(sc *scene) []diagnose.JobLine {
	if sc.obs == nil {
		return nil
	}
	var out []diagnose.JobLine
	listed := p.at == "" || p.kept.Job.ID != p.at || !sc.matches(p.kept.Job.Name)
	for _, j := range sc.obs.Jobs {
		listed = listed || j.Job.ID == p.at
		if sc.matches(j.Job.Name) {
			out = append(out, j)
		}
	}
	sign := 1
	if p.turned {
		sign = -1
	}
	slices.SortFunc(out, func(a, b diagnose.JobLine) int {
		return cmp.Or(
			sign*p.order.compare(sc, a, b),
			byName.compare(sc, a, b), strings.Compare(string(a.Job.ID), string(b.Job.ID)),
		)
	})
	if !listed {
		gone := p.kept
		if gone.Change != diagnose.Vanished {
			gone.Change, gone.ChangedAt = diagnose.Vanished, sc.obs.At
		}
		out = slices.Insert(out, min(p.row, len(out)), gone)
	}
	return out
}

// compare puts the worst, the first by name or state, the furthest behind or the youngest first.
func (o jobOrder) compare(sc *scene, a, b diagnose.JobLine) int {
	switch o {
	case byName:
		return strings.Compare(strings.ToLower(a.Job.Name), strings.ToLower(b.Job.Name))
	case byState:
		return strings.Compare(string(a.Job.State), string(b.Job.State))
	case byLag:
		return cmp.Compare(lagRank(b.Lag), lagRank(a.Lag))
	case byAge:
		return b.Job.StartedAt.Compare(a.Job.StartedAt)
	case byVerdict, jobOrders:
	}
	return urgency(sc, b) - urgency(sc, a)
}

// lagRank puts a lag in records before one in seconds, and the unknown last.
func lagRank(l diagnose.Lag) float64 {
	const seconds, unknown = -1e9, -2e9
	if x, ok := l.Records.Float(); ok {
		return x
	}
	if x, ok := l.Behind.Float(); ok {
		return seconds + min(x, -seconds/2)
	}
	return unknown
}

// glanceAfter is from when on a glance says more than an older full verdict.
const glanceAfter = time.Minute

// verdictOf returns the report or the glance that stands for a job now: a fresh full look that could tell,
// else a glance, else whatever there is.
func verdictOf(sc *scene, j diagnose.JobLine) (*diagnose.Report, *diagnose.Glance) {
	if j.Report == nil || j.Glance == nil {
		return j.Report, j.Glance
	}
	told := j.Report.Undetermined == nil
	fresh := told && sc.obs.At.Sub(j.At) <= glanceAfter && !outdone(j)
	if fresh || told && j.Glance.Sight == diagnose.SightCalm && unseen(j.Report) {
		return j.Report, nil
	}
	return nil, j.Glance
}

// outdone tells whether a full look that found nothing says less than a glance: it was too short for that to
// be firm, or the glance is newer and warns.
func outdone(j diagnose.JobLine) bool {
	warns := j.Glance.Severity() != diagnose.UnknownSeverity
	return j.Report.Severity == diagnose.OK && (!j.Report.Firm || warns && j.Glance.At.After(j.At))
}

// unseen tells whether a report warns of something that no glance can see, as it goes by shares of time
// alone: a watermark that is held, state that grows. A glance that is calm does not take that back.
func unseen(rep *diagnose.Report) bool {
	return len(rep.Culprits) == 0 && rep.Severity == diagnose.Warning
}

// urgency puts the jobs that need somebody first, and those that have failed before those that are well; the
// ones without a verdict come last, after them those that are over.
func urgency(sc *scene, j diagnose.JobLine) int {
	const critical, failed, warning, unwell, unknown, calm, fine, none, over = 9, 8, 7, 6, 5, 4, 3, 2, 1
	rep, glance := verdictOf(sc, j)
	var severity diagnose.Severity
	switch {
	case rep != nil && rep.Severity == diagnose.Critical:
		return critical
	case j.Job.State == flinkapi.JobFailed, j.Job.State == flinkapi.JobFailing,
		j.Job.State == flinkapi.JobRestarting:
		return failed
	case rep != nil:
		severity = rep.Severity
	case j.Job.State.Over():
		return over
	case glance == nil:
		return none
	case glance.Sight == diagnose.SightRestarted: // between two restarts it runs
		return failed
	case glance.Severity() == diagnose.Critical:
		return critical
	case glance.Sight == diagnose.SightLikely:
		return warning
	case glance.Sight == diagnose.SightCalm:
		return calm
	default:
		severity = glance.Severity()
	}
	switch severity {
	case diagnose.OK:
		return fine
	case diagnose.Warning:
		if rep == nil {
			return unwell
		}
		return warning
	case diagnose.Critical, diagnose.UnknownSeverity:
	}
	return unknown
}

func (p *jobsPane) index(shown []diagnose.JobLine) int {
	for i, j := range shown {
		if j.Job.ID == p.at {
			return i
		}
	}
	return 0
}

// Draw returns the list.
func (p *jobsPane) Draw(sc *scene, r Rect, th *Theme) []string {
	p.seen = p.seen[:0:0]
	if r.empty() {
		return nil
	}
	shown := p.shown(sc)
	if len(shown) == 0 {
		text := "this cluster runs no jobs; the first one that starts opens by itself"
		if sc.filter != "" {
			text = "no job is named like this"
		}
		return th.fillRect([]line{{say(toneDim, text)}}, r)
	}
	c := jobColumnsFor(r.W, sc.obs.Jobs)
	at := p.index(shown)
	p.keep(shown, at)
	table := p.scroll.around(len(shown), at, r.W, r.H-1, func(i int) string {
		p.seen = append(p.seen, shown[i].Job.ID)
		return th.paint(c.line(sc, shown[i], i == at, th), r.W)
	})
	return append([]string{th.paint(c.head(p, th), r.W)}, table...)
}

// jobs are those on the screen.
func (m *app) jobs() []diagnose.JobLine {
	if p := m.picture(); p.obs != nil {
		return p.obs.Jobs
	}
	return nil
}
