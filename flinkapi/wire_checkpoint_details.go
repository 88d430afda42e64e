package flinkapi

import (
	"cmp"
	"slices"
)

// wireCheckpointDetails is /jobs/:jobid/checkpoints/details/:id (…checkpoints.CheckpointStatistics, with the
// tasks that the history leaves out).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/
// #jobs-jobid-checkpoints-details-checkpointid
type wireCheckpointDetails struct {
	ID           number                          `json:"id"`
	Status       text                            `json:"status"`
	Acknowledged number                          `json:"num_acknowledged_subtasks"`
	Tasks        map[string]wireCheckpointVertex `json:"tasks"`
}

func (w wireCheckpointDetails) recognised() bool {
	return w.ID.IsKnown() && w.Status != "" && w.Tasks != nil
}

// wireCheckpointVertex is a vertex's part (…checkpoints.TaskCheckpointStatistics).
type wireCheckpointVertex struct {
	wireCheckpointSums
}

// vertices lists the parts by vertex id.
func (w wireCheckpointDetails) vertices() []CheckpointVertex {
	all := make([]CheckpointVertex, 0, len(w.Tasks))
	for id, t := range w.Tasks {
		if text(id).hex() == "" {
			continue
		}
		all = append(all, CheckpointVertex{
			Vertex: VertexID(id), Duration: t.Duration.duration(),
			StateBytes: t.StateSize.nonNegative(), CheckpointedBytes: t.CheckpointedSize.nonNegative(),
			ProcessedBytes: t.Processed.nonNegative(), PersistedBytes: t.Persisted.nonNegative(),
			Subtasks: t.Subtasks.count(0), Acked: t.Acknowledged.count(0),
		})
	}
	slices.SortFunc(all, func(a, b CheckpointVertex) int { return cmp.Compare(a.Vertex, b.Vertex) })
	return all
}

// wireCheckpointParts is …/details/:id/subtasks/:vertexid
// (…checkpoints.TaskCheckpointStatisticsWithSubtaskDetails). Times in ms.
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/
// #jobs-jobid-checkpoints-details-checkpointid-subtasks-vertexid
type wireCheckpointParts struct {
	ID       number `json:"id"`
	Subtasks []struct {
		Index      number `json:"index"`
		Status     text   `json:"status"` // completed, or pending_or_failed
		Duration   number `json:"end_to_end_duration"`
		StateSize  number `json:"state_size"`
		StartDelay number `json:"start_delay"`
		Checkpoint struct {
			Sync  number `json:"sync"`
			Async number `json:"async"`
		} `json:"checkpoint"`
		Alignment struct {
			Duration  number `json:"duration"`
			Processed number `json:"processed"`
			Persisted number `json:"persisted"`
		} `json:"alignment"`
		Unaligned flag `json:"unaligned_checkpoint"`
		Aborted   flag `json:"aborted"`
	} `json:"subtasks"`
}

func (w wireCheckpointParts) recognised() bool { return w.ID.IsKnown() && w.Subtasks != nil }

// parts lists the subtasks in order.
func (w wireCheckpointParts) parts() []CheckpointPart {
	all := make([]CheckpointPart, 0, len(w.Subtasks))
	for _, s := range w.Subtasks {
		index := s.Index.count(-1)
		if index < 0 {
			continue
		}
		part := CheckpointPart{Subtask: index, Acked: s.Status.state() == CheckpointCompleted}
		if part.Acked {
			part.StartDelay, part.Alignment = s.StartDelay.duration(), s.Alignment.Duration.duration()
			part.Sync, part.Async = s.Checkpoint.Sync.duration(), s.Checkpoint.Async.duration()
			part.Duration, part.StateBytes = s.Duration.duration(), s.StateSize.nonNegative()
			part.ProcessedBytes = s.Alignment.Processed.nonNegative()
			part.PersistedBytes = s.Alignment.Persisted.nonNegative()
			part.Unaligned, part.Aborted = s.Unaligned == flagTrue, s.Aborted == flagTrue
		}
		all = append(all, part)
	}
	slices.SortStableFunc(all, func(a, b CheckpointPart) int { return a.Subtask - b.Subtask })
	return slices.CompactFunc(all, func(a, b CheckpointPart) bool { return a.Subtask == b.Subtask })
}
