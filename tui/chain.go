package tui

import (
	"slices"
	"strings"
)

// chain shows a name, of a vertex or of a job, in w cells, with arrows between the operators. Names that
// begin alike differ in their ends, so what has no room is left out from the middle: of a chain the operators
// between the first and the last, then letters.
func chain(name string, w int, g *glyphs) string { return chainAround(name, "", w, g) }

// chainAround shows a chain of operators in w cells such that operator stays in sight, where it is one of
// them.
func chainAround(name, operator string, w int, g *glyphs) string {
	arrow, full := " "+g.arrow+" ", arrowed(clean(name), g)
	if cells(full) <= w {
		return full
	}
	parts := strings.Split(full, arrow)
	if len(parts) < 2 {
		return cutMiddle(full, w, g.ellipsis)
	}
	at, last := slices.Index(parts, clean(operator)), len(parts)-1
	between := " " + g.arrow + g.ellipsis + g.arrow + " "
	if at < 0 || at == 0 || at == last {
		if short := parts[0] + between + parts[last]; last > 1 && cells(short) <= w {
			return short
		}
	}
	if at < 0 {
		return cutMiddle(full, w, g.ellipsis)
	}
	short := parts[at]
	if before := g.ellipsis + arrow + short; at > 0 && cells(before) <= w {
		short = before
	}
	if after := short + arrow + g.ellipsis; at < last && cells(after) <= w {
		short = after
	}
	return cutMiddle(short, w, g.ellipsis)
}

// arrowed draws the arrows between the operators of the chains that a text names as the names themselves have
// them.
func arrowed(text string, g *glyphs) string { return strings.ReplaceAll(text, " -> ", " "+g.arrow+" ") }

// name shows the chain of a vertex in w cells, the operator that is slow in it in sight.
func (v vertexView) name(w int, g *glyphs) string {
	return chainAround(v.vertex.Name, v.operator, w, g)
}
