package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
)

// morning is when each simulated cluster is looked at first.
var morning = time.Date(2026, time.January, 2, 8, 0, 0, 0, time.UTC)

// liveWatch is a watch of a simulated cluster that is recorded.
type liveWatch struct {
	cluster  *sim.Cluster
	recorder *tape.Recorder
	file     *tape.File
	monitor  *diagnose.Monitor
}

func record(t testing.TB, s sim.Scenario, path string, o tape.Options) *liveWatch {
	t.Helper()
	as := func(cluster http.RoundTripper) http.RoundTripper { return cluster }
	// The time runs by the wall clock: on a busy machine a look takes longer than it should.
	return recordBehind(t, s, path, o, time.Hour, as)
}

// recordBehind records a cluster that answers through a transport of the test's.
func recordBehind(t testing.TB, s sim.Scenario, path string, o tape.Options, timeout time.Duration,
	behind func(cluster http.RoundTripper) http.RoundTripper,
) *liveWatch {
	t.Helper()
	file, err := tape.Create(path)
	must(t, err)
	t.Cleanup(func() { _ = file.Close() })
	cluster := s.Cluster(morning)
	o.Clock, o.Settings = cluster.Now, diagnose.Settings()
	recorder := tape.NewRecorder(file, o)
	client, err := flinkapi.NewClient(flinkapi.Options{
		URL: "http://sim", Transport: behind(sim.Transport(cluster.Handler(), nil)), Wrap: recorder.Wrap,
		Timeout: timeout,
	})
	must(t, err)
	collector := flinkapi.NewCollector(client, flinkapi.CollectorOptions{
		Clock: recorder.Clock, Signals: diagnose.Needs(), Settings: diagnose.Settings(),
	})
	monitor := diagnose.NewMonitor(recorder.Source(collector), diagnose.DefaultOptions())
	return &liveWatch{cluster, recorder, file, monitor}
}

// run watches for a time and returns what it saw.
func (w *liveWatch) run(t testing.TB, span time.Duration) []*diagnose.Observation {
	t.Helper()
	var all []*diagnose.Observation
	w.watch(t, span, func(obs *diagnose.Observation) { all = append(all, obs) })
	return all
}

// watch is look to the end of the recording.
func (w *liveWatch) watch(t testing.TB, span time.Duration, shown ...func(*diagnose.Observation)) {
	t.Helper()
	w.look(t, span, shown...)
	if w.recorder != nil {
		must(t, w.recorder.Close())
	}
}

// look watches for a time and hands over what each look shows; nil of one that failed.
func (w *liveWatch) look(t testing.TB, span time.Duration, shown ...func(*diagnose.Observation)) {
	t.Helper()
	for end := w.cluster.Now().Add(span); w.cluster.Now().Before(end); w.cluster.Advance(w.monitor.Wait()) {
		obs, err := w.monitor.Step(t.Context(), diagnose.Ask{})
		if err != nil {
			obs = nil
		}
		for _, show := range shown {
			show(obs)
		}
	}
}

func every(reflect.Type) bool { return true }

func play(t testing.TB, path string) *tape.Player {
	t.Helper()
	recording, err := tape.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = recording.Close() })
	player, err := recording.Play(tape.PlayerOptions{Signals: diagnose.Needs(), Settings: diagnose.Settings()})
	if err != nil {
		t.Fatal(err)
	}
	return player
}

// simulated are the versions whose answers the simulator tells apart: without accumulated times, with them,
// and with the changes of 2.0. Each is watched for so long; the newest until verdicts are firm and tell why.
func simulated() map[string]time.Duration {
	return map[string]time.Duration{
		"1.15.4": 45 * time.Second, "1.20.5": 45 * time.Second, "2.3.0": 100 * time.Second,
	}
}

// TestReplayEqualsLive holds the snapshots and verdicts of every scenario's recording to those of the watch,
// in every version.
func TestReplayEqualsLive(t *testing.T) {
	t.Parallel()
	for _, s := range incidents() {
		for version, span := range simulated() {
			t.Run(s.Name+"/"+version, func(t *testing.T) {
				t.Parallel()
				s.Config.Version = version
				path := filepath.Join(t.TempDir(), "watch.culprit")
				live := record(t, s, path, tape.Options{}).run(t, span)
				mustReplay(t, path, live)
			})
		}
	}
}

// Names that hold secrets are the same live and in the recording, in which the secrets are not, and the
// verdict stays that of the names without them.
func TestReplayEqualsLiveWhereNamesHoldSecrets(t *testing.T) {
	t.Parallel()
	s, _ := sim.Lookup("slow-sink")
	job := &s.Config.Jobs[0]
	job.Name = "load jdbc:oracle:thin:scott/JobP1anted@//db:1521/x"
	last := &job.Vertices[len(job.Vertices)-1]
	last.Name = "Sink jdbc:postgresql://u:TaskP1anted@h/x: Writer"
	path := filepath.Join(t.TempDir(), "watch.culprit")
	live := record(t, s, path, tape.Options{}).run(t, 100*time.Second)
	mustReplay(t, path, live)
	mustSay(t, unpacked(t, path), "Sink jdbc:postgresql://***@h/x: Writer")
	if text := unpacked(t, path); strings.Contains(text, "P1anted@") { // the names of classes have it bare
		t.Errorf("a secret is in the recording: %s", text[max(0, strings.Index(text, "P1anted@")-200):][:300])
	}
	r := live[len(live)-1].Report
	if len(r.Culprits) != 1 || r.Culprits[0].Vertex.Name != "Sink jdbc:postgresql://***@h/x: Writer" {
		t.Errorf("it says %q", r.Headline)
	}
	ticket := filepath.Join(t.TempDir(), "ticket.zip")
	said(t, 0, "bundle", path, "--redact", "names", "--job", job.Name, "-o", ticket)
	mustSay(t, unzip(t, ticket)[verdictInBundle], "slow-sink")
}

// mustReplay holds a recording to what its watch saw, look by look.
func mustReplay(t *testing.T, path string, live []*diagnose.Observation) {
	t.Helper()
	monitor := diagnose.NewMonitor(play(t, path), diagnose.DefaultOptions())
	for i, want := range live {
		got, err := monitor.Step(t.Context(), diagnose.Ask{})
		if err != nil {
			got = nil
		}
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("look %d of %d differs (-live +replay), error %v:\n%s", i, len(live), err,
				cmp.Diff(want, got, cmp.Exporter(every)))
		}
	}
	if _, err := monitor.Step(t.Context(), diagnose.Ask{}); !errors.Is(err, io.EOF) {
		t.Errorf("after the last look comes %v, not the end", err)
	}
}

// incidents are all scenarios of the simulator; with -short, as for the race detector, every fifth.
func incidents() []sim.Scenario {
	const part = 5
	all := sim.Scenarios()
	if !testing.Short() {
		return all
	}
	var some []sim.Scenario
	for i := 0; i < len(all); i += part {
		some = append(some, all[i])
	}
	return some
}

// TestHiddenNamesKeepTheVerdict holds a recording without names to what one with them tells: a name that is
// replaced must take no number with it.
func TestHiddenNamesKeepTheVerdict(t *testing.T) {
	t.Parallel()
	for _, s := range incidents() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			told := map[bool][]string{}
			for _, hide := range []bool{false, true} {
				path := filepath.Join(t.TempDir(), "watch.culprit")
				record(t, s, path, tape.Options{HideNames: hide}).run(t, 100*time.Second)
				told[hide] = outlines(t, path)
			}
			if len(told[false]) == 0 {
				t.Fatal("nothing was told")
			}
			if diff := cmp.Diff(told[false], told[true]); diff != "" {
				t.Errorf("without names another verdict (-with +without):\n%s", diff)
			}
		})
	}
}

// outlines are the reports of a recording without the names of the job.
func outlines(t *testing.T, path string) []string {
	t.Helper()
	monitor := diagnose.NewMonitor(play(t, path), diagnose.DefaultOptions())
	var told []string
	for {
		obs, err := monitor.Step(t.Context(), diagnose.Ask{})
		if errors.Is(err, io.EOF) {
			return told
		}
		if err != nil {
			told = append(told, "failed")
			continue
		}
		told = append(told, outline(obs.Report))
	}
}

// outline is a report without the names of the job; a look without a job has none.
func outline(r *diagnose.Report) string {
	if r == nil {
		return "no report"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, firm %v", r.Severity, r.Firm)
	findings := slices.Clone(r.Also)
	if r.State != nil {
		findings = append(findings, *r.State)
	}
	for i := range r.Culprits {
		c := &r.Culprits[i]
		fmt.Fprintf(&b, "; %s of %d, %s, %s, operator known %v", c.Reason.Name, len(c.Subtasks), c.Confidence,
			c.Pattern, c.Operator != "")
		for _, e := range c.Evidence {
			fmt.Fprintf(&b, " %s", e.Signal)
		}
	}
	for i := range findings {
		f := &findings[i]
		fmt.Fprintf(&b, "; %s %s", f.Rule, f.Severity)
		for _, e := range f.Evidence {
			fmt.Fprintf(&b, " %s", e.Signal)
		}
	}
	return b.String()
}
