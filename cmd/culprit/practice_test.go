package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi/sim"
	"culprit/tui"
)

// What the screen offers tells neither by its words nor by its order which treatment helps.
func TestTreatmentsDoNotTellWhichHelps(t *testing.T) {
	for _, s := range incidents() {
		room := practice{s.Cluster(time.Unix(1.8e9, 0))}
		all := room.Treatments()
		if len(all) != len(s.Treatments) {
			t.Errorf("%s offers %d of %d treatments", s.Name, len(all), len(s.Treatments))
		}
		if !slices.IsSortedFunc(all, func(a, b tui.Treatment) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("%s: %v are in no order", s.Name, all)
		}
		for _, x := range all {
			if x.Does == "" || strings.Contains(x.Does, ": ") || strings.Contains(x.Does, "wait with") {
				t.Errorf("%s, %s: %q", s.Name, x.Name, x.Does)
			}
		}
	}
}

// A treatment is applied at the simulated now, and an unknown one is refused.
func TestAppliesATreatment(t *testing.T) {
	s, _ := sim.Lookup("slow-sink")
	room := practice{s.Cluster(time.Unix(1.8e9, 0))}
	room.cluster.Advance(time.Minute)
	done, err := room.Apply("faster-database")
	if err != nil || done.Name != "faster-database" || !strings.HasPrefix(done.Says, "Repair the database") ||
		!done.At.Equal(time.Unix(1.8e9+60, 0)) {
		t.Errorf("%+v, %v", done, err)
	}
	if _, err := room.Apply("magic"); err == nil {
		t.Error("an unknown treatment was applied")
	}
}
