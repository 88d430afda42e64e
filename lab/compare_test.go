package lab

import (
	"encoding/json"
	"os"
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
	table, n := Closeness([]Compared{c})
	for _, row := range []string{
		"| slow | Source: a | 10 / 15 | **90 / 70** | 0 / 0 | 1000 / 1090 |",
		"| slow | b | 100 / 100 | 0 / 0 | - | **1000 / 1200** |",
		"| slow | *checkpoint* |  |  |  | **1.50 s / 2.00 s** |",
	} {
		if !strings.Contains(table, row) {
			t.Errorf("%s lacks\n%s", table, row)
		}
	}
	if n != (Apart{Off: 2, Of: 7, CheckpointsOff: 1, Checkpoints: 1}) {
		t.Errorf("%+v", n)
	}
	const said = "rates 2 of 7 are\nfurther apart than a tenth, of the durations of checkpoints, which are counted " +
		"by themselves, 1 of 1;"
	if !strings.Contains(n.String(), said) {
		t.Errorf("it says %q", n)
	}
}

// What the page says of the numbers apart is what its table marks.
func TestThePageCountsWhatItMarks(t *testing.T) {
	page, err := os.ReadFile("../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	_, measured, _ := strings.Cut(string(page), measuredFrom)
	var n Apart
	for line := range strings.Lines(measured) {
		cells := strings.Split(line, " | ")
		for _, cell := range cells[min(2, len(cells)):] {
			if !strings.Contains(cell, " / ") {
				continue
			}
			off, of := &n.Off, &n.Of
			if cells[1] == "*checkpoint*" {
				off, of = &n.CheckpointsOff, &n.Checkpoints
			}
			if *of++; strings.HasPrefix(cell, "**") {
				*off++
			}
		}
	}
	if n.Checkpoints == 0 || !strings.Contains(measured, n.String()) {
		t.Errorf("the page does not say %q", n)
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
