package flinkapi

import "slices"

// wireVertex is /jobs/:jobid/vertices/:vertexid (…rest.messages.JobVertexDetailsInfo).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/#jobs-jobid-vertices-vertexid
type wireVertex struct {
	ID          text          `json:"id"`
	Parallelism number        `json:"parallelism"`
	Subtasks    []wireSubtask `json:"subtasks"`
}

func (w wireVertex) recognised() bool { return w.ID != "" && w.Subtasks != nil }

type wireSubtask struct {
	Index          number            `json:"subtask"`
	Status         text              `json:"status"`
	Attempt        number            `json:"attempt"`
	Host           text              `json:"host"`     // to 1.20
	Endpoint       text              `json:"endpoint"` // host:port, from 1.19
	Start          number            `json:"start-time"`
	StartAgain     number            `json:"start_time"`
	TaskManager    text              `json:"taskmanager-id"`
	StatusDuration map[string]number `json:"status-duration"` // ms; -1 for a state that was not reached
	Metrics        wireIOMetrics     `json:"metrics"`
	Others         []struct{}        `json:"other-concurrent-attempts"`
}

// subtasks lists the subtasks of the current parallelism in order; those beyond it are left over from a
// rescale.
func (w wireVertex) subtasks(parallelism int) []Subtask {
	if n := w.Parallelism.count(0); n > 0 {
		parallelism = n
	}
	all := make([]Subtask, 0, min(len(w.Subtasks), parallelism))
	for _, s := range w.Subtasks {
		if index := s.Index.count(-1); index >= 0 && index < parallelism {
			all = append(all, s.subtask(index))
		}
	}
	byIndex := func(a, b Subtask) int { return a.Index - b.Index }
	slices.SortStableFunc(all, byIndex)
	return slices.CompactFunc(all, func(a, b Subtask) bool { return a.Index == b.Index })
}

func (w wireSubtask) subtask(index int) Subtask {
	running := w.StatusDuration[string(TaskRunning)].nonNegative()
	initializing := w.StatusDuration[string(TaskInitializing)].nonNegative()
	state := TaskState(w.Status.state())
	return Subtask{
		Index: index, State: state, Attempt: max(w.Attempt.count(0), 0),
		Host:          firstText(w.Endpoint, w.Host).line(),
		TaskManager:   TaskManagerID(w.TaskManager.id()),
		StartedAt:     firstNumber(w.Start, w.StartAgain).instant(),
		Running:       running.Times(perMilli),
		Initializing:  initializing.Times(perMilli),
		Readings:      w.Metrics.readings(state == TaskRunning || state == TaskFinished, 0),
		OtherAttempts: len(w.Others),
	}
}

// wireBackpressure is …/backpressure (…rest.messages.JobVertexBackPressureInfo). It is read for 1.13 to
// 1.15 only, which have no accumulated times.
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/
// #jobs-jobid-vertices-vertexid-backpressure
type wireBackpressure struct {
	Status   text `json:"status"` // "deprecated" means that no metrics are there yet
	Subtasks []struct {
		Index         number `json:"subtask"`
		Backpressured number `json:"ratio"`
		Busy          number `json:"busyRatio"`
		Idle          number `json:"idleRatio"`
	} `json:"subtasks"`
}

func (w wireBackpressure) recognised() bool { return w.Status != "" }

// shares returns the three shares per subtask index. Three zeros mean that the metrics are missing: every
// running task is in one of the three states.
func (w wireBackpressure) shares() map[int]Readings {
	shares := make(map[int]Readings, len(w.Subtasks))
	for _, s := range w.Subtasks {
		index := s.Index.count(-1)
		none := !s.Busy.IsNaN() && s.Busy.Or(0) == 0 && s.Idle.Or(0) == 0 && s.Backpressured.Or(0) == 0
		if index < 0 || none {
			continue
		}
		var r Readings
		for signal, v := range map[Signal]number{
			BusyShare: s.Busy, IdleShare: s.Idle, BackpressuredShare: s.Backpressured,
		} {
			if v != (number{}) {
				r = r.With(signal, v.Value)
			}
		}
		shares[index] = r
	}
	return shares
}
