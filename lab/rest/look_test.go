package rest

import (
	"encoding/json"
	"math"
	"testing"
)

func subtask(attempt int, busy, backpressured, idle float64, read int64) Subtask {
	return Subtask{Attempt: attempt, Metrics: metrics{
		Busy: millis(busy), Backpressured: millis(backpressured), Idle: millis(idle), Read: read,
	}}
}

func TestBetweenTakesTheLargestShareOfAnySubtask(t *testing.T) {
	before := Vertex{Subtasks: []Subtask{subtask(0, 10, 10, 10, 5), subtask(0, 0, 0, 0, 0)}}
	after := Vertex{Subtasks: []Subtask{subtask(0, 110, 10, 10, 25), subtask(0, 25, 0, 75, 2)}}
	shares := Between(before, after)
	if shares.Busy != 1 || shares.Idle != 0.75 || shares.Backpressured != 0 {
		t.Errorf("shares %+v", shares)
	}
	if len(shares.Records) != 2 || shares.Records[0] != 20 || shares.Records[1] != 2 {
		t.Errorf("records %v", shares.Records)
	}
}

func TestBetweenKeepsUnknownApartFromZero(t *testing.T) {
	tests := map[string][2]Subtask{
		"another attempt":  {subtask(0, 1, 1, 1, 0), subtask(1, 101, 1, 1, 0)},
		"nothing moved":    {subtask(0, 1, 1, 1, 0), subtask(0, 1, 1, 1, 0)},
		"busy is NaN":      {subtask(0, 1, 1, 1, 0), subtask(0, math.NaN(), 5, 5, 0)},
		"counters fell":    {subtask(0, 100, 1, 1, 0), subtask(0, 10, 1, 1, 0)},
		"NaN at the start": {subtask(0, math.NaN(), 0, 0, 0), subtask(0, 10, 1, 1, 0)},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			shares := Between(Vertex{Subtasks: tc[:1]}, Vertex{Subtasks: tc[1:]})
			if !math.IsNaN(shares.Busy) || !math.IsNaN(shares.Backpressured) || !math.IsNaN(shares.Idle) {
				t.Errorf("shares %+v, want NaN", shares)
			}
		})
	}
}

func TestSubtaskReadsNaN(t *testing.T) {
	var s Subtask
	err := json.Unmarshal([]byte(`{"metrics": {"accumulated-busy-time": "NaN", "accumulated-idle-time": 7}}`), &s)
	if err != nil || !math.IsNaN(float64(s.Metrics.Busy)) || s.Metrics.Idle != 7 {
		t.Errorf("read %+v, %v", s.Metrics, err)
	}
	if err := json.Unmarshal([]byte(`{"metrics": {"accumulated-busy-time": "soon"}}`), &s); err == nil {
		t.Error("a word was read as a number")
	}
}
