package diagnose

import (
	"fmt"
	"time"

	"culprit/flinkapi"
)

// growthRules are those about the size of state.
func growthRules() []Rule { return []Rule{stateGrowthRule()} }

// stateGrowthRule stands beside the ladder: state grows with or without a culprit, long before it hurts.
func stateGrowthRule() Rule {
	return Rule{
		ID: "FD0403", Name: "state-growth", Title: "the state grows while the input does not", Stage: StageBeside,
		Needs: rateSignals(), Check: checkStateGrowth,
	}
}

func checkStateGrowth(c *Case) Finding {
	sizes, end, ok := c.growingSizes()
	if !ok {
		return end
	}
	from, to := sizes[0], sizes[len(sizes)-1]
	over := to.at.Sub(from.at)
	if steady, known := c.steadyInput(); !known || !steady {
		return cannotTell("the state grows, and whether the input does too is not known")
	}
	slope, _ := theilSen(sizes)
	f := Finding{
		Verdict:  Firing,
		Severity: OK,
		Summary: fmt.Sprintf(
			"the state grew from %s to %s in %s while the input stayed the same; it doubles in %s at that rate",
			FormatBytes(from.y),
			FormatBytes(to.y),
			FormatDuration(over),
			FormatDuration(doubling(to.y, slope)),
		),
		Evidence: []Evidence{
			c.sizeEvidence(to, "state"), c.sizeEvidence(from, "state before"),
		},
		Remedies: []Remedy{
			expiring(", which is cleaned up bit by bit (cleanupIncrementally)", backendsOf(backendHeap)),
			expiring(", cleaned up when RocksDB compacts (cleanupInRocksdbCompactFilter)",
				backendsOf(backendRocksDB)),
			expiring("", backendsOf(backendForSt, backendUnknown)),
			{
				Do:   "look at what is never cleared: keys that end, windows that never fire, joins without a time bound",
				Gain: "finds the state that only grows",
				Risk: "none",
				Link: checkpointDoc("large_state_tuning/"),
				Undo: undoLook,
			},
		},
		Dont: []string{"more memory or parallelism only moves the day on which it is too large"},
	}
	c.gradeGrowth(&f, over)
	return f
}

// expiring is to let state expire, which some state backends clean up in a way of their own.
func expiring(how string, on backendSet) Remedy {
	return Remedy{
		Do: "give the state a time to live (StateTtlConfig" + how + "); how long is not computed, because the " +
			"job's logic says it",
		Key:  "table.exec.state.ttl",
		Gain: "state that nobody reads any more goes away",
		Risk: "results change for what comes after that time",
		Undo: "remove it; what has expired is gone",
		Link: docRoot + "dev/datastream/fault-tolerance/state/#state-time-to-live-ttl",
		fits: fit{backends: on},
	}
}

// growingSizes returns the sizes of state by the completed checkpoints where they grow for long enough; else
// end is what there is to say.
func (c *Case) growingSizes() (sizes []point, end Finding, ok bool) {
	if _, end, ok := c.checkpointing(); !ok {
		return nil, end, false
	}
	sizes = stateSizes(withStatus(c.attempt(), flinkapi.CheckpointCompleted))
	if len(sizes) < c.limits.growthPoints {
		return nil, cannotTell("too few checkpoints have completed to tell whether state grows"), false
	}
	from, to := sizes[0], sizes[len(sizes)-1]
	switch {
	case to.y < c.limits.growthBytes || to.y-from.y < c.limits.growthLeast*from.y ||
		kendall(sizes) <= c.limits.growthOrder || c.dropped(sizes):
		return nil, fine(), false
	case to.at.Sub(from.at) < c.limits.growthSpan:
		return nil, cannotTell(
			"the state grows, but has been watched for too short to tell a growth from a window that fills",
		), false
	}
	return sizes, Finding{}, true
}

// growthOpen tells whether state grows, and some slots more will tell whether the input does.
func (c *Case) growthOpen() bool {
	if len(c.w.slots) > 3*c.limits.firmSlots { // some of them may hold no rates
		return false
	}
	_, known := c.steadyInput()
	return !known && c.stateGrows()
}

// stateGrows tells whether state grows for long enough, whatever the input does.
func (c *Case) stateGrows() bool {
	_, _, grows := c.growingSizes()
	return grows
}

func stateSizes(done []flinkapi.Checkpoint) []point {
	var sizes []point
	for i := range done {
		if n, ok := stateSize(&done[i]).Float(); ok {
			sizes = append(sizes, point{done[i].TriggeredAt.Add(done[i].Duration), n})
		}
	}
	return sizes
}

// gradeGrowth makes a growth a warning once hardly a window can be as long, and names whose state is largest.
func (c *Case) gradeGrowth(f *Finding, over time.Duration) {
	if over >= c.limits.growthSure {
		f.Severity = Warning
	} else {
		f.Summary += "; a window that fills looks the same for as long as it is open"
	}
	if v, ok := c.largestState(); ok {
		f.Subject = c.vertexSubject(v)
		f.Summary += "; the largest is that of " + c.vertex(v).Name
	}
}

// dropped tells whether the sizes fell markedly in between, as they do when a window ends.
func (c *Case) dropped(sizes []point) bool {
	most := 0.0
	for _, p := range sizes {
		if p.y < (1-c.limits.growthDrop)*most {
			return true
		}
		most = max(most, p.y)
	}
	return false
}

func doubling(size, slope float64) time.Duration {
	const far = 365 * 24 * time.Hour
	if slope <= 0 {
		return far
	}
	return time.Duration(min(size/slope, far.Seconds()) * float64(time.Second))
}

func (c *Case) sizeEvidence(size point, label string) Evidence {
	return Evidence{
		Signal: "state-size", Label: label, Subject: "job", Value: flinkapi.Known(size.y), Unit: flinkapi.Bytes,
		For: true, Age: max(c.job.Now.Sub(size.at), 0),
	}
}

// steadyInput tells whether what the sources emit stayed about the same over the slots that are kept.
func (c *Case) steadyInput() (steady, known bool) {
	first, last, known := c.inputHalves()
	return known && last <= first*(1+2*c.limits.growthLeast), known
}

// inputHalves is what the sources emitted in the older and in the newer half of the slots that are kept, in
// records a second.
func (c *Case) inputHalves() (first, last float64, known bool) {
	c.note(rateSignals()...)
	all := c.memo.emitted[:0]
	for i := range c.w.slots {
		if out, told := c.emitted(&c.w.slots[i]); told {
			all = append(all, out)
		}
	}
	c.memo.emitted = all
	half := len(all) / 2
	first, last = mean(all[:half]), mean(all[half:])
	return first, last, len(all) >= 2*c.limits.firmSlots && first > 0
}

// emitted is what all sources emitted in a slot, in records a second.
func (c *Case) emitted(s *slot) (out float64, told bool) {
	for v := range c.job.Vertices {
		if len(c.g.in[v]) > 0 || v >= len(s.vertices) {
			continue
		}
		x, ok := s.vertices[v].all.out.Float()
		if !ok {
			return 0, false
		}
		out += x
	}
	return out, !s.gauges
}

// largestState is the vertex with most state, by the newest checkpoints that were read vertex by vertex.
func (c *Case) largestState() (v int, ok bool) {
	most := 0.0
	for k := range c.job.Vertices {
		if n, known := c.stateBytes(k); known && n > most {
			v, most, ok = k, n, true
		}
	}
	return v, ok
}
