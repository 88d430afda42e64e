package diagnose

import (
	"time"

	"culprit/flinkapi"
)

// SubtaskState is a subtask in the newest slot.
type SubtaskState struct {
	Index                     int
	State                     flinkapi.TaskState
	Busy, Backpressured, Idle flinkapi.Value
	RecordsIn, RecordsOut     flinkapi.Value // records per second
	Host                      string
	TaskManager               flinkapi.TaskManagerID
	Attempt                   int
	MetricAge                 flinkapi.Value // seconds
}

// SubtaskStates are the subtasks of a vertex. A job may have 20,000, of which few are looked at, so each is
// put together when it is asked for, from the snapshot and the slot, which stay as they are.
type SubtaskStates struct {
	tasks     []flinkapi.Subtask
	spent     []spent       // empty where the shares are not known
	since     time.Duration // since the tasks were read
	uncounted uncountedSides
	given     []SubtaskState
}

// SubtasksOf are subtasks whose states are given.
func SubtasksOf(all ...SubtaskState) SubtaskStates { return SubtaskStates{given: all} }

// Len is how many subtasks there are.
func (s *SubtaskStates) Len() int { return len(s.tasks) + len(s.given) }

// At returns the subtask at a place below Len, in the order of the cluster's answer.
func (s *SubtaskStates) At(k int) SubtaskState {
	if k < len(s.given) {
		return s.given[k]
	}
	task := &s.tasks[k]
	out := SubtaskState{
		Index: task.Index, State: task.State, Host: task.Host, TaskManager: task.TaskManager, Attempt: task.Attempt,
		MetricAge: subtaskAge(task).Plus(s.since.Seconds()),
	}
	if k < len(s.spent) {
		x, r := &s.spent[k], s.spent[k].rate()
		out.Busy, out.Backpressured, out.Idle = x.busy.value(), x.backpressured.value(), x.idle.value()
		out.RecordsIn, out.RecordsOut = s.uncounted.leaveOut(r.in, r.out)
	}
	return out
}

// All returns all of them, in the same order.
func (s *SubtaskStates) All() []SubtaskState {
	out := make([]SubtaskState, s.Len())
	for k := range out {
		out[k] = s.At(k)
	}
	return out
}

// uncountedSides tells on which sides of a vertex Flink counts nothing before 2.0: what comes from or goes
// to the outside.
type uncountedSides struct{ in, out bool }

func (g *graph) uncounted(v int) uncountedSides {
	return uncountedSides{len(g.in[v]) == 0, len(g.out[v]) == 0}
}

// leaveOut makes the records of such a side unknown.
func (u uncountedSides) leaveOut(in, out flinkapi.Value) (countedIn, countedOut flinkapi.Value) {
	if u.in && in.Or(0) == 0 {
		in = flinkapi.Value{}
	}
	if u.out && out.Or(0) == 0 {
		out = flinkapi.Value{}
	}
	return in, out
}

// subtaskAge is the age of a subtask's counters when they were read: its time in RUNNING less what the
// counters add up to.
func subtaskAge(s *flinkapi.Subtask) flinkapi.Value {
	running, ok := s.Running.Float()
	busy, okBusy := s.Readings.Of(flinkapi.BusyTime).Float()
	back, okBack := s.Readings.Of(flinkapi.BackpressuredTime).Float()
	idle, okIdle := s.Readings.Of(flinkapi.IdleTime).Float()
	if !ok || !okBusy || !okBack || !okIdle {
		return flinkapi.Value{}
	}
	return flinkapi.Known(max(running-busy-back-idle, 0))
}
