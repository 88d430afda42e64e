package sim

import (
	"math"
	"time"
)

// What a task must do before it reads on, whatever waits for it: a window that fires, timers that are due,
// the synchronous part of a snapshot, a call that does not return. It is busy meanwhile.

// Window is a tumbling window in processing time. Its records are kept until it fires; what it gives out goes
// with the records as they come, since results are few.
type Window struct {
	// Size is how long it is open; it begins and ends at multiples of Size after the start of the cluster.
	Size time.Duration
	// Fire is what one of its records costs when it fires.
	Fire time.Duration
	// Keys is how many timers fire with it, over all subtasks.
	Keys float64
}

// Timers are set with each record and fire soon after it.
type Timers struct {
	// PerRecord is how many are set with a record, Fire what one of them costs.
	PerRecord float64
	Fire      time.Duration
}

// Rhythm makes records of another kind come by turns.
type Rhythm struct {
	// Every is once round; for the time For, beginning at After, a record takes Factor times as long.
	Every, After, For time.Duration
	Factor            float64
}

// pace is the factor on the service times at a moment, in seconds since the start of the cluster.
func (r *Rhythm) pace(now float64) float64 {
	if r == nil {
		return 1
	}
	at := math.Mod(now-r.After.Seconds()+r.Every.Seconds(), r.Every.Seconds())
	if at < r.For.Seconds() {
		return r.Factor
	}
	return 1
}

// fireWindows makes the tasks of v owe the work of the windows that end in the step which begins now.
func (n *network) fireWindows(v *vertex) {
	if v.Window == nil {
		return
	}
	size := v.Window.Size.Seconds()
	if n.now < n.step || math.Floor((n.now+n.step/2)/size) == math.Floor((n.now-n.step/2)/size) {
		return
	}
	for i := range v.tasks {
		t := &v.tasks[i]
		t.owed += t.open * v.Window.Fire.Seconds()
		t.open = 0
		t.fired += v.Window.Keys / float64(len(v.tasks))
	}
}

// keep notes what the records that a task has handled leave to be done.
func (v *vertex) keep(t *task, records float64) {
	if v.Window != nil {
		t.open += records
	}
	if v.Timers != nil {
		t.fired += records * v.Timers.PerRecord
		t.owed += records * v.Timers.PerRecord * v.Timers.Fire.Seconds()
	}
}

// pay spends up to one step on what a task owes, and returns how long that took.
func (t *task) pay(step float64) float64 {
	if t.owed == 0 {
		return 0
	}
	paid := min(t.owed, step)
	t.owed -= paid
	return paid
}

// timerShare is the part of the busy time that goes to timers, or to the window that fires.
func (v *vertex) timerShare() float64 {
	own, timers := v.Service.Seconds(), 0.0
	if v.Timers != nil {
		timers = v.Timers.PerRecord * v.Timers.Fire.Seconds()
	}
	if v.Window != nil {
		timers += v.Window.Fire.Seconds()
	}
	return timers / (own + timers)
}

// hang makes a call of every task of v not return, or return at last.
func (v *vertex) hang(on bool) {
	v.Hangs = on
	for i := range v.tasks {
		switch t := &v.tasks[i]; {
		case on:
			t.owed = math.Inf(1)
		case math.IsInf(t.owed, 1):
			t.owed = 0
		}
	}
}
