package flinkapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

// twoWorkers spreads the subtasks of a job over two TaskManagers.
func twoWorkers(jobs ...sim.Job) sim.Config {
	return sim.Config{
		Jobs:         jobs,
		TaskManagers: []sim.TaskManager{{ID: "tm-1", Slots: 1}, {ID: "tm-2", Slots: 1}},
	}
}

// notes is a list that requests of one fan-out may add to.
type notes struct {
	mu  sync.Mutex
	all []string
}

func (n *notes) add(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, text)
}

// watchDumps notes when each TaskManager was asked for its threads.
func watchDumps(w *watch) map[string][]time.Time {
	taken := map[string][]time.Time{}
	var lock sync.Mutex
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if strings.HasSuffix(r.URL.Path, "/thread-dump") {
			lock.Lock()
			defer lock.Unlock()
			taken[r.URL.Path] = append(taken[r.URL.Path], w.cluster.Now())
		}
		return nil, nil
	}
	return taken
}

func TestTaskThreadsAreSampled(t *testing.T) {
	w := newWatch(t, twoWorkers(chain(10, 2)))
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	w.watchFor(30*time.Second, &focus, func(snap *flinkapi.Snapshot) { focus.Sample = sample(snap, 5) })
	samples, subtasks := map[time.Time]bool{}, map[int]int{}
	w.watchFor(2*time.Minute, &focus, func(snap *flinkapi.Snapshot) {
		v := snap.Job.Vertices[5]
		if samples[v.StacksRead] || len(v.Stacks) == 0 {
			return
		}
		samples[v.StacksRead] = true
		for _, s := range v.Stacks {
			subtasks[s.Subtask]++
			if len(s.Frames) == 0 || s.State == "" || s.Count != 1 || v.StacksFrom != flinkapi.FromThreadDump {
				t.Fatalf("a stack from a %s is %+v", v.StacksFrom, s)
			}
		}
		if n := len(snap.Job.Vertices[4].Stacks); n > 0 {
			t.Fatalf("%d stacks of a vertex that nobody asked for", n)
		}
	})
	if len(samples) < 10 || subtasks[0] < 10 || subtasks[1] < 10 || len(subtasks) != 2 {
		t.Errorf("%d samples, with so many of each subtask: %v", len(samples), subtasks)
	}
}

// A recording that has no newer dump gives out its newest one again, with the time at which it came.
func TestADumpThatIsGivenOutAgainIsNoFurtherLook(t *testing.T) {
	w := newWatch(t, twoWorkers(chain(10, 2)))
	w.cluster.Advance(5 * time.Minute)
	came := w.cluster.Now()
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if strings.HasSuffix(r.URL.Path, "/thread-dump") {
			flinkapi.ExchangeOf(r.Context()).At = came
		}
		return nil, nil
	}
	focus, looks := flinkapi.Focus{Job: w.firstJob()}, map[time.Time]bool{}
	w.watchFor(time.Minute, &focus, func(snap *flinkapi.Snapshot) {
		focus.Sample = sample(snap, 5)
		if read := snap.Job.Vertices[5].StacksRead; !read.IsZero() {
			looks[read] = true
		}
	})
	if len(looks) != 1 {
		t.Errorf("one dump counts as %d looks", len(looks))
	}
}

func TestThreadDumpsAreBounded(t *testing.T) {
	w := newWatch(t, twoWorkers(chain(10, 2)))
	w.cluster.Advance(5 * time.Minute)
	taken := watchDumps(w)
	focus := flinkapi.Focus{Job: w.firstJob()}
	w.watchFor(3*time.Minute, &focus, func(snap *flinkapi.Snapshot) { focus.Sample = sample(snap, 5) })
	var all []time.Time
	for path, times := range taken {
		all = append(all, times...)
		for i := range times[1:] {
			if gap := times[i+1].Sub(times[i]); gap < 900*time.Millisecond {
				t.Errorf("%s was asked twice within %v", path, gap)
			}
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	const most = 20
	for i := range len(all) - most {
		if span := all[i+most].Sub(all[i]); span < 2*time.Minute {
			t.Fatalf("%d thread dumps in %v", most+1, span)
		}
	}
	if len(taken) != 2 || len(all) < 30 {
		t.Errorf("%d thread dumps of %d TaskManagers", len(all), len(taken))
	}
}

// sample names a vertex by its place.
func sample(snap *flinkapi.Snapshot, n int) []flinkapi.VertexID {
	return []flinkapi.VertexID{snap.Job.Vertices[n].ID}
}

func TestThreadsOfAnotherJobOfThatNameAreNotTaken(t *testing.T) {
	other := chain(4, 2)
	w := newWatch(t, sim.Config{Jobs: []sim.Job{chain(4, 2), other}})
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	shared := false
	w.watchFor(90*time.Second, &focus, func(snap *flinkapi.Snapshot) {
		focus.Sample = sample(snap, 2)
		if got := snap.Job.Vertices[2].Stacks; len(got) > 0 {
			t.Fatalf("took %+v, which may be of the other job", got)
		}
		shared = snap.Job.Vertices[2].StacksShared
		if snap.Job.Vertices[1].StacksShared {
			t.Fatal("a vertex that nobody asked for is told to share its name")
		}
	})
	// One dump of each TaskManager tells that the next would tell nothing.
	if n := w.tap.paths["/taskmanagers/:id/thread-dump"]; n == 0 || n > 2 || !shared {
		t.Errorf("threads were read %d times, and that they are shared is told: %v", n, shared)
	}
}

const flame = `{"endTimestamp":%d,"data":{"name":"root","value":3,"children":[
 {"name":"a.B.work:7","value":3,"children":[]}]}}`

func TestFlameGraphsArePreferred(t *testing.T) {
	cfg := sim.Config{Jobs: []sim.Job{chain(4, 2)}, Settings: map[string]string{"rest.flamegraph.enabled": "true"}}
	w := newWatch(t, cfg)
	w.cluster.Advance(5 * time.Minute)
	asked := &notes{}
	w.tap.bend = func(r *http.Request) (*reply, error) {
		if !strings.HasSuffix(r.URL.Path, "/flamegraph") {
			return nil, nil
		}
		asked.add(r.URL.RawQuery)
		if len(asked.all) == 1 {
			return &reply{200, `{"endTimestamp":-3}`}, nil
		}
		return &reply{200, fmt.Sprintf(flame, 1795981501543+60_000*int64(len(asked.all)/6))}, nil
	}
	focus := flinkapi.Focus{Job: w.firstJob()}
	read := map[time.Time]bool{}
	w.watchFor(2*time.Minute, &focus, func(snap *flinkapi.Snapshot) {
		focus.Sample = sample(snap, 2)
		v := snap.Job.Vertices[2]
		if len(v.Stacks) == 0 {
			return
		}
		read[v.StacksRead] = true
		if s := v.Stacks[0]; s.Count != 3 || s.Subtask != -1 || v.StacksFrom != flinkapi.FromFlameGraph {
			t.Fatalf("a stack from a %s is %+v", v.StacksFrom, s)
		}
	})
	if n := len(asked.all); n < 8 || n > 13 || len(read) < 2 || len(read) > 4 {
		t.Errorf("asked %d times, %d samples", n, len(read))
	}
	if asked.all[0] != "type=FULL" || w.tap.paths["/taskmanagers/:id/thread-dump"] > 0 {
		t.Errorf("asked for %v", asked.all)
	}
}

func TestWithoutFlameGraphsThreadsAreRead(t *testing.T) {
	cfg := sim.Config{Jobs: []sim.Job{chain(4, 2)}, Settings: map[string]string{"rest.flamegraph.enabled": "true"}}
	w := newWatch(t, cfg) // the simulator answers -2: it is off
	w.cluster.Advance(5 * time.Minute)
	focus := flinkapi.Focus{Job: w.firstJob()}
	var last *flinkapi.Snapshot
	w.watchFor(40*time.Second, &focus, func(snap *flinkapi.Snapshot) {
		last, focus.Sample = snap, sample(snap, 2)
	})
	if v := last.Job.Vertices[2]; len(v.Stacks) != 2 || v.StacksFrom != flinkapi.FromThreadDump {
		t.Errorf("the stacks are %+v", v.Stacks)
	}
	if n := w.tap.paths["/jobs/:id/vertices/:id/flamegraph"]; n != 1 {
		t.Errorf("a flame graph that is off was asked for %d times", n)
	}
}

// A dump holds the threads of all jobs, so each job in turn gets its looks without more dumps than one job.
func TestJobsInTurnShareThreadDumps(t *testing.T) {
	jobs := []sim.Job{chain(5, 4), chain(5, 4), chain(5, 4), chain(5, 4)}
	for i := range jobs {
		jobs[i].Name = fmt.Sprint("job ", i)
		for k := range jobs[i].Vertices {
			jobs[i].Vertices[k].Name += fmt.Sprint(" of ", i)
		}
	}
	cfg := twoWorkers(jobs...)
	for i := range cfg.TaskManagers {
		cfg.TaskManagers[i].Slots = 8
	}
	w := newWatch(t, cfg)
	w.cluster.Advance(5 * time.Minute)
	list := w.look(flinkapi.Focus{}).Jobs
	taken := watchDumps(w)
	wanted, looks := map[flinkapi.JobID][]flinkapi.VertexID{}, map[string]int{}
	read := map[string]time.Time{}
	for end := w.cluster.Now().Add(time.Minute); w.cluster.Now().Before(end); {
		for _, j := range list {
			snap := w.look(flinkapi.Focus{Job: j.ID, Turn: true, Sample: wanted[j.ID]})
			if v := snap.Job.Vertices[2]; !v.StacksRead.Equal(read[j.Name]) {
				read[j.Name] = v.StacksRead
				looks[j.Name] += len(v.Stacks)
			}
			if wanted[j.ID] = sample(snap, 2); looks[j.Name] >= 20 {
				wanted[j.ID] = nil
			}
		}
	}
	dumps := 0
	for _, times := range taken {
		dumps += len(times)
	}
	if dumps == 0 || dumps > 20 {
		t.Errorf("%d thread dumps in a minute", dumps)
	}
	for _, j := range list {
		if looks[j.Name] < 20 {
			t.Errorf("%s had %d looks at its threads of %d dumps", j.Name, looks[j.Name], dumps)
		}
	}
}

// Where each job runs on TaskManagers of its own, one has its looks before the next begins.
func TestAJobFinishesItsLooksBeforeAnotherBegins(t *testing.T) {
	jobs := []sim.Job{chain(5, 1), chain(5, 1), chain(5, 1)}
	for i := range jobs {
		jobs[i].Name = fmt.Sprint("job ", i)
	}
	cfg := sim.Config{Jobs: jobs}
	for i := range jobs {
		cfg.TaskManagers = append(cfg.TaskManagers, sim.TaskManager{ID: fmt.Sprint("tm-", i), Slots: 1})
	}
	w := newWatch(t, cfg)
	w.cluster.Advance(5 * time.Minute)
	list := w.look(flinkapi.Focus{}).Jobs
	taken := watchDumps(w)
	wanted := map[flinkapi.JobID][]flinkapi.VertexID{}
	for end := w.cluster.Now().Add(time.Minute); w.cluster.Now().Before(end); {
		for _, j := range list {
			snap := w.look(flinkapi.Focus{Job: j.ID, Turn: true, Sample: wanted[j.ID]})
			wanted[j.ID] = sample(snap, 2)
		}
	}
	var most, all int
	for _, times := range taken {
		most, all = max(most, len(times)), all+len(times)
	}
	if all > 20 || most < 18 {
		t.Errorf("of %d thread dumps the job with the most had %d: %v", all, most, taken)
	}
}
