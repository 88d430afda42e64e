package dag

// A Node is a box to place. ID names it across layouts; W and H are cells, borders included; less than 1
// counts as 1.
type Node struct {
	ID   string
	W, H int
}

// An Edge runs from one node to another, both indices into [Graph.Nodes]. Edges may repeat and may close
// cycles; an edge with an index out of range is left out of the layout.
type Edge struct{ From, To int }

// A Graph is what to lay out.
type Graph struct {
	Nodes []Node
	Edges []Edge
}

// Direction is the way in which the data flows on the screen.
type Direction int

// The directions.
const (
	LeftRight Direction = iota
	TopDown
)

// Options say how to lay out.
type Options struct {
	Dir Direction
	// MaxW and MaxH are the cells at hand; 0 is no limit. Gaps are as wide as the limits allow, down to a
	// minimum; a layout that is still too large says so in [Layout.Fits].
	MaxW, MaxH int
	// Prev is an earlier layout of the job, in any direction, or nil. Its order across the flow is kept:
	// wholly when the graph has the same nodes and edges, else unless another order has fewer crossings.
	Prev *Layout
}

// A Point is a cell: X counts columns from the left, Y rows from the top, both from 0.
type Point struct{ X, Y int }

// A Box is where a node went. Layer counts from the sources of its component, from 0.
type Box struct{ X, Y, W, H, Layer int }

// A Layout is a placed graph. It is not changed after [New].
type Layout struct {
	Dir Direction
	// Boxes has one box per node.
	Boxes []Box
	// Routes has the corner points of each edge, from the cell beside its source to the cell of its arrow
	// beside its target; consecutive points share a row or a column. It is nil for an edge that was left
	// out.
	Routes [][]Point
	// Width and Height are the cells that the drawing takes.
	Width, Height int
	// Crossings is the number of cells in which lines cross without being joined.
	Crossings int

	graph Graph
	cells []joint
	rank  map[rankKey]int
	shape uint64
}

// Fits says whether the drawing fits into w columns and h rows.
func (l *Layout) Fits(w, h int) bool { return l.Width <= w && l.Height <= h }

// New lays a graph out. It keeps the graph's slices, which must not change afterwards.
func New(g Graph, o Options) *Layout {
	l := &Layout{Dir: o.Dir, graph: g, Boxes: make([]Box, len(g.Nodes)), Routes: make([][]Point, len(g.Edges))}
	parts := split(g, o.Prev, o.Dir)
	l.shape = shapeOf(g)
	settled := o.Prev != nil && o.Prev.shape == l.shape
	for _, p := range parts {
		p.seed(o.Prev)
		if !settled {
			p.sweep()
		}
	}
	l.rank = rankOf(parts)

	maxFlow, maxCross := o.MaxW, o.MaxH
	if o.Dir == TopDown {
		maxFlow, maxCross = maxCross, maxFlow
	}
	cross := placeParts(parts, o.Dir, maxCross)
	flow := stretch(parts, o.Dir, maxFlow)
	l.Width, l.Height = flow, cross
	if o.Dir == TopDown {
		l.Width, l.Height = cross, flow
	}
	for _, p := range parts {
		p.emit(l)
	}
	l.cells, l.Crossings = rasterize(l)
	return l
}
