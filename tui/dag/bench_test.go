package dag

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkNew(b *testing.B) {
	graphs := []Graph{twelve()}
	for _, n := range []int{40, 200} {
		graphs = append(graphs, randomGraph(rand.New(rand.NewPCG(1, 1)), n, 0))
	}
	for _, g := range graphs {
		for _, d := range []Direction{LeftRight, TopDown} {
			b.Run(fmt.Sprintf("nodes=%d/dir=%d", len(g.Nodes), d), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					New(g, Options{Dir: d, MaxW: 200, MaxH: 60})
				}
			})
			l := New(g, Options{Dir: d})
			b.Run(fmt.Sprintf("again/nodes=%d/dir=%d", len(g.Nodes), d), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					New(g, Options{Dir: d, Prev: l})
				}
			})
		}
	}
}
