package diagnose_test

import (
	"slices"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi/sim"
)

// A treatment has so long to show what it does: the backlog of the incident is to be worked off, and a
// rescaled vertex is to be watched anew.
const (
	cureTime   = 15 * time.Minute
	inVainTime = 5 * time.Minute
)

// Each scenario comes to its verdict; the fixes that belong to it cure it, and the others leave it as it is.
func TestTreatments(t *testing.T) {
	t.Parallel()
	for _, s := range sim.Scenarios() {
		for _, x := range s.Treatments {
			t.Run(s.Name+"/"+x.Name, func(t *testing.T) {
				t.Parallel()
				treat(t, s, x)
			})
		}
	}
}

func treat(t *testing.T, s sim.Scenario, x sim.Treatment) {
	t.Helper()
	cluster := s.Cluster(midnight)
	m := diagnose.NewMonitor(simulated(t, cluster), optionsFor(s))
	sick := func(r []*diagnose.Report) string { return missing(s, r) }
	if what := lookUntil(t, m, cluster, watch+s.Told, sick); what != "" {
		t.Fatalf("before the treatment %s", what)
	}
	if err := cluster.Apply(x); err != nil {
		t.Fatal(err)
	}
	if x.Right {
		if what := lookUntil(t, m, cluster, cureTime, func(r []*diagnose.Report) string { return ill(s, r) }); what != "" {
			t.Errorf("%s after the treatment %s", cureTime, what)
		}
		return
	}
	if x.Eases {
		still := func(r []*diagnose.Report) string { return uneased(s, r) }
		if what := lookUntil(t, m, cluster, cureTime, still); what != "" {
			t.Errorf("%s after the treatment %s", cureTime, what)
		}
		return
	}
	lookUntil(t, m, cluster, inVainTime+s.Told, func([]*diagnose.Report) string { return "more time" })
	if what := lookUntil(t, m, cluster, soon, sick); what != "" {
		t.Errorf("%s after the treatment %s", inVainTime, what)
	}
}

// lookUntil watches a cluster for a time, or until what of its reports is nothing, and returns what it was at
// last.
func lookUntil(
	t *testing.T, m *diagnose.Monitor, cluster *sim.Cluster, d time.Duration,
	what func([]*diagnose.Report) string,
) string {
	t.Helper()
	last := ""
	for end := cluster.Now().Add(d); cluster.Now().Before(end); {
		last = what(reportsOf(step(t, m, diagnose.Ask{})))
		cluster.Advance(m.Wait())
		if last == "" {
			return ""
		}
	}
	return last
}

// uneased says that the reason of the incident is still found, or that its culprit is gone; nothing once it is
// as it should be.
func uneased(s sim.Scenario, reports []*diagnose.Report) string {
	reason := s.Reason
	s.Reason = ""
	if what := missing(s, reports); what != "" {
		return what
	}
	for _, r := range reports {
		if !r.Firm {
			return "it is not firm"
		}
		for _, f := range r.Also {
			if f.Rule == reason {
				return "it says " + f.Summary
			}
		}
	}
	return ""
}

// ill says what is still wrong with a job that was treated; nothing once it is firmly called healthy, and the
// reason of the incident is not found any more.
func ill(s sim.Scenario, reports []*diagnose.Report) string {
	var said []string
	for _, r := range reports {
		for _, x := range r.Culprits {
			said = append(said, x.Vertex.Name+" "+x.Reason.Name)
		}
		if len(r.Culprits) == 0 && (r.State == nil || r.State.Rule != "healthy" || !r.Firm) {
			said = append(said, r.Text())
		}
		for _, f := range r.Also {
			if f.Rule == s.Reason {
				said = append(said, f.Summary)
			}
		}
	}
	if len(reports) == 0 {
		return "no report is there"
	}
	if len(said) == 0 {
		return ""
	}
	slices.Sort(said)
	return "it says " + said[0]
}
