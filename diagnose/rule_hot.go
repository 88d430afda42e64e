package diagnose

import (
	"fmt"

	"culprit/flinkapi"
)

// hotRules are the ways in which one instance is hot, in the order in which they are told apart.
func hotRules() []Rule {
	return []Rule{
		hotRule("FD0306", "slow-host", "one machine is slower or holds too much", slowTaskManager, slowHostFinding),
		hotRule("FD0303", "key-groups", "some subtasks own more key groups", unevenGroups, keyGroupsFinding),
		hotRule("FD0302", "few-keys", "too few keys for the subtasks", tooFewKeys, fewKeysFinding),
		hotRule("FD0304", "partition-skew", "one subtask gets most of the records", unevenInput, inputFinding),
		hotRule("FD0305", "cost-skew", "one subtask takes longer for the same records", dearRecords, costFinding),
		hotRule("FD0301", "hot-key", "one key takes most of the work", hotKey, hotKeyFinding),
	}
}

// hotRule is a rule of rung 3: they share their signals and how the causes are told apart.
func hotRule(id, name, title string, of cause, finding func(*Case, *unevenness) Finding) Rule {
	return Rule{
		ID: id, Name: name, Title: title, Stage: StageHotInstance,
		Needs: hotNeeds(),
		Check: func(c *Case) Finding {
			u := c.uneven(c.subject())
			switch u.cause {
			case unevenUnknown:
				return cannotTell(u.why, u.missing)
			case of:
				f := finding(c, &u)
				f.Verdict = Firing
				return f
			case notUneven:
				return fineBy(c.alike(c.subject()))
			default:
				return fine()
			}
		},
	}
}

// alike says how even the subtasks of a vertex are, none of which is hot beside the others.
func (c *Case) alike(v int) string {
	m := c.memoOf(v)
	if m.alike == "" {
		m.alike = c.likeness(v)
	}
	return m.alike
}

func (c *Case) likeness(v int) string {
	n := c.vertex(v).Parallelism
	if n == 1 {
		return "it has a single subtask"
	}
	lowest, highest, known := c.busyRange(v)
	if !known {
		return fmt.Sprintf("none of its %d subtasks is hot beside the others", n)
	}
	from, to := FormatRatio(flinkapi.Known(lowest)), FormatRatio(flinkapi.Known(highest))
	if from == to {
		return fmt.Sprintf("none of its %d subtasks is hot beside the others: all are busy %s", n, to)
	}
	return fmt.Sprintf("none of its %d subtasks is hot beside the others: they are busy from %s to %s", n, from,
		to)
}

func hotNeeds() []flinkapi.Signal {
	return needs(shareSignals(), rateSignals(), []flinkapi.Signal{flinkapi.CPUTime})
}

// topSubject is the subtask that stands out.
func (u *unevenness) topSubject() Subject {
	return Subject{Kind: SubjectSubtask, Subtasks: []int{u.top.subtask}}
}

// got says what the subtask that stands out gets of the records, beside the others: "subtask 3 (of 0 to 7)
// gets 41 % of the records, 5.2 times the median".
func (c *Case) got(u *unevenness) string {
	text := fmt.Sprintf("%s gets %s of the records",
		subtasksOf(c.vertex(c.subject()).Parallelism, u.top.subtask), FormatRatio(flinkapi.Known(u.share())))
	if u.records == 0 {
		return text + fmt.Sprintf(", and %d get nothing", u.none)
	}
	return text + ", " + times(u.top.records/u.records) + " the median"
}

// number is an item of evidence about the culprit.
func (c *Case) number(signal, label, subject string, x float64, unit flinkapi.Unit, note string) Evidence {
	if subject == "" {
		subject = c.vertex(c.subject()).Name
	}
	return Evidence{
		Signal: signal, Label: label, Subject: subject, Value: flinkapi.Known(x), Unit: unit, For: true,
		Age: c.age(), Note: note,
	}
}

// topName names the subtask that stands out, for evidence.
func (c *Case) topName(u *unevenness) string {
	return fmt.Sprintf("%s, subtask %d", c.vertex(c.subject()).Name, u.top.subtask)
}

// spreadEvidence is what all findings about one hot subtask rest on.
func (c *Case) spreadEvidence(u *unevenness) []Evidence {
	over := fmt.Sprintf("%s records in %.0f s", FormatWhole(u.total), u.seconds)
	out := []Evidence{
		c.number("record-share", "share of the records", c.topName(u), u.share(), flinkapi.Ratio, over),
	}
	if u.records > 0 {
		out = append(out, c.number("record-ratio", "records over those of the median subtask", c.topName(u),
			u.top.records/u.records, Times, ""))
	} else {
		out = append(out, c.number("subtasks-without-records", "subtasks that get nothing", "",
			float64(u.none), flinkapi.Count, fmt.Sprintf("of %d", len(u.all))))
	}
	return append(out,
		c.number("busy-hot", "busy", c.topName(u), u.top.busy, flinkapi.Ratio, ""),
		c.number("busy-median", "busy share of the median subtask", "", u.busy, flinkapi.Ratio, ""))
}

// Times is the unit of factors.
const Times flinkapi.Unit = "times"

// adaptive lets the senders skip a slow subtask, where the records are bound to none.
func (c *Case) adaptive(v int) []Remedy {
	const since = 203 // FLIP-339
	if !c.anySubtask(v) {
		return nil
	}
	const key = "taskmanager.network.adaptive-partitioner.enabled"
	r := Remedy{
		Do:  "let the senders skip subtasks that are behind, instead of waiting for the slowest in turn",
		Key: key, From: c.from(key, "false"), To: "true",
		Gain: "the slow subtask gets fewer records and no longer sets the pace",
		Risk: "the order of records, which a rebalance does not keep anyway, changes more; the TaskManagers " +
			"restart",
		Undo: c.undo(key), Link: configLink,
	}
	if v := c.version(); v > 0 && v < since {
		r.Do += " (Flink 2.3 and newer)"
	}
	return []Remedy{r}
}
