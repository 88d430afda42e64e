package diagnose

import (
	"cmp"
	"fmt"
	"strings"

	"culprit/flinkapi"
)

// inputFinding is about records that come unevenly without a key.
func inputFinding(c *Case, u *unevenness) Finding {
	v := c.subject()
	f := Finding{
		Subject:  u.topSubject(),
		Summary:  "uneven input without a key: " + c.got(u),
		Evidence: c.spreadEvidence(u),
		Dont: []string{
			"salting a key does not help: the records do not come by key",
			fmt.Sprintf("more parallelism for %s does not help: one partition is read by one subtask, so one keeps "+
				"%s of the records", c.readerOf(u), FormatRatio(flinkapi.Known(u.share()))),
		},
	}
	gain := "up to " + roughly(u.share()*float64(len(u.all))) + " times: the busiest subtask's share falls to " +
		FormatRatio(flinkapi.Known(1/float64(len(u.all))))
	risk := "one more exchange over the network, which can cost more than it gains; the order within a " +
		"partition is lost"
	partitions := Remedy{
		Do:   "even out the partitions of the source: repartition them, or write them with a key that spreads",
		Gain: gain, Risk: "who writes them must change; the order over the change is lost",
		Undo: undoThere, Link: sourcesLink,
	}
	rebalance := Remedy{
		Do: "spread the records anew: rebalance() after the source", Gain: gain, Risk: risk,
		Undo: "take rebalance() out", Link: partitioningLink,
	}
	switch {
	case u.from.source == v:
		f.Summary = "the source's partitions are uneven: " + c.got(u)
		f.Remedies = []Remedy{partitions}
		if len(c.g.out[v]) > 0 || strings.Contains(c.vertex(v).Name, " -> ") {
			rebalance.Do = "read with few steps and spread the records right after the source: rebalance() before " +
				"the other operators of its chain"
			f.Remedies = append(f.Remedies, rebalance)
		}
	case u.from.source >= 0:
		f.Summary += "; it comes so from " + c.vertex(u.from.source).Name
		f.Remedies = []Remedy{rebalance, partitions}
	default:
		f.Dont[1] = "more parallelism alone does not help: the partitioner decides which subtask gets a record"
		rebalance.Do = "spread the records evenly above this vertex: rebalance(), or another custom partitioner"
		f.Remedies = []Remedy{rebalance}
	}
	if u.from.source >= 0 && u.none > 0 {
		f.Remedies = append(f.Remedies, Remedy{
			Do: fmt.Sprintf("check that the source has at least %d partitions, a multiple of that best: %d of the "+
				"subtasks get nothing", len(u.all), u.none),
			Gain: "every subtask reads", Risk: "partitions are easily added and hardly removed",
			Undo: "partitions of Kafka cannot be taken away: plan their number", Link: sourcesLink,
		})
		f.Dont = append(f.Dont, "more parallelism does not help: further subtasks have no partition to read")
	}
	return f
}

// readerOf names the source from which uneven records come, or the subject where that is not known.
func (c *Case) readerOf(u *unevenness) string {
	if u.from.source >= 0 {
		return c.vertex(u.from.source).Name
	}
	return c.vertex(c.subject()).Name
}

// costFinding is about even records of which some cost more.
func costFinding(c *Case, u *unevenness) Finding {
	v := c.subject()
	f := Finding{
		Subject: u.topSubject(),
		Summary: fmt.Sprintf("%s is busy %s with %s of the records: a record takes %s as long there "+
			"as in the median subtask; its records cost more, or its host is slower",
			subtasksOf(c.vertex(v).Parallelism, u.top.subtask), FormatRatio(flinkapi.Known(u.top.busy)),
			FormatRatio(flinkapi.Known(u.share())), times(u.costs)),
		Evidence: append(c.spreadEvidence(u), c.number("cost-ratio", "time that a record takes, over that in the "+
			"others",
			c.topName(u), u.costs, Times, "")),
		Remedies: []Remedy{
			{
				Do: "look at what its records have that the others' have not: keys with large lists or maps in their " +
					"state, large records, a slow shard of a system that is called",
				Gain: "up to " + roughly(u.costs) + " times for that subtask", Risk: "none, to look",
				Undo: undoLook, Link: flameLink,
			},
			{
				Do: fmt.Sprintf("compare its TaskManager (%s) with the others': CPU, disk, other processes",
					c.vertex(v).Subtasks[u.top.subtask].TaskManager),
				Gain: "tells a slow host from dear records", Risk: "none",
				Undo: undoLook, Link: metricsLink + "#cpu",
			},
		},
		Dont: []string{"more parallelism does not help while one subtask takes longer for the same work"},
	}
	f.Remedies = append(f.Remedies, c.adaptive(v)...)
	return f
}

// slowHostFinding is about a TaskManager that is slower or holds more than the others.
func slowHostFinding(c *Case, u *unevenness) Finding {
	h, v := u.host, c.subject()
	names := make([]string, len(h.on))
	for i, id := range h.on {
		names[i] = string(id)
	}
	where := strings.Join(names, ", ")
	f := Finding{
		Subject: Subject{Kind: SubjectSubtask, Subtasks: u.hot, TaskManager: h.on[0]},
		Evidence: append(c.spreadEvidence(u), c.number("host-cost", "time that a record takes there, over "+
			"elsewhere",
			c.vertex(v).Name+" on "+where, h.cost, Times, "")),
		Dont: []string{
			"no key is hot and no partition: the records are even",
			"more parallelism on the same machines does not help: the slowest of them sets the pace",
		},
	}
	for _, u := range h.alike {
		if cost, ok := c.costThere(u, h.on); ok {
			f.Evidence = append(f.Evidence, c.number("host-cost", "time that a record takes there, over elsewhere",
				c.vertex(u).Name+" on "+where, cost, Times, "another vertex, as slow there"))
		}
	}
	if h.crowded {
		f.Summary = fmt.Sprintf("its subtasks on %s are short of CPU: of the job %s there, at most "+
			"%d on any other TaskManager, and a record takes %s as long", where, running(h.here), h.elsewhere,
			times(h.cost))
		f.Evidence = append(f.Evidence,
			c.number("cores-there", "TaskManager CPU", where, h.cores, Cores, ""),
			c.number("cores-elsewhere", "TaskManager CPU, the most of the others", "other TaskManagers",
				h.coresElsewhere, Cores, ""))
		f.Remedies = append(f.Remedies, c.spreadOut(h.cost))
	} else {
		f.Summary = fmt.Sprintf("%s is slow: a record takes %s as long there as elsewhere, in %s too, while the "+
			"records are even", where, times(h.cost), c.vertexNames(h.alike))
		f.Remedies = append(f.Remedies, Remedy{
			Do: "compare that machine with the others (CPU limit and throttling, other processes, disk, clock " +
				"speed), and move the TaskManager if nothing can be done there",
			Gain: "up to " + roughly(h.cost) + " times the throughput: the slowest subtask sets the pace of all",
			Risk: "the job restarts when a TaskManager is replaced",
			Undo: "move it back", Link: metricsLink + "#cpu",
		})
	}
	f.Remedies = append(f.Remedies, c.adaptive(v)...)
	return f
}

// running says how many subtasks run: "1 subtask runs", "7 subtasks run".
func running(n int) string {
	if n == 1 {
		return "1 subtask runs"
	}
	return FormatThings(n, "subtasks") + " run"
}

func (c *Case) vertexNames(all []int) string {
	const most = 3
	var names []string
	for i, v := range all {
		if i == most {
			names = append(names, fmt.Sprintf("%d more", len(all)-most))
			break
		}
		names = append(names, c.vertex(v).Name)
	}
	return strings.Join(names, ", ")
}

// spreadOut is the setting that places subtasks evenly, as the cluster's version has it.
func (c *Case) spreadOut(cost float64) Remedy {
	const slots, tasks = 119, 202 // Flink versions
	const mode = "taskmanager.load-balance.mode"
	r := Remedy{
		Do:  "let Flink spread the subtasks evenly over the TaskManagers",
		Key: c.key(mode), From: cmp.Or(c.from(mode, "NONE"), byDefault("NONE")), To: "TASKS",
		Gain: "up to " + roughly(cost) + " times the throughput, since the crowded TaskManager sets the pace",
		Risk: "the TaskManagers and the job restart", Undo: c.undo(c.key(mode)),
		Link: settingLink(mode),
	}
	switch v := c.version(); {
	case v > 0 && v < slots:
		r.From, r.To = cmp.Or(c.from(mode, "false"), byDefault("false")), "true"
	case v > 0 && v < tasks:
		r.To = "SLOTS"
	}
	if sameSetting(r.From, r.To) {
		r.Do = "give each TaskManager as many slots as its share of the job's subtasks, or as many TaskManagers " +
			"that all slots are used; that setting is already " + r.To
		r.Key, r.From, r.To = "taskmanager.numberOfTaskSlots", "", ""
	}
	return r
}
