package tui

import (
	"fmt"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// start is the moment of every hand-built observation.
var start = time.Date(2026, 3, 14, 3, 7, 0, 0, time.UTC)

// node is a vertex of a hand-built job; negative shares and rates are unknown.
type node struct {
	name             string
	parallelism      int
	busy, back, idle float64
	in, out          float64
	role             diagnose.Role
	why              string
}

func value(x float64) flinkapi.Value {
	if x < 0 {
		return flinkapi.Value{}
	}
	return flinkapi.Known(x)
}

func vertexID(i int) flinkapi.VertexID { return flinkapi.VertexID(fmt.Sprintf("%032x", i+1)) }

// observe builds an observation of one running job with a report that names nobody.
func observe(name string, nodes []node, edges [][2]int) *diagnose.Observation {
	job := &flinkapi.Job{
		ID: "a1b2c3d4e5f60718293a4b5c6d7e8f90", Name: name,
		State: flinkapi.JobRunning, Type: flinkapi.TypeStreaming,
		Now: start, Read: start,
		EnteredAt: map[flinkapi.JobState]time.Time{flinkapi.JobRunning: start.Add(-76 * time.Hour)},
	}
	rep := &diagnose.Report{
		Job: diagnose.JobRef{ID: job.ID, Name: name, State: job.State}, At: start,
		Data: diagnose.DataQuality{
			FlinkVersion: "1.20.5", Observed: 12 * time.Minute, MetricAge: flinkapi.Known(3), Slots: 60,
		},
	}
	for i, n := range nodes {
		v, state := n.vertex(i)
		job.Vertices = append(job.Vertices, v)
		rep.Vertices = append(rep.Vertices, state)
		rep.Data.SubtasksKnown += n.parallelism
		rep.Data.SubtasksTotal += n.parallelism
	}
	for _, e := range edges {
		edge := flinkapi.Edge{From: vertexID(e[0]), To: vertexID(e[1]), Ship: flinkapi.ShipHash}
		job.Edges = append(job.Edges, edge)
	}
	for i, name := range []string{
		"culprit", "sink", "hot instance", "state", "checkpoints", "headroom", "log retention",
	} {
		rep.Ladder = append(rep.Ladder, diagnose.Rung{
			Number: i + 1, Name: name, State: diagnose.RungClear, Question: "is it the " + name + "?",
			Why: "no sign of it in the last minute",
		})
	}
	obs := &diagnose.Observation{
		Seq: 1, At: start, Report: rep,
		Snapshot: &flinkapi.Snapshot{
			At: start, Job: job,
			Cluster: flinkapi.Cluster{
				Version: "1.20.5", FetchInterval: 10 * time.Second, SlotsTotal: flinkapi.Known(16),
				SlotsFree: flinkapi.Known(0), TaskManagers: flinkapi.Known(4),
			},
			Cost: flinkapi.Cost{Requests: 412, Bytes: 1 << 20, PerSecond: 2.4},
		},
	}
	obs.Snapshot.Jobs = []flinkapi.JobSummary{{
		ID: job.ID, Name: name, State: job.State, StartedAt: start.Add(-76 * time.Hour),
	}}
	obs.Jobs = []diagnose.JobLine{{Job: obs.Snapshot.Jobs[0], Report: rep, At: start}}
	return obs
}

func (n node) vertex(i int) (flinkapi.Vertex, diagnose.VertexState) {
	v := flinkapi.Vertex{
		ID: vertexID(i), Name: n.name, Parallelism: n.parallelism, State: flinkapi.TaskRunning,
		Spread: map[flinkapi.Signal]flinkapi.Spread{},
	}
	if n.in >= 0 {
		v.Spread[flinkapi.InPoolUsage] = flinkapi.Spread{Min: value(0.9), Max: value(1), Mean: value(0.97)}
	}
	if n.out >= 0 {
		v.Spread[flinkapi.OutPoolUsage] = flinkapi.Spread{Min: value(0.1), Max: value(0.4), Mean: value(0.3)}
	}
	state := diagnose.VertexState{
		Vertex: diagnose.VertexRef{ID: v.ID, Name: n.name}, Role: n.role, Why: n.why,
		Busy: value(n.busy), Backpressured: value(n.back), Idle: value(n.idle),
		RecordsIn: value(n.in), RecordsOut: value(n.out), HotSubtask: -1,
	}
	if n.busy < 0 {
		return v, state
	}
	state.HotSubtask = 0
	var all []diagnose.SubtaskState
	for k := range n.parallelism {
		// The first subtask is the one that the vertex's numbers come from; the others do a little less.
		less := 1 - 0.03*float64(k%5)
		all = append(all, diagnose.SubtaskState{
			Index: k, State: flinkapi.TaskRunning, Busy: value(n.busy * less), Backpressured: value(n.back * less),
			Idle: value(n.idle), RecordsIn: share(n.in, n.parallelism), RecordsOut: share(n.out, n.parallelism),
			Host:        fmt.Sprintf("worker-%d:41253", k%4+1),
			TaskManager: flinkapi.TaskManagerID(fmt.Sprintf("10.0.0.%d:41253-7f3e%02d", k%4+1, k%4)),
			Attempt:     0, MetricAge: flinkapi.Known(3),
		})
	}
	state.Subtasks = diagnose.SubtasksOf(all...)
	return v, state
}

func share(total float64, n int) flinkapi.Value {
	if total < 0 {
		return flinkapi.Value{}
	}
	return flinkapi.Known(total / float64(n))
}

// trend gives one point each 10 s for the last 15 minutes; the pressure begins at from, and who is named two
// minutes later.
func trend(from time.Duration, who flinkapi.VertexID) []diagnose.TrendPoint {
	var out []diagnose.TrendPoint
	for back := trendSpan - 10*time.Second; back >= 0; back -= 10 * time.Second {
		p := diagnose.TrendPoint{At: start.Add(-back), Pressure: flinkapi.Known(0.02), Busy: flinkapi.Known(0.4)}
		if back < from {
			p.Pressure, p.Busy = flinkapi.Known(min(1, 0.3+(from-back).Minutes()/4)), flinkapi.Known(0.99)
		}
		if back < from-2*time.Minute {
			p.Culprit = who
		}
		out = append(out, p)
	}
	return out
}

func checkpoints(interval, timeout time.Duration, oldestFirst ...time.Duration) *flinkapi.Checkpoints {
	cp := &flinkapi.Checkpoints{
		Read: start, Enabled: true, Interval: interval, Timeout: timeout, Completed: len(oldestFirst),
	}
	for i := len(oldestFirst) - 1; i >= 0; i-- {
		cp.History = append(cp.History, flinkapi.Checkpoint{
			ID: int64(i + 1), Status: "COMPLETED", Duration: oldestFirst[i],
			TriggeredAt: start.Add(-time.Duration(len(oldestFirst)-i) * interval),
		})
	}
	return cp
}

// slowSink is the incident of the product's sketch: a sink that waits for its database.
func slowSink() *diagnose.Observation {
	held := diagnose.RoleHeldBack
	obs := observe("lab-orders", []node{
		{"Source: orders", 4, 0.01, 0.99, 0, -1, 355, held, "backpressured 99 % of the time by what follows it"},
		{"parse", 4, 0.01, 0.99, 0, 355, 355, held, "backpressured 99 % of the time by what follows it"},
		{"clean", 4, 0.02, 0.98, 0, 355, 355, held, "backpressured 98 % of the time by jdbc-upsert"},
		{
			"jdbc-upsert -> Sink: warehouse", 2, 0.99, 0, 0.01, 355, -1, diagnose.RoleCulprit,
			"busy 99 % and not backpressured",
		},
	}, [][2]int{{0, 1}, {1, 2}, {2, 3}})
	rep := obs.Report
	rep.Severity = diagnose.Critical
	rep.Headline = "jdbc-upsert -> Sink: warehouse waits for the system it writes to"
	rep.Culprits = []diagnose.Culprit{slowSinkCulprit()}
	rep.Ladder[0].State, rep.Ladder[1].State = diagnose.RungHit, diagnose.RungHit
	rep.Ladder[2].State, rep.Ladder[3].State = diagnose.RungNotReached, diagnose.RungNotReached
	rep.Ladder[4].State, rep.Ladder[6].State = diagnose.RungHit, diagnose.RungUnknown
	rep.Also = []diagnose.Finding{{
		Rule: "checkpoint-trend", Verdict: diagnose.Firing, Severity: diagnose.Warning,
		Title:   "checkpoints slow down with the backlog",
		Summary: "checkpoints went from 14 s to 3 min 10 s and reach their timeout of 10 min in about 40 min",
	}}
	obs.Trend = trend(10*time.Minute, vertexID(3))
	obs.Snapshot.Job.Checkpoints = checkpoints(3*time.Minute, 10*time.Minute, 14*time.Second, 15*time.Second,
		22*time.Second, 48*time.Second, 95*time.Second, 140*time.Second, 190*time.Second)
	return obs
}

func evidence(signal, label, subject string, share float64, supports bool, note string) diagnose.Evidence {
	return diagnose.Evidence{
		Signal: signal, Label: label, Subject: subject, Value: value(share), Unit: flinkapi.Ratio, For: supports,
		Age: 3 * time.Second, Note: note,
	}
}

func slowSinkCulprit() diagnose.Culprit {
	ref := func(i int, name string) diagnose.VertexRef { return diagnose.VertexRef{ID: vertexID(i), Name: name} }
	return diagnose.Culprit{
		Vertex: ref(3, "jdbc-upsert -> Sink: warehouse"), Subtasks: []int{0, 1}, Parallelism: 2,
		Reason: diagnose.Reason{
			Code: "FD0201", Name: "slow-sink",
			Summary: "the last operator, and it waits: the system it writes to is slower than the stream",
		},
		Confidence: diagnose.Firm, Pattern: diagnose.Ongoing, Severity: diagnose.Critical,
		Since: start.Add(-252 * time.Second),
		Evidence: []diagnose.Evidence{
			evidence("busy-time", "busy", "jdbc-upsert", 0.99, true, "of each of its 2 subtasks"),
			evidence("backpressured-time", "backpressured", "jdbc-upsert", 0, true, "nothing below holds it"),
			evidence("backpressured-time", "backpressured", "clean", 0.98, true, "what feeds it waits for it"),
			evidence("cpu-per-busy-subtask", "TaskManager CPU", "worker-3", 0.04, true, "waits"),
			evidence("gc-share", "garbage collection", "worker-3", 0.01, false, "not the cause"),
		},
		Remedies: []diagnose.Remedy{
			{
				Do: "batch the writes and look at the database behind it", Key: "sink.buffer-flush.max-rows", To: "1000",
				Gain: "up to the rate of the database", Risk: "rows are visible later, by the flush interval",
			},
			{Do: "raise the sink's parallelism if the database has room", Gain: "linear until the database is full"},
		},
		Dont: []string{
			"more parallelism for Source: orders, parse or clean changes nothing, they are held back by it",
		},
		Victims: []diagnose.Victim{
			{Vertex: ref(0, "Source: orders"), Why: "backpressured 99 %, busy 1 %: it waits for parse"},
			{Vertex: ref(1, "parse"), Why: "backpressured 99 %, busy 1 %: it waits for clean"},
			{Vertex: ref(2, "clean"), Why: "backpressured 98 %, busy 2 %: it waits for jdbc-upsert"},
		},
		RunnersUp: []diagnose.RunnerUp{
			{Vertex: ref(2, "clean"), WhyNot: "it is busy 2 % only, and backpressured 98 %: it waits for jdbc-upsert"},
		},
	}
}

// healthy is a job with room to spare.
func healthy() *diagnose.Observation {
	keeps := diagnose.RoleFine
	obs := observe("lab-orders", []node{
		{"Source: orders", 4, 0.21, 0, 0.79, -1, 8120, keeps, "busy 21 %, not backpressured"},
		{"parse", 4, 0.34, 0, 0.66, 8120, 8120, keeps, "busy 34 %, not backpressured"},
		{"clean", 4, 0.48, 0, 0.52, 8120, 7900, keeps, "busy 48 %, not backpressured"},
		{"jdbc-upsert -> Sink: warehouse", 2, 0.41, 0, 0.59, 7900, -1, keeps, "busy 41 %, not backpressured"},
	}, [][2]int{{0, 1}, {1, 2}, {2, 3}})
	rep := obs.Report
	rep.Severity, rep.Headline = diagnose.OK, "no operator holds the job back"
	rep.State = &diagnose.Finding{
		Rule: "healthy", Title: "nothing holds the job back", Verdict: diagnose.Firing, Severity: diagnose.OK,
		Summary:  "nothing is backpressured; the busiest is clean with 48 %, so the load may double",
		Evidence: []diagnose.Evidence{evidence("busy-time", "busiest subtask", "clean", 0.48, true, "")},
	}
	for range 12 {
		rep.Checks = append(rep.Checks, diagnose.Finding{
			Rule: "slow-sink", Title: "a sink is the bottleneck", Verdict: diagnose.Fine,
		})
	}
	rep.Checks = append(rep.Checks, diagnose.Finding{
		Rule: "log-retention", Title: "the log holds the lag", Verdict: diagnose.Unknown,
		Why: "the lag of the source is not reported",
	})
	rep.Ladder[6].State, rep.Ladder[6].Why = diagnose.RungUnknown, "the lag of the source is not reported"
	obs.Trend = trend(0, "")
	obs.Snapshot.Job.Checkpoints = checkpoints(time.Minute, 10*time.Minute, 1200*time.Millisecond,
		1300*time.Millisecond, 1250*time.Millisecond)
	return obs
}
