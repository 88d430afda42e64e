package dag

import (
	"slices"
	"strings"
)

// A Row is one node of the compact list. Prefix goes before its text: rails of the open branches, one cell
// each, then an arrow and a space, Depth+2 cells in all. ▶ marks the head of a branch, ▼ what follows the
// rows above it at its depth, and neither a source.
type Row struct {
	Node, Depth int
	Prefix      string
}

// A branch is a part of the list at one depth. Its members wait in ready until the branches inside it are
// done.
type branch struct {
	outer *branch
	depth int
	open  bool // more branches of its fork follow
	ready []int
}

// shared is the innermost branch that holds both.
func shared(a, b *branch) *branch {
	for a != b {
		if a.depth >= b.depth {
			a = a.outer
		} else {
			b = b.outer
		}
	}
	return a
}

type lister struct {
	links   links
	charset Charset
	branch  []*branch // by node; of a join: the innermost that holds all its inputs so far
	missing []int     // inputs not yet listed
	rows    []Row
}

// ListRows lists the nodes one a row, every node after its inputs (but for edges that close a cycle). A
// node that forks opens a branch for every output that has no other input; a node with several inputs
// follows at the depth that holds them all.
func ListRows(g Graph, c Charset) []Row {
	k := link(g)
	l := &lister{links: k, charset: c, branch: make([]*branch, len(g.Nodes)), missing: make([]int, len(g.Nodes))}
	for v := range g.Nodes {
		l.missing[v] = len(k.in[v])
	}
	root := &branch{}
	for v := range g.Nodes {
		if len(k.in[v]) == 0 {
			l.list(v, root, false)
		}
	}
	return l.rows
}

// list writes a node and all that follows it alone.
func (l *lister) list(v int, b *branch, head bool) {
	l.branch[v] = b
	l.rows = append(l.rows, Row{Node: v, Depth: b.depth, Prefix: l.prefix(v, b, head)})
	var own []int
	for _, w := range l.links.out[v] {
		if len(l.links.in[w]) == 1 {
			own = append(own, w)
			continue
		}
		if l.branch[w] == nil {
			l.branch[w] = b
		}
		l.branch[w] = shared(l.branch[w], b)
		if l.missing[w]--; l.missing[w] == 0 {
			l.branch[w].ready = append(l.branch[w].ready, w)
		}
	}
	if len(own) == 1 && len(l.links.out[v]) == 1 {
		l.list(own[0], b, false)
	} else {
		for i, w := range own {
			l.list(w, &branch{outer: b, depth: b.depth + 1, open: i+1 < len(own)}, true)
		}
	}
	for len(b.ready) > 0 {
		w := b.ready[0]
		b.ready = slices.Delete(b.ready, 0, 1)
		l.list(w, b, false)
	}
}

func (l *lister) prefix(v int, b *branch, head bool) string {
	rails := make([]rune, b.depth)
	for i := b; i.outer != nil; i = i.outer {
		arms := uint8(0)
		if i.open {
			arms = vertical
		}
		if i == b && head {
			arms |= north | east
		}
		rails[i.depth-1] = ' '
		if arms != 0 {
			rails[i.depth-1] = l.charset.line(arms)
		}
	}
	mark := " "
	switch {
	case head:
		mark = string(l.charset.head(east))
	case len(l.links.in[v]) > 0:
		mark = string(l.charset.head(south))
	}
	return strings.Join([]string{string(rails), mark, " "}, "")
}
