package diagnose

import (
	"slices"
	"strings"

	"culprit/flinkapi"
)

// findRules are rung 1: who.
func findRules() []Rule { return []Rule{culpritRule()} }

func culpritRule() Rule {
	return Rule{
		ID: "FD0101", Name: "culprit", Title: "an operator holds others back", Stage: StageFind,
		Needs: needs(shareSignals(), rateSignals(), []flinkapi.Signal{
			flinkapi.InPoolUsage, flinkapi.OutPoolUsage, flinkapi.PendingRecords, flinkapi.HardBackpressuredShare,
			flinkapi.UnassignedSplits,
		}),
		Check: checkCulprit,
	}
}

// checkCulprit sums up the walk; the walk itself is the selection procedure in walk.go.
func checkCulprit(c *Case) Finding {
	c.note(shareSignals()...)
	c.note(rateSignals()...)
	if len(c.stands) == 0 {
		if end, yes := c.blind(); yes {
			return end
		}
		return fine()
	}
	lead := &c.stands[0]
	f := Finding{
		Verdict:  Firing,
		Severity: Warning,
		Subject:  Subject{Kind: SubjectVertex, Vertex: lead.id, Name: c.vertex(lead.last.vertex).Name},
		Summary:  c.whyNamed(lead),
	}
	for i := range c.stands {
		f.Evidence = append(f.Evidence, c.walkEvidence(&c.stands[i])...)
		for _, v := range c.stands[i].last.explains {
			f.Explains = append(f.Explains, c.job.Vertices[v].ID)
		}
	}
	return f
}

// whyNamed says what makes a culprit one.
func (c *Case) whyNamed(s *standing) string {
	name := c.vertex(s.last.vertex).Name
	if s.last.selfHeld {
		return name + " is backpressured although its output has room and all below it waits: it holds itself back"
	}
	return name + " is the first operator downstream that is busy and not itself backpressured"
}

// ladderOf completes the rungs of a culprit beside the first: the first rung's rule speaks of that one.
func (c *Case) ladderOf(rungs []Rung, culprit int) []Rung {
	if rungs[0].State == RungHit {
		rungs[0].Why = c.whyNamed(&c.stands[culprit])
	}
	return rungs
}

// walkEvidence are the numbers that make a vertex the culprit: of one that comes and goes those of its newest
// turn. What is read of it beside the shares of time is told only while it has its turn.
func (c *Case) walkEvidence(s *standing) []Evidence {
	v, name := s.last.vertex, c.vertex(s.last.vertex).Name
	p := c.phase(s)
	age := c.age() + p.ago
	share := func(v int, signal, label string, value flinkapi.Value, supports bool) Evidence {
		return Evidence{
			Signal: signal, Label: label, Subject: c.vertex(v).Name, Value: value, Unit: flinkapi.Ratio,
			For: supports, Age: age, Note: p.note,
		}
	}
	sh := p.of(v)
	const others = 6 // what usually follows
	out := make([]Evidence, 0, len(s.last.explains)+others)
	out = append(out,
		share(v, "busy", "busy, busiest subtask", sh.busy, sh.busy.Or(0) >= c.limits.busy),
		share(v, "backpressured", "backpressured, most pressed subtask", sh.backpressured,
			sh.backpressured.Or(1) < c.limits.high),
	)
	for _, u := range s.last.explains {
		if c.isNamed(u) { // one of two that take turns
			continue
		}
		held := p.of(u).backpressured
		out = append(out, share(u, "backpressured", "backpressured, held back by it", held,
			held.Or(0) >= c.limits.high))
	}
	if !p.rests {
		out = append(out, c.freeInputs(s)...)
		out = append(out, c.bufferEvidence(v)...)
		out = append(out, c.hardEvidence(s)...)
	}
	if n := c.otherAttempts(v); n > 0 {
		out = append(out, Evidence{
			Signal: "other-attempts", Label: "attempts that run beside the newest ones", Subject: name,
			Value: flinkapi.Known(float64(n)), Unit: flinkapi.Count, Age: c.age(),
			Note: "not counted in the other numbers",
		})
	}
	held := append([]int{v}, s.last.explains...)
	return append(append(out, c.backlogEvidence(held)...), c.splitEvidence(held)...)
}

// freeInputs tells of the inputs of a culprit that it does not hold back while it does others: it reads one
// input before another, or nothing comes that way. Flink counts no records by input, so what each sends is
// told.
func (c *Case) freeInputs(s *standing) []Evidence {
	v := s.last.vertex
	held := slices.ContainsFunc(c.g.in[v], func(u int) bool { return slices.Contains(s.last.explains, u) })
	var out []Evidence
	for _, u := range c.g.in[v] {
		all, _ := c.rates(u)
		back, measured := c.shares(u).backpressured.Float()
		free := measured && back <= c.limits.low && !finished(c.vertex(u)) && !slices.Contains(s.last.explains, u)
		if !held || !free || !all.out.IsKnown() || len(c.g.out[u]) != 1 {
			continue
		}
		out = append(out, Evidence{
			Signal: "input-rate", Label: "an input that it does not hold back sends", Subject: c.vertex(u).Name,
			Value: all.out, Unit: flinkapi.RecordsPerSecond, Age: c.age(),
			Note: "it reads another input first, or little comes this way",
		})
	}
	return out
}

// splitEvidence tells of splits that pile up at the sources among vertices: an enumerator goes on finding
// them while nobody takes them.
func (c *Case) splitEvidence(vertices []int) []Evidence {
	var out []Evidence
	for _, v := range vertices {
		all := c.series(v, flinkapi.UnassignedSplits)
		if len(c.g.in[v]) > 0 || len(all) < c.limits.lagReadings {
			continue
		}
		var points []point
		for _, r := range all {
			if n, ok := r.spread.Sum.Float(); ok {
				points = append(points, point{r.at, n})
			}
		}
		slope, ok := theilSen(points)
		if !ok || slope <= 0 || kendall(points) < c.limits.trendTau {
			continue
		}
		out = append(out, c.signalEvidence(v, flinkapi.UnassignedSplits, points[len(points)-1].y, flinkapi.Count,
			true, "more and more of them wait in the JobManager's memory"))
	}
	return out
}

// hardEvidence tells of a vertex that is held back in the middle of a record for a good part of its
// backpressure: one record or timer of it makes many buffers. The thread then cannot do anything else.
func (c *Case) hardEvidence(s *standing) []Evidence {
	for _, v := range s.last.explains {
		hard, ok := c.spread(v, flinkapi.HardBackpressuredShare).Max.Float()
		all, known := c.shares(v).backpressured.Float()
		if !ok || !known || all <= c.limits.low || hard <= c.limits.hardShare*all {
			continue
		}
		return []Evidence{{
			Signal: flinkapi.HardBackpressuredShare.String(), Label: "of that in the middle of a record",
			Subject: c.vertex(v).Name, Value: flinkapi.Known(min(hard/all, 1)), Unit: flinkapi.Ratio,
			For: true, Age: c.age(),
			Note: "one record or timer fills many buffers; unaligned checkpoints wait until it is written",
		}}
	}
	return nil
}

// otherAttempts are the concurrent attempts of a vertex beside the newest one of each subtask (speculative
// execution).
func (c *Case) otherAttempts(v int) int {
	n := 0
	for i := range c.vertex(v).Subtasks {
		n += c.vertex(v).Subtasks[i].OtherAttempts
	}
	return n
}

// pressedLoop names the vertices of the plan's loops where all of them are held back; empty where there is
// none.
func (c *Case) pressedLoop() string {
	var names []string
	for _, v := range c.g.loop() {
		if c.shares(v).backpressured.Or(0) <= c.limits.low {
			return ""
		}
		names = append(names, c.vertex(v).Name)
	}
	return strings.Join(names, ", ")
}

// bufferEvidence tells of the culprit's buffers. Flink does not count buffers between tasks of one
// TaskManager, so an empty input is evidence only where records come from another one.
func (c *Case) bufferEvidence(v int) []Evidence {
	name, age := c.vertex(v).Name, c.age()
	var out []Evidence
	in, ok := c.pool(v, flinkapi.InPoolUsage).Float()
	if full := in >= c.limits.high; ok && (full || c.remoteInput(v)) {
		out = append(out, Evidence{
			Signal:  flinkapi.InPoolUsage.String(),
			Label:   "input buffers in use",
			Subject: name,
			Value:   flinkapi.Known(in),
			Unit:    flinkapi.Ratio,
			For:     full,
			Age:     age,
		})
	}
	if used, ok := c.pool(v, flinkapi.OutPoolUsage).Float(); ok && len(c.g.out[v]) > 0 {
		out = append(out, Evidence{
			Signal: flinkapi.OutPoolUsage.String(), Label: "output buffers in use", Subject: name,
			Value: flinkapi.Known(used), Unit: flinkapi.Ratio, For: used < c.limits.high, Age: age,
		})
	}
	return out
}

// remoteInput tells whether some records reach v from another TaskManager.
func (c *Case) remoteInput(v int) bool {
	at := c.hosts(v)
	for _, u := range c.g.in[v] {
		for id := range c.hosts(u) {
			if len(at) > 1 || !at[id] {
				return true
			}
		}
	}
	return false
}

// hosts are the TaskManagers on which a vertex runs.
func (c *Case) hosts(v int) map[flinkapi.TaskManagerID]bool {
	out := map[flinkapi.TaskManagerID]bool{}
	for _, s := range c.vertex(v).Subtasks {
		out[s.TaskManager] = true
	}
	return out
}
