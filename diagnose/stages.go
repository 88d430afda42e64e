package diagnose

import (
	"time"

	"culprit/flinkapi"
)

// Stages is how long the stages of one step took, in seconds; each is unknown where nobody measures.
type Stages struct {
	// Collect is from the first request to the snapshot, decoding included.
	Collect flinkapi.Value
	// Decode is the part of it that decoding took, summed over the answers that were decoded at the same time.
	Decode flinkapi.Value
	// Diagnose is from the snapshot to the report.
	Diagnose flinkapi.Value
}

// stopwatch tells the time that stages are measured with; zero where nobody measures.
func (m *Monitor) stopwatch() time.Time {
	if m.options.Stopwatch == nil {
		return time.Time{}
	}
	return m.options.Stopwatch()
}

// stages measures a step that ends now.
func (m *Monitor) stages(began, collected time.Time, s *flinkapi.Snapshot) Stages {
	before := m.decoded
	m.decoded = s.Cost.Decoding
	if m.options.Stopwatch == nil {
		return Stages{}
	}
	out := Stages{
		Collect:  flinkapi.Known(collected.Sub(began).Seconds()),
		Diagnose: flinkapi.Known(m.stopwatch().Sub(collected).Seconds()),
	}
	if sum, ok := s.Cost.Decoding.Float(); ok && sum >= before.Or(0) {
		out.Decode = flinkapi.Known(sum - before.Or(0))
	}
	return out
}
