package diagnose

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
)

// written writes values the way the tables do: "-" for missing, "nan" for not a number.
func written(all ...flinkapi.Value) string {
	var out []string
	for _, v := range all {
		x, ok := v.Float()
		switch {
		case ok:
			out = append(out, fmt.Sprintf("%.2f", x))
		case v.IsNaN():
			out = append(out, "nan")
		default:
			out = append(out, "-")
		}
	}
	return strings.Join(out, " ")
}

// counters reads "busy backpressured idle" in seconds, with "-" and "nan"; a fourth number is the time in
// RUNNING.
func counters(t *testing.T, text string) flinkapi.Subtask {
	t.Helper()
	s := flinkapi.Subtask{State: flinkapi.TaskRunning, Readings: make(flinkapi.Readings, flinkapi.IdleShare+1)}
	signals := []flinkapi.Signal{flinkapi.BusyTime, flinkapi.BackpressuredTime, flinkapi.IdleTime}
	for i, word := range strings.Fields(text) {
		var v flinkapi.Value
		switch word {
		case "-":
			continue
		case "nan":
			v = flinkapi.NaN()
		default:
			v = flinkapi.Known((&world{t: t}).number(word))
		}
		if i == 3 {
			s.Running = v
		} else {
			s.Readings[signals[i]] = v
		}
	}
	return s
}

func TestShareBetween(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after, want string }{
		{"each difference over the sum of the three", "10 20 70", "12.5 25 72.5", "0.25 0.50 0.25"},
		{"the clock is not asked", "0 0 0", "1 1 2", "0.25 0.25 0.50"},
		{"idle all the time is a known 0", "10 20 70", "10 20 80", "0.00 0.00 1.00"},
		{"a small fall is jitter", "10 20 70", "9.5 20 80", "0.00 0.00 1.00"},
		{"a fall of a second is jitter still", "10 20 70", "9 25 75", "0.00 0.50 0.50"},
		{"a larger fall began anew", "10 20 70", "8.9 25 75", "- - -"},
		{"so did a fall of another counter", "10 20 70", "12 3 75", "- - -"},
		{"counters that stand still say nothing", "10 20 70", "10 20 70", "- - -"},
		{"nor do counters that hardly move", "10 20 70", "10.3 20.3 70.3", "- - -"},
		{"missing busy time is not NaN", "10 20 70 100", "- 25 75 110", "- - -"},
		{"missing backpressured time", "10 20 70", "15 - 75", "- - -"},
		{"missing idle time", "10 - 70", "15 20 75", "- - -"},
		{"nothing at all", "", "", "- - -"},
		{"a legacy source: the time in RUNNING stands for the sum", "nan 20 70 100", "nan 24 73 110", "nan 0.40 0.30"},
		{"its shares end at 1", "nan 20 70 100", "nan 32 70 110", "nan 1.00 0.00"},
		{"without the time in RUNNING it is unknown", "nan 20 70", "nan 24 73", "- - -"},
		{"its counters can begin anew too", "nan 20 70 100", "nan 1 2 3", "- - -"},
		{"a time that becomes NaN has no difference", "10 20 70 100", "nan 24 76 110", "nan 0.40 0.60"},
		{"NaN idle time", "10 20 nan", "15 25 nan", "- - -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			before, after := counters(t, c.before), counters(t, c.after)
			passed := advanceOf(&before, &after)
			sh := unspent()
			sh.shareBetween(&before, &after, &passed)
			if got := written(sh.busy.value(), sh.backpressured.value(), sh.idle.value()); got != c.want {
				t.Errorf("from %q to %q: got %q, want %q", c.before, c.after, got, c.want)
			}
		})
	}
}

func TestRateOf(t *testing.T) {
	t.Parallel()
	known := flinkapi.Known
	for _, c := range []struct {
		name          string
		before, after flinkapi.Value
		span          float64
		want          string
	}{
		{"a difference over the span", known(100), known(150), 10, "5.00"},
		{"standing still is a known 0", known(100), known(100), 10, "0.00"},
		{"a fall is a reset, not a negative rate", known(100), known(99), 10, "-"},
		{"missing before", flinkapi.Value{}, known(99), 10, "-"},
		{"missing after", known(99), flinkapi.Value{}, 10, "-"},
		{"not a number", known(99), flinkapi.NaN(), 10, "-"},
		{"no time has passed", known(99), known(120), 0, "-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := written(rateOf(c.before, c.after, c.span)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// The counters in an answer may be older than it by a changing amount; the rates may not change with that.
func TestRatesDoNotDependOnWhenTheAnswersCome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, graph string
		want        string // records in per second: the vertex, its first subtask
	}{
		{"by the subtasks' own times", "src 5/0 -> it\nit 40/0*2", "100.00 50.00"},
		{"a subtask without metrics: by the vertex's sums", "src 5/0 -> it\nit 40/0 -", "41.67 50.00"},
		{"no busy time: by the clock", "src 5/0 -> it\nit nan/0", "83.33 83.33"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.graph)
			w.look(0)
			late := w.snapshot(10 * time.Second)
			late.At = late.At.Add(2 * time.Second)
			late.Job.Read = late.At
			for i := range late.Job.Vertices {
				late.Job.Vertices[i].SubtasksRead = late.At
			}
			w.engine.run(late)
			v := w.vertexSlot("it")
			if got := written(v.all.in, v.subtasks[0].rate().in); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestVertexSlotSumsUpPerSubtask(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		shares string // of the subtasks, as in a graph
		want   string // busy, backpressured, idle, largest idle, lead
		known  int
		total  int
	}{
		{"one", "70/20", "0.70 0.20 0.10 0.10 0.50", 1, 1},
		{"the largest shares may be of different subtasks", "90/5 10/90 0/0", "0.90 0.90 0.00 1.00 0.85", 3, 3},
		{"one hot in two hundred", "100/0 10/0*199", "1.00 0.00 0.00 0.90 1.00", 200, 200},
		{"the lead is of one subtask", "95/5*2 20/80*2", "0.95 0.80 0.00 0.00 0.90", 4, 4},
		{"a missing one is left out, not 0", "- 60/0", "0.60 0.00 0.40 0.40 0.60", 1, 2},
		{"all missing", "-*3", "- - - - -", 0, 3},
		{"no busy time: the rest is known", "nan/40", "- 0.40 0.60 0.60 -", 1, 1},
		{"NaN beside a number does not spoil it", "nan/40 70/0", "0.70 0.40 0.30 0.60 0.70", 2, 2},
		{"a finished one is not idle", "done 80/20", "0.80 0.20 0.00 0.00 0.60", 1, 1},
		{"an initializing one does not count yet", "init 80/20", "0.80 0.20 0.00 0.00 0.60", 1, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "other 0/0\nit "+c.shares)
			w.watch(20 * time.Second)
			v := w.vertexSlot("it")
			if got := written(v.busy, v.backpressured, v.idle, v.maxIdle, v.lead); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if v.known != c.known || v.total != c.total {
				t.Errorf("%d of %d subtasks are known, want %d of %d", v.known, v.total, c.known, c.total)
			}
		})
	}
}

func TestFirstSlotFromTheClustersAverages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		graph string
		age   time.Duration
		slots int
		want  string // busy, backpressured, idle, lead of "it"
	}{
		{"they look back a minute", "it 99/0 20/0", 61 * time.Second, 1, "0.99 0.00 0.01 0.99"},
		{"a younger job gives none", "it 99/0 20/0", 59 * time.Second, 0, ""},
		{"the lead is bounded by the rest of the time", "it 60/40 20/0", time.Hour, 1, "0.60 0.40 0.00 0.60"},
		{"NaN stays NaN", "it nan/30 20/0", time.Hour, 1, "nan 0.30 0.70 -"},
		{"none where Flink gives none", "it -*2", time.Hour, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.graph)
			w.gauges, w.age = true, c.age
			w.look(0)
			if len(w.slots()) != c.slots {
				t.Fatalf("%d slots, want %d", len(w.slots()), c.slots)
			}
			if c.slots == 0 {
				return
			}
			v := w.vertexSlot("it")
			if got := written(v.busy, v.backpressured, v.idle, v.lead); got != c.want || !w.slot().gauges {
				t.Errorf("got %q (averages: %v), want %q", got, w.slot().gauges, c.want)
			}
			if span := w.slot().to.Sub(w.slot().from); span != time.Minute {
				t.Errorf("the slot spans %s", span)
			}
		})
	}
}

// In its first half minute a task is busy all the time by every number that there is.
func TestNothingCountsBeforeATaskHasSettled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		since time.Duration // of its start, at the newest look
		slots int
	}{
		{"a moment", 12 * time.Second, 0},
		{"nearly", 29 * time.Second, 0},
		{"just", 30 * time.Second, 1},
		{"long", time.Hour, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "src 100/0 -> sink\nsink 100/0")
			w.gauges, w.age = c.since < time.Hour, c.since-10*time.Second
			w.look(0)
			w.look(10 * time.Second)
			if len(w.slots()) != c.slots {
				t.Errorf("%d slots, want %d", len(w.slots()), c.slots)
			}
			if c.slots == 0 && (len(w.report.Culprits) > 0 || w.report.Severity != UnknownSeverity) {
				t.Errorf("it says %s", w.report.Headline)
			}
		})
	}
}

func TestSettled(t *testing.T) {
	t.Parallel()
	w := newWindow(defaultThresholds())
	known := flinkapi.Known
	ago := func(d time.Duration) time.Time { return noon.Add(-d) }
	for _, c := range []struct {
		name string
		s    flinkapi.Subtask
		want bool
	}{
		{"by its time in RUNNING", flinkapi.Subtask{State: flinkapi.TaskRunning, Running: known(30)}, true},
		{"not yet", flinkapi.Subtask{State: flinkapi.TaskRunning, Running: known(29.9)}, false},
		{
			"deployed long ago, but restoring until now",
			flinkapi.Subtask{State: flinkapi.TaskRunning, Running: known(5), StartedAt: ago(time.Hour)},
			false,
		},
		{"restoring", flinkapi.Subtask{State: flinkapi.TaskInitializing, StartedAt: ago(time.Hour)}, false},
		{"finished", flinkapi.Subtask{State: flinkapi.TaskFinished, Running: known(300)}, false},
		{"before 1.16: by its start", flinkapi.Subtask{State: flinkapi.TaskRunning, StartedAt: ago(31 * time.Second)}, true},
		{"started just now", flinkapi.Subtask{State: flinkapi.TaskRunning, StartedAt: ago(29 * time.Second)}, false},
		{"nothing is known", flinkapi.Subtask{State: flinkapi.TaskRunning}, false},
	} {
		if got := w.settled(&flinkapi.Job{Now: noon}, &c.s); got != c.want {
			t.Errorf("%s: settled is %v", c.name, got)
		}
	}
}

func TestAveragesGiveWayToDifferences(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "it 99/0")
	w.gauges = true
	w.look(0)
	w.set("it", "30/0")
	w.look(10 * time.Second)
	if len(w.slots()) != 2 || w.slot().gauges {
		t.Fatalf("%d slots, the newest from averages: %v", len(w.slots()), w.slot().gauges)
	}
	if got := written(w.vertexSlot("it").busy); got != "0.30" {
		t.Errorf("busy %s", got)
	}
}

func TestAVertexThatStartedLaterHasNoAverages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "old 20/0 -> young\nyoung 99/0")
	w.gauges = true
	w.snapshot(0)
	w.part("young").tasks[0].since = w.now.Add(-40 * time.Second)
	w.look(0)
	if v := w.vertexSlot("young"); v.busy.IsKnown() || !v.settling {
		t.Errorf("busy %s, settling %v", written(v.busy), v.settling)
	}
	if why := w.slot().verdict.abstain; why == "" {
		t.Error("the slot was judged")
	}
}

func TestBeforeFlink116SharesAreTheClustersPerSubtask(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "src 2/97*2 => it\nit 99/0 20/5")
	w.untimed = true
	w.watch(30 * time.Second)
	v := w.vertexSlot("it")
	if got := written(v.busy, v.backpressured, v.idle, v.lead); got != "0.99 0.05 0.01 0.99" || v.known != 2 {
		t.Errorf("got %q of %d subtasks", got, v.known)
	}
	if len(w.report.Culprits) != 1 || w.report.Culprits[0].Vertex.Name != "it" {
		t.Errorf("named %v", w.report.Headline)
	}
}

// A job is driven at random, with restarts and silence; whatever comes out must be a share or a rate.
func TestSharesAndRatesStayInRange(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 1))
	w := newWorld(t, "a 10/80*3 => b\nb 90/0*4 -> c\nc 20/0*2")
	for range 400 {
		p := w.parts[rng.IntN(len(w.parts))]
		k := p.tasks[rng.IntN(len(p.tasks))]
		switch rng.IntN(6) {
		case 0:
			w.restart()
		case 1:
			k.mute = !k.mute
		case 2:
			k.begin(k.since) // the counters begin anew without a word
		default:
			k.busy = rng.Float64()
			k.backpressured = (1 - k.busy) * rng.Float64()
			k.in, k.out = 1000*rng.Float64(), 1000*rng.Float64()
		}
		w.look(time.Duration(1+rng.IntN(40)) * time.Second)
		for i := range w.slots() {
			checkRange(t, &w.slots()[i])
		}
	}
	if len(w.slots()) == 0 {
		t.Error("no slot ever came")
	}
}

func checkRange(t *testing.T, s *slot) {
	t.Helper()
	for i := range s.vertices {
		v := &s.vertices[i]
		for k := range v.subtasks {
			one := &v.subtasks[k]
			busy, back, idle := one.busy.value(), one.backpressured.value(), one.idle.value()
			sum := busy.Or(0) + back.Or(0) + idle.Or(0)
			if all := busy.IsKnown() && idle.IsKnown(); all && (sum < 0.999 || sum > 1.001) {
				t.Fatalf("shares %s add up to %f", written(busy, back, idle), sum)
			}
			r := v.subtasks[k].rate()
			for _, x := range []flinkapi.Value{busy, back, idle, r.in, r.out} {
				if n, ok := x.Float(); ok && n < 0 {
					t.Fatalf("a negative number: %f", n)
				}
			}
		}
		if v.all.in.Or(0) < 0 || v.all.out.Or(0) < 0 {
			t.Fatalf("a negative rate: %s", written(v.all.in, v.all.out))
		}
	}
}
