package diagnose

import (
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

// Sample is what a comparison keeps of one look at a job.
type Sample struct {
	At  time.Time // by the source's clock
	Now time.Time // by the JobManager's clock; zero where that is not known
	Job JobRef
	// Run is when the job began to run last, by the JobManager's clock, and Runs how often it has restarted: a
	// change of either is a restart. RunsFor is the time since; negative where it is not known.
	Run     time.Time
	Runs    flinkapi.Value
	RunsFor time.Duration
	// Round is the collection of metrics that it stands on.
	Round    int
	Told     Told
	Vertices []SampledVertex
	// Checkpoints are those that were seen, newest first.
	Checkpoints []flinkapi.Checkpoint
}

// Told is what a report says, in short.
type Told struct {
	Severity Severity
	Headline string
	// Firm tells that it is not expected to change, whatever is still to be found out about a reason.
	Firm bool
	// Culprits are those that are named, worst first.
	Culprits []Blamed
	// Trouble is the rule that describes the whole job where nobody is named and not all is well; empty where
	// that is not known.
	Trouble string
	// Also are the rules that tell of something beside that, but for headroom, which is compared in numbers;
	// Warns those of them that warn of it; Fine those that looked and found nothing.
	Also, Warns, Fine []string
	// bursts is whom the state of the job tells of as working in bursts that hold nobody back for long.
	bursts flinkapi.VertexID
}

// Blamed is a culprit, with why and how it is slow.
type Blamed struct {
	Vertex  VertexRef
	Reason  string
	Summary string
	Pattern Pattern
}

// SampledVertex is a vertex in one look. In and Out are records per second, Busy and Backpressured the
// largest share over the subtasks, Lag the records that wait at a source.
type SampledVertex struct {
	Vertex                            VertexRef
	Parallelism                       int
	Source, Sink                      bool
	In, Out, Busy, Backpressured, Lag flinkapi.Value
}

// SampleOf returns what a comparison keeps of an observation; it is not ok where it has no report on the job
// that was looked into.
func SampleOf(obs *Observation) (sample Sample, ok bool) {
	job, r := obs.Snapshot.Job, obs.Report
	if job == nil {
		return Sample{}, false
	}
	for i := range obs.Jobs { // of several in turn
		if line := &obs.Jobs[i]; r == nil && line.Job.ID == job.ID && line.At.Equal(obs.At) {
			r = line.Report
		}
	}
	if r == nil || r.Job.ID != job.ID {
		return Sample{}, false
	}
	s := Sample{
		At: obs.At, Now: job.NowAt(obs.At), Job: r.Job, Run: job.EnteredAt[flinkapi.JobRunning],
		Runs: job.Restarts, RunsFor: -1,
		Round: job.MetricRound, Told: toldIn(r),
	}
	if !s.Run.IsZero() && s.Now.After(s.Run) {
		s.RunsFor = s.Now.Sub(s.Run)
	}
	for i := range r.Vertices {
		s.Vertices = append(s.Vertices, sampledVertex(job, r, &r.Vertices[i]))
	}
	if r.Checkpoints != nil {
		s.Checkpoints = r.Checkpoints.History
	}
	return s, true
}

func toldIn(r *Report) Told {
	t := Told{Severity: r.Severity, Headline: r.Headline, Firm: r.Firm}
	for i := range r.Culprits {
		x := &r.Culprits[i]
		t.Culprits = append(t.Culprits, Blamed{x.Vertex, x.Reason.Name, x.Reason.Summary, x.Pattern})
	}
	switch {
	case len(r.Culprits) > 0: // a reason may still be open
		t.Firm = !slices.ContainsFunc(r.Culprits, func(x Culprit) bool { return x.Confidence != Firm })
	case r.State != nil && (r.State.Severity == Warning || r.State.Severity == Critical):
		t.Trouble, t.Firm = r.State.Rule, true // a trouble of the whole job is no matter of shares
	}
	if r.State != nil && r.State.Rule == burstRule().Name {
		t.bursts = r.State.Subject.Vertex
	}
	for i := range r.Also {
		f := &r.Also[i]
		if slices.Contains(t.Also, f.Rule) || slices.ContainsFunc(headroomRules(), func(x Rule) bool {
			return x.Name == f.Rule
		}) {
			continue
		}
		t.Also = append(t.Also, f.Rule)
		if f.Severity == Warning || f.Severity == Critical {
			t.Warns = append(t.Warns, f.Rule)
		}
	}
	for i := range r.Checks {
		if f := &r.Checks[i]; f.Verdict == Fine {
			t.Fine = append(t.Fine, f.Rule)
		}
	}
	return t
}

func sampledVertex(job *flinkapi.Job, r *Report, v *VertexState) SampledVertex {
	from := func(e flinkapi.Edge) bool { return e.From == v.Vertex.ID }
	to := func(e flinkapi.Edge) bool { return e.To == v.Vertex.ID }
	out := SampledVertex{
		Vertex: v.Vertex, In: v.RecordsIn, Out: v.RecordsOut, Busy: v.Busy, Backpressured: v.Backpressured,
		Source: !slices.ContainsFunc(job.Edges, to), Sink: !slices.ContainsFunc(job.Edges, from),
	}
	if vertex := job.Vertex(v.Vertex.ID); vertex != nil {
		out.Parallelism = vertex.Parallelism
	}
	for i, n := 0, 0; i < len(r.Sources); i++ {
		if s := &r.Sources[i]; s.Vertex.ID == v.Vertex.ID {
			if n++; n == 1 {
				out.Lag = s.Lag
			} else {
				out.Lag = plus(out.Lag, s.Lag)
			}
		}
	}
	return out
}

// key tells verdicts apart by whom they name, not by their numbers.
func (t *Told) key() string {
	names := []string{t.Trouble}
	for i := range t.Culprits {
		names = append(names, t.Culprits[i].Vertex.Name)
	}
	slices.Sort(names)
	return strings.Join(names, "\n")
}

// SampleSpan is how far back samples are kept for a comparison with now.
const SampleSpan = time.Hour

// sameRound tells whether two samples stand on one collection of metrics.
func (s *Sample) sameRound(o *Sample) bool {
	return s.Round == o.Round && s.Job.ID == o.Job.ID && s.Run.Equal(o.Run)
}

// KeepSample adds a sample to those kept, oldest first, and forgets what is older than SampleSpan. Of one
// collection of metrics only the newest look is kept. A sample of another job or of an earlier time begins
// anew.
func KeepSample(kept []Sample, next Sample) []Sample {
	if n := len(kept); n > 0 {
		last := &kept[n-1]
		switch {
		case last.Job.Name != next.Job.Name || next.At.Before(last.At):
			kept = nil
		case next.sameRound(last):
			kept = kept[:n-1]
		}
	}
	old := 0
	for old < len(kept) && next.At.Sub(kept[old].At) > SampleSpan {
		old++
	}
	return append(kept[old:], next)
}
