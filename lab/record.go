package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"culprit/lab/cluster"
	"culprit/lab/rest"
)

// fetchPause is longer than the JobManager's default metric fetch interval, so that a second look has newer
// values.
const fetchPause = 12 * time.Second

// recorded is one line of requests.json: which answer lies in which file.
type recorded struct {
	File   string `json:"file"`
	Path   string `json:"path"`
	Status int    `json:"status"`
}

// EveryMetric is a job that shows about everything that Flink can report, with the options of the cluster
// that switch it on. It has no verdict: it is for recordings alone.
func EveryMetric() (Scenario, map[string]string) {
	const rocksdb = "state.backend.rocksdb.metrics."
	options := map[string]string{
		"rest.flamegraph.enabled":                           "true",
		"state.backend.type":                                "rocksdb",
		"state.latency-track.keyed-state-enabled":           "true",
		"taskmanager.network.memory.buffer-debloat.enabled": "true",
	}
	for _, metric := range []string{
		"is-write-stopped", "actual-delayed-write-rate", "estimate-pending-compaction-bytes",
		"num-running-compactions", "mem-table-flush-pending", "num-files-at-level", "stall-micros",
		"block-cache-hit", "block-cache-miss",
	} {
		options[rocksdb+metric] = "true"
	}
	return Scenario{Name: "every-metric", Class: "EveryMetric"}, options
}

// Record saves the answers of the endpoints that culprit reads, one folder of dir for each job, with a
// requests.json that tells path and status of each file. Files named *.later.json were read a metric fetch
// later.
func Record(ctx context.Context, c *cluster.Cluster, jobs map[string]cluster.JobID, dir string) error {
	client := rest.Client{URL: c.URL()}
	recorders := map[string]*recorder{}
	for _, name := range slices.Sorted(maps.Keys(jobs)) {
		r := &recorder{client: client, dir: filepath.Join(dir, name), job: jobs[name], private: c.Logs()}
		if err := r.prepare(ctx); err != nil {
			return fmt.Errorf("record %s: %w", name, err)
		}
		recorders[name] = r
	}
	for _, suffix := range []string{"", ".later"} {
		if err := Sleep(ctx, fetchPause); err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(recorders)) {
			if err := recorders[name].look(ctx, suffix); err != nil {
				return fmt.Errorf("record %s: %w", name, err)
			}
		}
	}
	return nil
}

type recorder struct {
	client   rest.Client
	dir      string
	job      cluster.JobID
	private  string // the folder of this machine that must not appear
	vertices []vertexName
	index    []recorded
}

type vertexName struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// prepare empties the folder and asks for the job once, which starts the JobManager's metric fetch.
func (r *recorder) prepare(ctx context.Context) error {
	if err := os.RemoveAll(r.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	var job struct {
		Vertices []vertexName `json:"vertices"`
	}
	if err := r.client.Get(ctx, "/jobs/"+string(r.job), &job); err != nil {
		return err
	}
	r.vertices = job.Vertices
	return r.sample(ctx)
}

// look saves one round of answers and the index.
func (r *recorder) look(ctx context.Context, suffix string) error {
	requests := r.requests(suffix != "")
	if suffix == "" {
		found, err := r.found(ctx)
		if err != nil {
			return err
		}
		requests = append(requests, found...)
	}
	for _, request := range requests {
		if err := r.save(ctx, request.File+suffix+".json", request.Path); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(r.index, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dir, "requests.json"), append(text, '\n'), 0o644)
}

// requests lists what to ask; a later round has only what differences are made of.
func (r *recorder) requests(later bool) []recorded {
	job := "/jobs/" + string(r.job)
	list := []recorded{{File: "job", Path: job}}
	if !later {
		list = append(list, recorded{File: "config", Path: "/config"},
			recorded{File: "jobs-overview", Path: "/jobs/overview"},
			recorded{File: "jobmanager-config", Path: "/jobmanager/config"},
			recorded{File: "job-config", Path: job + "/config"},
			recorded{File: "job-checkpoints", Path: job + "/checkpoints"},
			recorded{File: "job-checkpoints-config", Path: job + "/checkpoints/config"},
			recorded{File: "job-exceptions", Path: job + "/exceptions"},
			recorded{File: "job-metrics", Path: job + "/metrics?get=" + names(jobMetrics())})
	}
	worker := "/taskmanagers/tm-1/metrics?get=" + names(workerMetrics())
	list = append(list, recorded{File: "taskmanagers", Path: "/taskmanagers"},
		recorded{File: "taskmanager-tm-1-metrics", Path: worker})
	for _, v := range r.vertices {
		file, path := "vertex-"+slug(v.Name), job+"/vertices/"+v.ID
		list = append(list, recorded{File: file, Path: path})
		if !later {
			list = append(list, recorded{File: file + "-backpressure", Path: path + "/backpressure"},
				recorded{File: file + "-metric-names", Path: path + "/subtasks/metrics"},
				recorded{File: file + "-watermarks", Path: path + "/watermarks"})
		}
	}
	return list
}

// found lists what is asked after a look at what there is: the metrics that only some tasks have, the newest
// checkpoint, and the threads where the job runs.
func (r *recorder) found(ctx context.Context) ([]recorded, error) {
	var list []recorded
	for _, v := range r.vertices {
		file, path := "vertex-"+slug(v.Name), "/jobs/"+string(r.job)+"/vertices/"+v.ID
		there, err := r.ids(ctx, path+"/subtasks/metrics")
		if err != nil {
			return nil, err
		}
		list = append(list, recorded{
			File: file + "-metrics", Path: path + "/subtasks/metrics?get=" + names(append(vertexMetrics(), there...)),
		})
		if there, err = r.ids(ctx, path+"/jm-operator-metrics"); err != nil {
			return nil, err
		}
		if len(there) > 0 {
			list = append(list, recorded{
				File: file + "-coordinator", Path: path + "/jm-operator-metrics?get=" + names(there),
			})
		}
	}
	checkpoint, err := r.checkpoint(ctx)
	list = append(list, checkpoint...)
	if r.sampled() {
		list = append(list, recorded{File: "flame-graph", Path: r.flameGraph()})
		for _, tm := range []string{"tm-1", "tm-2"} {
			list = append(list, recorded{File: "threads-" + tm, Path: "/taskmanagers/" + tm + threadDump})
		}
	}
	return list, err
}

// ids lists the metrics at a path whose values are recorded.
func (r *recorder) ids(ctx context.Context, path string) (ids []string, err error) {
	answer, err := r.client.Raw(ctx, path)
	if err != nil || answer.Status != http.StatusOK { // an older Flink has no such path
		return nil, err
	}
	var all []struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(answer.Body, &all); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	for _, m := range all {
		last := m.ID[strings.LastIndexByte(m.ID, '.')+1:]
		if slices.Contains(someMetrics(), last) || strings.HasSuffix(last, "StateGetLatency_p99") {
			ids = append(ids, m.ID)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// checkpoint lists the newest completed checkpoint, and its part in the last vertices.
func (r *recorder) checkpoint(ctx context.Context) ([]recorded, error) {
	path := "/jobs/" + string(r.job) + "/checkpoints"
	var all struct {
		Latest struct {
			Completed *struct {
				ID int64 `json:"id"`
			} `json:"completed"`
		} `json:"latest"`
	}
	if err := r.client.Get(ctx, path, &all); err != nil || all.Latest.Completed == nil {
		return nil, err
	}
	path += "/details/" + strconv.FormatInt(all.Latest.Completed.ID, 10)
	list := []recorded{{File: "checkpoint", Path: path}}
	for _, v := range r.vertices {
		list = append(list, recorded{File: "checkpoint-" + slug(v.Name), Path: path + "/subtasks/" + v.ID})
	}
	return list, nil
}

// threadDump ends the path of a TaskManager's threads.
const threadDump = "/thread-dump"

// sampled tells whether the recording has the job's threads: only that of every metric, as they are large.
func (r *recorder) sampled() bool {
	everyMetric, _ := EveryMetric()
	return filepath.Base(r.dir) == everyMetric.Name
}

// flameGraph is the path of the flame graph of the vertex in the middle.
func (r *recorder) flameGraph() string {
	middle := r.vertices[len(r.vertices)/2]
	return "/jobs/" + string(r.job) + "/vertices/" + middle.ID + "/flamegraph?type=FULL"
}

// sample starts the making of the flame graph, which takes some seconds.
func (r *recorder) sample(ctx context.Context) error {
	if !r.sampled() {
		return nil
	}
	_, err := r.client.Raw(ctx, r.flameGraph())
	return err
}

// tasksOnly keeps the threads with a task's name and a few of the others: the rest says nothing of the job.
func tasksOnly(body []byte) ([]byte, error) {
	var dump struct {
		Threads []struct {
			Name string `json:"threadName"`
			Text string `json:"stringifiedThreadInfo"`
		} `json:"threadInfos"`
	}
	if err := json.Unmarshal(body, &dump); err != nil {
		return nil, fmt.Errorf("read the threads: %w", err)
	}
	const most = 6
	ending := regexp.MustCompile(`\(\d+/\d+\)#\d+$`)
	others := 0
	kept := dump.Threads[:0]
	for _, thread := range dump.Threads {
		task := ending.MatchString(thread.Name) && !strings.Contains(thread.Name, " for ")
		if !task {
			others++
		}
		if task || others <= most || strings.HasPrefix(thread.Name, "OutputFlusher for Source") {
			kept = append(kept, thread)
		}
	}
	dump.Threads = kept
	return json.Marshal(dump)
}

func (r *recorder) save(ctx context.Context, file, path string) error {
	answer, err := r.client.Raw(ctx, path)
	if err != nil {
		return err
	}
	if strings.HasSuffix(path, threadDump) {
		if answer.Body, err = tasksOnly(answer.Body); err != nil {
			return err
		}
	}
	body := bytes.ReplaceAll(answer.Body, []byte(r.private), []byte("/flink"))
	if at := regexp.MustCompile(`/(tmp|root|home|Users|var)/[^" ]*`).Find(body); at != nil {
		return fmt.Errorf("the answer of %s names a folder of this machine: %s", path, at)
	}
	r.index = append(r.index, recorded{File: file, Path: path, Status: answer.Status})
	return os.WriteFile(filepath.Join(r.dir, file), body, 0o644)
}

// slug makes a file name of a vertex name: "Source: orders" gives source-orders.
func slug(name string) string {
	const longest = 60
	name = regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(name), "-")
	return strings.Trim(name[:min(len(name), longest)], "-")
}

func names(metrics []string) string { return url.QueryEscape(strings.Join(metrics, ",")) }

func vertexMetrics() []string {
	return []string{
		"busyTimeMsPerSecond", "backPressuredTimeMsPerSecond", "idleTimeMsPerSecond",
		"accumulateBusyTimeMs", "accumulateBackPressuredTimeMs", "accumulateIdleTimeMs",
		"numRecordsIn", "numRecordsOut", "numRecordsInPerSecond", "numRecordsOutPerSecond",
		"Shuffle.Netty.Input.Buffers.inPoolUsage", "Shuffle.Netty.Output.Buffers.outPoolUsage",
	}
}

// someMetrics are the last parts of those that only some tasks have.
func someMetrics() []string {
	return []string{
		"hardBackPressuredTimeMsPerSecond", "checkpointStartDelayNanos", "debloatedBufferSize",
		"currentInputWatermark", "currentOutputWatermark", "numLateRecordsDropped", "numFiredTimersPerSecond",
		"pendingRecords", "currentFetchEventTimeLag", "currentEmitEventTimeLag", "sourceIdleTime",
		"watermarkAlignmentDrift", "currentSendTime", "numRecordsSendErrors", "pendingCommittables",
		"unassignedSplits", "rocksdb_is-write-stopped", "rocksdb_actual-delayed-write-rate",
		"rocksdb_estimate-pending-compaction-bytes", "rocksdb_num-running-compactions",
		"rocksdb_mem-table-flush-pending", "rocksdb_num-files-at-level0", "rocksdb_stall_micros",
		"rocksdb_block_cache_hit", "rocksdb_block_cache_miss",
	}
}

func jobMetrics() []string {
	return []string{
		"numRestarts", "runningTime", "restartingTime", "lastCheckpointDuration", "lastCheckpointSize",
		"numberOfCompletedCheckpoints", "numberOfFailedCheckpoints",
	}
}

func workerMetrics() []string {
	return []string{
		"Status.JVM.CPU.Time", "Status.JVM.CPU.Load", "Status.JVM.Memory.Heap.Used", "Status.JVM.Memory.Heap.Max",
		"Status.JVM.GarbageCollector.All.TimeMsPerSecond", "Status.JVM.Threads.Count",
		"Status.Shuffle.Netty.UsedMemory", "Status.Shuffle.Netty.TotalMemory",
		"Status.Flink.Memory.Managed.Used", "Status.Flink.Memory.Managed.Total",
	}
}
