package tui

import (
	"strings"

	"culprit/flinkapi"
)

// descriptionText tells all that the plan says of the selected vertex: its whole name, its operators, what it
// is linked with and its description.
func descriptionText(sc *scene, p *paper) {
	th := p.th
	v, ok := sc.selectedVertex()
	if !ok {
		p.add(line{say(toneDim, sc.emptyWord())})
		return
	}
	role := v.look(th)
	p.heading("vertex")
	p.entry(nil, 2, toneStrong, clean(v.vertex.Name))
	p.add(line{
		say(toneDim, "  "+timesWord(v)+", at most "+atMost(v.vertex)+"  "),
		role.span(),
	})
	p.entry(nil, 2, toneDim, "id "+string(v.vertex.ID))
	p.links(sc, v.vertex.ID)
	p.operators(v.vertex.Name)
	p.heading("description in the plan")
	if v.vertex.Description == "" {
		p.entry(nil, 2, toneDim, "the plan has none")
	}
	for _, text := range strings.Split(v.vertex.Description, "\n") {
		p.described(text)
	}
}

func atMost(v *flinkapi.Vertex) string {
	if v.MaxParallelism <= 0 {
		return unknownMark
	}
	return "x" + counted(v.MaxParallelism)
}

// links lists what feeds the vertex and what it feeds, with how records choose the receiving subtask.
func (p *paper) links(sc *scene, id flinkapi.VertexID) {
	views := map[flinkapi.VertexID]vertexView{}
	for _, v := range sc.vertices() {
		views[v.vertex.ID] = v
	}
	row := func(head string, other flinkapi.VertexID, ship flinkapi.ShipStrategy) {
		v, ok := views[other]
		if !ok {
			return
		}
		role := v.look(p.th)
		how := strings.ToLower(first(string(ship), unknownMark))
		name := chain(v.vertex.Name, max(p.w-14-len(how), 8), &p.th.glyphs)
		p.add(line{
			say(toneDim, head), say(role.tone, role.glyph+" "), say(tonePlain, name), say(toneDim, "  "+how),
		})
	}
	p.heading("links")
	before := len(p.rows)
	for _, e := range sc.job().Edges {
		if e.To == id {
			row("  from ", e.From, e.Ship)
		}
	}
	for _, e := range sc.job().Edges {
		if e.From == id {
			row("  to   ", e.To, e.Ship)
		}
	}
	if len(p.rows) == before {
		p.entry(nil, 2, toneDim, "none: it is the whole job")
	}
}

// operators lists the operators of a chain, as Flink names it: one after another, branches in brackets.
func (p *paper) operators(name string) {
	parts := strings.Split(clean(name), " -> ")
	if len(parts) < 2 {
		return
	}
	p.heading("operators, in the order of the data")
	for i, part := range parts {
		p.entry(line{say(toneDim, right(counted(i+1), 4)+" ")}, 6, tonePlain, part)
	}
}

// described writes one line of the description; what is broken stays under its first word.
func (p *paper) described(text string) {
	text = strings.TrimRight(clean(text), " ")
	indent := min(len(text)-len(strings.TrimLeft(text, " ")), p.w/4) + 2
	if text == "" {
		p.add(nil)
		return
	}
	const most = 1 << 12
	for _, row := range wrap(text, max(p.w-indent, 1), most, p.th.ellipsis) {
		p.add(line{say(tonePlain, blank(indent)), say(tonePlain, row)})
	}
}
