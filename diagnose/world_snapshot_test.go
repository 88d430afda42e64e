package diagnose

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"culprit/flinkapi"
)

// snapshot lets d pass and returns what a look then sees.
func (w *world) snapshot(d time.Duration) *flinkapi.Snapshot {
	w.begin()
	w.pass(d)
	w.collect()
	job := w.job
	job.Now, job.Read = w.now, w.now
	job.EnteredAt = maps.Clone(w.job.EnteredAt)
	job.Checkpoints = w.history()
	for _, p := range w.parts {
		job.Vertices = append(job.Vertices, p.describe())
	}
	s := &flinkapi.Snapshot{
		At:  w.now,
		Job: &job,
		Cluster: flinkapi.Cluster{
			Version:           w.version,
			Settings:          w.settings,
			FetchInterval:     w.fetch,
			FetchIntervalFrom: flinkapi.IntervalConfigured,
			SlotsFree:         w.free,
		},
		Jobs: []flinkapi.JobSummary{{ID: job.ID, Name: job.Name, State: job.State}},
	}
	for i := range w.others {
		id := fmt.Sprintf("other-%d", i+1)
		s.Jobs = append(s.Jobs, flinkapi.JobSummary{ID: flinkapi.JobID(id), Name: id, State: flinkapi.JobRunning})
	}
	s.Problems = w.problems
	for _, m := range w.workers {
		s.TaskManagers = append(s.TaskManagers, m.describe())
	}
	return s
}

// begin lets the job have run for its age before the first look.
func (w *world) begin() {
	if w.looked {
		return
	}
	w.looked = true
	from := w.now.Add(-w.age)
	if w.job.EnteredAt == nil {
		w.job.EnteredAt = map[flinkapi.JobState]time.Time{flinkapi.JobRunning: from}
	}
	w.now = from
	for _, p := range w.parts {
		for _, k := range p.tasks {
			k.begin(from)
		}
	}
	lags, told := map[*part]float64{}, map[*reported]reported{}
	for _, p := range w.parts {
		if p.lag != nil {
			lags[p] = *p.lag
		}
		for _, r := range p.told {
			told[r] = *r
		}
	}
	w.pass(w.age)
	for p, lag := range lags { // a lag and what else is told is so as of the first look
		*p.lag = lag
	}
	for r, was := range told {
		*r = was
	}
}

func (w *world) pass(d time.Duration) {
	w.now = w.now.Add(d)
	for _, p := range w.parts {
		for _, k := range p.tasks {
			k.pass(d.Seconds())
		}
		pass(p.told, d)
		if p.lag != nil {
			*p.lag = max(*p.lag+*p.growth*d.Seconds(), 0)
		}
	}
	for _, m := range w.workers {
		m.used += m.cores * d.Seconds()
		pass(m.told, d)
		if !m.silent {
			m.heartbeat = w.now
		}
		if !m.unlisted {
			m.listed = w.now
		}
	}
}

func (k *task) pass(seconds float64) {
	if k.state != flinkapi.TaskRunning {
		return
	}
	k.spent[0] += k.busy * seconds
	k.spent[1] += k.backpressured * seconds
	k.spent[2] += (1 - k.busy - k.backpressured) * seconds
	k.records[0] += k.in * seconds
	k.records[1] += k.out * seconds
}

// collect lets the JobManager collect metrics, unless they stand still.
func (w *world) collect() {
	if w.frozen {
		return
	}
	if w.job.MetricRound++; w.job.MetricRound > 1 {
		w.job.MetricsMoved = w.now
	}
	for _, m := range w.workers {
		m.shown, m.readAt = m.used, w.now
	}
	for _, p := range w.parts {
		if p.held {
			continue
		}
		p.readAt, p.shown = w.now, nil
		for i, k := range p.tasks {
			p.shown = append(p.shown, k.describe(i, w.now, w.untimed))
		}
		p.stacked = w.now
		p.sums = sums(p.shown)
		p.spread = p.spreads(w.gauges)
	}
}

func (p *part) describe() flinkapi.Vertex {
	v := flinkapi.Vertex{
		ID: flinkapi.VertexID(p.name), Name: p.title, Parallelism: len(p.tasks), MaxParallelism: p.most,
		Description: p.chain, Operators: p.operators(),
		State: flinkapi.TaskInitializing, Tasks: map[flinkapi.TaskState]int{},
		Sums: p.sums, Spread: p.spread, SpreadRead: p.readAt, Subtasks: p.shown, SubtasksRead: p.readAt,
		StacksShared: p.shared,
	}
	for _, k := range p.tasks {
		v.Tasks[k.state]++
	}
	if len(p.stacks) > 0 {
		v.Stacks, v.StacksRead, v.StacksFrom = p.stacks, p.stacked, flinkapi.FromThreadDump
		if p.flame {
			v.StacksFrom = flinkapi.FromFlameGraph
		}
	}
	switch {
	case v.Tasks[flinkapi.TaskFinished] == len(p.tasks):
		v.State = flinkapi.TaskFinished
	case v.Tasks[flinkapi.TaskRunning] > 0:
		v.State = flinkapi.TaskRunning
	}
	return v
}

func (k *task) describe(index int, now time.Time, untimed bool) flinkapi.Subtask {
	s := flinkapi.Subtask{
		Index:       index,
		State:       k.state,
		Attempt:     k.attempt,
		Host:        "host-of-" + string(k.worker),
		TaskManager: k.worker,
		StartedAt:   k.since,

		OtherAttempts: k.others,
	}
	if k.state == flinkapi.TaskRunning {
		s.Running = flinkapi.Known(now.Sub(k.since).Seconds())
	}
	if k.mute || k.state == flinkapi.TaskInitializing {
		return s
	}
	s.Readings = make(flinkapi.Readings, flinkapi.IdleShare+1)
	if !k.uncounted {
		s.Readings[flinkapi.RecordsRead] = flinkapi.Known(k.records[0])
		s.Readings[flinkapi.RecordsWritten] = flinkapi.Known(k.records[1])
	}
	signals := []flinkapi.Signal{flinkapi.BusyTime, flinkapi.BackpressuredTime, flinkapi.IdleTime}
	values := k.spent
	if untimed {
		signals = []flinkapi.Signal{flinkapi.BusyShare, flinkapi.BackpressuredShare, flinkapi.IdleShare}
		values = [3]float64{k.busy, k.backpressured, 1 - k.busy - k.backpressured}
	}
	for i, signal := range signals {
		s.Readings[signal] = flinkapi.Known(values[i])
	}
	if k.legacy {
		s.Readings[signals[0]] = flinkapi.NaN()
	}
	return s
}

// sums adds up the counters as Flink does: what is missing is skipped, and one NaN makes the sum NaN.
func sums(subtasks []flinkapi.Subtask) flinkapi.Readings {
	out := make(flinkapi.Readings, flinkapi.IdleShare+1)
	for i := range subtasks {
		for signal, v := range subtasks[i].Readings {
			switch {
			case v == flinkapi.Value{}:
			case v.IsNaN() || out[signal].IsNaN():
				out[signal] = flinkapi.NaN()
			default:
				out[signal] = flinkapi.Known(out[signal].Or(0) + v.Or(0))
			}
		}
	}
	return out
}

// spreads are the metrics over the subtasks: buffers and lag as told, the averages where they are there.
func (p *part) spreads(gauges bool) map[flinkapi.Signal]flinkapi.Spread {
	out := map[flinkapi.Signal]flinkapi.Spread{}
	for _, pool := range []flinkapi.Signal{flinkapi.InPoolUsage, flinkapi.OutPoolUsage} {
		if x, ok := p.spread[pool]; ok {
			out[pool] = x
		}
	}
	if p.lag != nil {
		out[flinkapi.PendingRecords] = flinkapi.Spread{Sum: flinkapi.Known(*p.lag), Max: flinkapi.Known(*p.lag)}
	}
	for _, r := range p.told {
		if known, ok := out[r.signal]; ok && r.operator != "" {
			out[r.signal] = joined(known, r.spread())
		} else {
			out[r.signal] = r.spread()
		}
	}
	if !gauges {
		return out
	}
	shares := map[flinkapi.Signal][]float64{}
	for _, k := range p.tasks {
		if k.mute || k.state != flinkapi.TaskRunning {
			continue
		}
		shares[flinkapi.BusyShare] = append(shares[flinkapi.BusyShare], k.busy)
		shares[flinkapi.BackpressuredShare] = append(shares[flinkapi.BackpressuredShare], k.backpressured)
		shares[flinkapi.IdleShare] = append(shares[flinkapi.IdleShare], 1-k.busy-k.backpressured)
		shares[flinkapi.RecordsInRate] = append(shares[flinkapi.RecordsInRate], k.in)
		shares[flinkapi.RecordsOutRate] = append(shares[flinkapi.RecordsOutRate], k.out)
	}
	for signal, all := range shares {
		out[signal] = spreadOf(all)
	}
	if slices.ContainsFunc(p.tasks, func(k *task) bool { return k.legacy }) { // one NaN poisons all four
		out[flinkapi.BusyShare] = flinkapi.Spread{
			Min: flinkapi.NaN(), Max: flinkapi.NaN(), Mean: flinkapi.NaN(), Sum: flinkapi.NaN(),
		}
	}
	return out
}

func spreadOf(all []float64) flinkapi.Spread {
	low, high, sum := all[0], all[0], 0.0
	for _, x := range all {
		low, high, sum = min(low, x), max(high, x), sum+x
	}
	return flinkapi.Spread{
		Min: flinkapi.Known(low), Max: flinkapi.Known(high), Mean: flinkapi.Known(sum / float64(len(all))),
		Sum: flinkapi.Known(sum),
	}
}

func (m *worker) describe() flinkapi.TaskManager {
	out := flinkapi.TaskManager{
		ID: m.id, Host: "host-of-" + string(m.id), Slots: 4, Heartbeat: m.heartbeat, AsOf: m.listed,
	}
	if m.host != "" {
		out.Host = m.host
	}
	if m.machine != nil {
		out.CPUCores = flinkapi.Known(*m.machine)
	}
	if m.unlisted { // the list shows the heartbeat of when it was read
		out.Heartbeat = m.listed
	}
	if m.known {
		out.Readings = flinkapi.Readings{flinkapi.CPUTime: flinkapi.Known(m.shown)}
		out.ReadingsRead = m.readAt
	}
	for _, r := range m.told {
		if out.Readings == nil {
			out.ReadingsRead = m.readAt
		}
		out.Readings = out.Readings.With(r.signal, r.spread().Max)
	}
	return out
}
