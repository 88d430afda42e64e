package lab

import "testing"

func TestGateIsQuick(t *testing.T) {
	var shared []Scenario
	for _, name := range GateNames() {
		s, err := Named(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Before+s.Least+s.Watch > 0 {
			t.Errorf("%s takes longer than others", name)
		}
		if !s.Alone && s.Own == nil {
			shared = append(shared, s)
		}
	}
	if n := len(batches(shared)); n != 1 {
		t.Errorf("the waiting jobs need %d clusters, one after the other", n)
	}
}
