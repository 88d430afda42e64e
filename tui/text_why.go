package tui

// whyText tells of every other vertex why it is not the culprit.
func whyText(sc *scene, p *paper) {
	w, th := p.w, p.th
	if sc.report == nil {
		p.add(line{say(toneDim, "no verdict yet")})
		return
	}
	names := min(max(w/3, 12), 40)
	for i := range sc.report.Culprits {
		c := &sc.report.Culprits[i]
		p.heading("why " + chain(c.Vertex.Name, max(w-22, 8), &th.glyphs) + " and not another")
		for _, r := range c.RunnersUp {
			head := line{say(toneWarn, "  runner-up "), say(tonePlain, chain(r.Vertex.Name, names, &th.glyphs))}
			p.entry(head, names+14, tonePlain, r.WhyNot)
		}
		for _, v := range c.Victims {
			head := line{say(toneBack, "  victim    "), say(tonePlain, chain(v.Vertex.Name, names, &th.glyphs))}
			p.entry(head, names+14, tonePlain, v.Why)
		}
	}
	p.heading("every vertex, in the order of the data")
	for _, v := range sc.vertices() {
		role := v.lookIn(12, th)
		head := line{
			say(role.tone, "  "+role.glyph+" "+pad(role.word, 10, "")),
			say(tonePlain, v.name(names, &th.glyphs)),
		}
		p.entry(head, names+14, toneDim, v.why(th))
	}
}
