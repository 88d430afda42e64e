package tui

import (
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// dissected is the slow sink with its checkpoints read part by part, a failed one and one under way.
func dissected() *diagnose.Observation {
	obs := slowSink()
	cp := obs.Snapshot.Job.Checkpoints
	cp.Configured, cp.ExactlyOnce, cp.TolerableFailures, cp.Failed, cp.Running = true, true, value(0), 1, 1
	cp.Backend, cp.Storage = "EmbeddedRocksDBStateBackend", "FileSystemCheckpointStorage"
	part := func(start, align, sync, async time.Duration) flinkapi.CheckpointPart {
		return flinkapi.CheckpointPart{
			Acked: true, StartDelay: start, Alignment: align, Sync: sync, Async: async,
			Duration: start + align + sync + async,
		}
	}
	second, quick := time.Second, part(time.Second, 0, 0, 0)
	quick.Subtask = 1
	cp.History[0].StateBytes, cp.History[0].CheckpointedBytes = value(1.234e9), value(5.6e7)
	cp.History[0].Subtasks, cp.History[0].Acked = 6, 6
	cp.History[0].Vertices = []flinkapi.CheckpointVertex{
		{
			Vertex: vertexID(1), Duration: 30 * second, Subtasks: 4, Acked: 4, StateBytes: value(2400),
			Parts: []flinkapi.CheckpointPart{part(28*second, second, 0, second)},
		},
		{
			Vertex: vertexID(3), Duration: 190 * second, Subtasks: 2, Acked: 2, StateBytes: value(1.23e9),
			Parts: []flinkapi.CheckpointPart{part(120*second, 40*second, 10*second, 20*second), quick},
		},
	}
	cp.History[1].Status = "FAILED"
	cp.History = append([]flinkapi.Checkpoint{{
		ID: 8, Status: "IN_PROGRESS", Acked: 12, Subtasks: 14, TriggeredAt: start.Add(-time.Minute),
		Duration: time.Minute, Unaligned: true,
	}}, cp.History...)
	return obs
}

// working is the slow sink with its TaskManagers.
func working() *diagnose.Observation {
	obs := slowSink()
	obs.Report.TaskManagers = []diagnose.WorkerState{
		{
			ID: "tm-1", Slots: 4, Free: 1, Silent: value(3), Cores: value(0.0412), MachineCores: value(4),
			GC: value(0.34), HeapUsed: value(9.1e8), HeapFloor: value(8.8e8), HeapMax: value(1e9),
			NetworkUsed: value(1e8), NetworkMax: value(2e8), Age: value(4),
			Tasks: []diagnose.WorkerTasks{
				{Placed: &diagnose.Placed{
					Vertex: diagnose.VertexRef{ID: vertexID(0), Name: "Source: orders"}, Subtasks: []int{0, 1, 2, 3},
				}},
				{Busy: value(0.99), Placed: &diagnose.Placed{
					Vertex:   diagnose.VertexRef{ID: vertexID(3), Name: "jdbc-upsert -> Sink: warehouse"},
					Subtasks: []int{0},
				}},
			},
		},
		{ID: "tm-2", Slots: 4, Free: 4},
	}
	obs.Report.Also = append(obs.Report.Also, diagnose.Finding{
		Rule: "gc", Code: "FD1001", Severity: diagnose.Warning, Summary: "tm-1 collects garbage 34 % of the time",
		Remedies: []diagnose.Remedy{{Do: "give it more heap", Key: "taskmanager.memory.task.heap.size", To: "2g"}},
	})
	return obs
}

func TestStackedBars(t *testing.T) {
	t.Parallel()
	th := NewTheme(plainLook())
	s := time.Second
	for _, c := range []struct {
		parts          checkpointParts
		whole, longest time.Duration
		want           string
	}{
		{checkpointParts{4 * s, 2 * s, 1 * s, 3 * s}, 10 * s, 10 * s, "▒▒▒▒▓▓█▄▄▄"},
		{checkpointParts{4 * s, 0, 0, 0}, 5 * s, 10 * s, "▒▒▒▒░"},
		{checkpointParts{}, 5 * s, 10 * s, "░░░░░"},
		// A part that matters is seen, one that does not is not.
		{checkpointParts{600 * time.Millisecond, 9 * s, 0, 0}, 10 * s, 10 * s, "▒▓▓▓▓▓▓▓▓░"},
		{checkpointParts{time.Millisecond, 9 * s, 0, 0}, 10 * s, 10 * s, "▓▓▓▓▓▓▓▓▓░"},
	} {
		got := ""
		for _, part := range th.stacked(c.parts, c.whole, c.longest, 10) {
			got += part.text
		}
		if got != c.want {
			t.Errorf("%v of %s gives %q, want %q", c.parts, c.whole, got, c.want)
		}
	}
}

func TestIndices(t *testing.T) {
	t.Parallel()
	for want, all := range map[string][]int{
		"": nil, "3": {3}, "3, 4": {3, 4}, "0 to 2": {0, 1, 2}, "0 to 2, 5, 7 to 9": {0, 1, 2, 5, 7, 8, 9},
	} {
		if got := indices(all); got != want {
			t.Errorf("%v gives %q", all, got)
		}
	}
}

// eventful is the slow sink after a restart, with a checkpoint that failed since.
func eventful() *diagnose.Observation {
	obs := dissected()
	job := obs.Snapshot.Job
	job.Now = obs.At.Add(-time.Hour) // the JobManager's clock is late
	ago := func(d time.Duration) time.Time { return job.Now.Add(-d) }
	job.EnteredAt = map[flinkapi.JobState]time.Time{
		flinkapi.JobRunning: ago(20 * time.Minute), flinkapi.JobRestarting: ago(21 * time.Minute),
	}
	job.Exceptions = []flinkapi.Exception{{
		Root: "IOException: connection reset by peer", Task: "clean (2/4)", At: ago(21 * time.Minute),
	}}
	for i := range job.Checkpoints.History {
		if c := &job.Checkpoints.History[i]; c.Status == "FAILED" {
			c.FailedAt, c.Failure = ago(4*time.Minute), "Checkpoint expired before completing."
		}
	}
	return obs
}

// sourcing is the slow sink with what is known of its source, and another one that reports nothing.
func sourcing() *diagnose.Observation {
	obs := slowSink()
	ref := diagnose.VertexRef{ID: vertexID(0), Name: "Source: orders"}
	obs.Report.Sources = []diagnose.SourceState{
		{
			Vertex: ref, Lag: value(1.23e6), LagSlope: value(8120), LagSpan: 3 * time.Minute, Rate: value(355),
			Busy: value(0.01), Backpressured: value(0.99), Idle: value(0),
			Watermark: value(float64(start.Add(-9 * time.Minute).Unix())), WatermarkLag: value(540),
			WatermarkAhead: value(float64(start.Add(-8 * time.Minute).Unix())), WatermarkStood: value(40),
			EmitLag: value(541), Silent: value(12), SilentLeast: value(0.4), Unassigned: value(2), Looked: true,
			Age: value(4),
		},
		{Vertex: ref, Operator: "returns", Rate: value(355), Looked: true, Age: value(4)},
		{Vertex: ref, Operator: "refunds", Ended: true, LagSlope: flinkapi.Known(-1), Lag: value(3)},
	}
	return obs
}

// A checkpoint that runs has one age on a screen, and of a vertex that has not acknowledged nothing is known.
func TestARunningCheckpointHasOneClock(t *testing.T) {
	t.Parallel()
	x := &flinkapi.Checkpoint{
		ID: 36, Status: flinkapi.CheckpointInProgress, TriggeredAt: start, Duration: 1700 * time.Millisecond,
		Acked: 12, Subtasks: 12,
	}
	if got := durationText(x, start.Add(8*time.Second)); got != "8 s" {
		t.Errorf("it runs for %s, want 8 s", got)
	}
	if _, word, _ := checkpointWord(x, NewTheme(plainLook())); word != "finishing" {
		t.Errorf("all have acknowledged, and it is called %q", word)
	}
	late := vertexPart("map", &flinkapi.CheckpointVertex{
		Subtasks: 2, Acked: 1, Duration: time.Second,
		Parts: []flinkapi.CheckpointPart{{Acked: true, StartDelay: time.Second, Duration: time.Second}},
	})
	if late.duration != unknownMark || late.parts != nil || late.slowest != unknownMark || late.acked != "1 of 2" {
		t.Errorf("a vertex that has not acknowledged is said to have %+v", late)
	}
}
