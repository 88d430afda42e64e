package main

import (
	"slices"
	"testing"

	"culprit/diagnose"
)

func TestEveryCulpritHasItsOwnLadder(t *testing.T) {
	rungs := func(why string) []diagnose.Rung {
		return []diagnose.Rung{{Number: 2, Question: "is it the sink?", State: diagnose.RungClear, Why: why}}
	}
	o := &outcome{}
	got := o.jsonReport(&diagnose.Report{
		Culprits: []diagnose.Culprit{{Ladder: rungs("of the first")}, {Ladder: rungs("of the second")}},
		Ladder:   rungs("of the first"),
	})
	if !slices.Equal(got.Culprits[0].Ladder, got.Ladder) {
		t.Errorf("the first culprit's ladder is %v, the report's %v", got.Culprits[0].Ladder, got.Ladder)
	}
	want := []jsonRung{{2, "is it the sink?", string(diagnose.RungClear), "of the second"}}
	if !slices.Equal(got.Culprits[1].Ladder, want) {
		t.Errorf("the second culprit's ladder is %v, want %v", got.Culprits[1].Ladder, want)
	}
}
