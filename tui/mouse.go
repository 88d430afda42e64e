package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"culprit/flinkapi"
	"culprit/tui/dag"
)

// pointable is a pane whose vertices can be pointed at.
type pointable interface {
	// Point returns the vertex at a cell of the pane, counted from its upper left corner.
	Point(sc *scene, r Rect, x, y int, th *Theme) (flinkapi.VertexID, bool)
	// Wheel moves what is in sight by some cells and tells whether the pane does that.
	Wheel(sc *scene, r Rect, by dag.Point) bool
}

// mouse takes a click, which selects a vertex and opens the one that is selected already, and a turn of the
// wheel, which scrolls.
func (m *app) mouse(msg tea.MouseMsg) tea.Cmd {
	if msg.Action != tea.MouseActionPress || m.palette != nil {
		return nil
	}
	if turn, ok := wheelTurns()[msg.Button]; ok {
		if msg.Shift {
			turn.by.X, turn.by.Y = turn.by.Y, turn.by.X
		}
		m.wheel(turn)
		return nil
	}
	if msg.Button != tea.MouseButtonLeft {
		return nil
	}
	return m.click(msg.X, msg.Y)
}

// turn is a notch of the wheel: the cells that it moves a drawing by, and what it does to rows.
type turn struct {
	by   dag.Point
	rows ActionID
}

func wheelTurns() map[tea.MouseButton]turn {
	const columns, rows = 6, 2
	return map[tea.MouseButton]turn{
		tea.MouseButtonWheelUp:    {dag.Point{Y: -rows}, ActionUp},
		tea.MouseButtonWheelDown:  {dag.Point{Y: rows}, ActionDown},
		tea.MouseButtonWheelLeft:  {dag.Point{X: -columns}, ""},
		tea.MouseButtonWheelRight: {dag.Point{X: columns}, ""},
	}
}

func (m *app) wheel(t turn) {
	sc := m.scene()
	if p, ok := m.panes[sc.screen].(pointable); ok && p.Wheel(sc, m.panels(sc).Body, t.by) {
		return
	}
	if t.rows != "" {
		m.toPane(t.rows)
	}
}

func (m *app) click(x, y int) tea.Cmd {
	sc := m.scene()
	p, ok := m.panes[sc.screen].(pointable)
	if !ok {
		return nil
	}
	body := m.panels(sc).Body
	if x < body.X || x >= body.X+body.W || y < body.Y || y >= body.Y+body.H {
		return nil
	}
	id, ok := p.Point(sc, body, x-body.X, y-body.Y, m.theme)
	switch {
	case !ok:
	case id == sc.selected:
		return m.open()
	default:
		m.choose(id)
	}
	return nil
}

// choose notes the vertex that was selected by hand, and brings it in sight.
func (m *app) choose(id flinkapi.VertexID) {
	m.pin()
	m.chosen = id
	m.loop.ask.Vertex = id
	if g, ok := m.panes[screenGraph].(*graphPane); ok {
		g.loose = false
	}
}
