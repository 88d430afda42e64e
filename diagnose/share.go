package diagnose

import "culprit/flinkapi"

// advance is by how much a subtask's three times rose between two readings.
type advance struct {
	busy, back, idle       float64 // seconds
	okBusy, okBack, okIdle bool    // unknown after a reset
}

func advanceOf(old, now *flinkapi.Subtask) (a advance) {
	a.busy, a.okBusy = fell(old, now, flinkapi.BusyTime)
	a.back, a.okBack = fell(old, now, flinkapi.BackpressuredTime)
	a.idle, a.okIdle = fell(old, now, flinkapi.IdleTime)
	return a
}

// over returns the seconds by which the times advanced together, which is the time that the subtask's other
// counters belong to, however old the answers were. Where that is not known it is the span between the
// readings.
func (a *advance) over(span float64) float64 {
	if sum := a.busy + a.back + a.idle; a.okBusy && a.okBack && a.okIdle && sum >= leastProgress {
		return sum
	}
	return span
}

// shareBetween forms shares between two readings of the same attempt. A counter that fell by more than a
// second began anew; less than that is jitter.
func (s *spent) shareBetween(old, now *flinkapi.Subtask, a *advance) {
	if !a.okBack || !a.okIdle {
		return
	}
	if !a.okBusy {
		s.legacyShare(old, now, a.back, a.idle)
		return
	}
	if sum := a.busy + a.back + a.idle; sum >= leastProgress {
		s.busy, s.backpressured = billionthsOf(a.busy/sum), billionthsOf(a.back/sum)
		s.idle = billionthsOf(a.idle / sum)
	}
}

// leastProgress is the time in seconds that a subtask's counters must have advanced together to be worth
// dividing by.
const leastProgress = 1.0

// legacyShare is for sources without a busy time: the time that passed is known from the subtask's time in
// RUNNING.
func (s *spent) legacyShare(old, now *flinkapi.Subtask, back, idle float64) {
	before, okBefore := old.Running.Float()
	after, okAfter := now.Running.Float()
	if !now.Readings.Of(flinkapi.BusyTime).IsNaN() || !okBefore || !okAfter || after-before < leastProgress {
		return
	}
	passed := after - before
	s.busy, s.backpressured, s.idle = notNumber, billionthsOf(back/passed), billionthsOf(idle/passed)
}

// fell returns by how much a counter of seconds rose, at least 0; it is unknown after a reset.
func fell(old, now *flinkapi.Subtask, signal flinkapi.Signal) (float64, bool) {
	a, okA := old.Readings.Of(signal).Float()
	b, okB := now.Readings.Of(signal).Float()
	if !okA || !okB || b < a-leastProgress {
		return 0, false
	}
	return max(b-a, 0), true
}

func rateBetween(old, now flinkapi.Readings, span float64) rate {
	return rate{
		in:  rateOf(old.Of(flinkapi.RecordsRead), now.Of(flinkapi.RecordsRead), span),
		out: rateOf(old.Of(flinkapi.RecordsWritten), now.Of(flinkapi.RecordsWritten), span),
	}
}

func rateOf(old, now flinkapi.Value, span float64) flinkapi.Value {
	a, okA := old.Float()
	b, okB := now.Float()
	if !okA || !okB || b < a || span <= 0 {
		return flinkapi.Value{}
	}
	return flinkapi.Known((b - a) / span)
}
