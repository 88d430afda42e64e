package tui

import (
	"fmt"
	"testing"
	"time"

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
