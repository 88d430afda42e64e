package diagnose_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi/sim"
)

// together runs the jobs of some scenarios on one cluster, which has been up for ten minutes.
func together(t *testing.T, names ...string) *sim.Cluster {
	t.Helper()
	var all sim.Scenario
	for _, name := range names {
		s, ok := sim.Lookup(name)
		if !ok {
			t.Fatal("no scenario is called", name)
		}
		jobs := slices.Clone(s.Config.Jobs)
		for i := range jobs {
			jobs[i].Name = name
		}
		all.Config.Jobs = append(all.Config.Jobs, jobs...)
	}
	all.Config.Step, all.Warm = 500*time.Millisecond, 10*time.Minute
	return all.Cluster(time.Date(2026, time.March, 1, 3, 0, 0, 0, time.UTC))
}

func lineOf(t *testing.T, obs *diagnose.Observation, name string) diagnose.JobLine {
	t.Helper()
	for _, j := range obs.Jobs {
		if j.Job.Name == name {
			return j
		}
	}
	t.Fatalf("no job %s", name)
	return diagnose.JobLine{}
}

// What the means of the vertices do not show is told of where it was read, and is nowhere good news.
func TestAGlanceTellsOfCheckpointsAndLag(t *testing.T) {
	t.Parallel()
	cluster := together(t, "checkpoint-failing", "rate-limited", "healthy", "watermark-idle")
	m, tap := fleetMonitor(t, cluster)
	obs := glanceFor(t, m, cluster, diagnose.Ask{Fleet: true}, 4*time.Minute)
	for _, c := range []struct {
		job      string
		sight    diagnose.Sight
		severity diagnose.Severity
		text     string
	}{
		{"checkpoint-failing", diagnose.SightCheckpoints, diagnose.Critical, "checkpoints failed"},
		{"rate-limited", diagnose.SightLag, diagnose.Warning, "lag grows by "},
		{"healthy", diagnose.SightCalm, diagnose.UnknownSeverity, "the last checkpoint completed "},
		{"watermark-idle", diagnose.SightCalm, diagnose.UnknownSeverity, "no instance is held back"},
	} {
		g := lineOf(t, obs, c.job).Glance
		if g == nil || g.Sight != c.sight || g.Severity() != c.severity || !strings.Contains(g.Text, c.text) {
			t.Errorf("%s: %s", c.job, glanceText(g))
		}
	}
	if perMinute := (tap.jobs + tap.lists + tap.others) / 4; perMinute > 120 {
		t.Errorf("%d requests a minute for four jobs", perMinute)
	}
}

// The time in which others were looked at is not watched: no share spans it, and no verdict stands on it.
func TestTimeAwayIsNotWatched(t *testing.T) {
	t.Parallel()
	for _, away := range []time.Duration{25 * time.Second, 5 * time.Minute} {
		cluster := together(t, "healthy", "slow-sink")
		m, _ := fleetMonitor(t, cluster)
		list := diagnose.Ask{Fleet: true}
		obs := glanceFor(t, m, cluster, list, 5*time.Second)
		inside := diagnose.Ask{Job: lineOf(t, obs, "healthy").Job.ID}
		glanceFor(t, m, cluster, inside, 20*time.Second)
		glanceFor(t, m, cluster, list, away)
		obs = glanceFor(t, m, cluster, inside, 6*time.Second)
		if d := obs.Report.Data.Observed; d > 30*time.Second || away > time.Minute && d > 8*time.Second {
			t.Errorf("away for %s: watched for %s", away, d)
		}
		if obs.Report.Firm {
			t.Errorf("away for %s: %q is firm", away, obs.Report.Headline)
		}
	}
}

// What a job's line shows of its lag is the newest that was read of it, and has its age; a glance never spans
// a time in which nobody glanced.
func TestTheListIsAsOldAsWhatItShows(t *testing.T) {
	t.Parallel()
	cluster := together(t, "rate-limited", "healthy")
	m, _ := fleetMonitor(t, cluster)
	list := diagnose.Ask{Fleet: true}
	obs := glanceFor(t, m, cluster, list, time.Minute)
	limited, healthy := lineOf(t, obs, "rate-limited"), lineOf(t, obs, "healthy")
	obs = glanceFor(t, m, cluster, diagnose.Ask{Job: limited.Job.ID}, 15*time.Minute)
	now := lineOf(t, obs, "rate-limited").Lag
	if obs.At.Sub(now.At) > 30*time.Second || now.Records.Or(0) <= limited.Lag.Records.Or(0) {
		t.Errorf("the lag is that of %s ago, %v after %v", obs.At.Sub(now.At), now.Records, limited.Lag.Records)
	}
	obs = glanceFor(t, m, cluster, list, 500*time.Millisecond)
	line := lineOf(t, obs, "healthy")
	if line.Glance == nil || !line.Glance.At.Equal(healthy.Glance.At) {
		t.Errorf("right after the return the list says %s", glanceText(line.Glance))
	}
	for range 8 {
		obs = glanceFor(t, m, cluster, list, 2*time.Second)
		if g := lineOf(t, obs, "healthy").Glance; g.Span > time.Minute {
			t.Errorf("a glance spans %s in which nobody glanced", g.Span)
		}
	}
	if g := lineOf(t, obs, "healthy").Glance; obs.At.Sub(g.At) > 12*time.Second || g.Sight != diagnose.SightCalm {
		t.Errorf("%s after the return the list says %s", obs.At.Sub(g.At), glanceText(g))
	}
}
