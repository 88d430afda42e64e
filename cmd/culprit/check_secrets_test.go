package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/sim"
	"culprit/internal/planted"
)

// What a cluster gives away in an exception, a plan, its settings or an error is in no form of the verdict.
func TestCheckTellsNoSecret(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"restart-loop", "slow-sink", "failed", "checkpoint-failing"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scenario, _ := sim.Lookup(name)
			cluster := scenario.Cluster(morning)
			client, err := flinkapi.NewClient(flinkapi.Options{
				URL: "http://sim", Token: planted.Secrets()["bearer"],
				Transport: planted.Transport(sim.Transport(cluster.Handler(), nil)),
			})
			must(t, err)
			monitor := diagnose.NewMonitor(flinkapi.NewCollector(client, flinkapi.CollectorOptions{
				Clock: cluster.Now, Signals: diagnose.Needs(), Settings: diagnose.Settings(),
			}), diagnose.DefaultOptions())
			w := &watch{monitor: monitor, clock: cluster.Now, zone: time.UTC}
			w.begin(cluster.Now())
			for range 60 {
				w.step(t.Context())
				cluster.Advance(monitor.Wait())
			}
			w.readOver(t.Context())
			found := w.conclude()
			var out bytes.Buffer
			for _, format := range []string{"text", "json", "markdown"} {
				write, err := printer(format)
				must(t, err)
				_ = write(&out, found) // it is the exit code
			}
			for _, e := range w.obs.Snapshot.Problems {
				out.WriteString(e.Err.Error() + "\n")
			}
			if name == "restart-loop" && !strings.Contains(out.String(), flinkapi.Hidden) {
				t.Errorf("nothing is hidden: this tests nothing\n%s", out.String())
			}
			lacksSecrets(t, out.String())
		})
	}
}

func lacksSecrets(t *testing.T, text string) {
	t.Helper()
	for what, secret := range planted.Secrets() {
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("%s is told: …%s", what, text[max(0, i-200):i+len(secret)])
		}
	}
}
