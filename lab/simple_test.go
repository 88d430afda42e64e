package lab

import (
	"fmt"
	"testing"

	"culprit/lab/rest"
)

// screen is a row of vertices, each fed by the one before it.
func screen(boxes ...rest.Box) rest.Screen {
	for i := range boxes {
		boxes[i].ID = fmt.Sprint(i)
		if i > 0 {
			boxes[i].Inputs = []string{fmt.Sprint(i - 1)}
		}
	}
	return boxes
}

func box(name string, busy, backpressured float64) rest.Box {
	return rest.Box{Name: name, Busy: &busy, Backpressured: &backpressured}
}

func slowMiddleScreen() rest.Screen {
	return screen(box("orders", 0.1, 99.9), box("parse", 0.7, 99.3), box("enrich", 100, 0), box("archive", 1, 0))
}

func TestSimpleRules(t *testing.T) {
	tests := map[string]struct {
		screen rest.Screen
		want   [4]string
	}{
		"a slow operator": {slowMiddleScreen(), [4]string{"orders", "enrich", "parse", "orders"}},
		"a calm job":      {screen(box("orders", 4, 0), box("parse", 50, 50)), [4]string{"", "", "", "parse"}},
		"nothing known":   {screen(rest.Box{Name: "orders"}, rest.Box{Name: "parse"}), [4]string{}},
		"no vertices":     {nil, [4]string{}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			for i, rule := range SimpleRules() {
				got := ""
				if named := rule.Pick(tc.screen); named != nil {
					got = named.Name
				}
				if got != tc.want[i] {
					t.Errorf("%s: %q, want %q", rule.Name, got, tc.want[i])
				}
			}
		})
	}
}

func TestOutcome(t *testing.T) {
	burst := Expect{JobReasons: []string{"healthy"}, Or: []Expect{culprit("enrich", "burst")}}
	room := Expect{Findings: []Finding{{Vertex: "enrich", Reasons: []string{"no-headroom"}}}}
	slow := culprit("enrich", "external-wait")
	calm := Expect{JobReasons: []string{"healthy"}}
	const orders, enrich, archive, nobody = 0, 2, 3, -1
	tests := []struct {
		name   string
		expect Expect
		named  int
		want   Outcome
	}{
		{"the culprit", slow, enrich, Right},
		{"one that it holds back", slow, orders, Victim},
		{"one below it", slow, archive, Other},
		{"nobody", slow, nobody, Other},
		{"nobody in a calm job", calm, nobody, Right},
		{"somebody in a calm job", calm, orders, Other},
		{"nobody during a burst", burst, nobody, Right},
		{"the burst", burst, enrich, Right},
		{"one above the burst", burst, orders, Victim},
		{"the one with no headroom", room, enrich, Right},
		{"nobody beside it", room, nobody, Right},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			screen := slowMiddleScreen()
			var named *rest.Box
			if tc.named != nobody {
				named = &screen[tc.named]
			}
			if got := tc.expect.Outcome(named, screen); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}
