package flinkapi

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// pathPattern is a path of the REST API under the base address, with a placeholder for each id.
type pathPattern string

// The paths that this package may ask for; there is no other way to name one.
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/
const (
	pathConfig             pathPattern = "/config"
	pathOverview           pathPattern = "/overview"
	pathJobManagerConfig   pathPattern = "/jobmanager/config"
	pathJobs               pathPattern = "/jobs/overview"
	pathJob                pathPattern = "/jobs/{hex}"
	pathJobMetrics         pathPattern = "/jobs/{hex}/metrics"
	pathExceptions         pathPattern = "/jobs/{hex}/exceptions"
	pathCheckpoints        pathPattern = "/jobs/{hex}/checkpoints"
	pathCheckpointConfig   pathPattern = "/jobs/{hex}/checkpoints/config"
	pathVertex             pathPattern = "/jobs/{hex}/vertices/{hex}"
	pathBackpressure       pathPattern = "/jobs/{hex}/vertices/{hex}/backpressure"
	pathSubtaskMetrics     pathPattern = "/jobs/{hex}/vertices/{hex}/subtasks/metrics"
	pathVertexMetrics      pathPattern = "/jobs/{hex}/vertices/{hex}/metrics"
	pathWatermarks         pathPattern = "/jobs/{hex}/vertices/{hex}/watermarks"
	pathTaskManagers       pathPattern = "/taskmanagers"
	pathTaskManagerMetrics pathPattern = "/taskmanagers/{id}/metrics"

	pathJobConfig         pathPattern = "/jobs/{hex}/config"
	pathCheckpointDetails pathPattern = "/jobs/{hex}/checkpoints/details/{number}"
	pathCheckpointParts   pathPattern = "/jobs/{hex}/checkpoints/details/{number}/subtasks/{hex}"
	pathCoordinator       pathPattern = "/jobs/{hex}/vertices/{hex}/jm-operator-metrics"
	pathFlameGraph        pathPattern = "/jobs/{hex}/vertices/{hex}/flamegraph"
	pathThreadDump        pathPattern = "/taskmanagers/{id}/thread-dump"
)

// ofTaskManager tells whether what the path gives belongs to a TaskManager, whatever the job.
func (p pathPattern) ofTaskManager() bool { return p == pathTaskManagerMetrics || p == pathThreadDump }

// allowedPaths is the allow-list: each path with the query parameters that it may carry.
func allowedPaths() map[pathPattern][]string {
	return map[pathPattern][]string{
		pathConfig:             nil,
		pathOverview:           nil,
		pathJobManagerConfig:   nil,
		pathJobs:               nil,
		pathJob:                nil,
		pathJobMetrics:         {"get"},
		pathExceptions:         {"maxExceptions"},
		pathCheckpoints:        nil,
		pathCheckpointConfig:   nil,
		pathVertex:             nil,
		pathBackpressure:       nil,
		pathSubtaskMetrics:     {"get"},
		pathVertexMetrics:      {"get"},
		pathWatermarks:         nil,
		pathTaskManagers:       nil,
		pathTaskManagerMetrics: {"get"},
		pathJobConfig:          nil,
		pathCheckpointDetails:  nil,
		pathCheckpointParts:    nil,
		pathCoordinator:        {"get"},
		pathFlameGraph:         {"type", "subtaskindex"},
		pathThreadDump:         nil,
	}
}

// Paths lists the paths that may be asked for, with their placeholders.
func Paths() []string {
	var all []string
	for p := range allowedPaths() {
		all = append(all, string(p))
	}
	slices.Sort(all)
	return all
}

// The placeholders: a job's or vertex's id of 32 hexadecimal digits, a checkpoint's number, and any text such
// as a TaskManager's resource id.
const (
	hexID    = "{hex}"
	numberID = "{number}"
	textID   = "{id}"
)

func placeholder(segment string) bool {
	return segment == hexID || segment == numberID || segment == textID
}

// fill puts the ids in place of the placeholders, in order, each escaped to stay one segment.
func (p pathPattern) fill(ids ...string) (string, error) {
	segments := strings.Split(string(p), "/")
	for i, segment := range segments {
		if !placeholder(segment) {
			continue
		}
		if len(ids) == 0 || !validID(segment, ids[0]) {
			return "", fmt.Errorf("not an id that Flink gives: %q", Sanitize(strings.Join(ids, " ")))
		}
		segments[i] = url.PathEscape(ids[0])
		ids = ids[1:]
	}
	if len(ids) != 0 {
		return "", errors.New("more ids than the path has places for")
	}
	return strings.Join(segments, "/"), nil
}

// matches tells whether an escaped path is an instance of p.
func (p pathPattern) matches(escaped string) bool {
	want, have := strings.Split(string(p), "/"), strings.Split(escaped, "/")
	if len(want) != len(have) {
		return false
	}
	for i, segment := range want {
		if !placeholder(segment) {
			if segment != have[i] {
				return false
			}
			continue
		}
		id, err := url.PathUnescape(have[i])
		if err != nil || !validID(segment, id) {
			return false
		}
	}
	return true
}

const (
	maxIDLength     = 512
	maxNumberLength = 19
)

func validID(placeholder, id string) bool {
	switch placeholder {
	case hexID:
		return len(id) == 32 && strings.Trim(id, "0123456789abcdefABCDEF") == ""
	case numberID:
		return id != "" && len(id) <= maxNumberLength && strings.Trim(id, "0123456789") == ""
	}
	// A proxy may fold "." and ".." into the path around them.
	return id != "" && id != "." && id != ".." && len(id) <= maxIDLength &&
		!strings.ContainsFunc(id, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// guard is the outermost transport: whatever is not a GET of an allow-listed path under the base address
// never leaves.
type guard struct {
	base address
	next http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (g guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := g.permit(r); err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	return g.next.RoundTrip(r)
}

func (g guard) permit(r *http.Request) error {
	forbidden := func(why string) error {
		return &Error{
			Op: "guard the cluster", Kind: KindForbidden, Detail: why,
			Hint: "only reading is possible; this is a defect of the program, please report it",
		}
	}
	if r.Method != http.MethodGet {
		return forbidden("a " + Sanitize(r.Method) + " request was stopped")
	}
	if r.Body != nil && r.Body != http.NoBody {
		return forbidden("a request with a body was stopped")
	}
	if r.URL.Scheme != g.base.scheme || r.URL.Host != g.base.host {
		return forbidden("a request to another host was stopped")
	}
	path, below := strings.CutPrefix(r.URL.EscapedPath(), g.base.prefix)
	if !below {
		return forbidden("a request outside the given address was stopped")
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return forbidden("a request with a malformed query was stopped")
	}
	for pattern, parameters := range allowedPaths() {
		if !pattern.matches(path) {
			continue
		}
		for name := range query {
			if !slices.Contains(parameters, name) {
				return forbidden("a request with an unknown parameter was stopped")
			}
		}
		return nil
	}
	return forbidden("a request for a path that is not on the list was stopped")
}
