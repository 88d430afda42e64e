// Package dag lays a job graph out on a grid of character cells and routes its edges at right angles.
//
// Know three types first: [Graph] is boxes of known size and the edges between them, [Layout] is where
// everything went, and [Cell] is one character of an edge with the edges that run through it, so that the
// caller can colour them. The package draws no boxes, knows no colours and keeps no state; the same input
// gives the same layout.
//
// The way from graph to cells: layer.go finds layers and components, part.go leads long edges through the
// layers that they pass, order.go orders each layer, place.go and pull.go place it across the flow,
// channel.go and track.go give each source its track between layers, route.go makes corner points of it
// all, raster.go and arrow.go the cells, draw.go the characters. pen.go draws them as the state of
// the edges asks; stretch.go, view.go and list.go serve the screen.
//
// How to read a drawing: all edges of one source leave it together and fork from its own track; edges of
// different sources meet only in the last cells before the arrow of a target that they both feed. Whatever
// touches at a corner, a tee or a ┼ is joined. Where two lines merely cross, the vertical one is drawn
// through and the horizontal one has a gap, as if it passed beneath: ─│─. Data flows with the direction; an
// arrow within a line says which way the line is followed, where a reader could not know: where a track
// that forks joins another source's line, and where an edge that closes a cycle runs back. With these rules
// a drawing shows exactly the edges of the graph, without colour.
package dag
