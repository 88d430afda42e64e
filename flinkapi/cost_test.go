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
		after   time.Duration
		more    int64
		lately  int     // requests of the last minute, or since the start
		seconds float64 // the time to which they are related
	}{
		{0, 30, 30, 10},
		{10 * time.Second, 6, 36, 10},
		{59 * time.Second, 6, 42, 59},
		{60 * time.Second, 0, 12, 60},
		{69 * time.Second, 1, 13, 60},
		{70 * time.Second, 1, 8, 60},
		{300 * time.Second, 2, 2, 60},
		{400 * time.Second, 0, 0, 60},
	}
	total := 0
	for _, s := range steps {
		m.requests.Add(s.more)
		total += int(s.more)
		got := c.update(&Client{meter: m}, start.Add(s.after))
		if want := float64(s.lately) / s.seconds; got.PerSecond != want || got.Requests != total {
			t.Errorf("after %v: got %+v, want %d requests and %v/s", s.after, got, total, want)
		}
	}
}
