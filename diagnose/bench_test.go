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

// BenchmarkDiagnosis is one diagnosis of a large job in which every subtask has fresh numbers and every look
// closes a slot; 5 ms are meant to be enough. The median is what a user waits for, the least is nearest to
// the CPU time on a shared machine.
func BenchmarkDiagnosis(b *testing.B) {
	w := largeJob(b)
	const kept = 4
	fresh := w.warm(20, kept+1)
	growth := growthOf(fresh[0], fresh[kept])
	b.ReportAllocs()
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		if i >= kept && i%kept == 0 {
			for _, s := range fresh[:kept] {
				later(s, kept*w.fetch, growth)
			}
		}
		b.StartTimer()
		from := time.Now() //nolint:forbidigo // the benchmark's own median
		w.engine.run(fresh[i%kept])
		took = append(took, time.Since(from)) //nolint:forbidigo // the same
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "us-median")
	b.ReportMetric(float64(took[0].Microseconds()), "us-least")
}

// growthOf is by how much each reading of each subtask rises between two snapshots, by vertex and subtask.
func growthOf(from, to *flinkapi.Snapshot) [][]flinkapi.Readings {
	out := make([][]flinkapi.Readings, len(from.Job.Vertices))
	for v := range from.Job.Vertices {
		before, after := from.Job.Vertices[v].Subtasks, to.Job.Vertices[v].Subtasks
		for k := range before {
			growth := slices.Clone(after[k].Readings)
			for s := range growth {
				growth[s] = growth[s].Plus(-before[k].Readings[s].Or(0))
			}
			out[v] = append(out[v], growth)
		}
	}
	return out
}

// later moves a snapshot on, with its counters.
func later(s *flinkapi.Snapshot, d time.Duration, growth [][]flinkapi.Readings) {
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
			for signal := range sub.Readings {
				sub.Readings[signal] = sub.Readings[signal].Plus(growth[i][k][signal].Or(0))
			}
		}
	}
}

// A diagnosis allocates for what it says of each vertex and each culprit, and for what a slot keeps of each
// subtask: 20 bytes.
//
//nolint:paralleltest // allocations are counted for the whole process
func TestADiagnosisAllocatesLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a large job")
	}
	const mostPerVertex, mostBytes = 5, 1_200_000
	w := largeJob(t)
	fresh := w.warm(20, 8)
	runtime.GC()
	before := allocated()
	for _, s := range fresh {
		w.engine.run(s)
	}
	after, looks := allocated(), float64(len(fresh))
	allocs := float64(after.Mallocs-before.Mallocs) / looks
	bytes := float64(after.TotalAlloc-before.TotalAlloc) / looks
	if perVertex := allocs / float64(len(w.parts)); perVertex > slack*mostPerVertex {
		t.Errorf("%.0f allocations, %.1f for each vertex", allocs, perVertex)
	}
	if bytes > slack*mostBytes {
		t.Errorf("%.0f bytes", bytes)
	}
}

// allocated is what was allocated so far.
func allocated() *runtime.MemStats {
	m := &runtime.MemStats{}
	runtime.ReadMemStats(m)
	return m
}

// A quarter of an hour of 20 000 subtasks takes about 47 MB.
//
//nolint:paralleltest // memory is counted for the whole process
func TestTheWindowOfALargeJobIsSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a large job")
	}
	const most = 55 << 20
	heap := func() uint64 {
		runtime.GC()
		return allocated().HeapAlloc
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
