package diagnose

import (
	"context"
	"errors"
	"fmt"

	"culprit/flinkapi"
)

// judgedAgain is how many looks before the target of a seek are diagnosed in full: what a rule said a moment
// ago has a say in what it says now.
const judgedAgain = 60

// Seek goes to the look i of a recording and returns what it shows. The diagnosis starts anew some minutes
// before it, so that what is told of the time before that ("since ... or earlier") may differ from a replay
// from the beginning. It fails where the source is no recording.
func (m *Monitor) Seek(ctx context.Context, i int, ask Ask) (*Observation, error) {
	recording, ok := m.source.(flinkapi.Seeker)
	if !ok {
		return nil, errors.New("only a recording has other moments")
	}
	if _, err := recording.Seek(i); err != nil {
		return nil, fmt.Errorf("go to another moment: %w", err)
	}
	*m = *NewMonitor(m.source, m.options)
	defer func() { m.hurried = false }()
	for recording.Position() < i {
		m.hurried = recording.Position() < i-judgedAgain
		_, err := m.Step(ctx, ask)
		var known *flinkapi.Error
		if err != nil && (!errors.As(err, &known) || ctx.Err() != nil) {
			return nil, err // a failure that was recorded is a part of the replay
		}
	}
	m.hurried = false
	return m.Step(ctx, ask)
}
