package main

import (
	"archive/zip"
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
	"culprit/internal/planted"
)

// plant watches a cluster that gives secrets away, with a spool, and returns what keeps it.
func plant(t *testing.T, scenario, redact string) *keeper {
	t.Helper()
	tap := &taping{redact: redact, maxSize: "10MB", spooled: true, folder: t.TempDir()}
	s, _ := sim.Lookup(scenario)
	cluster := s.Cluster(morning)
	secrets := planted.Secrets()
	source, _, err := connect(flinkapi.Options{
		URL: "http://sim", Token: secrets["bearer"],
		Header: http.Header{"Cookie": {secrets["cookie"]}}, Version: version(),
		Transport: planted.Transport(sim.Transport(cluster.Handler(), nil)),
	}, flinkapi.CollectorOptions{Clock: cluster.Now, Interval: time.Second}, tap)
	must(t, err)
	monitor := diagnose.NewMonitor(source, diagnose.DefaultOptions())
	for range 100 {
		_, err = monitor.Step(t.Context(), diagnose.Ask{})
		must(t, err)
		cluster.Advance(monitor.Wait())
	}
	k := newKeeper(tap, &tuning{utc: true})
	t.Cleanup(func() { _ = k.end() })
	return k
}

// unzip returns the files of a bundle, the recording unpacked.
func unzip(t *testing.T, path string) map[string]string {
	t.Helper()
	archive, err := zip.OpenReader(path)
	must(t, err)
	defer func() { must(t, archive.Close()) }()
	files := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		must(t, err)
		text, err := io.ReadAll(r)
		must(t, err)
		files[f.Name] = string(text)
	}
	saved := filepath.Join(t.TempDir(), "unzipped.culprit")
	must(t, os.WriteFile(saved, []byte(files[recordingInBundle]), 0o600))
	whole(t, saved)
	files[recordingInBundle] = unpacked(t, saved)
	return files
}

// whole fails unless a recording can be read to its end.
func whole(t *testing.T, path string) {
	t.Helper()
	recording, err := tape.Open(path)
	must(t, err)
	defer func() { must(t, recording.Close()) }()
	if recording.Cut() != nil || recording.Len() == 0 {
		t.Errorf("%s has %d looks and is cut off: %v", path, recording.Len(), recording.Cut())
	}
	c := console{out: io.Discard, err: os.Stderr, env: func(string) string { return "" }}
	if code := run(t.Context(), []string{"check", "--replay", path}, c); code < 0 || code > exitUnknown {
		t.Errorf("check --replay %s ends with %d", path, code)
	}
}

// unpacked is all that a recording holds.
func unpacked(t *testing.T, path string) string {
	t.Helper()
	packed, err := os.Open(path)
	must(t, err)
	defer func() { must(t, packed.Close()) }()
	reader, err := gzip.NewReader(packed)
	must(t, err)
	all, err := io.ReadAll(reader)
	must(t, err)
	return string(all)
}

// No planted secret is in any file of a bundle, nor in what the screen says, nor is a name where names are
// hidden.
func TestPlantedSecretsAreInNoBundle(t *testing.T) {
	t.Parallel()
	for _, redact := range []string{"secrets", "names"} {
		for _, scenario := range []string{"slow-sink", "restart-loop"} {
			t.Run(redact+"/"+scenario, func(t *testing.T) {
				t.Parallel()
				k := plant(t, scenario, redact)
				path := ""
				said, err := k.bundleInto(t.Context(), "", func(write func(string) error) (string, error) {
					path = filepath.Join(t.TempDir(), "ticket.zip")
					return path, write(path)
				})
				must(t, err)
				files := unzip(t, path)
				files["the screen"] = said
				noSecrets(t, files, redact == "names")
				inBundle(t, files, scenario)
			})
		}
	}
}

func noSecrets(t *testing.T, files map[string]string, hidden bool) {
	t.Helper()
	never := planted.Secrets()
	if hidden {
		for _, name := range []string{"warehouse", "lab-orders", "tm-1", "clean", "http://sim"} {
			never[name] = name
		}
	}
	for file, text := range files {
		for what, secret := range never {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("%s is in %s: %s", what, file, text[max(0, i-100):i+len(secret)])
			}
		}
	}
}

// inBundle fails where a file is missing, or does not tell what it is for.
func inBundle(t *testing.T, files map[string]string, scenario string) {
	t.Helper()
	reason := map[string]string{"slow-sink": "slow-sink", "restart-loop": "restarts again and again"}[scenario]
	for file, words := range map[string][]string{
		readmeInBundle:  {"culprit replay " + recordingInBundle, verdictInBundle, "Secrets are not in it"},
		verdictInBundle: {"# critical", "Time line", reason}, textInBundle: {"recording of", "╭"},
		pictureInBundle: {"<svg", "</svg>"}, evidenceInBundle: {"evidence"},
		versionsInBundle: {"culprit ", "Flink ", "recorded by culprit"}, recordingInBundle: {`{"head":`},
	} {
		for _, w := range words {
			if !strings.Contains(files[file], w) {
				t.Errorf("%s has no %q: %.2000s", file, w, files[file])
			}
		}
	}
}

// Names that a recording has are hidden on its way into a bundle, and the verdict stays.
func TestNamesOfARecordingAreHiddenInItsBundle(t *testing.T) {
	t.Parallel()
	for _, scenario := range []string{"slow-sink", "restart-loop"} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			k := plant(t, scenario, "secrets")
			recording := filepath.Join(t.TempDir(), "told.culprit")
			must(t, k.current().save(recording))
			if !strings.Contains(unpacked(t, recording), "warehouse") {
				t.Fatal("the recording has no names: this tests nothing")
			}
			path := filepath.Join(t.TempDir(), "ticket.zip")
			text := said(t, 0, "bundle", recording, "--redact", "names", "--job",
				map[string]string{"slow-sink": "lab-orders", "restart-loop": "orders"}[scenario], "-o", path)
			files := unzip(t, path)
			noSecrets(t, map[string]string{"the command": strings.ReplaceAll(text, path, "")}, true)
			noSecrets(t, files, true)
			inBundle(t, files, scenario)
			hidden := filepath.Join(t.TempDir(), "hidden.culprit")
			original, err := tape.Open(recording)
			must(t, err)
			out, err := tape.Create(hidden)
			must(t, err)
			must(t, original.HideNames(out, diagnose.Settings()))
			must(t, out.Close())
			must(t, original.Close())
			if diff := cmp.Diff(outlines(t, recording), outlines(t, hidden)); diff != "" {
				t.Errorf("without names another verdict (-with +without):\n%s", diff)
			}
		})
	}
}

// A job of a cluster is found by its name where names are hidden, and the name is in no file.
func TestTheJobOfABundleIsFoundByAHiddenName(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ticket.zip")
	bundle := []string{"bundle", "--demo", "slow-sink", "--redact", "names", "-o", path, "--job"}
	text := said(t, 0, append(bundle, "lab-orders")...)
	files := unzip(t, path)
	files["the command"] = strings.ReplaceAll(text, path, "")
	noSecrets(t, files, true)
	inBundle(t, files, "slow-sink")
	must(t, os.Remove(path))
	mustSay(t, said(t, exitUnknown, append(bundle, "nobody")...), `no job with the id or name "nobody"`)
}

// The command makes a bundle of a simulated cluster and of a recording, and never replaces a file.
func TestBundleCommand(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "ticket.zip")
	if text := said(t, 0, "bundle", "--demo", "hot-key", "-o", path); !strings.Contains(text, "ticket.zip, ") {
		t.Errorf("it says %q", text)
	}
	files := unzip(t, path)
	if !strings.Contains(files[verdictInBundle], "hot-key") {
		t.Errorf("the verdict is %s", files[verdictInBundle])
	}
	text := said(t, exitUnknown, "bundle", "--demo", "hot-key", "-o", path)
	if !strings.Contains(text, "exists") {
		t.Errorf("a file that is there: %q", text)
	}
	recording := filepath.Join(folder, "r.culprit")
	said(t, 0, "record", "--demo", "slow-sink", "--for", "2m", "-o", recording)
	again := filepath.Join(folder, "again.zip")
	said(t, 0, "bundle", recording, "-o", again)
	if files := unzip(t, again); !strings.Contains(files[verdictInBundle], "slow-sink") {
		t.Errorf("the verdict is %s", files[verdictInBundle])
	}
	mustSay(t, said(t, exitUnknown, "bundle", recording, "--redact", "all"), `--redact "all" is not known`)
	mustSay(t, said(t, exitUnknown, "bundle", recording, "--redact", "names", "--job", "nobody"),
		"no job nobody was recorded")
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	must(t, err)
	if want := []string{again, recording, path}; !slices.Equal(left, want) {
		t.Errorf("there are %q, want %q", left, want)
	}
}
