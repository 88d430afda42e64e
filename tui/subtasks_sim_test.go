package tui

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

// simulated is a monitor of a simulated cluster whose time is that of the test.
func simulated(t *testing.T, scenario string) *diagnose.Monitor {
	t.Helper()
	s, ok := sim.Lookup(scenario)
	if !ok {
		t.Fatalf("no scenario %s", scenario)
	}
	return watching(t, s.Cluster(flinkapi.WallClock()))
}

// watching is a monitor of a simulated cluster.
func watching(t *testing.T, cluster *sim.Cluster) *diagnose.Monitor {
	t.Helper()
	client, err := flinkapi.NewClient(flinkapi.Options{
		URL:       "http://simulated",
		Transport: sim.Transport(cluster.Handler(), cluster.Follow(flinkapi.WallClock, 1)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return diagnose.NewMonitor(flinkapi.NewCollector(client, flinkapi.CollectorOptions{
		Clock: cluster.Now, Signals: diagnose.Needs(),
	}), diagnose.DefaultOptions())
}

var indexColumn = regexp.MustCompile(`(?m)^(?:❯ |  ) *(\d+)  .*10\.0\.3`)

// order are the subtasks on the screen, from the top, where their host is in sight.
func order(screen string) string {
	var out []string
	for _, m := range indexColumn.FindAllStringSubmatch(screen, -1) {
		out = append(out, m[1])
	}
	return strings.Join(out, " ")
}

func TestEverySubtaskColumnSorts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, simulated(t, "hot-key"), 140, 40)
		time.Sleep(90 * time.Second)
		screen := s.press("enter")
		s.wants(screen, "subtasks of customer-totals", "▼busy", "sorted by busy", "an even share is 12.5 %",
			"upstream parse x8 (hash)")
		time.Sleep(30 * time.Second)
		screen = s.settle()
		if got := order(screen); got != "4 0 1 2 3 5 6 7" {
			t.Errorf("by busy the subtasks are %s:\n%s", got, screen)
		}
		if s.press("S"); order(s.settle()) != "0 1 2 3 5 6 7 4" {
			t.Errorf("reversed:\n%s", s.settle())
		}
		s.press("S")
		columns := subtaskColumns(true)
		for i := range columns {
			c := &columns[(sortedFirst+1+i)%len(columns)]
			screen = s.press("s")
			name := c.name
			if name == "index" {
				name = "#"
			}
			mark := map[bool]string{true: "▲", false: "▼"}[c.ascending]
			marked := mark + name
			if c.word != nil {
				marked = name + mark
			}
			s.wants(screen, "sorted by "+c.name, marked, c.name+": ")
			if strings.Contains(screen, c.name+": - of all") {
				t.Errorf("the simulated cluster gives no %s:\n%s", c.name, screen)
			}
		}
		s.wants(screen, "sorted by busy")
		s.quit("q")
	})
}

// rowWith is the row of the screen that begins so.
func rowWith(screen, start string) string {
	for row := range strings.Lines(screen) {
		if strings.HasPrefix(row, start) {
			return row
		}
	}
	return ""
}

func TestColumnsScrollSideways(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, simulated(t, "hot-key"), 80, 24)
		time.Sleep(90 * time.Second)
		screen := s.press("enter")
		s.wants(screen, "#   ▼busy", " >\n")
		s.lacks(screen, "TaskManager")
		screen = s.press(">")
		s.wants(screen, "<     #   busy, 15 min")
		s.lacks(screen, "▼busy")
		for range len(subtaskColumns(true)) {
			screen = s.press(">")
		}
		s.wants(screen, "<     #", "TaskManager", "tm-2")
		s.lacks(screen, " >\n")
		end := rowWith(screen, "<     #")
		if beyond := rowWith(s.press(">"), "<     #"); beyond != end {
			t.Errorf("beyond the last column is %q, not %q", beyond, end)
		}
		for range len(subtaskColumns(true)) {
			screen = s.press("<")
		}
		s.wants(screen, "#   ▼busy")
		s.quit("q")
	})
}

func TestASubtaskOpensAndCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, simulated(t, "slow-sink"), 120, 100)
		time.Sleep(90 * time.Second)
		s.press("enter", "down")
		s.wants(s.press("enter"), "subtask 1 of jdbc-upsert", "comes with the next look")
		time.Sleep(2 * time.Second)
		screen := s.settle()
		s.wants(screen, "subtask 1 of jdbc-upsert", "RUNNING  attempt 0", "the last 15 minutes", "busy  now 100 %",
			"records in", "now, beside all subtasks")
		time.Sleep(40 * time.Second)
		screen = s.settle()
		s.wants(screen, "start delay", "looks at its thread, from thread dumps", "RUNNABLE 100 %",
			"· com.example.shop.WarehouseWriter.call:57", "its TaskManager", "in queue")
		s.wants(s.press("tab"), "subtask 0 of jdbc-upsert")
		s.wants(s.press("shift+tab"), "subtask 1 of jdbc-upsert")
		s.wants(s.press("e"), "evidence")
		s.wants(s.press("esc"), "subtask 1 of jdbc-upsert")
		screen = s.press("esc")
		s.wants(screen, "subtasks of jdbc-upsert", "❯     1")
		screen = s.press("esc")
		s.lacks(screen, "subtasks of jdbc-upsert")
		s.quit("q")
	})
}

func TestWithoutSamplesTheSubtaskSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, simulated(t, "healthy"), 120, 100)
		time.Sleep(60 * time.Second)
		s.press("enter", "enter")
		time.Sleep(2 * time.Second)
		s.wants(s.settle(), "not looked at: a thread dump stops a TaskManager")
		s.quit("q")
	})
}

func TestASubtaskThatIsRescaledAwayLeavesTheCursorWhereItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		after := wide()
		v := &after.Report.Vertices[9]
		v.Subtasks = diagnose.SubtasksOf(v.Subtasks.All()[:20]...)
		after.Snapshot.Job.Vertices[9].Parallelism = 20
		var rescaled atomic.Bool
		monitor := always(t, nil)
		monitor.step = func(context.Context, int, diagnose.Ask) (*diagnose.Observation, error) {
			if rescaled.Load() {
				return after, nil
			}
			return wide(), nil
		}
		s := play(t, monitor, 120, 36)
		s.press("enter", "s", "s", "S") // by what is equal, so that the order is that of the indices
		for range 10 {
			s.press("down")
		}
		s.wants(s.press("enter"), "subtask 10 of aggregate")
		s.press("esc")
		for range 15 {
			s.press("down")
		}
		s.wants(s.press("enter"), "subtask 25 of aggregate")
		rescaled.Store(true)
		time.Sleep(3 * time.Second)
		s.wants(s.settle(), "subtask 25 is not there: the vertex has 20 subtasks now")
		s.wants(s.press("esc"), "❯    19")
		s.wants(s.press("enter"), "subtask 19 of aggregate")
		s.quit("q")
	})
}

func TestTheScreenAsksForTheSubtasksThatItShows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitor := always(t, wide)
		s := play(t, monitor, 120, 36)
		ask := func() diagnose.Ask {
			time.Sleep(5 * time.Second)
			synctest.Wait()
			all := monitor.asks()
			return all[len(all)-1]
		}
		if a := ask(); a.Detail || a.Subtasks != nil {
			t.Errorf("on the graph it asks for %+v", a)
		}
		s.press("enter")
		if a := ask(); !a.Detail || a.Vertex != vertexID(9) || !a.Checkpoints || len(a.Subtasks) < 10 ||
			a.Subtasks[0] != 137 {
			t.Errorf("in the list it asks for %+v", a)
		}
		s.press("enter")
		if a := ask(); !a.Detail || fmt.Sprint(a.Subtasks) != "[137]" {
			t.Errorf("in the subtask it asks for %+v", a)
		}
		s.press("esc", "esc")
		if a := ask(); a.Detail || a.Checkpoints {
			t.Errorf("back on the graph it asks for %+v", a)
		}
		s.quit("q")
	})
}
