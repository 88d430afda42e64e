package flinkapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
)

// A vertex whose name has a login is measured and sampled like any other, and the login is in nothing that
// was read.
func TestAVertexWithASecretInItsNameIsMeasuredAndSampled(t *testing.T) {
	const shown = "warehouse: Writer https://***@h/x"
	job := chain(4, 2)
	job.Name = "load jdbc:postgresql://u:JobNameP1anted@h/x"
	job.Vertices[2].Name = "warehouse: Writer https://vu:VertexNameP1anted@h/x"
	w := newWatch(t, twoWorkers(job))
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last flinkapi.Vertex
	stacks, operators := 0, map[string]bool{}
	w.watchFor(2*time.Minute, &focus, func(snap *flinkapi.Snapshot) {
		if said := fmt.Sprintf("%+v %+v", snap.Jobs, snap.Job); strings.Contains(said, "JobNameP1anted") {
			t.Fatalf("the job's name gives a secret away: %.3000s", said)
		}
		focus.Sample = sample(snap, 2)
		last = snap.Job.Vertices[2]
		focus.Vertices = focus.Sample
		stacks += len(last.Stacks)
		for _, list := range last.Operators {
			for _, one := range list {
				operators[one.Operator] = true
			}
		}
	})
	if last.Name != shown || stacks == 0 || len(last.Spread) == 0 {
		t.Errorf("%q, want %q: %d stacks, spread %v", last.Name, shown, stacks, last.Spread)
	}
	if !operators["warehouse__Writer_https_//***@h/x"] {
		t.Errorf("the operators are %v", operators)
	}
	for operator := range operators {
		if strings.Contains(operator, "P1anted") {
			t.Errorf("the operator %q gives a secret away", operator)
		}
	}
	for _, name := range []string{job.Name, "load jdbc:postgresql://***@h/x"} {
		jobs := []flinkapi.JobSummary{{ID: "a", Name: "load jdbc:postgresql://***@h/x"}}
		if id, err := flinkapi.FindJob(jobs, name); id != "a" {
			t.Errorf("the job %q is not found: %v", name, err)
		}
	}
}
