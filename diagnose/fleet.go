package diagnose

import (
	"cmp"
	"slices"
	"time"

	"culprit/flinkapi"
)

const (
	// fleetPeriod is how long a glance at a job stays fresh: Flink collects metrics no more often.
	fleetPeriod = 10 * time.Second
	// glancesPerSecond bounds the glances at a fleet, firstGlances those of the first look at one.
	glancesPerSecond = 5
	firstGlances     = 20
	// rest of the glances goes to whoever was not looked at for the longest time, so that nobody is forgotten
	// while others are in sight or unwell.
	fleetRest = 3
	// checkpointPeriod is how old the checkpoints of a job of the fleet may get, as far as one request every
	// checkpointTurn looks keeps up with that.
	checkpointPeriod = 30 * time.Second
	checkpointTurn   = 2
	// fleetAway is after how long without glances the next one compares with nothing before.
	fleetAway = time.Minute
	// changeTime is how long a change of the list is told of.
	changeTime = time.Minute
)

// fleetWatch is what the monitor keeps of a job that it glances at.
type fleetWatch struct {
	// base is the look that the next one is compared with; newest is the newest.
	base, newest *flinkapi.Job
	looked       time.Time
	// broken is set where nobody glanced for a while: base is then left out, and glance is an old one.
	broken bool
	// glance goes by the means alone; told has the lag, the checkpoints and the restarts too.
	glance, told               *Glance
	lagAsked, checkpointsAsked time.Time
	lag                        Lag
	directed                   time.Time // when the lag was last seen to have its direction
	past                       *window   // holds nothing but series and checkpoints
	err                        *flinkapi.Error
}

// chooseFleet says which jobs to glance at now, and of whom to ask for the lag or the checkpoints.
func (m *Monitor) chooseFleet(ask Ask, f *flinkapi.Focus) {
	m.noteFleetAway()
	var running []flinkapi.JobID
	for _, j := range m.list {
		if runs(j) {
			running = append(running, j.ID)
		}
	}
	most := firstGlances
	if len(m.fleet) > 0 {
		most = max(int(glancesPerSecond*m.source.Wait().Seconds()), 1)
	}
	due := slices.DeleteFunc(slices.Clone(running), func(id flinkapi.JobID) bool { return !m.glanceDue(id) })
	first := m.inOrder(due, func(id flinkapi.JobID) int { return m.rank(id, ask.Visible) })
	if len(first) > most {
		rest := m.inOrder(first[most-most/fleetRest:], func(flinkapi.JobID) int { return 0 })
		first = append(first[:most-most/fleetRest:most-most/fleetRest], rest[:most/fleetRest]...)
	}
	f.Fleet = append([]flinkapi.JobID{}, first...)
	f.Lags = m.next(running, ask.Visible, fleetPeriod, func(w *fleetWatch) time.Time { return w.lagAsked })
	if m.seq%checkpointTurn == 0 {
		asked := func(w *fleetWatch) time.Time { return w.checkpointsAsked }
		f.FleetCheckpoints = m.next(running, ask.Visible, checkpointPeriod, asked)
	}
}

// noteFleetAway lets the next glances compare with nothing from before a time without any.
func (m *Monitor) noteFleetAway() {
	if m.glanced.IsZero() || m.now.Sub(m.glanced) < fleetAway {
		return
	}
	for _, w := range m.fleet {
		w.base, w.broken = nil, true
	}
}

// glanceDue tells whether a job was not looked at for a while; a job of which there is only one look is asked
// again sooner, since the first answer may be as old as the last time that anybody looked.
func (m *Monitor) glanceDue(id flinkapi.JobID) bool {
	w := m.fleet[id]
	if w == nil {
		return true
	}
	period := fleetPeriod
	if w.glance != nil && (w.broken || w.glance.Span == 0) && w.err == nil {
		period = fleetPeriod / 4
	}
	return m.now.Add(m.source.Wait()).Sub(w.looked) >= period
}

// rank puts jobs in sight and unwell ones first, then those never looked at.
func (m *Monitor) rank(id flinkapi.JobID, visible []flinkapi.JobID) int {
	w := m.fleet[id]
	switch {
	case w == nil && slices.Contains(visible, id):
		return 0
	case slices.Contains(visible, id), w != nil && w.told != nil && w.told.Severity() != UnknownSeverity:
		return 1
	case w == nil:
		return 2
	}
	return 3
}

// inOrder sorts jobs by rank, then by how long ago they were looked at.
func (m *Monitor) inOrder(ids []flinkapi.JobID, rank func(flinkapi.JobID) int) []flinkapi.JobID {
	looked := func(id flinkapi.JobID) time.Time {
		if w := m.fleet[id]; w != nil {
			return w.looked
		}
		return time.Time{}
	}
	out := slices.Clone(ids)
	slices.SortStableFunc(out, func(a, b flinkapi.JobID) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), looked(a).Compare(looked(b)))
	})
	return out
}

// next returns the job of which more is asked for now, one at a time and none before a period is over: of
// those in sight the longest unasked, and every fourth time of all.
func (m *Monitor) next(
	running, visible []flinkapi.JobID, period time.Duration, asked func(*fleetWatch) time.Time,
) []flinkapi.JobID {
	const turn = 4
	var next flinkapi.JobID
	best := 0
	for _, id := range running {
		w := m.fleet[id]
		if w == nil || w.newest == nil || m.now.Sub(asked(w)) < period-m.source.Wait() {
			continue
		}
		rank := 1
		if !slices.Contains(visible, id) && m.seq%turn != 0 {
			rank = 2
		}
		if next == "" || rank < best || rank == best && asked(w).Before(asked(m.fleet[next])) {
			next, best = id, rank
		}
	}
	if next == "" {
		return nil
	}
	return []flinkapi.JobID{next}
}

// noteFleet takes in the glances of a look.
func (m *Monitor) noteFleet(s *flinkapi.Snapshot, focus flinkapi.Focus) {
	m.now = s.At
	if m.glancing {
		m.glanced = s.At
	}
	for _, f := range s.Fleet {
		w := m.fleet[f.ID]
		if w == nil {
			w = &fleetWatch{past: newWindow(m.options.limits)}
			m.fleet[f.ID] = w
		}
		w.err = f.Err
		switch {
		case f.Job == nil:
			w.looked = s.At
		case w.newest == nil || f.Job.Read.After(w.newest.Read):
			w.looked = f.Job.Read
			w.take(m.options.limits, f.Job)
		default: // its lag or its checkpoints alone are new
			w.newest = f.Job
		}
		if w.newest != nil {
			g := graphOf(w.newest)
			w.noteLag(g)
			w.past.noteCheckpoints(w.newest.Checkpoints)
			w.tell(&m.options, s, g)
		}
	}
	for _, id := range focus.Lags {
		if w := m.fleet[id]; w != nil {
			w.lagAsked = s.At
		}
	}
	for _, id := range focus.FleetCheckpoints {
		if w := m.fleet[id]; w != nil {
			w.checkpointsAsked = s.At
		}
	}
	for id := range m.fleet {
		if !slices.ContainsFunc(m.list, func(j flinkapi.JobSummary) bool { return j.ID == id }) {
			delete(m.fleet, id)
		}
	}
}

// take compares a look with an earlier one of the same attempt, once the sums have advanced.
func (w *fleetWatch) take(limits thresholds, job *flinkapi.Job) {
	before := w.base
	w.newest = job
	if job.State != flinkapi.JobRunning {
		now := Glance{At: job.Read}.say(SightWaiting, "it is "+string(job.State))
		if job.State == flinkapi.JobRestarting || job.State == flinkapi.JobFailing {
			now.Sight = SightRestarted
		}
		w.base, w.glance, w.broken = nil, &now, false
		return
	}
	if before != nil && !anew(before, job) {
		span := job.Read.Sub(before.Read)
		advanced, known := progress(before, job)
		switch {
		case known && advanced < leastGlance && span < 2*glanceSlack:
			return // Flink has not collected anew
		case known && advanced <= span+glanceSlack, !known && span >= 2*glanceSlack:
			g := glance(limits, graphOf(job), before, job)
			w.base, w.glance, w.broken = job, &g, false
			return
		}
	}
	w.base = job
	if w.broken && before == nil && w.glance != nil {
		return // the old one stands, with its age, until the next look
	}
	first := Glance{At: job.Read}.say(SightWaiting, "the next look tells")
	w.glance, w.broken = &first, false
}

// anew tells whether a job was started again or rescaled between two looks.
func anew(before, now *flinkapi.Job) bool {
	return !before.EnteredAt[flinkapi.JobRunning].Equal(now.EnteredAt[flinkapi.JobRunning]) ||
		!slices.EqualFunc(before.Vertices, now.Vertices, func(a, b flinkapi.Vertex) bool {
			return a.ID == b.ID && a.Parallelism == b.Parallelism
		})
}
