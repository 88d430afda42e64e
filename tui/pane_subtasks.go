package tui

// subtasksPane shows every subtask of the selected vertex.
type subtasksPane struct{}

// Key moves the cursor.
func (p *subtasksPane) Key(ActionID, *scene, Rect, *Theme) bool { return false }

// Draw returns the table.
func (p *subtasksPane) Draw(_ *scene, r Rect, th *Theme) []string { return th.fillRect(nil, r) }
