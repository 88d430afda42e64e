package sim

import (
	"math"
	"net/http"
	"strconv"
)

// checkpointsOff is the interval that Flink reports when checkpointing is off: Long.MAX_VALUE.
const checkpointsOff = math.MaxInt64

type checkpointConfigBody struct {
	Mode            string          `json:"mode"`
	Interval        int64           `json:"interval"`
	Timeout         int64           `json:"timeout"`
	MinPause        int64           `json:"min_pause"`
	MaxConcurrent   int             `json:"max_concurrent"`
	Externalization externalization `json:"externalization"`
	StateBackend    string          `json:"state_backend"`
	Storage         string          `json:"checkpoint_storage"`
	Unaligned       bool            `json:"unaligned_checkpoints"`
	Tolerable       int             `json:"tolerable_failed_checkpoints"`
	AlignedTimeout  int64           `json:"aligned_checkpoint_timeout"`
	AfterFinish     bool            `json:"checkpoints_after_tasks_finish"`
	Changelog       bool            `json:"state_changelog_enabled"`
	Materialization int64           `json:"changelog_periodic_materialization_interval"`
	ChangelogStore  string          `json:"changelog_storage"`
}

type externalization struct {
	Enabled bool `json:"enabled"`
	Delete  bool `json:"delete_on_cancellation"`
}

func checkpointConfig(c *Cluster, r *http.Request) (any, *failure) {
	j, bad := c.find(r)
	if bad != nil {
		return nil, bad
	}
	cp := &j.checkpoint
	b := checkpointConfigBody{
		Mode: "exactly_once", Interval: cp.Interval.Milliseconds(), Timeout: cp.Timeout.Milliseconds(),
		MinPause: cp.MinPause.Milliseconds(), MaxConcurrent: 1, Externalization: externalization{Delete: true},
		StateBackend: "HashMapStateBackend", Storage: "FileSystemCheckpointStorage", Unaligned: cp.Unaligned,
		Tolerable: cp.Tolerable, AlignedTimeout: cp.AlignedTimeout.Milliseconds(), AfterFinish: true,
		Materialization: 600000, ChangelogStore: "memory",
	}
	if j.spec.RocksDB {
		b.StateBackend = "EmbeddedRocksDBStateBackend"
	}
	if cp.Most > 0 {
		b.Storage = "JobManagerCheckpointStorage"
	}
	if cp.Interval == 0 {
		b.Mode, b.Interval = "at_least_once", checkpointsOff
	}
	return b, nil
}

type checkpointStatisticsBody struct {
	Counts struct {
		Restored   int `json:"restored"`
		Total      int `json:"total"`
		InProgress int `json:"in_progress"`
		Completed  int `json:"completed"`
		Failed     int `json:"failed"`
	} `json:"counts"`
	Summary struct {
		Own       summary `json:"checkpointed_size"`
		Size      summary `json:"state_size"`
		Duration  summary `json:"end_to_end_duration"`
		Buffered  summary `json:"alignment_buffered"`
		Processed summary `json:"processed_data"`
		Persisted summary `json:"persisted_data"`
	} `json:"summary"`
	Latest struct {
		Completed *checkpointBody `json:"completed"`
		Savepoint *checkpointBody `json:"savepoint"`
		Failed    *checkpointBody `json:"failed"`
		Restored  *restoredBody   `json:"restored"`
	} `json:"latest"`
	History []checkpointBody `json:"history"`
}

type restoredBody struct {
	ID          int    `json:"id"`
	At          int64  `json:"restore_timestamp"`
	IsSavepoint bool   `json:"is_savepoint"`
	Path        string `json:"external_path"`
}

// summary is Flink's statistics over checkpoints or over the subtasks of one.
type summary struct {
	Min  int64  `json:"min"`
	Max  int64  `json:"max"`
	Avg  int64  `json:"avg"`
	P50  double `json:"p50"`
	P90  double `json:"p90"`
	P95  double `json:"p95"`
	P99  double `json:"p99"`
	P999 double `json:"p999"`
}

func summarize(d distribution) summary {
	d = d.sorted()
	return summary{
		Min: int64(d.lowest()), Max: int64(d.highest()), Avg: int64(d.mean()), P50: double(d.quantile(0.5)),
		P90: double(d.quantile(0.9)), P95: double(d.quantile(0.95)), P99: double(d.quantile(0.99)),
		P999: double(d.quantile(0.999)),
	}
}

// progress is what checkpoints and their parts per vertex have in common.
type progress struct {
	ID           int    `json:"id"`
	Status       string `json:"status"`
	LatestAck    int64  `json:"latest_ack_timestamp"`
	Own          int64  `json:"checkpointed_size"`
	StateSize    int64  `json:"state_size"`
	Duration     int64  `json:"end_to_end_duration"`
	Buffered     int64  `json:"alignment_buffered"`
	Processed    int64  `json:"processed_data"`
	Persisted    int64  `json:"persisted_data"`
	Subtasks     int    `json:"num_subtasks"`
	Acknowledged int    `json:"num_acknowledged_subtasks"`
}

type checkpointBody struct {
	Class string `json:"className"`
	progress
	IsSavepoint bool                `json:"is_savepoint"`
	Format      *string             `json:"savepointFormat"`
	Trigger     int64               `json:"trigger_timestamp"`
	Type        string              `json:"checkpoint_type"`
	Tasks       map[string]progress `json:"tasks"`
	Path        *string             `json:"external_path,omitempty"`
	Discarded   *bool               `json:"discarded,omitempty"`
	FailedAt    *int64              `json:"failure_timestamp,omitempty"`
	Failure     *string             `json:"failure_message,omitempty"`
}

func checkpointStatistics(c *Cluster, r *http.Request) (any, *failure) {
	j, bad := c.find(r)
	if bad != nil {
		return nil, bad
	}
	cp := &j.checkpoint
	b := checkpointStatisticsBody{History: []checkpointBody{}}
	b.Counts.Restored, b.Counts.Total, b.Counts.InProgress = cp.restored, cp.lastID, cp.inProgress
	b.Counts.Completed, b.Counts.Failed = cp.completed, cp.failed
	zeros := make(distribution, len(cp.sizes))
	s := &b.Summary
	s.Own, s.Size, s.Duration = summarize(cp.ownSizes), summarize(cp.sizes), summarize(cp.durations)
	s.Buffered, s.Processed, s.Persisted = summarize(zeros), summarize(zeros), summarize(cp.persisted)
	for _, one := range cp.history {
		b.History = append(b.History, c.checkpointBody(j, one))
	}
	if cp.latest != nil {
		latest := c.checkpointBody(j, cp.latest)
		b.Latest.Completed = &latest
	}
	if cp.latestFailed != nil {
		latest := c.checkpointBody(j, cp.latestFailed)
		b.Latest.Failed = &latest
	}
	if cp.restoredFrom != nil {
		from := cp.restoredFrom
		b.Latest.Restored = &restoredBody{ID: from.id, At: c.millis(cp.restoredAt), Path: j.path(from)}
	}
	return b, nil
}

func (j *job) path(cp *checkpoint) string {
	return "file:/var/flink/checkpoints/" + j.id + "/chk-" + strconv.Itoa(cp.id)
}

func (c *Cluster) checkpointBody(j *job, cp *checkpoint) checkpointBody {
	b := checkpointBody{
		progress: c.progress(cp, cp.all()), Trigger: c.millis(cp.triggered), Type: "CHECKPOINT",
		Tasks: map[string]progress{},
	}
	if j.checkpoint.Unaligned && c.version.atLeast(1, 18) {
		b.Type = "UNALIGNED_CHECKPOINT"
	}
	switch cp.status {
	case completed:
		path, discarded := j.path(cp), cp != j.checkpoint.latest
		b.Class, b.Path, b.Discarded = "completed", &path, &discarded
	case failed:
		at, why := c.millis(cp.ended), cp.failure
		b.Class, b.FailedAt, b.Failure = "failed", &at, &why
	default:
		b.Class = "in_progress"
	}
	return b
}

// all are the barriers of every subtask.
func (cp *checkpoint) all() []barrier {
	var all []barrier
	for _, b := range cp.barriers {
		all = append(all, b...)
	}
	return all
}

// progress sums up some of the subtasks of a checkpoint.
func (c *Cluster) progress(cp *checkpoint, barriers []barrier) progress {
	p := progress{ID: cp.id, Status: cp.status, LatestAck: -1, Subtasks: len(barriers)}
	for _, b := range barriers {
		if !b.acked {
			continue
		}
		p.Acknowledged++
		p.LatestAck = max(p.LatestAck, c.millis(b.ackedAt))
		p.Own += int64(b.ownBytes + b.persistedBytes)
		p.StateSize += int64(b.stateBytes)
		p.Persisted += int64(b.persistedBytes)
	}
	switch {
	case p.Acknowledged == p.Subtasks:
		if len(barriers) < cp.total {
			p.Status = completed
		}
		p.Duration = p.LatestAck - c.millis(cp.triggered)
	case cp.status == failed:
		p.Duration = c.millis(cp.ended) - c.millis(cp.triggered)
	default:
		p.Duration = c.nowMillis() - c.millis(cp.triggered)
	}
	return p
}

// findCheckpoint returns the checkpoint of the request's path, if the history still has it.
func (c *Cluster) findCheckpoint(r *http.Request) (*job, *checkpoint, *failure) {
	j, bad := c.find(r)
	if bad != nil {
		return nil, nil, bad
	}
	for _, cp := range j.checkpoint.history {
		if strconv.Itoa(cp.id) == r.PathValue("id") {
			return j, cp, nil
		}
	}
	return nil, nil, missing("Could not find checkpointing statistics for checkpoint %s.", r.PathValue("id"))
}

func checkpointDetails(c *Cluster, r *http.Request) (any, *failure) {
	j, cp, bad := c.findCheckpoint(r)
	if bad != nil {
		return nil, bad
	}
	b := c.checkpointBody(j, cp)
	for v, barriers := range cp.barriers {
		b.Tasks[j.vertexIDs[v]] = c.progress(cp, barriers)
	}
	return b, nil
}

type checkpointSubtasksBody struct {
	progress
	Summary struct {
		Own      summary `json:"checkpointed_size"`
		Size     summary `json:"state_size"`
		Duration summary `json:"end_to_end_duration"`
		Stages   struct {
			Sync  summary `json:"sync"`
			Async summary `json:"async"`
		} `json:"checkpoint_duration"`
		Alignment struct {
			Buffered  summary `json:"buffered"`
			Processed summary `json:"processed"`
			Persisted summary `json:"persisted"`
			Duration  summary `json:"duration"`
		} `json:"alignment"`
		StartDelay summary `json:"start_delay"`
	} `json:"summary"`
	Subtasks []any `json:"subtasks"`
}

type completedSubtask struct {
	Class      string           `json:"className"`
	Index      int              `json:"index"`
	Status     string           `json:"status"`
	AckedAt    int64            `json:"ack_timestamp"`
	Duration   int64            `json:"end_to_end_duration"`
	Own        int64            `json:"checkpointed_size"`
	StateSize  int64            `json:"state_size"`
	Stages     subtaskStages    `json:"checkpoint"`
	Alignment  subtaskAlignment `json:"alignment"`
	StartDelay int64            `json:"start_delay"`
	Unaligned  bool             `json:"unaligned_checkpoint"`
	Aborted    bool             `json:"aborted"`
}

type subtaskStages struct {
	Sync  int64 `json:"sync"`
	Async int64 `json:"async"`
}

type subtaskAlignment struct {
	Buffered  int64 `json:"buffered"`
	Processed int64 `json:"processed"`
	Persisted int64 `json:"persisted"`
	Duration  int64 `json:"duration"`
}

type pendingSubtask struct {
	Class  string `json:"className"`
	Index  int    `json:"index"`
	Status string `json:"status"`
}

func checkpointSubtasks(c *Cluster, r *http.Request) (any, *failure) {
	j, cp, bad := c.findCheckpoint(r)
	if bad != nil {
		return nil, bad
	}
	_, v, bad := c.findVertex(r)
	if bad != nil {
		return nil, bad
	}
	b := checkpointSubtasksBody{progress: c.progress(cp, cp.barriers[v]), Subtasks: []any{}}
	var own, size, duration, sync, async, persisted, alignment, delay, none distribution
	for i, x := range cp.barriers[v] {
		if !x.acked {
			b.Subtasks = append(b.Subtasks, pendingSubtask{"pending", i, "pending_or_failed"})
			continue
		}
		one := c.completedSubtask(j, cp, i, x)
		b.Subtasks = append(b.Subtasks, one)
		own.add(float64(one.Own))
		size.add(float64(one.StateSize))
		duration.add(float64(one.Duration))
		sync.add(float64(one.Stages.Sync))
		async.add(float64(one.Stages.Async))
		persisted.add(float64(one.Alignment.Persisted))
		alignment.add(float64(one.Alignment.Duration))
		delay.add(float64(one.StartDelay))
		none.add(0)
	}
	s := &b.Summary
	s.Own, s.Size, s.Duration = summarize(own), summarize(size), summarize(duration)
	s.StartDelay = summarize(delay)
	s.Stages.Sync, s.Stages.Async = summarize(sync), summarize(async)
	s.Alignment.Buffered, s.Alignment.Processed = summarize(none), summarize(none)
	s.Alignment.Persisted, s.Alignment.Duration = summarize(persisted), summarize(alignment)
	return b, nil
}

func (c *Cluster) completedSubtask(j *job, cp *checkpoint, i int, x barrier) completedSubtask {
	return completedSubtask{
		Class: "completed", Index: i, Status: "completed", AckedAt: c.millis(x.ackedAt),
		Duration: c.millis(x.ackedAt) - c.millis(cp.triggered), Own: int64(x.ownBytes + x.persistedBytes),
		StateSize: int64(x.stateBytes), Stages: subtaskStages{toMillis(x.sync), toMillis(x.async)},
		Alignment:  subtaskAlignment{Persisted: int64(x.persistedBytes), Duration: toMillis(x.alignment)},
		StartDelay: toMillis(x.startDelay), Unaligned: j.checkpoint.Unaligned,
	}
}

func toMillis(seconds float64) int64 { return int64(math.Round(seconds * 1000)) }
