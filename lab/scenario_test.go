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
		if s.Expect.Nobody() == (len(s.Expect.JobReasons) == 0) {
			t.Errorf("%s: wants either culprits or a reason of the whole job", s.Name)
		}
		for _, c := range s.Expect.Culprits {
			if c.Vertex == "" || len(c.Reasons) == 0 {
				t.Errorf("%s: a culprit without a name or a reason", s.Name)
			}
		}
	}
	for _, class := range classes {
		if !used[class] {
			t.Errorf("no scenario runs the job class %s", class)
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
