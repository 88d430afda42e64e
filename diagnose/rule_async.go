package diagnose

import (
	"fmt"

	"culprit/flinkapi"
)

func asyncFullRule() Rule {
	return Rule{
		ID: "FD0803", Name: "async-full", Title: "the operator has as many asynchronous calls in flight as it may",
		Stage: StageNature, Needs: needs(natureSignals(), rateSignals()), Check: checkAsyncFull,
	}
}

func checkAsyncFull(c *Case) Finding {
	j := c.nature()
	if !j.byLooks {
		return cannotTell("only its threads can tell whether its asynchronous calls are as many as may be",
			j.looks.missing())
	}
	if j.kind != fullOfCalls {
		return j.other()
	}
	v := c.subject()
	f := Finding{
		Verdict: Firing, Operator: c.operatorOf(v, j.looks, asyncFull),
		Summary: "it waits for room among its asynchronous calls (" + j.looks.told(j.looks.count(asyncFull)) +
			"): as many are in flight as its capacity allows",
		Evidence: c.natureEvidence(&j, true, asyncFull),
		Dont: []string{
			"more CPU or memory does not help: the operator waits for answers",
			"more parallelism raises the calls in flight as more capacity does, and costs slots",
		},
	}
	each, known := c.perBusySubtask(v)
	if known {
		f.Evidence = append(f.Evidence, Evidence{
			Signal:  flinkapi.RecordsRead.String(),
			Label:   "records read by each busy subtask",
			Subject: c.vertex(v).Name,
			Value:   flinkapi.Known(each),
			Unit:    flinkapi.RecordsPerSecond,
			For:     true,
			Age:     c.age(),
			Note:    "capacity / latency of a call is the most that a subtask can take",
		})
	}
	f.Remedies = c.moreCalls(v, each, known)
	return f
}

// perBusySubtask is the mean of the records per second that the busy subtasks of a vertex read.
func (c *Case) perBusySubtask(v int) (each float64, known bool) {
	_, rates := c.rates(v)
	n := 0
	for _, i := range c.busySubtasks(v) {
		if i < len(rates) {
			if in, ok := rates[i].rate().in.Float(); ok {
				each, n = each+in, n+1
			}
		}
	}
	if n == 0 || each <= 0 {
		return 0, false
	}
	return each / float64(n), true
}

// moreCalls are what helps an operator whose calls are as many as may be.
func (c *Case) moreCalls(v int, each float64, known bool) []Remedy {
	gain := "the most that a subtask can take is capacity / latency of a call: twice the capacity allows " +
		"twice the records"
	if known {
		gain += fmt.Sprintf(
			", up to %s instead of %s for each subtask",
			withNoun(2*each, "records/s"),
			withNoun(each, "records/s"),
		)
	}
	more := c.capacity(v, gain+", while the called system answers as fast")
	faster := Remedy{
		Do: "make the calls faster: look at the latency, the quota and the connections of the called system; " +
			"cache its answers",
		Gain: "half the latency allows twice the records",
		Risk: "none",
		Undo: undoThere, Link: asyncLink,
	}
	loose := Remedy{
		Do:   "let answers overtake each other where their order does not matter: AsyncDataStream.unorderedWait",
		Gain: "one slow answer no longer keeps the room of those behind it", Risk: "records leave in another order",
		Undo: "orderedWait", Link: asyncLink + "#order-of-results",
	}
	if c.lookup(v) {
		loose.Do = "let answers overtake each other where their order does not matter"
		loose.Key, loose.To = c.key("table.exec.async-lookup.output-mode"), "ALLOW_UNORDERED"
		loose.Undo = c.undo(loose.Key)
		loose.From = c.from(loose.Key, "ORDERED")
		loose.Link = tableConfigLink + "#table-exec-async-lookup-output-mode"
	}
	return []Remedy{more, faster, loose}
}

// capacity raises how many calls may be in flight, as SQL or as the DataStream API spells it.
func (c *Case) capacity(v int, gain string) Remedy {
	const lookups = "table.exec.async-lookup.buffer-capacity"
	r := Remedy{
		Do: "let more calls be in flight: the capacity given to AsyncDataStream.unorderedWait or orderedWait " +
			"(100 where none is given); no number is computed, because Flink does not tell what it is now",
		Gain: gain,
		Risk: "more calls at a time for the called system; the records in flight are kept in each checkpoint",
		Undo: "give the old capacity", Link: asyncLink,
	}
	if !c.lookup(v) {
		return r
	}
	r.Do, r.Key = "let more lookups be in flight", lookups
	r.Link = tableConfigLink + "#table-exec-async-lookup-buffer-capacity"
	r.From, r.To = c.scaled(lookups, "100", 2)
	r.Undo = c.undo(lookups)
	return r
}
