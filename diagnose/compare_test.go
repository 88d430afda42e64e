package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// story is a span of samples of one job with a source, an operator and a sink, one each ten seconds.
type story struct {
	culprit, trouble string
	in, busy         float64 // of the operator; in is that of the sink, too
	long             time.Duration
	loose            bool          // no verdict is firm
	run              time.Time     // when the job began to run
	unknown          bool          // no rate is known
	lag              float64       // that it ends with, by ten records a second more than before
	restartAfter     time.Duration // within the span; 0 for never
	name             string
}

func (s story) samples() []diagnose.Sample {
	var all []diagnose.Sample
	for d := time.Duration(0); d <= s.long; d += 10 * time.Second {
		run := s.run
		if s.restartAfter > 0 && d >= s.restartAfter {
			run = midnight.Add(s.restartAfter)
		}
		now := midnight.Add(d)
		one := diagnose.Sample{
			At: now, Now: now, Job: diagnose.JobRef{ID: "j", Name: "orders" + s.name, State: flinkapi.JobRunning},
			Run: run, RunsFor: now.Sub(run), Round: int(d / (10 * time.Second)),
			Told: diagnose.Told{Firm: !s.loose, Trouble: s.trouble, Headline: "the headline"},
		}
		if s.culprit != "" {
			v := diagnose.VertexRef{ID: flinkapi.VertexID(s.culprit), Name: s.culprit}
			one.Told.Culprits = []diagnose.Blamed{{Vertex: v, Reason: "cpu-bound"}}
		}
		lag := flinkapi.Known(s.lag - 10*(s.long-d).Seconds())
		rate, busy := flinkapi.Known(s.in), flinkapi.Known(s.busy)
		if s.unknown {
			rate, busy, lag = flinkapi.Value{}, flinkapi.Value{}, flinkapi.Value{}
		}
		for i, name := range []string{"source", "middle", "sink"} {
			v := diagnose.SampledVertex{
				Vertex: diagnose.VertexRef{ID: flinkapi.VertexID(name), Name: name}, In: rate, Out: rate,
				Source: i == 0, Sink: i == 2, Parallelism: 4,
			}
			switch i {
			case 0:
				v.In, v.Lag = flinkapi.Value{}, lag
			case 1:
				v.Busy = busy
			}
			one.Vertices = append(one.Vertices, v)
		}
		all = append(all, one)
	}
	return all
}

// TestCompareTellsWhatItKnows goes through what can come before and after a change.
func TestCompareTellsWhatItKnows(t *testing.T) {
	t.Parallel()
	const long = 3 * time.Minute
	early := midnight.Add(-time.Hour)
	slow := story{culprit: "middle", in: 1000, busy: 1, long: long, run: early, lag: 9000}
	calm := func(in, busy float64) story { return story{in: in, busy: busy, long: long, run: early} }
	after := func(change func(*story)) story {
		s := slow
		change(&s)
		return s
	}
	for name, c := range map[string]struct {
		before, after story
		want          diagnose.Outcome
		says          string
	}{
		"more comes through, and nobody is named": {slow, calm(3000, 0.5), diagnose.Helped, "1 k/s to 3 k/s"},
		"the bottleneck moved on": {
			slow, after(func(s *story) { s.culprit, s.in = "sink", 3400 }), diagnose.Helped,
			"sink records 1 k/s to 3.4 k/s; the bottleneck moved to `sink` (cpu-bound)",
		},
		"it moved in vain": {
			slow, after(func(s *story) { s.culprit = "sink" }), diagnose.BottleneckMoved, "no more comes through",
		},
		"it moved, and it is unknown what for": {
			slow, after(func(s *story) { s.culprit, s.unknown = "sink", true }), diagnose.BottleneckMoved, "is not known",
		},
		"in vain": {
			slow, after(func(s *story) { s.in = 1050 }), diagnose.Unchanged,
			"nothing changed",
		},
		"in part": {
			slow, after(func(s *story) { s.in = 1500 }), diagnose.HelpedInPart,
			"still holds",
		},
		"a wrong fix": {
			slow, after(func(s *story) { s.in = 600 }), diagnose.WorseThanBefore,
			"got worse",
		},
		"rates are unknown": {
			slow, after(func(s *story) { s.unknown = true }), diagnose.Unclear,
			"is not known",
		},
		"less comes in, as costly a record": {
			slow, calm(500, 0.5), diagnose.Unclear, "the input changed",
		},
		"less comes in, a cheaper record": {
			slow, calm(900, 0.3), diagnose.Helped,
			"it can take 1 k/s to 3 k/s",
		},
		"less comes in, and load unknown": {
			slow, after(func(s *story) { *s = calm(0, 0); s.unknown = true }), diagnose.Unclear,
			"cannot tell",
		},
		"well before and after": {
			calm(1000, 0.5), calm(1010, 0.52), diagnose.Unchanged,
			"nothing changed",
		},
		"more room at the same input": {
			calm(1000, 0.8), calm(1000, 0.4), diagnose.Helped,
			"80 % to 40 %",
		},
		"more room at less input": {
			calm(1000, 0.8), calm(500, 0.4), diagnose.Unclear,
			"the input changed",
		},
		"less room at the same input": {
			calm(1000, 0.4), calm(1000, 0.8), diagnose.WorseThanBefore,
			"got worse",
		},
		"one comes, at the same input": {
			calm(1000, 0.6), slow, diagnose.WorseThanBefore,
			"now holds the job back",
		},
		"one comes, as the input rose": {calm(400, 0.6), slow, diagnose.Unclear, "the input changed"},
		"the job is not in trouble by now": {
			story{trouble: "restart-loop", long: long, run: early},
			calm(1000, 0.4), diagnose.Helped,
			"restart-loop is over",
		},
		"too short": {
			slow, after(func(s *story) { s.long, s.in = 20*time.Second, 3000 }), diagnose.Unclear,
			"cannot tell yet, because only 20 s were seen",
		},
		"nothing after": {
			slow, after(func(s *story) { s.long = -1 }), diagnose.Unclear,
			"nothing was seen",
		},
		"nothing firm": {
			slow, after(func(s *story) { s.loose = true }), diagnose.Unclear,
			"no verdict is firm",
		},
		"nothing firm before": {
			after(func(s *story) { s.loose = true }), slow, diagnose.Unclear,
			"of before, no verdict is firm",
		},
		"just restarted": {
			slow, after(func(s *story) { s.restartAfter = long - 20*time.Second }), diagnose.Unclear,
			"cannot tell yet, because the job runs for only 20 s",
		},
		"restarted a while ago": {
			slow, after(func(s *story) { s.in, s.restartAfter = 3000, time.Minute }), diagnose.HelpedInPart, "3 k/s",
		},
		"another job": {slow, after(func(s *story) { s.name = "-2" }), diagnose.Unclear, "two jobs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := diagnose.Compare(c.before.samples(), c.after.samples())
			if got.Outcome != c.want || !strings.Contains(got.Sentence, c.says) {
				t.Errorf("%s: %s, want %s: %q", got.Outcome, got.Sentence, c.want, c.says)
			}
			if (got.Moved != nil) != (got.Outcome != diagnose.Unclear && c.after.culprit != c.before.culprit &&
				c.after.culprit != "" && c.before.trouble == "" || name == "one comes, as the input rose") {
				t.Errorf("moved to %v", got.Moved)
			}
		})
	}
}

// What is not known is not 0, and a lag is told with how it grows.
func TestComparedNumbers(t *testing.T) {
	t.Parallel()
	early := midnight.Add(-time.Hour)
	before := story{culprit: "middle", in: 1000, busy: 1, long: time.Minute, run: early, lag: 9000}
	after := before
	after.unknown, after.culprit = true, "sink"
	c := diagnose.Compare(before.samples(), after.samples())
	want := map[string][2]string{
		"culprit": {"middle: cpu-bound", "sink: cpu-bound"}, "sinks, in": {"1 k/s", "-"}, "lag": {"9 k", "-"},
		"lag grows by": {
			"10 /s", "-",
		}, "busiest": {"100 %", "-"}, "checkpoints": {
			"0 completed", "0 completed",
		},
		"  duration": {"-", "-"},
	}
	for _, r := range c.Rows(time.UTC) {
		if w, ok := want[r.Label]; ok && (r.Before != w[0] || r.After != w[1]) {
			t.Errorf("%s is %q, then %q; want %q", r.Label, r.Before, r.After, w)
		}
		delete(want, r.Label)
	}
	if len(want) > 0 {
		t.Errorf("missing rows %v", want)
	}
}

// Samples are kept one for each collection of metrics, an hour of them, of one job, and never from the
// future.
func TestKeepSample(t *testing.T) {
	t.Parallel()
	var kept []diagnose.Sample
	job := diagnose.JobRef{ID: "j", Name: "orders"}
	for i := range 3 * 3600 {
		kept = diagnose.KeepSample(kept, diagnose.Sample{
			At: midnight.Add(time.Duration(i) * time.Second), Round: i / 10, Job: job,
		})
	}
	if len(kept) != 361 || !kept[0].At.Before(kept[360].At.Add(-time.Hour+11*time.Second)) {
		t.Errorf("%d are kept from %s", len(kept), kept[0].At)
	}
	back := diagnose.Sample{At: midnight, Job: job}
	if now := diagnose.KeepSample(kept, back); len(now) != 1 {
		t.Errorf("%d are kept after going back in time", len(now))
	}
}
