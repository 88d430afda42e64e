package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// maxRequestLine is the limit of Flink's HTTP decoder, in bytes.
const maxRequestLine = 4096

// Traffic is what was asked of a cluster.
type Traffic struct {
	// Requests counts all of them, answered or not; Bytes is the size of the bodies sent.
	Requests int
	Bytes    int64
	// Writes lists every request with another method than GET, as "METHOD path". None of them changed
	// anything.
	Writes []string
	// Escapes lists the paths of requests outside of Config.Prefix.
	Escapes []string
}

// Traffic returns what was asked so far.
func (c *Cluster) Traffic() Traffic {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.requests
	t.Writes = append([]string(nil), t.Writes...)
	t.Escapes = append([]string(nil), t.Escapes...)
	return t
}

// failure is an answer other than 200.
type failure struct {
	status int
	errors []string
}

func (f *failure) Error() string { return strings.Join(f.errors, "; ") }

// answer makes the body of a request: a value for JSON.
type answer func(c *Cluster, r *http.Request) (any, *failure)

// Handler serves the REST API at the simulated time. A path that is not known gets 404, another method
// than GET 405, and a path outside of Config.Prefix 500; see [Traffic].
func (c *Cluster) Handler() http.Handler {
	c.once.Do(func() {
		mux := http.NewServeMux()
		for path, a := range endpoints() {
			serve := c.serve(a)
			mux.Handle(path, serve)
			mux.Handle("/v1"+path, serve)
		}
		mux.Handle("/", c.serve(notFound))
		c.handler = c.guard(mux)
	})
	return c.handler
}

// guard counts requests, and turns away those that no client of a read-only kind may make.
func (c *Cluster) guard(mux *http.ServeMux) http.Handler {
	prefix := "/" + strings.Trim(c.cfg.Prefix, "/")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.requests.Requests++
		path, inside := r.URL.Path, true
		if prefix != "/" {
			path, inside = strings.CutPrefix(path, prefix)
		}
		switch {
		case !inside || !strings.HasPrefix(path, "/"):
			c.requests.Escapes = append(c.requests.Escapes, r.URL.Path)
			c.fail(w, &failure{http.StatusInternalServerError, []string{"Outside of the path prefix: " + r.URL.Path}})
		case r.Method != http.MethodGet:
			c.requests.Writes = append(c.requests.Writes, r.Method+" "+path)
			w.Header().Set("Allow", http.MethodGet)
			c.fail(w, &failure{http.StatusMethodNotAllowed, []string{"Method not allowed: " + r.Method}})
		case len(r.Method)+len(r.URL.RequestURI())+len("  HTTP/1.1\r\n") > maxRequestLine:
			c.fail(w, &failure{http.StatusNotFound, []string{"Not found: /bad-request"}})
		default:
			mux.ServeHTTP(w, under(r, prefix, path))
		}
	})
}

// under is r without the prefix before its path.
func under(r *http.Request, prefix, path string) *http.Request {
	if path == r.URL.Path {
		return r
	}
	inner, u := new(http.Request), *r.URL
	*inner, u.Path, u.RawPath = *r, path, strings.TrimPrefix(u.RawPath, prefix)
	inner.URL = &u
	return inner
}

func (c *Cluster) serve(a answer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, bad := a(c, r)
		if bad != nil {
			c.fail(w, bad)
			return
		}
		c.write(w, http.StatusOK, body)
	})
}

func (c *Cluster) fail(w http.ResponseWriter, f *failure) {
	c.write(w, f.status, struct {
		Errors []string `json:"errors"`
	}{f.errors})
}

func (c *Cluster) write(w http.ResponseWriter, status int, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		status, data = http.StatusInternalServerError, []byte(`{"errors":["Internal server error."]}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.Header().Set("Date", c.clock().UTC().Format(http.TimeFormat))
	w.WriteHeader(status)
	n, _ := w.Write(data)
	c.requests.Bytes += int64(n)
}

func notFound(_ *Cluster, r *http.Request) (any, *failure) {
	return nil, &failure{http.StatusNotFound, []string{"Not found: " + r.URL.Path}}
}

// missing is the answer about something that does not exist: Flink puts the whole stack into the
// message.
func missing(format string, args ...any) *failure {
	trace := "org.apache.flink.runtime.rest.NotFoundException: " + fmt.Sprintf(format, args...) +
		"\n\tat org.apache.flink.runtime.rest.handler.job.AbstractExecutionGraphHandler.lambda$handleRequest$1" +
		"(AbstractExecutionGraphHandler.java:99)\n"
	return &failure{http.StatusNotFound, []string{trace}}
}

// endpoints lists the paths that are answered.
func endpoints() map[string]answer {
	const (
		job    = "/jobs/{job}"
		vertex = job + "/vertices/{vertex}"
	)
	return map[string]answer{
		"/config":                            dashboardConfig,
		"/overview":                          overview,
		"/jobs":                              jobIDs,
		"/jobs/overview":                     jobsOverview,
		"/jobmanager/config":                 jobManagerConfig,
		"/jobmanager/metrics":                jobManagerMetrics,
		"/taskmanagers":                      taskManagers,
		"/taskmanagers/metrics":              aggregatedTaskManagerMetrics,
		"/taskmanagers/{worker}":             taskManager,
		"/taskmanagers/{worker}/metrics":     taskManagerMetrics,
		"/taskmanagers/{worker}/thread-dump": threadDump,

		job:                 jobDetails,
		job + "/status":     jobStatus,
		job + "/plan":       jobPlan,
		job + "/config":     jobConfig,
		job + "/exceptions": jobExceptions,
		job + "/metrics":    jobMetrics,

		job + "/checkpoints":                                checkpointStatistics,
		job + "/checkpoints/config":                         checkpointConfig,
		job + "/checkpoints/details/{id}":                   checkpointDetails,
		job + "/checkpoints/details/{id}/subtasks/{vertex}": checkpointSubtasks,
		vertex:                                 vertexDetails,
		vertex + "/backpressure":               backpressure,
		vertex + "/watermarks":                 watermarks,
		vertex + "/flamegraph":                 flameGraph,
		vertex + "/jm-operator-metrics":        coordinatorMetrics,
		vertex + "/subtasktimes":               subtaskTimes,
		vertex + "/taskmanagers":               vertexTaskManagers,
		vertex + "/metrics":                    vertexMetrics,
		vertex + "/subtasks/metrics":           aggregatedMetrics,
		vertex + "/subtasks/{subtask}/metrics": subtaskMetrics,
	}
}
