package tui

// textPane scrolls through lines that a function writes for a width.
type textPane struct {
	write func(sc *scene, w int, th *Theme) []line
	from  int
}

// Key scrolls.
func (p *textPane) Key(a ActionID, sc *scene, r Rect, th *Theme) bool {
	n := len(p.write(sc, r.W, th))
	i, ok := moved(a, p.from, max(n-r.H+1, 1), r.H)
	p.from = i
	return ok
}

// Draw returns the visible lines.
func (p *textPane) Draw(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	all := p.write(sc, r.W, th)
	from := min(p.from, max(len(all)-r.H, 0))
	return th.fillRect(all[from:], r)
}

func evidenceText(*scene, int, *Theme) []line { return nil }

func whyText(*scene, int, *Theme) []line { return nil }

func helpText(*scene, int, *Theme) []line { return nil }
