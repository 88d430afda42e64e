package sim

import (
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
	Root      *string           `json:"root-exception,omitempty"`
	Timestamp *int64            `json:"timestamp,omitempty"`
	All       *[]legacyError    `json:"all-exceptions,omitempty"`
	Truncated *bool             `json:"truncated,omitempty"`
	History   exceptionsHistory `json:"exceptionHistory"`
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
	if !c.version.atLeast(2, 0) {
		b.All, b.Truncated = &[]legacyError{}, new(bool)
		if n > 0 {
			last := j.exceptions[n-1]
			trace, at := last.trace(), c.millis(last.at)
			b.Root, b.Timestamp = &trace, &at
		}
	}
	return b, nil
}

func (c *Cluster) exceptionEntry(j *job, e exception) exceptionEntry {
	entry := exceptionEntry{
		Name: e.className(), Stacktrace: e.trace(), Timestamp: c.millis(e.at), Labels: map[string]string{},
		Concurrent: []exceptionEntry{},
	}
	if e.vertex >= 0 {
		w := c.workers[e.worker]
		name, endpoint := j.taskName(e.vertex, e.subtask, e.attempt), w.endpoint()
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
