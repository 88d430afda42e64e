package diagnose

import (
	"math"
	"slices"

	"culprit/flinkapi"
)

// hostFit is what speaks for the machine being the reason for hot subtasks.
type hostFit struct {
	on []flinkapi.TaskManagerID // where the hot subtasks run, sorted
	// cost is how many times as long a record takes there as elsewhere; alike are other vertices of which the
	// same is true.
	cost  float64
	alike []int
	// crowded is true where those TaskManagers run more of the job's subtasks (here, at least) than the others
	// (elsewhere, at most), and use more CPU (in cores).
	crowded               bool
	here, elsewhere       int
	cores, coresElsewhere float64
}

// slowHost tells whether the hot subtasks of v are hot because of where they run: all of its subtasks there
// are busy and none elsewhere, each record takes longer there, and other vertices or the placement say the
// same.
func (c *Case) slowHost(v int, all []subtaskLoad) (hostFit, bool) {
	c.note(flinkapi.CPUTime)
	fit := hostFit{on: c.hotHosts(v, all)}
	for _, l := range all {
		if here := slices.Contains(fit.on, c.hostOf(v, l)); here != (l.busy >= c.limits.busy) {
			return hostFit{}, false
		}
	}
	cost, records, ok := c.beside(v, all, fit.on, busyTick)
	if fit.cost = cost; !ok || cost < c.limits.hostCost || records >= c.limits.recordSkew {
		return hostFit{}, false
	}
	unlike := 0
	for u := range c.job.Vertices {
		if u == v {
			continue
		}
		switch other, known := c.costThere(u, fit.on); {
		case !known:
		// One dear operator slows its neighbours too, but far less than itself.
		case other >= c.limits.hostCost && other >= math.Sqrt(cost):
			fit.alike = append(fit.alike, u)
		default:
			unlike++
		}
	}
	c.crowd(&fit)
	return fit, fit.crowded || len(fit.alike) > 0 && len(fit.alike) >= unlike
}

func (c *Case) hostOf(v int, l subtaskLoad) flinkapi.TaskManagerID {
	return c.vertex(v).Subtasks[l.subtask].TaskManager
}

// hotHosts returns the TaskManagers of the hot subtasks, sorted.
func (c *Case) hotHosts(v int, all []subtaskLoad) []flinkapi.TaskManagerID {
	var out []flinkapi.TaskManagerID
	for _, l := range all {
		if l.busy >= c.limits.hotBusy {
			out = append(out, c.hostOf(v, l))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// beside returns how many times as long a record takes on these TaskManagers as elsewhere, and how many times
// the records a subtask gets there. A smaller busy share than the least one counts as that.
func (c *Case) beside(v int, all []subtaskLoad, on []flinkapi.TaskManagerID, least float64) (
	cost, records float64, ok bool,
) {
	var here, elsewhere subtaskSum // seconds count subtasks
	for _, l := range all {
		sum := &elsewhere
		if slices.Contains(on, c.hostOf(v, l)) {
			sum = &here
		}
		sum.seconds++
		sum.busy += max(l.busy, least)
		sum.records += l.records
	}
	if here.records == 0 || elsewhere.records == 0 {
		return 0, 0, false
	}
	cost = here.busy / here.records / (elsewhere.busy / elsewhere.records)
	return cost, here.records / here.seconds / (elsewhere.records / elsewhere.seconds), true
}

// costThere is beside for another vertex; it is known only where the vertex gets enough records for the
// number to mean something. Where it is hardly busy elsewhere, it is at least so much: unknown where that is
// little.
func (c *Case) costThere(u int, on []flinkapi.TaskManagerID) (cost float64, known bool) {
	all, _, ok := c.loads(u)
	if !ok {
		return 0, false
	}
	lowest, records := math.Inf(1), 0.0
	for _, l := range all {
		lowest, records = min(lowest, l.busy), records+l.records
	}
	if records < float64(c.limits.leastRecords*len(all)) {
		return 0, false
	}
	cost, _, known = c.beside(u, all, on, c.limits.hostBusy)
	return cost, known && (lowest >= c.limits.hostBusy || cost >= c.limits.hostCost)
}

// crowd fills in how many of the job's subtasks run on the TaskManagers of the hot ones and on the others,
// and whether that makes them short of CPU.
func (c *Case) crowd(fit *hostFit) {
	fit.here, fit.cores = math.MaxInt, math.Inf(1)
	known, busy := true, 0.0
	for i, n := range c.placed.count() {
		id := c.placed.ids[i]
		cores, ok := c.w.cores(id).Float()
		known = known && ok
		if slices.Contains(fit.on, id) {
			fit.here, fit.cores = min(fit.here, n), min(fit.cores, cores)
			busy = max(busy, c.busyOn(id))
		} else {
			fit.elsewhere, fit.coresElsewhere = max(fit.elsewhere, n), max(fit.coresElsewhere, cores)
		}
	}
	fit.crowded = known && fit.here > fit.elsewhere && fit.cores >= c.limits.crowdCores &&
		fit.cores >= c.limits.crowdLead*fit.coresElsewhere && fit.cores > c.limits.waiting*busy
}
