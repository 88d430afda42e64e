package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
)

// BenchmarkReplay is the cost of one look of a recording, from the file to the verdict.
func BenchmarkReplay(b *testing.B) {
	path := hourOfTwentyVertices(b, 10*time.Minute)
	player := play(b, path)
	monitor := diagnose.NewMonitor(player, diagnose.DefaultOptions())
	for b.Loop() {
		_, err := monitor.Step(b.Context(), diagnose.Ask{})
		if errors.Is(err, io.EOF) {
			if _, err = player.Seek(0); err == nil {
				monitor = diagnose.NewMonitor(player, diagnose.DefaultOptions())
			}
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSeek goes to moments of an hour.
func BenchmarkSeek(b *testing.B) {
	player := play(b, hourOfTwentyVertices(b, time.Hour))
	monitor := diagnose.NewMonitor(player, diagnose.DefaultOptions())
	var all []time.Duration
	for i := 0; b.Loop(); i++ {
		before := computed(b)
		if _, err := monitor.Seek(b.Context(), (i*1237+800)%player.Len(), diagnose.Ask{}); err != nil {
			b.Fatal(err)
		}
		all = append(all, computed(b)-before)
	}
	reportComputed(b, all)
}

// computed is how long the process was computing for itself, which other processes do not change.
func computed(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano())
}

// reportComputed tells the middle, the smallest and the largest of some times.
func reportComputed(b *testing.B, all []time.Duration) {
	b.Helper()
	slices.Sort(all)
	b.ReportMetric(all[len(all)/2].Seconds()*1e3, "median-cpu-ms")
	b.ReportMetric(all[0].Seconds()*1e3, "least-cpu-ms")
	b.ReportMetric(all[len(all)-1].Seconds()*1e3, "most-cpu-ms")
}

// BenchmarkOpen opens an hour.
func BenchmarkOpen(b *testing.B) {
	path := hourOfTwentyVertices(b, time.Hour)
	var all []time.Duration
	for b.Loop() {
		before := computed(b)
		recording, err := tape.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		_ = recording.Close()
		all = append(all, computed(b)-before)
	}
	reportComputed(b, all)
}

// hourOfTwentyVertices records a job of twenty vertices with eight subtasks each, one of which is slow.
func hourOfTwentyVertices(t testing.TB, span time.Duration) string {
	t.Helper()
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
	scenario := sim.Scenario{Name: "twenty", Config: sim.Config{Jobs: []sim.Job{job}}, Warm: 3 * time.Minute}
	path := filepath.Join(t.TempDir(), "twenty.culprit")
	w := record(t, scenario, path, tape.Options{})
	w.run(t, span)
	looks, size := w.recorder.Size()
	t.Logf("%s: %d looks, %d bytes", span, looks, size)
	return path
}
