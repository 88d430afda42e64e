package diagnose

import (
	"slices"

	"culprit/flinkapi"
)

// repair is what the fix of a reason changes, as far as the load of a vertex after it follows from today's.
type repair int

const (
	// repairVertex makes the culprit itself faster, by how much is not known: another vertex is next.
	repairVertex repair = iota
	// repairHost makes the subtasks on the culprit's TaskManagers as fast as those elsewhere.
	repairHost
	// repairSpread spreads the records of the culprit evenly over its subtasks.
	repairSpread
	// repairUnknown leaves a load that cannot be computed.
	repairUnknown
)

// repairOf is what the fix of a reason changes, by the rule's name.
func repairOf(reason string) repair {
	switch reason {
	case "slow-host", "gc", "cpu-limit":
		return repairHost
	case "hot-key", "few-keys", "key-groups", "partition-skew":
		return repairSpread
	// Of records that are dearer than others, of turns and of bursts a mean over the window tells nothing.
	case "cost-skew", "alternating", "burst":
		return repairUnknown
	}
	return repairVertex
}

// next is the vertex that holds the job back once a culprit no longer does, after the fix of its reason: of
// those on its paths, or itself where the fix leaves its load known, the one with the largest busy share,
// since at today's rate it could take one over that share. A victim's busy share is its true work: what it
// waits counts as backpressured. It is not known where a busy share is missing or a number would only tell of
// rounding.
func (c *Case) next(culprit int, fix repair, at []flinkapi.TaskManagerID) *NextLimit {
	const leastShare = 0.05
	if fix == repairUnknown {
		return nil
	}
	most, vertex := 0.0, -1
	related := c.related(culprit)
	for v := range c.job.Vertices {
		if v != culprit && !related[v] || v == culprit && fix == repairVertex || c.over(v) {
			continue
		}
		share, ok := c.loadAfter(v, culprit, fix, at)
		if !ok {
			return nil
		}
		if vertex < 0 || share > most {
			most, vertex = share, v
		}
	}
	if vertex < 0 || most < leastShare || most >= 1 {
		return nil
	}
	return &NextLimit{Vertex: c.ref(vertex), Itself: vertex == culprit, Factor: 1 / most}
}

// loadAfter is the busy share of a vertex at today's rate once the culprit's reason is repaired.
func (c *Case) loadAfter(v, culprit int, fix repair, at []flinkapi.TaskManagerID) (share float64, ok bool) {
	l, ok := c.load(v)
	switch {
	case !ok || l.slots < c.limits.roomSlots:
		return 0, false
	case fix == repairHost:
		return c.elsewhere(v, at)
	case fix == repairSpread && v == culprit:
		return c.evenLoad(v)
	}
	return l.mean, true
}

// elsewhere is the busy share of a vertex's busiest subtask over the window, of those that do not run on the
// TaskManagers; unknown where it has none elsewhere.
func (c *Case) elsewhere(v int, at []flinkapi.TaskManagerID) (share float64, known bool) {
	if v >= len(c.w.tallies) {
		return 0, false
	}
	for k := range c.w.tallies[v] {
		busy, _, ok := c.w.tallies[v][k].averages()
		tasks := c.vertex(v).Subtasks
		if !ok || k >= len(tasks) || slices.Contains(at, tasks[k].TaskManager) {
			continue
		}
		share, known = max(share, busy), true
	}
	return share, known
}

// evenLoad is the busy share that each subtask of a vertex would have, did all get as many records.
func (c *Case) evenLoad(v int) (share float64, known bool) {
	if v >= len(c.w.tallies) || len(c.w.tallies[v]) == 0 {
		return 0, false
	}
	for k := range c.w.tallies[v] {
		busy, _, ok := c.w.tallies[v][k].averages()
		if !ok {
			return 0, false
		}
		share += busy
	}
	return share / float64(len(c.w.tallies[v])), true
}
