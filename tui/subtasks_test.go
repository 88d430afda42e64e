package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// manySubtasks is a vertex with n subtasks of which one is hot.
func manySubtasks(n, hotOne int) vertexView {
	v := &flinkapi.Vertex{ID: vertexID(0), Name: "aggregate", Parallelism: n, State: flinkapi.TaskRunning}
	state := diagnose.VertexState{Vertex: diagnose.VertexRef{ID: v.ID, Name: v.Name}}
	var all []diagnose.SubtaskState
	for i := range n {
		busy := 0.1
		if i == hotOne {
			busy = 1
		}
		all = append(all, diagnose.SubtaskState{
			Index: i, State: flinkapi.TaskRunning, Busy: flinkapi.Known(busy), RecordsIn: flinkapi.Known(10 * busy),
			Backpressured: flinkapi.Known(0), Idle: flinkapi.Known(1 - busy), Host: fmt.Sprintf("worker-%d", i%7),
		})
	}
	state.Subtasks = diagnose.SubtasksOf(all...)
	return vertexView{vertex: v, state: state}
}

// change changes what is said of some subtasks of a vertex.
func (v *vertexView) change(how func(s *diagnose.SubtaskState)) {
	all := v.state.Subtasks.All()
	for k := range all {
		how(&all[k])
	}
	v.state.Subtasks = diagnose.SubtasksOf(all...)
}

// hideBusy makes the busy share of a subtask unknown.
func (v *vertexView) hideBusy(subtask int) {
	v.change(func(s *diagnose.SubtaskState) {
		if s.Index == subtask {
			s.Busy = flinkapi.Value{}
		}
	})
}

func textOf(rows []line) string {
	var b strings.Builder
	for _, l := range rows {
		for _, s := range l {
			b.WriteString(s.text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The one hot subtask, or the one that is not known, shows at every parallelism and width.
func TestTheHeatStripHidesNobody(t *testing.T) {
	th := NewTheme(plainLook())
	for _, n := range []int{1, 2, 7, 60, 61, 199, 500, 2000} {
		for _, w := range []int{40, 80, 120, 200} {
			for _, h := range []int{1, 2, 5} {
				for _, odd := range []int{0, n / 3, n - 1} {
					v := manySubtasks(n, odd)
					stripHolds(t, heatStrip(v, w, h, th), "█", w, h)
					v.hideBusy(odd)
					stripHolds(t, heatStrip(v, w, h, th), "?", w, h)
				}
			}
		}
	}
}

// stripHolds fails unless the strip has the mark once, and at most h rows of w cells.
func stripHolds(t *testing.T, rows []line, mark string, w, h int) {
	t.Helper()
	text := textOf(rows)
	if strings.Count(text, mark) != 1 || len(rows) > h {
		t.Fatalf("not one %s in %dx%d:\n%s", mark, w, h, text)
	}
	for _, l := range rows {
		if l.width() > w {
			t.Fatalf("%d cells in a strip of %d:\n%s", l.width(), w, text)
		}
	}
}

func TestTheSpreadOfAColumn(t *testing.T) {
	th := NewTheme(plainLook())
	v := manySubtasks(40, 7)
	v.hideBusy(3)
	table := subtaskTableOf(&scene{}, v)
	for name, want := range map[string]string{
		"busy": "busy: min 10 %  median 10 %  max 100 % (subtask 7)  the top one has 20.8 % of all, " +
			"an even share is 2.56 %  known of 39 of 40",
		"idle": "idle: min 0 %  median 90 %  max 90 % (subtask 0)",
		"records in": "records in: min 1.00 /s  median 1.00 /s  max 10.0 /s (subtask 7)  " +
			"the top one has 20.4 % of all, an even share is 2.5 %",
		"backpressured": "backpressured: 0 % each of 40",
		"host":          "host: worker-0 has 6, worker-1 has 6, worker-2 has 6, worker-3 has 6, and 3 more",
		// Nobody has told of it.
		"in queue": "in queue: - of all 40 subtasks",
	} {
		columns := subtaskColumns(true)
		for i := range columns {
			if columns[i].name != name {
				continue
			}
			got := strings.TrimRight(textOf([]line{table.spreadLine(&columns[i], 160, th)}), " \n")
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
	}
}

// Rows keep their places while values only tremble, whichever column they are sorted by.
func TestTheOrderStandsStill(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	columns := subtaskColumns(true)
	for i := range columns {
		before, pane := "", &subtasksPane{by: i}
		for n := range 20 {
			v := manySubtasks(30, 7)
			v.change(func(s *diagnose.SubtaskState) {
				tremble := 1 + 0.004*r.Float64()
				s.Busy, s.Idle, s.RecordsIn = s.Busy.Times(tremble), s.Idle.Times(tremble), s.RecordsIn.Times(tremble)
			})
			table := subtaskTableOf(&scene{}, v)
			table.end = start.Add(time.Duration(n) * reorderAfter / 20)
			var order []string
			for _, s := range pane.ordered(&scene{}, table) {
				order = append(order, fmt.Sprint(s.Index))
			}
			now := strings.Join(order, " ")
			if before != "" && now != before {
				t.Fatalf("by %s\nfirst %s\nthen  %s", columns[i].name, before, now)
			}
			before = now
		}
	}
}

// What is not known comes last in both directions.
func TestTheUnknownComesLast(t *testing.T) {
	v := manySubtasks(5, 1)
	v.hideBusy(0)
	table := subtaskTableOf(&scene{}, v)
	busy := &subtaskColumns(true)[sortedFirst]
	for reverse, want := range map[bool]string{false: "1 2 3 4 0", true: "2 3 4 1 0"} {
		var got []string
		for _, s := range table.shown(&scene{}, busy, reverse) {
			got = append(got, fmt.Sprint(s.Index))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("reversed %v: %v, want %s", reverse, got, want)
		}
	}
}

// Every column can be reached at every width, and the last one ends the row.
func TestEveryColumnHasItsTurn(t *testing.T) {
	all := subtaskColumns(true)
	for w := 10; w <= 260; w++ {
		room := columnRoom(all, w)
		seen := map[int]bool{}
		for first := 1; first <= lastFirst(all, room); first++ {
			placed, _ := placeColumns(all, first, room)
			used := 0
			for _, c := range placed {
				seen[c.number] = true
				used += c.w
			}
			if used > max(room, 0) {
				t.Fatalf("%d cells from column %d in %d", used, first, room)
			}
		}
		for i := 1; w >= minWidth && i < len(all); i++ {
			if !seen[i] {
				t.Errorf("column %s is never in sight at %d cells", all[i].name, w)
			}
		}
	}
}

// thousands is an observation whose culprit has n subtasks.
func thousands(n int) *diagnose.Observation {
	obs := wide()
	v := manySubtasks(n, n/2)
	obs.Report.Vertices[9].Subtasks = v.state.Subtasks
	obs.Snapshot.Job.Vertices[9].Parallelism = n
	return obs
}

// inspected is dissected with what is read of single subtasks.
func inspected() *diagnose.Observation {
	obs := dissected()
	job := obs.Snapshot.Job
	v := &job.Vertices[3]
	v.Gauges = map[int]flinkapi.Gauges{}
	for i := range 2 {
		v.Gauges[i] = flinkapi.Gauges{Read: start, Readings: flinkapi.Readings{
			flinkapi.InPoolUsage: value(1), flinkapi.OutPoolUsage: value(0), flinkapi.InputQueue: value(74),
			flinkapi.OutputQueue: value(0), flinkapi.SoftBackpressuredShare: value(0),
			flinkapi.HardBackpressuredShare: value(0),
			flinkapi.InputWatermark:         value(float64(start.Unix() - 222 + int64(i))),
		}}
	}
	for i := range job.Checkpoints.History {
		for k := range job.Checkpoints.History[i].Vertices {
			parts := job.Checkpoints.History[i].Vertices[k].Parts
			for n := range parts {
				parts[n].Subtask, parts[n].StateBytes = n, value(6.1e8)
			}
		}
	}
	return obs
}

// Only what is in sight is painted: 2,000 subtasks take about as many allocations as 100.
func TestALargeVertexIsDrawnAsASmallOne(t *testing.T) {
	cost := func(n int, keys ...string) float64 {
		m := mounted(t, thousands(n), 200, 60, plainLook())
		press(m, keys...)
		return testing.AllocsPerRun(5, func() { m.draw() })
	}
	for _, keys := range [][]string{{"enter"}, {"enter", "s"}, {"enter", "G"}, {"enter", "enter"}} {
		small, large := cost(100, keys...), cost(2000, keys...)
		if large > 1.2*small+200 {
			t.Errorf("%v: %v allocations for 2,000 subtasks, %v for 100", keys, large, small)
		}
	}
}

// BenchmarkSubtasks draws the list of the subtasks of a large vertex anew, of which only what is in sight is
// painted, and one of them.
func BenchmarkSubtasks(b *testing.B) {
	for name, keys := range map[string][]string{"list": {"enter"}, "one": {"enter", "enter"}} {
		for _, n := range []int{40, 2000} {
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				m := newBenched(b, thousands(n))
				press(m, keys...)
				b.ReportAllocs()
				for b.Loop() {
					m.draw()
				}
			})
		}
	}
}

// An order that is plainly wrong is put right at once, one that is a little wrong after some seconds.
func TestTheOrderIsPutRight(t *testing.T) {
	pane := &subtasksPane{by: sortedFirst}
	see := func(after time.Duration, busy ...float64) string {
		v := manySubtasks(len(busy), 0)
		n := 0
		v.change(func(s *diagnose.SubtaskState) { s.Busy, n = flinkapi.Known(busy[n]), n+1 })
		table := subtaskTableOf(&scene{}, v)
		table.end = start.Add(after)
		var got []string
		for _, s := range pane.ordered(&scene{}, table) {
			got = append(got, fmt.Sprint(s.Index))
		}
		return strings.Join(got, " ")
	}
	for _, c := range []struct {
		after time.Duration
		busy  []float64
		want  string
	}{
		{0, []float64{1, 0.05, 0, 0.02}, "0 1 3 2"},
		{time.Second, []float64{1, 0.05, 0.03, 0.02}, "0 1 3 2"},
		{reorderAfter, []float64{1, 0.05, 0.03, 0.02}, "0 1 2 3"},
		{reorderAfter + time.Second, []float64{0.5, 0.05, 0.03, 0.9}, "3 0 1 2"},
	} {
		if got := see(c.after, c.busy...); got != c.want {
			t.Errorf("%v after %v: %s, want %s", c.busy, c.after, got, c.want)
		}
	}
}
