package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/tape"
)

// story is what a recording tells: the verdicts over time and what happened meanwhile.
type story struct {
	file, target string
	flink        string
	from, to     time.Time
	zone         *time.Location
	looks        int
	jobs         []*jobStory // in the order in which they were met
	lost         []event     // when the cluster did not answer
	failing      bool
	notes        []string // about the file itself
}

// jobStory is the story of one job.
type jobStory struct {
	id       flinkapi.JobID
	name     string
	verdicts []verdict
	events   []event
	points   []point
	worst    *diagnose.Report // the firm verdict of the worst severity, the newest of them
	last     *diagnose.Report
	// before is the job as it was seen last.
	before *flinkapi.Job
	checks map[int64]flinkapi.Checkpoint
	// lost is the verdict of a cluster that does not answer; nil while it does.
	lost *verdict
}

// verdict is a change of the verdict. With err it is that of the time in which the cluster did not answer,
// and report is the one before.
type verdict struct {
	at     time.Time
	report *diagnose.Report
	err    error
}

func (v *verdict) severity() diagnose.Severity {
	if v.err != nil {
		return diagnose.UnknownSeverity
	}
	return v.report.Severity
}

func (v *verdict) headline() string {
	if v.err != nil {
		return v.err.Error()
	}
	return v.report.Headline
}

func (v *verdict) firmness() string {
	if v.err == nil && v.report.Firm {
		return "firm"
	}
	return "not firm"
}

// event is something that happened.
type event struct {
	at   time.Time
	what string
}

// point is the pressure at one moment: the largest shares over all subtasks.
type point struct {
	at             time.Time
	pressure, busy flinkapi.Value
}

func newStory(r *tape.Recording, file string, zone *time.Location) *story {
	s := &story{file: file, target: r.Target(), zone: zone, looks: r.Len()}
	s.from, s.to = r.Span()
	return s
}

// close notes what could not be read of the file, once it was played to its end.
func (s *story) close(p *tape.Player) {
	for _, loss := range p.Losses() {
		s.notes = append(s.notes, loss.Text(s.zone))
		if !loss.Doubtful {
			s.looks -= loss.Looks
		}
	}
}

// take adds one look, or that it failed.
func (s *story) take(at time.Time, obs *diagnose.Observation, err error) {
	if err != nil {
		if !s.failing {
			s.lost = append(s.lost, event{at, err.Error()})
			for _, j := range s.jobs {
				j.lose(at, err)
			}
		}
		s.failing = true
		return
	}
	if s.failing {
		s.lost = append(s.lost, event{at, "the cluster answers again"})
		s.failing = false
	}
	s.flink = first(obs.Snapshot.Cluster.Version, s.flink)
	for _, report := range newReports(obs) {
		s.job(report.Job).take(obs, report)
	}
}

// newReports are the reports that this look made.
func newReports(obs *diagnose.Observation) []*diagnose.Report {
	if obs.Report != nil {
		return []*diagnose.Report{obs.Report}
	}
	var all []*diagnose.Report
	for _, line := range obs.Jobs {
		if line.Report != nil && line.At.Equal(obs.At) {
			all = append(all, line.Report)
		}
	}
	return all
}

func (s *story) job(ref diagnose.JobRef) *jobStory {
	for _, j := range s.jobs {
		if j.id == ref.ID {
			return j
		}
	}
	j := &jobStory{id: ref.ID, name: ref.Name, checks: map[int64]flinkapi.Checkpoint{}}
	s.jobs = append(s.jobs, j)
	return j
}

// lose begins the time in which nothing is known of the job; what one that was over has come to stays.
func (j *jobStory) lose(at time.Time, err error) {
	if j.lost == nil && !j.last.Job.State.Over() {
		j.lost = &verdict{at, j.last, err}
		j.verdicts = append(j.verdicts, *j.lost)
	}
}

func (j *jobStory) take(obs *diagnose.Observation, r *diagnose.Report) {
	if j.last == nil || j.lost != nil || verdictKey(j.last) != verdictKey(r) {
		j.verdicts = append(j.verdicts, verdict{at: obs.At, report: r})
	}
	j.lost = nil
	j.last = r
	if r.Firm && (j.worst == nil || r.Severity.Worse(j.worst.Severity) == r.Severity) {
		j.worst = r
	}
	p := point{at: obs.At}
	for i := range r.Vertices {
		p.pressure = higher(p.pressure, r.Vertices[i].Backpressured)
		p.busy = higher(p.busy, r.Vertices[i].Busy)
	}
	j.points = append(j.points, p)
	if job := obs.Snapshot.Job; job != nil && job.ID == j.id {
		j.compare(obs.At, job)
		j.before = job
	}
}

func higher(a, b flinkapi.Value) flinkapi.Value {
	x, known := a.Float()
	if y, other := b.Float(); other && (!known || y > x) {
		return b
	}
	return a
}

// verdictKey is what makes a verdict another one: numbers in its sentence do not.
func verdictKey(r *diagnose.Report) string {
	parts := []string{r.Severity.String(), fmt.Sprint(r.Firm)}
	for i := range r.Culprits {
		x := &r.Culprits[i]
		parts = append(parts, string(x.Vertex.ID), x.Reason.Name, string(x.Confidence))
	}
	if r.State != nil {
		parts = append(parts, r.State.Rule)
	}
	return strings.Join(parts, "|")
}

// compare notes what happened to the job since it was seen last.
func (j *jobStory) compare(at time.Time, now *flinkapi.Job) {
	add := func(format string, args ...any) {
		j.events = append(j.events, event{at, fmt.Sprintf(format, args...)})
	}
	old := j.before
	if old == nil {
		j.noteCheckpoints(now)
		return
	}
	if now.State != old.State {
		add("the job became %s", now.State)
	}
	if more := now.Restarts.Or(0) - old.Restarts.Or(0); more > 0 && old.Restarts.IsKnown() {
		add("the job restarted (%g times since it started)", now.Restarts.Or(0))
	}
	for i := range now.Vertices {
		v := &now.Vertices[i]
		if before := old.Vertex(v.ID); before != nil && before.Parallelism != v.Parallelism {
			add("%s was rescaled from %d to %d subtasks", v.Name, before.Parallelism, v.Parallelism)
		}
	}
	for _, x := range now.Exceptions {
		if !slices.Contains(old.Exceptions, x) {
			add("%s", x.Root)
		}
	}
	j.noteCheckpoints(now)
}

func (j *jobStory) noteCheckpoints(now *flinkapi.Job) {
	if now.Checkpoints == nil {
		return
	}
	for _, c := range now.Checkpoints.History {
		j.checks[c.ID] = c
	}
}

// severity is the worst of the firm verdicts, or of the last ones where none was firm; unknown counts where
// the recording ends without answers.
func (s *story) severity() diagnose.Severity {
	if len(s.jobs) == 0 {
		return diagnose.UnknownSeverity
	}
	worst := diagnose.OK
	for _, j := range s.jobs {
		worst = worst.Worse(j.severity())
	}
	return worst
}

func (j *jobStory) severity() diagnose.Severity {
	if j.lost != nil {
		return j.told().Severity.Worse(diagnose.UnknownSeverity)
	}
	return j.told().Severity
}

// told is the verdict that the job's story is about.
func (j *jobStory) told() *diagnose.Report {
	if j.worst != nil {
		return j.worst
	}
	return j.last
}

// headline is the worst job's.
func (s *story) headline() string {
	if len(s.jobs) == 0 {
		return "no job was looked into" + s.whyNot()
	}
	var worst *jobStory
	for _, j := range s.jobs {
		if worst == nil || worst.severity().Worse(j.severity()) != worst.severity() {
			worst = j
		}
	}
	text := worst.told().Headline
	if gone := worst.lost; gone != nil {
		since := fmt.Sprintf("unknown since %s: %v", s.clock(gone.at), gone.err)
		if worst.severity() == diagnose.UnknownSeverity {
			text = since + "; before that: " + text
		} else {
			text += "; " + since
		}
	}
	if len(s.jobs) == 1 {
		return text
	}
	return fmt.Sprintf("%s: %s (worst of %d jobs)", worst.name, text, len(s.jobs))
}

func (s *story) whyNot() string {
	if len(s.lost) == 0 {
		return ""
	}
	return ": " + s.lost[0].what
}

// exit is the error that ends the program with the severity's code; nil for ok.
func (s *story) exit() error {
	if severity := s.severity(); severity != diagnose.OK {
		return exitCode(int(severity))
	}
	return nil
}

// happened are the events of the job and of the cluster in order.
func (s *story) happened(j *jobStory) []event {
	all := slices.Concat(j.events, s.lost)
	slices.SortStableFunc(all, func(a, b event) int { return a.at.Compare(b.at) })
	return all
}
