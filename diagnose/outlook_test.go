package diagnose

import (
	"math"
	"slices"
	"testing"
	"time"

	"culprit/flinkapi"
)

// climbing is a job whose checkpoints take 4 s longer every five minutes.
const climbing = `
src 5/0 => profile
profile 20/0 -> warehouse
warehouse 1/0

checkpointing interval=5m timeout=10m
checkpoint 1 COMPLETED 14s ago=3000s
checkpoint 2 COMPLETED 18s ago=2700s
checkpoint 3 COMPLETED 22s ago=2400s
checkpoint 4 COMPLETED 26s ago=2100s
checkpoint 5 COMPLETED 30s ago=1800s
checkpoint 6 COMPLETED 34s ago=1500s
`

func TestOutlookOfCheckpoints(t *testing.T) {
	t.Parallel()
	rep := runScript(t, climbing+"watch 60s\n").report
	out := rep.Checkpoints
	if out == nil || len(out.History) != 6 || out.History[0].ID != 6 || out.Running != 0 {
		t.Fatalf("the outlook is %+v", out)
	}
	trend := out.Trend
	if slope := trend.Slope.Or(0); math.Abs(slope-4.0/300) > 1e-6 || !trend.Climbs || trend.Count != 6 {
		t.Errorf("the slope is %v s/s over %d checkpoints, climbs: %v", slope, trend.Count, trend.Climbs)
	}
	for _, c := range out.History {
		end := c.TriggeredAt.Add(c.Duration)
		if at, ok := trend.Line(end); !ok || (at-c.Duration).Abs() > time.Millisecond {
			t.Errorf("the line gives %v for checkpoint %d, which took %v", at, c.ID, c.Duration)
		}
	}
	left := (10*time.Minute - 34*time.Second).Seconds() / trend.Slope.Or(0)
	if got := trend.ToTimeout.Or(0); math.Abs(got-left) > 1 {
		t.Errorf("%v s are left to the timeout, want %v", got, left)
	}
}

func TestOutlookSaysWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	few := runScript(t, `
src 5/0 => profile
profile 20/0 -> warehouse
warehouse 1/0

checkpointing interval=5m timeout=10m
checkpoint 1 COMPLETED 14s ago=600s
checkpoint 2 FAILED 14s ago=300s
checkpoint 3 IN_PROGRESS 60s
watch 60s
`).report.Checkpoints
	if few.Trend.Slope.IsKnown() || few.Trend.ToTimeout.IsKnown() || few.Trend.Climbs {
		t.Errorf("one checkpoint has the trend %+v", few.Trend)
	}
	if _, ok := few.Trend.Line(few.Trend.At); ok {
		t.Error("a trend without a slope gives a line")
	}
	if few.FailuresInRow != 1 || few.Running != 3 {
		t.Errorf("%d failures in a row, checkpoint %d runs", few.FailuresInRow, few.Running)
	}
	running := few.History[0]
	if left := few.TimeLeft.Or(-1); math.Abs(left-(10*time.Minute-running.Duration).Seconds()) > 1e-6 {
		t.Errorf("%v s are left after %v of 10 min", left, running.Duration)
	}
}

// What Flink's short history has dropped stays known; one that it dropped while it ran has no status.
func TestOutlookOutlivesTheHistory(t *testing.T) {
	t.Parallel()
	w := runScript(t, climbing+"checkpoint 7 IN_PROGRESS 20s\nwatch 60s\n")
	if out := w.report.Checkpoints; out.Running != 7 || out.TimeLeft.Or(0) <= 0 {
		t.Fatalf("checkpoint %d runs, %v left", out.Running, out.TimeLeft)
	}
	snap := w.snapshot(10 * time.Second)
	cp := *snap.Job.Checkpoints
	cp.History = nil
	snap.Job.Checkpoints = &cp
	out := w.engine.run(snap).Checkpoints
	if len(out.History) != 7 || out.History[0].Status != "" || out.Running != 0 || out.TimeLeft.IsKnown() {
		t.Errorf("with an empty history the outlook is %+v", out)
	}
}

func TestSourceStates(t *testing.T) {
	t.Parallel()
	rep := runScript(t, `
src 5/0 => sink
sink 1/0

lag src 5000 10
watch 120s
`).report
	if len(rep.Sources) != 1 {
		t.Fatalf("%d sources", len(rep.Sources))
	}
	s := rep.Sources[0]
	if s.Vertex.Name != "src" || math.Abs(s.LagSlope.Or(0)-10) > 0.5 || s.Lag.Or(0) < 5000 || s.LagSpan <= 0 {
		t.Errorf("the source is %+v", s)
	}
	if s.Watermark.IsKnown() || s.WatermarkLag.IsKnown() || s.Ended {
		t.Errorf("a source without watermarks has %+v", s)
	}
}

func TestSourcesInOneChainStandApart(t *testing.T) {
	t.Parallel()
	spread := func(x float64) flinkapi.Spread {
		v := flinkapi.Known(x)
		return flinkapi.Spread{Min: v, Max: v, Mean: v, Sum: v}
	}
	w := runScript(t, "src 5/0 => sink\nsink 1/0\n\nwatch 60s\n")
	snap := w.snapshot(10 * time.Second)
	snap.Job.Vertices[0].Operators = map[flinkapi.Signal][]flinkapi.OperatorSpread{
		flinkapi.PendingRecords: {
			{Operator: "Source__orders", Spread: spread(7)}, {Operator: "Source__returns", Spread: spread(9)},
		},
		flinkapi.EmitLag: {{Operator: "Source__orders", Spread: spread(3)}},
		flinkapi.OutputWatermark: {
			{Operator: "Source__orders", Spread: spread(float64(snap.Job.Now.Unix()) - 40)},
			{Operator: "Source__returns", Spread: spread(lastWatermark)},
		},
	}
	snap.Job.Vertices[0].SpreadRead = snap.At
	all := w.engine.run(snap).Sources
	if len(all) != 2 || all[0].Operator != "orders" || all[1].Operator != "returns" {
		t.Fatalf("the sources are %+v", all)
	}
	orders, returns := all[0], all[1]
	if orders.Lag.Or(0) != 7 || orders.EmitLag.Or(0) != 3 || math.Abs(orders.WatermarkLag.Or(0)-40) > 1 {
		t.Errorf("orders is %+v", orders)
	}
	if returns.Lag.Or(0) != 9 || returns.EmitLag.IsKnown() || !returns.Ended || returns.Watermark.IsKnown() {
		t.Errorf("returns is %+v", returns)
	}
	want := []string{
		"currentEmitEventTimeLag", "currentFetchEventTimeLag", "sourceIdleTime",
		"watermarkAlignmentDrift", "unassignedSplits",
	}
	if got := returns.NotReported(); !slices.Equal(got, want) {
		t.Errorf("returns does not report %v, want %v", got, want)
	}
}

// Exceptions that Flink's short history has dropped stay known, each once.
func TestExceptionsOutliveTheHistory(t *testing.T) {
	t.Parallel()
	w := runScript(t, "src 5/0 => sink\nsink 1/0\n\nwatch 60s\n")
	told := func(ago ...time.Duration) *Report {
		snap := w.snapshot(10 * time.Second)
		snap.Job.Exceptions = nil
		for _, d := range ago {
			e := flinkapi.Exception{Root: "broken", At: time.Unix(1e9, 0).Add(-d)}
			snap.Job.Exceptions = append(snap.Job.Exceptions, e)
		}
		return w.engine.run(snap)
	}
	told(2*time.Hour, 3*time.Hour)
	told(2 * time.Hour)
	all := told(time.Hour).Exceptions
	if len(all) != 3 || !all[0].At.After(all[1].At) || !all[1].At.After(all[2].At) {
		t.Errorf("the exceptions are %+v", all)
	}
}

// Between two reads of the checkpoints nothing is known of one that ran: it is as old as it was when it was
// read, for the outlook and for the rules.
func TestARunningCheckpointIsAsOldAsWhenItWasRead(t *testing.T) {
	t.Parallel()
	w := runScript(t, climbing+"checkpoint 7 IN_PROGRESS 2s\nwatch 10s\n")
	was, read := w.report.Checkpoints, w.snapshot(0).Job.Checkpoints
	for range 12 {
		snap := w.snapshot(time.Second)
		snap.Job.Checkpoints = read
		is := w.engine.run(snap).Checkpoints
		if is.History[0].Duration != was.History[0].Duration || is.TimeLeft != was.TimeLeft {
			t.Fatalf("read as %v old with %v s left, it is %v old with %v s left",
				was.History[0].Duration, was.TimeLeft, is.History[0].Duration, is.TimeLeft)
		}
	}
}
