package diagnose

import (
	"context"
	"errors"
	"time"

	"culprit/flinkapi"
)

// Monitor is the whole line from a source to a verdict; the screen and `culprit check` both step it. It is not
// concurrent: one step at a time.
type Monitor struct {
	source flinkapi.Source
}

// Ask says what the next step is for.
type Ask struct {
	// Job is the job to look into. Empty watches all running jobs in turn; with one running job that is the one.
	Job flinkapi.JobID
	// Vertex is the selected vertex, whose numbers are then kept fresh; may be empty.
	Vertex flinkapi.VertexID
	// Refresh asks for everything now.
	Refresh bool
}

// NewMonitor returns a monitor of the source.
func NewMonitor(source flinkapi.Source) *Monitor {
	return &Monitor{source: source}
}

// Step takes one look and diagnoses it. It fails with a *flinkapi.Error when nothing could be read, and with io.EOF at
// the end of a recording; the last observation then still stands.
func (m *Monitor) Step(context.Context, Ask) (*Observation, error) {
	return nil, errors.ErrUnsupported
}

// Wait tells how long to leave the source alone before the next step.
func (m *Monitor) Wait() time.Duration { return m.source.Wait() }
