package tui

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/vt"

	"culprit/flinkapi"
)

// A panic while the screen is drawn gives the terminal back and is kept, with what it said.
func TestPanicWhileDrawing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := vt.NewSafeEmulator(80, 24)
		p := newProgram(t.Context(), Options{
			Monitor: always(t, slowSink), Clock: flinkapi.WallClock, Out: term, Look: plainLook(),
			Width: 80, Height: 24,
		}, tea.WithoutSignals())
		p.app.theme = nil // nothing can be drawn without
		err := p.run()
		var defect *Panicked
		if !errors.As(err, &defect) || defect.During != "drawing" || !strings.Contains(defect.Reason, "nil pointer") ||
			!strings.Contains(defect.Stack, "goroutine") {
			t.Errorf("run: %v, want a panic while drawing", err)
		}
		if term.IsAltScreen() || term.CursorHidden() || strings.Contains(term.String(), "panic") {
			t.Errorf("the terminal is left as:\n%s", term.String())
		}
		time.Sleep(2 * stepDeadline)
	})
}
