package diagnose

import (
	"slices"
	"testing"
	"time"

	"culprit/flinkapi"
)

func TestWhenASlotCloses(t *testing.T) {
	t.Parallel()
	seconds := func(all ...int) []time.Duration {
		var out []time.Duration
		for _, n := range all {
			out = append(out, time.Duration(n)*time.Second)
		}
		return out
	}
	for _, c := range []struct {
		name  string
		looks []time.Duration // between one look and the next
		spans []time.Duration // of the slots
	}{
		{"the first look gives none", seconds(0), nil},
		{"two looks give one", seconds(0, 10), seconds(10)},
		{"one each fetch interval", seconds(0, 10, 10, 10), seconds(10, 10, 10)},
		{"a little early is in time", seconds(0, 10, 9, 10), seconds(10, 9, 10)},
		{"too early is not", seconds(0, 10, 4, 6, 4, 6), seconds(10, 10, 10)},
		{"fetched each second: still ten", slices.Repeat(seconds(1), 31), seconds(10, 9, 9)},
		{"a late round gives one long slot", seconds(0, 10, 25, 10), seconds(10, 25, 10)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "it 40/0")
			for _, d := range c.looks {
				w.look(d)
			}
			var got []time.Duration
			for i, s := range w.slots() {
				got = append(got, s.to.Sub(s.from))
				if v := &w.slots()[i].vertices[0]; written(v.busy, v.all.in) != "0.40 0.00" {
					t.Errorf("busy and rate are %s", written(v.busy, v.all.in))
				}
			}
			if !slices.Equal(got, c.spans) {
				t.Errorf("slots of %v, want %v", got, c.spans)
			}
		})
	}
}

func TestSlotsBridgeAShortFetchInterval(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "it 0/0")
	w.fetch = time.Second
	w.watch(10 * time.Second)
	w.set("it", "100/0")
	w.watch(5 * time.Second)
	w.set("it", "0/0")
	w.watch(6 * time.Second)
	for _, s := range w.slots() {
		if span := s.to.Sub(s.from); span < 9*time.Second {
			t.Errorf("a slot of %s", span)
		}
	}
	if got := w.vertexSlot("it").busy.Or(0); got < 0.4 || got > 0.6 {
		t.Errorf("busy 5 of 10 s is %.2f", got)
	}
}

func TestNoSlotWithoutFreshMetrics(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "it 40/0")
	w.watch(20 * time.Second)
	w.frozen = true
	w.watch(20 * time.Second)
	if len(w.slots()) != 1 {
		t.Errorf("%d slots", len(w.slots()))
	}
	w.frozen = false
	w.look(10 * time.Second)
	if len(w.slots()) != 0 { // what it would hold is an average over the standstill
		t.Errorf("%d slots right after a standstill", len(w.slots()))
	}
	w.look(10 * time.Second)
	if len(w.slots()) != 1 || written(w.vertexSlot("it").busy) != "0.40" {
		t.Errorf("%d slots, busy %s", len(w.slots()), written(w.vertexSlot("it").busy))
	}
}

func TestWhatEmptiesTheWindow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(w *world)
		empty  bool
	}{
		{"nothing", func(*world) {}, false},
		{"a restart of the job", (*world).restart, true},
		{"a restart of one subtask", func(w *world) {
			w.part("mid").tasks[1].begin(w.now)
			w.part("mid").tasks[1].attempt++
		}, true},
		{"more subtasks", func(w *world) { w.scale(w.part("mid"), []string{"99/0*5"}) }, true},
		{"fewer subtasks", func(w *world) { w.scale(w.part("mid"), []string{"99/0*2"}) }, true},
		{"another vertex", func(w *world) { w.vertex([]string{"new", "10/0"}) }, true},
		{"a vertex less", func(w *world) { w.parts = w.parts[:1] }, true},
		{"a vertex with another id", func(w *world) { w.parts[1].name = "renamed" }, true},
		{"a vertex that is not read now", func(w *world) { w.part("mid").held = true }, false},
		{"a subtask that has finished", func(w *world) { w.set("mid", "99/0*2", "done") }, false},
		{"another state of the job", func(w *world) { w.job.State = flinkapi.JobFailing }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "src 2/98 -> mid\nmid 99/0*3")
			w.watch(40 * time.Second)
			before := len(w.slots())
			c.change(w)
			w.look(10 * time.Second)
			if c.empty != (len(w.slots()) == 0) || (!c.empty && len(w.slots()) != before+1) {
				t.Errorf("%d slots, %d before", len(w.slots()), before)
			}
			if c.empty && (len(w.report.Culprits) > 0 || w.report.Data.Observed != 0) {
				t.Errorf("after that it still says %q, watched for %s", w.report.Headline, w.report.Data.Observed)
			}
		})
	}
}

func TestSubtasksReadForTheFirstTimeAreNoRestart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "src 2/98 -> mid\nmid 99/0*3")
	w.gauges = true
	w.part("mid").held = true
	w.restart() // so that the first attempt that is read is not 0
	w.job.EnteredAt = nil
	w.watch(20 * time.Second)
	before := len(w.slots())
	w.part("mid").held = false
	w.watch(20 * time.Second)
	if len(w.slots()) != before+2 {
		t.Errorf("%d slots, %d before", len(w.slots()), before)
	}
}

func TestNothingOfGoneSubtasksIsLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "src 2/98 -> mid\nmid 20/0*3 99/0")
	w.watch(40 * time.Second)
	w.scale(w.part("mid"), []string{"30/0*2"})
	for _, k := range w.part("mid").tasks {
		k.since = w.now.Add(-time.Minute)
	}
	w.watch(20 * time.Second)
	v := w.vertexSlot("mid")
	if len(v.subtasks) != 2 || v.total != 2 || written(v.busy) != "0.30" {
		t.Errorf("%d of %d subtasks, busy %s", len(v.subtasks), v.total, written(v.busy))
	}
}

func TestAReadingServesOnlyAsLongAsAVertexMayWaitForItsTurn(t *testing.T) {
	t.Parallel()
	for _, averages := range []bool{false, true} {
		w := newWorld(t, "src 2/98 -> mid\nmid 99/0*3")
		w.gauges = averages
		w.watch(40 * time.Second)
		w.part("mid").held = true
		w.watch(50 * time.Second)
		if got := written(w.vertexSlot("mid").busy); got != "0.99" {
			t.Errorf("averages %v: after 50 s without a reading busy is %s", averages, got)
		}
		w.watch(30 * time.Second)
		if v := w.vertexSlot("mid"); v.busy.IsKnown() || v.known != 0 {
			t.Errorf("averages %v: after 80 s busy is %s, of %d subtasks", averages, written(v.busy), v.known)
		}
		w.part("mid").held = false
		w.look(10 * time.Second)
		if got := written(w.vertexSlot("mid").busy); got != "0.99" {
			t.Errorf("averages %v: read again, busy is %s", averages, got)
		}
	}
}

// The first answer may hold what the JobManager collected when somebody looked last, which may be long ago.
func TestOldNumbersOfAFirstLookAreNoReading(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "src 2/98 -> mid\nmid 99/0")
	old := w.snapshot(0)
	for i := range old.Job.Vertices {
		old.Job.Vertices[i].Subtasks[0].Running = flinkapi.Known((time.Hour + 5*time.Minute).Seconds())
	}
	if r := w.engine.run(old); r.State == nil || r.State.Rule != "undetermined" {
		t.Errorf("on old numbers it says %s", r.Headline)
	}
	w.look(10 * time.Second)
	if len(w.slots()) != 0 {
		t.Error("old numbers were taken for a reading")
	}
	w.look(10 * time.Second)
	if len(w.slots()) != 1 {
		t.Errorf("%d slots of two fresh readings", len(w.slots()))
	}
}

func TestTheWindowKeepsAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "it 40/0")
	w.lagOf("it", 1000, 5)
	w.watch(time.Hour)
	oldest := w.slots()[0].to
	if age := w.now.Sub(oldest); age > history || age < history-20*time.Second {
		t.Errorf("the oldest slot is %s old", age)
	}
	if n := len(w.engine.w.series[seriesKey{"it", flinkapi.PendingRecords}]); n > 91 {
		t.Errorf("%d readings of the lag", n)
	}
	if n := len(w.engine.w.readings["it"]); n > 7 {
		t.Errorf("%d readings of the counters", n)
	}
}

func (w *world) lagOf(name string, records, growth float64) {
	w.part(name).lag, w.part(name).growth = &records, &growth
}

func TestCores(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "it 40/0")
	m := w.worker("tm-1")
	m.cores, m.known = 0.5, true
	cores := func() string { return written(w.engine.w.cores("tm-1")) }
	w.look(0)
	if got := cores(); got != "-" {
		t.Errorf("one reading gives %s", got)
	}
	w.watch(20 * time.Second)
	if got := cores(); got != "0.50" {
		t.Errorf("got %s", got)
	}
	m.used = 0 // another process under the same id
	w.look(10 * time.Second)
	if got := cores(); got != "-" {
		t.Errorf("a new process gives %s", got)
	}
	w.look(10 * time.Second)
	if got := cores(); got != "0.50" {
		t.Errorf("got %s", got)
	}
	if got := written(w.engine.w.cores("tm-2")); got != "-" {
		t.Errorf("an unknown TaskManager gives %s", got)
	}
}

func TestLagAndItsSlope(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "it 40/0\nother 10/0")
	w.lagOf("it", 1000, 50)
	lag := func(v int) string {
		s := w.snapshot(0)
		c := &Case{w: w.engine.w, job: s.Job, limits: w.engine.limits, read: map[flinkapi.Signal]bool{}}
		return written(c.lag(v))
	}
	w.look(0)
	if got := lag(0); got != "1000.00 -" {
		t.Errorf("one reading gives %s", got)
	}
	w.look(10 * time.Second)
	if got := lag(0); got != "1500.00 50.00" {
		t.Errorf("two readings give %s", got)
	}
	if got := lag(1); got != "- -" {
		t.Errorf("a source without a lag gives %s", got)
	}
}

func TestRestartsLately(t *testing.T) {
	t.Parallel()
	const never = -1
	for _, c := range []struct {
		name   string
		counts []float64 // each a look later; never is unknown
		after  time.Duration
		failed []time.Duration // ago, by the exception history
		want   int
	}{
		{"none", []float64{3, 3, 3}, 0, nil, 0},
		{"what was before the watch does not count", []float64{7}, 0, nil, 0},
		{"by the count", []float64{3, 4, 4, 5}, 0, nil, 2},
		{"several at once", []float64{3, 6}, 0, nil, 3},
		{"very many at once say no more", []float64{3, 4003}, 0, nil, maxRestartsPerLook},
		{"they are forgotten", []float64{3, 5}, 5*time.Minute + time.Second, nil, 0},
		{"a count that falls is of another JobManager", []float64{9, 0, 1}, 0, nil, 1},
		{"an unknown count is not 0", []float64{never, 3}, 0, nil, 0},
		{"a gap in the count", []float64{3, never, 5}, 0, nil, 2},
		{"by the exception history, of before the watch too", []float64{never}, 0, []time.Duration{time.Minute, 4 * time.Minute}, 2},
		{"old exceptions do not count", []float64{never}, 0, []time.Duration{time.Minute, 6 * time.Minute}, 1},
		{"both tell of the same ones", []float64{3, 5}, 0, []time.Duration{0, 0, 0}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "it 40/0")
			for _, n := range c.counts {
				if w.job.Restarts = (flinkapi.Value{}); n != never {
					w.job.Restarts = flinkapi.Known(n)
				}
				w.look(10 * time.Second)
			}
			for _, ago := range c.failed {
				w.job.Exceptions = append(w.job.Exceptions, flinkapi.Exception{Root: "broken", At: w.now.Add(-ago)})
			}
			w.look(c.after)
			if got := w.engine.w.restartsLately(w.snapshot(0)); len(got) != c.want {
				t.Errorf("got %v, want %d", got, c.want)
			}
		})
	}
}
