package flinkapi_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/flinkapi"
)

// recording answers with the bodies that a real cluster gave, in testdata/rest/VERSION/SCENARIO.
type recording struct {
	t     *testing.T
	dir   string
	files map[string]recordedFile // by path
	later bool                    // the answers of a collection of metrics later, where there are any
}

type recordedFile struct {
	File   string `json:"file"`
	Path   string `json:"path"`
	Status int    `json:"status"`
}

func openRecording(t *testing.T, dir string) *recording {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(dir, "requests.json"))
	if err != nil {
		t.Fatal(err)
	}
	var index []recordedFile
	if err := json.Unmarshal(body, &index); err != nil {
		t.Fatal(err)
	}
	r := &recording{t: t, dir: dir, files: map[string]recordedFile{}}
	for _, f := range index {
		path, query, _ := strings.Cut(f.Path, "?")
		if strings.HasSuffix(f.File, ".later.json") {
			path = "later:" + path
		}
		if query == "" && strings.HasSuffix(path, "/subtasks/metrics") {
			path += "?" // the names alone
		}
		r.files[path] = f
	}
	return r
}

// job returns the id of the recorded job.
func (r *recording) job() flinkapi.JobID {
	for path := range r.files {
		if id, found := strings.CutPrefix(path, "/jobs/"); found && len(id) == 32 {
			return flinkapi.JobID(id)
		}
	}
	r.t.Fatalf("%s holds no job", r.dir)
	return ""
}

func (r *recording) RoundTrip(request *http.Request) (*http.Response, error) {
	path := request.URL.Path
	names := request.URL.Query().Get("get")
	if names == "" && strings.HasSuffix(path, "/subtasks/metrics") {
		path += "?"
	}
	file, found := r.files["later:"+path]
	if !found || !r.later {
		file, found = r.files[path]
	}
	if !found {
		return respond(request, http.StatusNotFound, fmt.Sprintf(`{"errors":["Not found: %s"]}`, path)), nil
	}
	body, err := os.ReadFile(filepath.Join(r.dir, file.File))
	if err != nil {
		return nil, err
	}
	switch {
	case names != "":
		body = r.choose(body, strings.Split(names, ","), strings.Contains(path, "/subtasks/"))
	case strings.HasSuffix(path, "?"):
		body = r.withValues(body, strings.TrimSuffix(path, "?"))
	}
	return respond(request, file.Status, string(body)), nil
}

// choose picks the metrics that were asked for; one unknown name empties an aggregated answer.
func (r *recording) choose(body []byte, names []string, aggregated bool) []byte {
	var all []map[string]any
	if err := json.Unmarshal(body, &all); err != nil {
		r.t.Error(err)
	}
	known := []map[string]any{}
	for _, m := range all {
		if name, _ := m["id"].(string); slices.Contains(names, name) {
			known = append(known, m)
		}
	}
	if aggregated && len(known) < len(names) {
		known = known[:0]
	}
	chosen, err := json.Marshal(known)
	if err != nil {
		r.t.Error(err)
	}
	return chosen
}

// withValues leaves in a list of names those whose values were recorded.
func (r *recording) withValues(names []byte, path string) []byte {
	values, err := os.ReadFile(filepath.Join(r.dir, r.files[path].File))
	if err != nil {
		r.t.Error(err)
	}
	var all []map[string]any
	if err := json.Unmarshal(values, &all); err != nil {
		r.t.Error(err)
	}
	recorded := make([]string, len(all))
	for i, m := range all {
		recorded[i], _ = m["id"].(string)
	}
	return r.choose(names, recorded, false)
}

func respond(r *http.Request, status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}
}

// lookTwice looks at the recorded job until the second collection of metrics was read.
func (r *recording) lookTwice() *flinkapi.Snapshot {
	r.t.Helper()
	now := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	client, err := flinkapi.NewClient(flinkapi.Options{URL: "http://jobmanager:8081", Transport: r})
	if err != nil {
		r.t.Fatal(err)
	}
	collector := flinkapi.NewCollector(client, flinkapi.CollectorOptions{Clock: func() time.Time { return now }})
	focus := flinkapi.Focus{Job: r.job(), TaskManagers: []flinkapi.TaskManagerID{"tm-1"}}
	_, focus.Checkpoint = r.files["/taskmanagers/tm-1/thread-dump"] // then what a culprit is worth was recorded too
	var snap *flinkapi.Snapshot
	span := 18 * time.Second
	if focus.Checkpoint {
		span = 100 * time.Second // for the names of all vertices
	}
	for end := now.Add(span); now.Before(end); now = now.Add(collector.Wait()) {
		r.later = end.Sub(now) < span*4/9
		if snap, err = collector.Next(r.t.Context(), focus); err != nil {
			r.t.Fatal(err)
		}
		if vertices := snap.Job.Vertices; focus.Checkpoint {
			focus.Sample = []flinkapi.VertexID{vertices[len(vertices)/2].ID}
		}
	}
	return snap
}

// TestRecordedClusters compares what is made of real answers, as text, with files that were checked by
// hand. UPDATE=1 rewrites them.
func TestRecordedClusters(t *testing.T) {
	dirs, err := filepath.Glob("testdata/rest/*/*")
	if err != nil || len(dirs) < 10 {
		t.Fatalf("found %d recordings, error %v", len(dirs), err)
	}
	for _, dir := range dirs {
		scenario, version := filepath.Base(dir), filepath.Base(filepath.Dir(dir))
		t.Run(version+"/"+scenario, func(t *testing.T) {
			got := text(openRecording(t, dir).lookTwice())
			golden := filepath.Join("testdata", "snapshots", version+"-"+scenario+".txt")
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("the snapshot of %s differs (-want +got):\n%s", dir, diff)
			}
		})
	}
}

// text writes a snapshot out, one thing a line.
func text(s *flinkapi.Snapshot) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("cluster %+v", s.Cluster)
	for _, j := range s.Jobs {
		line("job %s %q %s %s..%s", j.ID, j.Name, j.State, clock(j.StartedAt), clock(j.EndedAt))
	}
	for _, p := range s.Problems {
		line("problem %q %s", p.Subject, p.Err)
	}
	for _, tm := range s.TaskManagers {
		line("TaskManager %s on %s, %d of %d slots free, %v cores, silent for %v: %s", tm.ID, tm.Host, tm.FreeSlots,
			tm.Slots, tm.CPUCores, tm.AsOf.Sub(tm.Heartbeat), readings(tm.Readings))
	}
	j := s.Job
	line("focus %s %q %s %s, started %s, now %s, restarts %v, round %d, parallelism %v, object reuse %v", j.ID,
		j.Name, j.State, j.Type, clock(j.StartedAt), clock(j.Now), j.Restarts, j.MetricRound, j.Parallelism,
		j.ObjectReuse)
	for _, state := range slices.Sorted(maps.Keys(j.EnteredAt)) {
		line("  entered %s %s", state, clock(j.EnteredAt[state]))
	}
	for _, e := range j.Exceptions {
		line("  exception %s %q in %q on %s, %s", e.Name, e.Root, e.Task, e.Host, clock(e.At))
	}
	checkpointText(line, j)
	for _, e := range j.Edges {
		line("  edge %s -> %s %s blocking %v", j.Vertex(e.From).Name, j.Vertex(e.To).Name, e.Ship, e.Blocking)
	}
	for _, v := range j.Vertices {
		line("  vertex %s %q %s x%d of %d %v: %s", v.ID, v.Name, v.State, v.Parallelism, v.MaxParallelism, v.Tasks,
			readings(v.Sums))
		line("    description %q", v.Description)
		for _, signal := range slices.Sorted(maps.Keys(v.Spread)) {
			line("    %s %v", signal, v.Spread[signal])
			for _, one := range v.Operators[signal] {
				line("      of %q %v", one.Operator, one.Spread)
			}
		}
		stackText(line, v)
		for _, t := range v.Subtasks {
			line("    %d %s attempt %d on %s %s since %s, running %v, initializing %v, others %d: %s",
				t.Index, t.State, t.Attempt, t.Host, t.TaskManager, clock(t.StartedAt), t.Running, t.Initializing,
				t.OtherAttempts, readings(t.Readings))
		}
	}
	return b.String()
}

func checkpointText(line func(string, ...any), j *flinkapi.Job) {
	c := j.Checkpoints
	if c == nil {
		return
	}
	line("  checkpoints enabled %v every %v, timeout %v, unaligned %v: %d completed, %d failed, %d running",
		c.Enabled, c.Interval, c.Timeout, c.Unaligned, c.Completed, c.Failed, c.Running)
	line("    exactly once %v, pause %v, %d at once, aligned for %v, %v may fail, %s in %s, changelog %v", c.ExactlyOnce,
		c.MinPause, c.MaxConcurrent, c.AlignedTimeout, c.TolerableFailures, c.Backend, c.Storage, c.Changelog)
	for _, one := range c.History {
		line("    %d %s savepoint %v at %s took %v, %v bytes, %d of %d %q", one.ID, one.Status, one.Savepoint,
			clock(one.TriggeredAt), one.Duration, one.StateBytes, one.Acked, one.Subtasks, one.Failure)
		line("      unaligned %v, acknowledged %s, wrote %v, took in %v, holds %v in flight, failed %s", one.Unaligned,
			clock(one.AckedAt), one.CheckpointedBytes, one.ProcessedBytes, one.PersistedBytes, clock(one.FailedAt))
		for _, v := range one.Vertices {
			line("      %s took %v, %v bytes of which %v written, %d of %d", fmt.Sprintf("%.20q", j.Vertex(v.Vertex).Name), v.Duration,
				v.StateBytes, v.CheckpointedBytes, v.Acked, v.Subtasks)
			for _, part := range v.Parts {
				line("        %+v", part)
			}
		}
	}
}

// stackText writes the most frequent stacks of a sample.
func stackText(line func(string, ...any), v flinkapi.Vertex) {
	const most = 5
	if len(v.Stacks) == 0 {
		return
	}
	line("    %d stacks from a %s", len(v.Stacks), v.StacksFrom)
	for _, s := range v.Stacks[:min(len(v.Stacks), most)] {
		top := s.Frames[0]
		line("      %d times %s %s.%s:%d below %d frames", s.Count, s.State, top.Class, top.Method, top.Line,
			len(s.Frames)-1)
	}
}

func clock(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format("15:04:05.000")
}

func readings(r flinkapi.Readings) string {
	var all []string
	for s, v := range r {
		if v != (flinkapi.Value{}) {
			all = append(all, fmt.Sprintf("%s %v", flinkapi.Signal(s), v))
		}
	}
	return strings.Join(all, ", ")
}
