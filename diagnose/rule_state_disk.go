package diagnose

import (
	"fmt"

	"culprit/flinkapi"
)

func stateDiskRule() Rule {
	return Rule{
		ID: "FD0402", Name: "state-disk", Title: "reading its state waits for the disk", Stage: StageState,
		Needs: needs(shareSignals(), stallSignals(), readSignals(), []flinkapi.Signal{
			flinkapi.CPUTime,
			flinkapi.HeapMax,
			flinkapi.TimersFiredRate,
			flinkapi.RecordsRead,
			flinkapi.RecordsWritten,
			flinkapi.RecordsInRate,
			flinkapi.RecordsOutRate,
		}),
		Check: checkStateDisk,
	}
}

func checkStateDisk(c *Case) Finding {
	v := c.subject()
	if end, ok := c.keyedState(v); !ok {
		return end
	}
	cores, _ := c.coresPerBusySubtask()
	seen := c.looked(v)
	latency, timed := c.spread(v, flinkapi.StateGetLatency).Max.Float()
	miss := c.missRatio(v)
	switch {
	case c.stalled(v), c.timerBound(v):
		return fine()
	case !c.diskBound(v):
		if seen.known && (seen.state <= c.limits.stateFrames || cores.IsKnown()) ||
			timed && latency < c.limits.slowRead.Seconds() || miss.IsKnown() && timed {
			return fine()
		}
		return cannotTell("whether it waits for its disk is not known", c.switchOn()...)
	}
	f := Finding{
		Verdict: Firing,
		Dont:    append(stateDonts(), "more CPU does not help: the operator does not use what it has"),
	}
	f.Summary = "it waits for the disk that holds its state"
	if seen.known && seen.state > c.limits.stateFrames {
		f.Summary += fmt.Sprintf(
			": %s of its time is in %s",
			FormatRatio(flinkapi.Known(seen.state)),
			c.backendName(),
		)
		if n, ok := cores.Float(); ok {
			f.Summary += ", with " + coresText(n)
		}
		f.Evidence = append(f.Evidence, c.stateLooks(v, seen, seen.state, "in calls to its state"))
	}
	f.Evidence = append(f.Evidence, c.cpuEvidence(cores, true)...)
	if m, ok := miss.Float(); ok && m > c.limits.cacheMiss {
		f.Summary += fmt.Sprintf("; %s of its block reads miss the cache", FormatRatio(miss))
		f.Evidence = append(
			f.Evidence,
			c.signalEvidence(v, flinkapi.BlockCacheMisses, m, flinkapi.Ratio, true, "misses over all block reads"),
		)
	}
	if timed {
		f.Evidence = append(f.Evidence, c.signalEvidence(v, flinkapi.StateGetLatency, latency, flinkapi.Seconds,
			latency >= c.limits.slowRead.Seconds(), ""))
	}
	f.Remedies = append([]Remedy{localDisks(c)}, c.readRemedies(v)...)
	f.Remedies = append(f.Remedies, designRemedies(seen)...)
	return f
}

// diskBound tells whether a vertex is seen to wait for the disk below its state: its threads stand in state
// access and hardly compute, or compute less than all the time while reads miss the cache; or, without looks
// at them, reads that miss the cache take milliseconds. Background compaction computes too, so a low number
// always proves waiting.
func (c *Case) diskBound(v int) bool {
	if c.stalled(v) {
		return false
	}
	cores, others := c.coresPerBusySubtask()
	n, known := cores.Float()
	missed := c.missRatio(v).Or(0) > c.limits.cacheMiss
	if seen := c.looked(v); seen.known {
		return seen.state > c.limits.stateFrames && known &&
			(n <= c.limits.waiting || missed && n < c.limits.computing)
	}
	latency, timed := c.spread(v, flinkapi.StateGetLatency).Max.Float()
	computes := known && !others && n >= c.limits.computing
	return timed && missed && !computes && latency >= c.limits.slowRead.Seconds()
}
