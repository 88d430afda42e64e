package dag

// A Cell is one character of the drawn edges. Edges lists the edges that the rune stands for, ascending.
// Where lines merely cross, they are those of the line that is drawn through, the vertical one unless an
// arrow is in the other, and Under has those of the line that passes beneath; elsewhere Under is empty.
// Both are the layout's own and must not be changed. Arrow marks the arrow beside a target; an arrow within
// a line says which way the line is followed.
type Cell struct {
	X, Y  int
	Rune  rune
	Edges []int
	Under []int
	Arrow bool

	charset Charset
	joint   *joint
}

// Charset is a choice of characters.
type Charset int

// The character sets.
const (
	Unicode Charset = iota // box drawing and triangles
	ASCII                  // - | + > v; without room, corners on both sides of a line can look joined
)

// The arms of a cell: the sides at which its lines leave it. An arrow is an arm that points.
const (
	north = 1 << iota
	east
	south
	west
	target // the cell beside a target
)

const (
	horizontal = east | west
	vertical   = north | south
)

// line is the character for a set of arms.
func (c Charset) line(arms uint8) rune {
	if c == ASCII {
		switch arms {
		case horizontal, east, west:
			return '-'
		case vertical, north, south:
			return '|'
		}
		return '+'
	}
	return [...]rune{' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'}[arms&15]
}

// head is the character of an arrow that points to an arm's side.
func (c Charset) head(arm uint8) rune {
	heads := [...][2]rune{north: {'▲', '^'}, east: {'▶', '>'}, south: {'▼', 'v'}, west: {'◀', '<'}}
	return heads[arm][c]
}

// A joint is a cell of the drawn edges before a character set is chosen.
type joint struct {
	at           Point
	arms         uint8
	head         uint8 // the arm that is an arrow, or 0
	edges, under []int
	strokes      []stroke
}

// Cells lists the characters of all edges, each cell once, row by row.
func (l *Layout) Cells(c Charset) []Cell {
	cells := make([]Cell, len(l.cells))
	for i := range l.cells {
		j := &l.cells[i]
		cells[i] = Cell{
			X: j.at.X, Y: j.at.Y, Rune: c.line(j.arms), Edges: j.edges, Under: j.under, charset: c, joint: j,
		}
		if j.head != 0 {
			cells[i].Rune, cells[i].Arrow = c.head(j.head), j.arms&target != 0
		}
	}
	return cells
}
