package sim

// redeployTime is how long a job is RESTARTING when it is stopped for a treatment, in seconds.
const redeployTime = 1.0

// rescale gives v another number of subtasks while no task runs. The keyed state and the place in the input
// are spread anew; what was in the buffers is dropped with the attempt, and read again.
func (j *job) rescale(c *Cluster, v, parallelism int, now float64) {
	vx := &j.net.vertices[v]
	before := vx.Parallelism
	vx.Parallelism = parallelism
	backlog, left := 0.0, 0.0
	for i := range vx.tasks {
		j.rewind(v, i)
		backlog += vx.tasks[i].supply.backlog
		left += vx.tasks[i].supply.left
	}
	vx.tasks = make([]task, parallelism)
	vx.initTasks()
	for i := range vx.tasks {
		if s := &vx.tasks[i].supply; vx.Source != nil {
			s.backlog, s.left = backlog*vx.Source.share(i, parallelism), left*vx.Source.share(i, parallelism)
		}
	}
	j.checkpoint.spread(v, parallelism)
	subtasks := make([]subtask, parallelism)
	for i := range subtasks {
		if i < before {
			subtasks[i] = j.subtasks[v][i]
		} else {
			subtasks[i].attempt = -1 // its first attempt is 0
		}
		subtasks[i].carried = j.checkpoint.position(v, i)
	}
	j.subtasks[v] = subtasks
	j.net.reroute(v)
	j.plan = j.makePlan()
	c.extend(j, now)
}

// rewind puts a source back to the latest completed checkpoint.
func (j *job) rewind(v, i int) {
	s, t := &j.subtasks[v][i], &j.net.vertices[v].tasks[i]
	position := j.checkpoint.position(v, i)
	t.supply.rewind(s.carried + t.handled - position)
	s.carried = position
}

// reroute lays out the edges of v for its new parallelism.
func (n *network) reroute(v int) {
	vx := &n.vertices[v]
	n.demands = make([]float64, max(len(n.demands), vx.Parallelism))
	for _, at := range vx.in {
		n.edges[at].queues = make([]queue, vx.Parallelism)
		n.layOut(at)
	}
	for _, at := range vx.out {
		n.layOut(at)
	}
	n.sizeBuffers()
}

// layOut groups the subtasks at both ends of an edge.
func (n *network) layOut(at int) {
	e := &n.edges[at]
	from, to := &n.vertices[e.From], &n.vertices[e.To]
	e.groups = groupsOf(e.Edge, from.Parallelism, to.Parallelism, to.MaxParallelism)
}

// spread splits what a vertex had handled at the latest completed checkpoint evenly over another number of
// subtasks.
func (c *checkpointing) spread(v, parallelism int) {
	if c.positions == nil {
		return
	}
	total := 0.0
	for _, position := range c.positions[v] {
		total += position
	}
	c.positions[v] = make([]float64, parallelism)
	for i := range c.positions[v] {
		c.positions[v][i] = total / float64(parallelism)
	}
	c.lastPassed = nil
}

// set takes over other settings for checkpoints.
func (c *checkpointing) set(spec Checkpoints) {
	c.Checkpoints = newCheckpointing(spec).Checkpoints
}

// extend finds slots for a job that has become wider, on new TaskManagers where none are free.
func (c *Cluster) extend(j *job, now float64) {
	mine := c.slots[j.index]
	for w := 0; len(mine) < j.width(); w++ {
		if w == len(c.workers) {
			c.workers = append(c.workers, newWorker(TaskManager{}, w, now))
		}
		for k, holder := range c.workers[w].used {
			if holder < 0 && !c.workers[w].lost && len(mine) < j.width() {
				c.workers[w].used[k] = j.index
				mine = append(mine, w)
			}
		}
	}
	c.slots[j.index] = mine
}
