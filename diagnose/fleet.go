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
	// fleetLagSpan is over which time the lag of a job of the fleet is seen to grow or to fall.
	fleetLagSpan = 5 * time.Minute
	// changeTime is how long a change of the list is told of.
	changeTime = time.Minute
)

// fleetWatch is what the monitor keeps of a job that it glances at.
type fleetWatch struct {
	// base is the look that the next one is compared with; newest is the newest.
	base, newest *flinkapi.Job
	looked       time.Time
	lagAsked     time.Time
	glance       *Glance
	lag          Lag
	lags         *window // holds nothing but series
	err          *flinkapi.Error
}

// Lag is how far the sources of a job are behind.
type Lag struct {
	// Records wait at its sources; missing where no source tells.
	Records flinkapi.Value
	// Behind is the age of what is fetched, in seconds, where the records are not known.
	Behind flinkapi.Value
	// Slope is by how many records it changes a second; missing without enough readings. Trend is its sign
	// where the readings agree on it: 1 grows, -1 falls, 0 neither.
	Slope flinkapi.Value
	Trend int
	// At is when it was read.
	At time.Time
}

// chooseFleet says which jobs to glance at now, and whose lag to ask for.
func (m *Monitor) chooseFleet(ask Ask) (glances, lags []flinkapi.JobID) {
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
	return append([]flinkapi.JobID{}, first...), m.chooseLag(running, ask.Visible)
}

// glanceDue tells whether a job was not looked at for a while; a job of which there is only one look is asked
// again sooner, since the first answer may be as old as the last time that anybody looked.
func (m *Monitor) glanceDue(id flinkapi.JobID) bool {
	w := m.fleet[id]
	if w == nil {
		return true
	}
	period := fleetPeriod
	if w.glance != nil && w.glance.Span == 0 && w.err == nil {
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
	case slices.Contains(visible, id), w != nil && w.glance != nil && w.glance.Severity() == Warning:
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

// chooseLag returns the job whose lag is asked for now, one at a time: of those in sight the longest unasked,
// and every fourth time of all.
func (m *Monitor) chooseLag(running, visible []flinkapi.JobID) []flinkapi.JobID {
	const turn = 4
	var next flinkapi.JobID
	best := 0
	for _, id := range running {
		w := m.fleet[id]
		if w == nil || w.newest == nil || m.now.Sub(w.lagAsked) < fleetPeriod-m.source.Wait() {
			continue
		}
		rank := 1
		if !slices.Contains(visible, id) && m.seq%turn != 0 {
			rank = 2
		}
		if next == "" || rank < best || rank == best && w.lagAsked.Before(m.fleet[next].lagAsked) {
			next, best = id, rank
		}
	}
	if next == "" {
		return nil
	}
	return []flinkapi.JobID{next}
}

// noteFleet takes in the glances of a look.
func (m *Monitor) noteFleet(s *flinkapi.Snapshot, lags []flinkapi.JobID) {
	m.now = s.At
	for _, f := range s.Fleet {
		w := m.fleet[f.ID]
		if w == nil {
			w = &fleetWatch{lags: newWindow(m.options.limits)}
			m.fleet[f.ID] = w
		}
		w.err = f.Err
		switch {
		case f.Job == nil:
			w.looked = s.At
		case w.newest == nil || f.Job.Read.After(w.newest.Read):
			w.looked = f.Job.Read
			w.take(m.options.limits, f.Job)
		default: // its lag alone is new
			w.newest = f.Job
		}
		w.readLag()
	}
	for _, id := range lags {
		if w := m.fleet[id]; w != nil {
			w.lagAsked = s.At
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
		w.base, w.glance = nil, &now
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
			w.base, w.glance = job, &g
			return
		}
	}
	first := Glance{At: job.Read}.say(SightWaiting, "the next look tells").restarted(limits, job)
	w.base, w.glance = job, &first
}

// anew tells whether a job was started again or rescaled between two looks.
func anew(before, now *flinkapi.Job) bool {
	return !before.EnteredAt[flinkapi.JobRunning].Equal(now.EnteredAt[flinkapi.JobRunning]) ||
		!slices.EqualFunc(before.Vertices, now.Vertices, func(a, b flinkapi.Vertex) bool {
			return a.ID == b.ID && a.Parallelism == b.Parallelism
		})
}

// readLag adds up what the sources tell. What one of them does not tell leaves the whole unknown.
func (w *fleetWatch) readLag() {
	w.lag = Lag{}
	if w.newest == nil {
		return
	}
	g := graphOf(w.newest)
	records, slope, trend, known, trends := 0.0, 0.0, 0, true, true
	for v := range w.newest.Vertices {
		source := &w.newest.Vertices[v]
		if len(g.in[v]) > 0 {
			continue
		}
		w.lags.noteSeries(source)
		w.lag.At = source.SpreadRead
		if behind, ok := source.Spread[flinkapi.FetchLag].Max.Float(); ok {
			w.lag.Behind = flinkapi.Known(max(behind, w.lag.Behind.Or(0)))
		}
		waiting, ok := source.Spread[flinkapi.PendingRecords].Sum.Float()
		known = known && ok
		records += waiting
		t, ok := w.lags.lagTrend(source.ID, fleetLagSpan)
		trends = trends && ok
		slope += t.slope
		trend += t.direction(w.lags.limits)
	}
	if !known || len(w.newest.Vertices) == 0 {
		return
	}
	w.lag.Records = flinkapi.Known(records)
	if trends {
		w.lag.Slope, w.lag.Trend = flinkapi.Known(slope), cmp.Compare(trend, 0)
	}
}

// direction is 1 for a lag that grows, -1 for one that falls, 0 for neither.
func (l *lagTrend) direction(limits thresholds) int {
	switch {
	case l.grows(limits):
		return 1
	case l.slope < 0 && l.tau <= -limits.trendTau:
		return -1
	}
	return 0
}
