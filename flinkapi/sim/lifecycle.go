package sim

import (
	"fmt"
	"slices"
)

// launch makes the first attempt of every subtask.
func (j *job) launch(now float64) {
	j.started = now
	j.enter(initializing, now)
	j.enter(created, now)
	j.enter(running, now)
	j.each(func(_, _ int, s *subtask, _ *task) { s.reset(0, now) })
}

// tick moves states on after a step of the network.
func (j *job) tick(c *Cluster, now float64) {
	if j.terminal() {
		return
	}
	j.applyChanges(c, now)
	if j.state == restarting {
		if now >= j.retryAt {
			c.keepBurnt(j)
			j.redeploy(c, now)
		}
		return
	}
	j.deploy(c, now)
	if j.finite {
		j.finish(now)
	}
	j.checkpoint.tick(j, now)
	j.breakTasks(now)
}

// deploy takes tasks from CREATED to RUNNING. A task waits for a slot, and behind a blocking edge for
// its senders.
func (j *job) deploy(c *Cluster, now float64) {
	if j.settled && !c.stallsChanged {
		return
	}
	j.settled = true
	restore := defaultInitializing
	if j.spec.Restart != nil && j.spec.Restart.Initializing > 0 {
		restore = j.spec.Restart.Initializing.Seconds()
	}
	j.each(func(v, i int, s *subtask, t *task) {
		switch {
		case s.status == created && j.inputsReady(v):
			s.enter(scheduled, now)
		case s.status == scheduled && now >= s.at(scheduled)+schedulingTime && c.assign(j, i, s):
			s.enter(deploying, now)
			j.setService(c, v, i)
		case s.status == deploying && now >= s.at(deploying)+deployingTime:
			s.enter(initializing, now)
		case s.status == initializing && now >= s.at(initializing)+restore:
			s.enter(running, now)
		}
		t.active = s.status == running && !c.workers[s.worker].stalled
		j.settled = j.settled && (s.status == running || s.terminal())
	})
}

// inputsReady tells whether every blocking edge into v has its whole result.
func (j *job) inputsReady(v int) bool {
	for _, e := range j.net.vertices[v].in {
		edge := &j.net.edges[e]
		if edge.Blocking && !j.allFinished(edge.From) {
			return false
		}
	}
	return true
}

func (j *job) allFinished(v int) bool {
	for i := range j.subtasks[v] {
		if j.subtasks[v][i].status != finished {
			return false
		}
	}
	return true
}

// setService computes the service time of a subtask on the host that it was put on.
func (j *job) setService(c *Cluster, v, i int) {
	t, w := &j.net.vertices[v].tasks[i], c.workers[j.subtasks[v][i].worker]
	t.service = j.net.vertices[v].serviceOf(i) * w.Slowdown / (1 - w.GC)
	t.upload = w.Upload
}

func (v *vertex) serviceOf(i int) float64 {
	if i < len(v.Factors) {
		return v.Service.Seconds() * v.Factors[i]
	}
	return v.Service.Seconds()
}

// finish ends the tasks that have nothing left to read, and the job with the last of them.
func (j *job) finish(now float64) {
	done := true
	for _, v := range j.net.order {
		drained := j.drained(v)
		for i := range j.subtasks[v] {
			s, t := &j.subtasks[v][i], &j.net.vertices[v].tasks[i]
			if s.status == running && drained[i] {
				s.enter(finished, now)
				t.active = false
			}
			done = done && s.status == finished
		}
	}
	if done {
		j.enter(finished, now)
		j.ended = now
	}
}

// drained tells for each subtask of v whether its input has come to its end.
func (j *job) drained(v int) []bool {
	vx := &j.net.vertices[v]
	out := make([]bool, len(vx.tasks))
	for i := range out {
		if len(vx.in) == 0 {
			out[i] = vx.tasks[i].supply.bounded && vx.tasks[i].supply.left == 0
			continue
		}
		out[i] = true
		for _, e := range vx.in {
			edge := &j.net.edges[e]
			out[i] = out[i] && edge.queues[i].waiting() < tolerance && j.allFinished(edge.From)
		}
	}
	return out
}

func (j *job) applyChanges(c *Cluster, now float64) {
	for ; j.nextChange < len(j.spec.Changes); j.nextChange++ {
		change := j.spec.Changes[j.nextChange]
		if change.At.Seconds() > now {
			return
		}
		j.treat(c, []Change{change}, false, now)
	}
}

// breakTasks makes the failures that are due.
func (j *job) breakTasks(now float64) {
	for k, f := range j.spec.Faults {
		if f.Kind != TaskFails || f.Subtask >= len(j.subtasks[f.Vertex]) {
			continue
		}
		s := &j.subtasks[f.Vertex][f.Subtask]
		due := now >= f.At.Seconds()
		if j.fired[k] {
			due = f.Every > 0 && now >= s.at(running)+f.Every.Seconds()
		}
		if !due || s.status != running {
			continue
		}
		j.fired[k] = true
		j.fail(now, exception{
			at: now, class: f.Exception, message: f.Message,
			vertex: f.Vertex, subtask: f.Subtask, attempt: s.attempt, worker: s.worker,
		})
		return
	}
}

// fail ends the attempt of every task: the one that failed is FAILED, the others are CANCELED. The job
// restarts or ends.
func (j *job) fail(now float64, cause exception) {
	j.exceptions = append(j.exceptions, cause)
	j.exceptions = j.exceptions[max(0, len(j.exceptions)-exceptionHistorySize-1):]
	j.enter(failing, now)
	j.cancel(now, cause.vertex, cause.subtask)
	j.checkpoint.abort(j, now)
	r := j.spec.Restart
	if r == nil || r.Attempts > 0 && j.restarts >= r.Attempts {
		j.enter(failed, now)
		j.ended = now
		return
	}
	j.enter(restarting, now)
	j.retryAt = now + r.Delay.Seconds()
}

// cancel ends the attempt of every task; the one that failed, if any, is FAILED.
func (j *job) cancel(now float64, vertex, failing int) {
	j.each(func(v, i int, s *subtask, t *task) {
		t.active = false
		if s.terminal() && s.status == finished && j.spec.Batch {
			return
		}
		if v == vertex && i == failing {
			s.enter(failed, now)
			return
		}
		s.enter(canceling, now)
		s.enter(canceled, now)
	})
}

// redeploy starts the next attempt of every task from the last completed checkpoint: sources read again
// what came after it, what was in the buffers is gone.
func (j *job) redeploy(c *Cluster, now float64) {
	rescaled := slices.ContainsFunc(j.pending, func(x Change) bool { return x.Parallelism > 0 })
	switch {
	case j.planned && !rescaled: // in Flink a new job, whose count begins anew
	case j.planned && c.version.atLeast(2, 0):
		j.rescales++
	default:
		j.restarts++
	}
	j.planned = false
	for _, change := range j.pending {
		j.change(c, change, now)
	}
	j.pending = nil
	j.settled = false
	j.enter(running, now)
	for e := range j.net.edges {
		for q := range j.net.edges[e].queues {
			j.net.edges[e].queues[q].empty()
		}
	}
	j.each(func(v, i int, s *subtask, t *task) {
		j.rewind(v, i)
		t.restart()
		s.reset(s.attempt+1, now)
	})
	for v := range j.net.vertices {
		if vx := &j.net.vertices[v]; vx.Hangs {
			vx.hang(true)
		}
	}
	j.checkpoint.restore(now)
}

// taskName is Flink's name of a subtask in exceptions.
func (j *job) taskName(v, i int) string {
	return fmt.Sprintf("%s (%d/%d)", j.net.vertices[v].Name, i+1, j.net.vertices[v].Parallelism)
}

func (s *supply) rewind(records float64) {
	if s.log {
		s.backlog += records
	}
	if s.bounded {
		s.left += records
	}
}

func (t *task) restart() {
	t.handled, t.busy, t.blocked, t.idle = 0, 0, 0, 0
	t.owed, t.open, t.fired = 0, 0, 0
	t.cpu, t.spent, t.kept = 0, 0, 0
}

func (q *queue) empty() {
	q.length, q.transit, q.arrived, q.taken, q.fresh = 0, 0, 0, 0, 0
}

// rekey puts a new distribution on the HASH edges into v.
func (n *network) rekey(v int, keys Keys) {
	for _, at := range n.vertices[v].in {
		e := &n.edges[at]
		if e.Ship != Hash {
			continue
		}
		e.Keys = keys
		n.layOut(at)
	}
}
