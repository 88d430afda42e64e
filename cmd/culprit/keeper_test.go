package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi/tape"
	"culprit/tui"
)

// taped returns a function that takes a look at a simulated cluster.
func taped(t *testing.T, tap *taping) func() *diagnose.Observation {
	t.Helper()
	tap.redact, tap.maxSize = "secrets", "1MB"
	source, cluster, err := openDemoAt("healthy", time.Second, morning, nil, tap)
	must(t, err)
	monitor := diagnose.NewMonitor(source, diagnose.DefaultOptions())
	return func() *diagnose.Observation {
		obs, err := monitor.Step(t.Context(), diagnose.Ask{})
		must(t, err)
		cluster.Advance(monitor.Wait())
		return obs
	}
}

// A recording is of one cluster: it ends, whole, with the switch to another one, which is said once.
func TestARecordingEndsWithTheSwitch(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "orders.culprit")
	tap := &taping{file: path}
	taped(t, tap)()
	k := newKeeper(tap, &tuning{utc: true})
	if said, err := k.Save(); err != nil || !strings.Contains(said, "recorded already: "+path) {
		t.Errorf("the key says %q, %v", said, err)
	}
	_, err := k.change(func(*taping) (tui.Monitor, error) { return nil, errors.New("no such file") })
	if err == nil || k.News() != "" || k.current().out == nil {
		t.Fatalf("a cluster that cannot be opened ends the recording: %v", err)
	}
	_, err = k.change(func(next *taping) (tui.Monitor, error) {
		if next.file != "" || next.redact != "secrets" {
			t.Errorf("the next one goes to %q and hides %q", next.file, next.redact)
		}
		return nil, nil
	})
	must(t, err)
	want := "the recording of http://healthy ended with the switch: " + path + ", 1 look"
	if said := k.News(); !strings.HasPrefix(said, want) {
		t.Errorf("the screen says %q, want %q", said, want)
	}
	if said := k.News(); said != "" {
		t.Errorf("and again %q", said)
	}
	recording, err := tape.Open(path)
	must(t, err)
	if recording.Cut() != nil || recording.Len() != 1 {
		t.Errorf("%d looks, cut off: %v", recording.Len(), recording.Cut())
	}
	must(t, recording.Close())
	must(t, k.end())
}

// A spool that can no longer be written is said once, and the watch goes on.
func TestAFullDiskIsSaidOnce(t *testing.T) {
	t.Parallel()
	tap := &taping{spooled: true, folder: filepath.Join(t.TempDir(), "new")}
	look := taped(t, tap)
	k := newKeeper(tap, &tuning{utc: true})
	if _, err := k.Save(); err == nil || !strings.Contains(err.Error(), "nothing was read yet") {
		t.Errorf("nothing to save gives %v", err)
	}
	look()
	if said := k.News(); said != "" {
		t.Errorf("while all is well: %q", said)
	}
	must(t, tap.spool.Close()) // what is written from now on fails
	if obs := look(); len(obs.Snapshot.Problems) > 0 {
		t.Errorf("the screen shows %v all the time", obs.Snapshot.Problems)
	}
	if said := k.News(); !strings.HasPrefix(said, "the last hour is no longer kept: ") {
		t.Errorf("the screen says %q", said)
	}
	if said := k.News(); said != "" {
		t.Errorf("and again %q", said)
	}
}

// Two files of one second stand side by side: the second has a number, and the first is whole.
func TestASecondFileOfASecondHasANumber(t *testing.T) {
	t.Chdir(t.TempDir())
	now := time.Date(2026, 3, 14, 3, 7, 0, 0, time.UTC)
	want := []string{"culprit-20260314-030700.culprit", "culprit-20260314-030700-2.culprit"}
	for _, name := range want {
		path, err := place(".culprit", now, func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if err != nil {
				return err
			}
			_, err = f.WriteString(name)
			return errors.Join(err, f.Close())
		})
		if err != nil || path != name {
			t.Fatalf("%q, %v: want %q", path, err, name)
		}
	}
	for _, name := range want {
		if held, err := os.ReadFile(name); err != nil || string(held) != name {
			t.Errorf("%s holds %q, %v", name, held, err)
		}
	}
}
