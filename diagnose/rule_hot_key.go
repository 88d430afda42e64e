package diagnose

import (
	"fmt"
	"math"
	"strconv"

	"culprit/flinkapi"
)

const moreSubtasksDont = "more parallelism does not help: all records of one key go to one subtask"

// ceiling says what a vertex can reach while one key has that share, between the smallest and the largest
// estimate of it.
func ceiling(u *unevenness) string {
	low, high := 1/u.share(), 1/u.keyShare()
	if roughly(low) == roughly(high) {
		return roughly(low)
	}
	return roughly(low) + " to " + roughly(high)
}

func hotKeyFinding(c *Case, u *unevenness) Finding {
	op := c.operation(u.from.keyed)
	useful := strconv.Itoa(int(math.Ceil(1 / u.keyShare())))
	f := Finding{
		Subject: u.topSubject(),
		Summary: "one key, or a few, take most of the work: " + c.got(u) + "; one key is bound to one subtask, " +
			"so the vertex reaches at most " + ceiling(u) + " times what one subtask does, whatever its parallelism",
		Evidence: append(c.spreadEvidence(u), c.number("key-share", "least share of the hot key", c.topName(u),
			u.keyShare(), flinkapi.Ratio, "its share of the records less that of the median subtask")),
		Dont: []string{moreSubtasksDont + "; above a parallelism of " + useful + " nothing is gained"},
	}
	gain := "today the vertex is capped at " + ceiling(u) + " times one subtask (1 / share of the key), " +
		"whatever the parallelism; without the hot key it goes on growing with its subtasks"
	key := "the hot key"
	if op.by != "" {
		key = "the hot value of " + op.by
	}
	switch {
	case op.join:
		f.Remedies = append(f.Remedies, Remedy{
			Do:   "give " + key + " a path of its own: broadcast the smaller side for it and join it there",
			Gain: gain, Risk: "the smaller side is held in every subtask; state must be rebuilt",
			Undo: undoRekey, Link: docRoot + "dev/datastream/fault-tolerance/broadcast_state/",
		})
		f.Dont = append(f.Dont, "salting does not work here: a join needs both sides of a key in one subtask")
	case op.ordered:
		f.Remedies = append(f.Remedies, Remedy{
			Do:   "give " + key + " a path of its own, or a finer key with which the order within a key is enough",
			Gain: gain, Risk: "the order is then kept only within the finer key; state must be rebuilt",
			Undo: undoRekey, Link: keyedLink,
		})
		f.Dont = append(f.Dont, "salting does not work here: the operation needs all records of a key in their "+
			"order")
	case op.aggregate:
		f.Remedies = append(f.Remedies, c.queryRemedies(op, gain)...)
	default:
		f.Remedies = append(f.Remedies, Remedy{
			Do: "salt " + key + " and combine in two stages; only for aggregates that are associative and " +
				"commutative (sum, count, max), not for joins or where order matters",
			Gain: gain, Risk: "the result comes in two steps; state must be rebuilt",
			Undo: undoRekey, Link: keyedLink,
		})
	}
	f.Remedies = append(f.Remedies, Remedy{
		Do: "look at which key it is: null, an empty string or a default value may be filtered out or spread " +
			"before",
		Gain: "all of it, where the key carries no meaning", Risk: "none, if such records do not belong in the " +
			"result",
		Undo: undoRekey, Link: keyedLink,
	})
	return f
}

// queryRemedies are those for an aggregation of Flink SQL, which the planner splits by itself.
func (c *Case) queryRemedies(op keyedOperation, gain string) []Remedy {
	const batch, split = "table.exec.mini-batch.size", "table.optimizer.distinct-agg.split.enabled"
	const phases = "table.optimizer.agg-phase-strategy"
	var out []Remedy
	if !op.twoPhase {
		out = append(out, Remedy{
			Do: "let the planner aggregate locally before the exchange: with mini-batches, of 5000 records or 1 s " +
				"(table.exec.mini-batch.size, table.exec.mini-batch.allow-latency), and table.exec.mini-batch.enabled",
			Key: phases, From: c.from(phases, "AUTO"), To: "TWO_PHASE",
			Gain: gain, Link: tuningLink + "#local-global-aggregation",
			Undo: "set it back to AUTO, and table.exec.mini-batch.enabled to false",
			Risk: "results come later by up to the latency allowed; state of the old plan does not fit the new one",
		})
	} else {
		out = append(out, Remedy{
			Do: "let the local aggregation see more records at a time", Key: batch,
			To:   "a multiple of today's, with table.exec.mini-batch.allow-latency",
			Gain: "fewer partial results of the hot key reach the one subtask",
			Undo: c.undo(batch), Link: tuningLink + "#minibatch-aggregation",
			Risk: "results come later by up to the latency allowed; more heap for what is held back",
		})
	}
	if op.distinct {
		out = append(out, Remedy{
			Do: "let the planner split the distinct aggregation into buckets " +
				"(table.optimizer.distinct-agg.split.bucket-num)",
			Key: split, From: c.from(split, "false"), To: "true",
			Gain: "the distinct values of one group are spread over 1024 buckets by default",
			Link: tuningLink + "#split-distinct-aggregation",
			Risk: "one more aggregation and exchange; not for user-defined aggregates; state must be rebuilt",
			Undo: c.undo(split),
		})
	}
	return out
}

func fewKeysFinding(c *Case, u *unevenness) Finding {
	op := c.operation(u.from.keyed)
	n, working := len(u.all), len(u.all)-u.none
	key := "the key"
	if op.by != "" {
		key = "the key (" + op.by + ")"
	}
	return Finding{
		Subject: Subject{Kind: SubjectSubtask, Subtasks: u.hot},
		Summary: fmt.Sprintf("too few keys: %d of %d subtasks get nothing; %s", u.none, n,
			fmt.Sprintf("subtask %d gets %s of the records", u.top.subtask, FormatRatio(flinkapi.Known(u.share())))),
		Evidence: append(c.spreadEvidence(u), c.number("working-subtasks", "subtasks that get records", "",
			float64(working), flinkapi.Count, fmt.Sprintf("of %d", n))),
		Remedies: []Remedy{
			{
				Do: "choose " + key + " with more distinct values, ten for each subtask at least, and combine " +
					"the results afterwards where the coarse key is needed",
				Gain: fmt.Sprintf("up to %s times: the busiest subtask's share falls from %s to %s",
					roughly(u.share()*float64(n)), FormatRatio(flinkapi.Known(u.share())),
					FormatRatio(flinkapi.Known(1/float64(n)))),
				Risk: "another exchange where results are combined; state must be rebuilt",
				Undo: undoRekey, Link: keyedLink,
			},
			{
				Do: "where the key only spreads the work or forms batches, choose as many key values as there are " +
					"subtasks, such that each subtask gets one (a key's subtask follows from its hash and the maximum " +
					"parallelism)",
				Gain: "every subtask works", Risk: "the values must be chosen anew when the parallelism changes",
				Undo: undoRekey, Link: keyedLink,
			},
			{
				Do:   fmt.Sprintf("lower the parallelism of this vertex towards %d: the others do nothing", working),
				Gain: "slots and memory, no throughput", Risk: "none for the load of today",
				Undo: "set the old parallelism", Link: parallelLink,
			},
		},
		Dont: []string{
			"more parallelism does not help: further subtasks get nothing either",
			"salting is for one hot key among many; here a finer key is what is missing",
		},
	}
}

func keyGroupsFinding(c *Case, u *unevenness) Finding {
	f, v := u.groups, c.vertex(c.subject())
	faster, gain := f.faster()
	const wide = 10 // key groups per subtask that are even enough
	wider := max(ceilDiv(f.most, f.parallelism), wide) * f.parallelism
	return Finding{
		Subject: Subject{Kind: SubjectSubtask, Subtasks: u.hot},
		Summary: fmt.Sprintf("its %d key groups do not divide evenly: %d of %d subtasks own %d, the others %d, "+
			"and get records in that ratio, so the vertex uses only %s of what its subtasks can do",
			f.most, f.owners, f.parallelism, f.more, f.fewer, FormatRatio(flinkapi.Known(f.efficiency()))),
		Evidence: append(c.spreadEvidence(u),
			c.number("key-groups", "key groups (maximum parallelism)", v.Name, float64(f.most), flinkapi.Count, ""),
			c.number("group-ratio", "key groups of the hot subtasks over those of the others", v.Name, f.ratio(),
				Times,
				"")),
		Remedies: []Remedy{
			{
				Do:  "give this vertex the next parallelism with which its fullest subtask owns fewer key groups",
				Key: "parallelism", From: strconv.Itoa(f.parallelism), To: strconv.Itoa(faster),
				Gain: fmt.Sprintf("%s times the throughput: the fullest subtask owns %s instead of %d",
					roughly(gain), FormatThings(ceilDiv(f.most, faster), "key groups"), f.more),
				Risk: "a restart from a savepoint; it needs that many slots and cores", Undo: "restart with the old one",
				Link: parallelLink,
			},
			{
				Do: "where no state must be kept, set a maximum parallelism of at least ten times the parallelism, " +
					"best a multiple of it",
				Key: "pipeline.max-parallelism", From: strconv.Itoa(f.most), To: strconv.Itoa(wider),
				Gain: roughly(1/f.efficiency()) + " times the throughput with the same subtasks",
				Link: settingLink("pipeline.max-parallelism"),
				Risk: "state that was written with another maximum parallelism cannot be restored",
				Undo: "set the old maximum parallelism, with a savepoint from before",
			},
		},
		Dont: []string{
			"no key is hot: salting changes nothing",
			fmt.Sprintf("a parallelism from %d to %d makes no difference: the fullest subtask owns %s with each",
				f.enough(), faster-1, FormatThings(f.more, "key groups")),
		},
	}
}
