package diagnose

import (
	"fmt"

	"culprit/flinkapi"
)

// parallelismOneRule is asked before what an operator does: one instance is the limit whatever it does. Where
// it was only given one, what more instances would multiply comes first: locks, serializing, full queues.
func parallelismOneRule() Rule {
	return Rule{
		ID: "FD0603", Name: "parallelism-one", Title: "a single instance does what many others feed",
		Stage: StageNature, Needs: needs(natureSignals(), rateSignals()), Check: checkParallelismOne,
	}
}

func checkParallelismOne(c *Case) Finding {
	v := c.subject()
	switch {
	case c.vertex(v).Parallelism != 1:
		return notApplicable("it has more than one instance")
	case len(c.g.in[v]) == 0:
		return notApplicable("it is a source: its input says how many can read")
	}
	widest := 0
	for u := range c.job.Vertices {
		if !c.over(u) {
			widest = max(widest, c.job.Vertices[u].Parallelism)
		}
	}
	if widest <= 1 {
		return notApplicable("no operator of the job has more than one instance")
	}
	if special := c.toldByThreads(); special != "" && c.vertex(v).MaxParallelism != 1 {
		return notApplicable("it was given one instance, but what its threads do says more: " + special)
	}
	f := Finding{
		Verdict: Firing,
		Summary: fmt.Sprintf("it has one instance, while others of the job have up to %d", widest),
		Evidence: []Evidence{{
			Signal: "parallelism", Label: "parallelism", Subject: c.vertex(v).Name, Value: flinkapi.Known(1),
			Unit: flinkapi.Count, For: true, Age: c.age(),
		}},
		Dont: []string{throughputDont},
	}
	if all, _ := c.rates(v); all.in.IsKnown() {
		f.Evidence = append(f.Evidence, Evidence{
			Signal: "records-rate", Label: "records that the one takes in", Subject: c.vertex(v).Name, Value: all.in,
			Unit: flinkapi.RecordsPerSecond, For: true, Age: c.age(),
		})
	}
	c.oneByNature(v, &f)
	return f
}

// toldByThreads is the summary of a reason that more instances would only multiply; empty where none is seen.
func (c *Case) toldByThreads() string {
	for _, check := range []func(*Case) Finding{checkAsyncFull, checkLock, checkSerialization} {
		if f := check(c); f.Verdict == Firing {
			return f.Summary
		}
	}
	return ""
}

// oneByNature tells an operator that cannot have more instances from one that was given one.
func (c *Case) oneByNature(v int, f *Finding) {
	name := c.vertex(v).Name
	if most := c.vertex(v).MaxParallelism; most <= 0 {
		f.Summary += "; whether it can have more is not told"
		f.Remedies = []Remedy{{
			Do: "look at its kind: windowAll, a global aggregate or a sort has one instance; such work must be " +
				"keyed or combined in two phases, anything else can have more",
			Gain: "the records go to more than one instance", Risk: "results of several instances in place of one",
			Undo: "set it to 1 again", Link: docRoot + "dev/datastream/execution/parallel/",
		}}
		return
	}
	f.Evidence = append(f.Evidence, Evidence{
		Signal: "max-parallelism", Label: "maximum parallelism", Subject: name,
		Value: flinkapi.Known(float64(c.vertex(v).MaxParallelism)), Unit: flinkapi.Count,
		For: c.vertex(v).MaxParallelism == 1, Age: c.age(),
	})
	if c.vertex(v).MaxParallelism != 1 {
		f.Summary += "; it was set so, it could have more"
		f.Remedies = []Remedy{c.withParallelism(Remedy{
			Do:   "give " + name + " alone more parallelism",
			Gain: "its throughput grows with its instances, up to the next limit",
			Risk: "records reach its instances in no common order, and each sees only its part of them",
			Undo: "set it to 1 again",
		}, 1, nil)}
		return
	}
	f.Summary += "; it can have no more (windowAll, a global aggregate or sort)"
	f.Remedies = []Remedy{
		{
			Do:   "combine in two phases: keyed or local results first, then one small step that merges them",
			Key:  "table.optimizer.agg-phase-strategy",
			From: c.from("table.optimizer.agg-phase-strategy", "AUTO"),
			To:   "TWO_PHASE",
			Gain: "the single instance takes in one result of each instance before it, not every record",
			Risk: "only for what can be combined (sums, counts, extremes)",
			Link: tuningLink + "#local-global-aggregation",
			Undo: undoRekey,
		},
		{
			Do:   "use a keyed window or aggregate (keyBy, GROUP BY) where one result for all is not needed",
			Gain: "its throughput grows with its instances",
			Risk: "one result for each key, not one for all",
			Link: windowsLink,
			Undo: undoRekey,
		},
	}
	f.Dont = append(f.Dont, "a higher parallelism does not reach this operator: it is single by its kind")
}
