package diagnose

import (
	"context"
	"errors"
	"fmt"
	"io"

	"culprit/flinkapi"
)

// Index makes every moment of a recording reachable: it plays the recording beside what is shown, once, from
// its beginning as far as it was asked to, and remembers all that is known at some places. From the one
// before a moment the few looks up to it are played again, so that a moment looks as it does when it is
// played to. Neither two calls of it nor a call and a step of a monitor that it was given may run at once.
type Index struct {
	source  flinkapi.Seeker
	monitor *Monitor
	note    func(look int, obs *Observation)
	every   int // looks between two places
	places  []indexed
	ended   bool
	// seen are the samples of each job by its name, oldest first. The last seek began at the look place and
	// went a way of some samples.
	seen  map[string][]seen
	place int
	way   []Sample
}

// indexed is a place in the recording and the monitor there.
type indexed struct {
	mark    flinkapi.Mark
	monitor *Monitor
}

// A place is remembered after so many looks; when there are too many, every other one is forgotten and the
// next ones lie further apart, which bounds the memory and not the length of a recording. mostPlaces are kept
// of jobs with up to placeSubtasks/mostPlaces subtasks, fewer of larger ones, but leastPlaces in any case.
const (
	looksBetween  = 40
	mostPlaces    = 128
	leastPlaces   = 32
	placeSubtasks = 20_480
)

// NewIndex returns an index of a recording, of which nothing was read yet. The source is its own; note, which
// may be nil, is told of each look that is read for the first time, in order.
func NewIndex(source flinkapi.Seeker, options Options, note func(look int, obs *Observation)) *Index {
	if note == nil {
		note = func(int, *Observation) {}
	}
	return &Index{
		source: source, monitor: NewMonitor(source, options), note: note, every: looksBetween,
		seen: map[string][]seen{},
	}
}

// Ahead reads so many looks more and tells whether there are more behind them.
func (x *Index) Ahead(ctx context.Context, looks int) (more bool, err error) {
	err = x.read(ctx, x.source.Position()+looks)
	return !x.ended, err
}

// Until reads on until a condition holds, which is asked after each look, or to the end.
func (x *Index) Until(ctx context.Context, enough func(read int) bool) error {
	for !x.ended && !enough(x.source.Position()) {
		if err := x.read(ctx, x.source.Position()+1); err != nil {
			return err
		}
	}
	return nil
}

// read reads up to a look, or to the end.
func (x *Index) read(ctx context.Context, look int) error {
	for at := x.source.Position(); !x.ended && at < look; at = x.source.Position() {
		if n := len(x.places); at >= n*x.every {
			x.remember()
		}
		obs, err := x.monitor.Step(ctx, Ask{})
		switch {
		case errors.Is(err, io.EOF):
			x.ended = true
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil: // a failure that was recorded is a part of the recording, and no observation
			x.noteSample(at, obs)
			x.note(at, obs)
		}
	}
	return nil
}

func (x *Index) remember() {
	x.places = append(x.places, indexed{x.source.Mark(), x.monitor.fork(nil)})
	if len(x.places) < x.most() {
		return
	}
	kept := x.places[:0]
	for i := 0; i < len(x.places); i += 2 {
		kept = append(kept, x.places[i])
	}
	clear(x.places[len(kept):])
	x.places, x.every = kept, 2*x.every
}

// most is how many places may be remembered of the jobs that were watched.
func (x *Index) most() int {
	subtasks := 1
	for _, watch := range x.monitor.jobs {
		for i := range watch.engine.w.last.Vertices {
			subtasks += watch.engine.w.last.Vertices[i].Parallelism
		}
	}
	return min(max(placeSubtasks/subtasks, leastPlaces), mostPlaces)
}

// nearest reads as far as the look i and returns the last place that is not behind it.
func (x *Index) nearest(ctx context.Context, i int) (indexed, error) {
	if err := x.read(ctx, i+1); err != nil {
		return indexed{}, err
	}
	near := x.places[0]
	for _, p := range x.places {
		if p.mark.Look() <= i {
			near = p
		}
	}
	return near, nil
}

// Seek takes a monitor to the look i of the recording that it shows and returns what there is to see, which
// is what it shows when it plays there from the beginning. What lies between was asked for all jobs.
func (x *Index) Seek(ctx context.Context, m *Monitor, i int, ask Ask) (*Observation, error) {
	source, ok := m.source.(flinkapi.Seeker)
	if !ok {
		return nil, errors.New("only a recording has other moments")
	}
	if i < 0 || i >= source.Len() {
		return nil, fmt.Errorf("go to look %d: the recording has %d", i, source.Len())
	}
	near, failed := x.nearest(ctx, i)
	if failed != nil {
		return nil, failed
	}
	here, was := source.Mark(), *m
	if err := source.Return(near.mark); err != nil {
		return nil, fmt.Errorf("go to another moment: %w", err)
	}
	*m = *near.monitor.fork(source)
	x.place, x.way = near.mark.Look(), nil
	for source.Position() < i && ctx.Err() == nil {
		between, err := m.Step(ctx, Ask{})
		if err != nil {
			continue // a failure was recorded, and is a part of the replay
		}
		if s, ok := SampleOf(between); ok {
			x.way = append(x.way, s)
		}
	}
	obs, err := m.Step(ctx, ask)
	if ctx.Err() != nil { // it was given up: the monitor stays where it is
		*m = was
		return nil, errors.Join(ctx.Err(), source.Return(here))
	}
	return obs, err
}
