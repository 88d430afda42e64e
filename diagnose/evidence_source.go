package diagnose

import (
	"slices"

	"culprit/flinkapi"
)

// Source is the path of Flink's REST API whose answer the number comes from, or is formed from, as Flink's
// documents write it; empty where that is not known.
func (e *Evidence) Source() string {
	for _, s := range flinkapi.Signals() {
		if s.String() == e.Signal {
			return s.Info().Endpoint.String()
		}
	}
	for _, one := range formedFrom() {
		if slices.Contains(one.signals, e.Signal) {
			return one.path
		}
	}
	return ""
}

// formed are numbers that the diagnosis forms from the answers of one path.
type formed struct {
	path    string
	signals []string
}

func formedFrom() []formed {
	return []formed{
		{flinkapi.VertexCounters.String(), []string{
			"busy", "backpressured", "idle", "busy-high", "busy-mean", "busy-subtasks", "busy-hot", "busy-median",
			"busy-p95", "period", "committer-busy", "capacity", "capacity-before", "records-rate", "record-share",
			"record-ratio", "subtasks-without-records", "cost-ratio", "host-cost", "key-share", "working-subtasks",
			"key-groups", "group-ratio", "turn-length", "other-attempts", "parallelism", "parallelism-asked-for",
			"max-parallelism", "input-rate", "rate-spread",
		}},
		{flinkapi.SubtaskMetrics.String(), []string{
			"lag", "lag-slope", "arrival-rate", "kept-inside",
			"late-share", "unread-age", "unread-age-slope", "time-to-loss",
		}},
		{flinkapi.TaskManagerMetrics.String(), []string{
			"cpu-per-busy-subtask", "cores-there", "cores-elsewhere", "heap-floor", "heap-growth",
		}},
		{"/taskmanagers", []string{"heartbeat-age"}},
		{"/taskmanagers/:taskmanagerid/thread-dump", []string{"stack-looks", "stack-share"}},
		{"/jobs/:jobid", []string{"metric-age"}},
		{"/jobs/:jobid/exceptions", []string{"restarted-ago"}},
		{"/jobs/:jobid/checkpoints", []string{
			"checkpoint-duration", "checkpoints-failed", "checkpoint-size", "state-size", "completion-delay",
		}},
		{"/jobs/:jobid/checkpoints/details/:checkpointid/subtasks/:vertexid", []string{
			"checkpoint-barrier", "checkpoint-sync", "checkpoint-async", "checkpoint-part", "unacknowledged",
		}},
	}
}
