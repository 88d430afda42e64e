package diagnose_test

import (
	"context"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// paced is a source that takes 40 ms for a look and decodes 5 ms more each time.
type paced struct {
	now   time.Time
	looks int
}

func (p *paced) Next(context.Context, flinkapi.Focus) (*flinkapi.Snapshot, error) {
	p.now = p.now.Add(40 * time.Millisecond)
	p.looks++
	return &flinkapi.Snapshot{
		At: p.now, Cost: flinkapi.Cost{Decoding: flinkapi.Known(0.005 * float64(p.looks))},
	}, nil
}

func (p *paced) Wait() time.Duration { return time.Second }

func TestStagesOfAStep(t *testing.T) {
	source := &paced{now: time.Date(2026, 3, 14, 3, 0, 0, 0, time.UTC)}
	options := diagnose.DefaultOptions()
	took := func(m *diagnose.Monitor) diagnose.Stages {
		t.Helper()
		obs, err := m.Step(t.Context(), diagnose.Ask{})
		if err != nil {
			t.Fatal(err)
		}
		return obs.Took
	}
	if got := took(diagnose.NewMonitor(source, options)); got != (diagnose.Stages{}) {
		t.Errorf("without a stopwatch a step took %v", got)
	}
	source.looks = 0
	options.Stopwatch = func() time.Time { source.now = source.now.Add(time.Millisecond); return source.now }
	m := diagnose.NewMonitor(source, options)
	for range 3 {
		got := took(m)
		if got.Collect != flinkapi.Known(0.041) || got.Diagnose != flinkapi.Known(0.001) {
			t.Errorf("collecting took %v s and diagnosing %v s, want 0.041 and 0.001", got.Collect, got.Diagnose)
		}
		if d := got.Decode.Or(0); d < 0.00499 || d > 0.00501 {
			t.Errorf("decoding took %v s, want 0.005", d)
		}
	}
}
