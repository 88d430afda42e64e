package sim

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

const (
	// exceptionHistorySize is web.exception-history-size.
	exceptionHistorySize  = 16
	defaultMaxExceptions  = 20
	taskFrame             = "org.apache.flink.streaming.runtime.tasks.StreamTask.invoke(StreamTask.java:932)"
	jobMasterFrame        = "org.apache.flink.runtime.jobmaster.JobMaster.disconnectTaskManager(JobMaster.java)"
	defaultExceptionClass = "java.lang.RuntimeException"
)

type exceptionsBody struct {
	History exceptionsHistory `json:"exceptionHistory"`
}

// legacyExceptions are the fields that 1.20 was the last to have.
type legacyExceptions struct {
	Root      *string       `json:"root-exception"`
	Timestamp *int64        `json:"timestamp"`
	All       []legacyError `json:"all-exceptions"`
	Truncated bool          `json:"truncated"`
	exceptionsBody
}

type legacyError struct {
	Exception     string `json:"exception"`
	Task          string `json:"task"`
	Location      string `json:"location"`
	Endpoint      string `json:"endpoint"`
	Timestamp     int64  `json:"timestamp"`
	TaskManagerID string `json:"taskManagerId"`
}

type exceptionsHistory struct {
	Entries   []exceptionEntry `json:"entries"`
	Truncated bool             `json:"truncated"`
}

type exceptionEntry struct {
	Name          string            `json:"exceptionName"`
	Stacktrace    string            `json:"stacktrace"`
	Timestamp     int64             `json:"timestamp"`
	Labels        map[string]string `json:"failureLabels"`
	TaskName      *string           `json:"taskName"`
	Location      *string           `json:"location,omitempty"`
	Endpoint      *string           `json:"endpoint"`
	TaskManagerID *string           `json:"taskManagerId"`
	Concurrent    []exceptionEntry  `json:"concurrentExceptions"`
}

// jobExceptions lists the failures of a job, newest first.
func jobExceptions(c *Cluster, r *http.Request) (any, *failure) {
	j, bad := c.find(r)
	if bad != nil {
		return nil, bad
	}
	limit := defaultMaxExceptions
	if n, err := strconv.Atoi(r.URL.Query().Get("maxExceptions")); err == nil {
		limit = n
	}
	limit = max(0, min(limit, exceptionHistorySize))
	var b exceptionsBody
	n := len(j.exceptions)
	b.History = exceptionsHistory{Entries: []exceptionEntry{}, Truncated: n > limit}
	for k := n - 1; k >= max(0, n-limit); k-- {
		b.History.Entries = append(b.History.Entries, c.exceptionEntry(j, j.exceptions[k]))
	}
	if c.version.atLeast(2, 0) {
		return b, nil
	}
	old := legacyExceptions{All: []legacyError{}, exceptionsBody: b}
	if n > 0 {
		last := j.exceptions[n-1]
		trace, at := last.trace(), c.millis(last.at)
		old.Root, old.Timestamp = &trace, &at
		old.All = append(old.All, c.legacyError(j, last))
	}
	return old, nil
}

func (c *Cluster) legacyError(j *job, e exception) legacyError {
	l := legacyError{Exception: e.trace(), Timestamp: c.millis(e.at)}
	if e.vertex >= 0 {
		w := c.workers[e.worker]
		l.Task, l.Location, l.TaskManagerID = j.taskName(e.vertex, e.subtask), w.endpoint(), w.ID
		l.Endpoint = l.Location
	}
	return l
}

func (c *Cluster) exceptionEntry(j *job, e exception) exceptionEntry {
	entry := exceptionEntry{
		Name: e.className(), Stacktrace: e.trace(), Timestamp: c.millis(e.at), Labels: map[string]string{},
		Concurrent: []exceptionEntry{},
	}
	if e.vertex >= 0 {
		w := c.workers[e.worker]
		name := fmt.Sprintf("%s - execution #%d", j.taskName(e.vertex, e.subtask), e.attempt)
		endpoint := w.endpoint()
		entry.TaskName, entry.Endpoint, entry.TaskManagerID = &name, &endpoint, &w.ID
		if !c.version.atLeast(2, 0) {
			entry.Location = &endpoint
		}
	}
	return entry
}

func (e exception) className() string { return orElse(e.class, defaultExceptionClass) }

// trace is the stack trace as text.
func (e exception) trace() string {
	frame := taskFrame
	if e.vertex < 0 {
		frame = jobMasterFrame
	}
	return strings.TrimSuffix(e.className()+": "+e.message, ": ") + "\n\tat " + frame + "\n"
}
