package flinkapi

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
)

// read is one request whose answer goes into the collector's state.
type read struct {
	call    call
	subject string // what a failure affects; empty for the whole job or cluster
	// fetch asks, and returns what puts the answer into the state.
	fetch func(context.Context) (keep func(), err error)
	// quiet tells of a failure that is part of Flink's normal life; nil means none is.
	quiet func(*Error) bool
}

// ask makes a read of the wire shape T. keep gets the answer and the time at which it came; it is called
// alone, after all reads of a fan-out have ended.
func ask[T any, P interface {
	*T
	answer
}](c *Collector, what call, keep func(T, time.Time),
) read {
	return read{call: what, fetch: func(ctx context.Context) (func(), error) {
		var into T
		var x Exchange
		if err := c.client.get(withExchange(ctx, &x), what, P(&into)); err != nil {
			errors.As(err, &x.Err)
			return nil, err
		}
		if x.At.IsZero() {
			x.At = c.clock()
		}
		return func() { keep(into, x.At) }, nil
	}}
}

func (r read) about(subject string) read {
	r.subject = subject
	return r
}

func (r read) quietIf(quiet func(*Error) bool) read {
	r.quiet = quiet
	return r
}

// outcome is how a read ended: one of the two is nil.
type outcome struct {
	keep func()
	err  *Error
}

// fanOut performs the reads, a few at a time, and returns their outcomes in order.
func fanOut(ctx context.Context, reads []read) []outcome {
	outcomes := make([]outcome, len(reads))
	var group errgroup.Group
	group.SetLimit(maxInFlight)
	for i, r := range reads {
		group.Go(func() error {
			outcomes[i].err = safely(r.call.op, func() (err error) {
				outcomes[i].keep, err = r.fetch(ctx)
				return err
			})
			return nil
		})
	}
	_ = group.Wait() // the workers hand their errors over in outcomes
	return outcomes
}

// safely turns a panic of f into an error: one odd answer must not end the watch.
func safely(op string, f func() error) (failure *Error) {
	defer func() {
		if p := recover(); p != nil {
			failure = &Error{
				Op: op, Kind: KindInternal, Detail: "the answer could not be taken in: " + Sanitize(fmt.Sprint(p)),
				Hint: "this is a defect of the program, please report it",
			}
		}
	}()
	err := f()
	if err == nil {
		return nil
	}
	if errors.As(err, &failure) {
		return failure
	}
	return &Error{Op: op, Kind: KindUnexpected, Detail: Sanitize(err.Error())}
}
