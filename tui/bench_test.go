package tui

import (
	"fmt"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"culprit/diagnose"
)

// BenchmarkDraw draws a whole frame anew; the budget is 2 ms at 200x60.
func BenchmarkDraw(b *testing.B) {
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			m := newApp(b.Context(), Options{
				Monitor: still{}, Look: Look{Dark: true}, Width: size[0], Height: size[1],
				Clock: func() time.Time { return start },
			})
			m.Init()
			m.Update(obsMsg{obs: wide()})
			for b.Loop() {
				m.draw()
			}
		})
	}
}

// BenchmarkGraph draws a frame of a large job anew, and one that nothing has changed in.
func BenchmarkGraph(b *testing.B) {
	for _, n := range []int{12, 60, 300} {
		m := newApp(b.Context(), Options{
			Monitor: still{}, Look: Look{Profile: termenv.TrueColor, Dark: true}, Width: 200, Height: 60,
			Clock: func() time.Time { return start },
		})
		m.Init()
		m.Update(obsMsg{obs: bigJob(n)})
		b.Run(fmt.Sprintf("vertices=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.draw()
			}
		})
		b.Run(fmt.Sprintf("unchanged/vertices=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = m.View()
			}
		})
	}
}

// A frame of a large job must stay cheap, and one that nothing has changed in must cost nothing.
func TestFrameStaysCheap(t *testing.T) {
	const most = 999
	for _, c := range []struct {
		name string
		obs  *diagnose.Observation
		keys []string
	}{
		{"60 vertices", bigJob(60), nil},
		{"a table of subtasks beside the graph", bigJob(12), nil},
		{"20 subtasks", wide(), nil},
		{"the list of 40 subtasks", thousands(40), []string{"enter"}},
		{"the list of 2,000 subtasks", thousands(2000), []string{"enter"}},
	} {
		m := mounted(t, c.obs, 200, 60, Look{Profile: termenv.TrueColor, Dark: true})
		press(m, c.keys...)
		m.View()
		if n := testing.AllocsPerRun(20, func() { m.draw() }); n > slack*most {
			t.Errorf("%s: %.0f allocations for a frame, want at most %d", c.name, n, most)
		}
		if n := testing.AllocsPerRun(20, func() { m.View() }); n > 0 {
			t.Errorf("%s: %.0f allocations for a frame that has not changed", c.name, n)
		}
	}
}

// BenchmarkPlace chooses a layout of a large job anew, as after a change of its shape or of the window.
func BenchmarkPlace(b *testing.B) {
	for _, n := range []int{12, 60, 300} {
		for _, size := range [][2]int{{80, 8}, {200, 34}} {
			b.Run(fmt.Sprintf("vertices=%d/%dx%d", n, size[0], size[1]), func(b *testing.B) {
				sc := &scene{obs: bigJob(n)}
				sc.report = sc.obs.Report
				th := NewTheme(plainLook())
				for b.Loop() {
					(&graphPane{}).need(sc, Rect{W: size[0], H: size[1]}, th)
				}
			})
		}
	}
}

// BenchmarkScroll draws screens that hold more rows than fit.
func BenchmarkScroll(b *testing.B) {
	for name, keys := range map[string][]string{"subtasks": {"enter"}, "evidence": {"e"}, "help": {"?"}} {
		b.Run(name, func(b *testing.B) {
			m := newBenched(b, wide())
			press(m, keys...)
			for b.Loop() {
				m.draw()
			}
		})
	}
}

// newBenched returns the model with an observation on a large screen.
func newBenched(b *testing.B, obs *diagnose.Observation) *app {
	b.Helper()
	m := newApp(b.Context(), Options{
		Monitor: still{}, Look: Look{Dark: true}, Width: 200, Height: 60,
		Clock: func() time.Time { return start },
	})
	m.Init()
	m.Update(obsMsg{obs: obs})
	return m
}
