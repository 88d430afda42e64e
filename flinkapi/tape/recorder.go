package tape

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"culprit/flinkapi"
)

// Options says what a [Recorder] writes. Only Clock is needed.
type Options struct {
	// Clock is the clock of the source that is recorded.
	Clock flinkapi.Clock
	// Program is the program's version, Target the address without a login.
	Program, Target string
	// Settings are the keys of the cluster's configuration that are kept.
	Settings []string
	// HideNames replaces the names of hosts, jobs, operators and topics, the same by the same.
	HideNames bool
	// MaxBytes is after how many bytes the recording ends, by a look more at most; 0 is never.
	MaxBytes int64
	// Quiet leaves a failure to write out of the snapshots; [Recorder.Err] tells it.
	Quiet bool
}

// ErrFull is how a recording ends that has reached its largest size.
var ErrFull = errors.New("the recording has reached its largest size")

// Recorder writes what a [flinkapi.Collector] is answered. It has three parts that belong into the line from
// the network to a snapshot: [Recorder.Wrap] around the transport, [Recorder.Clock] as the collector's clock,
// and [Recorder.Source] around the collector. A failure to write ends the recording, never the watch.
type Recorder struct {
	clock   flinkapi.Clock
	started time.Time
	quiet   bool

	mu      sync.Mutex
	out     *writer
	err     error
	current []*exchange
	times   []time.Time
	active  bool
	closed  bool
	looks   int
	seen    int // looks that gave a snapshot
}

// exchange is a question of the look that is going on.
type exchange struct {
	asked  *flinkapi.Exchange
	status int
	body   []byte
}

// Output is where a recording goes. Roll is called before each member, so that an output may begin a new file
// with it.
type Output interface {
	io.Writer
	Roll(at time.Time) error
}

// NewRecorder returns a recorder that writes to out. It writes nothing before the first look.
func NewRecorder(out Output, o Options) *Recorder {
	r := &Recorder{clock: o.Clock, quiet: o.Quiet, out: newWriter(out, o)}
	r.started = r.clock()
	return r
}

// now is the clock in whole ms, as the recording keeps it, and never set back.
func (r *Recorder) now() time.Time {
	passed := r.clock().Sub(r.started)
	return r.started.Round(0).Add(passed).Truncate(time.Millisecond).UTC()
}

// Clock is the collector's clock.
func (r *Recorder) Clock() time.Time {
	at := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.active {
		r.times = append(r.times, at)
	}
	return at
}

// Err is why the recording ended, nil while it goes on: [ErrFull], or a failure to write.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Size is how many looks and bytes were written.
func (r *Recorder) Size() (looks int, written int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.looks, r.out.written()
}

// Seen is how many of the looks that were written gave something to see; the others failed.
func (r *Recorder) Seen() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen
}

// Close ends the recording; a look that is still under way is left out. The output is not closed.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.err != nil && !errors.Is(r.err, ErrFull) {
		return r.err
	}
	return r.out.end()
}

// Settled makes what was written so far whole by itself and calls f while nothing is written, so that it may
// copy the output. The recording goes on after it.
func (r *Recorder) Settled(f func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		if err := r.out.end(); err != nil {
			r.err = fmt.Errorf("write the recording: %w", err)
		}
	}
	return f()
}

// Wrap returns a transport that notes what goes through another one.
func (r *Recorder) Wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		asked := flinkapi.ExchangeOf(request.Context())
		response, err := next.RoundTrip(request)
		if asked == nil {
			return response, err
		}
		x := &exchange{asked: asked}
		if err == nil {
			if x.status, x.body, err = take(response); err != nil {
				// The collector meets the same failure when it reads on.
				response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(x.body), failing{err}))
				err = nil
			} else {
				response.Body = io.NopCloser(bytes.NewReader(x.body))
			}
		}
		asked.At = r.now()
		r.note(x)
		return response, err
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements [http.RoundTripper].
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// bodyLimit bounds what is kept of an answer; the collector takes no larger one either.
const bodyLimit = 16 << 20

func take(response *http.Response) (status int, body []byte, err error) {
	defer response.Body.Close()
	body, err = io.ReadAll(io.LimitReader(response.Body, bodyLimit+1))
	return response.StatusCode, body, err
}

// note keeps an exchange; of one that was redirected, the last answer counts.
func (r *Recorder) note(x *exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.active {
		return
	}
	for i := range r.current {
		if r.current[i].asked == x.asked {
			r.current[i] = x
			return
		}
	}
	r.current = append(r.current, x)
}

// Source returns the source whose looks are recorded.
func (r *Recorder) Source(inner flinkapi.Source) flinkapi.Source { return &recorded{r, inner} }

type recorded struct {
	recorder *Recorder
	inner    flinkapi.Source
}

// Wait implements [flinkapi.Source].
func (s *recorded) Wait() time.Duration { return s.inner.Wait() }

// Spent implements [flinkapi.Spender].
func (s *recorded) Spent() flinkapi.Cost {
	if inner, tells := s.inner.(flinkapi.Spender); tells {
		return inner.Spent()
	}
	return flinkapi.Cost{}
}

// spent is what had been asked when a look ended; the rate is that of snapshots alone.
func (s *recorded) spent(snapshot *flinkapi.Snapshot) flinkapi.Cost {
	if snapshot != nil {
		return snapshot.Cost
	}
	return s.Spent()
}

// Next implements [flinkapi.Source]. While nothing more can be written the snapshot has a problem that says
// so.
func (s *recorded) Next(ctx context.Context, f flinkapi.Focus) (*flinkapi.Snapshot, error) {
	s.recorder.begin()
	snapshot, err := s.inner.Next(ctx, f)
	var e *flinkapi.Error
	canceled := errors.As(err, &e) && e.Kind == flinkapi.KindCanceled
	givenUp := canceled || err != nil && ctx.Err() != nil
	s.recorder.finish(f, snapshot, s.spent(snapshot), givenUp)
	if failed := s.recorder.Err(); failed != nil && snapshot != nil && !s.recorder.quiet {
		with := *snapshot
		with.Problems = append([]flinkapi.Problem{{Err: &flinkapi.Error{
			Op: "record", Kind: flinkapi.KindInternal, Detail: failed.Error(),
			Hint: "what was recorded until then can be replayed",
		}, Subject: "the recording", Since: snapshot.At}}, snapshot.Problems...)
		return &with, err
	}
	return snapshot, err
}

func (r *Recorder) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.active, r.current, r.times = true, nil, nil
}

// finish writes the look. One that was given up is left out: nobody saw it.
func (r *Recorder) finish(f flinkapi.Focus, snapshot *flinkapi.Snapshot, spent flinkapi.Cost, givenUp bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.active = false
	if givenUp || r.closed || r.err != nil || len(r.times) == 0 {
		return
	}
	told := &cost{spent.Requests, spent.Bytes, spent.PerSecond}
	if err := r.out.look(r.times, f, told, r.current); err != nil {
		r.err = fmt.Errorf("write the recording: %w", err)
		return
	}
	r.looks++
	if snapshot != nil {
		r.seen++
	}
	if r.out.full() {
		r.err = ErrFull
		if err := r.out.end(); err != nil {
			r.err = err
		}
	}
}
