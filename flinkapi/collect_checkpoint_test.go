package flinkapi_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

// slowCheckpoints is a job whose checkpoints take seconds, as its middle is held up.
func slowCheckpoints() sim.Job {
	job := chain(6, 2)
	job.Checkpoints.Interval = 20 * time.Second
	return job
}

// watchCheckpoints watches for three minutes and returns the last snapshot and the paths below details/.
func watchCheckpoints(t *testing.T, job sim.Job, asked bool) (*flinkapi.Snapshot, []string) {
	t.Helper()
	w := newWatch(t, sim.Config{Jobs: []sim.Job{job}})
	w.cluster.Advance(5 * time.Minute)
	seen := &notes{}
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if _, below, found := strings.Cut(r.URL.Path, "/checkpoints/details/"); found {
			seen.add(below)
		}
		return nil, nil
	}
	focus := flinkapi.Focus{Job: w.firstJob(), Checkpoint: asked}
	var last *flinkapi.Snapshot
	round, before := 0, 0
	w.watchFor(3*time.Minute, &focus, func(snap *flinkapi.Snapshot) {
		if snap.Job.MetricRound == round {
			last = snap
			return
		}
		if n := len(seen.all) - before; n > 5 {
			t.Errorf("round %d looked %d times into checkpoints: %v", round, n, seen.all[before:])
		}
		last, round, before = snap, snap.Job.MetricRound, len(seen.all)
	})
	return last, seen.all
}

func TestCheckpointsAreLookedIntoWhenAsked(t *testing.T) {
	last, _ := watchCheckpoints(t, slowCheckpoints(), true)
	dissected, parts := 0, 0
	for _, one := range last.Job.Checkpoints.History {
		if one.Vertices != nil {
			dissected++
			parts += checkVertices(t, last.Job, one)
		}
	}
	if dissected < 4 || parts < 8 {
		t.Errorf("%d checkpoints are known by vertex, %d parts by subtask", dissected, parts)
	}
}

// checkVertices holds a checkpoint to one plausible entry for each vertex, and counts those by subtask.
func checkVertices(t *testing.T, job *flinkapi.Job, one flinkapi.Checkpoint) (parts int) {
	t.Helper()
	if len(one.Vertices) != len(job.Vertices) {
		t.Errorf("checkpoint %d has %d vertices", one.ID, len(one.Vertices))
	}
	for _, v := range one.Vertices {
		if job.Vertex(v.Vertex) == nil || v.Subtasks != 2 {
			t.Errorf("checkpoint %d has the vertex %+v", one.ID, v)
		}
		for _, p := range v.Parts {
			parts++
			if p.Acked && p.Duration < p.StartDelay {
				t.Errorf("checkpoint %d: %+v", one.ID, p)
			}
		}
	}
	return parts
}

func TestACheckpointThatIsOverIsReadOnce(t *testing.T) {
	job := chain(6, 2)
	job.Vertices[3].Service = 200 * time.Microsecond // nothing is held up: checkpoints are quick
	job.Checkpoints.Interval = 20 * time.Second
	last, seen := watchCheckpoints(t, job, true)
	times := map[string]int{}
	for _, path := range seen {
		times[path]++
	}
	for path, n := range times {
		if n > 1 {
			t.Errorf("%s was read %d times", path, n)
		}
	}
	if len(times) < 8 || last.Job.Checkpoints.History[0].Duration > time.Second {
		t.Errorf("read %v; the newest is %+v", seen, last.Job.Checkpoints.History[0])
	}
}

func TestQuickCheckpointsAreLeftAlone(t *testing.T) {
	job := chain(6, 2)
	job.Vertices[3].Service = 200 * time.Microsecond
	if _, seen := watchCheckpoints(t, job, false); len(seen) > 0 {
		t.Errorf("looked into %v", seen)
	}
}

func TestSlowCheckpointsAreLookedIntoUnasked(t *testing.T) {
	last, seen := watchCheckpoints(t, slowCheckpoints(), false)
	subtasks := regexp.MustCompile(`^\d+/subtasks/`)
	details, parts := 0, 0
	for _, path := range seen {
		if subtasks.MatchString(path) {
			parts++
		} else {
			details++
		}
	}
	if details < 4 || parts < 3 || parts > details {
		t.Errorf("%d details and %d parts: %v", details, parts, seen)
	}
	if c := last.Job.Checkpoints; !c.Configured || !c.ExactlyOnce || c.MaxConcurrent != 1 {
		t.Errorf("the configuration is %+v", c)
	}
}
