package main

import (
	"context"
	"fmt"
	"os/signal"
	"syscall"
)

// endedBy is the signal that ended the program.
type endedBy syscall.Signal

// Error names the signal.
func (s endedBy) Error() string { return fmt.Sprintf("ended by a signal: %v", syscall.Signal(s)) }

// code is the exit code that shells give a process that a signal ended.
func (s endedBy) code() int { return 128 + int(s) }

// untilSignal returns a context that ends with a signal that asks the program to end; its cause is an
// endedBy. stop gives the signals back.
func untilSignal(parent context.Context) (ctx context.Context, stop func()) {
	ctx, end := context.WithCancelCause(parent)
	var stops []context.CancelFunc
	// Of SIGQUIT and SIGABRT the runtime of Go would make an end in the middle of the screen.
	for _, s := range []syscall.Signal{
		syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT,
	} {
		caught, release := signal.NotifyContext(ctx, s)
		context.AfterFunc(caught, func() { end(endedBy(s)) })
		stops = append(stops, release)
	}
	return ctx, func() {
		end(nil)
		for _, release := range stops {
			release()
		}
	}
}
