package diagnose

import "slices"

// keyGroups returns how many key groups each subtask of a keyed vertex owns
// (org.apache.flink.runtime.state.KeyGroupRangeAssignment).
func keyGroups(most, parallelism int) []int {
	out := make([]int, parallelism)
	for group := range most {
		out[group*parallelism/most]++
	}
	return out
}

// groupFit is how well the records of a vertex agree with the key groups that its subtasks own.
type groupFit struct {
	more, fewer         int // key groups of a subtask that owns more, and of one that owns fewer
	most                int // all key groups: the maximum parallelism
	owners, parallelism int // subtasks that own more; all of them
}

// ratio is how many times the records a subtask with more groups gets.
func (f groupFit) ratio() float64 { return float64(f.more) / float64(f.fewer) }

// efficiency is the share of its subtasks' capacity that the vertex can use.
func (f groupFit) efficiency() float64 {
	return float64(f.most) / float64(f.parallelism) / float64(f.more)
}

// enough is the smallest parallelism that is as fast as the present one, since the fullest subtask owns as
// many groups; faster is the smallest one with which it owns fewer, and gain how many times as fast that is.
func (f groupFit) enough() int { return ceilDiv(f.most, f.more) }

func (f groupFit) faster() (parallelism int, gain float64) {
	parallelism = ceilDiv(f.most, f.more-1)
	return parallelism, float64(f.more) / float64(ceilDiv(f.most, parallelism))
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// groupsFit tells whether the records of a keyed vertex come in the two levels that its key groups predict,
// in those very subtasks, and whether those with fewer groups have room.
func (c *Case) groupsFit(most int, all []subtaskLoad) (groupFit, bool) {
	p := len(all)
	if most < p || all[p-1].subtask != p-1 {
		return groupFit{}, false // some are not known, so it is not known which owns what
	}
	owned := keyGroups(most, p)
	fit := groupFit{more: slices.Max(owned), fewer: slices.Min(owned), most: most, parallelism: p}
	if fit.more == fit.fewer || fit.ratio() < c.limits.groupRatio {
		return groupFit{}, false
	}
	total := 0.0
	for _, l := range all {
		total += l.records
	}
	var more, fewer, idle []float64
	fits, topFits, top := 0, false, 0.0
	for i, l := range all {
		expected := total * float64(owned[i]) / float64(most)
		near := l.records >= expected*(1-c.limits.groupMatch) && l.records <= expected*(1+c.limits.groupMatch)
		if near {
			fits++
		}
		if l.records > top {
			top, topFits = l.records, near && owned[i] == fit.more
		}
		if owned[i] == fit.more {
			more = append(more, l.records)
		} else {
			fewer, idle = append(fewer, l.records), append(idle, l.busy)
		}
	}
	fit.owners = len(more)
	apart := median(more) >= (1+fit.ratio())/2*median(fewer)
	return fit, topFits && apart && median(idle) < c.limits.busy &&
		float64(fits) >= c.limits.wellKnown*float64(p)
}
