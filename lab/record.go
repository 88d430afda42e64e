package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	return nil
}

// look saves one round of answers and the index.
func (r *recorder) look(ctx context.Context, suffix string) error {
	for _, request := range r.requests(suffix != "") {
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
				recorded{File: file + "-metrics", Path: path + "/subtasks/metrics?get=" + names(vertexMetrics())},
				recorded{File: file + "-metric-names", Path: path + "/subtasks/metrics"},
				recorded{File: file + "-watermarks", Path: path + "/watermarks"})
		}
	}
	return list
}

func (r *recorder) save(ctx context.Context, file, path string) error {
	answer, err := r.client.Raw(ctx, path)
	if err != nil {
		return err
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
	return strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(name), "-"), "-")
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
	}
}
