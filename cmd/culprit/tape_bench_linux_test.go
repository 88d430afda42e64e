package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
)

// BenchmarkReplay is the cost of one look of a recording, from the file to the verdict.
func BenchmarkReplay(b *testing.B) {
	path, _ := hourOfTwentyVertices(b, 10*time.Minute)
	player := play(b, path)
	monitor := diagnose.NewMonitor(player, diagnose.DefaultOptions())
	for b.Loop() {
		_, err := monitor.Step(b.Context(), diagnose.Ask{})
		if errors.Is(err, io.EOF) {
			if err = player.Seek(0); err == nil {
				monitor = diagnose.NewMonitor(player, diagnose.DefaultOptions())
			}
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// TestMeasureHour prints what an hour of a job of twenty vertices costs: the recorder, the file, opening it,
// reading it ahead, and going to moments of it. The recorder's part is taken of a process that does nothing
// else but simulate: what simulating alone takes is printed beside it.
func TestMeasureHour(t *testing.T) {
	if os.Getenv("CULPRIT_MEASURE") == "" {
		t.Skip("set CULPRIT_MEASURE to 1")
	}
	path := measureRecorder(t)
	var opened []time.Duration
	for range 20 {
		before, began := computed(t), flinkapi.WallClock()
		recording, err := tape.Open(path)
		must(t, err)
		opened = append(opened, computed(t)-before)
		if took := flinkapi.WallClock().Sub(began); took > 2*time.Second {
			t.Errorf("opening took %v", took)
		}
		must(t, recording.Close())
	}
	t.Logf("open: %s of CPU", spread(opened))
	player := play(t, path)
	monitor := diagnose.NewMonitor(player, diagnose.DefaultOptions())
	index := diagnose.NewIndex(play(t, path), diagnose.DefaultOptions(), nil)
	runtime.GC()
	before, heap := computed(t), heapInUse()
	for more, err := true, error(nil); more; more, err = index.Ahead(t.Context(), 100) {
		must(t, err)
	}
	runtime.GC()
	t.Logf("reading ahead: %v of CPU, %.0f MB are kept", computed(t)-before, float64(heapInUse()-heap)/1e6)
	var sought []time.Duration
	for i := range 100 {
		at := (i*1237 + 800) % player.Len()
		before := computed(t)
		_, err := index.Seek(t.Context(), monitor, at, diagnose.Ask{})
		must(t, err)
		sought = append(sought, computed(t)-before)
	}
	t.Logf("seek: %s of CPU", spread(sought))
	if most := slices.Max(sought); most > 300*time.Millisecond {
		t.Errorf("a seek took %v of CPU", most)
	}
}

// measureRecorder records the hour with and without a recorder and tells the difference.
func measureRecorder(t *testing.T) string {
	t.Helper()
	before := computed(t)
	watchTwentyVertices(t, time.Hour)
	alone, peak := computed(t)-before, peakMemory(t)
	before = computed(t)
	path, looks := hourOfTwentyVertices(t, time.Hour)
	with := computed(t) - before
	info, err := os.Stat(path)
	must(t, err)
	t.Logf("an hour of 20 vertices: %d looks, %s", looks, byteText(info.Size()))
	t.Logf("recorder: %v of CPU beside %v for the watch and the simulation, %.2f ms a look; "+
		"peak memory %.0f MB, %.0f MB without it", with-alone, alone,
		1e3*(with-alone).Seconds()/float64(looks), peakMemory(t), peak)
	return path
}

// spread tells the middle, the ninth decile and the largest of some times.
func spread(all []time.Duration) string {
	all = slices.Sorted(slices.Values(all))
	ms := func(d time.Duration) float64 { return 1e3 * d.Seconds() }
	return fmt.Sprintf("least %.3g ms, median %.3g ms, 9 of 10 below %.3g ms, most %.3g ms", ms(all[0]),
		ms(all[len(all)/2]), ms(all[len(all)*9/10]), ms(all[len(all)-1]))
}

func heapInUse() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // no heap is that large
}

// peakMemory is the most memory that the process has had so far, in MB.
func peakMemory(t *testing.T) float64 {
	t.Helper()
	var used syscall.Rusage
	must(t, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return float64(used.Maxrss) * 1024 / 1e6
}

// computed is how long the process was computing for itself, which other processes do not change.
func computed(t testing.TB) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano())
}

// hourOfTwentyVertices records a job of twenty vertices with eight subtasks each, one of which is slow.
func hourOfTwentyVertices(t testing.TB, span time.Duration) (path string, looks int) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "twenty.culprit")
	w := record(t, twentyVertices(), path, tape.Options{})
	w.watch(t, span)
	looks, _ = w.recorder.Size()
	return path, looks
}

// watchTwentyVertices watches the same without a recorder.
func watchTwentyVertices(t testing.TB, span time.Duration) {
	t.Helper()
	cluster := twentyVertices().Cluster(morning)
	client, err := flinkapi.NewClient(flinkapi.Options{
		URL: "http://sim", Transport: sim.Transport(cluster.Handler(), nil), Timeout: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	collector := flinkapi.NewCollector(client, flinkapi.CollectorOptions{
		Clock: cluster.Now, Signals: diagnose.Needs(), Settings: diagnose.Settings(),
	})
	w := &liveWatch{cluster: cluster, monitor: diagnose.NewMonitor(collector, diagnose.DefaultOptions())}
	w.watch(t, span)
}

func twentyVertices() sim.Scenario {
	job := sim.Job{Name: "twenty", Jitter: 0.05, Checkpoints: sim.Checkpoints{Interval: 30 * time.Second}}
	for i := range 20 {
		v := sim.Vertex{Name: fmt.Sprintf("step %d", i), Parallelism: 8, Service: 300 * time.Microsecond, CPU: 0.9}
		if i == 0 {
			v.Name, v.Source = "Source: orders", &sim.Source{Rate: 4000, Log: true}
		} else {
			job.Edges = append(job.Edges, sim.Edge{From: i - 1, To: i, Ship: sim.Rebalance})
		}
		if i == 12 {
			v.Service, v.CPU = 5*time.Millisecond, 0.03
		}
		job.Vertices = append(job.Vertices, v)
	}
	return sim.Scenario{Name: "twenty", Config: sim.Config{Jobs: []sim.Job{job}}, Warm: 3 * time.Minute}
}
