package lab

import (
	"encoding/json"
	"strings"
	"testing"
)

const (
	realSide = `{"vertices": [
		{"vertex": {"name": "Source: a"}, "busy": 0.1, "backpressured": 0.9, "idle": 0, "recordsOutPerSecond": 1000},
		{"vertex": {"name": "b"}, "busy": 1, "backpressured": 0, "idle": null, "recordsInPerSecond": 1000}
	], "checkpoint": {"seconds": 1.5}}`
	simulatedSide = `{"vertices": [
		{"vertex": {"name": "Source: a"}, "busy": 0.15, "backpressured": 0.7, "idle": 0, "recordsOutPerSecond": 1090},
		{"vertex": {"name": "b"}, "busy": 1, "backpressured": 0, "idle": 0, "recordsInPerSecond": 1200}
	], "checkpoint": {"seconds": 2}}`
)

// What lies further apart than a tenth is marked and counted; what one side does not know is neither.
func TestCloseness(t *testing.T) {
	c := Compared{Twin: Twin{Scenario: "slow"}}
	for text, side := range map[string]*Measured{realSide: &c.Real, simulatedSide: &c.Simulated} {
		if err := json.Unmarshal([]byte(text), side); err != nil {
			t.Fatal(err)
		}
	}
	table, off, of := Closeness([]Compared{c})
	for _, row := range []string{
		"| slow | Source: a | 10 / 15 | **90 / 70** | 0 / 0 | 1000 / 1090 |",
		"| slow | b | 100 / 100 | 0 / 0 | - | **1000 / 1200** |",
		"| slow | *checkpoint* |  |  |  | 1.50 s / 2.00 s |",
	} {
		if !strings.Contains(table, row) {
			t.Errorf("%s lacks\n%s", table, row)
		}
	}
	if off != 2 || of != 7 {
		t.Errorf("%d of %d are off", off, of)
	}
}

func TestPutMeasuredKeepsTheRest(t *testing.T) {
	document := "# Title\n" + measuredFrom + "old\n" + measuredTo + "after\n"
	got, err := PutMeasured(document, "new")
	if want := "# Title\n" + measuredFrom + "\nnew\n\n" + measuredTo + "after\n"; err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
	if again, err := PutMeasured(got, "new"); err != nil || again != got {
		t.Errorf("%q, %v", again, err)
	}
	if _, err := PutMeasured("# Title\n", "new"); err == nil {
		t.Error("a document without marks was written to")
	}
}

// A twin says for each of its vertices how many subtasks it has, what a record takes and how it goes on.
func TestTwinsAreWhole(t *testing.T) {
	for _, twin := range Twins() {
		parts := strings.Split(twin.Args[1], ";")
		for i, part := range parts {
			if fields := strings.Split(part, ":"); len(fields) != 4 || (fields[3] == "") != (i == len(parts)-1) {
				t.Errorf("%s: %q", twin.Scenario, part)
			}
		}
	}
}
