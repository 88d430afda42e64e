package flinkapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatStandsBeforeAMetric(t *testing.T) {
	cases := []struct {
		signal   Signal
		id       string
		operator string
		is       bool
	}{
		{InputWatermark, "currentInputWatermark", "", true},
		{InputWatermark, "check.currentInputWatermark", "check", true},
		{InputWatermark, "check.currentInput2Watermark", "", false},
		{InputWatermark, "precurrentInputWatermark", "", false},
		{Level0Files, "sessionize.session.rocksdb_num-files-at-level0", "sessionize.session", true},
		{
			Level0Files, "sessionize._timer_state/event_user-timers.rocksdb_num-files-at-level0",
			"sessionize._timer_state/event_user-timers", true,
		},
		{Level0Files, "sessionize.column_family.session.rocksdb_num-files-at-level0", "sessionize.session", true},
		{WriteStallTime, "sessionize.rocksdb_stall_micros", "sessionize", true},
		{StateGetLatency, "sessionize.state_name.session.valueStateGetLatency_p99", "sessionize.session", true},
		{StateGetLatency, "sessionize.state_name.m.mapStateGetLatency_p99", "sessionize.m", true},
		{StateGetLatency, "sessionize.state_name.m.mapStateGetLatency_p999", "", false},
		{UnassignedSplits, "Source__a.coordinator.enumerator.unassignedSplits", "Source__a", true},
	}
	for _, c := range cases {
		operator, is := c.signal.Info().operatorOf(c.id)
		if operator != c.operator || is != c.is {
			t.Errorf("%s in %s: %q, %v", c.signal, c.id, operator, is)
		}
	}
}

func spreadOf(t *testing.T, s Signal, numbers string) Spread {
	t.Helper()
	var w wireMetrics
	if err := unmarshal([]byte(fmt.Sprintf(`[{"id":%q,%s}]`, s.Info().Metric, numbers)), &w); err != nil {
		t.Fatal(err)
	}
	return joined(w.operators([]Signal{s})[s])
}

func TestNumbersThatStandForNothing(t *testing.T) {
	const none, ended = "-9.223372036854776E18", "9.223372036854776E18"
	cases := []struct {
		signal  Signal
		numbers string
		want    Spread
	}{
		{InputWatermark, `"min":` + none + `,"max":` + none + `,"avg":` + none + `,"sum":` + none, Spread{}},
		{
			InputWatermark, `"min":` + none + `,"max":1795981501543,"avg":-4.6E18,"sum":-9.2E18`,
			Spread{Max: Known(1795981501.543)},
		},
		{
			InputWatermark, `"min":1795981501543,"max":` + ended + `,"avg":4.6E18,"sum":9.2E18`,
			Spread{Min: Known(1795981501.543), Max: Known(9.223372036854776e15)},
		},
		{
			InputWatermark, `"min":1000,"max":3000,"avg":2000,"sum":4000`,
			Spread{Min: Known(1), Max: Known(3), Mean: Known(2), Sum: Known(4)},
		},
		{EmitLag, `"min":-1,"max":5000,"avg":2499.5,"sum":4999`, Spread{Max: Known(5)}},
		{AlignmentDrift, `"min":-9.2E18,"max":-9.2E18,"avg":-9.2E18,"sum":-9.2E18`, Spread{}},
		{
			AlignmentDrift, `"min":-1960,"max":67710,"avg":32875,"sum":65750`,
			Spread{Min: Known(-1.96), Max: Known(67.71), Mean: Known(32.875), Sum: Known(65.75)},
		},
		{UnassignedSplits, `"value":"3"`, Spread{Known(3), Known(3), Known(3), Known(3)}},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, spreadOf(t, c.signal, c.numbers), exactly()); diff != "" {
			t.Errorf("%s of %s: %s", c.signal, c.numbers, diff)
		}
	}
}

func TestTheTaskCoversItsOperators(t *testing.T) {
	var w wireMetrics
	body := `[{"id":"b.currentInputWatermark","min":5000,"max":6000},{"id":"currentInputWatermark","min":7000,"max":8000},
	 {"id":"a.numLateRecordsDropped","min":0,"max":2,"sum":2},{"id":"b.numLateRecordsDropped","min":1,"max":3,"sum":4}]`
	if err := unmarshal([]byte(body), &w); err != nil {
		t.Fatal(err)
	}
	all := w.operators(Signals())
	if got := joined(all[InputWatermark]); got.Min != Known(7) || len(all[InputWatermark]) != 2 {
		t.Errorf("the watermarks %+v give %+v", all[InputWatermark], got)
	}
	if got := joined(all[LateRecords]); got.Sum != Known(6) || got.Min != Known(0) || got.Max != Known(3) {
		t.Errorf("the late records %+v give %+v", all[LateRecords], got)
	}
}

// TestAskingForManyStates holds that requests stay short, and that every signal gets its share of them.
func TestAskingForManyStates(t *testing.T) {
	c := NewCollector(nil, CollectorOptions{})
	var all wireMetrics
	add := func(id string) { all = append(all, wireMetric{ID: text(id)}) }
	for _, s := range c.signals[SubtaskMetrics] {
		add(s.Info().Metric)
	}
	for i := range 100 {
		for _, s := range []Signal{WriteStopped, PendingCompaction, Level0Files} {
			add(fmt.Sprintf("join.left <records> %02d.%s", i, s.Info().Metric))
		}
		add(fmt.Sprintf("join.state_name.left <records> %02d.value%s", i, StateGetLatency.Info().Metric))
	}
	add("join.currentInputWatermark")
	add("currentInputWatermark")
	queries := split(c.wantedNames(all))
	if len(queries) != maxQueries || queries[0][len(c.signals[SubtaskMetrics])] != "currentInputWatermark" {
		t.Fatalf("%d requests, the first is %v", len(queries), queries[0])
	}
	count := countNames(t, c, queries)
	for _, s := range []Signal{WriteStopped, PendingCompaction, Level0Files, StateGetLatency} {
		if count[s] < 20 || count[s] > namesPerSignal {
			t.Errorf("%s is asked for %d states", s, count[s])
		}
	}
	if count[InputWatermark] != 2 || !strings.Contains(strings.Join(queries[0], " "), "rocksdb") {
		t.Errorf("counts %v", count)
	}
}

// countNames counts the names that are asked for by signal, and holds the requests to their length.
func countNames(t *testing.T, c *Collector, queries [][]string) map[Signal]int {
	t.Helper()
	count := map[Signal]int{}
	for _, names := range queries {
		if size := len(getMetrics(names)); size > maxQuery+len("get=") {
			t.Errorf("a query of %d bytes", size)
		}
		for _, s := range c.signals[OperatorMetrics] {
			for _, name := range names {
				if _, is := s.Info().operatorOf(name); is {
					count[s]++
				}
			}
		}
	}
	return count
}

func FuzzOperatorOf(f *testing.F) {
	f.Add("a.state_name.b.valueStateGetLatency_p99")
	f.Add(".currentInputWatermark")
	f.Fuzz(func(t *testing.T, id string) {
		for _, s := range Signals() {
			if operator, is := s.Info().operatorOf(id); is && len(operator) >= len(id) {
				t.Errorf("%q gives the operator %q", id, operator)
			}
		}
	})
}
