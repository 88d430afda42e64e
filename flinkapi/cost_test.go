package flinkapi

import (
	"testing"
	"time"
)

func TestTheCostOfTheLastMinute(t *testing.T) {
	start := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	var c costs
	m := &meter{}
	steps := []struct {
		after  time.Duration
		more   int64
		minute int // requests of the last minute
	}{
		{0, 30, 30},
		{10 * time.Second, 6, 36},
		{59 * time.Second, 6, 42},
		{60 * time.Second, 0, 12},
		{69 * time.Second, 1, 13},
		{70 * time.Second, 1, 8},
		{300 * time.Second, 2, 2},
		{400 * time.Second, 0, 0},
	}
	total := 0
	for _, s := range steps {
		m.requests.Add(s.more)
		total += int(s.more)
		got := c.update(m, start.Add(s.after))
		if want := float64(s.minute) / 60; got.PerSecond != want || got.Requests != total {
			t.Errorf("after %v: got %+v, want %d requests and %v/s", s.after, got, total, want)
		}
	}
}
