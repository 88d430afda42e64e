package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"culprit/flinkapi"
)

// need is the parallelism that a vertex's load asks for, by the arithmetic of DS2 (OSDI 2018) as Flink's
// autoscaler has it: records per second that must be taken in, over what a subtask can take (its records over
// its busy share), at 70 % busy. The busiest subtask is the one that counts, so an uneven load asks for more.
type need struct {
	// target is the computed number, rounded the one to set: larger where that spreads key groups evenly.
	target, rounded int
	// limits are remarks in words on what bounds the number.
	limits []string
}

// needOf computes the parallelism for a load; why says why no number can be given.
func (c *Case) needOf(l *load) (n need, why string) { return c.needFor(l, c.growth(l.vertex)) }

// needFor is needOf for so many times the records that the load holds.
func (c *Case) needFor(l *load, times float64) (n need, why string) {
	v := l.vertex
	rate, counted := l.rate.Float()
	switch {
	case l.mean < c.limits.leastLoad:
		return need{}, "it is hardly busy"
	case !counted || rate <= 0:
		return need{}, "no records are counted"
	case l.uneven >= c.limits.unevenLoad:
		return need{}, "its load is uneven, and more subtasks do not spread it"
	case c.isSink(v) && len(c.g.in[v]) > 0:
		return need{}, "it writes to a system outside, which may be its limit"
	}
	p := c.vertex(v).Parallelism
	n.target = c.instances(float64(p)*l.mean*times, p)
	n.rounded = n.target
	c.bound(&n, l)
	return n, ""
}

// widened completes a remedy that gives a culprit more parallelism with how much, or why it is not known.
// A culprit is busy all the time, so what it takes is all that it can take; what it is asked for is that and
// what its sources' lag grows by.
func (c *Case) widened(r Remedy) Remedy {
	v := c.subject()
	l, ok := c.load(v)
	busy, known := c.shares(v).busy.Float()
	why := "its load was not measured for long enough"
	var n need
	if ok && known && l.slots >= c.limits.roomSlots {
		l.mean = busy
		n, why = c.needFor(&l, c.asked(v))
	}
	p := c.vertex(v).Parallelism
	limits := ""
	if len(n.limits) > 0 {
		limits = " (" + strings.Join(n.limits, "; ") + ")"
	}
	switch {
	case why != "":
		r.Do += "; how much is not computed, because " + why
		return r
	case n.rounded <= p:
		r.Do += "; no larger number is computed" + limits
		return r
	}
	r.Do += fmt.Sprintf(": %d subtasks instead of %d%s", n.rounded, p, limits)
	r.Gain += fmt.Sprintf("; for %s of busy time at %s each: %d x %s x %s / %s = %d",
		FormatCount(float64(p)*busy*c.asked(v)), FormatRatio(flinkapi.Known(c.limits.tight)), p,
		FormatRatio(flinkapi.Known(busy)), FormatCount(c.asked(v)), FormatRatio(flinkapi.Known(c.limits.tight)),
		n.target)
	return c.withParallelism(r, p, map[int]int{v: n.rounded})
}

// asked is how many times what a vertex takes now it must take in for the lag of its sources to grow no more,
// and to be worked off; capped as growth is.
func (c *Case) asked(v int) float64 {
	factor := c.growth(v)
	above := c.g.above(v)
	for _, u := range c.sources() {
		out, rated := c.shares(u).all.out.Float()
		lag, ok := c.lagOf(u, c.limits.lagWindow)
		if (above[u] || u == v) && rated && out > 0 && ok && lag.slope > 0 {
			factor = max(factor, 1+lag.slope/out)
		}
	}
	return min(factor, c.limits.growthMost)
}

// instances is how many subtasks do the work of so many that are busy all the time, at 70 % each. What is
// right but for rounding is not raised.
func (c *Case) instances(busy float64, least int) int {
	const rounding = 1e-6
	return max(int(math.Ceil(busy/c.limits.tight-rounding)), least)
}

// growth is the factor by which working off the sources' backlog raises what a vertex must take in. Its own
// rate already holds the selectivity of all above it, so nothing is multiplied along the chain; and the
// factor is capped, since a lag that is only a moment's would ask for any number.
func (c *Case) growth(v int) float64 {
	factor := 1.0
	above := c.g.above(v)
	for _, u := range c.sources() {
		if !above[u] && u != v {
			continue
		}
		lag, ok := c.lagOf(u, c.limits.lagWindow)
		waits, known := c.readTime(u, lag.records).Float()
		if ok && known && waits >= c.limits.backlogTime.Seconds() {
			again := (waits + c.limits.restartTime.Seconds()) / c.limits.catchUp.Seconds()
			factor = max(factor, 1+again)
		}
	}
	return min(factor, c.limits.growthMost)
}

// bound applies what limits the number: the maximum parallelism, one key's share, even key groups, slots.
func (c *Case) bound(n *need, l *load) {
	v := c.vertex(l.vertex)
	if most := c.mostByKey(l.vertex); most > 0 && n.rounded > most {
		n.rounded = max(most, v.Parallelism)
		n.limits = append(n.limits, fmt.Sprintf("one key has so many of its records that more than %d bring "+
			"nothing", most))
	}
	if even := evenly(v.MaxParallelism, n.rounded); c.keyed(l.vertex) && even > n.rounded && len(n.limits) == 0 {
		n.rounded = even
		n.limits = append(n.limits,
			fmt.Sprintf("%d is computed, %d spreads its %s evenly", n.target, even,
				FormatThings(v.MaxParallelism, "key groups")))
	}
	if most := v.MaxParallelism; most > 0 && n.rounded > most {
		n.rounded = max(most, v.Parallelism)
		n.limits = append(n.limits, fmt.Sprintf("its maximum parallelism is %d", most))
	}
	if len(c.g.in[l.vertex]) == 0 {
		n.limits = append(n.limits, "no more than its input has partitions, which is not known here")
	}
	free, ok := c.snapshot.Cluster.SlotsFree.Float()
	widest := 0
	for i := range c.job.Vertices {
		widest = max(widest, c.job.Vertices[i].Parallelism)
	}
	if extra := n.rounded - widest; ok && extra > int(free) {
		n.limits = append(n.limits, "it takes "+FormatThings(extra, "more slots")+", and "+freeText(int(free)))
	}
}

// mostByKey is the parallelism beyond which the key with the most records leaves nothing to gain: 1 over its
// share, which is at least what its subtask gets more than the median one. 0 for no limit.
func (c *Case) mostByKey(v int) int {
	_, all := c.rates(v)
	if !c.keyed(v) || len(all) < 2 {
		return 0
	}
	var in []float64
	sum := 0.0
	for k := range all {
		x, ok := all[k].rate().in.Float()
		if !ok {
			return 0
		}
		in, sum = append(in, x), sum+x
	}
	share := (slices.Max(in) - median(in)) / sum
	if !(share > 0) {
		return 0
	}
	return int(math.Ceil(1 / share))
}

// evenly is the smallest divisor of the key groups from n to half as much again, so that each subtask has as
// many of them; n where there is none.
func evenly(groups, n int) int {
	const further = 1.5
	for d := n; float64(d) <= further*float64(n) && d <= groups; d++ {
		if groups%d == 0 {
			return d
		}
	}
	return n
}
