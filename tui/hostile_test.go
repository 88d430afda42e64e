package tui

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// scramble fills an observation with hostile texts and numbers.
func scramble(r *rand.Rand) *diagnose.Observation {
	texts := hostile()
	text := func() string { return texts[r.IntN(len(texts))] }
	number := func() flinkapi.Value {
		return []flinkapi.Value{
			{},
			flinkapi.NaN(), flinkapi.Known(0), flinkapi.Known(1), flinkapi.Known(-1), flinkapi.Known(1e18),
			flinkapi.Known(r.Float64()),
		}[r.IntN(7)]
	}
	n := r.IntN(12)
	roles := []diagnose.Role{
		diagnose.RoleCulprit, diagnose.RoleHeldBack, diagnose.RoleStarved, diagnose.RoleFine, diagnose.RoleUnknown,
		diagnose.RoleFinished, diagnose.Role(text()),
	}
	nodes := make([]node, n)
	for i := range nodes {
		nodes[i] = node{
			name: text(), parallelism: r.IntN(300), role: roles[r.IntN(len(roles))], why: text(),
			busy: r.Float64() - 0.2,
		}
	}
	var edges [][2]int
	for i := 1; i < n; i++ {
		edges = append(edges, [2]int{r.IntN(n), i})
	}
	obs := observe(text(), nodes, edges)
	rep := obs.Report
	for i := range rep.Vertices {
		v := &rep.Vertices[i]
		v.Busy, v.Backpressured, v.Idle = number(), number(), number()
		v.RecordsIn, v.RecordsOut = number(), number()
		all := v.Subtasks.All()
		for k := range all {
			s := &all[k]
			s.Host, s.TaskManager, s.Busy, s.RecordsIn = text(), flinkapi.TaskManagerID(text()), number(), number()
			s.State, s.Attempt = flinkapi.TaskState(text()), r.IntN(2e9)
		}
		v.Subtasks = diagnose.SubtasksOf(all...)
	}
	evidence := []diagnose.Evidence{{
		Label: text(), Subject: text(), Note: text(), Value: number(), Unit: flinkapi.Unit(text()),
		Age: time.Duration(r.Int64N(1e13)),
	}}
	remedies := []diagnose.Remedy{
		{Do: text(), Key: text(), From: text(), To: text(), Gain: text(), Risk: text()}, {Do: text()},
	}
	for i := range r.IntN(min(n, 4) + 1) {
		rep.Culprits = append(rep.Culprits, diagnose.Culprit{
			Vertex: rep.Vertices[i].Vertex, Operator: text(), Subtasks: []int{0}, Parallelism: r.IntN(5), Since: start,
			Reason:     diagnose.Reason{Name: text(), Summary: text()},
			Confidence: diagnose.Confidence(text()), Pattern: diagnose.Pattern(text()), Evidence: evidence,
			Remedies: remedies, Dont: []string{text(), text()},
			Victims:   []diagnose.Victim{{Vertex: diagnose.VertexRef{Name: text()}, Why: text()}},
			RunnersUp: []diagnose.RunnerUp{{Vertex: diagnose.VertexRef{Name: text()}, WhyNot: text()}},
		})
	}
	rep.State = &diagnose.Finding{
		Rule: text(), Title: text(), Summary: text(), Why: text(), Evidence: evidence, Remedies: remedies,
		Severity: diagnose.Severity(r.IntN(5)),
	}
	rep.Undetermined = &diagnose.Undetermined{Why: text(), Missing: []string{text(), text()}}
	rep.Also = []diagnose.Finding{{Rule: text(), Summary: text(), Severity: diagnose.Critical}}
	rep.Checks = []diagnose.Finding{
		{Rule: text(), Why: text(), Verdict: diagnose.Unknown}, {Rule: text(), Title: text()},
	}
	rep.Headline = text()
	rep.Ladder[0].Name, rep.Ladder[0].Why, rep.Ladder[0].State = text(), text(), diagnose.RungState(text())
	for back := range 200 {
		p := diagnose.TrendPoint{At: start.Add(-time.Duration(back) * 7 * time.Second), Pressure: number()}
		if n > 0 {
			p.Culprit = vertexID(r.IntN(n))
		}
		obs.Trend = append(obs.Trend, p)
	}
	obs.Snapshot.Problems = []flinkapi.Problem{{
		Subject: text(), Err: &flinkapi.Error{Detail: text(), Hint: text()},
	}}
	obs.Snapshot.Job.Checkpoints = checkpoints(time.Minute, time.Hour, time.Duration(r.Int64N(1e12)),
		time.Duration(r.Int64N(1e12)))
	scrambleSubtasks(r, obs, number)
	obs.Snapshot.Job.Exceptions = []flinkapi.Exception{{
		Root: text(), At: start, Task: text(), Trace: text() + "\n at " + text() + "\nCaused by: " + text(),
	}}
	scrambleChecks(r, rep, text, number)
	if r.IntN(4) == 0 {
		scrambleFleet(r, obs, text, number)
		obs.Jobs = append(obs.Jobs, diagnose.JobLine{
			Job: flinkapi.JobSummary{ID: "b", Name: text(), State: flinkapi.JobRunning}, Report: rep,
		})
		obs.Report = nil
	}
	return obs
}

// scrambleSubtasks fills in what is read of single subtasks.
// scrambleFleet lists jobs at a glance.
func scrambleFleet(
	r *rand.Rand, obs *diagnose.Observation, text func() string, number func() flinkapi.Value,
) {
	sights := []diagnose.Sight{
		diagnose.SightLikely, diagnose.SightPressed, diagnose.SightRestarted, diagnose.SightOpen,
		diagnose.SightCalm, diagnose.SightWaiting, diagnose.SightUnknown, diagnose.Sight(text()),
	}
	changes := []diagnose.Change{"", diagnose.Appeared, diagnose.Failed, diagnose.Ended, diagnose.Vanished}
	for i := range r.IntN(60) {
		line := diagnose.JobLine{
			Job: flinkapi.JobSummary{
				ID: flinkapi.JobID(fmt.Sprint(i)), Name: text(), State: flinkapi.JobState(text()),
				StartedAt: start.Add(-time.Duration(r.Int64N(1e18))),
			},
			Lag:    diagnose.Lag{Records: number(), Behind: number(), Trend: r.IntN(3) - 1},
			Change: changes[r.IntN(len(changes))], ChangedAt: start,
		}
		switch r.IntN(3) {
		case 0:
			line.Err = &flinkapi.Error{Detail: text(), Hint: text()}
		case 1:
			line.Glance = &diagnose.Glance{
				Sight: sights[r.IntN(len(sights))], Text: text(), At: start, Likely: diagnose.VertexRef{Name: text()},
			}
		}
		obs.Jobs = append(obs.Jobs, line)
	}
}

func scrambleSubtasks(r *rand.Rand, obs *diagnose.Observation, number func() flinkapi.Value) {
	job := obs.Snapshot.Job
	for i := range job.Vertices {
		v := &job.Vertices[i]
		v.Gauges = map[int]flinkapi.Gauges{}
		part := flinkapi.CheckpointVertex{Vertex: v.ID}
		for k := range min(v.Parallelism, 20) {
			readings := flinkapi.Readings{}
			for _, s := range flinkapi.Signals() {
				readings = readings.With(s, number())
			}
			v.Gauges[k] = flinkapi.Gauges{Read: start, Readings: readings}
			length := func() time.Duration { return time.Duration(r.Int64N(1e13)) }
			part.Parts = append(part.Parts, flinkapi.CheckpointPart{
				Subtask: k, Acked: r.IntN(2) == 0, StartDelay: length(), Alignment: length(), Sync: length(),
				Async: length(), Duration: length(), StateBytes: number(),
			})
		}
		job.Checkpoints.History[0].Vertices = append(job.Checkpoints.History[0].Vertices, part)
	}
}

// scrambleChecks fills in what the screens about checkpoints, sources and TaskManagers show.
func scrambleChecks(
	r *rand.Rand, rep *diagnose.Report, text func() string, number func() flinkapi.Value,
) {
	span := func() time.Duration { return time.Duration(r.Int64N(1e13) - 1e11) }
	out := &diagnose.CheckpointOutlook{
		Running: r.Int64N(20), TimeLeft: number(), FailuresInRow: r.IntN(5),
		Trend: diagnose.CheckpointTrend{
			Count: r.IntN(9), Least: 5, Over: span(), Slope: number(), At: start, Level: span(), ToTimeout: number(),
		},
	}
	for i := range r.IntN(30) {
		c := flinkapi.Checkpoint{
			ID: int64(i) - 1, TriggeredAt: start.Add(-span()), Duration: span(), StateBytes: number(),
			Failure: text(), Savepoint: r.IntN(5) == 0, Status: []string{"", "FAILED", "IN_PROGRESS", "COMPLETED"}[r.IntN(4)],
			FailedAt: start.Add(-span()),
		}
		for k := range r.IntN(4) {
			v := flinkapi.CheckpointVertex{
				Vertex: vertexID(k), Duration: span(), Subtasks: r.IntN(4), Acked: r.IntN(4), StateBytes: number(),
			}
			for n := range r.IntN(3) {
				v.Parts = append(v.Parts, flinkapi.CheckpointPart{
					Subtask: n, Acked: r.IntN(2) == 0, StartDelay: span(), Alignment: span(), Async: span(),
					Duration: span(),
				})
			}
			c.Vertices = append(c.Vertices, v)
		}
		out.History = append(out.History, c)
	}
	rep.Checkpoints = out
	for range r.IntN(4) {
		rep.Sources = append(rep.Sources, diagnose.SourceState{
			Vertex: diagnose.VertexRef{ID: vertexID(0), Name: text()}, Operator: text(), Lag: number(),
			LagSlope: number(), Rate: number(), Watermark: number(), WatermarkAhead: number(),
			WatermarkLag: number(), EmitLag: number(),
			Silent: number(), Unassigned: number(), Drift: number(), Age: number(), Looked: r.IntN(2) == 0,
		})
		rep.TaskManagers = append(rep.TaskManagers, diagnose.WorkerState{
			ID: flinkapi.TaskManagerID(text()), GC: number(), HeapUsed: number(), HeapMax: number(), Silent: number(),
			Tasks: []diagnose.WorkerTasks{
				{Placed: &diagnose.Placed{Vertex: diagnose.VertexRef{Name: text()}}, Busy: number()},
			},
		})
	}
}

// looks are the ways in which a terminal may draw.
func looks() []Look {
	return []Look{
		plainLook(),
		{Profile: termenv.TrueColor, Dark: true},
		{Profile: termenv.ANSI256},
		{Profile: termenv.ANSI},
		{Profile: termenv.Ascii, ASCII: true, Attributes: true},
	}
}

// Whatever a cluster says, every screen at every size is exactly its size, and no byte of it reaches the
// terminal as a command.
func TestFramesAreExactWhateverTheText(t *testing.T) {
	t.Parallel()
	rounds := 16
	if testing.Short() {
		rounds = 8
	}
	for seed := range uint64(rounds) {
		frames(t, seed, 1+int(seed*37%400), 1+int(seed*53%150)) //nolint:gosec // small
	}
	for _, size := range [][2]int{{1, 1}, {400, 1}, {1, 150}, {400, 150}, {40, 12}, {39, 12}, {40, 11}} {
		frames(t, 1000, size[0], size[1])
	}
}

func FuzzFramesAreExact(f *testing.F) {
	f.Add(uint64(1), 80, 24)
	f.Add(uint64(2), 400, 150)
	f.Add(uint64(3), 1, 1)
	f.Fuzz(func(t *testing.T, seed uint64, w, h int) {
		frames(t, seed, 1+abs(w)%400, 1+abs(h)%150)
	})
}

func abs(n int) int { return max(n, -max(n, -math.MaxInt)) }

// frames draws every screen of a hostile job at a size, and each again after a few keys, other data and
// another size.
func frames(t *testing.T, seed uint64, w, h int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	all := pressable()
	m := mounted(t, scramble(r), w, h, looks()[r.IntN(len(looks()))])
	m.opts.Targets = targets(func() Monitor { return still{} })
	m.opts.Wall = true
	sized(t, m.View(), w, h)
	m.opts.Wall = false
	m.rev++
	for sc := range screenCount {
		press(m, "esc", "esc")
		m.stack = nil
		if sc != m.base() {
			m.stack = []screen{sc}
		}
		m.w, m.h = w, h
		m.rev++
		sized(t, m.View(), w, h)
		for range 4 {
			keys := all[r.IntN(len(all))].Binding.Keys()
			press(m, keys[r.IntN(len(keys))])
			sized(t, m.View(), m.w, m.h)
		}
		switch r.IntN(3) {
		case 0:
			m.Update(obsMsg{gen: m.loop.gen, obs: scramble(r)})
			sized(t, m.View(), m.w, m.h)
		case 1:
			m.w, m.h = 1+r.IntN(400), 1+r.IntN(150)
			sized(t, m.View(), m.w, m.h)
		}
	}
}
