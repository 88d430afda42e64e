package tui

import (
	"slices"
	"strconv"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// subtasksPane shows every subtask of the selected vertex: a heat strip over all of them, how a column is
// spread, and a table. The cursor follows the subtask, not the row.
type subtasksPane struct {
	// plain is true beside the graph, where no column is dear and no key scrolls.
	plain bool
	// by is the number of the column that the rows are sorted by.
	by      int
	reverse bool
	// first is the number of the first column beside the one that stays in sight.
	first int
	at    int // index of the subtask under the cursor; -1 for the first row
	// row is where the cursor was seen last: it stays there when its subtask is gone.
	row int
	// scroll is the window on the table.
	scroll scroll
	// held is the order that the rows have had for a moment.
	held heldOrder
	// sight are the subtasks that were drawn last.
	sight []int
}

// sortedFirst is the column that the rows are sorted by at first: busy.
const sortedFirst = 1

// newSubtasksPane returns the pane with its cursor in the first row.
func newSubtasksPane() *subtasksPane { return &subtasksPane{by: sortedFirst, first: 1, at: -1} }

func (p *subtasksPane) columns() []subtaskColumn { return subtaskColumns(!p.plain) }

// Key moves the cursor, sorts, scrolls sideways, or goes to the next vertex.
func (p *subtasksPane) Key(a ActionID, sc *scene, r Rect, _ *Theme) bool {
	all := p.columns()
	switch a {
	case ActionSort:
		p.by, p.reverse = (p.by+1)%len(all), false
		p.reveal(all, r.W)
		return true
	case ActionReverse:
		p.reverse = !p.reverse
		return true
	case ActionColumnsLeft:
		p.first = max(p.first-1, 1)
		return true
	case ActionColumnsRight:
		p.first = min(p.first+1, lastFirst(all, columnRoom(all, r.W)))
		return true
	case ActionNext, ActionPrevious:
		p.at, p.row = -1, 0
		return stepVertex(a, sc)
	default:
	}
	return p.move(a, sc, r)
}

// move moves the cursor.
func (p *subtasksPane) move(a ActionID, sc *scene, r Rect) bool {
	rows := p.rows(sc)
	if len(rows) == 0 {
		return false
	}
	i, ok := moved(a, p.cursor(rows), len(rows), r.H-p.headRows(r.H))
	p.at, p.row = rows[i].Index, i
	return ok
}

// reveal scrolls the column that the rows are sorted by into sight.
func (p *subtasksPane) reveal(all []subtaskColumn, w int) {
	if p.by == 0 {
		return
	}
	room := columnRoom(all, w)
	p.first = min(p.first, p.by)
	for p.first < p.by {
		placed, _ := placeColumns(all, p.first, room)
		if slices.ContainsFunc(placed, func(c placedColumn) bool { return c.number == p.by }) {
			return
		}
		p.first++
	}
}

// columnRoom is what the first column leaves to the others.
func columnRoom(all []subtaskColumn, w int) int {
	const pointer, more = 2, 2
	return w - pointer - all[0].w - more
}

// stepVertex selects the next or previous vertex in topological order.
func stepVertex(a ActionID, sc *scene) bool {
	all := sc.shownVertices()
	if len(all) == 0 {
		return false
	}
	i := indexOf(all, sc.selected) + 1
	if a == ActionPrevious {
		i += len(all) - 2
	}
	sc.selected = all[i%len(all)].vertex.ID
	return true
}

// rows are the subtasks of the selected vertex that are shown, in order.
func (p *subtasksPane) rows(sc *scene) []*diagnose.SubtaskState {
	v, ok := sc.selectedVertex()
	if !ok {
		return nil
	}
	return p.ordered(sc, subtaskTableOf(sc, v))
}

// current puts the cursor on a subtask, where there is one, and returns it.
func (p *subtasksPane) current(sc *scene) (index int, ok bool) {
	rows := p.rows(sc)
	if len(rows) == 0 {
		return 0, false
	}
	p.row = p.cursor(rows)
	p.at = rows[p.row].Index
	return p.at, true
}

// step puts the cursor on the subtask n rows further, around the ends.
func (p *subtasksPane) step(sc *scene, n int) bool {
	rows := p.rows(sc)
	if len(rows) == 0 {
		return false
	}
	p.row = (p.cursor(rows) + n + len(rows)) % len(rows)
	p.at = rows[p.row].Index
	return true
}

// cursor is the row under the cursor: the subtask's, or where that is gone, the one in its place.
func (p *subtasksPane) cursor(rows []*diagnose.SubtaskState) int {
	i := slices.IndexFunc(rows, func(s *diagnose.SubtaskState) bool { return s.Index == p.at })
	if i < 0 {
		i = min(p.row, len(rows)-1)
	}
	return max(i, 0)
}

// recordsOf is the rate that stands for the load: what comes in, or of a source, what goes out.
func recordsOf(in, out flinkapi.Value) flinkapi.Value {
	if in.IsKnown() {
		return in
	}
	return out
}

// The heights from which on the pane has room for more than the title, the strip and the table.
const (
	spreadHeight     = 9
	neighboursHeight = 11
	// stripRows is the share of the pane that the strip may take.
	stripShare = 8
)

// headRows are the rows above the first subtask at a height, where the strip takes one.
func (p *subtasksPane) headRows(h int) int {
	return 3 + step(h, 0, spreadHeight, 1, neighboursHeight, 2)
}

// Draw returns the strip, the spread and the table.
func (p *subtasksPane) Draw(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	v, ok := sc.selectedVertex()
	if !ok {
		return th.fillRect([]line{{say(toneDim, sc.emptyWord())}}, r)
	}
	head := heatStrip(v, r.W, r.H/stripShare, th)
	table := subtaskTableOf(sc, v)
	if r.H >= spreadHeight && v.state.Subtasks.Len() > 0 {
		head = append(head, table.spreadLine(&p.columns()[p.by], r.W, th))
	}
	if r.H >= neighboursHeight {
		head = append(head, neighbours(sc.job(), v.vertex.ID, r.W, th))
	}
	below := r
	below.H--
	rest := p.table(sc, table, head, below, true, th) // first, since the title says which rows it shows
	return append([]string{th.paint(p.title(v, r.W, th), r.W)}, rest...)
}

// table is the head and as many subtasks as fit; with a cursor, the one under it is in sight.
func (p *subtasksPane) table(
	sc *scene, t *subtaskTable, head []line, r Rect, cursor bool, th *Theme,
) []string {
	all := p.columns()
	rows := p.ordered(sc, t)
	p.sight = p.sight[:0]
	if len(rows) == 0 {
		why := "no numbers per subtask yet; they are read for the selected vertex"
		switch {
		case sc.filter != "":
			why = "no subtask matches the filter"
		case !sc.shownAt.IsZero():
			why = "not kept of this moment: numbers per subtask are read for the vertex that was selected then"
		}
		return th.fillRect(append(head, line{say(toneDim, why)}), r)
	}
	if r.H < len(head)+2 { // no row under the names of the columns
		return th.fillRect(head, r)
	}
	room := columnRoom(all, r.W)
	start := min(max(p.first, 1), lastFirst(all, room))
	placed, more := placeColumns(all, start, room)
	head = append(head, p.names(all, placed, start > 1, more && !p.plain, th))
	at := p.cursor(rows)
	var row subtaskRow // one for all of them, and one line: both leave the stack
	var l line
	shown := p.scroll.around(len(rows), at, r.W, r.H-len(head), func(i int) string {
		p.sight = append(p.sight, rows[i].Index)
		row = t.row(rows[i])
		l = subtaskLine(l[:0], &all[0], placed, &row, cursor && i == at, th)
		return th.paint(l, r.W)
	})
	return append(th.fillRect(head, Rect{W: r.W, H: len(head)}), shown...)
}

// names is the row with the names of the columns, with the keys that bring the others at its ends.
func (p *subtasksPane) names(all []subtaskColumn, placed []placedColumn, left, right bool, th *Theme) line {
	mark := func(number int) string {
		switch {
		case number != p.by:
			return ""
		case all[number].ascending != p.reverse:
			return th.sortUp
		}
		return th.sortDown
	}
	side := map[bool]string{true: "<", false: " "}[left]
	name := all[0]
	name.name = "#"
	out := line{say(toneKey, side+" "), name.head(name.w, mark(0))}
	for _, c := range placed {
		out = append(out, c.head(c.w, mark(c.number)))
	}
	if right {
		out = append(out, say(toneKey, " >"))
	}
	return out
}

// subtaskLine appends the row of a subtask to out.
func subtaskLine(
	out line, index *subtaskColumn, placed []placedColumn, r *subtaskRow, at bool, th *Theme,
) line {
	mark, t := "  ", tonePlain
	if at {
		mark, t = th.pointer+" ", toneSelected
	}
	out = append(out, say(toneSelected, mark)).toRight(t, strconv.Itoa(r.Index), index.w)
	for _, c := range placed {
		out = c.cell(out, r, c.w, th)
	}
	return out
}

func (p *subtasksPane) title(v vertexView, w int, th *Theme) line {
	role := v.look(th)
	by := p.columns()[p.by].name
	if p.reverse {
		by += ", reversed"
	}
	tail := line{say(toneDim, "sorted by "+by)}
	if part := p.scroll.part(); part != "" {
		tail = append(line{say(toneDim, part+", ")}, tail...)
	}
	left := line{
		say(toneDim, "subtasks of "), say(toneStrong, v.name(max(w-52, 12), &th.glyphs)),
		say(toneDim, "  "+timesWord(v)+"  "), role.span(),
	}
	return spread(left, tail, w, th.ellipsis)
}
