package diagnose

import (
	"fmt"
	"slices"

	"culprit/flinkapi"
)

// networkRules tell of what is slow between operators.
func networkRules() []Rule { return []Rule{networkRule()} }

func networkRule() Rule {
	return Rule{
		ID: "FD0105", Name: "network", Title: "records wait between two operators, not in one", Stage: StageWhole,
		Needs: needs(shareSignals(), []flinkapi.Signal{flinkapi.InPoolUsage, flinkapi.OutPoolUsage}),
		Check: checkNetwork,
	}
}

// link is an edge between a pressed sender and receivers that wait.
type link struct {
	from, to int
	// senders and receivers are the TaskManagers of the pressed subtasks, and those of the receivers.
	senders, receivers []flinkapi.TaskManagerID
}

func checkNetwork(c *Case) Finding {
	c.note(shareSignals()...)
	c.note(flinkapi.InPoolUsage, flinkapi.OutPoolUsage)
	if end, yes := c.blind(); yes {
		return end
	}
	if !c.newest().verdict.pressed {
		return fine()
	}
	l, found, why := c.heldLink()
	if !found {
		return fine()
	}
	if why != "" {
		return cannotTell(why, flinkapi.OutPoolUsage.String(), flinkapi.InPoolUsage.String())
	}
	if !c.pressedForLong() {
		return cannotTell("the backpressure was not seen for long enough", "some more slots")
	}
	from, to := c.vertex(l.from).Name, c.vertex(l.to).Name
	return Finding{
		Verdict: Firing, Severity: Warning,
		Subject: Subject{Kind: SubjectVertex, Vertex: c.g.ids[l.from], Name: from},
		Summary: fmt.Sprintf("no operator is slow: %s cannot send (backpressured %s, its output buffers are full) "+
			"while %s waits for records with empty input buffers, so they wait in the network between the two",
			from, FormatRatio(c.shares(l.from).backpressured), to),
		Evidence: c.linkEvidence(l),
		Remedies: []Remedy{
			{
				Do: "look at the link between the hosts: its bandwidth, errors and retransmissions, and what " +
					"else uses it" + l.text(),
				Gain: "records arrive as fast as the receivers take them", Risk: "none",
				Undo: undoLook, Link: networkLink,
			},
			{
				Do: "on a long link, give each channel more buffers: a sender waits for credit once they are all " +
					"under way",
				Key:  "taskmanager.network.memory.floating-buffers-per-gate",
				Gain: "throughput of a channel <= buffers x buffer size / round trip time",
				Risk: "more network memory, longer alignment",
				Link: networkLink,
				Undo: c.undo("taskmanager.network.memory.floating-buffers-per-gate"),
			},
		},
		Dont: []string{"more parallelism for operators that are idle or that cannot send"},
	}
}

// text names the two hosts where all pressed senders are on one and all receivers on another.
func (l *link) text() string {
	if len(l.senders) == 1 && len(l.receivers) == 1 {
		return fmt.Sprintf(" (%s to %s)", l.senders[0], l.receivers[0])
	}
	return ""
}

// heldLink finds a pressed vertex all of whose receivers wait for records from other TaskManagers. why says
// what is missing to blame the network; found is false where it is not in question at all.
func (c *Case) heldLink() (l link, found bool, why string) {
	for v := range c.job.Vertices {
		sh := c.shares(v)
		if sh.backpressured.Or(0) < c.limits.high || len(c.g.out[v]) == 0 ||
			slices.ContainsFunc(c.g.out[v], func(u int) bool { return !c.waits(u) }) {
			continue
		}
		found = true
		full, known := sh.outPool.Float()
		if !known {
			why = "how full the buffers are is not known"
			continue
		}
		if full < c.limits.fullPool {
			continue
		}
		for _, u := range c.g.out[v] {
			l := c.link(v, u)
			empty, known := c.shares(u).inPool.Float()
			switch {
			case !known:
				why = "how full the buffers are is not known"
			case len(l.receivers) > 0 && empty <= c.limits.emptyPool:
				return l, true, ""
			}
		}
	}
	return link{}, found && why != "", why
}

// waits tells whether every subtask of a vertex is idle for a good part of the time and none is held back.
func (c *Case) waits(v int) bool {
	sh := c.shares(v)
	return sh.idle.Or(0) >= c.limits.idle && sh.backpressured.Or(1) <= c.limits.low
}

// link tells between which TaskManagers the records of an edge go from its pressed senders; local channels
// have no network in between.
func (c *Case) link(from, to int) link {
	l := link{from: from, to: to}
	add := func(all []flinkapi.TaskManagerID, id flinkapi.TaskManagerID) []flinkapi.TaskManagerID {
		if slices.Contains(all, id) {
			return all
		}
		return append(all, id)
	}
	sh, senders := c.shares(from), c.vertex(from).Subtasks
	for i := range senders {
		if i >= len(sh.subtasks) {
			break
		}
		if pressed, known := sh.subtasks[i].backpressured.float(); known && pressed >= c.limits.high {
			l.senders = add(l.senders, senders[i].TaskManager)
		}
	}
	receivers := c.vertex(to).Subtasks
	pointwise := c.g.ship[[2]int{from, to}] == flinkapi.ShipForward
	for i := range receivers {
		id := receivers[i].TaskManager
		if pointwise && i < len(senders) && senders[i].TaskManager == id {
			continue
		}
		if slices.ContainsFunc(l.senders, func(s flinkapi.TaskManagerID) bool { return s != id }) {
			l.receivers = add(l.receivers, id)
		}
	}
	return l
}

// pressedForLong tells whether the newest slots were all pressed with nobody to name.
func (c *Case) pressedForLong() bool {
	n := len(c.w.slots)
	if n < c.limits.firmSlots {
		return false
	}
	for i := n - c.limits.firmSlots; i < n; i++ {
		v := &c.w.slots[i].verdict
		if !v.pressed || len(v.named) > 0 {
			return false
		}
	}
	return true
}

func (c *Case) linkEvidence(l link) []Evidence {
	from, to := c.vertex(l.from).Name, c.vertex(l.to).Name
	sender, receiver := c.shares(l.from), c.shares(l.to)
	number := func(signal, label, subject string, x flinkapi.Value) Evidence {
		return Evidence{
			Signal: signal, Label: label, Subject: subject, Value: x, Unit: flinkapi.Ratio, For: true, Age: c.age(),
		}
	}
	return []Evidence{
		number("backpressured", "backpressured, most pressed subtask", from, sender.backpressured),
		number(flinkapi.OutPoolUsage.String(), "output buffers in use", from, sender.outPool),
		number(flinkapi.InPoolUsage.String(), "input buffers in use", to, receiver.inPool),
		number("idle", "idle, least idle subtask", to, receiver.idle),
	}
}
