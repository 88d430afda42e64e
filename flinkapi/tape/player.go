package tape

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"sync"
	"time"

	"culprit/flinkapi"
)

// PlayerOptions says how a recording is played.
type PlayerOptions struct {
	// Signals and Settings are those of [flinkapi.CollectorOptions].
	Signals  []flinkapi.Signal
	Settings []string
	// Speed is how many times faster than it was recorded it is played; 0 is 1.
	Speed float64
	// Zone is that of the times in what is said of damage; nil is UTC.
	Zone *time.Location
	// Stopwatch is that of [flinkapi.Options].
	Stopwatch flinkapi.Clock
}

func (o *PlayerOptions) zone() *time.Location {
	if o.Zone == nil {
		return time.UTC
	}
	return o.Zone
}

// Player is the [flinkapi.Source] of a recording: the collector itself, on answers that were recorded and by
// the clock that was recorded. It looks where the recorded watch looked, whatever the caller's focus; of the
// focus only the job counts: looks at others are passed over.
type Player struct {
	recording *Recording
	options   PlayerOptions

	mu        sync.Mutex
	answers   *answers
	client    *flinkapi.Client
	collector *flinkapi.Collector
	times     []time.Time // what the look went by, from tick on
	tick      int
	speed     float64

	member int // the one that is read
	reader *memberReader
	next   *taken // read ahead
	number int    // of next
	last   time.Time
	spent  flinkapi.Cost // of the look that was given last
	met    bool          // a look at the job that is asked for
	lost   []Loss        // what could not be read up to next
	until  time.Time     // the end of the look that was read last
}

var (
	_ flinkapi.Seeker  = (*Player)(nil)
	_ flinkapi.Spender = (*Player)(nil)
)

// Play returns a source that begins with the first look.
func (r *Recording) Play(o PlayerOptions) (*Player, error) {
	p := &Player{recording: r, options: o, speed: 1}
	p.SetSpeed(o.Speed)
	return p, p.rewind(0)
}

// unhurried is how long a look may take: a machine that is busy, or sleeps, changes nothing of what was
// recorded.
const unhurried = 24 * time.Hour

// rewind makes the look i the next one, with a collector that knows nothing yet.
func (p *Player) rewind(i int) error {
	p.answers = newAnswers()
	client, err := flinkapi.NewClient(flinkapi.Options{
		URL: "http://recording", Answer: p.answers.answer, Stopwatch: p.options.Stopwatch, Timeout: unhurried,
	})
	if err != nil {
		return err
	}
	p.client = client
	p.collector = flinkapi.NewCollector(client, flinkapi.CollectorOptions{
		Clock: p.clock, Signals: p.options.Signals, Settings: p.options.Settings,
	})
	p.met, p.lost, p.until = false, p.recording.lossAtStart(), time.Time{}
	all := p.recording.members
	p.member = max(sort.Search(len(all), func(m int) bool { return all[m].start > i })-1, 0)
	p.number = all[p.member].start
	p.reader = p.recording.open(&all[p.member])
	p.ahead()
	for p.next != nil && p.number < i {
		p.answers.take(p.next)
		p.number++
		p.ahead()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.times, p.last = nil, p.recording.end
	if p.next != nil {
		p.last = p.next.began()
	}
	return nil
}

// Now is the time of the look that was given last.
func (p *Player) Now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// ahead reads the next look; nil at the end. What cannot be read of a member is passed over.
func (p *Player) ahead() {
	for {
		var err error
		if p.next, err = p.reader.next(); err == nil {
			p.until = p.next.ended()
			return
		}
		if loss := p.recording.lossAt(p.member, p.number, p.until, p.reader, err); loss != nil {
			p.lost = append(slices.Clip(p.lost), *loss)
		}
		all := p.recording.members
		if p.member+1 == len(all) {
			p.next = nil
			return
		}
		p.member++
		p.number = all[p.member].start
		p.reader = p.recording.open(&all[p.member])
	}
}

// clock hands out the times of the look in order, then the last one.
func (p *Player) clock() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.times) == 0 {
		return p.last
	}
	at := p.times[min(p.tick, len(p.times)-1)]
	p.tick++
	return at
}

// Len implements [flinkapi.Seeker].
func (p *Player) Len() int { return p.recording.looks }

// Position implements [flinkapi.Seeker].
func (p *Player) Position() int {
	if p.next == nil {
		return p.recording.looks
	}
	return min(p.number, p.recording.looks)
}

// Ahead is where the next look looked; false at the end.
func (p *Player) Ahead() (focus flinkapi.Focus, more bool) {
	if p.next == nil {
		return flinkapi.Focus{}, false
	}
	return p.next.Focus, true
}

// Spent implements [flinkapi.Spender]: what the recorded watch had asked by then.
func (p *Player) Spent() flinkapi.Cost { return p.spent }

// Losses are what could not be read up to the next look, or at all at the end, in order.
func (p *Player) Losses() []Loss { return p.lost }

// Speed implements [flinkapi.Seeker].
func (p *Player) Speed() float64 { return p.speed }

// SetSpeed implements [flinkapi.Seeker]; what is not above 0 is 1.
func (p *Player) SetSpeed(times float64) {
	if !(times > 0) {
		times = 1
	}
	p.speed = times
}

// Seek implements [flinkapi.Seeker].
func (p *Player) Seek(i int) error {
	if i < 0 || i >= p.recording.looks {
		return fmt.Errorf("seek look %d: the recording has %d", i, p.recording.looks)
	}
	return p.rewind(i)
}

// place is where a player is, with what the collector knows there. What was answered up to it is read
// again.
type place struct {
	look      int
	collector *flinkapi.Collector
	last      time.Time
	met       bool
	lost      []Loss
}

// Look implements [flinkapi.Mark].
func (m *place) Look() int { return m.look }

// Mark implements [flinkapi.Seeker].
func (p *Player) Mark() flinkapi.Mark {
	return &place{p.Position(), p.collector.Fork(p.client, p.clock), p.Now(), p.met, p.lost}
}

// Return implements [flinkapi.Seeker].
func (p *Player) Return(to flinkapi.Mark) error {
	m, ok := to.(*place)
	if !ok {
		return errors.New("go back in a recording: the place is not of one")
	}
	if err := p.rewind(m.look); err != nil {
		return err
	}
	p.collector = m.collector.Fork(p.client, p.clock)
	p.met, p.lost = m.met, m.lost
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = m.last
	return nil
}

// longestWait bounds the pause between two looks that were long apart, as recorded.
const longestWait = time.Minute

// Wait implements [flinkapi.Source]: the time to the next look, as it was recorded, divided by the speed.
func (p *Player) Wait() time.Duration {
	if p.next == nil {
		return 0
	}
	gap := min(max(p.next.began().Sub(p.Now()), 0), longestWait)
	return time.Duration(float64(gap) / p.speed)
}

// Next implements [flinkapi.Source].
func (p *Player) Next(ctx context.Context, asked flinkapi.Focus) (*flinkapi.Snapshot, error) {
	only := asked.Job != "" && !asked.Turn
	for p.next != nil {
		if ctx.Err() != nil {
			return nil, &flinkapi.Error{
				Op: "read the recording", Kind: flinkapi.KindCanceled, Detail: "it was given up",
			}
		}
		l := p.next
		snapshot, err := p.play(ctx, l)
		if only && l.Focus.Job != asked.Job {
			continue
		}
		p.met = true
		if err != nil {
			return nil, err
		}
		if asked.Job == "" && !asked.Turn {
			snapshot.Job = nil
		}
		return snapshot, nil
	}
	if only && !p.met {
		return nil, &flinkapi.Error{
			Op: "read the recording", Kind: flinkapi.KindNoJob,
			Detail: "the job " + flinkapi.Sanitize(string(asked.Job)) + " was not looked into",
			Hint:   "choose another one from the list of jobs",
		}
	}
	return nil, io.EOF
}

// play lets the collector take one look.
func (p *Player) play(ctx context.Context, l *taken) (*flinkapi.Snapshot, error) {
	p.answers.take(l)
	p.mu.Lock()
	p.times, p.tick, p.last = l.clock(), 0, l.ended()
	p.mu.Unlock()
	p.number++
	p.ahead()
	if l.Cost != nil { // older recordings tell none of a look that failed
		p.spent = flinkapi.Cost{Requests: l.Cost.Requests, Bytes: l.Cost.Bytes, PerSecond: l.Cost.PerSecond}
	}
	snapshot, err := p.collector.Next(ctx, l.Focus)
	if err != nil {
		return nil, err
	}
	own := *snapshot
	own.Problems = slices.DeleteFunc(slices.Clone(own.Problems), func(p flinkapi.Problem) bool {
		return p.Err.Kind == flinkapi.KindNotRecorded // it is unknown, and nobody's trouble
	})
	if l.Cost != nil {
		own.Cost.Requests, own.Cost.Bytes, own.Cost.PerSecond = p.spent.Requests, p.spent.Bytes, p.spent.PerSecond
	}
	for i := range p.lost {
		own.Problems = append(own.Problems, flinkapi.Problem{
			Err: &flinkapi.Error{
				Op: "read the recording", Kind: flinkapi.KindInternal, Detail: p.lost[i].Text(p.options.zone()),
			},
			Subject: "the recording", Since: own.At,
		})
	}
	return &own, nil
}
