package diagnose

import (
	"fmt"
	"slices"

	"culprit/flinkapi"
)

func hotNeeds() []flinkapi.Signal { return needs(shareSignals(), rateSignals()) }

func hotKeyRule() Rule {
	return Rule{
		ID: "FD0301", Name: "hot-key", Title: "one key takes most of the work", Stage: StageHotInstance,
		Needs: hotNeeds(), Check: checkHotKey,
	}
}

func partitionSkewRule() Rule {
	return Rule{
		ID:    "FD0304",
		Name:  "partition-skew",
		Title: "one subtask gets most of the records",
		Stage: StageHotInstance,
		Needs: hotNeeds(),
		Check: checkPartitionSkew,
	}
}

func costSkewRule() Rule {
	return Rule{
		ID:    "FD0305",
		Name:  "cost-skew",
		Title: "one subtask takes longer for the same records",
		Stage: StageHotInstance,
		Needs: hotNeeds(),
		Check: checkCostSkew,
	}
}

// oneHot tells whether few subtasks of v are busy and the rest are not; known is false without shares per
// subtask.
func (c *Case) oneHot(v int) (hot, known bool) {
	sh := c.shares(v)
	var busy []float64
	for _, s := range sh.subtasks {
		if b, ok := s.busy.Float(); ok {
			busy = append(busy, b)
		}
	}
	if least, ok := sh.leastBusy.Float(); ok && least > c.limits.coldBusy {
		return false, true
	}
	if len(busy) < 2 {
		return false, c.vertex(v).Parallelism == 1
	}
	slices.Sort(busy)
	return busy[len(busy)-1] >= c.limits.hotBusy && lowerMedian(busy) <= c.limits.coldBusy, true
}

// lowerMedian is the median of sorted values; of two in the middle the lower, so that one hot subtask of
// two shows.
func lowerMedian(sorted []float64) float64 { return sorted[(len(sorted)-1)/2] }

// spread describes how records are spread over a vertex with one hot subtask.
type spread struct {
	hottest int
	share   float64 // of all records that the hottest subtask gets
	uneven  bool
}

// hotSpread returns how the records of a vertex with one hot subtask are spread, or the finding that ends
// the matter.
func (c *Case) hotSpread() (spread, Finding, bool) {
	v := c.subject()
	hot, known := c.oneHot(v)
	if !known {
		return spread{}, cannotTell(
			"the shares of its subtasks are not known yet",
			flinkapi.BusyTime.String(),
		), false
	}
	if !hot {
		return spread{}, fine(), false
	}
	_, rates := c.rates(v)
	var in []float64
	for _, r := range rates {
		x, ok := r.in.Float()
		if !ok {
			return spread{}, cannotTell("records per subtask are not known", flinkapi.RecordsRead.String()), false
		}
		in = append(in, x)
	}
	hottest := c.shares(v).hottest(0)[0]
	sum := 0.0
	for _, x := range in {
		sum += x
	}
	if sum <= 0 {
		return spread{}, cannotTell("no records were read in the newest slot", flinkapi.RecordsRead.String()), false
	}
	sorted := slices.Sorted(slices.Values(in))
	median := lowerMedian(sorted)
	out := spread{hottest: hottest, share: in[hottest] / sum}
	out.uneven = in[hottest] >= c.limits.recordSkew*median
	if len(in) == 2 {
		out.uneven = out.share >= c.limits.pairShare
	}
	return out, Finding{}, true
}

// keyed tells whether records reach v by key.
func (c *Case) keyed(v int) bool {
	return slices.ContainsFunc(
		c.g.in[v],
		func(u int) bool { return c.g.ship[[2]int{u, v}] == flinkapi.ShipHash },
	)
}

func checkHotKey(c *Case) Finding {
	s, end, ok := c.hotSpread()
	if !ok {
		return end
	}
	v := c.subject()
	if !c.keyed(v) || !s.uneven {
		return fine()
	}
	return Finding{
		Verdict: Firing,
		Subject: Subject{Kind: SubjectSubtask, Subtasks: []int{s.hottest}},
		Summary: fmt.Sprintf(
			"one key, or a few, take most of the work: subtask %d of %d gets %s of the records",
			s.hottest,
			c.vertex(v).Parallelism,
			FormatRatio(flinkapi.Known(s.share)),
		),
		Evidence: c.spreadEvidence(s, true),
		Remedies: []Remedy{
			{
				Do: "salt the hot key and combine in two stages; only for aggregates that are associative and " +
					"commutative (sum, count, max), not for joins or where order matters",
				Gain: fmt.Sprintf(
					"today the job is capped at %.2g times one subtask, whatever the parallelism",
					1/s.share,
				),
				Risk: "the result comes in two steps; state must be rebuilt",
			},
		},
		Dont: []string{"more parallelism does not help: all records of one key go to one subtask"},
	}
}

func checkPartitionSkew(c *Case) Finding {
	s, end, ok := c.hotSpread()
	if !ok {
		return end
	}
	v := c.subject()
	if c.keyed(v) || !s.uneven {
		return fine()
	}
	return Finding{
		Verdict: Firing,
		Subject: Subject{Kind: SubjectSubtask, Subtasks: []int{s.hottest}},
		Summary: fmt.Sprintf("uneven input without a key: subtask %d of %d gets %s of the records",
			s.hottest, c.vertex(v).Parallelism, FormatRatio(flinkapi.Known(s.share))),
		Evidence: c.spreadEvidence(s, true),
		Remedies: []Remedy{{
			Do:   "spread the records anew: rebalance() after the source, or partitions of even size",
			Gain: fmt.Sprintf("up to %.2g times", s.share*float64(c.vertex(v).Parallelism)),
			Risk: "one more exchange over the network; the order within a partition is lost",
		}},
		Dont: []string{"salting a key does not help: the records do not come by key"},
	}
}

func checkCostSkew(c *Case) Finding {
	s, end, ok := c.hotSpread()
	if !ok {
		return end
	}
	if s.uneven {
		return fine()
	}
	return Finding{
		Verdict: Firing,
		Subject: Subject{Kind: SubjectSubtask, Subtasks: []int{s.hottest}},
		Summary: fmt.Sprintf(
			"subtask %d of %d is busy all the time with %s of the records: its records cost more, "+
				"or its host is slower",
			s.hottest,
			c.vertex(c.subject()).Parallelism,
			FormatRatio(flinkapi.Known(s.share)),
		),
		Evidence: c.spreadEvidence(s, true),
		Remedies: []Remedy{{
			Do:   "compare that subtask's host with the others', then the size of its keys' state",
			Gain: "the subtask keeps pace with the others", Risk: "none",
		}},
		Dont: []string{"more parallelism does not help while one subtask takes longer for the same work"},
	}
}

func (c *Case) spreadEvidence(s spread, supports bool) []Evidence {
	name := c.vertex(c.subject()).Name
	return []Evidence{{
		Signal: "record-share", Label: "share of the records of the busiest subtask",
		Subject: fmt.Sprintf("%s, subtask %d", name, s.hottest),
		Value:   flinkapi.Known(s.share), Unit: flinkapi.Ratio, For: supports, Age: c.age(),
	}}
}
