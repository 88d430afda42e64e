package diagnose

import (
	"context"
	"fmt"
	"testing"
	"time"

	"culprit/flinkapi"
)

// worlds is a source of several hand-made jobs. Time passes only by pass.
type worlds struct {
	t    *testing.T
	now  time.Time
	jobs []*world
	wait time.Duration
	// err fails the next looks.
	err     error
	focuses []flinkapi.Focus
}

var _ flinkapi.Source = (*worlds)(nil)

// jobs builds a source of jobs with these graphs, called job-0, job-1, ….
func jobs(t *testing.T, graphs ...string) *worlds {
	t.Helper()
	s := &worlds{t: t, now: noon, wait: 10 * time.Second}
	for i, graph := range graphs {
		w := newWorld(t, graph)
		w.job.ID, w.job.Name = flinkapi.JobID(fmt.Sprintf("id-%d", i)), fmt.Sprintf("job-%d", i)
		s.jobs = append(s.jobs, w)
	}
	return s
}

const (
	quiet = "src 5/0 -> sink\nsink 40/0"
	slow  = "src 2/98 -> sink\nsink 99/0"
)

func (s *worlds) Wait() time.Duration { return s.wait }

func (s *worlds) Next(_ context.Context, focus flinkapi.Focus) (*flinkapi.Snapshot, error) {
	s.focuses = append(s.focuses, focus)
	if s.err != nil {
		return nil, s.err
	}
	out := &flinkapi.Snapshot{At: s.now}
	for _, w := range s.jobs {
		if w.job.ID == focus.Job {
			out = w.snapshot(s.now.Sub(w.now))
		}
	}
	if focus.Job != "" && out.Job == nil {
		return nil, &flinkapi.Error{Op: "read the job", Kind: flinkapi.KindNoJob, Detail: "no such job"}
	}
	out.Jobs = nil
	for _, w := range s.jobs {
		out.Jobs = append(out.Jobs, flinkapi.JobSummary{ID: w.job.ID, Name: w.job.Name, State: w.job.State})
	}
	return out, nil
}

func (s *worlds) pass(d time.Duration) { s.now = s.now.Add(d) }

// focus is that of the newest look.
func (s *worlds) focus() flinkapi.Focus { return s.focuses[len(s.focuses)-1] }

// step takes one step that must succeed.
func (s *worlds) step(m *Monitor, ask Ask) *Observation {
	s.t.Helper()
	obs, err := m.Step(s.t.Context(), ask)
	if err != nil {
		s.t.Fatal(err)
	}
	return obs
}

// run steps as often as the monitor wants to until d has passed.
func (s *worlds) run(m *Monitor, ask Ask, d time.Duration) *Observation {
	s.t.Helper()
	var obs *Observation
	for end := s.now.Add(d); s.now.Before(end); s.pass(max(m.Wait(), time.Millisecond)) {
		obs = s.step(m, ask)
	}
	return obs
}
