package diagnose

import (
	"testing"
	"time"

	"culprit/flinkapi"
)

func TestTheHistoryIsOfTheVertexInDetail(t *testing.T) {
	t.Parallel()
	s := jobs(t, slow)
	m := NewMonitor(s, DefaultOptions())
	obs := s.run(m, Ask{}, time.Minute)
	if obs.History != nil {
		t.Fatal("there is a history that nobody asked for")
	}
	sink := obs.Snapshot.Job.Vertices[1].ID
	obs = s.run(m, Ask{Vertex: sink, Detail: true, Subtasks: []int{1}}, time.Minute)
	if f := s.focus(); f.Detail != sink || len(f.Subtasks) != 1 {
		t.Errorf("it asks for %+v", f)
	}
	h := obs.History
	points := h.Points(0)
	if h.Vertex != sink || len(points) != len(obs.Trend) || len(points) < 8 {
		t.Fatalf("%d points of %s, the trend has %d", len(points), h.Vertex, len(obs.Trend))
	}
	newest := points[len(points)-1]
	if busy := newest.Busy.Or(0); busy < 0.98 || busy > 1 || !newest.At.Equal(obs.Trend[len(points)-1].At) {
		t.Errorf("the newest point is %+v", newest)
	}
	if mean := h.MeanBusy(0).Or(0); mean < 0.98 || h.MeanBusy(99).IsKnown() {
		t.Errorf("the mean busy share is %v, that of no subtask %v", mean, h.MeanBusy(99))
	}
	if newest.RecordsOut.IsKnown() {
		t.Errorf("a sink gives out %v", newest.RecordsOut)
	}
	for _, p := range h.Points(99) {
		if p.Busy.IsKnown() || p.RecordsIn.IsKnown() {
			t.Errorf("a subtask that is not there has %+v", p)
		}
	}
	if h.Points(-1) != nil || h.Stacks(0) != nil || h.Sampled() {
		t.Error("there is more than was seen")
	}
	gone := s.run(m, Ask{Vertex: "no-such-vertex", Detail: true}, time.Second)
	if gone.History != nil {
		t.Error("a vertex that is not there has a history")
	}
	var none *SubtaskHistory
	if in, _ := none.Bytes(0); in.IsKnown() || none.Points(0) != nil || none.Stacks(0) != nil {
		t.Error("a history that is not there knows something")
	}
}

func TestBytesAreRatesOfOneAttempt(t *testing.T) {
	t.Parallel()
	task := func(attempt int, seconds, bytes float64) flinkapi.Subtask {
		return flinkapi.Subtask{Attempt: attempt, Readings: flinkapi.Readings{
			flinkapi.BusyTime: flinkapi.Known(seconds), flinkapi.IdleTime: flinkapi.Known(0),
			flinkapi.BackpressuredTime: flinkapi.Known(0), flinkapi.BytesRead: flinkapi.Known(bytes),
			flinkapi.BytesWritten: flinkapi.Known(0),
		}}
	}
	h := &SubtaskHistory{
		old: reading{subtasks: []flinkapi.Subtask{task(0, 100, 1000)}}, span: 12,
		uncounted: uncountedSides{out: true},
		now:       reading{subtasks: []flinkapi.Subtask{task(0, 110, 6000)}},
	}
	in, out := h.Bytes(0)
	if in.Or(-1) != 500 || out.IsKnown() {
		t.Errorf("5,000 bytes in the 10 s of the task are %v/s in and %v/s out", in, out)
	}
	h.now.subtasks[0].Attempt = 1
	if in, _ = h.Bytes(0); in.IsKnown() {
		t.Errorf("two attempts give %v/s", in)
	}
	if in, _ = h.Bytes(7); in.IsKnown() {
		t.Errorf("no subtask gives %v/s", in)
	}
}

func TestTheStacksOfASubtaskAreSummedUp(t *testing.T) {
	t.Parallel()
	tables := newFrameTables()
	frame := func(class, method string) flinkapi.Frame {
		return flinkapi.Frame{Class: class, Method: method, Line: 7}
	}
	calls := flinkapi.Stack{Subtask: 1, State: "RUNNABLE", Count: 1, Frames: []flinkapi.Frame{
		frame("sun.nio.ch.Net", "poll"), frame("com.shop.Price", "lookUp"),
		frame("org.apache.flink.streaming.api.operators.StreamMap", "processElement"),
	}}
	sleeps := flinkapi.Stack{Subtask: 1, State: "TIMED_WAITING", Count: 1, Frames: []flinkapi.Frame{
		frame("java.lang.Thread", "sleep"), frame("com.shop.Price", "pause"),
	}}
	other, whole := calls, calls
	other.Subtask, whole.Subtask, whole.Count = 0, -1, 80
	at := time.Date(2026, 3, 14, 3, 7, 0, 0, time.UTC)
	h := &SubtaskHistory{frames: tables}
	for i, stacks := range [][]flinkapi.Stack{{calls, other}, {sleeps, whole}, {calls}} {
		h.stacks = append(h.stacks, stackReading{
			at.Add(time.Duration(i) * time.Second), flinkapi.FromThreadDump, stacks, tables.sightAll(stacks),
		})
	}
	got := h.Stacks(1)
	if got.Looks != 3 || got.Whole || !got.From.Equal(at) || got.To.Sub(got.From) != 2*time.Second {
		t.Errorf("looks %+v", got)
	}
	if len(got.States) != 2 || got.States[0] != (LookCount{"RUNNABLE", 2}) {
		t.Errorf("states %+v", got.States)
	}
	if len(got.Places) != 2 || got.Places[0].Looks != 2 || got.Places[0].Does != "waits in a network call" {
		t.Fatalf("places %+v", got.Places)
	}
	want := []CodeOwner{JDKCode, UserCode, FlinkCode}
	for i, whose := range got.Places[0].Whose {
		if whose != want[i] {
			t.Errorf("frame %d is %s code, want %s", i, whose, want[i])
		}
	}
	if joint := h.Stacks(5); joint == nil || !joint.Whole || joint.Looks != 80 {
		t.Errorf("without samples of its own: %+v", joint)
	}
}
