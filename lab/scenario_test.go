package lab

import (
	"slices"
	"strings"
	"testing"

	"culprit/lab/jobs"
)

func TestScenariosAreComplete(t *testing.T) {
	classes, err := jobs.Classes()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	used := map[string]bool{}
	for _, s := range Scenarios() {
		if seen[s.Name] || slices.Contains(FaultNames(), s.Name) {
			t.Errorf("the name %s is taken twice", s.Name)
		}
		seen[s.Name], used[s.Class] = true, true
		if !slices.Contains(classes, s.Class) {
			t.Errorf("%s: there is no job class %s", s.Name, s.Class)
		}
		if len(s.Args)%2 != 0 {
			t.Errorf("%s: arguments come in pairs: %v", s.Name, s.Args)
		}
		for _, expect := range append([]Expect{s.Expect}, s.Expect.Or...) {
			complete(t, s.Name, expect)
		}
	}
	for _, s := range Scenarios() {
		if s.Fault != nil && s.Own == nil {
			t.Errorf("%s: makes a fault on a cluster that others use", s.Name)
		}
	}
	for _, class := range classes {
		forRecordings := class == "EveryMetric" // shows what Flink reports, and has no verdict
		forComparison := class == "Twin"        // runs the graphs of the demo
		if !used[class] && !forRecordings && !forComparison {
			t.Errorf("no scenario runs the job class %s", class)
		}
	}
}

func complete(t *testing.T, name string, e Expect) {
	t.Helper()
	if e.Nobody() && len(e.JobReasons)+len(e.Findings) == 0 || !e.Nobody() && len(e.JobReasons) > 0 {
		t.Errorf("%s: wants either culprits or something told of the job: %s", name, e)
	}
	for _, c := range e.Culprits {
		if c.Vertex == "" || len(c.Reasons)+len(c.Patterns) == 0 {
			t.Errorf("%s: a culprit without a name, or without reason and pattern: %s", name, e)
		}
	}
}

func TestComputingScenariosRunAlone(t *testing.T) {
	for _, s := range Scenarios() {
		if slices.Contains(s.Args, "--hash-rounds") && !s.Alone {
			t.Errorf("%s burns CPU beside other jobs", s.Name)
		}
	}
}

func TestNamedListsWhatThereIs(t *testing.T) {
	if s, err := Named("hot-key"); err != nil || s.Class != "HotKey" {
		t.Errorf("Named(hot-key) = %v, %v", s, err)
	}
	if _, err := Named("nonsense"); err == nil || !strings.Contains(err.Error(), "slow-middle") {
		t.Errorf("Named(nonsense) gives %v", err)
	}
}

func TestBatchesKeepOrderAndFit(t *testing.T) {
	var all []Scenario
	for _, slots := range []int{2, 0, 40, 8, 39, 9, 48, 4} {
		all = append(all, Scenario{Slots: slots})
	}
	var sizes []int
	for _, batch := range batches(all) {
		sizes = append(sizes, len(batch))
	}
	if want := []int{3, 2, 1, 1, 1}; !slices.Equal(sizes, want) {
		t.Errorf("batches of %v, want %v", sizes, want)
	}
	if batches(nil) != nil {
		t.Error("a batch of nothing")
	}
}
