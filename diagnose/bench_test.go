package diagnose

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
)

// largeJob is a job of 200 vertices with 100 subtasks each, in ten chains that a slow operator holds back, on
// 50 TaskManagers.
func largeJob(tb testing.TB) *world {
	tb.Helper()
	var b strings.Builder
	for i := range 200 {
		share := "3/95"
		switch {
		case i%20 == 15:
			share = "99/0"
		case i%20 > 15:
			share = "5/0"
		}
		fmt.Fprintf(&b, "v%d %s*100", i, share)
		if i%20 < 19 {
			fmt.Fprintf(&b, " -> v%d", i+1)
		}
		b.WriteString("\n")
	}
	w := newWorld(tb, b.String())
	for _, p := range w.parts {
		for k, task := range p.tasks {
			task.worker = flinkapi.TaskManagerID(fmt.Sprintf("tm-%d", k/2+1))
			m := w.worker(string(task.worker))
			m.cores, m.known = 2, true
		}
	}
	w.engine = newEngine(DefaultOptions(), Rules())
	return w
}

// warm are snapshots of the job, one slot apart, that fill the window of its engine; the last ones are left
// over.
func (w *world) warm(looks, left int) []*flinkapi.Snapshot {
	for range looks {
		w.look(w.fetch)
	}
	out := make([]*flinkapi.Snapshot, left)
	for i := range out {
		out[i] = w.snapshot(w.fetch)
	}
	return out
}

// BenchmarkDiagnosis is one diagnosis of a large job in which every subtask has fresh numbers; 5 ms are meant
// to be enough.
func BenchmarkDiagnosis(b *testing.B) {
	w := largeJob(b)
	const kept = 4
	fresh := w.warm(20, kept)
	b.ReportAllocs()
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		if i >= kept && i%kept == 0 {
			for _, s := range fresh {
				later(s, kept*w.fetch)
			}
		}
		b.StartTimer()
		from := time.Now() //nolint:forbidigo // the benchmark's own median
		w.engine.run(fresh[i%kept])
		took = append(took, time.Since(from)) //nolint:forbidigo // the same
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "us-median")
	b.ReportMetric(float64(took[0].Microseconds()), "us-least") // nearest to the CPU time on a shared machine
}

// later moves a snapshot on, with its counters.
func later(s *flinkapi.Snapshot, d time.Duration) {
	s.At, s.Job.Now, s.Job.Read, s.Job.MetricsMoved = s.At.Add(d), s.Job.Now.Add(d), s.At.Add(d), s.At.Add(d)
	s.Job.MetricRound += int(d / (10 * time.Second))
	for i := range s.Job.Vertices {
		v := &s.Job.Vertices[i]
		v.SubtasksRead, v.SpreadRead = v.SubtasksRead.Add(d), v.SpreadRead.Add(d)
		v.Subtasks = slices.Clone(v.Subtasks)
		for k := range v.Subtasks {
			sub := &v.Subtasks[k]
			sub.Running = sub.Running.Plus(d.Seconds())
			sub.Readings = slices.Clone(sub.Readings)
			for signal, share := range map[flinkapi.Signal]float64{
				flinkapi.BusyTime: 0.5, flinkapi.BackpressuredTime: 0.25, flinkapi.IdleTime: 0.25,
			} {
				sub.Readings[signal] = sub.Readings.Of(signal).Plus(share * d.Seconds())
			}
		}
	}
}

// A diagnosis allocates for what it says of each vertex and each culprit, never for each subtask.
//
//nolint:paralleltest // allocations are counted for the whole process
func TestADiagnosisAllocatesLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a large job")
	}
	const perVertex = 12
	w := largeJob(t)
	fresh := w.warm(6, 4)
	i := 0
	got := testing.AllocsPerRun(len(fresh)-1, func() {
		w.engine.run(fresh[i])
		i++
	})
	if most := slack * float64(perVertex*len(w.parts)); got > most {
		t.Errorf("%.0f allocations, %.1f for each vertex", got, got/float64(len(w.parts)))
	}
}

// A quarter of an hour of 20 000 subtasks takes about 42 MB.
//
//nolint:paralleltest // memory is counted for the whole process
func TestTheWindowOfALargeJobIsSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a large job")
	}
	const most = 55 << 20
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	w := largeJob(t)
	w.warm(int(history/w.fetch)+2, 0)
	w.report = nil
	with := heap()
	w.engine.w.clear()
	if took := with - heap(); took > most {
		t.Errorf("%d MB", took>>20)
	}
	runtime.KeepAlive(w)
}
