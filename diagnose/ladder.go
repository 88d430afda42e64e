package diagnose

import "slices"

// ladder is the strip of rungs as the rules answered them.
func ladder(r *Report, gate, who *Finding) []Rung {
	rungs := []Rung{
		{
			Number:   1,
			Name:     "culprit",
			Question: "which operator, reading downstream, is the first that is busy and not itself backpressured?",
		},
		{Number: 2, Name: "sink", Question: "is it a sink?"},
		{Number: 3, Name: "hot instance", Question: "is one instance hot and the rest idle?"},
		{Number: 4, Name: "state", Question: "is it stateful, and does the state backend stall?"},
		{Number: 5, Name: "checkpoints", Question: "have checkpoints slowed with the backlog?"},
		{Number: 6, Name: "headroom", Question: "is there headroom?"},
		{Number: 7, Name: "log retention", Question: "does the log hold the lag?"},
	}
	for i := range rungs[3:] {
		rungs[i+3].State, rungs[i+3].Why = RungUnknown, "this version does not ask it"
	}
	first, second, third := &rungs[0], &rungs[1], &rungs[2]
	notReached := func(why string) {
		for _, x := range []*Rung{second, third} {
			x.State, x.Why = RungNotReached, why
		}
	}
	switch {
	case gate != nil:
		first.State, first.Why = RungNotReached, gate.Summary
		notReached("nobody is named")
		return rungs
	case who == nil && r.State != nil && r.State.Rule == undeterminedRule().Name:
		first.State, first.Why = RungUnknown, r.State.Summary
		notReached("nobody is named")
		return rungs
	case who == nil && len(r.Culprits) > 0: // its rule crashed, not the walk
		first.State, first.Why = RungUnknown, r.unsure()
	case who == nil:
		first.State, first.Why = RungClear, "no operator holds others back"
		notReached("nobody is named")
		return rungs
	default:
		first.State, first.Why = RungHit, who.Summary
	}
	second.State, second.Why = rung(r, StageSink)
	third.State, third.Why = rung(r, StageHotInstance)
	if second.State == RungHit {
		third.State, third.Why = RungNotReached, "the rung above gave the reason"
	}
	return rungs
}

// rung is the answer of a rung's rules about the first culprit.
func rung(r *Report, stage Stage) (RungState, string) {
	names := map[string]bool{}
	for _, rule := range Rules() {
		if rule.Stage == stage {
			names[rule.Name] = true
		}
	}
	state, why := RungClear, "no"
	for i := range r.Checks {
		f := &r.Checks[i]
		if !names[f.Rule] || f.Subject.Vertex != r.Culprits[0].Vertex.ID {
			continue
		}
		switch f.Verdict {
		case Firing:
			return RungHit, f.Summary
		case Unknown:
			state, why = RungUnknown, f.Why
		case NotApplicable:
			if state == RungClear {
				why = f.Why
			}
		case Fine:
		}
	}
	return state, why
}

// Rung returns the rung with the given number, or nil.
func (r *Report) Rung(number int) *Rung {
	i := slices.IndexFunc(r.Ladder, func(x Rung) bool { return x.Number == number })
	if i < 0 {
		return nil
	}
	return &r.Ladder[i]
}
