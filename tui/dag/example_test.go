package dag_test

import (
	"fmt"
	"os"
	"strings"

	"culprit/tui/dag"
)

func ExampleNew() {
	g := dag.Graph{
		Nodes: []dag.Node{{ID: "orders", W: 6, H: 1}, {ID: "parse", W: 5, H: 1}, {ID: "kafka", W: 5, H: 1}},
		Edges: []dag.Edge{{From: 0, To: 1}, {From: 1, To: 2}},
	}
	l := dag.New(g, dag.Options{Dir: dag.LeftRight, MaxW: 80, MaxH: 24})
	if !l.Fits(80, 24) {
		l = dag.New(g, dag.Options{Dir: dag.TopDown, MaxW: 80, MaxH: 24, Prev: l})
	}
	row := strings.Split(strings.Repeat(" ", l.Width), "")
	for _, c := range l.Cells(dag.Unicode) {
		row[c.X], _ = c.Draw(func(int) dag.Pen { return dag.Pen{Stroke: dag.Thin} })
	}
	for i, b := range l.Boxes {
		copy(row[b.X:], strings.Split(g.Nodes[i].ID, ""))
	}
	_, _ = fmt.Fprintln(os.Stdout, strings.Join(row, ""))
	// Output: orders───▶parse───▶kafka
}
