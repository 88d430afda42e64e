package flinkapi

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"time"
)

// problems are the reads that failed when they were last tried.
type problems map[problemKey]openProblem

type openProblem struct {
	Problem
	tried time.Time
}

// forgetAfter is how long a problem stands that is not tried again, since its subject has gone or is not of
// interest any more.
const forgetAfter = 2 * time.Minute

type problemKey struct {
	path    pathPattern
	subject string
}

func (r read) key() problemKey { return problemKey{r.call.path, r.subject} }

func (p problems) solved(r read) { delete(p, r.key()) }

func (p problems) failed(r read, err *Error, at time.Time) {
	since := at
	if old, again := p[r.key()]; again {
		since = old.Since
	}
	p[r.key()] = openProblem{Problem{Err: err, Subject: r.subject, Since: since}, at}
}

// of returns the failure of a path that has no subject.
func (p problems) of(path pathPattern) *Error { return p[problemKey{path: path}].Err }

// list returns the problems in a fixed order. What the server does not offer is not tried again, and stays.
func (p problems) list(at time.Time) []Problem {
	maps.DeleteFunc(p, func(_ problemKey, one openProblem) bool {
		return one.Err.Kind != KindNotOffered && at.Sub(one.tried) >= forgetAfter
	})
	all := make([]Problem, 0, len(p))
	for _, one := range p {
		all = append(all, one.Problem)
	}
	slices.SortFunc(all, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Err.Op, b.Err.Op), cmp.Compare(a.Subject, b.Subject))
	})
	return all
}

// strain tells whether the failure speaks of a server that is overloaded or away, which more requests make
// worse.
func (e *Error) strain() bool {
	switch e.Kind {
	case KindRefused, KindUnreachable, KindTimeout, KindUnavailable:
		return true
	default:
		return e.Status == http.StatusTooManyRequests
	}
}
