package flinkapi

import (
	"context"
	"slices"
	"time"
)

// FleetJob is what a glance at one job of a fleet gave: one of the two is nil.
type FleetJob struct {
	ID JobID
	// Job has its vertices with their sums over the subtasks, and the spread of a source whose lag was asked
	// for and the checkpoints where they were; it has no subtasks.
	Job *Job
	Err *Error
}

const (
	// fleetListAge is how old the list of jobs may get while jobs are glanced at: the Dispatcher asks every
	// JobMaster for it.
	fleetListAge = 5 * time.Second
	// lagSources bounds the sources of one job whose lag is asked for in a look.
	lagSources = 2
	// lagLists is how often the names of a source without a lag are looked up.
	lagLists = 3
)

// readFleet glances at the jobs in focus, one request each, and asks for the lag of some. It tells whether
// the server was overloaded or away.
func (c *Collector) readFleet(ctx context.Context, focus Focus) (all []FleetJob, strained bool) {
	reads := make([]read, len(focus.Fleet))
	for i, id := range focus.Fleet {
		what := call{op: "read the job", path: pathJob, ids: []string{string(id)}}
		reads[i] = ask(c, what, func(w wireJob, at time.Time) {
			s := c.fleet[id]
			if s == nil {
				s = newJobState()
			}
			s.take(w, at, c.fetchInterval())
			c.fleet[id] = s
		})
	}
	failed := map[JobID]*Error{}
	for i, got := range fanOut(ctx, reads) {
		id := focus.Fleet[i]
		if got.err == nil {
			got.err = safely(reads[i].call.op, func() error { got.keep(); return nil })
		}
		if got.err != nil {
			failed[id] = got.err
			strained = strained || got.err.strain()
		}
	}
	strained = c.readLags(ctx, focus, failed) || strained
	strained = c.readFleetCheckpoints(ctx, focus, failed) || strained
	for _, id := range focus.both() {
		switch s := c.fleet[id]; {
		case failed[id] != nil:
			all = append(all, FleetJob{ID: id, Err: failed[id]})
		case s != nil && s.job != nil:
			all = append(all, FleetJob{ID: id, Job: s.describe()})
		}
	}
	return all, strained
}

// both are the jobs to tell of: those glanced at and those of which more was asked for, each once.
func (f Focus) both() []JobID {
	out := slices.Clone(f.Fleet)
	for _, id := range slices.Concat(f.Lags, f.FleetCheckpoints) {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// readLags asks the sources of some of the glanced jobs for their metrics: first for their names, where those
// are not known.
func (c *Collector) readLags(ctx context.Context, focus Focus, failed map[JobID]*Error) (strained bool) {
	for _, id := range focus.Lags {
		s := c.fleet[id]
		if s == nil || failed[id] != nil || s.job.State != JobRunning {
			continue
		}
		var names, spreads []read
		for _, source := range s.lagSources() {
			v := s.vertex(source)
			if !v.named && v.listed < lagLists {
				names = append(names, c.namesRead(s, source))
			}
		}
		strained = c.perform(ctx, s, names) || strained
		for _, source := range s.lagSources() {
			if s.vertex(source).named {
				spreads = append(spreads, c.spreadReads(s, source, false)...)
			}
		}
		strained = c.perform(ctx, s, spreads) || strained
		s.rounds++
	}
	return strained
}

// readFleetCheckpoints asks for the checkpoints of some of the glanced jobs, none of them vertex by vertex.
func (c *Collector) readFleetCheckpoints(
	ctx context.Context, focus Focus, failed map[JobID]*Error,
) (strained bool) {
	for _, id := range focus.FleetCheckpoints {
		if s := c.fleet[id]; s != nil && failed[id] == nil && !s.job.State.Over() {
			strained = c.perform(ctx, s, c.checkpointReads(s)) || strained
		}
	}
	return strained
}

// lagSources are the sources that run, the first few.
func (s *jobState) lagSources() []VertexID {
	var out []VertexID
	for _, v := range s.job.Vertices {
		if len(out) < lagSources && running(v) && s.isSource(v.ID) {
			out = append(out, v.ID)
		}
	}
	return out
}

// forgetFleet drops the jobs that are no longer listed.
func (c *Collector) forgetFleet() {
	for id := range c.fleet {
		if !slices.ContainsFunc(c.cluster.jobs, func(j JobSummary) bool { return j.ID == id }) {
			delete(c.fleet, id)
		}
	}
}
