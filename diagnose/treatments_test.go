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
	w := &course{t: t, cluster: s.Cluster(midnight)}
	w.monitor = diagnose.NewMonitor(simulated(t, w.cluster), optionsFor(s))
	sick := func(r []*diagnose.Report) string { return missing(s, r) }
	more := func([]*diagnose.Report) string { return "more time" }
	if what := w.lookUntil(watch+s.Told, sick); what != "" {
		t.Fatalf("before the treatment %s", what)
	}
	w.lookUntil(time.Minute, more)
	before := w.cut()
	if err := w.cluster.Apply(x); err != nil {
		t.Fatal(err)
	}
	if x.Right {
		if what := w.lookUntil(cureTime, func(r []*diagnose.Report) string { return ill(s, r) }); what != "" {
			t.Errorf("%s after the treatment %s", cureTime, what)
		}
		w.lookUntil(time.Minute, more)
		// Of a job that does not answer nothing is known before the fix; that a state no longer grows takes longer
		// to tell.
		unclear := []string{"stalled-taskmanager", "state-growth"}
		w.compare(before, !slices.Contains(unclear, s.Name))
		return
	}
	if x.Eases {
		still := func(r []*diagnose.Report) string { return uneased(s, r) }
		if what := w.lookUntil(cureTime, still); what != "" {
			t.Errorf("%s after the treatment %s", cureTime, what)
		}
		return
	}
	w.lookUntil(inVainTime+s.Told, more)
	if what := w.lookUntil(soon, sick); what != "" {
		t.Errorf("%s after the treatment %s", inVainTime, what)
	}
	// More instances do help in part where there are few keys: fewer of them share one.
	w.compare(before, s.Name == "few-keys")
}

// Two fixes one after the other restart the job twice, by nobody's failure: that is no restart loop.
func TestFixesInARowAreNoRestartLoop(t *testing.T) {
	t.Parallel()
	for _, s := range sim.Scenarios() {
		if len(s.Treatments) < 2 || s.Reason == "restart-loop" {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			w := &course{t: t, cluster: s.Cluster(midnight)}
			w.monitor = diagnose.NewMonitor(simulated(t, w.cluster), optionsFor(s))
			w.lookUntil(75*time.Second, looping(t))
			for _, x := range s.Treatments[:2] {
				if err := w.cluster.Apply(x); err != nil {
					t.Fatal(err)
				}
				w.lookUntil(135*time.Second, looping(t))
			}
		})
	}
}

// looping fails where a restart loop is told of, and asks for more time else.
func looping(t *testing.T) func([]*diagnose.Report) string {
	t.Helper()
	return func(reports []*diagnose.Report) string {
		for _, r := range reports {
			if r.State != nil && r.State.Rule == "restart-loop" {
				t.Errorf("it says %s", r.State.Summary)
				return ""
			}
		}
		return "more time"
	}
}

// course is how a job develops: what is kept of it to compare.
type course struct {
	t       *testing.T
	cluster *sim.Cluster
	monitor *diagnose.Monitor
	kept    []diagnose.Sample
}

// cut returns what was kept so far, and begins anew.
func (w *course) cut() []diagnose.Sample {
	kept := w.kept
	w.kept = nil
	return kept
}

// compare holds the comparison of now with before to whether the treatment helps.
func (w *course) compare(before []diagnose.Sample, helps bool) {
	w.t.Helper()
	c := diagnose.Compare(before, w.kept)
	w.t.Logf("%s: %s", c.Outcome, c.Sentence)
	if helped := c.Outcome == diagnose.Helped || c.Outcome == diagnose.HelpedInPart; helped != helps {
		w.t.Errorf("the comparison says %s: %s", c.Outcome, c.Sentence)
	}
}

// lookUntil watches a cluster for a time, or until what of its reports is nothing, and returns what it was at
// last.
func (w *course) lookUntil(d time.Duration, what func([]*diagnose.Report) string) string {
	w.t.Helper()
	last := ""
	for end := w.cluster.Now().Add(d); w.cluster.Now().Before(end); {
		obs := step(w.t, w.monitor, diagnose.Ask{})
		if sample, ok := diagnose.SampleOf(obs); ok {
			w.kept = diagnose.KeepSample(w.kept, sample)
		}
		last = what(reportsOf(obs))
		w.cluster.Advance(w.monitor.Wait())
		if last == "" {
			return ""
		}
	}
	return last
}

// uneased says that the reason of the incident is still found, or that its culprit is gone; nothing once it
// is as it should be.
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
