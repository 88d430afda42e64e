package lab

import (
	"slices"

	"culprit/lab/rest"
)

// SimpleRule names a vertex by looking at the shares of time alone, as people do with the job page of Flink's
// web UI.
type SimpleRule struct {
	// Name says in a few words which vertex is named.
	Name string
	// Pick returns the vertex's box, or nil for nobody.
	Pick func(rest.Screen) *rest.Box
}

// muchPercent is where a simple rule begins to see something: Flink's own mark for HIGH backpressure.
const muchPercent = 50

// SimpleRules returns the rules to compare with. None names a vertex whose figure is at most muchPercent, and
// of equal ones each takes the first in the order of the flow.
func SimpleRules() []SimpleRule {
	busy := func(b rest.Box) float64 { return known(b.Busy) }
	backpressured := func(b rest.Box) float64 { return known(b.Backpressured) }
	return []SimpleRule{
		{"most backpressured vertex", highest(backpressured)},
		{"busiest vertex", highest(busy)},
		{"last backpressured vertex", lastBackpressured},
		{"highest sum of both", highest(func(b rest.Box) float64 { return busy(b) + backpressured(b) })},
	}
}

func highest(figure func(rest.Box) float64) func(rest.Screen) *rest.Box {
	return func(screen rest.Screen) *rest.Box {
		var found *rest.Box
		most := float64(muchPercent)
		for i, box := range screen {
			if f := figure(box); f > most {
				found, most = &screen[i], f
			}
		}
		return found
	}
}

func lastBackpressured(screen rest.Screen) *rest.Box {
	for i := range slices.Backward(screen) {
		if known(screen[i].Backpressured) > muchPercent {
			return &screen[i]
		}
	}
	return nil
}

// known takes what the gauges do not tell for 0, as somebody does who sees an empty box.
func known(percent *float64) float64 {
	if percent == nil {
		return 0
	}
	return *percent
}

// Outcome says what naming a vertex amounts to.
type Outcome string

// The outcomes.
const (
	// Right is a vertex that may be named, or nobody where nobody need be.
	Right Outcome = "right"
	// Victim is a vertex that feeds one which must be named: it is held back.
	Victim Outcome = "victim"
	// Other is any other vertex, or nobody where somebody must be named.
	Other Outcome = "other"
)

// Outcome tells what it amounts to that a vertex is named, nil for nobody.
func (e Expect) Outcome(named *rest.Box, screen rest.Screen) Outcome {
	nobody := false
	var subjects []string
	for _, right := range append([]Expect{e}, e.Or...) {
		nobody = nobody || right.Nobody()
		for _, c := range right.Culprits {
			subjects = append(subjects, c.Vertex)
		}
		for _, f := range right.Findings {
			if right.Nobody() && f.Vertex != "" { // it is the one to look at
				subjects = append(subjects, f.Vertex)
			}
		}
	}
	switch {
	case named == nil && nobody, named != nil && slices.Contains(subjects, named.Name):
		return Right
	case named != nil && slices.ContainsFunc(subjects, func(s string) bool { return screen.Feeds(named.ID, s) }):
		return Victim
	default:
		return Other
	}
}
