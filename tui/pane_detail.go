package tui

// drawDetail shows the selected vertex in words, and where there is room its subtasks.
func drawDetail(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	v, ok := sc.selectedVertex()
	if !ok {
		return th.fillRect(nil, r)
	}
	role := v.look(th)
	name := r.W / 3
	if r.W < 80 { // the buffers give way to the name
		name = r.W - 22
	}
	head := line{
		say(toneSelected, th.pointer+" "), say(toneStrong, v.name(name, &th.glyphs)),
		say(toneDim, " "+timesWord(v)+"  "), role.span(),
	}
	buffers := line{
		say(toneDim, "buffers: remote in"), say(tonePlain, " "+poolUsage(v, true)),
		say(toneDim, "  out"), say(tonePlain, " "+poolUsage(v, false)),
	}
	rows := []line{spread(head, buffers, r.W, th.ellipsis), {say(tonePlain, "  "), say(toneDim, v.why(th))}}
	if more := r.H - len(rows); more > 0 {
		unfiltered := *sc
		unfiltered.filter = "" // which is for names of vertices here
		list := newSubtasksPane()
		list.plain = true
		table := list.table(&unfiltered, subtaskTableOf(sc, v), heatStrip(v, r.W, 1, th),
			Rect{W: r.W, H: more}, false, th)
		return append(th.fillRect(rows, Rect{W: r.W, H: len(rows)}), table...)
	}
	return th.fillRect(rows, r)
}

// detailHead are the rows above the subtasks: the vertex, why, the strip, and the names of the columns.
const detailHead = 4

// detailNeed is how many rows the details of the selected vertex can use.
func detailNeed(sc *scene) int {
	v, ok := sc.selectedVertex()
	if !ok {
		return 1
	}
	return detailHead + max(v.state.Subtasks.Len(), 1)
}
