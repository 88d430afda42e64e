package tui

import (
	"fmt"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// stale is a job whose metrics stand still.
func stale() *diagnose.Observation {
	unknown, why := diagnose.RoleUnknown, "no fresh shares of time are known"
	obs := observe("lab-orders", []node{
		{"Source: orders", 4, -1, -1, -1, -1, -1, unknown, why},
		{"parse", 4, -1, -1, -1, -1, -1, unknown, why},
		{"clean", 4, -1, -1, -1, -1, -1, unknown, why},
		{"jdbc-upsert -> Sink: warehouse", 2, -1, -1, -1, -1, -1, unknown, why},
	}, [][2]int{{0, 1}, {1, 2}, {2, 3}})
	rep := obs.Report
	rep.Severity = diagnose.UnknownSeverity
	rep.Headline = "undetermined, because all metrics stand still, they are 1 min 44 s old"
	rep.State = &diagnose.Finding{
		Rule: "undetermined", Title: "no verdict is possible",
		Verdict: diagnose.Firing, Severity: diagnose.UnknownSeverity,
		Summary: rep.Headline, Why: "all metrics stand still, they are 1 min 44 s old",
		Missing: []string{"fresh metrics of the TaskManagers"},
	}
	rep.Undetermined = &diagnose.Undetermined{Why: rep.State.Why, Missing: rep.State.Missing}
	rep.Data.MetricAge, rep.Data.SubtasksKnown = flinkapi.Known(104), 0
	for i := range rep.Ladder {
		rep.Ladder[i].State = diagnose.RungNotReached
	}
	rep.Ladder[0].State, rep.Ladder[0].Why = diagnose.RungUnknown, rep.Headline
	obs.Trend = trend(0, "")[:70]
	obs.Snapshot.Problems = []flinkapi.Problem{{
		Subject: "parse", Since: start.Add(-time.Minute),
		Err: &flinkapi.Error{
			Op: "read the metrics of parse", Kind: flinkapi.KindTimeout, Detail: "no answer within 5 s",
		},
	}}
	return obs
}

// restartLoop is a job that fails again and again.
func restartLoop() *diagnose.Observation {
	obs := stale()
	obs.Snapshot.Problems = nil
	job := obs.Snapshot.Job
	job.State = flinkapi.JobRestarting
	job.EnteredAt[flinkapi.JobRestarting] = start.Add(-9 * time.Second)
	job.Restarts = flinkapi.Known(17)
	root := "org.postgresql.util.PSQLException: FATAL: password authentication failed for user \"flink\""
	job.Exceptions = []flinkapi.Exception{{
		Name: "java.io.IOException", Root: root, At: start.Add(-9 * time.Second), Task: "jdbc-upsert",
	}}
	rep := obs.Report
	rep.Job.State, rep.Severity, rep.Undetermined = job.State, diagnose.Critical, nil
	rep.Headline = "the job restarts again and again, 17 times in the last 10 min: " + root + " (in jdbc-upsert)"
	rep.State = &diagnose.Finding{
		Rule: "restart-loop", Title: "the job restarts again and again",
		Verdict: diagnose.Firing, Severity: diagnose.Critical, Summary: rep.Headline,
		Evidence: []diagnose.Evidence{{
			Signal: "restarts", Label: "restarts since the job started", Subject: "job", Value: flinkapi.Known(17),
			Unit: flinkapi.Count, For: true,
		}},
		Remedies: []diagnose.Remedy{{
			Do: "mend the cause that the exception names", Gain: "the job stops reading the same records again",
			Risk: "none; until then each restart adds to the lag",
		}},
		Dont: []string{"more parallelism does not help a job that fails"},
	}
	rep.Ladder[0].State, rep.Ladder[0].Why = diagnose.RungNotReached, rep.Headline
	return obs
}

// forkAndJoin is a job of twelve vertices with two sources, a diamond and two sinks.
func forkAndJoin() ([]node, [][2]int) {
	fine, held, starved := diagnose.RoleFine, diagnose.RoleHeldBack, diagnose.RoleStarved
	return []node{
		{"Source: orders", 8, 0.03, 0.96, 0.01, -1, 41200, held, "a slower operator below holds it back"},
		{"Source: clicks", 8, 0.05, 0.94, 0.01, -1, 182000, held, "a slower operator below holds it back"},
		{"parse", 8, 0.06, 0.93, 0.01, 41200, 41200, held, "a slower operator below holds it back"},
		{"parse clicks", 8, 0.07, 0.92, 0.01, 182000, 182000, held, "a slower operator below holds it back"},
		{"filter", 8, 0.12, 0.81, 0.07, 41200, 12400, held, "a slower operator below holds it back"},
		{"join", 16, 0.22, 0.76, 0.02, 223000, 41000, held, "a slower operator below holds it back"},
		{"keyBy-window", 16, 0.31, 0.66, 0.03, 12400, 812, held, "a slower operator below holds it back"},
		{"enrich", 16, 0.35, 0.61, 0.04, 41000, 41000, held, "a slower operator below holds it back"},
		{"dedupe", 16, 0.42, 0.55, 0.03, 41000, 38800, held, "a slower operator below holds it back"},
		{"aggregate", 4, 1, 0, 0, 39600, 39.5, diagnose.RoleCulprit, "it is busy by itself and holds others back"},
		{"Sink: kafka", 4, 0.01, 0, 0.99, 39.5, -1, starved, "it waits for records: idle 99 %"},
		{"Sink: iceberg", 4, 0.11, 0, 0.89, 38800, -1, fine, "it keeps up"},
	}, [][2]int{
		{0, 2}, {1, 3}, {2, 4}, {2, 5}, {3, 5}, {4, 6}, {5, 7}, {7, 8}, {6, 9}, {8, 9}, {9, 10}, {9, 11}, {8, 11},
	}
}

// manyVertices names one of twelve vertices.
func manyVertices() *diagnose.Observation {
	nodes, edges := forkAndJoin()
	obs := observe("clickstream-join", nodes, edges)
	rep := obs.Report
	rep.Severity, rep.Headline = diagnose.Warning, "aggregate holds the job back: it computes all the time"
	c := slowSinkCulprit()
	c.Vertex = rep.Vertices[9].Vertex
	c.Reason = diagnose.Reason{
		Code: "FD0801", Name: "cpu-bound",
		Summary: "it computes all the time (TaskManager CPU 0.97 core per busy subtask)",
	}
	c.Subtasks, c.Parallelism = []int{0, 1, 2, 3}, 4
	c.Confidence, c.Pattern = diagnose.Probable, diagnose.Momentary
	c.Since = start.Add(-38 * time.Second)
	c.Evidence = c.Evidence[:2]
	c.Remedies = []diagnose.Remedy{{
		Do:   "give this operator alone more parallelism, and look at what it computes",
		Gain: "throughput grows with the number of its subtasks while cores are free", Risk: "more state to move",
	}}
	c.Dont = []string{"one parallelism for all operators only adds idle subtasks elsewhere"}
	rep.Culprits = []diagnose.Culprit{c}
	rep.Ladder[0].State = diagnose.RungHit
	obs.Trend = trend(3*time.Minute, vertexID(9))
	return obs
}

// twoCulprits names one operator in each of two regions.
func twoCulprits() *diagnose.Observation {
	obs := slowSink()
	second := slowSinkCulprit()
	second.Vertex = diagnose.VertexRef{ID: vertexID(1), Name: "parse"}
	second.Reason = diagnose.Reason{
		Code: "FD0301", Name: "hot-key", Summary: "subtask 3 (of 0 to 3) gets 71 % of the records",
	}
	second.Confidence = diagnose.Probable
	obs.Report.Culprits = append(obs.Report.Culprits, second)
	obs.Report.Vertices[1].Role = diagnose.RoleCulprit
	obs.Report.Vertices[1].Busy, obs.Report.Vertices[1].Backpressured = flinkapi.Known(1), flinkapi.Known(0)
	return obs
}

// wide is a job whose one vertex has 200 subtasks, of which one is hot.
func wide() *diagnose.Observation {
	obs := manyVertices()
	state := &obs.Report.Vertices[9]
	var all []diagnose.SubtaskState
	for k := range 200 {
		s := diagnose.SubtaskState{
			Index: k, State: flinkapi.TaskRunning, Busy: flinkapi.Known(0.1 + 0.001*float64(k%7)),
			Backpressured: flinkapi.Known(0), Idle: flinkapi.Known(0.9),
			RecordsIn: flinkapi.Known(40), RecordsOut: flinkapi.Known(0.2), Host: fmt.Sprintf("worker-%02d", k%16),
			TaskManager: flinkapi.TaskManagerID(fmt.Sprintf("tm-%02d", k%16)), MetricAge: flinkapi.Known(4),
		}
		if k == 137 {
			s.Busy, s.Idle, s.RecordsIn = flinkapi.Known(1), flinkapi.Known(0), flinkapi.Known(9870)
		}
		if k == 55 {
			s.Busy = flinkapi.Value{}
		}
		all = append(all, s)
	}
	state.Subtasks = diagnose.SubtasksOf(all...)
	obs.Snapshot.Job.Vertices[9].Parallelism, obs.Report.Culprits[0].Parallelism = 200, 200
	obs.Report.Culprits[0].Subtasks, state.HotSubtask = []int{137}, 137
	return obs
}

// jobList is a cluster with several jobs, looked at in turn.
func jobList() *diagnose.Observation {
	sink, well, lost := slowSink(), healthy(), restartLoop()
	obs := &diagnose.Observation{Seq: 9, At: start, Snapshot: &flinkapi.Snapshot{
		At: start, Cluster: sink.Snapshot.Cluster, Cost: sink.Snapshot.Cost,
	}}
	for i, j := range []struct {
		name string
		rep  *diagnose.Report
		st   flinkapi.JobState
	}{
		{"lab-orders", sink.Report, flinkapi.JobRunning},
		{"clicks-to-iceberg", well.Report, flinkapi.JobRunning},
		{"ユーザー行動の集計 (user behaviour)", lost.Report, flinkapi.JobRestarting},
		{"backfill-2025", nil, flinkapi.JobRunning},
		{"nightly-compaction", nil, flinkapi.JobFinished},
	} {
		id := flinkapi.JobID(fmt.Sprintf("%032x", 0xa0+i))
		sum := flinkapi.JobSummary{
			ID: id, Name: j.name, State: j.st, StartedAt: start.Add(-time.Duration(i+1) * 7 * time.Hour),
		}
		obs.Snapshot.Jobs = append(obs.Snapshot.Jobs, sum)
		obs.Jobs = append(obs.Jobs, diagnose.JobLine{Job: sum, Report: j.rep, At: start})
	}
	return obs
}

// refused is what a monitor says when nobody listens.
func refused() error {
	return &flinkapi.Error{
		Op: "read the list of jobs", Kind: flinkapi.KindRefused, Detail: "nobody listens at http://jobmanager:8081",
		Hint: "is the JobManager up, and is this its REST port",
	}
}
