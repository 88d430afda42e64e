package diagnose

import (
	"slices"
	"strings"

	"culprit/flinkapi"
)

// Stage says when a rule is asked.
type Stage int

// The stages, in the order in which they are asked.
const (
	// StageRunning asks whether the job runs at all; a hit there ends the matter and nobody is named.
	StageRunning Stage = iota
	// StageFind is rung 1: who.
	StageFind
	// StageMachine asks whether a culprit's machine is the reason, whatever the operator does.
	StageMachine
	// StageSink is rung 2, asked of each culprit.
	StageSink
	// StageHotInstance is rung 3, asked of each culprit.
	StageHotInstance
	// StageState is rung 4, asked of each culprit.
	StageState
	// StageNature asks what a culprit does while it is busy, when no rung before gave the reason.
	StageNature
	// StageCheckpoints is rung 5, StageHeadroom rung 6, StageLog rung 7: what is at risk, and whether there is
	// room. They are asked of the job, with or without a culprit, and stand beside the reason.
	StageCheckpoints
	StageHeadroom
	StageLog
	// StageBeside are the signals that stand beside the ladder.
	StageBeside
	// StageWhole describes the job as a whole when nobody is named; the last rule of it always says something.
	StageWhole
)

// String says in a few words when a rule of the stage is asked.
func (s Stage) String() string {
	switch s {
	case StageRunning:
		return "first: does the job run at all"
	case StageFind:
		return "rung 1: who"
	case StageMachine:
		return "before rung 2, of each culprit"
	case StageSink:
		return "rung 2, of each culprit"
	case StageHotInstance:
		return "rung 3, of each culprit"
	case StageState:
		return "rung 4, of each culprit"
	case StageNature:
		return "after the rungs, of each culprit"
	case StageCheckpoints:
		return "rung 5"
	case StageHeadroom:
		return "rung 6"
	case StageLog:
		return "rung 7"
	case StageBeside:
		return "beside the ladder"
	case StageWhole:
	}
	return "last, when nobody is named"
}

// ofCulprit tells whether the rules of the stage are asked of each culprit; the first that fires is its
// reason.
func (s Stage) ofCulprit() bool { return s >= StageMachine && s <= StageNature }

// atRisk tells whether the rules of the stage say what is at risk, beside the reason.
func (s Stage) atRisk() bool { return s >= StageCheckpoints && s <= StageBeside }

// Rule is a reason as data with one function.
type Rule struct {
	// ID is the stable code; a retired one is never given again.
	ID string
	// Name is the reason's name on screen, in JSON and in the documents.
	Name string
	// Title says in a few words what a hit means.
	Title string
	Stage Stage
	// Alone is true for a rule that describes the whole job when nobody is named: it is then asked before those
	// of StageWhole.
	Alone bool
	// Needs are the signals that the rule reads; their union is what the collector asks for.
	Needs []flinkapi.Signal
	// Check judges the case; it is pure.
	Check func(*Case) Finding
}

// askedAt tells whether the rule is asked in a stage; named, whether somebody is named.
func (r *Rule) askedAt(stage Stage, named bool) bool {
	if r.Alone && !named {
		return stage == StageWhole
	}
	return r.Stage == stage
}

// indispensable tells whether there is no verdict without the rule.
func (r Rule) indispensable() bool {
	return r.Stage == StageFind || r.Name == undeterminedRule().Name || r.Name == healthyRule().Name
}

// Rules returns all rules in the order in which they are asked.
func Rules() []Rule {
	return slices.Concat(
		runningRules(), findRules(), turnRules(),
		machineRules(), sinkRules(), hotRules(), stateRules(), natureRules(),
		checkpointRules(), headroomRules(), logRules(), courseRules(), growthRules(), besideRules(),
		networkRules(), wholeRules(),
	)
}

// RuleNamed returns the rule of that name, or of that code, in small or capital letters.
func RuleNamed(nameOrCode string) (Rule, bool) {
	all := Rules()
	i := slices.IndexFunc(all, func(r Rule) bool {
		return strings.EqualFold(r.Name, nameOrCode) || strings.EqualFold(r.ID, nameOrCode)
	})
	if i < 0 {
		return Rule{}, false
	}
	return all[i], true
}

// Needs returns the union of what all rules read, in the catalogue's order: what the collector must ask for.
func Needs() []flinkapi.Signal {
	wanted := map[flinkapi.Signal]bool{}
	for _, r := range Rules() {
		for _, s := range r.Needs {
			wanted[s] = true
		}
	}
	var out []flinkapi.Signal
	for _, s := range flinkapi.Signals() {
		if wanted[s] {
			out = append(out, s)
		}
	}
	return out
}

// shareSignals are what shares of time are formed from.
func shareSignals() []flinkapi.Signal {
	return []flinkapi.Signal{
		flinkapi.BusyTime, flinkapi.BackpressuredTime, flinkapi.IdleTime,
		flinkapi.BusyShare, flinkapi.BackpressuredShare, flinkapi.IdleShare,
	}
}

// rateSignals are what records per second are formed from.
func rateSignals() []flinkapi.Signal {
	return []flinkapi.Signal{
		flinkapi.RecordsRead, flinkapi.RecordsWritten, flinkapi.RecordsInRate, flinkapi.RecordsOutRate,
	}
}

func needs(groups ...[]flinkapi.Signal) []flinkapi.Signal {
	var out []flinkapi.Signal
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}

func fine() Finding { return Finding{Verdict: Fine} }

// fineBy is fine, with what was looked at and found: what its rung says while it is clear.
func fineBy(found string) Finding { return Finding{Verdict: Fine, Why: found} }

func notApplicable(why string) Finding { return Finding{Verdict: NotApplicable, Why: why} }

func cannotTell(why string, missing ...string) Finding {
	return Finding{Verdict: Unknown, Why: why, Missing: missing}
}
