package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

const (
	keyUnaligned      = "execution.checkpointing.unaligned.enabled"
	keyAlignedTimeout = "execution.checkpointing.aligned-checkpoint-timeout"
	unalignedLink     = pressedLink + "#unaligned-checkpoints"

	alignedTimeoutLink = pressedLink + "#aligned-checkpoint-timeout"
)

// barrierPath says where the barrier of a checkpoint waited on its slowest way from a source to a vertex, by
// how much later it had come to each vertex than to the one above.
type barrierPath struct {
	// overtakes is the time on edges on which barriers can overtake records in unaligned checkpoints, stays the
	// time where they cannot.
	overtakes, stays time.Duration
	// most is the largest part of stays, at is where that was, in words.
	most time.Duration
	at   string
}

func (p *barrierPath) all() time.Duration { return p.overtakes + p.stays }

// barrierPath measures the way to the vertex to which the barrier came last, of those that are about level to
// the first; known is false where that was not read of each vertex on it.
func (c *Case) barrierPath(a *anatomy) (p barrierPath, known bool) {
	came, to := c.barrierCame(a), 0
	for v := range came {
		if came[v]*8/10 > came[to] {
			to = v
		}
	}
	seen := make([]bool, len(c.g.ids))
	for w := to; ; {
		if seen[w] || came[w] < 0 {
			return barrierPath{}, false
		}
		seen[w] = true
		if len(c.g.in[w]) == 0 {
			p.add(came[w], false, c.vertex(w).Name+" itself, before it gives the barrier out")
			return p, true
		}
		u := slices.MaxFunc(c.g.in[w], func(i, j int) int { return int(came[i] - came[j]) })
		edge := fmt.Sprintf("the %s edge %s -> %s", c.g.ship[[2]int{u, w}], c.vertex(u).Name, c.vertex(w).Name)
		p.add(max(came[w]-max(came[u], 0), 0), c.overtakable(w), edge)
		w = u
	}
}

func (p *barrierPath) add(d time.Duration, overtakes bool, at string) {
	if overtakes {
		p.overtakes += d
		return
	}
	if p.stays += d; d > p.most {
		p.most, p.at = d, at
	}
}

// barrierCame is how long after the trigger the last barrier had come to the slowest subtask of each vertex;
// -1 where that is not known. To one that lacks an acknowledgement it has not come for as long as the
// checkpoint runs.
func (c *Case) barrierCame(a *anatomy) []time.Duration {
	came := make([]time.Duration, len(c.g.ids))
	for v := range came {
		came[v] = -1
		i := slices.IndexFunc(a.one.Vertices, func(x flinkapi.CheckpointVertex) bool {
			return x.Vertex == c.g.ids[v]
		})
		if i < 0 {
			continue
		}
		for _, part := range a.one.Vertices[i].Parts {
			if part.Acked {
				came[v] = max(came[v], part.StartDelay+part.Alignment)
			} else {
				came[v] = max(came[v], a.total)
			}
		}
	}
	return came
}

// overtakable tells whether barriers can overtake records on the edges into a vertex. Flink switches that off
// for all inputs of an operator that has a pointwise or a broadcast one (StreamGraphGenerator).
func (c *Case) overtakable(v int) bool {
	return !slices.ContainsFunc(c.g.in[v], func(u int) bool { return c.pointwiseEdge(u, v) })
}

func (c *Case) pointwiseEdge(u, v int) bool {
	return slices.Contains([]flinkapi.ShipStrategy{
		flinkapi.ShipForward, flinkapi.ShipRescale, flinkapi.ShipBroadcast,
	}, c.g.ship[[2]int{u, v}])
}

// unalignedRemedies offers unaligned checkpoints where barriers can then overtake the records.
func (c *Case) unalignedRemedies(cp *flinkapi.Checkpoints, a *anatomy, v int, how blame) []Remedy {
	if !cp.Configured || how == blameLongCall || how == blameCollector ||
		c.unalignedWontHelp(cp, a, v) != "" {
		return nil
	}
	if cp.Unaligned {
		return c.sooner(cp, a)
	}
	gain := "checkpoints take about as long as it takes to store the state and what is in flight"
	if p, known := c.barrierPath(a); known {
		gain = fmt.Sprintf("%s of the %s that a checkpoint takes go away, in which barriers wait where they can "+
			"then overtake; storing the data in flight takes some of that back", FormatSpan(p.overtakes),
			FormatSpan(a.total))
		if p.most >= time.Second {
			gain += fmt.Sprintf("; the %s at %s stay", FormatSpan(p.most), p.at)
		}
	}
	out := []Remedy{{
		Do: "switch unaligned checkpoints on, so that barriers overtake the records", Key: c.key(keyUnaligned),
		From: "false", To: "true", Gain: gain, Risk: c.unalignedRisk(cp),
		Undo: "set it back to false; a running job keeps it until it is restarted", Link: unalignedLink,
	}}
	to, fast, known := c.alignedFor(a)
	if known {
		out = append(out, Remedy{
			Do: "keep checkpoints aligned while that is fast", Key: c.key(keyAlignedTimeout),
			From: FormatSpan(cp.AlignedTimeout), To: FormatSpan(to),
			Gain: fmt.Sprintf("in-flight data is stored only in checkpoints that are slow otherwise: %s is twice "+
				"what the fastest takes, %s, and far less than the wait of %s", FormatSpan(to), FormatSpan(fast),
				FormatSpan(a.barrier.span)),
			Risk: "a slow checkpoint waits that long first", Undo: "set it back to 0", Link: alignedTimeoutLink,
			fits: fit{since: 114},
		})
	}
	return out
}

func (c *Case) unalignedRisk(cp *flinkapi.Checkpoints) string {
	risk := "in-flight data makes checkpoints larger, and more is read and written on storage; after a " +
		"restore operators that apply the watermark to each record may give other results"
	if cp.MaxConcurrent > 1 {
		risk += "; checkpoints no longer run side by side"
	}
	custom := slices.ContainsFunc(c.job.Edges, func(e flinkapi.Edge) bool { return e.Ship == "CUSTOM" })
	const mended, patched = 119, 1 // Flink 1.19.1
	v := c.version()
	patch, known := c.patch()
	if custom && v > 0 && (v < mended || v == mended && known && patch < patched) {
		risk += "; with the custom partitioner a restore fails before Flink 1.19.1 (FLINK-35351)"
	}
	return risk
}

// sooner lets checkpoints that are unaligned only after a time be so earlier, where that time is what they
// wait for.
func (c *Case) sooner(cp *flinkapi.Checkpoints, a *anatomy) []Remedy {
	part := time.Duration(c.limits.checkpointPart * float64(a.barrier.span))
	to, _, known := c.alignedFor(a)
	if cp.AlignedTimeout < part || known && to >= cp.AlignedTimeout {
		return nil
	}
	r := Remedy{
		Do: "turn checkpoints unaligned sooner", Key: c.key(keyAlignedTimeout),
		From: FormatSpan(cp.AlignedTimeout), To: "0 s",
		Gain: fmt.Sprintf("barriers overtake the records from the start instead of after %s of the %s that they "+
			"wait", FormatSpan(cp.AlignedTimeout), FormatSpan(a.barrier.span)),
		Risk: "more in-flight data in checkpoints",
		Undo: c.undo(c.key(keyAlignedTimeout)), Link: alignedTimeoutLink,
	}
	if known {
		r.To = FormatSpan(to)
		r.Gain = fmt.Sprintf("barriers overtake the records after %s instead of %s; the fastest checkpoints stay "+
			"aligned", r.To, r.From)
	}
	return []Remedy{r}
}

// alignedFor is how long a checkpoint may stay aligned: twice what the fastest takes, which is not far from
// usual, and clearly less than the barrier's wait now. It is not known where none was fast.
func (c *Case) alignedFor(a *anatomy) (to, fast time.Duration, known bool) {
	done := withStatus(c.attempt(), flinkapi.CheckpointCompleted)
	if len(done) == 0 {
		return 0, 0, false
	}
	fast = done[0].Duration
	for i := range done {
		fast = min(fast, done[i].Duration)
	}
	unit := time.Second
	if fast < 500*time.Millisecond {
		unit = 100 * time.Millisecond
	}
	to = (2*fast + unit - 1).Truncate(unit)
	return to, fast, to > 0 && float64(to) <= c.limits.alignedPart*float64(a.barrier.span)
}

// unalignedWontHelp says why unaligned checkpoints would not help, or do not; empty where they would.
func (c *Case) unalignedWontHelp(cp *flinkapi.Checkpoints, a *anatomy, v int) string {
	const none = "unaligned checkpoints do not help here: "
	switch {
	case !cp.Configured:
		return ""
	case !cp.ExactlyOnce:
		return "unaligned checkpoints need the exactly-once mode, and this job has at-least-once"
	case c.stateBound(v):
		return none + "state access in RocksDB is the limit, and they add to it"
	}
	if one := c.recordTime(v); one >= time.Duration(c.limits.checkpointPart*float64(a.barrier.span)) {
		return fmt.Sprintf(none+"a barrier is handled only between two records, and one takes %s about %s",
			c.vertex(v).Name, FormatSpan(one))
	}
	const why = ": on pointwise and broadcast edges, and on the others into the same operator, barriers " +
		"cannot overtake"
	p, known := c.barrierPath(a)
	if !known {
		if held := c.pointwise(a, v); held != "" {
			return "unaligned checkpoints do not help on " + held + why
		}
		return ""
	}
	if p.stays < time.Duration(c.limits.checkpointPart*float64(p.all())) {
		return ""
	}
	told := fmt.Sprintf(none+"%s of the %s that the barrier waits are at %s", FormatSpan(p.most),
		FormatSpan(p.all()), p.at)
	if strings.HasPrefix(p.at, "the ") {
		told += why
	}
	return told
}

// recordTime is how long the slowest busy subtask of a vertex takes for one record; 0 where that is not
// known.
func (c *Case) recordTime(v int) time.Duration {
	c.note(shareSignals()...)
	_, all := c.rates(v)
	slowest := 0.0
	for _, i := range c.busySubtasks(v) {
		if i >= len(all) {
			continue
		}
		busy, known := all[i].busy.float()
		if in, ok := all[i].rate().in.Float(); known && ok && in > 0 {
			slowest = max(slowest, busy/in)
		}
	}
	return seconds(slowest)
}

// pointwise names an edge on which the barrier waited though no barrier can overtake on it, where it was not
// read vertex by vertex: one to a vertex where it came late, from one that is held back, when all such edges
// are of that kind or checkpoints are unaligned already.
func (c *Case) pointwise(a *anatomy, v int) string {
	edge, others := "", false
	above := c.g.above(v)
	for u := range c.job.Vertices {
		if !c.heldBack(u) || !above[u] {
			continue
		}
		for _, w := range c.g.out[u] {
			if w != v && !above[w] {
				continue
			}
			if c.overtakable(w) {
				others = true
				continue
			}
			if edge == "" {
				edge = fmt.Sprintf("the %s edge %s -> %s", c.g.ship[[2]int{u, w}], c.vertex(u).Name, c.vertex(w).Name)
			}
		}
	}
	if others && !a.one.Unaligned && !c.job.Checkpoints.Unaligned {
		return ""
	}
	return edge
}
