package diagnose

import "culprit/flinkapi"

// placement says on which TaskManager each subtask of a job runs. It stays the same from look to look while
// no task moves.
type placement struct {
	ids   []flinkapi.TaskManagerID
	index map[flinkapi.TaskManagerID]int
	at    [][]placedAt // by vertex and subtask
	// tasks are the subtasks on each TaskManager; entries is how many those are.
	tasks   [][]Placed
	entries int
}

// placedAt is a TaskManager, as an index into ids, and which of its tasks a subtask belongs to.
type placedAt struct {
	worker, tasks int32
}

// nowhere is the worker of a subtask of which it is not known.
const nowhere = -1

func placementOf(job *flinkapi.Job) *placement {
	p := &placement{index: map[flinkapi.TaskManagerID]int{}, at: make([][]placedAt, len(job.Vertices))}
	for v := range job.Vertices {
		x := &job.Vertices[v]
		p.at[v] = make([]placedAt, len(x.Subtasks))
		for k := range x.Subtasks {
			p.at[v][k] = p.put(x, &x.Subtasks[k])
		}
	}
	return p
}

// put notes where a subtask of a vertex runs.
func (p *placement) put(x *flinkapi.Vertex, s *flinkapi.Subtask) placedAt {
	if s.TaskManager == "" {
		return placedAt{worker: nowhere}
	}
	i, known := p.index[s.TaskManager]
	if !known {
		i = len(p.ids)
		p.index[s.TaskManager] = i
		p.ids, p.tasks = append(p.ids, s.TaskManager), append(p.tasks, nil)
	}
	n := len(p.tasks[i])
	if n == 0 || p.tasks[i][n-1].Vertex.ID != x.ID {
		p.tasks[i] = append(p.tasks[i], Placed{Vertex: VertexRef{x.ID, x.Name}})
		p.entries, n = p.entries+1, n+1
	}
	t := &p.tasks[i][n-1]
	t.Subtasks = append(t.Subtasks, s.Index)
	return placedAt{int32(i), int32(n - 1)}
}

// shows tells whether the placement is still that of the job.
func (p *placement) shows(job *flinkapi.Job) bool {
	if p == nil || len(p.at) != len(job.Vertices) {
		return false
	}
	for v := range p.at {
		subtasks := job.Vertices[v].Subtasks
		if len(p.at[v]) != len(subtasks) {
			return false
		}
		for k, at := range p.at[v] {
			var id flinkapi.TaskManagerID
			if at.worker != nowhere {
				id = p.ids[at.worker]
			}
			if subtasks[k].TaskManager != id {
				return false
			}
		}
	}
	return true
}

// count is how many of the job's subtasks run on each TaskManager, in the order of ids.
func (p *placement) count() []int {
	n := make([]int, len(p.ids))
	for i := range p.tasks {
		for k := range p.tasks[i] {
			n[i] += len(p.tasks[i][k].Subtasks)
		}
	}
	return n
}

// placedTasks are the job's subtasks on each TaskManager of the placement, with their busy shares.
func (c *Case) placedTasks() [][]WorkerTasks {
	out, room := make([][]WorkerTasks, len(c.placed.tasks)), make([]WorkerTasks, c.placed.entries)
	for i, all := range c.placed.tasks {
		out[i] = taken(&room, len(all))
		for k := range all {
			out[i][k].Placed = &all[k]
		}
	}
	for v := range c.placed.at {
		for k, s := range c.shares(v).subtasks {
			if k >= len(c.placed.at[v]) {
				break
			}
			if at := c.placed.at[v][k]; at.worker != nowhere {
				t := &out[at.worker][at.tasks]
				t.Busy = larger(t.Busy, s.busy.value())
			}
		}
	}
	return out
}

// busyOn adds up the busy shares of all subtasks of the job on a TaskManager.
func (c *Case) busyOn(id flinkapi.TaskManagerID) float64 {
	c.note(shareSignals()...)
	if c.memo.busyOn == nil {
		c.memo.busyOn = make([]float64, len(c.placed.ids))
		for v := range c.placed.at {
			for k, s := range c.shares(v).subtasks {
				busy, known := s.busy.float()
				if known && k < len(c.placed.at[v]) && c.placed.at[v][k].worker != nowhere {
					c.memo.busyOn[c.placed.at[v][k].worker] += busy
				}
			}
		}
	}
	if i, known := c.placed.index[id]; known {
		return c.memo.busyOn[i]
	}
	return 0
}

// memo keeps what several rules ask of one look.
type memo struct {
	vertices []vertexMemo
	busyOn   []float64 // by the placement's TaskManagers
	// load is the CPU load of each machine, by its host.
	load    map[string]float64
	emitted []float64 // what the sources emitted in each slot, room that is used again
}

// vertexMemo is what was asked of a vertex.
type vertexMemo struct {
	busy                   []int
	workers                []flinkapi.TaskManagerID
	busyAsked, workerAsked bool
	full                   string // what is said of a machine that is full
	fullAsked              bool
	looks                  *looks // nil until it was asked for
	alike                  string // what is said where no subtask is hot beside the others
}

func (c *Case) memoOf(v int) *vertexMemo {
	if c.memo.vertices == nil {
		c.memo.vertices = make([]vertexMemo, len(c.job.Vertices))
	}
	return &c.memo.vertices[v]
}
