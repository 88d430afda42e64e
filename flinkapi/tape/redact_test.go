package tape_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
	"culprit/internal/planted"
)

// morning is when each simulated cluster is looked at first.
var morning = time.Date(2026, time.January, 2, 8, 0, 0, 0, time.UTC)

// recordPlanted records a cluster that gives secrets away, and returns all that was written, unpacked.
func recordPlanted(t *testing.T, name string, hide bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "planted.culprit")
	file, err := tape.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	scenario, _ := sim.Lookup(name)
	cluster := scenario.Cluster(morning)
	s := planted.Secrets()
	recorder := tape.NewRecorder(file, tape.Options{
		Clock: cluster.Now, HideNames: hide, Settings: []string{"pipeline.generic-types", "state.checkpoints.dir"},
	})
	client, err := flinkapi.NewClient(flinkapi.Options{
		URL: "http://sim", Token: s["bearer"], Header: http.Header{"Cookie": {s["cookie"]}},
		Transport: planted.Transport(sim.Transport(cluster.Handler(), nil)), Wrap: recorder.Wrap,
	})
	if err != nil {
		t.Fatal(err)
	}
	source := recorder.Source(flinkapi.NewCollector(client, flinkapi.CollectorOptions{Clock: recorder.Clock}))
	var focus flinkapi.Focus
	for range 40 {
		snapshot, err := source.Next(t.Context(), focus)
		if err != nil {
			t.Fatal(err)
		}
		if focus.Job == "" {
			focus.Job = snapshot.Jobs[0].ID
		} else {
			focus.Sample = []flinkapi.VertexID{snapshot.Job.Vertices[len(snapshot.Job.Vertices)-1].ID}
			focus.Checkpoint = true
		}
		cluster.Advance(source.Wait())
	}
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	return unpack(t, path)
}

func unpack(t *testing.T, path string) string {
	t.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// mustLack holds a recording to lack a text, and shows what is before it.
func mustLack(t *testing.T, written, what, text string) {
	t.Helper()
	if i := strings.Index(written, text); i >= 0 {
		t.Errorf("%s is in the recording: …%s", what, written[max(0, i-200):i+len(text)])
	}
}

func TestPlantedSecretsAreNotRecorded(t *testing.T) {
	t.Parallel()
	for _, hide := range []bool{false, true} {
		t.Run(fmt.Sprintf("names hidden %v", hide), func(t *testing.T) {
			t.Parallel()
			written := recordPlanted(t, "slow-sink", hide) + recordPlanted(t, "restart-loop", hide)
			for _, must := range []string{"thread-dump", "/exceptions", "/jobmanager/config", "SQLException", "details"} {
				if !strings.Contains(written, must) {
					t.Errorf("the recording has no %s: the test plants in vain", must)
				}
			}
			for what, secret := range planted.Secrets() {
				mustLack(t, written, what, secret)
			}
			if hide {
				for _, name := range []string{"warehouse", "lab-orders", "tm-1", "clean"} {
					mustLack(t, written, "the name "+name, name)
				}
			}
		})
	}
}
