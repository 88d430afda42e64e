package diagnose_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

// What is told of a scenario is held for as long as somebody may leave the screen open.
const longWatch = 12 * time.Minute

func TestTheCourseOfScenarios(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("many minutes of each scenario")
	}
	for _, s := range sim.Scenarios() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			watchCourse(t, s)
		})
	}
}

func watchCourse(t *testing.T, s sim.Scenario) {
	t.Helper()
	const pace = 10 * time.Second
	cluster := s.Cluster(midnight)
	m := diagnose.NewMonitor(simulatedEvery(t, cluster, pace), optionsFor(s))
	firm := map[flinkapi.JobID]string{}
	grades := map[string]int{}
	for cluster.Now().Sub(midnight) < longWatch {
		obs := step(t, m, diagnose.Ask{})
		for _, r := range reportsOf(obs) {
			wrong := append(doubtful(r), fallen(r, grades)...)
			if was, is := firm[r.Job.ID], namesIn(r); r.Firm && is != "" {
				if was != "" && was != is {
					wrong = append(wrong, "first "+was+" and now "+is+" is named firmly")
				}
				firm[r.Job.ID] = is
			}
			for _, what := range wrong {
				t.Errorf("after %s: %s", obs.At.Sub(midnight), what)
			}
		}
		cluster.Advance(m.Wait())
	}
}

// namesIn are the culprits of a report.
func namesIn(r *diagnose.Report) string {
	var names []string
	for i := range r.Culprits {
		names = append(names, r.Culprits[i].Vertex.Name)
	}
	slices.Sort(names)
	return strings.Join(names, " and ")
}

// fallen says which culprit of a report, that has stood since, is graded less than before.
func fallen(r *diagnose.Report, before map[string]int) []string {
	ranks := map[diagnose.Pattern]int{
		diagnose.Momentary: 1, diagnose.Ongoing: 2, diagnose.Periodic: 3, diagnose.Chronic: 3,
	}
	var out []string
	for i := range r.Culprits {
		x := &r.Culprits[i]
		key := x.Vertex.Name + x.Since.String()
		rank := ranks[x.Pattern]
		if rank > 0 && rank < before[key] {
			out = append(out, fmt.Sprintf("%s was graded higher than %s", x.Vertex.Name, x.Pattern))
		}
		before[key] = max(rank, before[key])
	}
	return out
}

// doubtful says where a report claims more than it knows, or the same twice.
func doubtful(r *diagnose.Report) []string {
	var out []string
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(r.Headline, word) })
	}
	if r.Severity == diagnose.OK && len(r.Culprits) > 0 && !says("perhaps", "works off its backlog") {
		out = append(out, "all is well, and somebody is named for certain: "+r.Headline)
	}
	if !r.Firm && r.Severity != diagnose.UnknownSeverity &&
		!says("perhaps", "so far", "not firm", "not all reasons firm", "not known", "could not be told",
			"may be stuck", "undetermined") {
		out = append(out, "it is not firm, and does not say so: "+r.Headline)
	}
	for i := range r.Culprits {
		out = append(out, toldTwice(r.Culprits[i].Evidence)...)
	}
	for i := range r.Also {
		out = append(out, toldTwice(r.Also[i].Evidence)...)
	}
	if r.State != nil {
		out = append(out, toldTwice(r.State.Evidence)...)
	}
	return out
}

// toldTwice returns the numbers that stand more than once in a list.
func toldTwice(all []diagnose.Evidence) []string {
	var out []string
	for i := range all {
		for k := range i {
			if a, b := &all[i], &all[k]; a.Subject == b.Subject && a.Label == b.Label {
				out = append(out, fmt.Sprintf("%s of %s stands there twice: %s", a.Label, a.Subject, a.Text()))
			}
		}
	}
	return out
}
