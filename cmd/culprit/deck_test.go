package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/diagnose"
	"culprit/tui"
)

// deckOf is the deck of a recording, with a monitor on it.
func deckOf(t *testing.T, path string) *deck {
	t.Helper()
	recording, player, err := openRecording(path, 1, time.UTC)
	must(t, err)
	t.Cleanup(func() { _ = recording.Close() })
	monitor := diagnose.NewMonitor(player, diagnose.DefaultOptions())
	d, err := newDeck(recording, player, monitor, diagnose.DefaultOptions())
	must(t, err)
	return d
}

// TestDeck goes through a recording by times and by changes of the verdict, as the keys of the screen do, and
// holds what it shows to what was seen live.
func TestDeck(t *testing.T) {
	t.Parallel()
	path, live := recordOne(t, "slow-sink", 6*time.Minute)
	d := deckOf(t, path)
	var obs *diagnose.Observation
	var err error
	for _, c := range []struct {
		on   bool
		off  time.Duration // from the time of the look
		want int           // how many looks later it is
	}{{true, 0, 0}, {false, 0, 0}, {true, time.Millisecond, 1}, {false, -time.Millisecond, -1}} {
		const i = 243 // in the second member
		obs, err = d.Go(t.Context(), live[i].At.Add(c.off), c.on, diagnose.Ask{})
		mustShow(t, i+c.want, obs, err, live)
	}
	obs, err = d.Go(t.Context(), live[0].At.Add(-time.Hour), false, diagnose.Ask{})
	mustShow(t, 0, obs, err, live)
	obs, err = d.Go(t.Context(), live[0].At.Add(time.Hour), true, diagnose.Ask{})
	mustShow(t, len(live)-1, obs, err, live)
	all := changesOf(live)
	if len(all) == 0 {
		t.Fatal("the verdict never changes: this tests nothing")
	}
	at := live[0].At
	for _, i := range all {
		obs, err = d.Jump(t.Context(), at, true, diagnose.Ask{})
		mustShow(t, i, obs, err, live)
		at = obs.At
	}
	if _, err = d.Jump(t.Context(), at, true, diagnose.Ask{}); !errors.Is(err, tui.ErrNoChange) {
		t.Errorf("after the last change comes %v", err)
	}
	at = live[len(live)-1].At
	for k := range all {
		i := all[len(all)-1-k]
		obs, err = d.Jump(t.Context(), at, false, diagnose.Ask{})
		mustShow(t, i, obs, err, live)
		at = obs.At
	}
	if _, err = d.Jump(t.Context(), at, false, diagnose.Ask{}); !errors.Is(err, tui.ErrNoChange) {
		t.Errorf("before the first change comes %v", err)
	}
}

// What is compared at a moment is the same, whether it was played to or gone to: forth and back.
func TestWhatWasSampledByAMomentIsKnownThere(t *testing.T) {
	t.Parallel()
	path, live := recordOne(t, "slow-sink", 6*time.Minute)
	d := deckOf(t, path)
	if len(d.Samples()) > 0 {
		t.Error("something was sampled before anything was shown")
	}
	for _, i := range []int{300, 40, 39, 3, 203, 120, 121} {
		obs, err := d.Go(t.Context(), live[i].At, true, diagnose.Ask{})
		mustShow(t, i, obs, err, live)
		var want []diagnose.Sample
		for _, before := range live[:i+1] {
			if s, ok := diagnose.SampleOf(before); ok {
				want = diagnose.KeepSample(want, s)
			}
		}
		got := d.Samples()
		if s, ok := diagnose.SampleOf(obs); ok { // the screen adds what it shows
			got = diagnose.KeepSample(got, s)
		}
		if diff := cmp.Diff(want, got, cmp.Exporter(every)); diff != "" {
			t.Errorf("at look %d (-played +gone to):\n%s", i, diff)
		}
		if i > 60 && len(want) < 5 {
			t.Errorf("at look %d there are %d samples: this tests nothing", i, len(want))
		}
	}
}

// breathless is a context that ends after it was asked so often whether it has.
type breathless struct {
	context.Context
	left int
}

func (c *breathless) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// A way that is given up, wherever, leaves the recording where it was; what was read of it is told.
func TestAWayThatIsGivenUpLeadsNowhere(t *testing.T) {
	t.Parallel()
	path, live := recordOne(t, "slow-sink", 4*time.Minute)
	d := deckOf(t, path)
	if !d.ReadTo().IsZero() {
		t.Error("something was read before anything was")
	}
	const here, there = 30, 199
	obs, err := d.Go(t.Context(), live[here].At, true, diagnose.Ask{})
	mustShow(t, here, obs, err, live)
	given := 0
	for ; given < 1000; given++ {
		before := d.ReadTo()
		_, err = d.Go(&breathless{t.Context(), 40 * given}, live[there].At, true, diagnose.Ask{})
		if !errors.Is(err, context.Canceled) {
			break // it was long enough
		}
		obs, err = d.monitor.Step(t.Context(), diagnose.Ask{})
		mustShow(t, here+given+1, obs, err, live)
		if at := d.ReadTo(); at.Before(before) || at.After(live[there].At) {
			t.Errorf("it was read up to %v after %v", at, before)
		}
	}
	if given == 0 || err != nil {
		t.Fatalf("%d ways were given up before one ended with %v: this tests nothing", given, err)
	}
	t.Logf("%d ways were given up", given)
	if at := d.ReadTo(); at.Before(live[there].At) {
		t.Errorf("at %v it was read up to %v", live[there].At, at)
	}
}

// changesOf are the looks at which the verdict is another one than before.
func changesOf(live []*diagnose.Observation) []int {
	var all []int
	last := ""
	for i, obs := range live {
		if obs == nil || obs.Report == nil {
			continue
		}
		if now := keyOf(obs); now != last {
			if last != "" {
				all = append(all, i)
			}
			last = now
		}
	}
	return all
}

func keyOf(obs *diagnose.Observation) string {
	if obs.Report == nil {
		return ""
	}
	return verdictKey(obs.Report)
}

// What is read ahead waits for a step of the screen, and a step for it: they know things together.
func TestReadingAheadWaitsForTheScreen(t *testing.T) {
	t.Parallel()
	path, _ := recordOne(t, "gc", time.Minute)
	d := deckOf(t, path)
	for name, run := range map[string]func(){
		"a step":        func() { _, _ = shown{d.monitor, d}.Step(t.Context(), diagnose.Ask{}) },
		"a seek":        func() { _, _ = d.Go(t.Context(), morning, true, diagnose.Ask{}) },
		"a jump":        func() { _, _ = d.Jump(t.Context(), morning, true, diagnose.Ask{}) },
		"reading ahead": func() { d.Ahead(t.Context()) },
	} {
		d.mu.Lock()
		done := make(chan struct{})
		go func() {
			run()
			close(done)
		}()
		select {
		case <-done:
			t.Errorf("%s does not wait", name)
		case <-time.After(50 * time.Millisecond): // what does not wait is done by then or later, never held
		}
		d.mu.Unlock()
		<-done
	}
}
