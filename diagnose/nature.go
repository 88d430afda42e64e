package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"culprit/flinkapi"
)

// nature is a kind of what a busy operator does.
type nature int

const (
	unclearNature nature = iota
	fullOfCalls
	locked
	serializes
	waits
	computes
	inState
)

// natures are the kinds that looks tell apart, with the activities of each, in the order in which they are
// asked: the more special first.
func natures() []struct {
	kind nature
	of   []activity
} {
	return []struct {
		kind nature
		of   []activity
	}{
		{fullOfCalls, []activity{asyncFull}},
		{locked, []activity{lockWait}},
		{serializes, []activity{serializing, pythonProcess}},
		{inState, []activity{stateAccess}},
		{waits, waitActivities()},
		{computes, workActivities()},
	}
}

func waitActivities() []activity {
	return []activity{remoteCall, otherThread, sleeping, unknownWait, diskAccess, asyncSinkFull}
}

// workActivities take CPU when they go on; that of serializers too, where they are not the main part.
func workActivities() []activity {
	return []activity{computing, parsing, compressing, writingLog, serializing}
}

// judgement is what a culprit does while it is busy, and what that stands on.
type judgement struct {
	kind  nature
	looks *looks
	// byLooks is true where looks told the kind, not CPU alone.
	byLooks bool
	// cores is the CPU per busy subtask; shared is true where other jobs may have used it.
	cores  flinkapi.Value
	shared bool
	// why and missing say why the kind is not clear.
	why     string
	missing []string
}

// natureSignals are what a judgement stands on beside looks.
func natureSignals() []flinkapi.Signal {
	return needs(shareSignals(), []flinkapi.Signal{flinkapi.CPUTime, flinkapi.CPULoad})
}

// nature judges the culprit: by what its threads were seen to do where there are looks enough, else by the
// CPU of its TaskManagers. The CPU of a process is an upper bound for the culprit's: a low number always
// proves waiting or too little CPU, a high one proves nothing about a thread that was seen to wait.
func (c *Case) nature() judgement {
	j := judgement{looks: c.looks(c.subject())}
	j.cores, j.shared = c.coresPerBusySubtask()
	full := c.fullMachine()
	if j.looks.enough() {
		c.byLooks(&j)
		return j
	}
	n, known := j.cores.Float()
	missing := j.looks.missing()
	switch {
	case !known:
		j.why, j.missing = "the CPU of its TaskManagers is not known yet", []string{
			flinkapi.CPUTime.String(),
			missing,
		}
	case n <= c.limits.waiting && full != "":
		j.why, j.missing = full+", so it may get too little CPU or wait: only its threads can tell", []string{
			missing,
		}
	case n <= c.limits.waiting:
		j.kind = waits
	case j.shared:
		j.why, j.missing = "other jobs run on the cluster, so its TaskManagers' CPU proves nothing", []string{
			missing,
		}
	case n >= c.limits.computing:
		j.kind = computes
	default:
		j.why, j.missing = "it neither clearly computes nor clearly waits ("+coresText(n)+")", []string{missing}
	}
	return j
}

// byLooks judges by the looks.
func (c *Case) byLooks(j *judgement) {
	j.byLooks = true
	for _, k := range natures() {
		least := c.limits.stackShare
		if k.kind == locked {
			least = c.limits.lockShare
		}
		if j.looks.share(k.of...) >= least {
			j.kind = k.kind
			break
		}
	}
	l, n, known := j.looks, j.cores.Or(0), j.cores.IsKnown()
	main := l.most(workActivities()...)
	switch {
	case j.kind == inState:
		j.kind = unclearNature
		j.why = "it accesses state in " + l.told(
			l.count(stateAccess),
		) + ", and the state backend's own numbers name no cause"
		j.missing = []string{"the metrics of the state backend, state.backend.rocksdb.metrics.*"}
	case j.kind == unclearNature:
		j.why = "its threads do several things: " + l.split()
	case j.kind == computes && known && n <= c.limits.waiting && main == writingLog:
		j.kind = waits // for the disk or the console
	case j.kind == computes && known && n <= c.limits.waiting:
		j.kind = unclearNature
		j.why = fmt.Sprintf(
			"its threads look as if they computed (%s), but %s: a native call waits, or CPU is short",
			l.told(l.count(workActivities()...)),
			coresText(n),
		)
		j.missing = []string{"the CPU limit of its TaskManager's container, and the load of its machine"}
	}
}

// split lists the activities with their counts, the most frequent first.
func (l *looks) split() string {
	var kinds []activity
	for a := range activityCount {
		if l.count(a) > 0 {
			kinds = append(kinds, a)
		}
	}
	slices.SortStableFunc(kinds, func(a, b activity) int { return l.count(b) - l.count(a) })
	parts := make([]string, 0, len(kinds))
	for _, a := range kinds {
		parts = append(parts, fmt.Sprintf("%s (%d)", a.said(), l.count(a)))
	}
	return strings.Join(parts, ", ") + " of " + FormatThings(l.counted, "looks")
}

// told returns the finding of a rule for which the judgement is another kind.
func (j *judgement) other() Finding {
	if j.kind == unclearNature {
		return cannotTell(j.why, j.missing...)
	}
	return fine()
}

// because says what the looks were: "34 of 40 looks at its threads in com.example.Geocoder.call:57".
func (j *judgement) because(of ...activity) string {
	l := j.looks
	if !j.byLooks {
		return coresText(j.cores.Or(0))
	}
	text := l.told(l.count(of...))
	if at, _ := l.where(of...); at != "" {
		text += ", most in " + at
	}
	return text
}

// natureEvidence are the numbers that a finding about these activities stands on: that it waits, or that it
// computes.
func (c *Case) natureEvidence(j *judgement, waiting bool, of ...activity) []Evidence {
	out := c.cpuEvidence(j.cores, waiting)
	if j.byLooks {
		out = append(c.looksEvidence(j.looks, of...), out...)
	}
	return out
}

// looksEvidence are the looks at these activities, as a share.
func (c *Case) looksEvidence(l *looks, of ...activity) []Evidence {
	v := c.subject()
	subject := c.vertex(v).Name
	if op := c.operatorOf(v, l, of...); op != "" {
		subject = op
	}
	note := l.told(l.count(of...))
	if at, n := l.where(of...); at != "" {
		note += fmt.Sprintf(", %d in %s", n, at)
	}
	if state, _ := l.tally(of, func(s *sighting) string { return s.state }); state != "" {
		note += ", " + state
	}
	if l.left > 0 {
		note += fmt.Sprintf("; %d more without input or held back are left out", l.left)
	}
	return []Evidence{
		{
			Signal:  "stack-looks",
			Label:   "looks in which it " + l.most(of...).said(),
			Subject: subject,
			Value: flinkapi.Known(
				l.share(of...),
			),
			Unit: flinkapi.Ratio,
			For:  true,
			Age:  c.snapshot.At.Sub(l.to),
			Note: note,
		},
	}
}
