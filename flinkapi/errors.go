package flinkapi

import (
	"context"
	"fmt"
	"time"
)

// ErrorKind says what kind of failure a read met.
type ErrorKind string

// The kinds of failure.
const (
	KindRefused      ErrorKind = "refused"      // nobody listens there
	KindUnreachable  ErrorKind = "unreachable"  // no route, unknown host, connection cut
	KindTimeout      ErrorKind = "timeout"      // no answer within the deadline
	KindCertificate  ErrorKind = "certificate"  // TLS could not be agreed on
	KindUnauthorized ErrorKind = "unauthorized" // 401, 403
	KindNotFound     ErrorKind = "not-found"    // 404 in Flink's own words: no such job or vertex
	KindNotOffered   ErrorKind = "not-offered"  // 404 in Flink's own words: this server has no such endpoint
	KindNotFlink     ErrorKind = "not-flink"    // an answer that no Flink gives, such as a login page
	KindTooLarge     ErrorKind = "too-large"    // the body passed the limit
	KindUnavailable  ErrorKind = "unavailable"  // 502, 503, 504: no leader yet, or nobody behind a proxy
	KindServer       ErrorKind = "server-error" // other 5xx
	KindUnexpected   ErrorKind = "unexpected"   // any other status
	KindCanceled     ErrorKind = "canceled"     // given up by this side
	KindSeveralJobs  ErrorKind = "several-jobs" // the name is that of several jobs that run
	KindNoJob        ErrorKind = "no-such-job"  // the cluster answers, but knows no such job
	KindForbidden    ErrorKind = "not-allowed"  // a request that is not on the allow-list, stopped here
	KindInternal     ErrorKind = "internal"     // a defect of this program, met while taking in an answer
	KindNotRecorded  ErrorKind = "not-recorded" // a recording holds no answer to this question
	KindBadOption    ErrorKind = "bad-option"   // an address, file or header from the user cannot be used
)

// Error is a failed read, fit to be shown to a person: what was tried, what happened, what to do.
type Error struct {
	// Op says what was tried, such as "read the job".
	Op   string
	Kind ErrorKind
	// Status is the HTTP status, 0 when there was no answer.
	Status int
	// Detail says what happened, in one sanitised line, without secrets.
	Detail string
	// Hint says what to do, in one sentence.
	Hint string
	// Late tells that the time of the whole look was over, not only that of this question.
	Late bool
}

// Error returns one line: what was tried, what happened and what to do.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %s", e.Op, e.Detail)
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Is makes errors.Is work for the kind alone, as in errors.Is(err, &Error{Kind: KindNoJob}), and for the
// errors of a context.
func (e *Error) Is(target error) bool {
	switch target {
	case context.Canceled:
		return e.Kind == KindCanceled
	case context.DeadlineExceeded:
		return e.Kind == KindTimeout
	}
	other, ok := target.(*Error)
	return ok && *other == Error{Kind: e.Kind}
}

// Problem is a read that failed when it was last tried, in a snapshot whose other parts are usable.
type Problem struct {
	Err *Error
	// Subject names what is affected, such as a vertex or TaskManager; empty for the whole job.
	Subject string
	// Since is when it first failed in a row.
	Since time.Time
}

// OfThreads tells whether the threads of the TaskManager that Subject names could not be read.
func (p Problem) OfThreads() bool { return p.Err.Op == readThreads }
