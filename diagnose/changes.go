package diagnose

import (
	"cmp"
	"slices"
	"time"

	"culprit/flinkapi"
)

// change is what happened to a job of the list. A vanished one leaves its last line.
type change struct {
	what Change
	at   time.Time
	line JobLine
	row  int // where the vanished one stood
}

// noteChanges compares the list of jobs with the one before. The first list of all is no news, and neither is
// one that follows a list that could not be read.
func (m *Monitor) noteChanges(jobs []flinkapi.JobSummary, at time.Time) {
	for id, c := range m.changes {
		if at.Sub(c.at) >= changeTime {
			delete(m.changes, id)
		}
	}
	same := len(jobs) > 0 && len(jobs) == len(m.list) && &jobs[0] == &m.list[0]
	if m.list == nil || same {
		return
	}
	before := make(map[flinkapi.JobID]flinkapi.JobState, len(m.list))
	for _, j := range m.list {
		before[j.ID] = j.State
	}
	now := make(map[flinkapi.JobID]bool, len(jobs))
	for _, j := range jobs {
		now[j.ID] = true
		switch old, known := before[j.ID]; {
		case !known:
			m.changes[j.ID] = change{what: Appeared, at: at}
		case old.Over() || !j.State.Over():
		case j.State == flinkapi.JobFailed:
			m.changes[j.ID] = change{what: Failed, at: at}
		default:
			m.changes[j.ID] = change{what: Ended, at: at}
		}
	}
	for row, old := range m.list {
		if !now[old.ID] {
			m.changes[old.ID] = change{what: Vanished, at: at, line: m.line(old), row: row}
		}
	}
}

// lines has the jobs of the cluster, and those that have just vanished about where they stood.
func (m *Monitor) lines() []JobLine {
	out := make([]JobLine, len(m.list))
	for i, j := range m.list {
		out[i] = m.line(j)
		if c, ok := m.changes[j.ID]; ok {
			out[i].Change, out[i].ChangedAt = c.what, c.at
		}
	}
	var lost []change
	for _, c := range m.changes {
		if c.what == Vanished {
			lost = append(lost, c)
		}
	}
	slices.SortFunc(lost, func(a, b change) int {
		return cmp.Or(a.row-b.row, cmp.Compare(a.line.Job.ID, b.line.Job.ID))
	})
	for _, c := range lost {
		c.line.Change, c.line.ChangedAt = Vanished, c.at
		out = slices.Insert(out, min(c.row, len(out)), c.line)
	}
	return out
}

// line is all that is known of a job.
func (m *Monitor) line(j flinkapi.JobSummary) JobLine {
	out := JobLine{Job: j}
	if w := m.fleet[j.ID]; w != nil {
		out.Lag, out.Err = w.lag, w.err
		if runs(j) {
			out.Glance = w.told
		}
	}
	if w := m.jobs[j.ID]; w != nil {
		out.Report, out.At, out.Lag = w.report, w.looked, w.newerLag(out.Lag)
	}
	return out
}
