package sim

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"math"
)

// Job and execution states, as Flink spells them.
const (
	created      = "CREATED"
	scheduled    = "SCHEDULED"
	deploying    = "DEPLOYING"
	initializing = "INITIALIZING"
	running      = "RUNNING"
	finished     = "FINISHED"
	canceling    = "CANCELING"
	canceled     = "CANCELED"
	failing      = "FAILING"
	failed       = "FAILED"
	restarting   = "RESTARTING"
	reconciling  = "RECONCILING"
)

// Durations of the steps of a deployment, in seconds.
const (
	schedulingTime      = 0.1
	deployingTime       = 0.2
	defaultInitializing = 0.5
)

// job is a running Job. Times are in seconds since the start of the cluster.
type job struct {
	spec  Job
	id    string
	index int
	net   *network
	// vertexIDs and subtasks go by position in Graph.Vertices.
	vertexIDs []string
	subtasks  [][]subtask
	plan      planBody

	state string
	// entered is when the job last came into each state; absent for never.
	entered  map[string]float64
	started  float64
	ended    float64
	restarts int
	// rescales counts planned redeployments, which are no restarts from 2.0 on.
	rescales int
	// retryAt is when a job that is RESTARTING deploys again.
	retryAt float64
	// pending are changes that wait for it; planned says that the job did not fail but was stopped.
	pending    []Change
	planned    bool
	nextChange int
	// fired tells which faults of the spec have happened.
	fired      []bool
	exceptions []exception
	checkpoint checkpointing
	// settled says that no task is on its way to RUNNING.
	settled bool
	// finite says that tasks can finish.
	finite bool
}

// subtask is what the JobManager knows of a task, and the views that its TaskManager keeps of it.
type subtask struct {
	status  string
	attempt int
	worker  int
	// entered is when this attempt came into each state, by stateIndex; NaN for never.
	entered [stateCount]float64
	// carried is how many records earlier attempts handled up to the checkpoint that this one was restored
	// from.
	carried float64
	lost    bool

	blocked, idle timeGauge
	in, out       meter
	// fired counts timers.
	fired meter
}

const stateCount = 10

// executionStates are in the order of Flink's enumeration.
func executionStates() [stateCount]string {
	return [...]string{
		created, scheduled, deploying, running, finished, canceling, canceled, failed, reconciling, initializing,
	}
}

func stateIndex(state string) int {
	for i, s := range executionStates() {
		if s == state {
			return i
		}
	}
	return -1
}

// exception is an entry of the job's history of failures.
type exception struct {
	at             float64
	class, message string
	// vertex and subtask are where it came from; vertex is -1 for the job as a whole.
	vertex, subtask, attempt, worker int
}

func newJob(spec Job, index int, step float64) *job {
	if err := spec.Validate(); err != nil {
		panic(fmt.Sprintf("sim: job %q: %v", spec.Name, err))
	}
	spec.Graph = spec.normal()
	j := &job{
		spec: spec, index: index, id: hexID("job", fmt.Sprint(index), spec.Name), entered: map[string]float64{},
		net: newNetwork(spec.Graph, step, spec.Jitter), finite: spec.Batch,
	}
	for i, v := range spec.Vertices {
		j.vertexIDs = append(j.vertexIDs, hexID("vertex", fmt.Sprint(i), v.Name))
		j.subtasks = append(j.subtasks, make([]subtask, v.Parallelism))
		j.finite = j.finite || v.Source != nil && v.Source.Records > 0
	}
	j.fired = make([]bool, len(spec.Faults))
	j.checkpoint = newCheckpointing(spec.Checkpoints)
	j.plan = j.makePlan()
	return j
}

// hexID makes an id in the form of Flink's: 32 hexadecimal digits.
func hexID(parts ...string) string {
	h := md5.New()
	for _, p := range parts {
		h.Write([]byte(p + "\x00"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// width is the number of slots that the job needs.
func (j *job) width() int {
	w := 0
	for _, v := range j.net.vertices {
		w = max(w, v.Parallelism)
	}
	return w
}

func (j *job) enter(state string, now float64) {
	j.state = state
	j.entered[state] = now
}

func (j *job) terminal() bool { return j.state == finished || j.state == failed || j.state == canceled }

// each calls f for every subtask of every vertex.
func (j *job) each(f func(v, i int, s *subtask, t *task)) {
	for v := range j.subtasks {
		for i := range j.subtasks[v] {
			f(v, i, &j.subtasks[v][i], &j.net.vertices[v].tasks[i])
		}
	}
}

func (s *subtask) enter(state string, now float64) {
	s.status = state
	s.entered[stateIndex(state)] = now
}

// at is when this attempt came into state, or NaN.
func (s *subtask) at(state string) float64 { return s.entered[stateIndex(state)] }

func (s *subtask) terminal() bool {
	return s.status == finished || s.status == failed || s.status == canceled
}

// endedAt is when a terminal attempt ended, or NaN.
func (s *subtask) endedAt() float64 {
	if !s.terminal() {
		return math.NaN()
	}
	return s.at(s.status)
}

// reset makes a new attempt in state CREATED.
func (s *subtask) reset(attempt int, now float64) {
	*s = subtask{attempt: attempt, worker: s.worker, carried: s.carried}
	for i := range s.entered {
		s.entered[i] = math.NaN()
	}
	s.enter(created, now)
}
