package tape_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
)

// watch records a simulated job into an output and returns a function that takes one look.
func watch(t *testing.T, out tape.Output) (*sim.Cluster, *tape.Recorder, func() *flinkapi.Snapshot) {
	t.Helper()
	scenario, _ := sim.Lookup("healthy")
	cluster := scenario.Cluster(morning)
	recorder := tape.NewRecorder(out, tape.Options{Clock: cluster.Now})
	client, err := flinkapi.NewClient(flinkapi.Options{
		URL: "http://sim", Transport: sim.Transport(cluster.Handler(), nil), Wrap: recorder.Wrap,
	})
	if err != nil {
		t.Fatal(err)
	}
	source := recorder.Source(flinkapi.NewCollector(client, flinkapi.CollectorOptions{Clock: recorder.Clock}))
	var focus flinkapi.Focus
	return cluster, recorder, func() *flinkapi.Snapshot {
		snapshot, err := source.Next(t.Context(), focus)
		if err != nil {
			t.Fatal(err)
		}
		if focus.Job == "" {
			focus.Job = snapshot.Jobs[0].ID
		}
		cluster.Advance(source.Wait())
		return snapshot
	}
}

func TestSpoolKeepsTheNewest(t *testing.T) {
	t.Parallel()
	parent := filepath.Join(t.TempDir(), "cache", "culprit")
	const keep = 10 * time.Minute
	spool, err := tape.NewSpool(parent, keep, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	cluster, recorder, look := watch(t, spool)
	saved := filepath.Join(t.TempDir(), "saved.culprit")
	save := func() error { return recorder.Settled(func() error { return spool.Save(saved) }) }
	for cluster.Now().Before(morning.Add(40 * time.Minute)) {
		if look(); cluster.Now().Sub(morning).Round(10*time.Second) == 39*time.Minute { // the recording goes on
			_ = os.Remove(saved)
			if err = save(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err = save(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that is there was replaced, or not: %v", err)
	}
	if err = errors.Join(os.Remove(saved), save()); err != nil {
		t.Fatal(err)
	}
	recording, err := tape.Open(saved)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = recording.Close() })
	if recording.Cut() != nil {
		t.Errorf("what was saved is cut off: %v", recording.Cut())
	}
	from, to := recording.Span()
	now := cluster.Now()
	if to.Before(now.Add(-2*time.Second)) || now.Sub(from) < keep || now.Sub(from) > 2*keep {
		t.Errorf("at %s the spool reaches from %s to %s", now, from, to)
	}
	player, err := recording.Play(tape.PlayerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := player.Next(t.Context(), flinkapi.Focus{Turn: true})
	if err != nil {
		t.Fatal(err)
	}
	if snapshot.Job == nil || snapshot.Cluster.Version == "" || len(snapshot.Problems) > 0 {
		t.Errorf("the first look knows the job %v, version %q and the problems %v: a member does not stand alone",
			snapshot.Job != nil, snapshot.Cluster.Version, snapshot.Problems)
	}
	if err := spool.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(parent, "*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}

func TestSpoolIsBounded(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	const most = 200_000
	spool, err := tape.NewSpool(parent, time.Hour, most)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = spool.Close() })
	cluster, _, look := watch(t, spool)
	largest := int64(0)
	for cluster.Now().Before(morning.Add(40 * time.Minute)) {
		look()
		total := int64(0)
		files, _ := filepath.Glob(filepath.Join(parent, "*", "*"))
		for _, file := range files {
			if info, err := os.Stat(file); err == nil {
				total += info.Size()
			}
		}
		largest = max(largest, total)
	}
	const member = 200_000 // what the one that is written takes at most
	if largest > most+member || largest < most/2 {
		t.Errorf("the spool took %d bytes", largest)
	}
}

// full is a disk that has room for so many bytes.
type full struct {
	bytes.Buffer
	room int
}

var errNoSpace = errors.New("no space left on device")

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.room {
		n, _ := f.Buffer.Write(p[:f.room])
		f.room = 0
		return n, errNoSpace
	}
	f.room -= len(p)
	return f.Buffer.Write(p)
}

func (f *full) Roll(time.Time) error { return nil }

// TestFullDisk fills the disk while a watch goes on: the watch is not disturbed, the user is told, and what
// was written replays.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	disk := &full{room: 20_000}
	_, recorder, look := watch(t, disk)
	told := ""
	for range 200 {
		snapshot := look()
		if recorder.Err() == nil {
			continue
		}
		for _, p := range snapshot.Problems {
			told += p.Subject + ": " + p.Err.Error() + "\n"
		}
		if told != "" {
			break
		}
	}
	if !errors.Is(recorder.Err(), errNoSpace) || !errors.Is(recorder.Close(), errNoSpace) {
		t.Errorf("the recorder ended by %v", recorder.Err())
	}
	if !strings.Contains(told, "the recording: record: write the recording: ") ||
		!strings.Contains(told, "no space left on device; what was recorded until then can be replayed") {
		t.Errorf("the user is told %q", told)
	}
	path := filepath.Join(t.TempDir(), "full.culprit")
	if err := os.WriteFile(path, disk.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	recording, err := tape.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = recording.Close() })
	if looks, _ := recorder.Size(); recording.Len() != looks || recording.Cut() == nil {
		t.Errorf("%d looks were written, %d are read, cut: %v", looks, recording.Len(), recording.Cut())
	}
}
