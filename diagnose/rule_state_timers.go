package diagnose

import (
	"fmt"
	"time"

	"culprit/flinkapi"
)

func timersRule() Rule {
	return Rule{
		ID:    "FD0404",
		Name:  "timers",
		Title: "firing timers takes its time",
		Stage: StageState,
		Needs: needs(
			[]flinkapi.Signal{flinkapi.TimersFiredRate, flinkapi.InputWatermark},
			shareSignals(),
			rateSignals(),
			stallSignals(),
		),
		Check: checkTimers,
	}
}

func checkTimers(c *Case) Finding {
	v := c.subject()
	seen := c.looked(v)
	fired, counted := c.spread(v, flinkapi.TimersFiredRate).Sum.Float()
	if !c.keyed(v) && seen.timers == 0 && fired == 0 {
		return notApplicable(notKeyed)
	}
	if !c.timerBound(v) {
		if !counted && !seen.known {
			return cannotTell("whether timers take its time is not known: how many fire is not told"+
				c.tellsFrom(flinkapi.TimersFiredRate.Info().Since),
				"stack samples of its threads")
		}
		return fineBy(c.fewTimers(seen, fired, counted))
	}
	f := Finding{Verdict: Firing, Summary: "firing timers takes its time"}
	if seen.known {
		f.Summary += fmt.Sprintf(
			": it was firing them in %s of the looks",
			FormatRatio(flinkapi.Known(seen.timers)),
		)
		f.Evidence = append(f.Evidence, c.stateLooks(v, seen, seen.timers, "firing timers"))
	}
	if counted {
		f.Summary += fmt.Sprintf("; %s fire each second", FormatCount(fired))
		if in, ok := c.readRate(v); ok {
			f.Summary += fmt.Sprintf(", beside %s records read", FormatCount(in))
		}
		f.Evidence = append(
			f.Evidence,
			c.signalEvidence(v, flinkapi.TimersFiredRate, fired, flinkapi.PerSecond, true, ""),
		)
	}
	if step := c.watermarkStep(v); step > 0 {
		f.Summary += "; its watermark jumped by " + FormatDuration(
			step,
		) + ", which fires all timers below it at once"
	}
	f.Remedies = c.timerRemedies()
	f.Dont = []string{
		"unaligned checkpoints alone do not help: a barrier waits until all timers that are due have fired",
		throughputDont,
	}
	return f
}

// notKeyed is why the rules of rung 4 have nothing to look at.
const notKeyed = "none of its inputs comes by key, so it keeps no state by key and sets no timers"

// fewTimers says how little of a vertex's work is firing timers.
func (c *Case) fewTimers(seen looked, fired float64, counted bool) string {
	switch {
	case seen.known:
		return "timers take " + FormatRatio(flinkapi.Known(seen.timers)) + " of its time, by the looks at its " +
			"threads"
	case counted && fired == 0:
		return "no timer fires"
	}
	return withNoun(fired, "timers/s") + " fire"
}

func (c *Case) timerRemedies() []Remedy {
	out := []Remedy{
		{
			Do:   "set fewer timers: one per key instead of one per record, and round their times (coalescing)",
			Gain: "a timer for the same key and time is set and fired once",
			Risk: "timers fire a little later",
			Link: docRoot + "dev/datastream/operators/process_function/#timer-coalescing",
			Undo: undoCode,
		},
		{
			Do:   "do less in onTimer, and spread timers that all fall on the same moment",
			Gain: "records are read in between", Risk: "results come later",
			Undo: undoCode, Link: docRoot + "dev/datastream/operators/process_function/#timers",
		},
	}
	if version := c.version(); version == 0 || version >= 200 {
		out = append(out, Remedy{
			Do:   "let barriers in between two timers (with unaligned checkpoints on)",
			Key:  "execution.checkpointing.unaligned.interruptible-timers.enabled",
			From: c.from("execution.checkpointing.unaligned.interruptible-timers.enabled", "false"),
			To:   "true",
			Gain: "a checkpoint no longer waits until all timers have fired",
			Risk: "only operators that support it gain",
			Undo: c.undo("execution.checkpointing.unaligned.interruptible-timers.enabled"),
			Link: pressedLink,
		})
	}
	return out
}

// readRate is the records that a vertex reads each second.
func (c *Case) readRate(v int) (perSecond float64, known bool) {
	all, _ := c.rates(v)
	return all.in.Float()
}

// timerBound tells whether firing timers is what a vertex does: by its stacks, or while there are none by far
// more timers than records.
func (c *Case) timerBound(v int) bool {
	if c.stalled(v) {
		return false
	}
	if seen := c.looked(v); seen.known {
		return seen.timers > c.limits.stateFrames
	}
	fired, ok := c.spread(v, flinkapi.TimersFiredRate).Sum.Float()
	in, known := c.readRate(v)
	return ok && known && fired >= c.limits.timersLeast && fired >= c.limits.timersPerRecord*in
}

// watermarkStep is the largest jump of a vertex's watermark lately that is far more than the time that
// passed; 0 for none.
func (c *Case) watermarkStep(v int) time.Duration {
	step := time.Duration(0)
	all := c.series(v, flinkapi.InputWatermark)
	for i := 1; i < len(all); i++ {
		before, okBefore := all[i-1].spread.Min.Float()
		now, okNow := all[i].spread.Min.Float()
		if !okBefore || !okNow || before <= 0 {
			continue
		}
		jump := time.Duration((now - before) * float64(time.Second))
		if float64(jump) >= c.limits.jumpFactor*float64(all[i].at.Sub(all[i-1].at)) {
			step = max(step, jump)
		}
	}
	return step
}
