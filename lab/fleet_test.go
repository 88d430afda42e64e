package lab

import (
	"strings"
	"testing"
)

func TestFleetIsRightWhereEveryJobIs(t *testing.T) {
	scenarios := []Scenario{
		{Name: "slow-middle", Expect: culprit("enrich", "external-wait")},
		{Name: "healthy", Expect: Expect{JobReasons: []string{"healthy"}}},
	}
	jobs := []string{"a", "b"}
	well := Verdict{Severity: "ok", Reasons: []string{"healthy"}}
	tests := map[string]struct {
		verdicts map[string]Verdict
		wrong    string
	}{
		"both":            {map[string]Verdict{"a": firm("enrich", "external-wait"), "b": well}, ""},
		"one is wrong":    {map[string]Verdict{"a": firm("enrich", "lock"), "b": well}, "slow-middle gets"},
		"one is missing":  {map[string]Verdict{"a": firm("enrich", "external-wait")}, "healthy is not told of"},
		"mixed up":        {map[string]Verdict{"b": firm("enrich", "external-wait"), "a": well}, "healthy gets"},
		"nothing at all":  {nil, "slow-middle is not told of"},
		"an unknown more": {map[string]Verdict{"a": firm("enrich", "external-wait"), "b": well, "c": well}, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			result := fleetResult(scenarios, jobs, tc.verdicts)
			if result.OK != (tc.wrong == "") || !strings.Contains(result.Seen, tc.wrong) {
				t.Errorf("got %v: %s", result.OK, result.Seen)
			}
		})
	}
}

func TestFleetScenariosExist(t *testing.T) {
	for _, name := range fleetScenarios() {
		if s, err := Named(name); err != nil || s.Alone || s.Own != nil || s.Fault != nil {
			t.Errorf("%s cannot share a cluster: %v", name, err)
		}
	}
}
