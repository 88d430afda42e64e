package tui

import "culprit/tui/dag"

// zoom is how much of each vertex the graph shows, the least first.
type zoom uint8

const (
	// zoomAuto takes the largest that fits.
	zoomAuto zoom = iota
	// zoomDot shows a sign per vertex.
	zoomDot
	// zoomLine shows sign, name and the largest share on one line.
	zoomLine
	// zoomSmall shows boxes that leave something out.
	zoomSmall
	// zoomFull shows boxes that say all that a row of the list does.
	zoomFull
)

// word is what the caption calls it.
func (z zoom) word() string {
	switch z {
	case zoomDot:
		return "dots"
	case zoomLine:
		return "lines"
	case zoomSmall:
		return "small boxes"
	case zoomFull, zoomAuto:
	}
	return "boxes"
}

// beside is the next larger or smaller zoom, where there is one.
func (z zoom) beside(larger bool) zoom {
	if larger {
		return min(z+1, zoomFull)
	}
	return max(z-1, zoomDot)
}

// folding says which linear stretches of victims are drawn as one box.
type folding uint8

const (
	// foldAuto folds where the graph does not fit otherwise.
	foldAuto folding = iota
	foldAll
	foldNone
)

// attempt is one way to draw the graph.
type attempt struct {
	zoom   zoom
	folded bool
}

// attempts lists what to try, the best first: stretches of victims become one box before other vertices lose
// their box, and again before they lose their name.
func attempts(z zoom, f folding) []attempt {
	levels := [][]zoom{{zoomFull, zoomSmall}, {zoomLine}, {zoomDot}}
	if z != zoomAuto {
		levels = [][]zoom{{z}}
	}
	var out []attempt
	for _, level := range levels {
		for _, folded := range []bool{false, true} {
			if folded && f == foldNone || !folded && f == foldAll {
				continue
			}
			for _, one := range level {
				out = append(out, attempt{one, folded})
			}
		}
	}
	return out
}

// boxStyles are the styles of a zoom to try, the best first.
func boxStyles(z zoom) []boxStyle {
	switch z {
	case zoomDot:
		return []boxStyle{{boxDot, 1, 1}}
	case zoomLine:
		return []boxStyle{{boxLine, 6, 28}, {boxLine, 6, 18}, {boxLine, 6, 12}, {boxBare, 6, 12}}
	case zoomSmall:
		return []boxStyle{
			{boxShort, 22, 26}, {boxShort, 22, 22}, {boxNarrow, 13, 18}, {boxNarrow, 11, 14}, {boxNarrow, 11, 11},
		}
	case zoomFull, zoomAuto:
	}
	return []boxStyle{{boxFull, 24, 34}, {boxFull, 22, 26}, {boxTall, 16, 20}, {boxTall, 15, 16}}
}

// edgeTone is how lines between boxes are toned: those that are lit, those in which data stands, those in
// which it flows, and those in which nothing is seen to move.
func edgeTone(p dag.Pen) tone {
	switch {
	case p.Stroke == dag.Heavy: // whatever is selected: that data stands here is what must be seen
		return toneJam
	case p.Lit:
		return toneSelected
	case p.Stroke == dag.Thin:
		return toneDim
	}
	return toneTrack
}
